/*
 * A thread's depth lanes say at each instant which span of which depth it is
 * in: one lane a depth, or the thread's own when its spans never nested.  They
 * are read side by side, the inner ones within each piece of the outer one.
 *
 * A part ends where a leaf of the thread's own lane does: in that lane each
 * change of all depths is one, so this bounds the work.  What goes on over the
 * end of a part is known by its place in level[] and is not counted twice.
 *
 * A wait lies over the span in which it happens and is part of its time.  A
 * task that is suspended is in no lane: how long is told by its life less its
 * stretches.
 */
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#include "model/inside.h"
#include "model/lodtree.h"

#define LEAVES_PART 64
#define WORK_PART   (LEAVES_PART * LOD_LEAF)
#define WORK_LANE   16 /* of one that does nothing */
#define TASKS_PART  8192

/* What a thread is in at one depth. */
struct level {
	const struct lod *lod;
	struct lod_cursor cursor;
	struct lod_piece piece;
	bool have;
	uint32_t path;  /* CALL_NONE: none */
	int64_t run_ns; /* of this call, so far */
};

struct calls {
	const struct model *m;
	const struct model *detail; /* that knows the lanes there, or m */
	const struct model *of;     /* the same, of the thread that is read */
	int64_t t0, t1, from_ns;
	uint32_t lane; /* that is asked for */
	/* where we are */
	uint32_t at, lanes; /* lane, of so many */
	int64_t at_ns;      /* INT64_MIN: the lane is not begun */
	uint32_t task, tasks;
	bool failed, done;
	uint32_t work; /* changes looked at in this step */
	/* the thread that is read */
	int64_t end_ns;
	int pe; /* -1: not known */
	unsigned nlevels;
	struct level *level;
	/* results */
	struct call *path;
	uint32_t npaths, path_cap;
	uint32_t *slot, mask; /* path + 1, by parent, name and kind */
	struct name_stats *name;
	uint64_t *here_ns; /* by name: of tasks of this thread */
	uint32_t *touched; /* names that have some */
	uint32_t names, ntouched;
};

struct calls *
calls_new(void)
{
	struct calls *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->level = calloc(DEPTH_LANES, sizeof(*k->level));
	k->done = true;
	if (k->level == NULL) {
		free(k);
		return (NULL);
	}
	return (k);
}

void
calls_free(struct calls *k)
{
	if (k == NULL)
		return;
	free(k->level);
	free(k->path);
	free(k->slot);
	free(k->name);
	free(k->here_ns);
	free(k->touched);
	free(k);
}

void
calls_begin(struct calls *k, const struct model *m, int64_t t0, int64_t t1,
    uint32_t lane)
{
	k->m = k->of = m;
	k->detail = detail_for(m, t0, t1);
	k->t0 = k->from_ns = t0;
	k->t1 = t1;
	k->lane = lane;
	k->at = 0;
	k->lanes = model_lanes(m);
	k->at_ns = INT64_MIN;
	k->task = 0;
	k->tasks = model_tasks(m);
	k->failed = k->done = t1 <= t0;
	k->npaths = 0;
	if (k->slot != NULL)
		memset(k->slot, 0, (k->mask + 1) * sizeof(*k->slot));
	free(k->name);
	free(k->here_ns);
	free(k->touched);
	k->ntouched = 0;
	k->names = model_names(m) + 1;
	k->name = calloc(k->names, sizeof(*k->name));
	k->here_ns = calloc(k->names, sizeof(*k->here_ns));
	k->touched = calloc(k->names, sizeof(*k->touched));
	if (k->name == NULL || k->here_ns == NULL || k->touched == NULL)
		k->failed = k->done = true;
}

/* paths */

static uint64_t
path_hash(uint32_t parent, uint32_t name, uint8_t kind)
{
	return (idmap_mix(((uint64_t)parent << 32 | name) * 31 + kind));
}

static int
slots_grow(struct calls *k)
{
	uint32_t size = k->slot == NULL ? 1024 : (k->mask + 1) * 2, at;
	uint32_t *slot = calloc(size, sizeof(*slot));
	const struct call *c;

	if (slot == NULL)
		return (-1);
	for (uint32_t i = 0; i < k->npaths; i++) {
		c = &k->path[i];
		at = (uint32_t)path_hash(c->parent, c->name, c->kind);
		while (slot[at & (size - 1)] != 0)
			at++;
		slot[at & (size - 1)] = i + 1;
	}
	free(k->slot);
	k->slot = slot;
	k->mask = size - 1;
	return (0);
}

