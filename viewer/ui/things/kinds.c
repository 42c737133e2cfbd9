/*
 * What the radial view is a tree of, and what that means for its numbers, its
 * colours and for what is selected in it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/layer.h"

#define ZOOM_MAX      4000.0
#define BY_PATH_TASKS (1u << 17)

const char *const tree_of_name[TREE_KINDS] = { "tasks", "threads", "calls" };
const char *const tree_weight_name[TREE_WEIGHTS] = { "even", "calls", "time" };

/* Is it one that was made here? */
static bool
is_grown(const struct ui *ui)
{
	return (ui->trees.grown.model != NULL &&
		(ui->trees.of != TREE_TASKS || two_runs(ui)));
}

const struct model *
tree_model(const struct ui *ui)
{
	return (is_grown(ui) ? ui->trees.grown.model : ui->model);
}

const struct grown_node *
tree_node(const struct ui *ui, uint32_t number)
{
	if (!is_grown(ui) || number >= ui->trees.grown.n)
		return (NULL);
	return (&ui->trees.grown.node[number]);
}

/* The node of a row, or of the nearest row above it that has one. */
static uint32_t
row_number(const struct ui *ui, uint32_t lane)
{
	bool two = two_runs(ui);
	uint32_t n = TASK_NONE;

	while (lane < model_lanes(ui->model) && n == TASK_NONE) {
		if (!two)
			n = model_task_by_id(ui->trees.grown.model,
			    (uint64_t)lane + 1);
		for (uint32_t i = 0; two && i < ui->trees.grown.n; i++)
			if (ui->trees.grown.node[i].lane == lane)
				n = i;
		lane = model_lane(ui->model, lane)->parent;
	}
	return (n);
}

static uint32_t
task_number(const struct ui *ui)
{
	uint32_t n = ui->time.selected_task == 0
			 ? TASK_NONE
			 : model_task_by_id(ui->model, ui->time.selected_task);

	if (!is_grown(ui))
		return (n);
	return (n < ui->trees.grown.ntasks ? ui->trees.grown.of_task[n]
					   : TASK_NONE);
}

uint32_t
tree_selected(const struct ui *ui)
{
	if (is_grown(ui) && ui->trees.selected_path != 0)
		return (model_task_by_id(ui->trees.grown.model,
		    ui->trees.selected_path));
	if (ui->trees.of == TREE_TASKS)
		return (task_number(ui));
	if (ui->trees.of == TREE_THREADS && is_grown(ui))
		return (row_number(ui, ui->time.selected_lane));
	return (TASK_NONE);
}

void
tree_select(struct ui *ui, uint32_t number)
{
	const struct grown_node *n = tree_node(ui, number);
	struct task t;

	picture_changed(ui->picture);
	ui->time.selected_lane = UINT32_MAX;
	if (!is_grown(ui)) {
		select_task(ui, number);
		return;
	}
	select_task(ui, TASK_NONE);
	ui->chosen.mark_lane = UINT32_MAX;
	ui->chosen.clicked.of = OF_NOTHING;
	if (n == NULL)
		return;
	if (ui->trees.of == TREE_TASKS && n->task != TASK_NONE)
		select_task(ui, n->task);
	else if (ui->trees.of == TREE_THREADS)
		ui->time.selected_lane = n->lane;
	if (ui->trees.of != TREE_CALLS && n->task != TASK_NONE)
		return; /* is found by that */
	model_task_get(ui->trees.grown.model, number, &t);
	ui->trees.selected_path = t.id;
}

