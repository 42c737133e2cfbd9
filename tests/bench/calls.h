/*
 * Threads that enter and leave functions, for benches: the deeper, the sooner
 * they leave, and a few functions more often than the others.
 */
#ifndef TESTS_BENCH_CALLS_H
#define TESTS_BENCH_CALLS_H

#include <stdbool.h>

#include "batch.h"
#include "event.h"

#define CALLS_FUNCTIONS 40
#define CALLS_DEPTH     24

struct calls {
	unsigned depth, function[CALLS_DEPTH];
};

/* Which it enters, of u by chance from 0 to below 1: small ones more often. */
static inline unsigned
calls_pick(double u)
{
	return ((unsigned)(u * u * CALLS_FUNCTIONS));
}

/* The event of a call of f, or of the return from the last one. */
static inline void
calls_make(struct calls *c, bool in, unsigned f, uint32_t name0,
    struct node_event *e)
{
	if (in)
		c->function[c->depth++] = f;
	else
		f = c->function[--c->depth];
	e->kind = in ? EV_enter : EV_leave;
	e->a = 0x5581e3a0c000 + f * 0x1b0u;
	e->c = name0 + f;
}

#endif