static int
paths_reserve(struct calls *k)
{
	uint32_t cap = k->path_cap == 0 ? 512 : k->path_cap * 2;
	struct call *p;

	if (k->npaths == k->path_cap) {
		p = realloc(k->path, cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		k->path = p;
		k->path_cap = cap;
	}
	if (k->slot == NULL || k->npaths * 2 > k->mask)
		return (slots_grow(k));
	return (0);
}

/* CALL_NONE when memory is out. */
static uint32_t
path_of(struct calls *k, uint32_t parent, uint32_t name, uint8_t kind)
{
	uint32_t i;
	struct call *c;

	if (paths_reserve(k) == -1) {
		k->failed = true;
		return (CALL_NONE);
	}
	for (i = (uint32_t)path_hash(parent, name, kind);
	     k->slot[i & k->mask] != 0; i++) {
		c = &k->path[k->slot[i & k->mask] - 1];
		if (c->parent == parent && c->name == name && c->kind == kind)
			return (k->slot[i & k->mask] - 1);
	}
	k->slot[i & k->mask] = ++k->npaths;
	c = &k->path[k->npaths - 1];
	*c = (struct call){ .parent = parent,
		.name = name,
		.kind = kind,
		.lane = UINT32_MAX,
		.now_lane = UINT32_MAX,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN };
	return (k->npaths - 1);
}

/* The thread that is longest in a path is the one that is told. */
static void
path_lane(struct calls *k, struct call *c)
{
	if (c->now_lane != k->at) {
		c->now_lane = k->at;
		c->now_ns = 0;
		c->threads++;
	}
}

static void
path_time(struct calls *k, uint32_t path, int64_t a, int64_t b)
{
	struct call *c = &k->path[path];

	path_lane(k, c);
	c->total_ns += b - a;
	c->self_ns += b - a;
	if (c->parent != CALL_NONE)
		k->path[c->parent].self_ns -= b - a;
	c->now_ns += b - a;
	if (c->now_ns > c->lane_ns || c->lane == UINT32_MAX) {
		c->lane_ns = c->now_ns;
		c->lane = k->at;
	}
	c->first_ns = a < c->first_ns ? a : c->first_ns;
	c->last_ns = b > c->last_ns ? b : c->last_ns;
}

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
	uint32_t path = path_of(k, up, s->name, s->kind);
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
		v->path = path_of(k, up, s->name, s->kind);
}

