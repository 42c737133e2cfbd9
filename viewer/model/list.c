/*
 * The list of spans of any lane.
 *
 * What a lane did as a list, read from anywhere: see lodlist.c.
 */
#include "model/inside.h"
#include "model/run/hand.h"

static const struct lod *
lod_of(const struct model *m, uint32_t lane)
{
	const struct lod *l =
	    lane >= HAND_LANE ? NULL : atomic_load(&lane_at(m, lane)->lod);

	if (l != NULL)
		return (l);
	lane = model_lane_only_thread(m, lane);
	return (
	    lane == UINT32_MAX ? NULL : atomic_load(&lane_at(m, lane)->lod));
}

bool
model_lane_listed(const struct model *m, uint32_t lane, uint64_t *n)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	const struct lod *l;
	unsigned door = retired_enter(r);

	l = lod_of(m, lane);
	*n = l == NULL ? 0 : lod_begun(l, lanes_of(m)->states);
	retired_leave(r, door);
	return (l != NULL);
}

size_t
model_lane_list(const struct model *m, uint32_t lane, uint64_t from,
    struct span *out, size_t max)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	unsigned door = retired_enter(r);
	const struct lod *l = lod_of(m, lane);
	const struct lod_state *st;
	struct lod_cursor c;
	struct lod_piece p;
	int64_t was = INT64_MIN;
	uint32_t nth = 0;
	size_t n = 0;
	int found =
	    l == NULL ? 0 : lod_seek_begun(l, lanes_of(m)->states, from, &c);

	while (found > 0 && n < max && lod_next(l, &c, &p)) {
		nth = was == INT64_MIN ? lod_nth(l, &c, &p)
		      : p.t0_ns == was ? nth + (nth > 0)
				       : 1;
		was = p.t0_ns;
		st = &lanes_of(m)->states[p.state];
		if (st->fresh == 0)
			continue;
		out[n++] = (struct span){ p.t0_ns, p.t1_ns, st->name, st->class,
			st->kind, lane_at(m, lane)->pub.depth,
			span_id(m, st->kind, p.id), nth };
	}
	retired_leave(r, door);
	return (found < 0 ? max + 1 : n);
}
