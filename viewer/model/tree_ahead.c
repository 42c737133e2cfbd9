/*
 * A spawn touches five places that lie anywhere in memory: the slots of its
 * id and its parent's, the parent, the parent's counters, the elder sibling.
 * Each leads to the next, so they are asked for in steps, a few events ahead.
 */
#include "model/tree_inside.h"

/* How many events ahead memory is asked for. */
#define AHEAD_SLOT  30
#define AHEAD_TASK  20
#define AHEAD_ELDER 10

/* The task that an event is about, or its parent. */
static uint64_t
known_id(const struct event *e)
{
	return (e->kind == EV_task_spawn ? e->b : e->a);
}

void
tree_ahead_task(const struct model *m, uint32_t i)
{
	const char *t = (const char *)task_at(m, i);

	__builtin_prefetch(t);
	__builtin_prefetch(t + 63);
	__builtin_prefetch(side_at(m, i));
}

void
tree_ahead(const struct model *m, const struct event *e, size_t left)
{
	const struct task_map *map =
	    atomic_load_explicit(&m->task_map, memory_order_relaxed);
	uint32_t i;

	if (left <= AHEAD_SLOT || map == NULL)
		return;
	if (e[AHEAD_SLOT].kind < EVENT_KINDS &&
	    m->kinds[e[AHEAD_SLOT].kind].class == CLASS_task) {
		tree_map_ahead(map, e[AHEAD_SLOT].a);
		if (e[AHEAD_SLOT].kind == EV_task_spawn)
			tree_map_ahead(map, e[AHEAD_SLOT].b);
	}
	if (e[AHEAD_TASK].kind < EVENT_KINDS &&
	    m->kinds[e[AHEAD_TASK].kind].class == CLASS_task) {
		i = tree_map_guess(m, known_id(&e[AHEAD_TASK]));
		if (i != TASK_NONE)
			tree_ahead_task(m, i);
	}
	if (e[AHEAD_ELDER].kind == EV_task_spawn) {
		i = tree_map_guess(m, e[AHEAD_ELDER].b);
		if (i != TASK_NONE)
			i = task_at(m, i)->last_child;
		if (i != TASK_NONE)
			__builtin_prefetch(task_at(m, i));
	}
}
