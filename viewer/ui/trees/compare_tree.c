/*
 * One tree for two runs.  A node of it is what both have in the same place of
 * the program: below the same parent, of the same name, the n-th of that name;
 * or what only one of them has there.  Both runs are then drawn as this tree,
 * each with its own times and processors, so that the same place of the
 * picture is the same place of the program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/trees/compare_inside.h"
#include "ui/trees/grown.h"

#define PAUSE 30 /* frames before the tree of runs that grow is made anew */

/* What a node is in its own run; what it took is what is compared. */
static int64_t
side_node(const struct side *s, uint32_t task, struct forest_node *f,
    struct grown_node *n)
{
	struct task t;
	const char *name;

	*n = (struct grown_node){ .lane = UINT32_MAX, .task = task };
	if (task == TASK_NONE)
		return (0);
	model_task_get(s->m, task, &t);
	name = side_name(s, task);
	f->name = name[0] != '\0' ? name : NULL;
	f->begin_ns =
	    t.begin_mon_ns != INT64_MIN ? t.begin_mon_ns : t.spawn_mon_ns;
	f->end_ns = t.end_mon_ns;
	f->busy_ns = t.busy_ns;
	f->suspensions = t.suspensions;
	f->pe = t.pe;
	if (s->own.model != NULL) {
		*n = s->own.node[task];
		n->task = task;
		return (
		    s->ui->trees.of == TREE_CALLS ? n->total_ns : n->self_ns);
	}
	n->calls = 1;
	n->total_ns = n->self_ns = t.busy_ns;
	n->blocked_ns = t.suspended_ns;
	return (n->self_ns);
}

/* Less time in the second is blue, more is orange. */
static uint32_t
tint(const struct palette *p, const struct pair *x, bool first, int64_t a,
    int64_t b)
{
	double by;
	unsigned part;
	uint32_t grey = palette_mix(p->background, p->faint, 150);

	if ((first ? x->a : x->b) == TASK_NONE)
		return (
		    palette_mix(p->background, p->faint, 50) | RADIAL_ABSENT);
	if (x->a == TASK_NONE)
		return (DIFFERENCE_ONLY_B);
	if (x->b == TASK_NONE)
		return (DIFFERENCE_ONLY_A);
	by = log2(((double)b + 100) / ((double)a + 100)) / 2;
	by = by > 1 ? 1 : by < -1 ? -1 : by;
	part = (unsigned)(fabs(by) * 255);
	return (palette_mix(grey, by > 0 ? DIFFERENCE_MORE : DIFFERENCE_LESS,
	    part));
}

/* The two trees, node by node of the one that they share. */
static void
plant(struct ui *ui, struct side s[2], const struct pairs *v)
{
	struct ui *const *of = ui->desks->desk;
	struct forest_node f[2];
	struct grown_node n[2], *got;
	struct grown *g;
	struct task up;
	int64_t ns[2];

	for (int i = 0; i < 2; i++) {
		g = &of[i]->trees.grown;
		g->tint = malloc((v->n + 1) * sizeof(*g->tint));
		g->model = forest_new();
		if (g->tint == NULL || g->model == NULL)
			return;
	}
	for (uint32_t k = 0; k < v->n; k++) {
		const struct pair *x = &v->p[k];
		uint64_t id = 0;

		memset(f, 0, sizeof(f));
		f[0].begin_ns = f[1].begin_ns = INT64_MIN;
		f[0].end_ns = f[1].end_ns = INT64_MIN;
		ns[0] = side_node(&s[0], x->a, &f[0], &n[0]);
		ns[1] = side_node(&s[1], x->b, &f[1], &n[1]);
		if (x->up != TASK_NONE) {
			model_task_get(ui->trees.grown.model, x->up, &up);
			id = up.id;
		}
		f[0].name = f[0].name != NULL ? f[0].name : f[1].name;
		f[1].name = f[0].name;
		id = forest_hash(id + x->ord * 0x9e3779b97f4a7c15u,
		    f[0].name != NULL ? f[0].name : "");
		for (int i = 0; i < 2; i++) {
			f[i].id = id;
			f[i].parent = x->up;
			g = &of[i]->trees.grown;
			got = grown_add(g, &f[i]);
			if (got == NULL)
				return;
			*got = n[i];
			got->both = x->a != TASK_NONE && x->b != TASK_NONE;
			got->other_ns = ns[1 - i];
			g->tint[k] = tint(ui->palette, x, i == 0, ns[0], ns[1]);
			g->only += (i == 0 ? x->b : x->a) == TASK_NONE;
		}
	}
}

/* Where each task of the run is in the tree of both. */
static void
number_tasks(struct ui *ui)
{
	struct grown *g = &ui->trees.grown;

	if (ui->trees.of != TREE_TASKS || g->model == NULL)
		return;
	g->ntasks = model_tasks(ui->model);
	g->of_task = malloc((g->ntasks + 1) * sizeof(*g->of_task));
	if (g->of_task == NULL) {
		g->ntasks = 0;
		return;
	}
	memset(g->of_task, 0xff, g->ntasks * sizeof(*g->of_task));
	for (uint32_t i = 0; i < g->n; i++)
		if (g->node[i].task < g->ntasks)
			g->of_task[g->node[i].task] = i;
}

/* Sectors have room for both. */
static void
weigh_both(struct ui *ui)
{
	struct grown *a = &ui->trees.grown,
		     *b = &ui->desks->desk[1]->trees.grown;

	grown_weigh(a);
	grown_weigh(b);
	if (a->weight == NULL || b->weight == NULL)
		return;
	for (uint32_t i = 0; i < a->n; i++)
		a->weight[i] = b->weight[i] = a->weight[i] + b->weight[i];
}

