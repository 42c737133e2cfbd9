/* Where a thing is in sight: in the lanes and in the tree. */
#include "thing_inside.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

/* The middle of a lane's row, if that is in sight. */
static bool
row_place(const struct ui *ui, uint32_t lane, int32_t *y)
{
	const struct timeline_row *r;
	uint32_t row = lane < ui->timepane.rows.nlanes
			   ? ui->timepane.rows.lane_row[lane]
			   : UINT32_MAX;

	if (row >= ui->timepane.rows.nrows ||
	    ui->places.pane[PANE_TIME].x1 == 0)
		return (false);
	r = &ui->timepane.rows.rows[row];
	*y = ui->places.lanes.y0 + r->y + r->height / 2;
	return (*y >= ui->places.lanes.y0 + r->top && *y < ui->places.lanes.y1);
}

/* In the lanes: the middle of what is in sight of it. */
static bool
place_in_lanes(const struct ui *ui, const struct thing *k,
    struct thing_place *at)
{
	int64_t t0, t1;
	uint32_t lane = k->lane, n;

	if (k->kind == THING_LINK)
		lane = k->link.lane0;
	if (k->kind == THING_TASK) {
		n = model_task_by_id(ui->model, k->id);
		lane = n == TASK_NONE ? UINT32_MAX
				      : model_location_lane(ui->model,
					    model_task(ui->model, n)->location);
	}
	if (!row_place(ui, lane, &at->y))
		return (false);
	if (k->kind == THING_ROW) {
		at->x = ui->places.lanes.x0;
		return (true);
	}
	if (!thing_times(ui, k, &t0, &t1) || t1 < ui->time.t0_mon_ns ||
	    t0 >= ui->time.t1_mon_ns)
		return (false);
	if (k->kind == THING_LINK) { /* where it leaves */
		at->x = ui->places.lanes.x0 + timeline_x(&ui->time, t0);
		return (t0 >= ui->time.t0_mon_ns);
	}
	t0 = t0 < ui->time.t0_mon_ns ? ui->time.t0_mon_ns : t0;
	t1 = t1 > ui->time.t1_mon_ns ? ui->time.t1_mon_ns : t1;
	at->x = ui->places.lanes.x0 + timeline_x(&ui->time, t0 + (t1 - t0) / 2);
	return (true);
}

static bool
place_in_tree(const struct ui *ui, const struct thing *k,
    struct thing_place *at)
{
	const struct radial_node *n;
	uint32_t number = TASK_NONE;

	if (ui->places.pane[PANE_TREE].x1 == 0 || two_runs(ui))
		return (false);
	if (k->kind == (ui->trees.of == TREE_CALLS ? THING_PATH : THING_TASK) &&
	    ui->trees.of != TREE_THREADS)
		number = model_task_by_id(tree_model(ui), k->id);
	else if (k->kind == THING_ROW && ui->trees.of == TREE_THREADS)
		number =
		    model_task_by_id(tree_model(ui), (uint64_t)k->lane + 1);
	if (number == TASK_NONE)
		return (false);
	n = radial_find(&ui->treepane.nodes, tree_model(ui), number);
	if (n == NULL)
		return (false);
	at->x = ui->places.tree.x0 + n->x / SCENE_ONE;
	at->y = ui->places.tree.y0 + n->y / SCENE_ONE;
	return (rect_has(&ui->places.tree, at->x, at->y));
}

int
thing_places(const struct ui *ui, const struct thing *k,
    struct thing_place at[THING_PLACES])
{
	int n = 0;

	n += place_in_lanes(ui, k, &at[n]);
	n += place_in_tree(ui, k, &at[n]);
	return (n);
}
