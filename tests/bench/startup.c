/*
 * startup [-c FILE] [-l LINE] TIMES COMMAND...: how long it takes from the
 * start of a program to the first line that it writes to descriptor 3, which
 * the viewer does when its first frame is on the screen, or with -l to one
 * that has LINE in it.  It is ended then.  With -c the kernel forgets first
 * what it has of a file.  Prints median and largest in ms.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

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

static void
forget_file(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd == -1 || fdatasync(fd) == -1 ||
	    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
		perror(path);
	close(fd);
}

/* NULL: any. */
static bool
line_comes(int fd, const char *line)
{
	char buf[4096];
	FILE *f;
	bool comes = false;

	if (line == NULL)
		return (read(fd, buf, 1) == 1);
	f = fdopen(dup(fd), "r");
	while (f != NULL && !comes && fgets(buf, sizeof(buf), f) != NULL)
		comes = strstr(buf, line) != NULL;
	if (f != NULL)
		fclose(f);
	return (comes);
}

/* One start; -1: there was no such line. */
static double
once(char **command, const char *cold, const char *line)
{
	double from, ms = -1;
	int fd[2], status;
	pid_t pid;

	if (cold != NULL)
		forget_file(cold);
	from = now_ms();
	if (pipe(fd) == -1)
		return (-1);
	pid = start(command, fd[1]);
	close(fd[1]);
	if (pid != -1 && line_comes(fd[0], line))
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
	const char *cold = NULL, *line = NULL;
	double *ms;
	int c, n;

	while ((c = getopt(argc, argv, "+c:l:")) != -1) {
		if (c == 'c')
			cold = optarg;
		else if (c == 'l')
			line = optarg;
		else
			optind = argc;
	}
	n = argc - optind > 1 ? atoi(argv[optind]) : 0;
	ms = calloc((size_t)(n > 0 ? n : 1), sizeof(*ms));
	if (n <= 0 || ms == NULL) {
		fprintf(stderr, "usage: startup [-c file] [-l line] times "
				"command...\n");
		return (64);
	}
	for (int i = 0; i < n; i++)
		if ((ms[i] = once(argv + optind + 1, cold, line)) < 0)
			return (1);
	qsort(ms, (size_t)n, sizeof(*ms), by_value);
	printf("%.2f %.2f\n", ms[n / 2], ms[n - 1]);
	free(ms);
	return (0);
}
