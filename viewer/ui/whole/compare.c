/* Shows two runs in halves of the panes, and moves both. */
#include "ui/whole/compare.h"

#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/input/input.h"
#include "ui/panes/panes.h"
#include "ui/trees/grown.h"
#include "ui/whole/frame.h"

#define SEAM_PX 1
#define SPLIT_X 420 /* of the window, in 1/1000 */

/* The desk of another window comes to these. */
static void
move_in(struct desks *d, struct ui *other)
{
	macros_free(other->desks->macros);
	free(other->desks);
	other->desks = d;
	other->picture = &d->picture;
	d->desk[1] = other;
}

void
compare_with(struct ui *ui, struct ui *other)
{
	if (two_runs(ui) && other != NULL)
		compare_with(ui, NULL);
	if (!two_runs(ui) && other == NULL)
		return;
	if (other == NULL)
		ui_free(ui->desks->desk[1]);
	else
		move_in(ui->desks, other);
	grown_clear(ui);
	radial_layout_free(&ui->treepane.nodes);
	layer_drop(&ui->treepane.layer);
	layer_drop(&ui->timepane.layer);
	ui->tree.span0_mon_ns = ui->tree.span1_mon_ns = 0;
	ui->tree.tints = NULL;
	ui->trees.selected_path = 0;
	ui->mouse.task = TASK_NONE;
	ui->trees.nopened = 0;
	ui->tree.subtree = false;
	ui->tree.root = TASK_NONE;
	picture_changed(ui->picture);
	if (other != NULL) {
		ui->places.tab = VIEW_COMPARE;
		ui->desks->order = ui->tree.order;
		ui->desks->split = ui->places.split_x;
		if (ui->places.split_x > SPLIT_X) /* two trees need room */
			ui->places.split_x = SPLIT_X;
		ui->tree.order = RADIAL_BY_PATH; /* the same in both */
		return;
	}
	ui->tree.order = ui->desks->order;
	ui->places.split_x = ui->desks->split;
	if (ui->tree.colour == RADIAL_DIFFERENCE)
		ui->tree.colour = RADIAL_PE;
	view_stand(ui, VIEW_COMPARE, PANE_DOCK); /* and out of sight */
	ui->places.tab = view_is_tab(ui, VIEW_FUNCTIONS) ? VIEW_FUNCTIONS
							 : view_next_tab(ui);
}

void
compare_place(struct ui *ui)
{
	struct ui *o = ui->desks->desk[1];
	struct rect *r = &ui->places.pane[PANE_TREE],
		    *t = &ui->places.pane[PANE_TIME];
	int32_t half;

	memset(o->places.pane, 0, sizeof(o->places.pane));
	o->places.width = ui->places.width;
	o->places.height = ui->places.height;
	o->places.only = ui->places.only;
	if (r->x1 > r->x0) {
		half = (r->x1 - r->x0 - SEAM_PX) / 2;
		o->places.pane[PANE_TREE] =
		    (struct rect){ r->x1 - half, r->y0, r->x1, r->y1 };
		r->x1 = r->x0 + half;
	}
	if (t->y1 > t->y0) {
		half = (t->y1 - t->y0 - SEAM_PX) / 2;
		o->places.pane[PANE_TIME] =
		    (struct rect){ t->x0, t->y1 - half, t->x1, t->y1 };
		t->y1 = t->y0 + half;
	}
}

/* An instant of this run, as far from the other's start. */
static int64_t
there(const struct ui *ui, int64_t t)
{
	if (t == INT64_MAX || t == INT64_MIN)
		return (t);
	return (t - run_begin(ui) + run_begin(ui->desks->desk[1]));
}

