/*
 * Which clock: the cycle counter if it ticks evenly through all sleep and
 * frequency states, else CLOCK_MONOTONIC_RAW at twice the price.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t
probe_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec);
}

/*
 * The instruction CPUID takes 9 us in a virtual machine, and two are needed;
 * the C library has asked already.
 */
static bool
ticks_evenly(void)
{
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
	return (CPU_FEATURE_PRESENT(INVARIANT_TSC));
#elif defined(__x86_64__)
	unsigned a, b, c, d;

	return (
	    __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0);
#else
	return (false);
#endif
}

static uint32_t
choose(void)
{
	const char *wish = getenv("ORRERY_CLOCK");

	if (wish != NULL && strcmp(wish, "raw") == 0)
		return (RING_CLOCK_RAW);
	return (ticks_evenly() ? RING_CLOCK_TSC : RING_CLOCK_RAW);
}

uint32_t
clock_kind(void)
{
	static uint32_t kind; /* with the lock held */

	if (kind == 0)
		kind = choose();
	return (kind);
}
