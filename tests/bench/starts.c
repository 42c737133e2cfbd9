/*
 * starts N PROGRAM REFERENCE: how long a program takes from fork(2) to its
 * end, beside another one that is run in turn with it, N times each.  Prints
 * the medians of both and the median of what the first took longer, in us.
 *
 * starts -a N PROGRAM: N of them at once; from the first fork to the last
 * end, in ms.
 *
 * starts -c N COMMAND REFERENCE: processor time of two command lines of the
 * shell, with all that they start, in turn, N times each: the least of both,
 * in ms.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

static pid_t
start(char *program)
{
	char *argv[] = { program, NULL };
	pid_t pid = fork();

	if (pid == -1)
		err(EX_OSERR, "fork");
	if (pid > 0)
		return (pid);
	execv(program, argv);
	_exit(127);
}

/* Waits for any child; the end if it did not end well. */
static void
reap(const char *program)
{
	int code;

	if (wait(&code) == -1)
		err(EX_OSERR, "wait");
	if (code != 0)
		errx(EX_SOFTWARE, "%s ended with %#x", program, (unsigned)code);
}

static double
once_us(char *program)
{
	double began = now_ms();

	start(program);
	reap(program);
	return ((now_ms() - began) * 1e3);
}

static double
median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), by_value);
	return (values[n / 2]);
}

static void
in_turn(int n, char *program, char *reference)
{
	double *a = need((size_t)n, sizeof(*a)),
	       *b = need((size_t)n, sizeof(*b)),
	       *more = need((size_t)n, sizeof(*more));

	for (int i = 0; i < n; i++) {
		a[i] = once_us(program);
		b[i] = once_us(reference);
		more[i] = a[i] - b[i];
	}
	printf("%.0f %.0f %.0f\n", median(a, n), median(b, n), median(more, n));
	free(a);
	free(b);
	free(more);
}

static void
at_once(int n, char *program)
{
	double began = now_ms();

	for (int i = 0; i < n; i++)
		start(program);
	for (int i = 0; i < n; i++)
		reap(program);
	printf("%.1f\n", now_ms() - began);
}

/* Of what has ended below this process. */
static double
spent_ms(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_CHILDREN, &u);
	return ((double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3);
}

static double
line_ms(char *line)
{
	char *argv[] = { "sh", "-c", line, NULL };
	double began = spent_ms();
	pid_t pid = fork();

	if (pid == -1)
		err(EX_OSERR, "fork");
	if (pid == 0) {
		execv("/bin/sh", argv);
		_exit(127);
	}
	reap(line);
	return (spent_ms() - began);
}

static void
lines(int n, char *line, char *reference)
{
	double least[2] = { 0 }, ms;

	for (int i = 0; i < 2 * n; i++) {
		ms = line_ms(i % 2 == 0 ? line : reference);
		if (i < 2 || ms < least[i % 2])
			least[i % 2] = ms;
	}
	printf("%.1f %.1f\n", least[0], least[1]);
}

int
main(int argc, char **argv)
{
	bool all = argc == 4 && strcmp(argv[1], "-a") == 0;
	bool cpu = argc == 5 && strcmp(argv[1], "-c") == 0;
	int n = argc >= 4 ? atoi(argv[all || cpu ? 2 : 1]) : 0;

	if (n < 1 || n > 100000 || (argc == 5 && !cpu)) {
		fprintf(stderr,
		    "usage: starts N PROGRAM REFERENCE | -a N PROGRAM | "
		    "-c N COMMAND REFERENCE\n");
		return (EX_USAGE);
	}
	if (cpu)
		lines(n, argv[3], argv[4]);
	else if (all)
		at_once(n, argv[3]);
	else
		in_turn(n, argv[2], argv[3]);
	return (0);
}
