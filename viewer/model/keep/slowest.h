/*
 * The slowest calls of one function, as they end: the shortest of them is on
 * top of a heap and goes when a longer one comes, so that one call more mostly
 * costs a comparison.  One writer, any readers.
 */
#ifndef VIEWER_SLOWEST_H
#define VIEWER_SLOWEST_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SLOWEST 16

struct slow_call {
	int64_t t0_mon_ns, ns;
	uint32_t lane;   /* of the thread */
	uint32_t number; /* of a task, and one; 0 */
	uint32_t depth;
	uint32_t nth; /* its begin is so many of the changes of its row then */
};

struct slowest {
	_Atomic uint32_t turn; /* odd while it is changed */
	uint32_t n;
	struct slow_call call[SLOWEST]; /* call[0] goes first */
};

/*
 * Is x to be left out rather than y?  The shorter one is, of equal ones the
 * later.
 */
int slow_less(const struct slow_call *x, const struct slow_call *y);

/* Writer.  NULL at first; bytes grows by what is taken.  -1: ENOMEM. */
int slowest_put(_Atomic(struct slowest *) *, const struct slow_call *,
    _Atomic uint64_t *bytes);
void slowest_clear(_Atomic(struct slowest *) *); /* frees */

static inline int
slowest_add(_Atomic(struct slowest *) *at, const struct slow_call *c,
    _Atomic uint64_t *bytes)
{
	const struct slowest *s =
	    atomic_load_explicit(at, memory_order_relaxed);

	if (s != NULL && s->n == SLOWEST && c->ns < s->call[0].ns)
		return (0);
	return (slowest_put(at, c, bytes));
}

/* Any thread: into out, in no order; how many. */
size_t slowest_get(_Atomic(struct slowest *) *, struct slow_call out[SLOWEST]);

#endif
