/*
 * What libprobe does when it is not wanted, when a collector does not answer,
 * and when the program does not let it: nothing that the program would notice.
 */
#include "tests/unit/libprobe_notes.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char self[256];

static pid_t
start(const char *scenario)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(self, self, scenario, (char *)NULL);
		_exit(127);
	}
	return (pid);
}

static double
now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec * 1e-9);
}

static void
pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static void
off_takes_no_lock_over_a_fork(void **state)
{
	pid_t pid;

	(void)state;
	setenv("ORRERY", "off", 1);
	pid = start("fork amid names");
	unsetenv("ORRERY");
	assert_int_equal(wait_for(pid), 0);
}

static void
off_is_as_compiled_away(void **state)
{
	pid_t pid;

	(void)state;
	setenv("ORRERY", "off", 1);
	pid = start("inert");
	unsetenv("ORRERY");
	assert_int_equal(wait_for(pid), 0);
}

/* Only the first pays for a collector that is silent; the node knows then. */
static void
silence_is_found_out_once(void **state)
{
	struct hub_options o = { .deaf = true };
	struct hub *h = hub_open("n1", &o);
	char path[128];
	struct stat st;
	double from;
	pid_t pid;

	(void)state;
	hub_socket(h, path, sizeof(path));
	assert_int_equal(wait_for(start("notes")), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 0);
	from = now_s();
	for (int i = 0; i < 10; i++)
		assert_int_equal(wait_for(start("notes")), 0);
	assert_true(now_s() - from < 5); /* it was a second each */
	assert_int_equal(hub_npos(h), 0);
	hub_hear(h);
	/* ten last words, and the first one's */
	for (int ms = 0; hub_unheard(h) < 11000 && ms < 10000; ms++)
		pause_ms(1);
	assert_int_equal(hub_unheard(h), 11000);
	assert_int_equal(stat(path, &st), 0);
	assert_int_not_equal(st.st_mtim.tv_sec, 0);
	pid = start("notes");
	assert_int_equal(wait_for(pid), 0);
	check_notes(h, pid, 1000);
	hub_close(h, true);
}

static void *
cancelled_while_it_asks(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (volatile unsigned i = 0;; i++)
		probe_note(1, 1);
	return (arg);
}

/* Who is cancelled while we work ends as cancelled, as soon as we are done. */
static void
a_cancelled_thread_says_so(void **state)
{
	struct hub_options o = { .deaf = true };
	struct hub *h = hub_open("n1", &o);
	struct pollfd asked = { .fd = h->listener, .events = POLLIN };
	void *out = NULL;
	pthread_t t;

	(void)state;
	pthread_create(&t, NULL, cancelled_while_it_asks, NULL);
	assert_int_equal(poll(&asked, 1, 10000), 1);
	pthread_cancel(t);
	pthread_join(t, &out);
	assert_ptr_equal(out, PTHREAD_CANCELED);
	hub_close(h, true);
}

#ifdef __GLIBC__
#define SIGCANCEL 32 /* by which glibc ends a thread at any place */

static _Atomic pid_t asks;

static void *
tells_its_number(void *arg)
{
	atomic_store(&asks, (pid_t)syscall(SYS_gettid));
	return (cancelled_while_it_asks(arg));
}

static void *
waits_for_ever(void *arg)
{
	for (;;)
		pause();
	return (arg);
}

/* In a system call that waits. */
static bool
sleeps(pid_t tid)
{
	char path[64], text[256] = "", *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1 || read(fd, text, sizeof(text) - 1) <= 0)
		_exit(3);
	close(fd);
	end = strrchr(text, ')');
	return (end != NULL && end[1] == ' ' && end[2] == 'S');
}

/* The whole of the child: 0 if nothing is left behind. */
static int
signalled_late(int listener)
{
	struct pollfd asked = { .fd = listener, .events = POLLIN };
	void *out = NULL;
	pthread_t t;

	/* the first cancellation of a process installs the handler */
	pthread_create(&t, NULL, waits_for_ever, NULL);
	pthread_cancel(t);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, tells_its_number, NULL);
	if (poll(&asked, 1, 10000) != 1)
		return (2);
	while (!sleeps(atomic_load(&asks)))
		pause_ms(1);
	syscall(SYS_tgkill, getpid(), atomic_load(&asks), SIGCANCEL);
	pthread_join(t, &out);
	probe_name("takes the lock");
	return (out == PTHREAD_CANCELED ? 0 : 1);
}

/*
 * pthread_cancel() marks the thread, then sends it a signal.  If it is kept
 * from the processor in between, the signal comes when the thread may be deep
 * in our code; glibc's handler looks at the type of cancellation only, which
 * every system call that waits changes for that time, not at the state.
 */
static void
a_signal_that_comes_late_leaves_no_lock(void **state)
{
	struct hub_options o = { .deaf = true };
	struct hub *h;
	int status = -1;
	pid_t pid;

	(void)state;
	if (SANITIZED)
		skip();
	h = hub_open("n1", &o);
	pid = fork();
	if (pid == 0)
		_exit(signalled_late(h->listener));
	/* one that waits for our lock has all signals blocked but SIGKILL */
	for (int ms = 0; ms < 10000 && waitpid(pid, &status, WNOHANG) == 0;
	     ms++)
		pause_ms(1);
	kill(pid, SIGKILL);
	assert_int_equal(status, 0);
	hub_close(h, true);
}
#else
static void
a_signal_that_comes_late_leaves_no_lock(void **state)
{
	(void)state;
	skip();
}
#endif

