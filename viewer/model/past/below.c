/*
 * What a wait lies over, once the leaf that told is given up.
 *
 * The span in which a wait happens is in the lane before it.  When leaves are
 * given up, that may go and the wait stay: a thread may wait for hours.  So
 * what lies below is put down for each lane whose first piece would lie over
 * something that is not there any more.
 */
#include "model/past/part.h"
#include "model/run/take.h"

/* What x, which lies over something, lies over; was: what its first one did. */
static uint64_t
below(const struct model *m, const struct lod *l, const struct lod_piece *x,
    uint64_t was)
{
	const struct lod_state *states = lanes_of(m)->states;
	struct lod_piece p, span;
	struct lod_cursor c;
	int64_t at = x->t0_ns;

	do { /* back to one that lies over nothing */
		if (lod_seek(l, at - 1, &c) != 1 || lod_next(l, &c, &p) == 0 ||
		    p.t0_ns >= at)
			return (was);
		at = p.t0_ns;
	} while (state_is_over(&states[p.state]));
	span = p;
	while (lod_next(l, &c, &p) != 0 && p.t0_ns <= x->t0_ns &&
	       p.t1_ns <= x->t0_ns) /* and on, by what takes no time */
		if (!state_is_over(&states[p.state]))
			span = p;
	if (states[span.state].class == LANE_idle ||
	    states[span.state].kind == SPAN_none)
		return (0);
	return ((uint64_t)(span.state + 1) << 32 | span.id);
}

void
below_keep(struct model *m, int64_t t)
{
	uint32_t n =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);
	struct lane_data *lane;
	struct lod_piece x;
	struct lod *l;
	uint64_t was, is;

	for (uint32_t i = 0; i < n; i++) {
		lane = lane_at(m, i);
		l = atomic_load_explicit(&lane->lod, memory_order_relaxed);
		if (l == NULL || lod_empty(l))
			continue;
		was = atomic_load_explicit(&lane->below, memory_order_relaxed);
		is = lod_piece_at(l, t, &x) != 0 &&
			     state_is_over(&lanes_of(m)->states[x.state])
			 ? below(m, l, &x, was)
			 : 0;
		if (is != was)
			atomic_store_explicit(&lane->below, is,
			    memory_order_release);
	}
}
