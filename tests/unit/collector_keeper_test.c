/* Keepers that die, come anew, and hand on what they keep. */
#include "tests/unit/collector_port.h"

#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>

#include "collector/shell/keeper/keeper.h"
#include "collector/shell/self/spawn.h"

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
		TEST(memory_that_nobody_hands_on_is_found_in_its_process),
		TEST(a_new_keeper_gives_nothing_away_before_it_has_all),
	};

	spawn_init(argc, argv);
	if (argc > 1 && strncmp(argv[1], keeper, strlen(keeper)) == 0)
		return (keeper_main(argv[1] + strlen(keeper)));
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
