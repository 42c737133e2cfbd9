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

/* Of those that are alike at one instant the first stands for all. */
static bool
is_same(const struct lod_piece *a, const struct lod_piece *b)
{
	return (a->t0_ns == b->t0_ns && a->t1_ns == b->t1_ns &&
		a->state == b->state);
}

/* What was before is given up; what lay below, if anything did, is put down. */
static bool
under_first(const struct model *m, uint32_t lane, struct lod_piece *under)
{
	uint64_t below = atomic_load_explicit(&lane_at(m, lane)->below,
	    memory_order_acquire);

	if (below == 0)
		return (false);
	under->state = (uint16_t)((below >> 32) - 1);
	under->id = (uint32_t)below;
	return (true);
}

bool
lane_under(const struct model *m, uint32_t lane, const struct lod_piece *x,
    struct lod_piece *under)
{
	const struct lod *l = atomic_load(&lane_at(m, lane)->lod);
	const struct lod_state *states = lanes_of(m)->states;
	int64_t at = x->t0_ns;
	bool found = false;
	struct lod_cursor c;
	struct lod_piece p;
	int sought;

	*under = *x;
	do { /* back to one that lies over nothing */
		sought = lod_seek(l, at - 1, &c);
		if (sought == 0 || !lod_next(l, &c, &p))
			return (false);
		if (sought == -1 || p.t0_ns >= at) { /* it is the first */
			found = under_first(m, lane, under);
			break;
		}
		at = p.t0_ns;
	} while (state_is_over(&states[p.state]));
	do { /* and on again, also by what takes no time */
		if (p.t0_ns > x->t0_ns || p.t1_ns > x->t0_ns || is_same(&p, x))
			break;
		if (!state_is_over(&states[p.state])) {
			*under = p;
			found = true;
		}
	} while (lod_next(l, &c, &p));
	return (found);
}