/* It is in what level v is in from a to b. */
static void
span_time(struct calls *k, struct level *v, int64_t a, int64_t b, bool waits)
{
	struct call *c = &k->path[v->path];
	struct name_stats *st = stats_at(k, v->path);

	path_time(k, v->path, a, b);
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

/* threads */

static const struct lod *
lod_at(const struct model *m, uint32_t lane)
{
	return (atomic_load(&lane_at(m, lane)->lod));
}

static bool
is_below(const struct calls *k, uint32_t lane)
{
	const struct lane *l = model_lane(k->m, lane), *of;

	if (l->kind != LANE_THREAD)
		return (false);
	if (k->lane == UINT32_MAX || k->lane == lane)
		return (true);
	of = model_lane(k->m, k->lane);
	if (of->kind == LANE_NODE)
		return (of->node == l->node);
	if (of->kind == LANE_PO)
		return (of->node == l->node && of->po == l->po);
	return (of->kind == LANE_DEPTH && of->parent == lane);
}

static void
lane_begin(struct calls *k)
{
	int64_t ended, now = model_last_ns(k->m);
	uint32_t child;

	k->at_ns = k->t0;
	k->end_ns = k->t1;
	k->pe = -1;
	if (model_lane_ended(k->m, k->at, &ended) && ended < k->end_ns)
		k->end_ns = ended;
	if (k->end_ns > now)
		k->end_ns = now;
	k->nlevels = 1;
	k->of = k->at < model_lanes(k->detail) ? k->detail : k->m;
	k->level[0] =
	    (struct level){ .lod = lod_at(k->of, k->at), .path = CALL_NONE };
	child = model_lane_first_child(k->of, k->at);
	for (unsigned d = 0; child != UINT32_MAX && d < DEPTH_LANES;
	     child = model_lane_next_sibling(k->of, child), d++) {
		k->level[d] = (struct level){ .lod = lod_at(k->of, child),
			.path = CALL_NONE };
		k->nlevels = d + 1;
	}
}

/* Time on this PE, or on the last of them. */
static void
lane_end(struct calls *k)
{
	unsigned pe = k->pe > 15 ? 15 : (unsigned)k->pe;

	for (uint32_t i = 0; i < k->ntouched; i++) {
		uint32_t name = k->touched[i];

		if (k->pe >= 0)
			k->name[name].by_pe[pe] += k->here_ns[name];
		k->here_ns[name] = 0;
	}
	k->ntouched = 0;
	k->at++;
	k->at_ns = INT64_MIN;
}

/* The end of a part that begins at at_ns, by the thread's own lane. */
static int64_t
part_end(struct calls *k, const struct lod *own)
{
	struct lod_cursor *c = &k->level[0].cursor; /* is sought anew */
	int found = lod_seek(own, k->at_ns, c);

	if (found == 0)
		return (k->t1);
	if (found == -1) { /* before, only sums are left */
		k->at_ns = c->now.t0_ns > k->at_ns ? c->now.t0_ns : k->at_ns;
		k->from_ns = k->at_ns > k->from_ns ? k->at_ns : k->from_ns;
	}
	if (c->nleaves - c->leaf <= LEAVES_PART) {
		k->work += (c->nleaves - c->leaf) * LOD_LEAF;
		return (k->t1);
	}
	k->work += WORK_PART;
	return (lod_leaf_t0(own, c->leaf + LEAVES_PART));
}

/* One part of the thread; true when it was the last. */
static bool
lane_part(struct calls *k)
{
	const struct lod *own = lod_at(k->of, k->at);
	struct level *v;
	int64_t end;

	k->work += WORK_LANE;
	if (own == NULL || lod_empty(own))
		return (true);
	end = part_end(k, own);
	end = end > k->end_ns ? k->end_ns : end;
	if (end <= k->at_ns)
		return (true);
	for (unsigned d = 0; d < k->nlevels; d++) {
		v = &k->level[d];
		v->have = v->lod != NULL &&
			  lod_seek(v->lod, k->at_ns, &v->cursor) != 0 &&
			  lod_next(v->lod, &v->cursor, &v->piece) != 0;
		/* what was here before has left a piece that goes on */
		if (!v->have)
			v->path = CALL_NONE;
	}
	walk(k, 0, k->at_ns, end, CALL_NONE);
	k->at_ns = end;
	return (end >= k->end_ns);
}

/* Lives of suspended tasks; true when it was the last part. */
static bool
tasks_part(struct calls *k)
{
	uint32_t to =
	    k->tasks - k->task > TASKS_PART ? k->task + TASKS_PART : k->tasks;
	int64_t a, b;
	struct task t;

	k->work += WORK_PART;
	for (; k->task < to; k->task++) {
		if (!model_task_suspended(k->m, k->task))
			continue;
		model_task_get(k->m, k->task, &t);
		if (t.suspensions == 0 || t.name == 0 || t.name >= k->names ||
		    t.begin_mon_ns == INT64_MIN)
			continue;
		a = t.begin_mon_ns > k->from_ns ? t.begin_mon_ns : k->from_ns;
		b = t.end_mon_ns == INT64_MIN ? model_last_ns(k->m)
					      : t.end_mon_ns;
		b = b < k->t1 ? b : k->t1;
		if (b > a)
			k->name[t.name].blocked_ns += b - a;
	}
	return (k->task == k->tasks);
}

/* Goes on with a thread, or with the tasks; true when all is done. */
static bool
step(struct calls *k)
{
	while (k->at < k->lanes && !is_below(k, k->at))
		k->at++;
	if (k->at == k->lanes)
		return (k->lane != UINT32_MAX || tasks_part(k));
	if (k->at_ns == INT64_MIN)
		lane_begin(k);
	if (lane_part(k) || k->failed)
		lane_end(k);
	return (k->failed);
}

bool
calls_step(struct calls *k)
{
	struct retired *r;
	unsigned door, inner;

	if (k->done)
		return (true);
	if (k->detail != detail_for(k->m, k->t0, k->t1)) /* another one */
		calls_begin(k, k->m, k->t0, k->t1, k->lane);
	door = model_enter(k->m);
	r = (struct retired *)&k->detail->retired;
	inner = retired_enter(r);
	for (k->work = 0; k->work < WORK_PART && !k->done;)
		k->done = step(k);
	retired_leave(r, inner);
	model_leave(k->m, door);
	return (k->done);
}

const void *
calls_source(const struct model *m, int64_t t0, int64_t t1)
{
	return (detail_for(m, t0, t1));
}

double
calls_done(const struct calls *k)
{
	double lane = 0;

	if (k->done)
		return (1);
	if (k->at_ns != INT64_MIN && k->t1 > k->t0)
		lane = (double)(k->at_ns - k->t0) / (double)(k->t1 - k->t0);
	return ((k->at + lane) / (k->lanes + 1));
}

int64_t
calls_from_ns(const struct calls *k)
{
	return (k->from_ns);
}

size_t
calls_paths(const struct calls *k, const struct call **out)
{
	*out = k->path;
	return (k->npaths);
}

size_t
calls_names(const struct calls *k, struct name_stats *out, size_t max)
{
	const struct name_stats *s;
	size_t n = 0;

	for (uint32_t i = 1; i < k->names; i++) {
		s = &k->name[i];
		if (s->calls == 0 && s->total_ns == 0 && s->blocked_ns <= 0)
			continue;
		if (n++ >= max)
			continue;
		out[n - 1] = *s;
		out[n - 1].name = i;
		if (s->blocked_ns < 0)
			out[n - 1].blocked_ns = 0;
	}
	return (n);
}
