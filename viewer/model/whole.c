/* A span as a whole, of the rows of its thread (asked/spanrow.h). */
#include "model/asked/spanrow.h"
#include "model/inside.h"
#include "model/run/instant.h"

#define PIECES_MOST (1u << 16) /* that are looked at for one span */

/* What the thread did meanwhile. */
static void
interrupted(const struct model *m, uint32_t thread, const struct span *s,
    struct whole *w)
{
	int64_t until = lane_until(m, thread);
	struct lod_sum sum;

	lod_totals_sum(span_row_lod(m, thread), lanes_of(m)->states,
	    s->t0_mon_ns, s->t1_mon_ns < until ? s->t1_mon_ns : until, until,
	    &sum);
	w->within = sum.begun > 0 ? sum.begun - 1 : 0;
	w->waits_ns = 0;
	for (unsigned p = 0; p < LOD_PLACES && !w->more; p++)
		if (p == LANE_idle || lane_waits(p))
			w->waits_ns += (int64_t)sum.ns[p];
}

void
model_lane_whole(const struct model *m, uint32_t lane, struct span *s,
    struct whole *w)
{
	uint32_t thread = model_lane_only_thread(m, lane), left = PIECES_MOST;
	uint32_t seen = model_lane(m, lane)->kind == LANE_DEPTH ? lane : thread;
	struct retired *r = (struct retired *)&held_of(m)->retired;
	struct span_row row;
	unsigned door;

	*w = (struct whole){ 0 };
	if (thread == UINT32_MAX)
		return;
	door = retired_enter(r);
	if (s->kind != SPAN_none && span_row_find(m, thread, seen, s, &row)) {
		s->t1_mon_ns = span_row_end(m, thread, &row, s, &left);
		w->more = left == 0;
		interrupted(m, thread, s, w);
		if (s->kind >= SPAN_wait_message)
			w->waits_ns = 0;
	}
	retired_leave(r, door);
}

size_t
model_lane_stays(const struct model *m, uint32_t row, const struct span *s,
    struct span_stay *v, size_t max)
{
	const struct lane *l = model_lane(m, row);
	uint32_t thread = l->kind == LANE_DEPTH ? l->parent : UINT32_MAX;
	uint32_t left = PIECES_MOST;
	struct span_row r;
	struct retired *retired;
	unsigned door;
	int64_t until;
	size_t n = 0;
	bool more;

	m = detail_of_lane(m, row, s->t0_mon_ns, s->t1_mon_ns);
	retired = (struct retired *)&held_of(m)->retired;
	if (thread == UINT32_MAX)
		return (0);
	door = retired_enter(retired);
	more = span_row_find(m, thread, row, s, &r);
	if (more && !span_rows_moved(m, thread)) { /* as a rule */
		more = false;
		if (n++ < max)
			v[0] = (struct span_stay){ r.lane, s->t1_mon_ns };
	}
	for (; more; n++) {
		uint32_t lane = r.lane;

		more = span_row_leave(m, thread, &r, s, &left, &until);
		if (n < max)
			v[n] = (struct span_stay){ lane, until };
	}
	retired_leave(retired, door);
	return (n);
}

/* What the row before was in when it was made; false: that is not known. */
static bool
caller_then(const struct model *m, uint32_t row, int64_t t, uint32_t nth,
    uint32_t *name)
{
	const struct lane *of = &lane_at(m, row)->pub;
	struct instant x = { .number = 0 };
	const struct lod_state *st;
	struct lod_piece p;
	bool known = nth != 0 && instant_thread(&x, m, of->parent) == 0 &&
		     instant_outer(&x, t, of->depth, nth - 1, &p);

	if (known) {
		st = &lanes_of(m)->states[p.state];
		*name = st->kind == SPAN_none ? 0 : st->name;
	}
	instant_clear(&x);
	return (known);
}

uint32_t
model_caller(const struct model *m, uint32_t row, int64_t t0, int64_t t1,
    uint32_t nth)
{
	uint32_t before = UINT32_MAX, lane, name = 0;
	struct retired *r;
	unsigned door;

	m = detail_of_lane(m, row, t0, t0 + 1);
	if (model_lane(m, row)->kind != LANE_DEPTH ||
	    model_lane(m, row)->depth == 0)
		return (0);
	r = (struct retired *)&held_of(m)->retired;
	door = retired_enter(r);
	lane = model_lane_first_child(m, model_lane(m, row)->parent);
	for (; lane != row; lane = model_lane_next_sibling(m, lane))
		before = lane;
	if (!caller_then(m, row, t0, nth, &name) && t1 > t0)
		name = span_row_call(m, before, t0);
	retired_leave(r, door);
	return (name);
}
