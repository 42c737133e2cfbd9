/* Finds a span in the row of its depth, from its begin to its end. */
#include "model/asked/spanrow.h"

#include "model/run/instant.h"

#define SAME_PIECES                                                            \
	(1u << 14) /* looked at to tell two of one instant apart               \
		    */

bool
span_source_enter(const struct span_source *s, int64_t t0, int64_t t1,
    struct span_door *d)
{
	if (detail_for(s->m, t0, t1) != s->of ||
	    (s->of != s->m && fetched_of(s->m)->details != s->details))
		return (false);
	d->whole = model_enter(s->m);
	d->own = retired_enter((struct retired *)&held_of(s->of)->retired);
	return (true);
}

void
span_source_leave(const struct span_source *s, const struct span_door *d)
{
	retired_leave((struct retired *)&held_of(s->of)->retired, d->own);
	model_leave(s->m, d->whole);
}

const struct lod *
span_row_lod(const struct model *m, uint32_t lane)
{
	return (atomic_load(&lane_at(m, lane)->lod));
}

const struct lod_state *
span_row_state(const struct model *m, const struct span_row *r)
{
	return (&lanes_of(m)->states[r->piece.state]);
}

static bool
is_it(const struct lod_state *st, const struct span *s)
{
	return (st->kind == s->kind && st->name == s->name &&
		st->class == s->class);
}

/* The piece with which it begins at t in this row. */
static bool
row_seek(const struct model *m, struct span_row *r, const struct span *s,
    int64_t t)
{
	const struct lod *l = span_row_lod(m, r->lane);

	if (l == NULL || lod_seek(l, t - 1, &r->cursor) == 0)
		return (false);
	while (lod_next(l, &r->cursor, &r->piece) && r->piece.t0_ns <= t)
		if (r->piece.t0_ns == t && is_it(span_row_state(m, r), s) &&
		    span_row_state(m, r)->fresh != 0)
			return (true);
	return (false);
}

/*
 * What a wait is followed by in its row may be done in it, as a task in a
 * barrier: then the wait is there again behind that, not anew.  in: what was
 * begun so; until: where the wait is over if that is not so, INT64_MAX while it
 * goes on.  True: it is over.
 */
static bool
wait_over(const struct lod_state *st, int64_t t, const struct lod_state **in,
    int64_t *until)
{
	bool same = *in != NULL && (*in)->kind == st->kind &&
		    (*in)->name == st->name && (*in)->class == st->class;

	if (*until == INT64_MAX)
		*until = t;
	if (st->class == LANE_idle || st->kind == SPAN_none)
		return (*in == NULL);
	if (st->fresh == 0 && !same && !state_is_over(st))
		return (true);
	if (st->fresh != 0 && !state_is_over(st))
		*in = st;
	return (false);
}

/* On to where it is over in this row; INT64_MAX: it goes on. */
static int64_t
row_end(const struct model *m, struct span_row *r, const struct span *s,
    uint32_t *left)
{
	const struct lod *l = span_row_lod(m, r->lane);
	const struct lod_state *st, *in = NULL;
	int64_t until = INT64_MAX;

	while (r->piece.t1_ns != INT64_MAX && *left > 0) {
		if (!lod_next(l, &r->cursor, &r->piece))
			break;
		--*left;
		st = span_row_state(m, r);
		if (is_it(st, s) && st->fresh == 0) {
			until = INT64_MAX;
			in = NULL;
		} else if (s->kind < SPAN_wait_message) {
			if (!state_is_over(st))
				return (r->piece.t0_ns);
		} else if (wait_over(st, r->piece.t0_ns, &in, &until) ||
			   is_it(st, s)) {
			return (until);
		}
	}
	return (*left > 0 ? until : r->piece.t0_ns);
}

bool
span_rows_moved(const struct model *m, uint32_t thread)
{
	const struct location *l = chunk_at(&defs_of(whole_of(m))->locations,
	    lane_at(m, thread)->pub.location);

	return (l == NULL || SEE(l->moved) != 0);
}

/*
 * The piece of it that goes on from t in a row into which it has moved: not one
 * of what a wait lay over, which may be of its name.
 */