/* Each tree keeps how it was seen. */
void
tree_show(struct ui *ui, enum tree_of of)
{
	struct opened *o = &ui->trees.put_by[ui->trees.of];

	if (of == ui->trees.of)
		return;
	*o = (struct opened){ ui->tree.root, ui->tree.subtree, ui->tree.colour,
		ui->tree.zoom, ui->tree.centre_x, ui->tree.centre_y,
		ui->tree.rotate_rad, ui->tree.form };
	if (ui->trees.of != TREE_TASKS) { /* its numbers will be others */
		o->root = TASK_NONE;
		o->subtree = false;
	}
	ui->trees.of = of;
	grown_clear(ui);
	o = &ui->trees.put_by[of];
	ui->tree.root = two_runs(ui) ? TASK_NONE : o->root;
	ui->tree.subtree = !two_runs(ui) && o->subtree;
	ui->tree.colour = o->colour;
	ui->tree.zoom = o->zoom;
	ui->tree.centre_x = o->centre_x;
	ui->tree.centre_y = o->centre_y;
	ui->tree.rotate_rad = o->rotate_rad;
	ui->tree.form = o->form;
	ui->trees.nopened = 0;
	ui->mouse.task = TASK_NONE;
	radial_layout_free(&ui->treepane.nodes);
	layer_drop(&ui->treepane.layer);
}

#define SETTLED_NS ((int64_t)1000000000) /* before then tasks may have some */

/*
 * A run whose tasks have no children is not a tree of tasks: as long as nobody
 * has asked for it, its calls are shown; of a run without calls, its threads.
 */
void
tree_choose(struct ui *ui)
{
	const struct model *m = ui->model;
	bool flat = model_task_places(m) == model_task_roots(m, NULL, 0);

	if (ui->trees.asked || two_runs(ui) || model_events(m) == 0)
		return;
	if (!flat)
		tree_show(ui, TREE_TASKS);
	else if (ui->trees.of == TREE_TASKS &&
		 (!run_grows(ui) ||
		     model_last_ns(m) - model_first_ns(m) > SETTLED_NS))
		tree_show(ui, model_name_stats(m, NULL, 0) > 0 ? TREE_CALLS
			      : model_tasks(m) == 0            ? TREE_THREADS
							       : TREE_TASKS);
	else if (ui->trees.of == TREE_THREADS &&
		 model_name_stats(m, NULL, 0) > 0)
		tree_show(ui, TREE_CALLS);
}

/*
 * That of the program, in which nothing changes places when more levels are
 * condensed, as long as it is not dear: then all tasks between two kept levels
 * are gone through.
 */
void
tree_order(struct ui *ui)
{
	if (ui->trees.order_asked || two_runs(ui))
		return;
	ui->tree.order = ui->trees.of == TREE_TASKS &&
				 model_task_places(ui->model) <= BY_PATH_TASKS
			     ? RADIAL_BY_PATH
			     : RADIAL_BY_TIME;
}

/* Of a run that grows others may come before it, when a parent is late. */
uint32_t
tree_number(struct ui *ui, uint32_t *trees)
{
	const struct model *m = ui->model;
	uint64_t version = model_tree_version(m);
	uint32_t t = ui->tree.root, up;
	unsigned door;

	*trees = model_trees(m);
	if (ui->trees.of != TREE_TASKS || two_runs(ui) || t >= model_tasks(m))
		return (0);
	if (ui->trees.told.model != m || ui->trees.told.version != version ||
	    ui->trees.told.root != t) {
		ui->trees.told.model = m;
		ui->trees.told.version = version;
		ui->trees.told.root = t;
		door = model_enter(m);
		while ((up = model_task_parent(m, t)) != TASK_NONE)
			t = up;
		ui->trees.told.number = model_tree_number(m, t);
		model_leave(m, door);
	}
	return (ui->trees.told.number);
}

const char *
ui_run_name(const struct ui *ui)
{
	const char *file = strrchr(ui->feed.source, '/');
	const struct ui *o = run_beside(ui);
	/* two runs of one name are told apart by their files */
	bool alone = o == NULL ||
		     strcmp(o->feed.run_name, ui->feed.run_name) != 0 ||
		     strcmp(o->feed.source, ui->feed.source) == 0;

	if (ui->feed.run_name[0] != '\0' && alone)
		return (ui->feed.run_name);
	return (file != NULL ? file + 1 : ui->feed.source);
}

