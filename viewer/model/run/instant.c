/*
 * See instant.h.
 *
 * The changes of the thread's own lane at that instant are gone through with a
 * depth.  A span that begins is the next one of its state that begins in the
 * row further in, or in one less far, if something has ended that the lane did
 * not show.  Where it shows what goes on, the innermost row has become empty,
 * or a wait that lay over it is over; with a task that is put aside several
 * rows become empty, with a thread all.  Changes of a row that are passed over
 * on the way have happened in between.
 */
#include "model/run/instant.h"

#include <stdlib.h>

/* What comes with a change of the thread's own lane; odd: between two. */
#define ORDER(k) (((k) + UINT64_C(1)) * 2)

int
instant_thread(struct instant *x, const struct model *m, uint32_t thread)
{
	uint32_t cap;
	struct instant_row *row;

	x->m = m;
	x->thread = thread;
	x->rows = 0;
	x->t_ns = INT64_MIN;
	for (uint32_t lane = model_lane_first_child(m, thread);
	     lane != UINT32_MAX; lane = model_lane_next_sibling(m, lane)) {
		if (x->rows == x->row_cap) {
			cap = x->row_cap == 0 ? 16 : x->row_cap * 2;
			row = realloc(x->row, cap * sizeof(*row));
			if (row == NULL) {
				x->rows = 0;
				return (-1);
			}
			x->row = row;
			x->row_cap = cap;
		}
		row = &x->row[x->rows++];
		*row = (struct instant_row){ .lane = lane };
		row->lod = atomic_load(&lane_at(m, lane)->lod);
	}
	return (0);
}

void
instant_clear(struct instant *x)
{
	free(x->row);
	free(x->change);
	*x = (struct instant){ .number = 0 };
}

static const struct lod_state *
state_of(const struct instant *x, const struct lod_piece *p)
{
	return (&lanes_of(x->m)->states[p->state]);
}

static bool
is_alike(const struct lod_state *a, const struct lod_state *b)
{
	return (a->kind == b->kind && a->name == b->name);
}

/* A span begins, or comes back; not what a thread says of itself. */
static bool
is_begin(const struct lod_state *st)
{
	return (st->fresh != 0 && st->kind != SPAN_none);
}

/* Takes all of the instant to the others; *was: the state before it, or 0. */
static bool
changes_read(struct instant *x, const struct lod *l, uint16_t *was)
{
	struct instant_change *p;
	struct lod_cursor c;
	struct lod_piece piece;
	uint32_t cap;

	*was = 0;
	if (l == NULL || lod_seek(l, x->t_ns - 1, &c) == 0)
		return (true);
	while (lod_next(l, &c, &piece) && piece.t0_ns <= x->t_ns) {
		if (piece.t0_ns < x->t_ns) {
			*was = piece.state;
			continue;
		}
		if (x->changes == x->cap) {
			cap = x->cap == 0 ? 64 : x->cap * 2;
			p = realloc(x->change, cap * sizeof(*p));
			if (p == NULL)
				return (false);
			x->change = p;
			x->cap = cap;
		}
		x->change[x->changes++] = (struct instant_change){ piece, 0 };
	}
	return (true);
}

/* A row at this instant; NULL: there is none of this depth. */
static struct instant_row *
row_at(struct instant *x, int64_t depth)
{
	struct instant_row *r;

	if (depth < 0 || depth >= x->rows)
		return (NULL);
	r = &x->row[depth];
	if (r->read == x->number)
		return (r);
	r->read = x->number;
	r->first = x->changes;
	r->next = 0;
	(void)changes_read(x, r->lod, &r->state);
	r->n = x->changes - r->first;
	for (uint32_t i = r->first; i < x->changes; i++)
		x->change[i].order = x->rest;
	return (r);
}

/* Its next change; NULL: there is none. */
static struct instant_change *
row_next(struct instant *x, const struct instant_row *r)
{
	return (r == NULL || r->next == r->n ? NULL
					     : &x->change[r->first + r->next]);
}

static void
row_take(struct instant *x, struct instant_row *r, uint64_t order)
{
	struct instant_change *c = &x->change[r->first + r->next++];

	c->order = order;
	r->state = c->piece.state;
}

/* That the row goes on with, or that it becomes empty. */
static bool
take_going_on(struct instant *x, struct instant_row *r, uint64_t order)
{
	const struct instant_change *c = row_next(x, r);

	if (c == NULL || is_begin(state_of(x, &c->piece)))
		return (false);
	row_take(x, r, order);
	return (true);
}

/* The begin of this piece, or its return, behind what goes on before. */
static bool
take_begin(struct instant *x, struct instant_row *r,
    const struct lod_piece *piece, uint64_t order)
{
	const struct instant_change *c;
	const struct lod_state *st;
	uint32_t to = r == NULL ? 0 : r->next;

	for (; r != NULL && to < r->n; to++) {
		c = &x->change[r->first + to];
		st = state_of(x, &c->piece);
		if (!is_begin(st))
			continue;
		if (!is_alike(st, state_of(x, piece)) ||
		    c->piece.id != piece->id)
			return (false);
		while (r->next < to)
			row_take(x, r, order - 1);
		row_take(x, r, order);
		return (true);
	}
	return (false);
}

static void
span_begins(struct instant *x, const struct lod_piece *piece, uint64_t order)
{
	int64_t d = x->depth + 1;

	d = d < x->rows ? d : (int64_t)x->rows - 1;
	for (; d >= 0; d--)
		if (take_begin(x, row_at(x, d), piece, order)) {
			x->depth = d;
			return;
		}
}

