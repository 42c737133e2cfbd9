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

static bool
is_wait(const struct lod_state *s)
{
	return (s->kind >= SPAN_wait_message || lane_waits(s->class));
}

/* It lies over the span in which it happens. */
static bool
is_over(const struct lod_state *s)
{
	return (is_wait(s) || s->class == LANE_lost);
}

/* Is the task's first stretch the one that begins here?  Its PE is ours. */
static bool
task_begins(struct calls *k, uint32_t number, int64_t t)
{
	struct task x;

	model_task_get(k->m, number, &x);
	if (x.location == model_lane(k->m, k->at)->location)
		k->thread.pe = x.pe;
	return (x.begin_mon_ns == t);
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

/* Does a call begin with this piece?  A task that goes on has begun before. */
static bool
is_call(struct calls *k, const struct lod_state *s, const struct lod_piece *p)
{
	if (s->kind != SPAN_task)
		return (true);
	if (p->id != 0 && !model_task_gone(k->m, p->id - 1))
		return (task_begins(k, p->id - 1, p->t0_ns));
	/* its first stretch, if there is only one; and its name was told */
	k->about |= k->resumed || s->name == 0;
	return (true);
}

/* A span begins, or is found to go on at `from`. */
static void
span_enter(struct calls *k, unsigned depth, int64_t from, uint32_t up,
    const struct lod_state *s)
{
	struct level *v = &k->thread.level[depth];
	const struct lod_piece *p = &v->piece;
	uint32_t path = calls_path_of(k, up, s->name, s->kind);
	bool begins = s->fresh && p->t0_ns >= from, edge = v->fresh && !begins;
	struct call_cell *c = path == CALL_NONE ? NULL : calls_cell(k, path);

	if (c == NULL)
		return;
	if (path != v->path || begins) {
		calls_cell_run(c, edge);
		if (!edge)
			inner_leave(k, depth);
	}
	v->path = path;
	v->fresh = false;
	if (begins && is_call(k, s, p))
		c->calls++;
}

/* Of pieces that lie over a span: what it is in then. */
static uint32_t
path_after(struct calls *k, uint32_t was, uint32_t up,
    const struct lod_state *s)
{
	if (is_over(s))
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
	int64_t at = v->piece.t0_ns;
	struct lod_cursor c;
	struct lod_piece p;
	struct call_cell *cell;

	do { /* back to one that lies over nothing */
		if (lod_seek(v->lod, at - 1, &c) != 1 ||
		    lod_next(v->lod, &c, &p) == 0 || p.t0_ns >= at)
			return; /* it is the first */
		at = p.t0_ns;
		s = &lanes_of(k->of)->states[p.state];
	} while (is_over(s));
	do { /* and on again, also by what takes no time */
		v->path = path_after(k, v->path, up,
		    &lanes_of(k->of)->states[p.state]);
	} while (lod_next(v->lod, &c, &p) != 0 &&
		 (p.t0_ns < v->piece.t0_ns ||
		     (p.t0_ns == v->piece.t0_ns && p.t1_ns == p.t0_ns &&
			 v->piece.t1_ns > p.t1_ns)));
	v->fresh = false;
	cell = v->path == CALL_NONE ? NULL : calls_cell(k, v->path);
	if (cell != NULL)
		calls_cell_run(cell, true);
}

/* The life of a suspended task less its stretches is what it was blocked. */
static void
stretch_of(struct calls *k, const struct lod_piece *p, int64_t a, int64_t b)
{
	struct task x;

	if (p->id == 0)
		return;
	model_task_get(k->m, p->id - 1, &x);
	if (x.suspensions > 0 && x.name != 0 && x.name < k->names)
		k->name[x.name].blocked_ns -= b - a;
}

/* It is in what level v is in from a to b. */
static void
span_time(struct calls *k, const struct level *v, int64_t a, int64_t b,
    bool waits)
{
	struct call_cell *c = calls_cell(k, v->path);

	if (c != NULL)
		calls_cell_time(c, a, b, waits);
}

static void walk(struct calls *, unsigned depth, int64_t from, int64_t end,
    uint32_t up, bool edge);

static void
piece(struct calls *k, unsigned depth, int64_t from, int64_t end, uint32_t up)
{
	struct level *v = &k->thread.level[depth];
	const struct lod_state *s = &lanes_of(k->of)->states[v->piece.state];
	int64_t a = v->piece.t0_ns, b = v->piece.t1_ns;

	a = a < from ? from : a;
	b = b > end ? end : b;
	if (is_over(s)) {
		if (v->fresh && v->piece.t0_ns <= k->read_ns)
			span_below(k, v, up);
		if (v->path != CALL_NONE && b > a)
			span_time(k, v, a, b, is_wait(s));
		return;
	}
	if (s->class == LANE_idle || s->kind == SPAN_none) {
		v->path = CALL_NONE;
		v->fresh = false;
		inner_leave(k, depth);
		return;
	}
	span_enter(k, depth, from, up, s);
	if (v->path == CALL_NONE || b < a)
		return;
	span_time(k, v, a, b, false);
	if (s->kind == SPAN_task)
		stretch_of(k, &v->piece, a, b);
	if (depth + 1 < k->thread.nlevels)
		walk(k, depth + 1, a, b, v->path, v->piece.t0_ns < a);
}

/*
 * What level depth does from `from` to `end`, within path up; of what takes no
 * time at the edge, `from`, the level above decides whether it belongs to it.
 */
static void
walk(struct calls *k, unsigned depth, int64_t from, int64_t end, uint32_t up,
    bool edge)
{
	struct level *v = &k->thread.level[depth];

	while (v->have && v->piece.t0_ns < end && !k->failed) {
		if (v->piece.t1_ns > from || (edge && v->piece.t0_ns == from))
			piece(k, depth, from, end, up);
		if (v->piece.t1_ns > end)
			break; /* goes on behind it */
		v->have = lod_next(v->lod, &v->cursor, &v->piece) != 0;
	}
}

void
calls_walk(struct calls *k, int64_t from, int64_t end)
{
	walk(k, 0, from, end, CALL_NONE, true);
}
