/*
 * A spawn touches places that lie anywhere in memory: the slots of its id and
 * its parent's, the parent, the elder sibling.  Each leads to the next, so
 * they are asked for in steps, a few events ahead.
 */
#include "model/tree_inside.h"

/* How many events ahead memory is asked for. */
#define AHEAD_SLOT  30
#define AHEAD_TASK  20
#define AHEAD_ELDER 10
#define MANY_TASKS  16384 /* fewer are in the cache */

static bool
is_task(const struct model *m, const struct event *e)
{
	return (e->kind < EVENT_KINDS && m->kinds[e->kind].class == CLASS_task);
}

static void
ahead_task(const struct model *m, uint32_t i, bool as_parent)
{
	const struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i);

	if (!as_parent) {
		__builtin_prefetch(&p->warm[k]);
		return;
	}
	__builtin_prefetch(&p->hot[k]);
	__builtin_prefetch(&p->level[k]);
}

void
tree_ahead(struct model *m, const struct event *e, size_t left)
{
	const struct event *far = e + AHEAD_SLOT, *mid = e + AHEAD_TASK,
			   *near = e + AHEAD_ELDER;
	uint32_t i;

	if (left <= AHEAD_SLOT || m->ntasks < MANY_TASKS)
		return;
	if (is_task(m, far))
		tree_id_ahead(m, far->kind == EV_task_spawn ? far->b : far->a);
	if (is_task(m, mid)) {
		i = tree_id_guess(m,
		    mid->kind == EV_task_spawn ? mid->b : mid->a);
		if (i != TASK_NONE)
			ahead_task(m, i, mid->kind == EV_task_spawn);
	}
	if (near->kind == EV_task_spawn) {
		i = tree_id_guess(m, near->b);
		if (i != TASK_NONE)
			i = hot_at(m, i)->last;
		if (i != TASK_NONE)
			__builtin_prefetch(hot_at(m, i));
	}
}
