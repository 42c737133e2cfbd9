/*
 * Figures of tasks.  Levels are found at the end, when every parent is known:
 * a child may be heard of before its parent.
 */
#include <stdlib.h>
#include <string.h>

#include "tally_inside.h"

struct task {
	struct task *parent;
	uint64_t level; /* from 1; 0: not yet known, it is found at the end */
	uint32_t procedure; /* index */
	uint32_t pe;        /* index, while it runs */
	int64_t since_mon_ns;
	uint64_t suspensions;
	bool seen, begun, running, suspended;
};

static int
count_level(struct tally *t, uint64_t level)
{
	uint64_t *more;
	size_t levels = t->tasks.levels;

	while (levels <= level)
		levels = levels == 0 ? 64 : levels * 2;
	if (levels != t->tasks.levels) {
		more = realloc(t->tasks.level, levels * sizeof(*more));
		if (more == NULL)
			return (-1);
		memset(more + t->tasks.levels, 0,
		    (levels - t->tasks.levels) * sizeof(*more));
		t->tasks.level = more;
		t->tasks.levels = levels;
	}
	t->tasks.level[level]++;
	return (0);
}

/* It is one of these; -1: ENOMEM. */
static int
seen(struct tally *t, struct task *task, uint32_t name)
{
	struct tally_procedure *procedure;
	bool fresh;

	procedure = tally_row(&t->inside->procedure, name, &t->procedures,
	    &t->nprocedures, sizeof(*procedure), &fresh);
	if (procedure == NULL)
		return (-1);
	procedure->name = name;
	procedure->tasks++;
	task->seen = true;
	task->procedure = (uint32_t)(procedure - t->procedures);
	t->tasks.known++;
	return (0);
}

/*
 * The task of an event.  A task that was only heard of, as somebody's parent,
 * is there but not seen until the end.
 */
static struct task *
task_of(struct tally *t, const struct event *e, uint64_t parent_id)
{
	struct task *task;
	bool fresh;

	task = tally_thing(t->inside, &t->inside->tasks, e->a, sizeof(*task),
	    &fresh);
	if (task == NULL)
		return (NULL);
	if (parent_id != 0 && task->parent == NULL &&
	    (task->parent = tally_thing(t->inside, &t->inside->tasks, parent_id,
		 sizeof(*task), &fresh)) == NULL)
		return (NULL);
	if (!task->seen && seen(t, task, e->c) == -1)
		return (NULL);
	return (task);
}

/*
 * Goes up until the level is known, turning the way round, then back down.
 * Parents that go round in a circle make one of them a root.
 */
static void
find_level(struct task *task)
{
	struct task *up, *below = NULL;
	uint64_t level;

	while (task != NULL && task->level == 0) {
		task->level = UINT64_MAX; /* being looked at */
		up = task->parent;
		task->parent = below;
		below = task;
		task = up;
	}
	level = task == NULL || task->level == UINT64_MAX ? 0 : task->level;
	while (below != NULL) {
		up = task == below ? NULL : task;
		below->level = ++level;
		task = below;
		below = task->parent;
		task->parent = up;
	}
}

int
tally_levels(struct tally *t)
{
	const struct intmap *m = &t->inside->tasks;
	struct task *task;

	for (size_t i = 0; m->n > 0 && i <= m->mask; i++)
		if ((task = m->slot[i].p) != NULL) {
			if (!task->seen && seen(t, task, 0) == -1)
				return (-1);
			t->procedures[task->procedure].suspensions +=
			    task->suspensions;
			find_level(task);
			if (count_level(t, task->level - 1) == -1)
				return (-1);
		}
	return (0);
}

int
tally_spawn(struct tally *t, const struct event *e)
{
	return (task_of(t, e, e->b) == NULL ? -1 : 0);
}

int
tally_begin(struct tally *t, const struct event *e)
{
	struct task *task = task_of(t, e, 0);
	struct tally_pe *pe;
	int64_t po;
	bool fresh;

	if (task == NULL || (po = tally_po(t, e->location)) == -1)
		return (-1);
	pe = tally_row(&t->inside->pe, tally_key((uint32_t)po, (uint32_t)e->b),
	    &t->pes, &t->npes, sizeof(*pe), &fresh);
	if (pe == NULL)
		return (-1);
	pe->po = (uint32_t)po;
	pe->pe = (uint32_t)e->b;
	if (e->kind == EV_task_begin) {
		pe->tasks++;
		t->tasks.begun += !task->begun;
		task->begun = true;
	} else {
		pe->resumed++;
	}
	task->pe = (uint32_t)(pe - t->pes);
	task->running = true;
	task->since_mon_ns = e->t_mon_ns;
	return (0);
}

int
tally_stop(struct tally *t, const struct event *e)
{
	struct task *task = intmap_find(&t->inside->tasks, e->a);
	int64_t ns;

	if (task == NULL)
		return (0); /* its begin was lost */
	if (task->running) {
		ns = e->t_mon_ns - task->since_mon_ns;
		t->procedures[task->procedure].run_ns += ns;
		t->pes[task->pe].run_ns += ns;
	}
	task->running = false;
	if (e->kind == EV_task_end) {
		t->tasks.ended++;
		return (0);
	}
	t->tasks.suspensions++;
	task->suspensions++;
	t->tasks.suspended += !task->suspended;
	task->suspended = true;
	return (0);
}
