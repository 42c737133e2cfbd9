/* The tree of calls: the paths of the panels' range, in order. */
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "ui/desk/desk.h"
#include "ui/trees/grown.h"

struct path_key {
	const char *name;
	uint32_t path, parent, level;
	int64_t t_ns;
};

static int
by_level(const void *a, const void *b)
{
	const struct path_key *x = a, *y = b;
	int by_name;

	if (x->level != y->level)
		return (x->level < y->level ? -1 : 1);
	if (x->parent != y->parent)
		return (x->parent < y->parent ? -1 : 1);
	if (x->t_ns != y->t_ns)
		return (x->t_ns < y->t_ns ? -1 : 1);
	by_name = strcmp(x->name, y->name);
	return (
	    by_name != 0 ? by_name : (x->path > y->path) - (x->path < y->path));
}

static const char *
path_name(const struct model *m, const struct call *c)
{
	if (c->name != 0)
		return (label_name(m, c->name));
	return (label_kind(c->kind));
}

static struct path_key *
paths_sorted(const struct ui *ui, const struct grown *g, const struct call *c,
    size_t n)
{
	struct path_key *k = malloc((n + 1) * sizeof(*k));
	uint32_t *level = malloc((n + 1) * sizeof(*level));

	for (size_t i = 0; k != NULL && level != NULL && i < n; i++) {
		level[i] =
		    c[i].parent == CALL_NONE ? 1 : level[c[i].parent] + 1;
		k[i] = (struct path_key){ path_name(ui->model, &c[i]),
			(uint32_t)i, c[i].parent, level[i],
			g->of.order == RADIAL_BY_TIME ? c[i].first_ns : 0 };
	}
	if (level == NULL) {
		free(k);
		k = NULL;
	}
	free(level);
	if (k != NULL && n > 1)
		qsort(k, n, sizeof(*k), by_level);
	return (k);
}

/* An id that is the same for the same path, from one tree to the next. */
static uint64_t
path_id(const struct grown *g, uint32_t parent, const char *name, uint32_t path)
{
	struct task up;
	uint64_t id;

	model_task_get(g->model, parent, &up);
	id = forest_hash(up.id, name);
	while (model_task_by_id(g->model, id) != TASK_NONE)
		id = forest_hash(id + path, name); /* of the same text */
	return (id);
}

static void
path_add(struct grown *g, const struct call *c, const char *name, uint32_t path,
    uint32_t *number, int64_t t1, bool rough)
{
	struct forest_node f = { .parent = c->parent == CALL_NONE
					       ? 0
					       : number[c->parent],
		.name = name,
		.begin_ns = c->first_ns,
		.end_ns = c->last_ns >= t1 ? INT64_MIN : c->last_ns,
		.busy_ns = c->self_ns,
		.suspensions = c->blocked_ns * 20 > c->total_ns };
	struct grown_node *n;

	number[path] = TASK_NONE;
	if (f.parent == TASK_NONE || (c->total_ns == 0 && c->calls == 0))
		return;
	f.id = path_id(g, f.parent, name, path);
	f.pe = grown_colour(g, c->lane);
	n = grown_add(g, &f);
	if (n == NULL)
		return;
	number[path] = g->n - 1;
	*n = (struct grown_node){ .lane = c->lane,
		.threads = c->threads,
		.name = c->name,
		.calls = c->calls,
		.total_ns = c->total_ns,
		.self_ns = c->self_ns,
		.blocked_ns = c->blocked_ns,
		.longest_ns = c->longest_ns,
		.rough = rough };
}

/* Waits of a path are those of all below it, too; k has what is above first. */
static void
waits_up(struct grown *g, const struct call *c, const struct path_key *k,
    size_t n, const uint32_t *number)
{
	for (size_t i = n; i-- > 0;) {
		uint32_t path = k[i].path, up = c[path].parent;

		if (number[path] == TASK_NONE)
			continue;
		g->node[number[path]].waits_ns += c[path].blocked_ns;
		g->node[up == CALL_NONE ? 0 : number[up]].waits_ns +=
		    g->node[number[path]].waits_ns;
	}
}

void
grown_calls(struct ui *ui, struct grown *g)
{
	const struct sums *s = ui->trees.lane == UINT32_MAX
				   ? &ui->figures.sums
				   : &ui->figures.tree_sums;
	const struct call *c = NULL;
	size_t n = s->shown != NULL ? calls_paths(s->shown, &c) : 0;
	struct path_key *k = paths_sorted(ui, g, c, n);
	uint32_t *number = malloc((n + 1) * sizeof(*number));
	struct forest_node f = { .id = 1,
		.parent = TASK_NONE,
		.name = "all threads",
		.begin_ns = s->of.t0,
		.end_ns = INT64_MIN };
	struct grown_node *root;
	char name[128];

	if (ui->trees.lane < model_lanes(ui->model))
		f.name = label_lane(ui->model,
		    model_lane(ui->model, ui->trees.lane), name, sizeof(name));
	if (k != NULL && number != NULL && n > 0 && grown_add(g, &f) != NULL) {
		for (size_t i = 0; i < n; i++)
			path_add(g, &c[k[i].path], k[i].name, k[i].path, number,
			    s->of.t1, !calls_exact(s->shown));
		waits_up(g, c, k, n, number);
		root = &g->node[0];
		for (size_t i = 0; i < n; i++)
			if (c[i].parent == CALL_NONE) {
				root->total_ns += c[i].total_ns;
				root->calls += c[i].calls;
			}
		root->lane = ui->trees.lane;
	}
	free(number);
	free(k);
}
