/*
 * How many of the tasks that are shown have which colour: all of them, drawn
 * or not.  They are counted when nothing more comes, some in each frame; until
 * then the legend has no numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "treepane.h"
#include "ui/desk/desk.h"

#define TASKS_A_FRAME (1u << 18)

/* What is counted; UINT32_MAX: nothing can be. */
static uint32_t
classes(const struct ui *ui)
{
	const struct model *m = ui->model;

	if (ui->trees.of != TREE_TASKS || two_runs(ui) || run_grows(ui) ||
	    ui->tree.until_mon_ns != INT64_MAX || model_tasks_gone(m) > 0)
		return (UINT32_MAX);
	switch (ui->tree.colour) {
	case RADIAL_PE:
	case RADIAL_PE_TIME:
		return (model_pes(m));
	case RADIAL_PROCEDURE:
		return (model_names(m) + 1);
	case RADIAL_STATE:
		return (RADIAL_STATES);
	default:
		return (UINT32_MAX);
	}
}

/* Is it that of what is shown now? */
static bool
is_same(const struct tally *y, const struct ui *ui, uint32_t n)
{
	return (y->of != NULL && y->n == n && y->model == ui->model &&
		y->version == model_tree_version(ui->model) &&
		y->root == ui->tree.root && y->subtree == ui->tree.subtree &&
		y->colour == ui->tree.colour);
}

uint32_t
tree_top(const struct model *m, uint32_t root, bool subtree)
{
	uint32_t up;

	while (root < model_tasks(m) && !subtree &&
	       (up = model_task_parent(m, root)) != TASK_NONE)
		root = up;
	return (root < model_tasks(m) ? root : TASK_NONE);
}

uint32_t
tree_next(const struct model *m, uint32_t top, uint32_t t)
{
	uint32_t next;

	if (top == TASK_NONE)
		return (t + 1 < model_tasks(m) ? t + 1 : TASK_NONE);
	next = model_task_first(m, t);
	while (next == TASK_NONE && t != top) {
		next = model_task_next(m, t);
		t = model_task_parent(m, t);
		if (t == TASK_NONE)
			break;
	}
	return (next);
}

static int
begin(struct tally *y, const struct ui *ui, uint32_t n)
{
	const struct model *m = ui->model;

	free(y->of);
	*y = (struct tally){ .of = calloc((size_t)n + 1, sizeof(*y->of)),
		.n = n,
		.model = m,
		.version = model_tree_version(m),
		.root = ui->tree.root,
		.subtree = ui->tree.subtree,
		.colour = ui->tree.colour,
		.top = tree_top(m, ui->tree.root, ui->tree.subtree) };
	if (y->of == NULL)
		return (-1);
	y->at = y->top == TASK_NONE ? 0 : y->top;
	y->done = model_tasks(m) == 0;
	return (0);
}

/* Of equal ones the first. */
static void
rank(struct tally *y)
{
	uint32_t i;

	for (uint32_t c = 0; c < y->n; c++) {
		if (y->of[c] == 0)
			continue;
		y->used++;
		for (i = y->nmost; i > 0 && y->of[y->most[i - 1]] < y->of[c];
		     i--)
			if (i < TALLY_MOST)
				y->most[i] = y->most[i - 1];
		if (i == TALLY_MOST)
			continue;
		y->most[i] = c;
		y->nmost += y->nmost < TALLY_MOST;
	}
}

const struct tally *
tree_tally(struct ui *ui, uint32_t tasks)
{
	struct tally *y = &ui->treepane.tally;
	uint32_t n = classes(ui), class;
	unsigned door;

	if (n == UINT32_MAX || (!is_same(y, ui, n) && begin(y, ui, n) == -1))
		return (NULL);
	door = model_enter(y->model);
	for (; !y->done && tasks > 0; tasks--) {
		class = radial_class(y->model, y->colour, y->at);
		y->of[class < n ? class : n]++;
		y->at = tree_next(y->model, y->top, y->at);
		y->done = y->at == TASK_NONE;
		if (y->done)
			rank(y);
	}
	model_leave(y->model, door);
	ui->picture->undone |= !y->done;
	return (y->done ? y : NULL);
}

const struct tally *
tree_tally_frame(struct ui *ui)
{
	return (tree_tally(ui, TASKS_A_FRAME));
}
