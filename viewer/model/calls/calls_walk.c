/*
 * A thread's depth lanes say at each instant which span of which depth it is
 * in: one lane a depth, or the thread's own when its spans never nested.  They
 * are read side by side, the inner ones within each piece of the outer one.
 *
 * A wait lies over the span in which it happens and is part of its time.  A
 * task that is suspended is in no lane: how long is told by its life less its
 * stretches.
 */
#include "model/calls/calls_inside.h"

/* pieces */

/* A stretch of a task begins here: its PE is ours, if it is the last one. */
static void
task_pe(struct calls *k, uint32_t number)
{
	struct task x;

	if (number == 0 || model_task_gone(k->m, number - 1))
		return;
	model_task_get(k->m, number - 1, &x);
	if (x.location == model_lane(k->m, k->at)->location)
		k->thread.pe = x.pe;
}

/* What was further in is left. */
static void
inner_leave(struct calls *k, unsigned depth)
{
	struct level *v;

	for (unsigned d = depth + 1; d < k->thread.nlevels; d++) {
		v = &k->thread.level[d];
		if (v->path == CALL_NONE && !v->fresh)
			return; /* then further in, too */
		v->path = CALL_NONE;
		v->fresh = false;
	}
}

/* A span begins, or is found to go on at `from`. */
static void
span_enter(struct calls *k, unsigned depth, int64_t from, uint32_t up,
    const struct lod_state *s)
{
	struct level *v = &k->thread.level[depth];
	const struct lod_piece *p = &v->piece;
	uint32_t path = calls_path_of(k, up, s->name, s->kind);
	bool begins = s->fresh != 0 && p->t0_ns >= from;
	bool edge = v->fresh && !begins;
	struct call_cell *c = path == CALL_NONE ? NULL : calls_cell(k, path);

	if (c == NULL)
		return;
	if (path != v->path || begins) {
		calls_cell_run(k, c, edge);
		if (!edge)
			inner_leave(k, depth);
	}
	v->path = path;
	v->fresh = false;
	v->task = s->kind == SPAN_task ? p->id : 0;
	if (begins && s->kind == SPAN_task)
		task_pe(k, p->id);
	if (begins && s->fresh == 1) /* else it comes back */
		c->calls++;
}

/* The path that a piece is in: that before, if it lies over a span. */
static uint32_t
path_after(struct calls *k, uint32_t was, uint32_t up,
    const struct lod_state *s)
{
	if (state_is_over(s))
		return (was);
	if (s->class == LANE_idle || s->kind == SPAN_none)
		return (CALL_NONE);
	return (calls_path_of(k, up, s->name, s->kind));
}

/*
 * What is read begins with a piece that lies over a span: which one is told by
 * what was before.
 */
static void
span_below(struct calls *k, struct level *v, uint32_t up)
{
	const struct lod_state *s;
	struct call_cell *cell;
	struct lod_piece p;

	if (!lane_under(k->of, v->lane, &v->piece, &p))
		return;
	s = &lanes_of(k->of)->states[p.state];
	v->path = path_after(k, CALL_NONE, up, s);
	v->task = s->kind == SPAN_task ? p.id : 0;
	v->fresh = false;
	cell = v->path == CALL_NONE ? NULL : calls_cell(k, v->path);
	if (cell != NULL)
		calls_cell_run(k, cell, true);
}

/* The life of a suspended task less its stretches is what it was blocked. */
static void
stretch_of(struct calls *k, uint32_t number, int64_t a, int64_t b)
{
	struct name_stats *row;
	struct task x;

	if (number == 0 || b <= a)
		return;
	model_task_get(k->m, number - 1, &x);
	row = x.suspensions == 0 ? NULL : calls_task_row(k, x.name);
	if (row != NULL)
		row->suspended_ns -= b - a;
}

/* It is in what level v is in from a to b. */
static void
span_time(struct calls *k, const struct level *v, int64_t a, int64_t b,
    bool waits)
{
	struct call_cell *c = calls_cell(k, v->path);
	int64_t cpu_ns = cpu_then(k->m, k->at, &k->thread.cpu, a);

	if (cpu_ns != -1)
		cpu_ns = cpu_then(k->m, k->at, &k->thread.cpu, b) - cpu_ns;
	if (c != NULL)
		calls_cell_time(c, a, b, waits, cpu_ns);
}

