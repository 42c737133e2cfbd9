/* The attach and query port with real sockets, memory files and processes. */
#include "tests/unit/collector_fixture.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "collector/attach.h"
#include "collector/door.h"
#include "collector/keeper.h"
#include "collector/pass.h"
#include "collector/spawn.h"

struct fixture {
	struct env *env;
	char dir[64], spool[96];
	struct options opt;
	struct collector_core *core;
	struct attach *attach;
	int keeper, listener; /* the test is the keeper */
};

static void
stopped(void *arg)
{
	(void)arg;
}

static bool
missing(void *arg, const struct po *po)
{
	return (attach_missing(((struct fixture *)arg)->attach, po));
}

static const struct collector_ops core_ops = {
	.stopped = stopped,
	.missing = missing,
};

/* A worker whose keeper has nothing for it. */
static void
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
static void
worker_end(struct fixture *fx)
{
	collector_core_free(fx->core);
	attach_free(fx->attach);
	close(fx->keeper);
}

static int
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
	snprintf(fx->opt.wake, sizeof(fx->opt.wake), "%s/wake", fx->dir);
	fx->env = env_event_new(NULL);
	fx->listener = door_listen(fx->opt.socket, SOCK_STREAM);
	worker_start(fx);
	*state = fx;
	return (0);
}

static int
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

static int
dial(const struct fixture *fx)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(sun.sun_path, fx->opt.socket);
	assert_int_equal(connect(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	return (fd);
}

static void
say(int fd, enum msg_type type, const void *m)
{
	size_t n;
	uint8_t *frame = frame_message(type, m, &n);

	assert_int_equal(send(fd, frame, n, 0), n);
	free(frame);
}

/* Lets the collector work until there is something to read. */
static ssize_t
hear(struct fixture *fx, int fd, void *buf, size_t n)
{
	ssize_t got;

	WAIT_FOR(fx->env, (got = recv(fd, buf, n, MSG_DONTWAIT)) != -1 ||
			      errno == ECONNRESET);
	return (got);
}

static struct msg_attach
request(void)
{
	return ((struct msg_attach){
	    .layout = RING_LAYOUT,
	    .clock = RING_CLOCK_RAW,
	    .program = BYTES_STR("app"),
	    .command = BYTES_STR("./app -x"),
	});
}

static void
garbage_closes_that_connection_only(void **state)
{
	static const char *const junk[] = { "GET / HTTP/1.0\r\n\r\n",
		"0123456789abcdef0123456789abcdef",
		"Ory1\377\377\377\377\377\377\377\377\377\377\377\377" };
	struct fixture *fx = *state;
	struct msg_attach wrong[2] = { request(), request() };
	struct msg_query q = { 0 };
	int quiet = dial(fx), fd;
	char buf[4096];

	for (size_t i = 0; i < sizeof(junk) / sizeof(*junk); i++) {
		fd = dial(fx);
		assert_true(send(fd, junk[i], strlen(junk[i]), 0) > 0);
		assert_true(hear(fx, fd, buf, sizeof(buf)) <= 0);
		close(fd);
	}
	wrong[0].layout = RING_LAYOUT + 1;
	wrong[1].clock = 9;
	for (int i = 0; i < 2; i++) {
		fd = dial(fx);
		say(fd, MSG_attach, &wrong[i]);
		assert_true(hear(fx, fd, buf, sizeof(buf)) <= 0);
		close(fd);
	}
	say(quiet, MSG_query, &q);
	assert_true(hear(fx, quiet, buf, sizeof(buf)) > 0);
	close(quiet);
}

/* A child attaches, publishes; more at each SIGUSR1; and is killed. */
static void
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
	segment_layout(&p.layout, 4096, 8, OPTIONS_NAMES_BYTES);
	p.seg = mmap(NULL, p.layout.segment_bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, memory, 0);
	if (p.seg == MAP_FAILED || p.seg->magic != RING_MAGIC || p.seg->po != 1)
		_exit(3);
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

static bool
can_open_map_files(void)
{
	/* what that asks for beyond root is a capability of its own */
	return (
	    geteuid() == 0 && access("/proc/self/map_files", R_OK | X_OK) == 0);
}

/* Keeper and worker have died at a time: the process has its memory. */
static void
memory_that_nobody_hands_on_is_found_in_its_process(void **state)
{
	struct fixture *fx = *state;
	struct ident *id;
	struct stream *st;
	struct pass m;
	int go[2], fds[PASS_FDS];
	char c;
	pid_t pid;

	if (!can_open_map_files())
		skip();
	assert_int_equal(pipe2(go, O_CLOEXEC | O_NONBLOCK), 0);
	pid = fork();
	if (pid == 0)
		child(fx, go[1]);
	WAIT_FOR(fx->env, read(go[0], &c, 1) == 1);
	id = collector_core_ident(fx->core);
	WAIT_FOR(fx->env,
	    (st = ident_stream(id, 1, 1)) != NULL && st->next_seq == 20);
	for (uint64_t n = 27; n <= 41; n += 7) {
		worker_end(fx);
		kill(pid, SIGUSR1);
		while (read(go[0], &c, 1) != 1)
			usleep(1000);
		worker_start(fx);
		id = collector_core_ident(fx->core);
		st = ident_stream(id, 1, 1);
		assert_false(ident_po(id, 1)->ended);
		assert_false(st->unknown);
		WAIT_FOR(fx->env, st->next_seq == n);
		/* and the keeper has it again */
		assert_int_equal(pass_receive(fx->keeper, &m, fds), 1);
		assert_int_equal(m.type, PASS_SEGMENT);
		assert_int_equal(m.po, 1);
		assert_true(fds[0] >= 0 && fds[1] >= 0);
		close(fds[0]);
		close(fds[1]);
	}
	kill(pid, SIGKILL);
	WAIT_FOR(fx->env, ident_po(id, 1)->ended);
	assert_int_equal(stream_published(st), 41);
	assert_false(st->unknown);
	waitpid(pid, NULL, 0);
	close(go[0]);
	close(go[1]);
}

/* The worker that has started a keeper, as far as that can tell. */
static void
worker_of_a_keeper(const struct fixture *fx, int talk)
{
	struct options opt = fx->opt;
	int pair[2];

	strcpy(opt.socket, "none");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == -1)
		_exit(1);
	if (fork() == 0) {
		close(pair[0]);
		_exit(keeper_resume(&opt, pair[1], fx->listener));
	}
	close(pair[1]);
	/* what the test says is passed on */
	for (;;) {
		struct pass m;
		int fds[PASS_FDS];

		if (pass_receive(talk, &m, fds) != 1 ||
		    pass_send(pair[0], &m, fds) == -1)
			_exit(0);
	}
}

