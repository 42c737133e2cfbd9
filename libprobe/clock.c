/*
 * Which clock: the cycle counter if it ticks evenly through all sleep and
 * frequency states, else CLOCK_MONOTONIC_RAW at twice the price.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t
probe_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec);
}

static uint32_t
choose(void)
{
	const char *wish = getenv("ORRERY_CLOCK");

	if (wish != NULL && strcmp(wish, "raw") == 0)
		return (RING_CLOCK_RAW);
#if defined(__x86_64__)
	unsigned a, b, c, d;

	if (__get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0)
		return (RING_CLOCK_TSC);
#endif
	return (RING_CLOCK_RAW);
}

uint32_t
clock_kind(void)
{
	static uint32_t kind; /* with the lock held */

	if (kind == 0)
		kind = choose();
	return (kind);
}