/*
 * The piece of a level, as far as it is asked for.  True: what is further in is
 * to be looked at, from *a to *b.
 */
static bool
piece(struct calls *k, unsigned depth, int64_t *a, int64_t *b)
{
	struct level *v = &k->thread.level[depth];
	const struct lod_state *s = &lanes_of(k->of)->states[v->piece.state];

	*a = v->piece.t0_ns < v->from_ns ? v->from_ns : v->piece.t0_ns;
	*b = v->piece.t1_ns > v->until_ns ? v->until_ns : v->piece.t1_ns;
	if (state_is_over(s)) {
		if (v->fresh && v->piece.t0_ns <= k->read_ns)
			span_below(k, v, v->up);
		if (v->path == CALL_NONE || *b < *a)
			return (false);
		span_time(k, v, *a, *b, state_waits(s));
		stretch_of(k, v->task, *a, *b);
		return (true);
	}
	if (s->class == LANE_idle || s->kind == SPAN_none) {
		v->path = CALL_NONE;
		v->task = 0;
		v->fresh = false;
		inner_leave(k, depth);
		return (false);
	}
	span_enter(k, depth, v->from_ns, v->up, s);
	if (v->path == CALL_NONE || *b < *a)
		return (false);
	span_time(k, v, *a, *b, false);
	stretch_of(k, v->task, *a, *b);
	return (true);
}

/* What takes no time, and was before the piece further out. */
static void
pass_by(struct calls *k, unsigned depth)
{
	struct level *v = &k->thread.level[depth];
	uint32_t was = v->path;
	const struct lod_state *s = &lanes_of(k->of)->states[v->piece.state];

	if (v->piece.t0_ns < v->from_ns)
		return;
	v->path = path_after(k, was, v->up, s);
	if (!state_is_over(s))
		v->task = s->kind == SPAN_task ? v->piece.id : 0;
	v->fresh = false;
	if (v->path != was)
		inner_leave(k, depth);
}

/* order: of events at one instant */

static uint64_t
order_of(struct calls *k, unsigned depth, int64_t t, uint32_t nth)
{
	return (instant_order(&k->thread.instant, t, depth, nth));
}

/* Where the piece of a level begins, if it does at t; else it did before. */
static uint64_t
begin_order(struct calls *k, unsigned depth, int64_t t)
{
	const struct level *v = &k->thread.level[depth];

	return (v->piece.t0_ns == t ? order_of(k, depth, t, v->nth) : 0);
}

/* What is asked for begins with the piece further out, or what is asked there.
 */
static uint64_t
from_order(struct calls *k, unsigned depth)
{
	struct level *v = k->thread.level, *out;
	unsigned d = depth;
	uint64_t begin;

	while (v[d].from_order == ORDER_UNKNOWN)
		d--; /* of the outermost it is known */
	for (; d < depth; d++) {
		out = &v[d];
		begin = begin_order(k, d, v[d + 1].from_ns);
		v[d + 1].from_order =
		    out->from_ns == v[d + 1].from_ns && out->from_order > begin
			? out->from_order
			: begin;
	}
	return (v[depth].from_order);
}

/* And ends so: with the next change there. */
static uint64_t
until_order(struct calls *k, unsigned depth)
{
	struct level *v = k->thread.level, *out;
	unsigned d = depth;
	uint64_t end;

	while (v[d].until_order == ORDER_UNKNOWN)
		d--;
	for (; d < depth; d++) {
		out = &v[d];
		end = out->piece.t1_ns > v[d + 1].until_ns
			  ? ORDER_LAST
			  : order_of(k, d, out->piece.t1_ns,
				out->piece.t0_ns == out->piece.t1_ns
				    ? out->nth + 1
				    : 0);
		v[d + 1].until_order =
		    out->until_ns == v[d + 1].until_ns && out->until_order < end
			? out->until_order
			: end;
	}
	return (v[depth].until_order);
}