/* A successor that comes while the worker still tells it what there is. */
static void
a_new_keeper_gives_nothing_away_before_it_has_all(void **state)
{
	struct fixture *fx = *state;
	struct pass segment = { .type = PASS_SEGMENT, .po = 7 };
	struct pass ready = { .type = PASS_READY }, m;
	struct pollfd p = { .events = POLLIN };
	int talk[2], fds[PASS_FDS], got = 0;
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, talk), 0);
	pid = fork();
	if (pid == 0) {
		close(talk[0]);
		worker_of_a_keeper(fx, talk[1]);
	}
	ready.pid = (uint32_t)pid;
	while ((p.fd = door_knock(fx->opt.keeper, fx->opt.socket)) == -1)
		usleep(1000);
	assert_int_equal(poll(&p, 1, 50), 0);
	fds[0] = fx->listener;
	fds[1] = -1;
	assert_int_equal(pass_send(talk[0], &segment, fds), 0);
	assert_int_equal(pass_send(talk[0], &ready, NULL), 0);
	while (pass_receive(p.fd, &m, fds) == 1 && m.type != PASS_END) {
		if (m.type == PASS_SEGMENT && m.po == 7)
			got++;
		close(fds[0]);
	}
	assert_int_equal(m.type, PASS_END);
	assert_int_equal(got, 1);
	close(p.fd);
	close(talk[0]);
	close(talk[1]);
	waitpid(pid, NULL, 0);
}

static void
a_process_attaches_publishes_and_is_killed(void **state)
{
	struct fixture *fx = *state;
	struct ident *id = collector_core_ident(fx->core);
	struct stream *st;
	struct pass m;
	int go[2], fds[PASS_FDS], status;
	char c;
	pid_t pid;

	assert_int_equal(pipe2(go, O_CLOEXEC | O_NONBLOCK), 0);
	pid = fork();
	if (pid == 0)
		child(fx, go[1]);
	WAIT_FOR(fx->env, read(go[0], &c, 1) == 1);
	/* the keeper was told first, with memory and process */
	assert_int_equal(pass_receive(fx->keeper, &m, fds), 1);
	assert_int_equal(m.type, PASS_READY);
	assert_int_equal(pass_receive(fx->keeper, &m, fds), 1);
	assert_int_equal(m.type, PASS_SEGMENT);
	assert_int_equal(m.pid, pid);
	assert_true(fds[0] >= 0 && fds[1] >= 0);
	assert_string_equal(m.program, "app");
	WAIT_FOR(fx->env,
	    (st = ident_stream(id, 1, 1)) != NULL && st->next_seq == 20);
	assert_false(st->ended);
	kill(pid, SIGKILL);
	WAIT_FOR(fx->env, ident_po(id, 1)->ended);
	assert_true(st->ended);
	assert_int_equal(stream_published(st), 20);
	assert_int_equal(pass_receive(fx->keeper, &m, (int[2]){ -1, -1 }), 1);
	assert_int_equal(m.type, PASS_GONE);
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	close(fds[0]);
	close(fds[1]);
	close(go[0]);
	close(go[1]);
}