static bool
moved_seek(const struct model *m, struct span_row *r, const struct span *s,
    int64_t t)
{
	const struct lod *l = span_row_lod(m, r->lane);
	bool waits = false;

	if (l == NULL || lod_seek(l, t - 1, &r->cursor) == 0)
		return (false);
	while (lod_next(l, &r->cursor, &r->piece) && r->piece.t0_ns <= t) {
		if (r->piece.t0_ns == t && is_it(span_row_state(m, r), s) &&
		    span_row_state(m, r)->fresh == 0 &&
		    (!waits || state_is_over(span_row_state(m, r))))
			return (true);
		waits = state_is_over(span_row_state(m, r));
	}
	return (false);
}

/* The row before, into which it may have moved. */
static bool
row_up(const struct model *m, uint32_t thread, struct span_row *r,
    const struct span *s, int64_t t)
{
	uint32_t lane = model_lane_first_child(m, thread);

	if (r->before == UINT32_MAX || !span_rows_moved(m, thread))
		return (false);
	r->lane = r->before;
	r->before = UINT32_MAX;
	for (; lane != r->lane && lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		r->before = lane;
	return (moved_seek(m, r, s, t));
}

bool
span_row_leave(const struct model *m, uint32_t thread, struct span_row *r,
    const struct span *s, uint32_t *left, int64_t *t)
{
	*t = row_end(m, r, s, left);
	return (*t != INT64_MAX && *left > 0 && row_up(m, thread, r, s, *t));
}

int64_t
span_row_end(const struct model *m, uint32_t thread, struct span_row *r,
    const struct span *s, uint32_t *left)
{
	int64_t t;

	while (span_row_leave(m, thread, r, s, left, &t))
		continue;
	return (t);
}

/* Of several that begin so: is it this one, rather than one further out? */
static bool
is_meant(const struct model *m, uint32_t thread, uint32_t seen,
    const struct span *s, struct span_row *r)
{
	uint32_t left = SAME_PIECES;

	if (s->kind >= SPAN_wait_message) /* further in, too, it may lie over */
		return (seen == r->lane);
	if (seen == UINT32_MAX)
		return (span_row_end(m, thread, r, s, &left) == s->t1_mon_ns);
	return (
	    seen == r->lane || (seen == thread && s->t1_mon_ns > s->t0_mon_ns));
}

/* Row of a depth of a thread, and the one before. */
static void
row_of(const struct model *m, uint32_t thread, uint32_t depth,
    struct span_row *r)
{
	r->lane = model_lane_first_child(m, thread);
	r->before = UINT32_MAX;
	for (; depth > 0 && r->lane != UINT32_MAX; depth--) {
		r->before = r->lane;
		r->lane = model_lane_next_sibling(m, r->lane);
	}
}

/* Where it was seen it is the nth change at its begin; in its row? */
static bool
find_nth(const struct model *m, uint32_t thread, uint32_t seen,
    const struct span *s, struct span_row *r)
{
	struct instant x = { .number = 0 };
	uint32_t depth, k = s->nth - 1, first;
	bool found = true;

	*r = (struct span_row){ .lane = seen, .before = UINT32_MAX };
	first = model_lane_first_child(m, thread);
	if (seen == thread && first != UINT32_MAX) {
		found = instant_thread(&x, m, thread) == 0 &&
			instant_row(&x, s->t0_mon_ns, k, &depth, &k);
		instant_clear(&x);
		if (found)
			row_of(m, thread, depth, r);
	} else if (seen != thread) {
		row_of(m, thread, model_lane(m, seen)->depth, r);
	}
	return (found && r->lane != UINT32_MAX &&
		span_row_lod(m, r->lane) != NULL &&
		lod_seek_nth(span_row_lod(m, r->lane), s->t0_mon_ns, k + 1,
		    &r->cursor, &r->piece) != 0 &&
		is_it(span_row_state(m, r), s) &&
		span_row_state(m, r)->fresh != 0);
}

/* The row of that depth has it, as its nth change, and it ends so. */
static bool
find_ended(const struct model *m, uint32_t thread, const struct span *s,
    struct span_row *r)
{
	uint32_t left = SAME_PIECES;
	struct span_row end;

	*r = (struct span_row){ .lane = thread, .before = UINT32_MAX };
	if (model_lane_first_child(m, thread) != UINT32_MAX)
		row_of(m, thread, s->depth, r);
	if (r->lane == UINT32_MAX || span_row_lod(m, r->lane) == NULL ||
	    lod_seek_nth(span_row_lod(m, r->lane), s->t0_mon_ns, s->nth,
		&r->cursor, &r->piece) == 0 ||
	    !is_it(span_row_state(m, r), s) || span_row_state(m, r)->fresh == 0)
		return (false);
	end = *r;
	return (span_row_end(m, thread, &end, s, &left) == s->t1_mon_ns);
}

bool
span_row_find(const struct model *m, uint32_t thread, uint32_t seen,
    const struct span *s, struct span_row *r)
{
	uint32_t lane = model_lane_first_child(m, thread), before = UINT32_MAX;
	uint32_t found = UINT32_MAX, found_before = UINT32_MAX;

	if (s->nth != 0 && seen != UINT32_MAX &&
	    find_nth(m, thread, seen, s, r))
		return (true);
	if (s->nth != 0 && seen == UINT32_MAX && find_ended(m, thread, s, r))
		return (true);
	*r = (struct span_row){ .lane = thread, .before = UINT32_MAX };
	if (lane == UINT32_MAX)
		return (row_seek(m, r, s, s->t0_mon_ns));
	for (; lane != UINT32_MAX; lane = model_lane_next_sibling(m, lane)) {
		r->lane = lane;
		r->before = before;
		if (row_seek(m, r, s, s->t0_mon_ns) &&
		    (found == UINT32_MAX || is_meant(m, thread, seen, s, r))) {
			found = lane;
			found_before = before;
		}
		before = lane;
	}
	r->lane = found;
	r->before = found_before;
	return (found != UINT32_MAX && row_seek(m, r, s, s->t0_mon_ns));
}

/* From a change of a leaf back.  1: it begins there; 0: in none; -1: before. */
static int
begun_in(const struct model *m, const struct lod_opened *o, int64_t since,
    uint32_t *entry)
{
	const struct lod_state *st;

	for (uint32_t j = *entry + 1; j-- > 0;) {
		st = &lanes_of(m)->states[o->state[j]];
		if (state_is_over(st))
			continue;
		if (o->t0_ns + o->off[j] < since || st->fresh == 2 ||
		    st->class == LANE_idle || st->kind == SPAN_none)
			return (0);
		*entry = j;
		if (st->fresh == 1)
			return (1);
	}
	return (o->t0_ns < since ? 0 : -1);
}

/* Where the piece ends that the cursor stands before. */
static int64_t
piece_end(const struct lod *l, const struct lod_cursor *c)
{
	if (c->entry + 1 < c->now.n)
		return (c->now.t0_ns + c->now.off[c->entry + 1]);
	return (
	    c->leaf + 1 < c->nleaves ? lod_leaf_t0(l, c->leaf + 1) : INT64_MAX);
}

int
span_row_at(const struct model *m, struct span_row *r, int64_t t, int64_t since,
    int64_t *until_ns)
{
	const struct lod *l = span_row_lod(m, r->lane);
	struct lod_cursor *c = &r->cursor;
	uint32_t entry;
	int found = l == NULL ? 0 : lod_seek(l, t, c);

	*until_ns = found == 0 ? INT64_MAX : piece_end(l, c);
	if (found != 1)
		return (found);
	r->nth = 0;
	entry = c->entry;
	while ((found = begun_in(m, &c->now, since, &entry)) == -1) {
		if (c->leaf == 0)
			return (0);
		if (!lod_leaf_open(l, --c->leaf, true, &c->now))
			return (-1);
		c->opened = c->leaf;
		entry = c->now.n - 1;
	}
	c->entry = entry;
	return (found == 0 ? 0 : lod_next(l, c, &r->piece));
}

uint32_t
span_row_call(const struct model *m, uint32_t row, int64_t t)
{
	const struct lod *l = span_row_lod(m, row);
	const struct lod_state *states = lanes_of(m)->states;
	struct lod_piece p, over;

	if (l == NULL || !lod_piece_at(l, t, &p))
		return (0);
	over = p;
	if (state_is_over(&states[p.state]) && !lane_under(m, row, &over, &p))
		return (0);
	return (states[p.state].class == LANE_idle ||
			states[p.state].kind == SPAN_none
		    ? 0
		    : states[p.state].name);
}