/* A span that was put aside with its task is there again, if this is one. */
static bool
comes_back(struct instant *x, const struct lod_piece *piece, uint64_t order)
{
	bool over = state_is_over(state_of(x, piece));
	int64_t d = over && x->depth >= 0 ? x->depth : x->depth + 1;
	struct instant_row *r = row_at(x, d);
	const struct instant_change *c = row_next(x, r);

	if (c == NULL || state_of(x, &c->piece)->fresh != 2 ||
	    !take_begin(x, r, piece, order))
		return (false);
	x->depth = over ? x->depth : d;
	return (true);
}

/* What is further in than what this shows is over. */
static void
goes_on(struct instant *x, const struct lod_piece *piece, uint64_t order)
{
	const struct lod_state *st = state_of(x, piece), *states;
	bool none = st->kind == SPAN_none;
	struct instant_row *r = row_at(x, x->depth < 0 ? 0 : x->depth);
	struct instant_change *c;

	states = lanes_of(x->m)->states;
	while (take_going_on(x, r, order) && x->depth >= 0) {
		if (states[r->state].kind != SPAN_none) /* no wait any more */
			break;
		r = row_at(x, --x->depth);
		if (r == NULL || (!none && is_alike(&states[r->state], st)))
			break;
	}
	r = row_at(x, x->depth < 0 ? 0 : x->depth); /* if it has moved */
	while ((c = row_next(x, r)) != NULL &&
	       !is_begin(state_of(x, &c->piece)) &&
	       is_alike(state_of(x, &c->piece), st))
		row_take(x, r, order);
}

static void
change_met(struct instant *x, const struct lod_piece *piece, uint64_t order)
{
	const struct lod_state *st = state_of(x, piece);
	struct instant_row *r;

	if (st->fresh != 1) {
		if (!comes_back(x, piece, order))
			goes_on(x, piece, order);
	} else if (st->kind >= SPAN_wait_message) {
		r = row_at(x, x->depth < 0 ? 0 : x->depth);
		(void)take_begin(x, r, piece, order);
	} else if (st->kind != SPAN_none) {
		span_begins(x, piece, order);
	} else if (x->depth < 0) { /* it says what it does */
		r = row_at(x, 0);
		(void)take_going_on(x, r, order);
	}
}

/* Is a span, or a wait, in this row before the instant? */
static bool
is_used(const struct instant *x, uint32_t depth, struct lod_piece *p)
{
	const struct lod *l = x->row[depth].lod;

	return (l != NULL && lod_piece_at(l, x->t_ns - 1, p) &&
		state_of(x, p)->kind != SPAN_none);
}

/* How many rows are in use before it: those of less depth are, too. */
static int64_t
depth_before(const struct instant *x)
{
	uint32_t lo = 0, hi = x->rows, mid;
	struct lod_piece p, under;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (is_used(x, mid, &p))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 1 && is_used(x, 0, &p) && state_is_over(state_of(x, &p)) &&
	    (!lane_under(x->m, model_lane_first_child(x->m, x->thread), &p,
		 &under) ||
		state_of(x, &under)->kind == SPAN_none))
		return (-1); /* a wait over nothing */
	return ((int64_t)lo - 1);
}

static void
find(struct instant *x, int64_t t_ns)
{
	uint32_t own;
	uint16_t was;

	x->t_ns = t_ns;
	x->number++;
	x->changes = 0;
	x->rest = 0;
	if (!changes_read(x, atomic_load(&lane_at(x->m, x->thread)->lod), &was))
		return;
	own = x->changes;
	x->depth = depth_before(x);
	for (uint32_t i = 0; i < own; i++) {
		struct lod_piece piece = x->change[i].piece;

		change_met(x, &piece, ORDER(i));
	}
	x->rest = own * UINT64_C(2) + 1; /* it has moved after all */
	for (uint32_t i = own; i < x->changes; i++)
		if (x->change[i].order == 0)
			x->change[i].order = x->rest;
}

uint64_t
instant_order(struct instant *x, int64_t t_ns, uint32_t depth, uint32_t k)
{
	const struct instant_row *r;

	if (depth >= x->rows)
		return (0);
	if (x->t_ns != t_ns || x->number == 0)
		find(x, t_ns);
	r = row_at(x, depth);
	return (k < r->n ? x->change[r->first + k].order : 0);
}

bool
instant_outer(struct instant *x, int64_t t_ns, uint32_t depth, uint32_t k,
    struct lod_piece *out)
{
	uint64_t order = instant_order(x, t_ns, depth, k);
	const struct instant_row *r =
	    order == 0 ? NULL : row_at(x, (int64_t)depth - 1);
	const struct instant_change *c;
	bool found;
	struct lod_piece over;

	if (r == NULL)
		return (false);
	found = r->lod != NULL && lod_piece_at(r->lod, t_ns - 1, out);
	if (found && state_is_over(state_of(x, out))) {
		over = *out;
		found = lane_under(x->m, r->lane, &over, out);
	}
	for (uint32_t i = 0; i < r->n; i++) {
		c = &x->change[r->first + i];
		if (c->order > order || state_is_over(state_of(x, &c->piece)))
			continue;
		*out = c->piece;
		found = true;
	}
	return (found);
}

bool
instant_row(struct instant *x, int64_t t_ns, uint32_t k, uint32_t *depth,
    uint32_t *of_row)
{
	const struct instant_row *r;

	if (x->t_ns != t_ns || x->number == 0)
		find(x, t_ns);
	for (uint32_t d = 0; d < x->rows; d++) {
		r = &x->row[d];
		for (uint32_t i = 0; r->read == x->number && i < r->n; i++)
			if (x->change[r->first + i].order == ORDER(k)) {
				*depth = d;
				*of_row = i;
				return (true);
			}
	}
	return (false);
}