/* Colours of time are of the time since the start, in both. */
static void
span_both(struct ui *ui)
{
	struct ui *const *of = ui->desks->desk;
	int64_t lo = INT64_MAX, hi = INT64_MIN, at;

	for (int i = 0; i < 2; i++) {
		const struct model *m = of[i]->trees.grown.model;

		for (uint32_t k = 0; k < model_tasks(m); k++) {
			at = model_task_begin(m, k);
			if (at == INT64_MIN)
				continue;
			at -= run_begin(of[i]);
			lo = at < lo ? at : lo;
			hi = at > hi ? at : hi;
		}
	}
	for (int i = 0; i < 2 && lo <= hi; i++) {
		of[i]->tree.span0_mon_ns = lo + run_begin(of[i]);
		of[i]->tree.span1_mon_ns = hi + run_begin(of[i]) + 1;
	}
}

/* Colours stand for the same as in the first one. */
static void
side_open(struct side *s, struct ui *ui, const struct grown *like)
{
	memset(s, 0, sizeof(*s));
	s->ui = ui;
	s->m = ui->model;
	if (ui->trees.of == TREE_TASKS)
		return;
	s->own.of.kind = ui->trees.of;
	s->own.of.model = ui->model;
	s->own.of.order = RADIAL_BY_PATH;
	s->own.model = forest_new();
	if (s->own.model == NULL)
		return;
	for (uint32_t i = 0; like != NULL && i < like->ncolours; i++)
		grown_colour(&s->own, compare_lane(ui->desks->desk[0]->model,
					  like->colour_lane[i], ui->model));
	if (ui->trees.of == TREE_CALLS)
		grown_calls(ui, &s->own);
	else
		grown_places(ui, &s->own);
	forest_done(s->own.model);
	s->m = s->own.model;
}

static void
side_close(struct side *s)
{
	model_free(s->own.model);
	free(s->own.node);
	free(s->own.colour_lane);
}

static void
grow(struct ui *ui, const struct grown_of *of)
{
	struct ui *o = ui->desks->desk[1];
	struct model *was = ui->trees.grown.model, *was2 = o->trees.grown.model;
	bool same = ui->trees.grown.of.kind == of->kind &&
		    ui->trees.grown.of.model == of->model;
	struct pairs v = { 0 };
	struct side s[2];

	side_open(&s[0], ui, NULL);
	side_open(&s[1], o, &s[0].own);
	pairs_make(&v, s);
	ui->trees.grown.model = o->trees.grown.model = NULL;
	grown_clear(ui);
	grown_clear(o);
	ui->trees.grown.of = o->trees.grown.of = *of;
	if (v.full) {
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "more than %u to compare, one by one", PAIRS_MAX);
		v.n = 0;
	}
	plant(ui, s, &v);
	for (int i = 0; i < 2; i++) {
		struct grown *g = i == 0 ? &ui->trees.grown : &o->trees.grown;

		/* what colours stand for */
		g->colour_lane = s[i].own.colour_lane;
		g->ncolours = s[i].own.ncolours;
		s[i].own.colour_lane = NULL;
		if (g->model != NULL)
			forest_done(g->model);
	}
	number_tasks(ui);
	number_tasks(o);
	weigh_both(ui);
	span_both(ui);
	if (same && was != NULL && ui->trees.grown.model != NULL)
		grown_find_again(ui, was);
	else if (ui->trees.grown.model != NULL)
		ui->tree.subtree = false;
	if (!same)
		ui->tree.root = TASK_NONE;
	model_free(was);
	model_free(was2);
	grown_show(ui);
	grown_show(o);
	side_close(&s[0]);
	side_close(&s[1]);
	free(v.p);
}

/* What both trees are made of. */
static bool
wanted(struct ui *ui, struct grown_of *of)
{
	struct ui *o = ui->desks->desk[1];
	struct sums *a = ui->trees.lane == UINT32_MAX ? &ui->figures.sums
						      : &ui->figures.tree_sums;
	struct sums *b = ui->trees.lane == UINT32_MAX ? &o->figures.sums
						      : &o->figures.tree_sums;

	memset(of, 0, sizeof(*of));
	of->model = o->model;
	of->kind = ui->trees.of;
	of->weight = ui->trees.weight[ui->trees.of];
	of->palette = ui->palette;
	if (of->kind == TREE_CALLS) {
		if (!sums_prepare(ui, a, ui->trees.lane) ||
		    !sums_prepare(o, b, o->trees.lane))
			return (false);
		of->version = a->version;
		of->events = b->version << 20 | (ui->trees.lane & 0xfffff);
	} else if (of->kind == TREE_TASKS) {
		of->version = model_tree_version(ui->model);
		of->events = model_tree_version(o->model);
	} else {
		of->version = model_events(ui->model);
		of->events = model_events(o->model);
		figures_range(ui, &of->t0, &of->t1);
	}
	return (true);
}

bool
compare_grow(struct ui *ui)
{
	struct grown *g = &ui->trees.grown;
	struct grown_of of;

	if (!wanted(ui, &of))
		return (false);
	if (g->model != NULL && grown_same(&of, &g->of))
		return (true);
	if (g->model != NULL && g->of.kind == of.kind &&
	    g->of.weight == of.weight && of.kind != TREE_CALLS &&
	    (run_grows(ui) || run_grows(ui->desks->desk[1])) &&
	    ui->picture->stop_cb != NULL && ui->picture->frame < g->due) {
		ui->picture->undone = true;
		return (true);
	}
	grow(ui, &of);
	g->due =
	    ui->picture->frame + PAUSE + g->n / 500; /* large ones less often */
	return (true);
}
