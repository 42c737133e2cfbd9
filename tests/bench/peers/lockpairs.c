/*
 * A mutex that nobody else wants, locked and given up 20,000 times a turn:
 * what the best turn took a pair, in ns.  With an argument a second thread is
 * there, so that the C library locks the bus.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
	PAIRS = 20000,
	TURNS = 400
};

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

static void *
idle(void *unused)
{
	pause();
	return (unused);
}

int
main(int argc, char **argv)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	double best = 1e9;
	pthread_t other;

	(void)argv;
	if (argc > 1 && pthread_create(&other, NULL, idle, NULL) != 0)
		return (1);
	for (int turn = 0; turn < TURNS; turn++) {
		double t = now_ns();

		for (int i = 0; i < PAIRS; i++) {
			pthread_mutex_lock(&m);
			pthread_mutex_unlock(&m);
		}
		t = (now_ns() - t) / PAIRS;
		if (t < best)
			best = t;
	}
	printf("%.2f\n", best);
	return (0);
}
