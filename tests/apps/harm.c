/*
 * harm drive PROGRAM WHERE [NAME...]: runs each situation as a process that is
 * PROGRAM (this one, with libprobe or without), and prints what it said and
 * how it ended.  WHERE is a folder to work in.
 * harm list: the names.   harm run NAME: one of them.
 *
 * tests/system/harm.sh compares what comes out with libprobe in all kinds of
 * trouble with what comes out of a program that was compiled with -DPROBE_OFF.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "situations/harm.h"

#define LIMIT_MS 60000 /* longer than any machine should take */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED true
#else
#define WATCHED false
#endif

char harm_self[256];

static const struct situation *const lists[] = {
	harm_starts,
	harm_forks,
	harm_signals,
	harm_threads,
	harm_limits,
};

/* The i-th of all, or NULL. */
static const struct situation *
situation_at(size_t i)
{
	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++) {
		for (const struct situation *s = lists[l]; s->name != NULL;
		     s++) {
			if (i-- == 0)
				return (s);
		}
	}
	return (NULL);
}

static const struct situation *
situation_named(const char *name)
{
	const struct situation *s;

	for (size_t i = 0; (s = situation_at(i)) != NULL; i++) {
		if (strcmp(s->name, name) == 0)
			return (s);
	}
	return (NULL);
}

/* What makes a situation impossible here, or NULL. */
static const char *
impossible(const struct situation *s)
{
	if (WATCHED && (s->flags & NOT_WATCHED) != 0)
		return ("a sanitizer is in the way");
	if (geteuid() != 0 && (s->flags & ROOT) != 0)
		return ("for root");
	return (NULL);
}

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

static void
become(const char *program, const struct situation *s, int report)
{
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(fd == 0 ? null : report, fd);
	dup2(report, REPORT_FD);
	for (int fd = 3; fd < 1024; fd++) {
		if (fd != REPORT_FD)
			close(fd);
	}
	if (s->before != NULL)
		s->before();
	execl(program, "harm", "run", s->name, (char *)NULL);
	_exit(127);
}

/* Prints what comes, until nobody can say anything more.  false: too late. */
static bool
pass_on(int fd)
{
	int64_t until_ms = now_ms() + LIMIT_MS;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char buf[4096];
	ssize_t n;

	for (;;) {
		int64_t left = until_ms - now_ms();

		if (left <= 0 || poll(&p, 1, (int)left) != 1)
			return (false);
		n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			return (true);
		fwrite(buf, 1, (size_t)n, stdout);
	}
}

static void
drive(const char *program, const struct situation *s)
{
	int fds[2], status = 0;
	pid_t pid;

	printf("== %s\n", s->name);
	if (impossible(s) != NULL) {
		printf("left out: %s\n", impossible(s));
		return;
	}
	fflush(stdout);
	if (pipe2(fds, O_CLOEXEC) == -1)
		exit(1);
	pid = fork();
	if (pid == 0)
		become(program, s, fds[1]);
	setpgid(pid, pid);
	close(fds[1]);
	if (!pass_on(fds[0])) {
		printf("HANGS\n");
		kill(-pid, SIGKILL);
	}
	close(fds[0]);
	waitpid(pid, &status, 0);
	printf("-- %s %d\n", WIFSIGNALED(status) ? "signal" : "code",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static int
drive_all(char **argv)
{
	const struct rlimit no_core = { 0, 0 };
	const struct situation *s;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(argv[1]) == -1) {
		perror(argv[1]);
		return (1);
	}
	if (argv[2] == NULL) {
		for (size_t i = 0; (s = situation_at(i)) != NULL; i++)
			drive(argv[0], s);
	}
	for (char **name = argv + 2; *name != NULL; name++) {
		s = situation_named(*name);
		if (s != NULL)
			drive(argv[0], s);
	}
	return (0);
}

static int
list(void)
{
	const struct situation *s;

	for (size_t i = 0; (s = situation_at(i)) != NULL; i++)
		puts(s->name);
	return (0);
}

int
main(int argc, char **argv)
{
	const struct situation *s = NULL;

	if (readlink("/proc/self/exe", harm_self, sizeof(harm_self) - 1) <= 0)
		return (126);
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return (list());
	if (argc >= 4 && strcmp(argv[1], "drive") == 0)
		return (drive_all(argv + 2));
	if (argc == 3 && strcmp(argv[1], "run") == 0)
		s = situation_named(argv[2]);
	if (s == NULL) {
		fprintf(stderr, "usage: harm list | drive PROGRAM WHERE "
				"[NAME...] | run NAME\n");
		return (64);
	}
	return (s->run());
}
