/*
 * The picture of the lanes: made when something has changed that it is made
 * of, roughly for whoever moves about, given up when a key is pressed.
 */
#include <string.h>

#include "model/detail.h"
#include "model/keep/both.h"
#include "ui/desk/desk.h"
#include "ui/draw/layer.h"
#include "ui/panes/panes.h"
#include "ui/things/thing.h"

#define COARSE_EVENTS 200000 /* of the run, or */
#define COARSE_LINKS  2000   /* in sight: more take their time */
#define SMALL_FORM_PX 170    /* lower lanes have a row for each node, */
#define ROW_MIN_PX    14     /* from so many px */
#define ROW_MAX_PX    34
#define HATCH_TURN    112 /* see canvas.h */

/* Of what is folded, eight lanes at a time. */
static uint64_t
folded_hash(const struct ui *ui)
{
	uint64_t h = 0xcbf29ce484222325u, word;
	uint32_t i;

	for (i = 0; i + sizeof(word) <= ui->time.nfolded; i += sizeof(word)) {
		memcpy(&word, ui->timepane.folded + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	for (; i < ui->time.nfolded; i++)
		h = (h ^ ui->timepane.folded[i]) * 0x100000001b3u;
	return (h);
}

/* Few rows are drawn taller: they are easier to see and to hit; many lower. */
static int32_t
lane_height(const struct ui *ui)
{
	int32_t n = (int32_t)ui->timepane.rows.nrows;

	if (ui->time.by_node)
		return (n * ROW_MAX_PX <= ui->time.height ? ROW_MAX_PX
			: n * ROW_MIN_PX >= ui->time.height
			    ? ROW_MIN_PX
			    : ui->time.height / n);
	if (ui->timepane.row_px > 0)
		return (ui->timepane.row_px);
	if (ui->timepane.stays.px > 0 &&
	    ui->timepane.stays.height == ui->time.height &&
	    ui->timepane.stays.lanes == model_lanes(ui->model))
		return (ui->timepane.stays.px);
	return (n * 36 <= ui->time.height   ? 34
		: n * 30 <= ui->time.height ? 28
		: n * 22 <= ui->time.height ? 22
					    : 18);
}

/* False: it was given up; what is shown is as before. */
static bool
layout(struct ui *ui)
{
	struct stop stop = draw_stop(ui);
	uint32_t drawn = ui->timepane.rows.links_drawn,
		 total = ui->timepane.rows.links_total;

	ui->timepane.rows.both = both;
	ui->timepane.rows.stop = stop.cb;
	ui->timepane.rows.stop_arg = stop.arg;
	timeline_layout(ui->model, ui->palette, &ui->time, &ui->timepane.rows,
	    &ui->timepane.scene);
	if (!ui->timepane.rows.stopped &&
	    ui->time.lane_height != lane_height(ui)) {
		ui->time.lane_height = lane_height(ui);
		timeline_layout(ui->model, ui->palette, &ui->time,
		    &ui->timepane.rows, &ui->timepane.scene);
	}
	if (!ui->timepane.rows.stopped)
		return (true);
	ui->timepane.rows.links_drawn = drawn;
	ui->timepane.rows.links_total = total;
	return (false);
}

/* Both were copied as they lie; where bytes between members differ, no harm. */
static bool
same_bytes(const void *a, const void *b, size_t n)
{
	return (memcmp(a, b, n) == 0);
}

/*
 * Strokes hang on the time and on the rows: what moves by whole pixels moves
 * with them, and need not be sent again to a server far away.
 */
static int32_t
hatch_of(const struct timeline_view *v)
{
	int64_t px_ns =
	    v->width > 0 ? (v->t1_mon_ns - v->t0_mon_ns) / v->width : 0;
	int64_t at = px_ns > 0 ? v->t0_mon_ns / px_ns : 0;

	at -= px_ns > 0 && v->t0_mon_ns % px_ns < 0;
	at = (at + v->scroll_y) % HATCH_TURN;
	return ((int32_t)(at < 0 ? at + HATCH_TURN : at));
}

/*
 * Paints the scene.  Seen from the same place as before, only where it is not
 * what is shown.
 */
static bool
paint(struct ui *ui, struct layer *l, struct canvas *back)
{
	struct stop stop = draw_stop(ui);
	uint32_t background = ui->palette->background;
	struct scene shown = ui->timepane.shown;
	struct canvas front;

	back->hatch = hatch_of(&ui->time);
	if (l->px != NULL && !l->whole &&
	    ui->timepane.shown_palette == ui->palette &&
	    same_bytes(&ui->timepane.shown_view, &ui->time, sizeof(ui->time))) {
		layer_canvas(l, l->px, &front);
		front.hatch = back->hatch;
		if (damage_paint(&front, &shown, &ui->timepane.scene,
			background)) {
			l->key = l->next;
			goto out;
		}
	}
	if (!layer_paint(l, back, &ui->timepane.scene, background, &stop))
		return (false);
out:
	memcpy(&ui->timepane.shown_view, &ui->time, sizeof(ui->time));
	ui->timepane.shown_palette = ui->palette;
	ui->timepane.shown = ui->timepane.scene;
	ui->timepane.scene = shown; /* its memory serves the next one */
	return (true);
}

/*
 * Whoever moves about in a large run sees at once roughly what is there, and
 * in the next frame exactly.
 */
static bool
is_coarse(struct ui *ui)
{
	const struct timeline_view *was = &ui->timepane.shown_view;
	bool large = model_events(ui->model) > COARSE_EVENTS ||
		     ui->timepane.rows.links_drawn > COARSE_LINKS;

	if (!picture_hasty(ui->picture) || ui->timepane.layer.px == NULL)
		return (false);
	if (was->t0_mon_ns == ui->time.t0_mon_ns &&
	    was->t1_mon_ns == ui->time.t1_mon_ns)
		return (was->coarse);
	return (large || was->coarse);
}

/* While keys move the picture, links that take long wait for their end. */
static bool
is_few(const struct ui *ui)
{
	const struct timeline_view *was = &ui->timepane.shown_view;

	return (picture_answers(ui->picture) && ui->timepane.layer.px != NULL &&
		(was->few || was->t0_mon_ns != ui->time.t0_mon_ns ||
		    was->t1_mon_ns != ui->time.t1_mon_ns));
}

static bool
lacks_links(const struct ui *ui)
{
	return (ui->time.few &&
		ui->timepane.rows.links_total > ui->timepane.rows.links_drawn);
}

/* A task with all its pieces, or the span that was clicked or found. */
static void
note_chosen(struct ui *ui)
{
	const struct timeline_hit *h = &ui->chosen.clicked;
	struct thing k = { .kind = THING_TASK, .id = ui->time.selected_task };
	uint32_t lane = h->lane, n;

	ui->time.chosen.t0_mon_ns = ui->time.chosen.t1_mon_ns = 0;
	n = k.id != 0 ? model_task_by_id(ui->model, k.id) : TASK_NONE;
	if (n != TASK_NONE) {
		lane = model_location_lane(ui->model,
		    model_task(ui->model, n)->location);
	} else if (h->of == OF_SPAN && lane == ui->time.selected_lane) {
		k.kind = THING_SPAN;
		k.span = h->span;
	} else {
		return;
	}
	if (thing_times(ui, &k, &ui->time.chosen.t0_mon_ns,
		&ui->time.chosen.t1_mon_ns))
		ui->time.chosen.lane = lane;
}

/* In the dock, where there is no room for more. */
static bool
is_small(const struct ui *ui)
{
	return (!two_runs(ui) && ui->places.only == PANES &&
		view_place(ui, VIEW_LANES) == PANE_DOCK &&
		ui->time.height < SMALL_FORM_PX);
}

bool
timepane_prepare(struct ui *ui)
{
	struct layer *l = &ui->timepane.layer;
	struct canvas layer;
	uint64_t events;
	struct {
		struct timeline_view view;
		uint64_t events, lanes, folded, details;
		const void *palette, *model;
	} key;

	if (ui->time.by_node != is_small(ui)) {
		ui->time.by_node = is_small(ui);
		ui->time.scroll_y = 0;
		timeline_rows(ui->model, &ui->time, &ui->timepane.rows);
	}
	if (ui->timepane.row_px == 0 &&
	    ui->timepane.rows.nrows == 0) /* how many are there? */
		timeline_rows(ui->model, &ui->time, &ui->timepane.rows);
	if (ui->timepane.row_px > 0 || ui->timepane.rows.nrows > 0)
		ui->time.lane_height = lane_height(ui);
	note_chosen(ui);
	ui->time.grid = ui->timepane.grid;
	ui->time.grows = run_grows(ui);
	ui->time.coarse = is_coarse(ui);
	ui->time.few = is_few(ui);
	ui->time.apart = ui->desks->host.far;
	ui->picture->undone |= ui->time.coarse || lacks_links(ui);
	ui->time.origin_mon_ns = run_ticks(ui);
	ui->time.sketch = ui->time.grows ? ui->sketch : NULL;
	memset(&key, 0, sizeof(key)); /* also what lies between members */
	memcpy(&key.view, &ui->time, sizeof(key.view));
	key.events = layer_events(ui, l->version);
	key.lanes = model_lanes(ui->model);
	key.details = model_details(ui->model);
	key.folded = folded_hash(ui);
	key.palette = ui->palette;
	key.model = ui->model;
	if (!layer_begin(l, ui->time.width, ui->time.height, &key, sizeof(key),
		&layer))
		return (true);
	events = model_events(ui->model); /* at least these are seen */
	if (!layout(ui))
		return (false);
	ui->picture->undone |= lacks_links(ui);
	if (ui->time.scroll_y > 0 &&
	    ui->timepane.rows.total_height - ui->time.scroll_y <
		ui->time.height) { /* rows have gone */
		int32_t most = ui->timepane.rows.total_height - ui->time.height;

		ui->time.scroll_y = most > 0 ? most : 0;
		if (!layout(ui))
			return (false);
	}
	if (!paint(ui, l, &layer))
		return (false);
	l->version = events;
	return (true);
}
