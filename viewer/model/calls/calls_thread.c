/*
 * The threads one after the other, each in parts.  A part ends where a leaf of
 * the thread's own lane does: in that lane each change of all depths is one,
 * so this bounds the work.  What goes on over the end of a part is known by
 * its place in level[] and is not counted twice.
 */
#include "model/calls/calls_inside.h"

#include <stdlib.h>

#include "model/run/hand.h"

#define WORK_LANE  16 /* of one that does nothing */
#define TASKS_PART 8192

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
	if (k->lane >= HAND_LANE)
		return (model_lane_within(k->m, lane, k->lane));
	of = model_lane(k->m, k->lane);
	if (of->kind == LANE_NODE)
		return (of->node == l->node);
	if (of->kind == LANE_PO)
		return (of->node == l->node && of->po == l->po);
	return (of->kind == LANE_DEPTH && of->parent == lane);
}

/* Room for one more level; its lane's pieces are sought when it is needed. */
static void
level_add(struct calls *k, uint32_t lane)
{
	struct calls_thread *t = &k->thread;
	unsigned cap = t->level_cap == 0 ? DEPTH_LANES : t->level_cap * 2;
	struct level *v;

	if (t->nlevels == t->level_cap) {
		v = realloc(t->level, cap * sizeof(*v));
		if (v == NULL) {
			k->failed = true;
			return;
		}
		t->level = v;
		t->level_cap = cap;
	}
	v = &t->level[t->nlevels++];
	v->lod = lod_at(k->of, lane);
	v->lane = lane;
	v->path = v->up = CALL_NONE;
	v->have = v->inside = v->all = false;
	v->fresh = true;
	v->part = v->task = 0;
}

static void
lane_begin(struct calls *k)
{
	int64_t ended, now = model_last_ns(k->m);
	uint32_t child;

	k->at_ns = k->read_ns;
	k->thread.end_ns = k->t1;
	k->thread.pe = -1;
	k->thread.cpu.block = SIZE_MAX;
	k->thread.ended =
	    model_lane_ended(k->m, k->at, &ended) && ended < k->thread.end_ns;
	if (k->thread.ended)
		k->thread.end_ns = ended;
	if (k->thread.end_ns > now)
		k->thread.end_ns = now;
	k->thread.nlevels = 0;
	k->of = k->at < model_lanes(k->detail) ? k->detail : k->m;
	child = model_lane_first_child(k->of, k->at);
	if (child == UINT32_MAX)
		level_add(k, k->at);
	for (; child != UINT32_MAX && !k->failed;
	     child = model_lane_next_sibling(k->of, child))
		level_add(k, child);
	if (instant_thread(&k->thread.instant, k->of, k->at) == -1)
		k->failed = true;
}

static void
lane_end(struct calls *k)
{
	bool ended = k->thread.ended && k->thread.end_ns < k->t1;
	const struct level *v;

	for (unsigned d = 0; d < k->thread.nlevels && !ended; d++) {
		v = &k->thread.level[d];
		if (v->path != CALL_NONE)
			k->thread.cell[k->thread.here[v->path] - 1].open = true;
	}
	if (k->sweep == NULL)
		calls_fold(k);
	else if (sweep_cells(k->sweep, k->at, k->thread.pe, k->thread.cell,
		     k->thread.ncells) == -1)
		k->failed = true;
	for (uint32_t i = 0; i < k->thread.ncells; i++)
		k->thread.here[k->thread.cell[i].path] = 0;
	k->thread.ncells = 0;
	k->at++;
	k->at_ns = INT64_MIN;
}

/* The end of a part that begins at at_ns, by the thread's own lane. */
static int64_t
part_end(struct calls *k, const struct lod *own)
{
	struct lod_cursor *c = &k->thread.level[0].cursor; /* is sought anew */
	int found = lod_seek(own, k->at_ns, c);
	uint32_t leaf;

	k->thread.level[0].part = 0;

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
	for (leaf = c->leaf + LEAVES_PART; leaf < c->nleaves; leaf++)
		if (lod_leaf_t0(own, leaf) > k->at_ns)
			return (lod_leaf_t0(own, leaf));
	return (k->t1); /* all at one instant */
}

/* One part of the thread; true when it was the last. */
static bool
lane_part(struct calls *k)
{
	const struct lod *own = lod_at(k->of, k->at);
	/* where the thread ends, or the run so far, all is asked for */
	bool all = k->thread.end_ns < k->t1;
	int64_t end;

	k->work += WORK_LANE;
	if (k->failed || own == NULL || lod_empty(own) ||
	    k->at_ns > k->thread.end_ns - !all)
		return (true);
	end = part_end(k, own);
	end = end > k->thread.end_ns ? k->thread.end_ns : end;
	if (k->at_ns > end - !all)
		return (true);
	k->thread.part++;
	calls_walk(k, k->at_ns, end, all && end == k->thread.end_ns);
	k->at_ns = end;
	return (end >= k->thread.end_ns);
}

/* Lives of suspended tasks; true when it was the last part. */
static bool
tasks_part(struct calls *k)
{
	uint32_t to =
	    k->tasks - k->task > TASKS_PART ? k->task + TASKS_PART : k->tasks;
	struct name_stats *row;
	int64_t a, b;
	struct task t;

	k->work += WORK_PART;
	for (; k->task < to; k->task++) {
		if (!model_task_suspended(k->m, k->task))
			continue;
		model_task_get(k->m, k->task, &t);
		row = calls_task_row(k, t.name);
		if (t.suspensions == 0 || row == NULL ||
		    t.begin_mon_ns == INT64_MIN)
			continue;
		a = t.begin_mon_ns > k->from_ns ? t.begin_mon_ns : k->from_ns;
		b = t.end_mon_ns == INT64_MIN ? model_last_ns(k->m)
					      : t.end_mon_ns;
		b = b < k->t1 ? b : k->t1;
		if (b > a)
			row->suspended_ns += b - a;
	}
	return (k->task == k->tasks);
}

bool
calls_go_on(struct calls *k)
{
	while (k->at < k->lanes && !is_below(k, k->at))
		k->at++;
	if (k->at == k->lanes)
		return (
		    k->lane != UINT32_MAX || k->sweep != NULL || tasks_part(k));
	if (k->at_ns == INT64_MIN)
		lane_begin(k);
	if (lane_part(k) || k->failed)
		lane_end(k);
	return (k->failed);
}
