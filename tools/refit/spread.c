/*
 * Numbers are counted by their power of two and the 32nd part of it that they
 * are in; below 32 each has a place of its own.
 */
#include "spread.h"

#define BITS 5

static unsigned
place(uint64_t v)
{
	unsigned power;

	if (v < SPREAD_STEPS)
		return ((unsigned)v);
	power = 63 - (unsigned)__builtin_clzll(v);
	return ((power - BITS + 1) * SPREAD_STEPS +
		(unsigned)(v >> (power - BITS) & (SPREAD_STEPS - 1)));
}

/* The least number of a place. */
static double
value(unsigned at)
{
	unsigned power = at / SPREAD_STEPS;

	if (power == 0)
		return (at);
	return ((double)(SPREAD_STEPS + at % SPREAD_STEPS) *
		(double)((uint64_t)1 << (power - 1)));
}

void
spread_add(struct spread *s, uint64_t v)
{
	s->n++;
	s->sum += (double)v;
	s->count[place(v)]++;
	if (v > s->most)
		s->most = v;
}

double
spread_mean(const struct spread *s)
{
	return (s->n == 0 ? 0 : s->sum / (double)s->n);
}

double
spread_quantile(const struct spread *s, double share)
{
	uint64_t want = (uint64_t)(share * (double)s->n), seen = 0;

	for (unsigned i = 0; i < 64 * SPREAD_STEPS; i++) {
		seen += s->count[i];
		if (seen > want)
			return (value(i));
	}
	return ((double)s->most);
}
