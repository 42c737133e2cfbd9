/* Processes that make processes. */
#include "harm.h"

#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static bool enough;

static void *
name_for_ever(void *arg)
{
	char text[32];

	for (int i = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); i++) {
		snprintf(text, sizeof(text), "n%d", i % 300);
		(void)probe_name(text);
		probe_note(1, i);
	}
	return (arg);
}

/* n children, each made by how; false if one has not ended as it should. */
static bool
children(int n, pid_t (*how)(void))
{
	for (int i = 0; i < n; i++) {
		int status = -1;
		pid_t pid = how();

		if (pid == 0) {
			alarm(50);
			work(2);
			_exit(i % 100);
		}
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != i % 100) {
			say("child %d: status %x", i, (unsigned)status);
			return (false);
		}
	}
	return (true);
}

static pid_t
raw_clone(void)
{
	return ((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static int
one_after_another(void)
{
	work(2);
	children(50, fork);
	say_facts();
	return (0);
}

static int
all_at_once(void)
{
	int codes = 0, status;

	work(2);
	for (int i = 0; i < 60; i++) {
		if (fork() == 0) {
			work(2);
			_exit(1);
		}
	}
	while (wait(&status) > 0)
		codes += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
	say("codes %d", codes);
	say_facts();
	return (0);
}

static int
amid_names(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, name_for_ever, NULL);
	children(60, fork);
	children(60, raw_clone);
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	say_facts();
	return (0);
}

static void *
forks_too(void *arg)
{
	return (children(10, fork) ? arg : NULL);
}

static int
by_threads(void)
{
	pthread_t t[6];
	void *out;
	int good = 0;

	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, forks_too, &good);
	for (int i = 0; i < 6; i++) {
		pthread_join(t[i], &out);
		good += out != NULL;
	}
	say("%d of 6", good);
	say_facts();
	return (0);
}

static void
fork_in_handler(int sig)
{
	pid_t pid = fork();

	(void)sig;
	if (pid == 0) {
		work(2);
		_exit(3);
	}
	say_end(pid);
}

static int
in_handler(void)
{
	pthread_t t;

	pthread_create(&t, NULL, name_for_ever, NULL);
	signal(SIGUSR1, fork_in_handler);
	for (int i = 0; i < 10; i++) {
		work(5);
		raise(SIGUSR1);
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	say_facts();
	return (0);
}

static int
with_vfork(void)
{
	work(3);
	for (int i = 0; i < 10; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
			_exit(1);
		}
		say_end(pid);
		work(1);
		pid = vfork();
		if (pid == 0) {
			probe_note(1, 1);
			_exit(5);
		}
		say_end(pid);
	}
	say_facts();
	return (0);
}

static int
with_spawn(void)
{
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" },
		(char[]){ "ls /proc/self/fd | wc -l; exit 4" }, NULL };
	pid_t pid;

	work(3);
	for (int i = 0; i < 5; i++) {
		if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) ==
		    0)
			say_end(pid);
		work(1);
	}
	say("system %d", system("exit 3"));
	say_facts();
	return (0);
}

static int
shares_memory(void *arg)
{
	for (int i = 0; i < 100; i++)
		probe_note(1, i);
	return (arg == NULL);
}

static int
with_shared_memory(void)
{
	static _Alignas(16) char stack[65536];

	work(3);
	for (int i = 0; i < 5; i++) {
		say_end(clone(shares_memory, stack + sizeof(stack),
		    CLONE_VM | SIGCHLD, NULL));
		work(1);
	}
	say_facts();
	return (0);
}

/* A daemon closes all that it finds, and goes on as another process. */
static int
daemon_of_old(void)
{
	work(3);
	if (fork() != 0)
		_exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
	for (int fd = 0; fd < 256; fd++) {
		if (fd != REPORT_FD)
			close(fd);
	}
	open("/dev/null", O_RDWR);
	work(20);
	work_in_thread();
	say("stdout would be %d", dup(0));
	say_facts();
	_exit(0);
}

static void
before_fork(void)
{
	work(1);
	say("before");
}

static void
in_parent(void)
{
	work(1);
	say("in the parent");
}

static void
in_child(void)
{
	work(1);
}

static int
handlers_of_fork(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
	work(2);
	children(5, fork);
	say_facts();
	return (0);
}

static int
generations(void)
{
	int depth = 0, status = 0;
	pid_t pid;

	work(1);
	while (depth < 8 && (pid = fork()) == 0) {
		depth++;
		work(2);
	}
	if (depth < 8 && waitpid(pid, &status, 0) == pid)
		depth = WEXITSTATUS(status);
	if (getpid() == getpgid(0))
		return (depth);
	_exit(depth);
}

/* Exactly one SIGCHLD for each child, and none of ours. */
static int
signals_of_children(void)
{
	sigset_t set;
	int n = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 10; i++) {
		const struct timespec none = { 0, 0 };

		work(2);
		if (sigtimedwait(&set, NULL, &none) != -1)
			say("a signal that nobody has sent");
		work_in_child();
		n += sigtimedwait(&set, NULL, &none) == SIGCHLD;
	}
	say("%d signals", n);
	say_facts();
	return (0);
}

const struct situation harm_forks[] = {
	{ "children one after another", one_after_another, NULL, 0 },
	{ "children all at once", all_at_once, NULL, 0 },
	{ "forks while others make names", amid_names, NULL, NOT_WATCHED },
	{ "threads that fork", by_threads, NULL, NOT_WATCHED },
	{ "forks in a handler", in_handler, NULL, NOT_WATCHED },
	{ "vfork", with_vfork, NULL, NOT_WATCHED },
	{ "posix_spawn and system", with_spawn, NULL, 0 },
	{ "clone with shared memory", with_shared_memory, NULL, NOT_WATCHED },
	{ "a daemon that closes everything", daemon_of_old, NULL, NOT_WATCHED },
	{ "handlers of forks", handlers_of_fork, NULL, 0 },
	{ "eight generations", generations, NULL, 0 },
	{ "signals of children", signals_of_children, NULL, 0 },
	{ NULL, NULL, NULL, 0 },
};
