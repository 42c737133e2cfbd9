/*
 * The window's contents as a whole: made, freed, and the order of drawing;
 * refresh.c takes note of what has come.
 */
#include <stdlib.h>
#include <string.h>

#include "model/sketch.h"
#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/draw/layer.h"
#include "ui/input/input.h"
#include "ui/notes/groups.h"
#include "ui/notes/notes.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/traffic/flow.h"
#include "ui/traffic/talk.h"
#include "ui/views/asked.h"
#include "ui/views/classes/classes.h"
#include "ui/views/details/card.h"
#include "ui/views/flows.h"
#include "ui/views/found/found.h"
#include "ui/views/path/pathview.h"
#include "ui/views/source/source.h"
#include "ui/views/view.h"
#include "ui/whole/compare.h"
#include "ui/whole/frame.h"
#include "ui/whole/place.h"

/* With what each room keeps.  NULL: memory is out. */
static struct ui *
furnished(void)
{
	struct ui *ui = calloc(1, sizeof(*ui));

	if (ui == NULL)
		return (NULL);
	ui->desks = calloc(1, sizeof(*ui->desks));
	if (ui->desks != NULL)
		ui->desks->macros = macros_new();
	ui->strip = strip_new();
	ui->figures.activity = activity_new();
	ui->menu = menu_new();
	ui->notes = notes_new();
	if (ui->desks == NULL || ui->desks->macros == NULL ||
	    ui->strip == NULL || ui->figures.activity == NULL ||
	    ui->menu == NULL || ui->notes == NULL) {
		ui_free(ui);
		return (NULL);
	}
	ui->desks->desk[0] = ui;
	ui->picture = &ui->desks->picture;
	return (ui);
}

struct ui *
ui_new(const struct palette *palette)
{
	struct ui *ui = furnished();

	if (ui == NULL)
		return (NULL);
	ui->palette = palette;
	ui->places.only = PANES;
	ui->places.split_x = 552;
	ui->places.split_y = PLACE_DOCK_SPLIT;
	ui->places.focus = PANE_TIME;
	ui->places.left = VIEW_LANES;
	ui->places.right = VIEW_TREE;
	ui->places.tab = VIEW_FUNCTIONS;
	ui->lists.functions_by = FUNCTIONS_TOTAL;
	ui->lists.functions_hidden = functions_hidden_first();
	ui->lists.spans_lane = UINT32_MAX;
	ui->timepane.grid = true;
	ui->play.fit = true;
	ui->play.head_mon_ns = INT64_MAX;
	ui->chosen.cursor_mon_ns = INT64_MIN;
	ui->prompt.suggested = -1;
	ui->play.speed = 1;
	ui->mouse.task = TASK_NONE;
	ui->mouse.hit.lane = UINT32_MAX;
	ui->time.lane_height = 22;
	ui->time.colour = TIMELINE_BY_NAME;
	ui->time.links = true;
	ui->time.show_objects = true;
	ui->time.show_locks = true;
	ui->time.selected_lane = ui->chosen.mark_lane = UINT32_MAX;
	ui->time.t1_mon_ns = 1000000;
	ui->tree.zoom = 1;
	ui->tree.ring_px_min = 4;
	ui->tree.root = TASK_NONE;
	ui->tree.sum_singles = ui->tree.fit = true;
	ui->tree.edges = true;
	ui->tree.until_mon_ns = INT64_MAX;
	ui->trees.lane = UINT32_MAX;
	ui->trees.weight[TREE_CALLS] = WEIGHT_TIME;
	for (int i = 0; i < TREE_KINDS; i++)
		ui->trees.put_by[i] = (struct opened){ .root = TASK_NONE,
			.colour = RADIAL_PE,
			.zoom = 1 };
	ui->trees.put_by[TREE_CALLS].colour = RADIAL_PROCEDURE;
	ui->trees.put_by[TREE_CALLS].form = RADIAL_SUNBURST;
	ui->desks->host.export_to = "orrery.png";
	picture_changed(ui->picture);
	ui_resize(ui, 1600, 1000);
	return (ui);
}

