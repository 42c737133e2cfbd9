/*
 * A thread's depth lanes say at each instant which span of which depth it is
 * in: one lane a depth, or the thread's own when its spans never nested.  They
 * are read side by side, the inner ones within each piece of the outer one.
 *
 * A wait lies over the span in which it happens and is part of its time.  A
 * task that is suspended is in no lane: how long is told by its life less its
 * stretches.
 */
#include "model/calls_inside.h"

static struct name_stats *
stats_at(struct calls *k, uint32_t path)
{
	uint32_t name = k->path[path].name;

	return (name != 0 && name < k->names ? &k->name[name] : NULL);
}

/* pieces */

static bool
is_wait(const struct lod_state *s)
{
	return (s->class >= LANE_wait_message && s->class <= LANE_wait_rpc);
}

/* Is the task's first stretch the one that begins here?  Its PE is ours. */
static bool
task_begins(struct calls *k, uint32_t number, int64_t t)
{
	struct task x;

	model_task_get(k->m, number, &x);
	if (x.location == model_lane(k->m, k->at)->location)
		k->pe = x.pe;
	return (x.begin_mon_ns == t);
}

/* A span begins, or is found to go on at `from`. */
static void
span_enter(struct calls *k, struct level *v, int64_t from, uint32_t up,
    const struct lod_state *s)
{
	const struct lod_piece *p = &v->piece;
	uint32_t path = calls_path_of(k, up, s->name, s->kind);
	bool begins = s->fresh && p->t0_ns >= from;
	struct name_stats *st;

	if (path == CALL_NONE)
		return;
	if (path != v->path || begins)
		v->run_ns = 0;
	v->path = path;
	if (!begins)
		return;
	if (s->kind == SPAN_task && p->id != 0 &&
	    !task_begins(k, p->id - 1, p->t0_ns))
		return;
	k->path[path].calls++;
	st = stats_at(k, path);
	if (st != NULL)
		st->calls++;
}

/* The interval begins in a wait: what it lies over is further back. */
static void
span_below(struct calls *k, struct level *v, uint32_t up)
{
	const struct lod_state *s = &k->of->states[v->piece.state];
	struct lod_cursor c;
	struct lod_piece p = v->piece;
	int64_t at;

	while (is_wait(s)) {
		at = p.t0_ns;
		if (lod_seek(v->lod, at - 1, &c) != 1 ||
		    lod_next(v->lod, &c, &p) == 0 || p.t0_ns >= at)
			return; /* it is the first */
		s = &k->of->states[p.state];
	}
	if (s->class == LANE_running && s->kind != SPAN_none)
		v->path = calls_path_of(k, up, s->name, s->kind);
}

/* It is in what level v is in from a to b. */
static void
span_time(struct calls *k, struct level *v, int64_t a, int64_t b, bool waits)
{
	struct call *c = &k->path[v->path];
	struct name_stats *st = stats_at(k, v->path);

	calls_path_time(k, v->path, a, b);
	v->run_ns += b - a;
	if (v->run_ns > c->longest_ns)
		c->longest_ns = v->run_ns;
	if (waits)
		c->blocked_ns += b - a;
	if (st == NULL)
		return;
	st->total_ns += b - a;
	if (waits)
		st->blocked_ns += b - a;
	if (v->run_ns > st->max_ns)
		st->max_ns = v->run_ns;
	if (c->kind != SPAN_task || b == a)
		return;
	if (k->here_ns[c->name] == 0)
		k->touched[k->ntouched++] = c->name;
	k->here_ns[c->name] += (uint64_t)(b - a);
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

static void walk(struct calls *, unsigned depth, int64_t from, int64_t end,
    uint32_t up);

static void
piece(struct calls *k, unsigned depth, int64_t from, int64_t end, uint32_t up)
{
	struct level *v = &k->level[depth];
	const struct lod_state *s = &k->of->states[v->piece.state];
	int64_t a = v->piece.t0_ns, b = v->piece.t1_ns;

	a = a < from ? from : a;
	b = b > end ? end : b;
	if (is_wait(s) && v->path == CALL_NONE && v->piece.t0_ns <= k->t0)
		span_below(k, v, up);
	if (is_wait(s) || s->class == LANE_lost) {
		if (v->path != CALL_NONE && b > a)
			span_time(k, v, a, b, is_wait(s));
		return;
	}
	if (s->class == LANE_idle || s->kind == SPAN_none) {
		v->path = CALL_NONE;
		return;
	}
	span_enter(k, v, from, up, s);
	if (v->path == CALL_NONE || b < a)
		return;
	span_time(k, v, a, b, false);
	if (s->kind == SPAN_task)
		stretch_of(k, &v->piece, a, b);
	if (depth + 1 < k->nlevels)
		walk(k, depth + 1, a, b, v->path);
}

/* What level depth does from `from` to `end`, within path up. */
static void
walk(struct calls *k, unsigned depth, int64_t from, int64_t end, uint32_t up)
{
	struct level *v = &k->level[depth];

	while (v->have && v->piece.t0_ns < end && !k->failed) {
		if (v->piece.t1_ns > from)
			piece(k, depth, from, end, up);
		if (v->piece.t1_ns > end)
			break; /* goes on behind it */
		v->have = lod_next(v->lod, &v->cursor, &v->piece) != 0;
	}
}

void
calls_walk(struct calls *k, int64_t from, int64_t end)
{
	walk(k, 0, from, end, CALL_NONE);
}
