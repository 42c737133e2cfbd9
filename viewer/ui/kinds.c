/*
 * What the radial view is a tree of, and what that means for its numbers, its
 * colours and for what is selected in it.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/draw.h"

const char *const tree_of_name[TREE_KINDS] = { "tasks", "threads", "calls" };
const char *const tree_weight_name[TREE_WEIGHTS] = { "even", "calls", "time" };

const struct model *
tree_model(const struct ui *ui)
{
	return (ui->tree_of == TREE_TASKS || ui->grown.model == NULL
		    ? ui->model
		    : ui->grown.model);
}

const struct grown_node *
tree_node(const struct ui *ui, uint32_t number)
{
	if (ui->tree_of == TREE_TASKS || number >= ui->grown.n)
		return (NULL);
	return (&ui->grown.node[number]);
}

/* The node of a row, or of the nearest row above it that has one. */
static uint32_t
row_number(const struct ui *ui, uint32_t lane)
{
	uint32_t n = TASK_NONE;

	while (lane < model_lanes(ui->model) && n == TASK_NONE) {
		n = model_task_by_id(ui->grown.model, (uint64_t)lane + 1);
		lane = model_lane(ui->model, lane)->parent;
	}
	return (n);
}

uint32_t
tree_selected(const struct ui *ui)
{
	if (ui->tree_of == TREE_TASKS || ui->grown.model == NULL)
		return (
		    ui->time.selected_task == 0
			? TASK_NONE
			: model_task_by_id(ui->model, ui->time.selected_task));
	if (ui->tree_of == TREE_THREADS)
		return (row_number(ui, ui->time.selected_lane));
	return (ui->selected_path == 0
		    ? TASK_NONE
		    : model_task_by_id(ui->grown.model, ui->selected_path));
}

void
tree_select(struct ui *ui, uint32_t number)
{
	const struct grown_node *n = tree_node(ui, number);

	ui->dirty = true;
	if (ui->tree_of == TREE_TASKS || ui->grown.model == NULL) {
		ui->time.selected_lane = UINT32_MAX;
		view_select_task(ui, number);
		return;
	}
	view_select_task(ui, TASK_NONE);
	ui->time.selected_lane = ui->mark_lane = UINT32_MAX;
	ui->chosen.of = OF_NOTHING;
	ui->selected_path = 0;
	if (n == NULL)
		return;
	if (ui->tree_of == TREE_THREADS) {
		ui->time.selected_lane = n->lane;
	} else {
		struct task t;

		model_task_get(ui->grown.model, number, &t);
		ui->selected_path = t.id;
	}
}

/* Each tree keeps how it was seen. */
void
tree_show(struct ui *ui, enum tree_of of)
{
	struct opened *o = &ui->put_by[ui->tree_of];

	if (of == ui->tree_of)
		return;
	*o = (struct opened){ ui->tree.root, ui->tree.subtree, ui->tree.colour,
		ui->tree.zoom, ui->tree.centre_x, ui->tree.centre_y,
		ui->tree.rotate_rad, ui->tree.form };
	if (ui->tree_of != TREE_TASKS) { /* its numbers will be others */
		o->root = TASK_NONE;
		o->subtree = false;
	}
	ui->tree_of = of;
	grown_clear(ui);
	o = &ui->put_by[of];
	ui->tree.root = o->root;
	ui->tree.subtree = o->subtree;
	ui->tree.colour = o->colour;
	ui->tree.zoom = o->zoom;
	ui->tree.centre_x = o->centre_x;
	ui->tree.centre_y = o->centre_y;
	ui->tree.rotate_rad = o->rotate_rad;
	ui->tree.form = o->form;
	ui->nopened = 0;
	ui->hovered_task = TASK_NONE;
	radial_layout_free(&ui->nodes);
	layer_drop(&ui->tree_layer);
}

const char *
tree_unit(const struct ui *ui, bool several)
{
	static const char *const words[TREE_KINDS][2] = { { "task", "tasks" },
		{ "place", "places" }, { "path", "paths" } };

	return (words[ui->tree_of][several]);
}

char *
tree_colour_label(const struct ui *ui, uint32_t pe, char *buf, size_t n)
{
	const struct grown *g = &ui->grown;
	uint32_t lane = pe < g->ncolours ? g->colour_lane[pe] : UINT32_MAX;
	const struct lane *l;
	size_t len;

	if (ui->tree_of == TREE_TASKS) {
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
