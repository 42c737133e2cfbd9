/*
 * Ten functions that take each a third more time than the next one, over and
 * over in turn, and one that calls them.  A compiler switch tells of each call,
 * so that the exact profile is in the same log as a sampled one.
 *
 *	sampled [MILLISECONDS]	of processor time, at least; 400
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "probe.h"

#define UNQUIET __attribute__((no_instrument_function))

static volatile uint64_t kept;

/* In a function of its own it would be that one's time. */
#define WORKS(name, amount)                                                    \
	__attribute__((noinline)) static void name(void)                       \
	{                                                                      \
		uint64_t x = kept;                                             \
                                                                               \
		for (int i = 0; i < (amount)*8000; i++)                        \
			x = x * 6364136223846793005u + 1442695040888963407u;   \
		kept = x;                                                      \
	}

WORKS(work_a, 106)
WORKS(work_b, 82)
WORKS(work_c, 63)
WORKS(work_d, 48)
WORKS(work_e, 37)
WORKS(work_f, 29)
WORKS(work_g, 22)
WORKS(work_h, 17)
WORKS(work_i, 13)
WORKS(work_j, 10)

__attribute__((noinline)) static void
round_of_work(void)
{
	work_a();
	work_j();
	work_b();
	work_i();
	work_c();
	work_h();
	work_d();
	work_g();
	work_e();
	work_f();
}

UNQUIET static int64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

UNQUIET int
main(int argc, char **argv)
{
	int64_t ns = 1000000 * (argc > 1 ? strtol(argv[1], NULL, 10) : 400);

	while (cpu_ns() < ns)
		round_of_work();
	return (0);
}
