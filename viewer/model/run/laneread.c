/* Lanes for readers: how many, which is below which, until when one holds. */
#include "model/run/hand.h"
#include "model/run/inside.h"

uint32_t
model_lanes(const struct model *m)
{
	return (
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_acquire));
}

const struct lane *
model_lane(const struct model *m, uint32_t id)
{
	static const struct lane gone = { .parent = UINT32_MAX,
		.kind = LANE_GROUP };
	const struct hand_group *g;

	if (id < HAND_LANE)
		return (&lane_at(m, id)->pub);
	g = hand_group(model_hand(m), id);
	return (g != NULL ? &g->pub : &gone);
}

uint32_t
model_location_lane(const struct model *m, uint32_t location)
{
	const _Atomic uint32_t *l;

	if (location >=
	    atomic_load_explicit(&defs_of(m)->nlocations, memory_order_acquire))
		return (UINT32_MAX);
	l = chunk_at(&defs_of(m)->location_lane, location);
	return (l == NULL ? UINT32_MAX
			  : atomic_load_explicit(l, memory_order_acquire) - 1);
}

uint32_t
model_lane_first_child(const struct model *m, uint32_t lane)
{
	if (lane >= HAND_LANE) /* see model_group_member() */
		return (UINT32_MAX);
	return (atomic_load_explicit(&lane_at(m, lane)->first_child,
	    memory_order_acquire));
}

uint32_t
model_lane_next_sibling(const struct model *m, uint32_t lane)
{
	return (atomic_load_explicit(&lane_at(m, lane)->next_sibling,
	    memory_order_acquire));
}

uint32_t
model_lane_maker(const struct model *m, uint32_t lane)
{
	return (atomic_load_explicit(&lane_at(m, lane)->maker,
		    memory_order_relaxed) -
		1);
}

uint32_t
model_lane_only_thread(const struct model *m, uint32_t lane)
{
	uint32_t found = UINT32_MAX, below;

	if (lane >= HAND_LANE)
		return (UINT32_MAX);
	if (lane_at(m, lane)->pub.kind == LANE_THREAD)
		return (lane);
	if (lane_at(m, lane)->pub.kind > LANE_THREAD)
		return (UINT32_MAX);
	for (uint32_t c = model_lane_first_child(m, lane); c != UINT32_MAX;
	     c = model_lane_next_sibling(m, c)) {
		if (model_lane_first_child(m, c) == UINT32_MAX &&
		    lane_at(m, c)->pub.kind != LANE_THREAD)
			continue;
		below = model_lane_only_thread(m, c);
		if (below == UINT32_MAX || found != UINT32_MAX)
			return (UINT32_MAX);
		found = below;
	}
	return (found);
}

int64_t
lane_until(const struct model *m, uint32_t lane)
{
	int64_t end = atomic_load_explicit(&lane_at(m, lane)->end_ns,
	    memory_order_relaxed);
	int64_t now = model_last_ns(m);

	return (end < now ? end : now);
}

uint64_t
span_id(const struct model *m, uint8_t span, uint32_t number)
{
	if (number == 0 || span != SPAN_task)
		return (number);
	return (model_task(whole_of(m), number - 1)->id);
}
