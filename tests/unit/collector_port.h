/*
 * A worker of a collector with a real port, whose keeper is the test; what
 * talks to it; and a child that attaches.
 */
#ifndef TESTS_COLLECTOR_PORT_H
#define TESTS_COLLECTOR_PORT_H

#include "tests/unit/collector_fixture.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <signal.h>

#include "collector/shell/attach/attach.h"
#include "collector/shell/keeper/door.h"
#include "collector/shell/self/pass.h"

struct fixture {
	struct env *env;
	char dir[64], spool[96];
	struct options opt;
	struct collector_core *core;
	struct attach *attach;
	int keeper, listener; /* the test is the keeper */
};

static inline void
stopped(void *arg)
{
	(void)arg;
}

static inline bool
missing(void *arg, const struct po *po)
{
	return (attach_missing(((struct fixture *)arg)->attach, po));
}

static const struct collector_ops core_ops = {
	.stopped = stopped,
	.missing = missing,
};

/* A worker whose keeper has nothing for it. */
static inline void
worker_start(struct fixture *fx)
{
	struct collector_options opt = {
		.name = fx->opt.name,
		.monitord = fx->opt.monitord,
		.spool_dir = fx->spool,
		.mask = fx->opt.mask,
	};
	struct pass end = { .type = PASS_END };
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			     pair),
	    0);
	fx->keeper = pair[0];
	assert_int_equal(pass_send(fx->keeper, &end, NULL), 0);
	fx->attach = attach_new(fx->env, &fx->opt, pair[1], fx->listener);
	assert_non_null(fx->attach);
	fx->core = collector_core_new(fx->env, &opt, &core_ops, fx);
	assert_non_null(fx->core);
	assert_int_equal(attach_start(fx->attach, fx->core), 0);
}

/* As by SIGKILL: nobody is told anything. */
static inline void
worker_end(struct fixture *fx)
{
	collector_core_free(fx->core);
	attach_free(fx->attach);
	close(fx->keeper);
}

static inline int
set_up(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	log_init("test", -1);
	dir_make(fx->dir, sizeof(fx->dir));
	snprintf(fx->spool, sizeof(fx->spool), "%s/spool", fx->dir);
	snprintf(fx->opt.socket, sizeof(fx->opt.socket), "%s/port", fx->dir);
	snprintf(fx->opt.monitord, sizeof(fx->opt.monitord), "unix:%s/none",
	    fx->dir);
	strcpy(fx->opt.name, "n1");
	strcpy(fx->opt.tag, "orrery:n1:test");
	fx->opt.ring_bytes = 4096;
	fx->opt.rings = 8;
	fx->opt.mask = COLLECTOR_MASK_ALL;
	snprintf(fx->opt.keeper, sizeof(fx->opt.keeper), "%s/keeper", fx->dir);
	snprintf(fx->opt.runtime, sizeof(fx->opt.runtime), "%s", fx->dir);
	fx->env = env_event_new(NULL);
	fx->listener = door_listen(fx->opt.socket, SOCK_STREAM);
	worker_start(fx);
	*state = fx;
	return (0);
}

static inline int
tear_down(void **state)
{
	struct fixture *fx = *state;

	attach_stopped(fx->attach);
	worker_end(fx);
	close(fx->listener);
	dir_remove(fx->spool);
	dir_remove(fx->dir);
	env_event_free(fx->env);
	free(fx);
	return (0);
}

static inline int
dial(const struct fixture *fx)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(sun.sun_path, fx->opt.socket);
	assert_int_equal(connect(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	return (fd);
}

static inline void
say(int fd, enum msg_type type, const void *m)
{
	size_t n;
	uint8_t *frame = frame_message(type, m, &n);

	assert_int_equal(send(fd, frame, n, 0), n);
	free(frame);
}

static inline struct msg_attach
request(void)
{
	return ((struct msg_attach){
	    .layout = RING_LAYOUT,
	    .clock = RING_CLOCK_RAW,
	    .program = BYTES_STR("app"),
	    .command = BYTES_STR("./app -x"),
	});
}

/* A child attaches, publishes; more at each SIGUSR1; and is killed. */
static inline void
child(const struct fixture *fx, int go)
{
	sigset_t usr1;
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	char buf[512];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr mh = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	struct msg_attach m = request();
	struct program p = { 0 };
	struct ring *r;
	int fd, memory;

	/* nothing of the collector's, above all not the lock of its spool */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (fd = 3; fd < 256; fd++) {
		if (fd != go)
			close(fd);
	}
	fd = dial(fx);

	say(fd, MSG_attach, &m);
	if (recvmsg(fd, &mh, 0) <= 0 || CMSG_FIRSTHDR(&mh) == NULL)
		_exit(1);
	memcpy(&memory, CMSG_DATA(CMSG_FIRSTHDR(&mh)), sizeof(int));
	/* nobody can cut it under the collector */
	if (ftruncate(memory, 0) != -1)
		_exit(2);
	segment_layout(&p.layout, SEGMENT_FIRST_BYTES, 4096, 8,
	    OPTIONS_NAMES_BYTES);
	p.seg = mmap(NULL, p.layout.segment_bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, memory, 0);
	if (p.seg == MAP_FAILED || p.seg->magic != RING_MAGIC || p.seg->po != 1)
		_exit(3);
	atomic_store(&p.seg->taken, 1);
	r = program_thread(&p, 0, 1);
	for (int i = 0; i < 20; i++)
		program_publish(&p, r, 1, EV_note, 1, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	(void)!write(go, "x", 1);
	while (sigwaitinfo(&usr1, NULL) == SIGUSR1) {
		for (int i = 0; i < 7; i++)
			program_publish(&p, r, 1, EV_note, 1, 0);
		(void)!write(go, "x", 1);
	}
	_exit(4);
}

#endif