static void
sync_time(struct ui *ui, struct ui *o)
{
	const struct timeline_view *v = &ui->time;
	uint32_t lane = v->selected_lane;

	o->time.t0_mon_ns = there(ui, v->t0_mon_ns);
	o->time.t1_mon_ns = there(ui, v->t1_mon_ns);
	o->time.sel0_mon_ns = o->time.sel1_mon_ns = 0;
	if (v->sel0_mon_ns < v->sel1_mon_ns) {
		o->time.sel0_mon_ns = there(ui, v->sel0_mon_ns);
		o->time.sel1_mon_ns = there(ui, v->sel1_mon_ns);
	}
	o->time.colour = v->colour;
	o->time.links = v->links;
	o->time.links_as.wide = v->links_as.wide;
	o->time.links_as.by_tag = v->links_as.by_tag;
	o->time.show_objects = v->show_objects;
	o->time.show_locks = v->show_locks;
	o->timepane.grid = ui->timepane.grid;
	o->timepane.utc = ui->timepane.utc;
	if (lane != ui->desks->lane) {
		ui->desks->lane = lane;
		o->time.selected_lane = compare_lane(ui->model, lane, o->model);
	}
	o->chosen.cursor_mon_ns = there(ui, ui->chosen.cursor_mon_ns);
	o->play.head_mon_ns = there(ui, ui->play.head_mon_ns);
	o->play.fit = o->play.follow = o->play.playing = false;
	o->play.paused = true;
}

static void
sync_tree(struct ui *ui, struct ui *o)
{
	struct radial_view is = ui->tree;

	/* of its own: what it is of, and what it is drawn with */
	is.width = o->tree.width;
	is.height = o->tree.height;
	is.selected_task = o->tree.selected_task;
	is.weights = o->tree.weights;
	is.tints = o->tree.tints;
	is.span0_mon_ns = o->tree.span0_mon_ns;
	is.span1_mon_ns = o->tree.span1_mon_ns;
	is.until_mon_ns = there(ui, ui->tree.until_mon_ns);
	is.edges = false;
	o->tree = is;
	o->trees.of = ui->trees.of;
	memcpy(o->trees.weight, ui->trees.weight, sizeof(o->trees.weight));
	o->trees.lane = compare_lane(ui->model, ui->trees.lane, o->model);
}

void
compare_sync(struct ui *ui)
{
	struct ui *o = ui->desks->desk[1];

	o->palette = ui->palette;
	sync_time(ui, o);
	sync_tree(ui, o);
	o->drag.what = DRAG_NONE;
	o->places.tab = VIEW_DETAILS;
}

bool
compare_prepare(struct ui *ui)
{
	struct ui *o = ui->desks->desk[1];
	bool whole;

	whole = (o->places.pane[PANE_TIME].y1 <= o->places.pane[PANE_TIME].y0 ||
		    timepane_prepare(o)) &&
		(o->places.pane[PANE_TREE].x1 <= o->places.pane[PANE_TREE].x0 ||
		    treepane_prepare(o));
	if (whole && view_at(ui, view_place(ui, VIEW_COMPARE)) == VIEW_COMPARE)
		whole = sums_prepare(ui, &ui->figures.sums, UINT32_MAX) &&
			sums_prepare(o, &o->figures.sums, UINT32_MAX);
	if (whole && !picture_hasty(ui->picture))
		o->seen_events = model_events(o->model);
	return (whole);
}

/* What is under the mouse or selected is so in both. */
static void
show_same(struct ui *ui)
{
	struct ui *o = ui->desks->desk[1];
	struct task t = { .id = 0 };
	uint32_t n = tree_selected(ui);

	if (n < model_tasks(tree_model(ui)))
		model_task_get(tree_model(ui), n, &t);
	o->trees.selected_path = t.id;
}

void
compare_draw(struct ui *ui, struct canvas *c)
{
	static void (*const draw[PANES])(struct ui *,
	    struct canvas *) = { [PANE_TIME] = timepane_draw,
		[PANE_TREE] = treepane_draw };
	struct ui *o = ui->desks->desk[1];

	o->spots.n = 0;
	show_same(ui);
	for (int i = 0; i < PANES; i++) {
		const struct rect *r = &o->places.pane[i];
		struct canvas inside = *c;

		if (draw[i] == NULL || r->x1 <= r->x0 || r->y1 <= r->y0)
			continue;
		canvas_clip(&inside, r->x0, r->y0, r->x1, r->y1);
		draw[i](o, &inside);
		if (i == PANE_TREE) /* between the two */
			canvas_fill(c, ui->places.pane[i].x1, r->y0, r->x0,
			    r->y1, ui->palette->line);
		else
			canvas_fill(c, r->x0, ui->places.pane[i].y1, r->x1,
			    r->y0, ui->palette->line);
	}
	if (o->mouse.in && !ui->menu->open)
		tooltip_draw(o, c);
}