/* Is its piece behind what is asked for? */
static bool
is_behind(struct calls *k, unsigned depth)
{
	const struct level *v = &k->thread.level[depth];

	if (v->piece.t0_ns != v->until_ns || v->all)
		return (v->piece.t0_ns > v->until_ns);
	/* what takes time there does so behind it */
	return (depth == 0 || v->piece.t1_ns > v->piece.t0_ns ||
		begin_order(k, depth, v->until_ns) >= until_order(k, depth));
}

/* Is it before it? */
static bool
is_before(struct calls *k, unsigned depth)
{
	const struct level *v = &k->thread.level[depth];

	if (v->piece.t1_ns != v->from_ns)
		return (v->piece.t1_ns < v->from_ns);
	if (depth == 0)
		return (false);
	if (v->piece.t0_ns < v->from_ns)
		return ((v - 1)->piece.t0_ns >= v->from_ns);
	return (begin_order(k, depth, v->from_ns) < from_order(k, depth));
}

/*
 * The piece of a level ends where what is asked for begins.  Something in it
 * may begin just then: within this path.
 */
static uint32_t
path_ended(struct calls *k, const struct level *v)
{
	const struct lod_state *states = lanes_of(k->of)->states;
	struct lod_piece p = v->piece;

	if (!v->fresh)
		return (v->path);
	if (state_is_over(&states[p.state]) &&
	    !lane_under(k->of, v->lane, &v->piece, &p))
		return (CALL_NONE);
	return (path_after(k, CALL_NONE, v->up, &states[p.state]));
}

/*
 * A level is to be read from `from` to `until`, within path up, which is the
 * piece of the level before.
 */
static void
level_open(struct calls *k, unsigned depth, int64_t from, int64_t until,
    uint32_t up, bool all)
{
	struct level *v = &k->thread.level[depth];

	v->from_ns = from;
	v->until_ns = until;
	v->from_order = depth == 0 ? 0 : ORDER_UNKNOWN;
	v->until_order = all ? ORDER_LAST : v->from_order;
	v->up = up;
	v->all = all;
	v->inside = false;
	if (v->part == k->thread.part)
		return;
	v->part = k->thread.part;
	v->nth = 0;
	/* what takes no time right there belongs to it, too */
	v->have = v->lod != NULL &&
		  lod_seek(v->lod, k->at_ns - 1, &v->cursor) != 0 &&
		  lod_next(v->lod, &v->cursor, &v->piece) != 0;
	/* what was here before has left a piece that goes on */
	if (!v->have)
		v->path = CALL_NONE;
}

/* False: there is nothing more that is asked for. */
static bool
level_next(struct level *v)
{
	int64_t was = v->piece.t0_ns;

	v->inside = false;
	if (v->piece.t1_ns > v->until_ns)
		return (false); /* goes on behind it */
	v->have = lod_next(v->lod, &v->cursor, &v->piece) != 0;
	v->nth = v->piece.t0_ns == was ? v->nth + 1 : 0;
	return (true);
}

/* One piece of a level; the level that is next, which may be the one before,
 * below 0 when all is done. */
static int
walk_on(struct calls *k, int depth)
{
	struct level *v = &k->thread.level[depth];
	int64_t a = v->from_ns, b = v->from_ns;
	uint32_t path;

	if (v->inside)
		return (level_next(v) ? depth : depth - 1);
	if (!v->have || is_behind(k, (unsigned)depth))
		return (depth - 1);
	if (is_before(k, (unsigned)depth)) {
		pass_by(k, (unsigned)depth);
		return (level_next(v) ? depth : depth - 1);
	}
	v->inside = true;
	if (v->piece.t0_ns < a && v->piece.t1_ns == a)
		path = path_ended(k, v);
	else
		path = piece(k, (unsigned)depth, &a, &b) ? v->path : CALL_NONE;
	if (path == CALL_NONE || (unsigned)depth + 1 >= k->thread.nlevels)
		return (depth);
	level_open(k, (unsigned)depth + 1, a, b, path,
	    v->all && v->piece.t1_ns > b);
	return (depth + 1);
}

void
calls_walk(struct calls *k, int64_t from, int64_t end, bool all)
{
	int depth = 0;

	level_open(k, 0, from, end, CALL_NONE, all);
	while (depth >= 0 && !k->failed)
		depth = walk_on(k, depth);
}