const char *
tree_unit(const struct ui *ui, bool several)
{
	static const char *const words[TREE_KINDS][2] = { { "task", "tasks" },
		{ "place", "places" }, { "path", "paths" } };

	return (words[ui->trees.of][several]);
}

/*
 * What has not happened yet is not known.  Of a task that was suspended nobody
 * has kept when it ran, so that for one that is under way both are left open.
 */
void
tree_task_then(const struct ui *ui, const struct model *m, uint32_t number,
    struct task *t)
{
	int64_t now = ui->play.head_mon_ns;

	model_task_get(m, number, t);
	if (now == INT64_MAX || (t->flags & TASK_GONE_UP))
		return;
	if (t->begin_mon_ns == INT64_MIN || t->begin_mon_ns > now) {
		t->begin_mon_ns = t->end_mon_ns = INT64_MIN;
		t->flags = 0;
		t->suspensions = 0;
		t->busy_ns = t->suspended_ns = 0;
	} else if (t->end_mon_ns == INT64_MIN || t->end_mon_ns > now) {
		t->end_mon_ns = INT64_MIN;
		t->flags = TASK_BEGUN;
		t->busy_ns = t->suspensions == 0 ? now - t->begin_mon_ns : 0;
		t->suspended_ns = t->suspensions == 0 ? 0 : -1;
		t->suspensions = 0;
	}
	t->since_mon_ns = INT64_MIN;
}

int64_t
task_suspended_until(const struct task *t, int64_t end_mon_ns)
{
	if (t->suspended_ns < 0 || t->since_mon_ns >= end_mon_ns ||
	    t->since_mon_ns == INT64_MIN)
		return (t->suspended_ns);
	return (t->suspended_ns + end_mon_ns - t->since_mon_ns);
}

char *
tree_colour_label(const struct ui *ui, uint32_t pe, char *buf, size_t n)
{
	const struct grown *g = &ui->trees.grown;
	uint32_t lane = pe < g->ncolours ? g->colour_lane[pe] : UINT32_MAX;
	const struct lane *l;
	size_t len;

	if (ui->trees.of == TREE_TASKS) {
		snprintf(buf, n, "PE %" PRIu32, pe);
		return (buf);
	}
	snprintf(buf, n, "?");
	if (lane >= model_lanes(ui->model))
		return (buf);
	l = model_lane(ui->model, lane);
	label_lane(ui->model, l, buf, n);
	len = strlen(buf);
	if (l->kind != LANE_NODE && model_nodes(ui->model) > 1)
		snprintf(buf + len, n - len, ", %s",
		    label_node(ui->model, l->node));
	return (buf);
}

void
grown_clear(struct ui *ui)
{
	struct grown *g = &ui->trees.grown;

	model_free(g->model);
	free(g->node);
	free(g->weight);
	free(g->colour_lane);
	free(g->tint);
	free(g->of_task);
	memset(g, 0, sizeof(*g));
	ui->tree.weights = NULL;
	ui->tree.tints = NULL;
}

void
select_task(struct ui *ui, uint32_t task)
{
	const struct task *t =
	    task == TASK_NONE ? NULL : model_task(ui->model, task);

	ui->time.selected_task = t != NULL ? t->id : 0;
	ui->tree.selected_task = ui->time.selected_task;
	ui->trees.selected_path = 0;
	picture_changed(ui->picture);
}

/* x, y: px in the tree's area; what is there stays there. */
void
tree_zoom(struct ui *ui, double factor, int32_t x, int32_t y)
{
	double px = x - ui->tree.width / 2.0 - ui->tree.centre_x;
	double py = y - ui->tree.height / 2.0 - ui->tree.centre_y;
	double zoom = ui->tree.zoom / factor;

	zoom = fmin(fmax(zoom, 0.1), ZOOM_MAX);
	factor = zoom / ui->tree.zoom;
	ui->tree.centre_x -= px * (factor - 1);
	ui->tree.centre_y -= py * (factor - 1);
	ui->tree.zoom = zoom;
	picture_changed(ui->picture);
}