/* It is asked again as long as the program lives; what was missed is told. */
static void
a_late_answer_is_taken(void **state)
{
	struct hub_options o = { .deaf = true };
	struct hub *h = hub_open("n1", &o);
	pid_t pid = start("until attached");
	struct hub_stream *s;
	struct hub_po *p;
	uint64_t missed;
	int status;

	(void)state;
	pause_ms(1500);
	hub_hear(h);
	status = wait_for(pid);
	assert_int_equal(WEXITSTATUS(status), 0);
	p = hub_po_of_pid(h, pid);
	assert_non_null(p);
	s = p->streams[0];
	assert_int_equal(s->records[0].kind, EV_thread_begin);
	assert_int_equal(s->records[1].kind, EV_lost);
	assert_int_equal(s->records[1].c, LOST_NOT_ATTACHED);
	missed = s->records[1].a;
	assert_int_equal(s->lost_total, missed);
	assert_int_equal(s->lost_records, 1);
	/* notes count themselves */
	assert_int_equal(s->records[2].kind, EV_note);
	assert_int_equal(s->records[2].a, missed);
	assert_int_equal(hub_unheard(h), 0);
	hub_close(h, true);
}

static void
no_limit_is_reached(void **state)
{
	static const struct {
		int what;
		rlim_t limit;
	} limits[] = {
		{ RLIMIT_FSIZE, 0 },
		{ RLIMIT_NOFILE, 4 }, /* what ld.so needs */
		{ RLIMIT_MEMLOCK, 0 },
		{ RLIMIT_NPROC, 0 },
	};

	(void)state;
#ifdef __SANITIZE_THREAD__
	skip(); /* it writes files itself */
#endif
	for (int hear = 0; hear < 2; hear++) {
		struct hub *h = hear ? hub_open("n1", NULL) : NULL;

		for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
			struct rlimit l = { limits[i].limit, limits[i].limit };
			pid_t pid = fork();

			if (pid == 0) {
				setrlimit((__rlimit_resource_t)limits[i].what,
				    &l);
				execl("/proc/self/exe", self, "notes",
				    (char *)NULL);
				_exit(127);
			}
			assert_int_equal(wait_for(pid), 0);
		}
		if (h != NULL)
			hub_close(h, true);
	}
}

/* Nobody is there; then somebody is, whom the program cannot have. */
static void
a_program_that_has_shut_itself_in_is_let_be(void **state)
{
	pid_t pid, other;
	struct hub *h;
	int status;

	(void)state;
	if (SANITIZED || prctl(PR_GET_SECCOMP) != 0)
		skip();
	pid = start("shut in");
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	other = start("wait");
	h = hub_open("n1", NULL);
	assert_non_null(hub_po_of_pid(h, other));
	kill(other, SIGTERM);
	wait_for(other);
	kill(pid, SIGCONT);
	assert_int_equal(wait_for(pid), 0);
	assert_int_equal(hub_npos(h), 1);
	hub_close(h, true);
}

/* What started programs do. */

static void *
name_for_ever(void *arg)
{
	char text[32];

	(void)arg;
	for (int i = 0;; i++) {
		snprintf(text, sizeof(text), "n%d", i % 50000);
		probe_name(text);
	}
	return (NULL);
}

static int
fork_amid_names(void)
{
	pthread_t t;

	pthread_create(&t, NULL, name_for_ever, NULL);
	for (int i = 0; i < 300; i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			alarm(20);
			probe_name("child");
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status != 0)
			return (1);
	}
	return (0);
}

static size_t
mappings(void)
{
	char line[4096];
	FILE *f = fopen("/proc/self/maps", "r");
	size_t n = 0;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		n++;
	if (f != NULL)
		fclose(f);
	return (n);
}

static int
inert(void)
{
	size_t before = mappings();
	uint64_t id = probe_id();

	if (probe_name("a name") != 0 || PROBE_NAME("another") != 0)
		return (1);
	if (id == 0 || probe_id() == id || probe_message_id() == id)
		return (2);
	probe_thread_begin(1, 1);
	notes(10);
	if (probe_attached() || probe_po() != 0)
		return (3);
	return (mappings() == before || SANITIZED ? 0 : 4);
}

static int
until_attached(void)
{
	uint64_t made = 0;

	for (double from = now_s(); now_s() < from + 20 && !probe_attached();) {
		probe_note(1, (int64_t)made);
		made++;
	}
	return (probe_attached() && made > 0 ? 0 : 1);
}

static void
shut_in(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_shmat, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(*filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == -1)
		_exit(9);
}

static int
scenario(const char *what)
{
	if (strcmp(what, "fork amid names") == 0)
		return (fork_amid_names());
	if (strcmp(what, "inert") == 0)
		return (inert());
	if (strcmp(what, "until attached") == 0)
		return (until_attached());
	if (strcmp(what, "wait") == 0) {
		for (;; pause_ms(1))
			notes(1);
	}
	if (strcmp(what, "shut in") == 0) {
		shut_in();
		raise(SIGSTOP); /* until somebody listens */
		for (int i = 0; i < 50; i++, pause_ms(1))
			notes(1);
		return (probe_attached() ? 1 : 0);
	}
	notes(1000);
	return (0);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(off_takes_no_lock_over_a_fork),
		cmocka_unit_test(off_is_as_compiled_away),
		cmocka_unit_test(silence_is_found_out_once),
		cmocka_unit_test(a_cancelled_thread_says_so),
		cmocka_unit_test(a_signal_that_comes_late_leaves_no_lock),
		cmocka_unit_test(a_late_answer_is_taken),
		cmocka_unit_test(no_limit_is_reached),
		cmocka_unit_test(a_program_that_has_shut_itself_in_is_let_be),
	};
	struct rlimit no_core = { 0, 0 };

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		return (1);
	if (argc > 1)
		return (scenario(argv[1]));
	setrlimit(RLIMIT_CORE, &no_core);
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
