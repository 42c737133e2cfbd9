/*
 * The tree of nodes, processes and threads: each hangs below who started it,
 * as far as the run says so, else below where it is.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/trees/grown.h"

#define NODES_COLOURED 1024
#define BUSY           (TASK_NONE - 1) /* its place is just being looked for */

struct places_tree {
	struct ui *ui;
	struct grown *g;
	uint32_t *number; /* by lane; TASK_NONE: not added yet */
	uint32_t lanes, root;
	int64_t t0, t1;
};

/* What this one hangs below: who started it, else where it is. */
static uint32_t
lane_above(const struct places_tree *p, uint32_t lane)
{
	uint32_t up = model_lane_maker(p->ui->model, lane);

	if (up < p->lanes && up != lane && p->number[up] != BUSY)
		return (up);
	return (model_lane(p->ui->model, lane)->parent);
}

static uint32_t
lane_node(const struct model *m, uint32_t lane)
{
	const struct lane *l = model_lane(m, lane);

	while (l->parent != UINT32_MAX)
		l = model_lane(m, l->parent);
	return (l->id);
}

/* Nodes and processes that do something, and threads. */
static bool
is_place(const struct model *m, const struct lane *l)
{
	int64_t t0, t1;

	if (l->kind == LANE_THREAD ? l->thread == 0 : l->kind > LANE_THREAD)
		return (false);
	return (l->node != 0 && (l->kind == LANE_NODE || l->po != 0) &&
		model_lane_life(m, l->id, &t0, &t1));
}

/* Time in which it did something, and what it waited. */
static void
place_times(struct ui *ui, struct grown_node *n, int64_t t0, int64_t t1)
{
	const struct lane *l = model_lane(ui->model, n->lane);
	int64_t by_class[LANE_CLASSES];

	*n = (struct grown_node){ .lane = n->lane };
	if (l->kind != LANE_THREAD || t1 <= t0)
		return;
	if (!model_lane_totals(ui->model, l->id, t0, t1, by_class, &n->calls)) {
		ui_rough(ui, SUMS_LANES, t0, t1);
		n->rough = true;
	}
	for (unsigned i = LANE_running; i <= LANE_wait_cond; i++) {
		n->total_ns += by_class[i];
		n->blocked_ns += lane_waits(i) ? by_class[i] : 0;
	}
	n->self_ns = n->total_ns - n->blocked_ns;
	n->threads = 1;
}

void
grown_times(struct ui *ui, struct grown *g)
{
	int64_t t0, t1;

	figures_range(ui, &t0, &t1);
	for (uint32_t i = 0; i < g->n; i++)
		if (g->node[i].lane < model_lanes(ui->model))
			place_times(ui, &g->node[i], t0, t1);
}

/* Begin and end, as far as they are known. */
static void
place_life(const struct model *m, const struct lane *l, struct forest_node *f)
{
	int64_t t0, t1, end;

	f->begin_ns = f->end_ns = INT64_MIN;
	if (!model_lane_life(m, l->id, &t0, &t1))
		return;
	f->begin_ns = t0;
	if (model_lane_ended(m, l->id, &end))
		f->end_ns = end;
	else if (model_finished(m))
		f->end_ns = t1;
}

/* Nodes have the colours that they have on objects' rows: by their names. */
static void
colour_nodes(struct places_tree *p)
{
	const struct model *m = p->ui->model;
	uint32_t of[NODES_COLOURED], rank;

	memset(of, 0xff, sizeof(of));
	for (uint32_t i = 0; i < p->lanes; i++) {
		const struct lane *l = model_lane(m, i);

		if (l->kind != LANE_NODE || l->node == 0)
			continue;
		rank = model_node_rank(m, l->node);
		if (rank < NODES_COLOURED)
			of[rank] = i;
	}
	for (rank = 0; rank < NODES_COLOURED && of[rank] != UINT32_MAX; rank++)
		grown_colour(p->g, of[rank]);
}

/* Number of a lane's node, which is added with all above it. */
static uint32_t
place_add(struct places_tree *p, uint32_t lane)
{
	const struct model *m = p->ui->model;
	const struct lane *l = model_lane(m, lane);
	struct forest_node f = { .id = (uint64_t)lane + 1 };
	struct grown_node *n;
	char name[128];
	uint32_t up;

	if (p->number[lane] != TASK_NONE)
		return (p->number[lane]);
	p->number[lane] = BUSY;
	up = lane_above(p, lane);
	f.parent = up < p->lanes ? place_add(p, up) : p->root;
	f.name = label_lane(m, l, name, sizeof(name));
	f.pe = grown_colour(p->g, lane_node(m, lane));
	place_life(m, l, &f);
	n = f.parent == BUSY ? NULL : grown_add(p->g, &f);
	p->number[lane] = TASK_NONE;
	if (n == NULL)
		return (TASK_NONE);
	n->lane = lane;
	place_times(p->ui, n, p->t0, p->t1);
	return (p->number[lane] = p->g->n - 1);
}

/* A place, and by what it is sorted. */
struct place_key {
	uint32_t lane, node, po, thread;
	int64_t t_ns;
};

static int
by_place(const void *a, const void *b)
{
	const struct place_key *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return (x->t_ns < y->t_ns ? -1 : 1);
	if (x->node != y->node)
		return (x->node < y->node ? -1 : 1);
	if (x->po != y->po)
		return (x->po < y->po ? -1 : 1);
	if (x->thread != y->thread)
		return (x->thread < y->thread ? -1 : 1);
	return ((x->lane > y->lane) - (x->lane < y->lane));
}

static size_t
places_sorted(const struct places_tree *p, struct place_key *k)
{
	const struct model *m = p->ui->model;
	size_t n = 0;
	int64_t t0, t1;

	for (uint32_t i = 0; i < p->lanes; i++) {
		const struct lane *l = model_lane(m, i);

		if (!is_place(m, l) || !model_lane_life(m, i, &t0, &t1))
			continue;
		k[n++] = (struct place_key){ i, l->node, l->po, l->thread,
			p->g->of.order == RADIAL_BY_TIME ? t0 : 0 };
	}
	if (n > 1)
		qsort(k, n, sizeof(*k), by_place);
	return (n);
}

void
grown_places(struct ui *ui, struct grown *g)
{
	struct places_tree p = { .ui = ui,
		.g = g,
		.lanes = model_lanes(ui->model),
		.root = TASK_NONE };
	struct forest_node f = { .id = UINT64_MAX,
		.parent = TASK_NONE,
		.name = ui->feed.run_name[0] != '\0' ? ui->feed.run_name
						     : "the run",
		.begin_ns = INT64_MIN, /* it has no colour */
		.end_ns = INT64_MIN };
	struct place_key *k = malloc((p.lanes + 1) * sizeof(*k));
	size_t n, nodes = 0;

	p.number = malloc((p.lanes + 1) * sizeof(*p.number));
	figures_range(ui, &p.t0, &p.t1);
	if (k != NULL && p.number != NULL && p.lanes > 0) {
		memset(p.number, 0xff, p.lanes * sizeof(*p.number));
		colour_nodes(&p);
		n = places_sorted(&p, k);
		for (size_t i = 0; i < n; i++)
			nodes += k[i].po == 0;
		if (nodes > 1 && grown_add(g, &f) != NULL)
			p.root = 0;
		for (size_t i = 0; i < n; i++)
			place_add(&p, k[i].lane);
	}
	free(p.number);
	free(k);
}
