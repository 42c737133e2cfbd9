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

static uint64_t
below(const struct model *m, uint32_t lane, const struct lod_piece *x)
{
	const struct lod_state *st;
	struct lod_piece span;

	if (!lane_under(m, lane, x, &span))
		return (0);
	st = &lanes_of(m)->states[span.state];
	return (st->class == LANE_idle || st->kind == SPAN_none
		    ? 0
		    : (uint64_t)(span.state + 1) << 32 | span.id);
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
			 ? below(m, i, &x)
			 : 0;
		if (is != was)
			atomic_store_explicit(&lane->below, is,
			    memory_order_release);
	}
}
