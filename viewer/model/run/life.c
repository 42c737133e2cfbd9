/*
 * When a lane lived: from its first event to its last.  A thread that only
 * sends, or that nothing has been heard of but its birth, can be seen by this
 * alone.
 */
#include "model/run/hand.h"
#include "model/run/inside.h"

static bool
thread_life(const struct model *m, uint32_t location, int64_t *t0, int64_t *t1)
{
	const struct location *l;
	int64_t first, last;

	if (location >=
	    atomic_load_explicit(&defs_of(m)->nlocations, memory_order_acquire))
		return (false);
	l = chunk_at(&defs_of(m)->locations, location);
	first = l == NULL ? INT64_MAX : SEE(l->first_ns);
	if (first == INT64_MAX)
		return (false);
	last = SEE(l->last_ns);
	*t0 = first < *t0 ? first : *t0;
	*t1 = last > *t1 ? last : *t1;
	return (true);
}

static bool
life(const struct model *m, uint32_t lane, int64_t *t0, int64_t *t1)
{
	const struct lane *l = model_lane(m, lane);
	bool any = false;
	uint32_t member;

	for (uint32_t i = 0;
	     (member = model_group_member(m, lane, i)) != UINT32_MAX; i++)
		any |= life(m, member, t0, t1);
	if (l->kind == LANE_THREAD)
		return (thread_life(m, l->location, t0, t1));
	for (lane = model_lane_first_child(m, lane); lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		any |= life(m, lane, t0, t1);
	return (any);
}

bool
model_lane_life(const struct model *m, uint32_t lane, int64_t *t0, int64_t *t1)
{
	*t0 = INT64_MAX;
	*t1 = INT64_MIN;
	return (model_lane_there(m, lane) && life(m, lane, t0, t1));
}

bool
model_lane_ended(const struct model *m, uint32_t lane, int64_t *t)
{
	if (lane >= model_lanes(m))
		return (false);
	*t = atomic_load_explicit(&lane_at(m, lane)->end_ns,
	    memory_order_relaxed);
	return (*t != INT64_MAX);
}
