/*
 * Pairs of clock readings.
 *
 * The counter is read before and after the node's clock; of three tries the
 * narrowest is taken, so an interrupt spoils a pair only when it hits all.
 *
 * What a program stamps must never seem earlier than what it has read from the
 * clock itself just before.  So a pair has the earlier reading of the counter,
 * and a clock that is ahead by as much as the line through the pairs may miss
 * them.
 */
#include "cycles.h"

#include <time.h>

#define TRIES 3

static uint64_t
raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec);
}

static uint64_t
counter(void)
{
#ifdef __x86_64__
	return (__builtin_ia32_rdtsc());
#else
	return (raw_ns());
#endif
}

static struct clock_pair
pair_read(struct env *env, uint64_t (*read)(void))
{
	struct clock_pair best = { .width_cycles = UINT32_MAX };
	uint64_t before, after;
	int64_t t_node_ns;

	for (int i = 0; i < TRIES; i++) {
		before = read();
		t_node_ns = env->ops->now_ns(env);
		after = read();
		if (i > 0 && after - before >= best.width_cycles)
			continue;
		best.t_cycles = before;
		best.t_node_ns = t_node_ns + NODECLOCK_NEAR_NS;
		best.width_cycles = after - before > UINT32_MAX
					? UINT32_MAX
					: (uint32_t)(after - before);
	}
	return (best);
}

void
cycles_pairs(struct env *env, struct clock_pair pairs[DRAIN_CLOCKS])
{
	pairs[0] = pair_read(env, counter);
	pairs[RING_CLOCK_TSC] = pairs[0];
	pairs[RING_CLOCK_RAW] = pair_read(env, raw_ns);
}
