/*
 * Keeper and worker are the same program; which one it is stands in an
 * option that is added to the command line.
 */
#include "spawn.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static char **self_argv;
static int self_argc;

void
spawn_init(int argc, char **argv)
{
	self_argc = argc;
	self_argv = argv;
}

static bool
is_internal(const char *arg)
{
	return (strncmp(arg, "--internal", 10) == 0);
}

/* In the child: only what is safe after fork. */
static void
spawn_child(char **argv, const int *fds, int nfds)
{
	sigset_t none;

	for (int i = 0; i < nfds; i++)
		fcntl(fds[i], F_SETFD, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv("/proc/self/exe", argv);
	_exit(EX_OSERR);
}

pid_t
spawn_self(const char *role, const int *fds, int nfds)
{
	char option[128], **argv;
	int n = 0, at, saved;
	pid_t pid;

	argv = calloc((size_t)self_argc + 2, sizeof(*argv));
	if (argv == NULL)
		return (-1);
	for (int i = 0; i < self_argc; i++) {
		if (!is_internal(self_argv[i]))
			argv[n++] = self_argv[i];
	}
	at = snprintf(option, sizeof(option), "--internal=%s", role);
	for (int i = 0; i < nfds; i++)
		at += snprintf(option + at, sizeof(option) - (size_t)at, ":%d",
		    fds[i]);
	argv[n] = option;
	pid = fork();
	if (pid == 0)
		spawn_child(argv, fds, nfds);
	saved = errno;
	free(argv);
	errno = saved;
	return (pid);
}

bool
spawn_fds(const char *text, const char *role, int *fds, int nfds)
{
	size_t n = strlen(role);
	char *end;

	if (text == NULL || strncmp(text, role, n) != 0)
		return (false);
	text += n;
	for (int i = 0; i < nfds; i++) {
		if (*text++ != ':')
			return (false);
		fds[i] = (int)strtol(text, &end, 10);
		if (end == text || fcntl(fds[i], F_SETFD, FD_CLOEXEC) == -1)
			return (false);
		text = end;
	}
	return (*text == '\0');
}
