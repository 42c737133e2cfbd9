/*
 * Trees that are made for the radial view: of nodes, processes and threads by
 * who started whom, and of calls by who called whom
 * (grown_places.c, grown_calls.c).
 *
 * Each is a model of its own (forest.h) and is made anew when what it was made
 * of has changed; ids of nodes stay, so that what was selected, opened or
 * zoomed to is found again under its new number.
 */
#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/layer.h"
#include "ui/trees/grown.h"

#define PAUSE 20 /* frames before a tree of a run that grows is made anew */

struct grown_node *
grown_add(struct grown *g, const struct forest_node *f)
{
	uint32_t cap = g->cap == 0 ? 256 : g->cap * 2, at;
	struct grown_node *n;

	if (g->n == g->cap) {
		n = realloc(g->node, cap * sizeof(*n));
		if (n == NULL)
			return (NULL);
		g->node = n;
		g->cap = cap;
	}
	at = forest_add(g->model, f);
	if (at != g->n) /* ENOMEM, or an id that was there before */
		return (NULL);
	n = &g->node[g->n++];
	memset(n, 0, sizeof(*n));
	n->lane = UINT32_MAX;
	return (n);
}

uint16_t
grown_colour(struct grown *g, uint32_t lane)
{
	uint32_t *p;

	for (uint32_t i = 0; i < g->ncolours; i++)
		if (g->colour_lane[i] == lane)
			return ((uint16_t)i);
	if (g->ncolours == 4096) /* nobody can tell that many apart */
		return (4095);
	p = realloc(g->colour_lane, (g->ncolours + 1) * sizeof(*p));
	if (p == NULL)
		return (0);
	g->colour_lane = p;
	p[g->ncolours] = lane;
	return ((uint16_t)g->ncolours++);
}

/*
 * Of each node with all below it.  Time of a path holds that of the paths
 * below; of threads it is added up.
 */
void
grown_weigh(struct grown *g)
{
	bool time = g->of.weight == WEIGHT_TIME;
	double own, *below;
	struct task t;

	free(g->weight);
	g->weight = NULL;
	if (g->of.weight == WEIGHT_EVEN)
		return;
	g->weight = calloc(g->n + 1, sizeof(*g->weight));
	if (g->weight == NULL)
		return;
	below = g->weight;
	for (uint32_t i = g->n; i-- > 0;) { /* children come later */
		own = !time ? (i > 0 || g->of.kind == TREE_THREADS
				      ? (double)g->node[i].calls
				      : 0)
		      : g->of.kind == TREE_CALLS ? (double)g->node[i].total_ns
						 : (double)g->node[i].self_ns;
		if (time && g->of.kind == TREE_CALLS)
			below[i] = own > below[i] ? own : below[i];
		else
			below[i] += own;
		below[i] = below[i] < 1 ? 1 : below[i];
		model_task_get(g->model, i, &t);
		if (t.parent != TASK_NONE)
			below[t.parent] += below[i];
	}
}

/* The number that a node has in the new tree. */
static uint32_t
renumber(const struct model *was, const struct model *is, uint32_t number)
{
	struct task t;

	if (was == NULL || number >= model_tasks(was))
		return (number);
	model_task_get(was, number, &t);
	return (model_task_by_id(is, t.id));
}

void
grown_find_again(struct ui *ui, const struct model *was)
{
	const struct model *is = ui->trees.grown.model;

	ui->tree.root = renumber(was, is, ui->tree.root);
	if (ui->tree.root == TASK_NONE)
		ui->tree.subtree = false;
	for (unsigned i = 0; i < ui->trees.nopened; i++)
		ui->trees.opened[i].root =
		    renumber(was, is, ui->trees.opened[i].root);
	for (unsigned i = 0; i < ui->history.n; i++)
		if (ui->history.place[i].tree_of == ui->trees.of)
			ui->history.place[i].root =
			    renumber(was, is, ui->history.place[i].root);
}

void
grown_show(struct ui *ui)
{
	ui->tree.weights = ui->trees.grown.weight;
	ui->tree.tints = ui->trees.grown.tint;
	radial_layout_free(&ui->treepane.nodes); /* it is about the old one */
	layer_drop(&ui->treepane.layer);
}

bool
grown_same(const struct grown_of *a, const struct grown_of *b)
{
	return (a->model == b->model && a->kind == b->kind &&
		a->weight == b->weight && a->order == b->order &&
		a->version == b->version && a->events == b->events &&
		a->t0 == b->t0 && a->t1 == b->t1 && a->palette == b->palette);
}

/* What the tree would be made of now. */
static struct grown_of
wanted(const struct ui *ui)
{
	struct grown_of of;

	memset(&of, 0, sizeof(of));
	of.model = ui->model;
	of.kind = ui->trees.of;
	of.weight = ui->trees.weight[ui->trees.of];
	of.order = ui->tree.order;
	if (of.kind == TREE_CALLS) {
		of.version =
		    ui->trees.lane == UINT32_MAX
			? ui->figures.sums.version
			: ui->figures.tree_sums.version << 32 | ui->trees.lane;
		return (of);
	}
	of.events = model_events(ui->model) + model_details(ui->model);
	of.version = model_lanes(ui->model);
	figures_range(ui, &of.t0, &of.t1);
	return (of);
}

static void
make(struct ui *ui, const struct grown_of *of)
{
	struct grown *g = &ui->trees.grown;
	struct model *was = g->model, *is = forest_new();
	bool same = g->of.kind == of->kind && g->of.model == of->model;

	if (is == NULL)
		return;
	g->model = is;
	g->of = *of;
	g->n = 0;
	g->ncolours = 0;
	if (of->kind == TREE_CALLS)
		grown_calls(ui, g);
	else
		grown_places(ui, g);
	forest_done(is);
	grown_weigh(g);
	if (same)
		grown_find_again(ui, was);
	model_free(was);
	grown_show(ui);
	g->due =
	    ui->picture->frame + PAUSE + g->n / 500; /* large ones less often */
}

/* The same places in another range: only how busy they were differs. */
static bool
is_timed_anew(const struct grown_of *is, struct grown_of was)
{
	was.t0 = is->t0;
	was.t1 = is->t1;
	return (is->kind == TREE_THREADS && is->weight == WEIGHT_EVEN &&
		grown_same(is, &was));
}

bool
grown_prepare(struct ui *ui)
{
	struct grown *g = &ui->trees.grown;
	struct grown_of of;

	if (is_second(ui))
		return (true); /* it is made with the other one's */
	if (two_runs(ui))
		return (compare_grow(ui));
	if (ui->trees.of == TREE_TASKS)
		return (true);
	if (ui->trees.of == TREE_CALLS) {
		if (ui->trees.lane == UINT32_MAX) {
			if (!sums_prepare(ui, &ui->figures.sums, UINT32_MAX))
				return (false);
		} else if (!sums_prepare(ui, &ui->figures.tree_sums,
			       ui->trees.lane)) {
			return (false);
		}
	}
	of = wanted(ui);
	if (g->model != NULL && grown_same(&of, &g->of))
		return (true);
	if (g->model != NULL && is_timed_anew(&of, g->of)) {
		grown_times(ui, g);
		g->of = of;
		return (true);
	}
	if (g->model != NULL && g->of.kind == of.kind &&
	    g->of.weight == of.weight && g->of.order == of.order &&
	    of.kind != TREE_CALLS && run_outruns(ui) &&
	    ui->picture->frame < g->due) {
		ui->picture->undone = true;
		return (true);
	}
	make(ui, &of);
	return (true);
}
