/*
 * How many tasks began in a range of time.
 *
 * Tasks are numbered as they were spawned, so neighbours begin at about the
 * same time.  Of each group of consecutive tasks that have all begun, the
 * first and last begin are kept: most groups then lie wholly inside or outside
 * of a range and their tasks need not be looked at.
 *
 * Of a run of very many tasks they are found out over some frames; until then
 * there are more tasks than are told.
 */
#include <stdlib.h>

#include "ui/desk/desk.h"

#define GROUP   256u
#define AT_ONCE 4096u /* groups that are new to a frame: some ms */

static int64_t
begin_of(const struct model *m, uint32_t task)
{
	return (model_task_begin(m, task));
}

static int
groups_reserve(struct task_counts *c, uint32_t n)
{
	struct task_group *g;
	uint32_t cap = n + n / 2 + 64;

	if (n > c->cap) {
		g = realloc(c->group, cap * sizeof(*g));
		if (g == NULL)
			return (-1);
		c->group = g;
		c->cap = cap;
	}
	for (; c->n < n; c->n++)
		c->group[c->n] = (struct task_group){ INT64_MAX, INT64_MIN };
	return (0);
}

/* Looks at each task of a group; closes the group when all have begun. */
static uint64_t
count_tasks(const struct model *m, uint32_t from, uint32_t to, int64_t t0,
    int64_t t1, struct task_group *g)
{
	int64_t lo = INT64_MAX, hi = INT64_MIN, at;
	uint64_t count = 0;

	for (uint32_t i = from; i < to; i++) {
		at = begin_of(m, i);
		count += at >= t0 && at < t1;
		lo = at < lo ? at : lo;
		hi = at > hi ? at : hi;
	}
	if (to - from == GROUP && lo != INT64_MIN)
		*g = (struct task_group){ lo, hi };
	return (count);
}

/* Up to which group all are looked at in this frame. */
static uint32_t
groups_go_on(struct ui *ui, uint32_t groups)
{
	struct task_counts *c = &ui->figures.tasks;

	if (c->model != ui->model)
		c->n = c->looked = 0;
	c->model = ui->model;
	if (ui->picture->stop_cb == NULL || groups < c->looked ||
	    groups - c->looked <= AT_ONCE)
		c->looked = groups;
	else
		c->looked += AT_ONCE;
	return (c->looked);
}

uint64_t
tasks_in(struct ui *ui, int64_t t0, int64_t t1)
{
	struct task_counts *c = &ui->figures.tasks;
	uint32_t n = model_tasks(ui->model), groups = (n + GROUP - 1) / GROUP;
	uint32_t until = groups_go_on(ui, groups);
	uint64_t count = 0;
	unsigned door;

	c->busy = until < groups;
	if (groups_reserve(c, groups) == -1)
		return (0);
	door = model_enter(ui->model);
	for (uint32_t i = 0; i < until; i++) {
		struct task_group *g = &c->group[i];
		uint32_t from = i * GROUP;

		if (g->hi == INT64_MIN ||
		    (g->lo < t1 && g->hi >= t0 && (g->lo < t0 || g->hi >= t1)))
			count += count_tasks(ui->model, from,
			    n - from > GROUP ? from + GROUP : n, t0, t1, g);
		else if (g->lo >= t0 && g->hi < t1)
			count += GROUP;
	}
	model_leave(ui->model, door);
	return (count);
}