/* The first one's window goes with it, and with that the second one. */
static void
leave(struct ui *ui)
{
	struct desks *d = ui->desks;

	if (d == NULL)
		return;
	if (d->desk[1] == ui) {
		d->desk[1] = NULL;
		return;
	}
	ui_free(d->desk[1]);
	macros_free(d->macros);
	free(d->host.copied);
	free(d->host.probe);
	free(d->host.source_path);
	free(d->host.editor);
	free(d);
}

void
ui_free(struct ui *ui)
{
	if (ui == NULL)
		return;
	timeline_layout_free(&ui->timepane.rows);
	radial_layout_free(&ui->treepane.nodes);
	free(ui->treepane.tally.of);
	scene_free(&ui->timepane.scene);
	scene_free(&ui->timepane.shown);
	scene_free(&ui->treepane.scene);
	layer_free(&ui->timepane.layer);
	layer_free(&ui->treepane.layer);
	if (list_goes_on(ui))
		list_stop(ui);
	strip_free(ui->strip);
	activity_free(ui->figures.activity);
	free(ui->figures.heap.code);
	found_free(ui);
	asked_free(ui);
	path_free(ui);
	source_free(ui);
	classes_free(ui);
	menu_free(ui->menu);
	groups_leave(ui);
	notes_free(ui->notes);
	free(ui->figures.tasks.group);
	grown_clear(ui);
	sums_clear(&ui->figures.sums);
	sums_clear(&ui->figures.tree_sums);
	sums_clear(&ui->figures.row_sums);
	messages_clear(&ui->figures.messages);
	flow_forget_open(ui);
	machine_free(ui);
	causality_clear(ui);
	leave(ui);
	sketch_free(ui->sketch);
	free(ui->timepane.folded);
	free(ui->spots.spot);
	view_own_free(ui);
	free(ui);
}

void
ui_resize(struct ui *ui, int32_t width, int32_t height)
{
	ui->places.width = width;
	ui->places.height = height;
	place_panes(ui);
	picture_changed(ui->picture);
}

/* Between the panes. */
static void
draw_seams(struct ui *ui, struct canvas *c)
{
	const struct rect *t = &ui->places.left_at,
			  *d = &ui->places.pane[PANE_DOCK];
	const struct rect *r = &ui->places.right_at;
	int32_t bottom = ui->places.pane[PANE_STATUS].y0;
	uint32_t rgb = ui->palette->line;

	canvas_fill(c, 0, PLACE_TOP_PX, ui->places.width, PLACE_TOP_PX + 1,
	    rgb);
	for (int i = PANE_TIME; i <= PANE_DOCK; i++)
		if (!place_is_empty(&ui->places.pane[i]))
			canvas_fill(c, 0, ui->places.pane[i].y0 - 1,
			    ui->places.width, ui->places.pane[i].y0, rgb);
	if (!place_is_empty(t) && !place_is_empty(r))
		canvas_fill(c, t->x1, t->y0, t->x1 + 1,
		    place_is_empty(d) ? bottom : d->y0 - 1, rgb);
	canvas_fill(c, 0, bottom, ui->places.width, bottom + 1, rgb);
}

/* The focused pane has a thin accent on top. */
static void
draw_focus(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.pane[ui->places.focus];

	if (ui->places.only == PANES && !place_is_empty(r))
		canvas_fill(c, r->x0, r->y0 - 1, r->x1, r->y0,
		    palette_mix(ui->palette->line, ui->palette->accent, 150));
}

static void (*const pane_draw[PANES])(struct ui *, struct canvas *) = {
	[PANE_TIME] = timepane_draw, /* first: they find what is hovered */
	[PANE_TREE] = treepane_draw,
	[PANE_TOP] = top_draw,
	[PANE_OVERVIEW] = overview_draw,
	[PANE_LEFT] = left_draw,
	[PANE_RIGHT] = right_draw,
	[PANE_DOCK] = dock_draw,
	[PANE_STATUS] = status_draw,
};