static void
a_query_is_answered_frame_by_frame(void **state)
{
	struct fixture *fx = *state;
	struct msg_po def = { .po = 1, .pid = 77, .program = BYTES_STR("x") };
	struct ident *id = collector_core_ident(fx->core);
	struct po *po = ident_po_new(id, &def);
	struct msg_query q = { 0 };
	struct msg_answer a;
	uint8_t buf[4096];
	struct frame f;
	size_t have = 0, at = 0;
	int fd = dial(fx), answers = 0;

	ident_stream_new(id, po, 0, 77, "");
	ident_stream_new(id, po, 1, 78, "main");
	ident_stream_new(id, po, 2, 79, "helper");
	say(fd, MSG_query, &q);
	do {
		have += (size_t)hear(fx, fd, buf + have, sizeof(buf) - have);
		while (frame_parse(buf + at, have - at, &f) == FRAME_OK) {
			assert_int_equal(msg_decode(f.type, f.body,
					     f.body_bytes, &a),
			    0);
			assert_int_equal(a.thread, answers);
			assert_int_equal(a.os_id, 77 + answers);
			answers++;
			at += f.frame_bytes;
		}
	} while (answers == 0 || a.more);
	assert_int_equal(answers, 3);
	q.po = 99;
	say(fd, MSG_query, &q);
	assert_true(hear(fx, fd, buf, sizeof(buf)) > 0);
	assert_int_equal(frame_parse(buf, sizeof(buf), &f), FRAME_OK);
	msg_decode(f.type, f.body, f.body_bytes, &a);
	assert_int_equal(a.po, 99);
	assert_int_equal(a.name.n, 0);
	close(fd);
}

static void
the_port_is_for_the_user_alone(void **state)
{
	struct fixture *fx = *state;
	struct stat st;

	assert_int_equal(stat(fx->opt.socket, &st), 0);
	assert_int_equal(st.st_mode & 0077, 0);
}

/*
 * What this program does when the worker starts it as its keeper: the first
 * ends at once, as one does that cannot work; the second stays.
 */
static int
keeper_main(const char *fds)
{
	const char *dir = getenv("ORRERY_DIR");
	char path[128], c;
	int fd;

	snprintf(path, sizeof(path), "%s/first", dir);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd != -1)
		return (1);
	snprintf(path, sizeof(path), "%s/second", dir);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	while (recv(atoi(fds), &c, 1, 0) > 0)
		;
	close(fd);
	return (0);
}

/* Also when the one that follows it dies as soon as it is started. */
static void
a_dead_keeper_is_replaced(void **state)
{
	struct fixture *fx = *state;
	char first[128], second[128];

	snprintf(first, sizeof(first), "%s/first", fx->dir);
	snprintf(second, sizeof(second), "%s/second", fx->dir);
	setenv("ORRERY_DIR", fx->dir, 1);
	close(fx->keeper);
	fx->keeper = -1;
	WAIT_FOR(fx->env, access(second, F_OK) == 0);
	assert_int_equal(unlink(first), 0);
	assert_int_equal(unlink(second), 0);
}

/* One that was killed still listens when its end has been seen already. */
static void
a_socket_of_a_dying_process_is_waited_for(void **state)
{
	struct fixture *fx = *state;
	int fd = door_listen(fx->opt.keeper, SOCK_SEQPACKET);
	pid_t pid = fork();
	struct pollfd p = { fd, POLLIN, 0 };

	if (pid == 0) {
		poll(&p, 1, 5000); /* somebody knocks */
		_exit(0);
	}
	close(fd);
	fd = door_listen(fx->opt.keeper, SOCK_SEQPACKET);
	assert_int_not_equal(fd, -1);
	close(fd);
	waitpid(pid, NULL, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(int argc, char **argv)
{
	static const char keeper[] = "--internal=keeper:";
	const struct CMUnitTest tests[] = {
		TEST(a_dead_keeper_is_replaced),
		TEST(a_socket_of_a_dying_process_is_waited_for),
		TEST(garbage_closes_that_connection_only),
		TEST(a_process_attaches_publishes_and_is_killed),
		TEST(memory_that_nobody_hands_on_is_found_in_its_process),
		TEST(a_new_keeper_gives_nothing_away_before_it_has_all),
		TEST(a_query_is_answered_frame_by_frame),
		TEST(the_port_is_for_the_user_alone),
	};

	spawn_init(argc, argv);
	if (argc > 1 && strncmp(argv[1], keeper, strlen(keeper)) == 0)
		return (keeper_main(argv[1] + strlen(keeper)));
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
