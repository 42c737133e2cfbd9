/*
 * A program that has counters of its own, computes, grows, writes and sleeps,
 * and says what the kernel thinks that it did: tests/system/counters.sh.
 */
#include <sys/resource.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

#define PIECE (1 << 20)

static double
cpu_s(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

/* Has no processor meanwhile. */
static void
nap(void)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };

	PROBE_SCOPE();
	nanosleep(&pause, NULL);
}

/*
 * Computes for 5 ms of CPU time, 30 times, and holds a MB more each time; naps
 * now and then.
 */
static void *
work(void *arg)
{
	static char *held[30];
	double until;

	PROBE_SCOPE();
	(void)arg;
	for (int i = 0; i < 30; i++) {
		held[i] = malloc(PIECE);
		if (held[i] != NULL)
			memset(held[i], 1, PIECE);
		until = cpu_s(CLOCK_THREAD_CPUTIME_ID) + 0.005;
		while (cpu_s(CLOCK_THREAD_CPUTIME_ID) < until)
			continue;
		if (i % 10 == 0)
			nap();
		probe_counter(PROBE_NAME("queue"), i % 7 - 3);
		probe_counter_real(PROBE_NAME("ratio"), i / 8.0);
	}
	return (NULL);
}

int
main(void)
{
	static const struct timespec pause = { .tv_nsec = 300000000 };
	struct rusage ru;
	pthread_t t;
	ssize_t n = 0;
	char line[100];

	probe_note(PROBE_NAME("begins"), 0);
	memset(line, 'x', sizeof(line));
	if (pthread_create(&t, NULL, work, NULL) != 0)
		return (1);
	for (int i = 0; i < 30; i++)
		n += write(STDERR_FILENO, line, sizeof(line));
	pthread_join(t, NULL);
	nanosleep(&pause, NULL);
	getrusage(RUSAGE_SELF, &ru);
	printf("%.0f %ld %zd\n", cpu_s(CLOCK_PROCESS_CPUTIME_ID) * 1e9,
	    ru.ru_minflt, n);
	return (0);
}