static bool (*const pane_prepare[PANES])(struct ui *) = {
	[PANE_TIME] = timepane_prepare,
	[PANE_TREE] = treepane_prepare,
	[PANE_OVERVIEW] = overview_prepare,
	[PANE_LEFT] = left_prepare,
	[PANE_RIGHT] = right_prepare,
	[PANE_DOCK] = dock_prepare,
	[PANE_STATUS] = activity_prepare, /* and of the dock */
};

static bool
prepare_all(struct ui *ui)
{
	uint64_t events = model_events(ui->model); /* at least these are seen */

	ui_colours(ui);
	causality_refresh(ui);
	place_panes(ui);
	if (two_runs(ui))
		compare_sync(ui);
	for (size_t i = 0; i < PANES; i++) {
		if (pane_prepare[i] == NULL ||
		    place_is_empty(&ui->places.pane[i]))
			continue;
		if (draw_stopped(ui) || !pane_prepare[i](ui))
			return (false);
	}
	if (two_runs(ui) && !compare_prepare(ui))
		return (false);
	if (!picture_hasty(ui->picture))
		ui->seen_events = events;
	return (true);
}

bool
ui_prepare(struct ui *ui)
{
	if (!picture_drawn(ui->picture))
		picture_begin(ui->picture, PICTURE_FULL);
	if (prepare_all(ui))
		return (true);
	picture_stopped(ui->picture);
	return (false);
}

/* Nothing is pointed at in a pane that is not in sight. */
static void
forget_pointed(struct ui *ui, enum pane pane)
{
	if (pane == PANE_TREE)
		ui->mouse.task = TASK_NONE;
	if (pane != PANE_TIME)
		return;
	memset(&ui->mouse.hit, 0, sizeof(ui->mouse.hit));
	ui->mouse.hit.lane = UINT32_MAX;
}

void
ui_show(struct ui *ui, struct canvas *c)
{
	static const enum pane order[PANES] = { PANE_TIME, PANE_TREE, PANE_LEFT,
		PANE_RIGHT, PANE_TOP, PANE_OVERVIEW, PANE_DOCK, PANE_STATUS };
	const struct rect *const always[] = { &ui->places.left_at,
		&ui->places.right_at, &ui->places.pane[PANE_TOP],
		&ui->places.pane[PANE_OVERVIEW], &ui->places.pane[PANE_DOCK],
		&ui->places.pane[PANE_STATUS] };
	bool full = ui->places.only == PANES;

	ui->spots.n = 0;
	ui->spots.hint[0] = '\0';
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		full = full && !place_is_empty(always[i]);
	if (!full) /* else the panes leave no gaps */
		canvas_fill(c, 0, 0, ui->places.width, ui->places.height,
		    ui->palette->background);
	for (size_t i = 0; i < PANES; i++) {
		const struct rect *r = &ui->places.pane[order[i]];
		struct canvas inside = *c;

		if (place_is_empty(r)) {
			forget_pointed(ui, order[i]);
			continue;
		}
		canvas_clip(&inside, r->x0, r->y0, r->x1, r->y1);
		pane_draw[order[i]](ui, &inside);
	}
	if (two_runs(ui))
		compare_draw(ui, c);
	if (ui->places.only == PANES) {
		draw_seams(ui, c);
		draw_focus(ui, c);
	}
	legend_draw(ui, c);
	card_draw(ui, c);
	if (!ui->menu->open)
		tooltip_draw(ui, c);
	prompt_draw(ui, c);
	menu_draw(ui, c);
	if (ui->desks->help.open)
		help_draw(ui, c);
	picture_end(ui->picture);
}

void
ui_frame(struct ui *ui, struct canvas *c)
{
	bool (*stop_cb)(void *) = ui->picture->stop_cb;

	ui->picture->stop_cb =
	    NULL; /* all of it, also what is drawn by parts */
	ui_prepare(ui);
	ui_show(ui, c);
	ui->picture->stop_cb = stop_cb;
}

bool
ui_go_on(struct ui *ui)
{
	bool any = sums_go_on(ui) || asked_go_on(ui);

	return (list_go_on(ui) || any); /* sums of a run that grows never end */
}
