/*
 * An empty function, called often: built with and without -pg, run under
 * uftrace, the difference is what an entry with its exit costs.  Prints ns
 * per call.
 */
#include <stdio.h>
#include <time.h>

enum {
	CALLS = 2000000
};

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

void empty(int);

__attribute__((noinline, noclone)) void
empty(int i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

int
main(void)
{
	double best = 1e9;

	for (int run = 0; run < 5; run++) {
		double t = now_ns();

		for (int i = 0; i < CALLS; i++)
			empty(i);
		t = (now_ns() - t) / CALLS;
		if (t < best)
			best = t;
	}
	printf("%.2f\n", best);
	return (0);
}
