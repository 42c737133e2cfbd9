/* The same loop as probe.c's, through LTTng-UST.  Prints ns per event. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_tp.h"

#include <stdio.h>
#include <time.h>

enum {
	BURST = 4000,
	BURSTS = 400
};

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

int
main(void)
{
	double best = 1e9, sum = 0;

	for (int i = 0; i < BURSTS; i++) {
		double t = now_ns();

		for (uint64_t k = 0; k < BURST; k++)
			lttng_ust_tracepoint(orrery_bench, send, k, 8, 0);
		t = (now_ns() - t) / BURST;
		if (t < best)
			best = t;
		sum += t;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	printf("%.2f %.2f\n", sum / BURSTS, best);
	return (0);
}
