/*
 * Chance for tests: the same each time.  Marsaglia's xorshift ("Xorshift
 * RNGs", 2003), and Vigna's multiplication of it ("An experimental exploration
 * of Marsaglia's xorshift generators, scrambled", 2016), whose upper bits are
 * good.  tests/sim/model.h has distributions, and more than one state.
 */
#ifndef TESTS_RND_H
#define TESTS_RND_H

#include <stdint.h>

/* x may not be 0, and never will be. */
static inline uint64_t
xorshift(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (*x);
}

static uint64_t rnd_state = 1;

static inline uint64_t
rnd(void)
{
	return (xorshift(&rnd_state) * 0x2545f4914f6cdd1du);
}

/* Of a random length, so that small ones occur as often as large ones. */
static inline uint64_t
rnd_any(void)
{
	return (rnd() >> (rnd() % 64));
}

#endif
