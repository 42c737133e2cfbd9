/*
 * Asks the processor for memory before the tree needs it.
 *
 * A spawn touches places that lie anywhere in memory: the slots of its id and
 * its parent's, the parent, the elder sibling.  Each leads to the next, so
 * they are asked for in steps, a few events ahead.  What an event leads to is
 * noted by how many are left, until it has its turn.
 */
#include "model/tree/tree_inside.h"

/* How many events ahead memory is asked for. */
#define AHEAD_SLOT  40
#define AHEAD_PIECE 30
#define AHEAD_TASK  22
#define AHEAD_BELOW 12
#define AHEAD_ELDER 6
#define MANY_TASKS  16384 /* fewer are in the cache */

static bool
is_task(const struct model *m, const struct event *e)
{
	return (e->kind < EVENT_KINDS &&
		held_of(m)->kinds[e->kind].class == CLASS_task);
}

/* Most likely the task, a spawn's parent.  TASK_NONE: not that simple. */
static inline uint32_t *
noted(struct model *m, size_t left)
{
	return (&shape_of(m)->ahead[left % TREE_AHEAD]);
}

static void
look_for_slot(struct model *m, const struct event *e)
{
	if (is_task(m, e))
		ids_ahead(m, e->kind == EV_task_spawn ? e->b : e->a);
}

/* Its slot has come. */
static void
look_for_piece(struct model *m, const struct event *e, size_t left)
{
	uint32_t i = TASK_NONE;

	if (is_task(m, e))
		i = ids_guess(m, e->kind == EV_task_spawn ? e->b : e->a);
	if (i != TASK_NONE)
		__builtin_prefetch(piece_of(m, i));
	*noted(m, left) = i;
}

static void
look_for_task(struct model *m, const struct event *e, size_t left)
{
	uint32_t i = *noted(m, left), k;
	const struct task_piece *p;

	if (i >= store_of(m)->ntasks)
		return;
	p = piece_of(m, i);
	k = rank_in(p, i);
	if (e->kind == EV_task_spawn) {
		__builtin_prefetch(&p->hot[k]);
		__builtin_prefetch(&p->level[k]);
	} else {
		__builtin_prefetch(&p->warm[k]);
	}
}

/* Behind the last child it will be hung. */
static void
look_for_elder(struct model *m, const struct event *e, size_t left, bool near)
{
	uint32_t i = *noted(m, left);

	if (e->kind != EV_task_spawn || i >= store_of(m)->ntasks)
		return;
	i = hot_at(m, i)->last;
	if (i == TASK_NONE)
		return;
	if (near)
		__builtin_prefetch(hot_at(m, i));
	else
		__builtin_prefetch(piece_of(m, i));
}

void
tree_ahead(struct model *m, const struct event *e, size_t left)
{
	if (left <= AHEAD_SLOT || store_of(m)->ntasks < MANY_TASKS)
		return;
	look_for_slot(m, e + AHEAD_SLOT);
	look_for_piece(m, e + AHEAD_PIECE, left - AHEAD_PIECE);
	look_for_task(m, e + AHEAD_TASK, left - AHEAD_TASK);
	look_for_elder(m, e + AHEAD_BELOW, left - AHEAD_BELOW, false);
	look_for_elder(m, e + AHEAD_ELDER, left - AHEAD_ELDER, true);
}
