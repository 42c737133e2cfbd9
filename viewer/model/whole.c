/*
 * A span as a whole.  A thread's lane shows the innermost span only, in pieces;
 * the row of its depth has it from its begin to its end, but for waits that lie
 * over it.  When one further out ends it moves up, and goes on in the row
 * before.
 */
#include "model/inside.h"

#define PIECES_MOST (1u << 16) /* that are looked at for one span */

struct row {
	uint32_t lane, before; /* UINT32_MAX: there is none */
	struct lod_cursor cursor;
	struct lod_piece piece;
};

static const struct lod_state *
state_of(const struct model *m, const struct row *r)
{
	return (&lanes_of(m)->states[r->piece.state]);
}

static const struct lod *
lod_of(const struct model *m, uint32_t lane)
{
	return (atomic_load(&lane_at(m, lane)->lod));
}

static bool
is_it(const struct lod_state *st, const struct span *s)
{
	return (st->kind == s->kind && st->name == s->name &&
		st->class == s->class);
}

/* It lies over the span in which it happens. */
static bool
is_over(const struct lod_state *st)
{
	return (st->kind >= SPAN_wait_message || lane_waits(st->class) ||
		st->class == LANE_lost);
}

/* The piece of it that begins at t in this row, anew or not. */
static bool
row_seek(const struct model *m, struct row *r, const struct span *s, int64_t t,
    bool anew)
{
	const struct lod *l = lod_of(m, r->lane);

	if (l == NULL || lod_seek(l, t - 1, &r->cursor) == 0)
		return (false);
	while (lod_next(l, &r->cursor, &r->piece) && r->piece.t0_ns <= t)
		if (r->piece.t0_ns == t && is_it(state_of(m, r), s) &&
		    (state_of(m, r)->fresh != 0) == anew)
			return (true);
	return (false);
}

/* Where it begins: in the thread's own lane, if that has no rows. */
static bool
row_find(const struct model *m, uint32_t thread, const struct span *s,
    struct row *r)
{
	uint32_t lane = model_lane_first_child(m, thread);

	*r = (struct row){ .lane = thread, .before = UINT32_MAX };
	if (lane == UINT32_MAX)
		return (row_seek(m, r, s, s->t0_mon_ns, true));
	for (r->lane = lane; lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane)) {
		r->lane = lane;
		if (row_seek(m, r, s, s->t0_mon_ns, true))
			return (true);
		r->before = lane;
	}
	return (false);
}

/* On to where it is over in this row; INT64_MAX: it goes on. */
static int64_t
row_end(const struct model *m, struct row *r, const struct span *s,
    uint32_t *left)
{
	const struct lod *l = lod_of(m, r->lane);
	const struct lod_state *st;

	while (r->piece.t1_ns != INT64_MAX && *left > 0) {
		if (!lod_next(l, &r->cursor, &r->piece))
			break;
		--*left;
		st = state_of(m, r);
		if (is_it(st, s) && st->fresh == 0)
			continue;
		if (s->kind >= SPAN_wait_message || !is_over(st))
			return (r->piece.t0_ns);
	}
	return (*left > 0 ? INT64_MAX : r->piece.t0_ns);
}

/* The row before, into which it may have moved. */
static bool
row_up(const struct model *m, uint32_t thread, struct row *r,
    const struct span *s, int64_t t)
{
	uint32_t lane = model_lane_first_child(m, thread);

	if (r->before == UINT32_MAX)
		return (false);
	r->lane = r->before;
	r->before = UINT32_MAX;
	for (; lane != r->lane && lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		r->before = lane;
	return (row_seek(m, r, s, t, false));
}

/* What the thread did meanwhile. */
static void
interrupted(const struct model *m, uint32_t thread, const struct span *s,
    struct whole *w)
{
	int64_t until = lane_until(m, thread);
	struct lod_sum sum;

	lod_totals_sum(lod_of(m, thread), lanes_of(m)->states, s->t0_mon_ns,
	    s->t1_mon_ns < until ? s->t1_mon_ns : until, until, &sum);
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
	struct retired *r = (struct retired *)&held_of(m)->retired;
	struct row row;
	unsigned door;
	int64_t t;

	*w = (struct whole){ 0 };
	if (thread == UINT32_MAX)
		return;
	door = retired_enter(r);
	if (s->kind != SPAN_none && row_find(m, thread, s, &row)) {
		do
			t = row_end(m, &row, s, &left);
		while (t != INT64_MAX && left > 0 &&
		       row_up(m, thread, &row, s, t));
		s->t1_mon_ns = t;
		w->more = left == 0;
		interrupted(m, thread, s, w);
		if (s->kind >= SPAN_wait_message)
			w->waits_ns = 0;
	}
	retired_leave(r, door);
}
