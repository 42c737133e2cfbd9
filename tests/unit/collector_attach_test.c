/* The attach and query port with real sockets, memory files and processes. */
#include "tests/unit/collector_port.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "collector/core_inside.h"
#include "collector/shell/attach/held.h"
#include "collector/shell/self/spawn.h"
#include "event.h"

#define NOBODY 65534

/* Lets the collector work until there is something to read. */
static ssize_t
hear(struct fixture *fx, int fd, void *buf, size_t n)
{
	ssize_t got;

	WAIT_FOR(fx->env, (got = recv(fd, buf, n, MSG_DONTWAIT)) != -1 ||
			      errno == ECONNRESET);
	return (got);
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
	assert_int_equal(m.type, PASS_OPEN);
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

/* It is no child of the collector: before and after its parent has waited. */
static void
how_a_process_has_ended_is_known(void **state)
{
	static const struct {
		int status, signal;
		uint32_t ending;
	} cases[] = { { 0, 0, ENDING_EXITED }, { 3, 0, ENDING_EXITED | 3 },
		{ 255, 0, ENDING_EXITED | 255 },
		{ 0, SIGKILL, ENDING_SIGNAL | SIGKILL } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct held h = { .fds = { -1, -1 } };
		uint32_t after;
		siginfo_t info;
		pid_t pid = fork();

		if (pid == 0) {
			if (cases[i].signal != 0)
				raise(cases[i].signal);
			_exit(cases[i].status);
		}
		h.m.pid = (uint32_t)pid;
		h.fds[1] = (int)syscall(SYS_pidfd_open, pid, 0);
		assert_int_equal(waitid(P_PID, (id_t)pid, &info,
				     WEXITED | WNOWAIT),
		    0);
		assert_int_equal(held_ending(&h), cases[i].ending);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		after = held_ending(&h);
		/* kernels before 6.15 have forgotten it */
		if (after != ENDING_VANISHED)
			assert_int_equal(after, cases[i].ending);
		close(h.fds[1]);
	}
}

/* It was not served in time: there is no PO of which nothing will come. */
static void
who_has_left_makes_no_po(void **state)
{
	struct fixture *fx = *state;
	struct msg_attach rq = request();
	struct msg_unheard last = { .unrecorded = 7 };
	char buf[4096];
	int fd;

	for (size_t served = 1; served <= 2; served++) {
		fd = dial(fx);
		say(fd, MSG_attach, &rq);
		assert_true(hear(fx, fd, buf, sizeof(buf)) > 0);
		close(fd);
		assert_int_equal(ident_pos(collector_core_ident(fx->core)),
		    served);
		fd = dial(fx);
		say(fd, MSG_attach, &rq);
		close(fd);
		fd = dial(fx);
		say(fd, MSG_unheard, &last);
		assert_int_equal(hear(fx, fd, buf, sizeof(buf)), 0);
		close(fd);
	}
}

/* It has asked, and ends without a word before it has its memory. */
static void
who_has_never_had_its_memory_could_not_attach(void **state)
{
	struct fixture *fx = *state;
	struct ident *id = collector_core_ident(fx->core);
	struct msg_attach rq = request();
	char buf[512];
	int go[2], fd;
	pid_t pid;
	char c;

	assert_int_equal(pipe2(go, O_CLOEXEC | O_NONBLOCK), 0);
	for (uint32_t i = 0; i < 2; i++) {
		pid = fork();
		if (pid == 0 && i == 0)
			child(fx, go[1]); /* this one takes it */
		if (pid == 0) {
			fd = dial(fx);
			say(fd, MSG_attach, &rq);
			_exit(recv(fd, buf, sizeof(buf), 0) <= 0);
		}
		if (i == 0) {
			WAIT_FOR(fx->env, read(go[0], &c, 1) == 1);
			kill(pid, SIGKILL);
		}
		WAIT_FOR(fx->env,
		    ident_pos(id) > i && ident_po(id, i + 1)->ended);
		waitpid(pid, NULL, 0);
		assert_int_equal(fx->core->absent.processes, i);
	}
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
a_query_of_one_thread_has_one_answer(void **state)
{
	struct fixture *fx = *state;
	struct msg_po def = { .po = 1, .pid = 77, .program = BYTES_STR("x") };
	struct ident *id = collector_core_ident(fx->core);
	struct po *po = ident_po_new(id, &def);
	struct msg_query q = { .po = 1, .thread = 1 };
	struct msg_answer a;
	uint8_t buf[4096];
	struct frame f;
	size_t n;
	int fd = dial(fx);

	for (uint32_t i = 0; i < 3; i++)
		ident_stream_new(id, po, i, 77 + i, "worker");
	say(fd, MSG_query, &q);
	n = (size_t)hear(fx, fd, buf, sizeof(buf));
	assert_int_equal(frame_parse(buf, n, &f), FRAME_OK);
	assert_int_equal(f.frame_bytes, n);
	assert_int_equal(msg_decode(f.type, f.body, f.body_bytes, &a), 0);
	assert_int_equal(a.thread, 1);
	assert_int_equal(a.os_id, 78);
	assert_int_equal(a.more, 0);
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

/* Knocks at the keeper's door, and asks at the port: 0 if neither answers. */
static int
stranger(struct fixture *fx)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct msg_query q = { 0 };
	int door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), fd;
	uint8_t *frame;
	char buf[64];
	size_t n;

	if (setresuid(NOBODY, NOBODY, NOBODY) == -1)
		return (1);
	strcpy(sun.sun_path, fx->opt.keeper);
	if (connect(door, (struct sockaddr *)&sun, sizeof(sun)) == -1 ||
	    recv(door, buf, sizeof(buf), 0) > 0)
		return (2);
	fd = dial(fx);
	frame = frame_message(MSG_query, &q, &n);
	/* The collector may have closed already: that is an answer, too. */
	(void)send(fd, frame, n, MSG_NOSIGNAL);
	free(frame);
	return (recv(fd, buf, sizeof(buf), 0) > 0 ? 3 : 0);
}

/* Also where directory and sockets are open to them, by mistake. */
static void
other_users_are_not_let_in(void **state)
{
	struct fixture *fx = *state;
	int door, status;
	pid_t pid;

	if (geteuid() != 0)
		skip(); /* nobody else can be another */
	door = door_listen(fx->opt.keeper, SOCK_SEQPACKET);
	assert_int_not_equal(door, -1);
	assert_int_equal(chmod(fx->dir, 0711), 0);
	assert_int_equal(chmod(fx->opt.keeper, 0777), 0);
	assert_int_equal(chmod(fx->opt.socket, 0777), 0);
	pid = fork();
	if (pid == 0) {
		close(door);
		alarm(20);
		_exit(stranger(fx));
	}
	assert_int_equal(poll(&(struct pollfd){ door, POLLIN, 0 }, 1, 20000),
	    1);
	assert_int_equal(door_accept(door), -1);
	WAIT_FOR(fx->env, waitpid(pid, &status, WNOHANG) == pid);
	assert_int_equal(status, 0);
	close(door);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(garbage_closes_that_connection_only),
		TEST(a_process_attaches_publishes_and_is_killed),
		TEST(how_a_process_has_ended_is_known),
		TEST(who_has_left_makes_no_po),
		TEST(who_has_never_had_its_memory_could_not_attach),
		TEST(a_query_is_answered_frame_by_frame),
		TEST(a_query_of_one_thread_has_one_answer),
		TEST(the_port_is_for_the_user_alone),
		TEST(other_users_are_not_let_in),
	};

	spawn_init(argc, argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
