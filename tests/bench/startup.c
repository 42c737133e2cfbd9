/*
 * startup TIMES COMMAND...: how long it takes from the start of a program to
 * the first line that it writes to descriptor 3, which the viewer does when
 * its first frame is on the screen.  It is ended then.  Prints median and
 * largest in ms.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

/* Starts it with fd as its descriptor 3. */
static pid_t
start(char **command, int fd)
{
	pid_t pid = fork();

	if (pid != 0)
		return (pid);
	if (fd != 3) /* else it is where it belongs */
		dup2(fd, 3);
	execv(command[0], command);
	_exit(127);
}

/* One start; -1: there was no line. */
static double
once(char **command)
{
	double from = now_ms(), ms = -1;
	int fd[2], status;
	pid_t pid;
	char c;

	if (pipe(fd) == -1)
		return (-1);
	pid = start(command, fd[1]);
	close(fd[1]);
	if (pid != -1 && read(fd[0], &c, 1) == 1)
		ms = now_ms() - from;
	close(fd[0]);
	if (pid != -1) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	return (ms);
}

int
main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	double *ms = calloc((size_t)(n > 0 ? n : 1), sizeof(*ms));

	if (n <= 0 || ms == NULL) {
		fprintf(stderr, "usage: startup TIMES COMMAND...\n");
		return (64);
	}
	for (int i = 0; i < n; i++)
		if ((ms[i] = once(argv + 2)) < 0)
			return (1);
	qsort(ms, (size_t)n, sizeof(*ms), by_value);
	printf("%.2f %.2f\n", ms[n / 2], ms[n - 1]);
	free(ms);
	return (0);
}
