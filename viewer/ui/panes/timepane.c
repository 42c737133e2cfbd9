/* The process-time pane: title, ruler, row labels, lanes, crosshair. */
#include <stdlib.h>
#include <string.h>

#include "layout/time/describe_time.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/notes/groups.h"
#include "ui/panes/panes.h"
#include "ui/views/details/card.h"
#include "ui/views/view.h"

#define NAME_PX 52 /* of a row are readable */
#define TICK_PX 84 /* a label has room */

/* Which rows are there, when it is not all of them in their usual order. */
static void
draw_which(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct palette *p = ui->palette;
	int32_t y0 = y - 16, from = x;

	if (ui->time.sort.by != TIMELINE_NUMBER) {
		x = draw_text(c, FONT_SMALL, x, y, p->dim, "sorted by %s",
		    timeline_sort_name[ui->time.sort.by]);
		spot_add(ui, from - 6, y0, x + 6, y0 + 22, "sort number");
		from = x += 16;
	}
	if (ui->time.filter[0] != '\0')
		x = draw_text(c, FONT_SMALL, x, y, p->accent, "only \"%s\"  ",
		    ui->time.filter);
	if (ui->timepane.rows.rows_hidden > 0)
		x = draw_text(c, FONT_SMALL, x, y, p->accent,
		    "%u row%s hidden  ×", ui->timepane.rows.rows_hidden,
		    ui->timepane.rows.rows_hidden == 1 ? "" : "s");
	if (x > from)
		spot_add(ui, from - 6, y0, x + 6, y0 + 22, "show-all");
}

/* What is shown, and what the colours stand for, as far as there is room. */
static void
draw_small_title(struct ui *ui, struct canvas *c, const struct rect *r,
    int32_t x1)
{
	static const struct {
		uint8_t class;
		const char *word;
	} states[] = { { LANE_running, "running" },
		{ LANE_overhead, "overhead" }, { LANE_wait_message, "message" },
		{ LANE_wait_lock, "lock" }, { LANE_wait_cond, "condition" },
		{ LANE_wait_sync, "barrier, join" },
		{ LANE_wait_rpc, "remote call" } };
	static const char what[] = "each node: shares of its threads";
	const struct palette *p = ui->palette;
	int32_t x = r->x0 + 12, y = r->y0 + 16, w;

	if (x + text_width(FONT_SMALL, what, sizeof(what) - 1) > x1)
		return;
	x = draw_text(c, FONT_SMALL, x, y, p->dim, "%s", what) + 24;
	if (ui->timepane.rows.rows_hidden > 0) {
		draw_which(ui, c, x, y);
		return;
	}
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		w = text_width(FONT_SMALL, states[i].word,
			strlen(states[i].word)) +
		    28;
		if (x + w > x1)
			return;
		canvas_fill(c, x, y - 8, x + 8, y, p->state[states[i].class]);
		draw_text(c, FONT_SMALL, x + 13, y, p->dim, "%s",
		    states[i].word);
		x += w;
	}
}

static void
draw_large_title(struct ui *ui, struct canvas *c, const struct rect *r,
    int32_t x1)
{
	const struct palette *p = ui->palette;
	int32_t x, y = r->y0 + 16;
	char links[64];

	x = draw_text(c, FONT_BOLD, r->x0 + 12, y, p->text, "%s",
	    !two_runs(ui) ? "Process-time" : ui_run_name(ui));
	x = draw_text(c, FONT_SMALL, x + 16, y, p->dim, "colour: %s",
	    ui->time.colour == TIMELINE_BY_NAME ? "procedure" : "state");
	spot_add(ui, r->x0, r->y0, x + 8, r->y0 + 22, "cycle-colour");
	snprintf(links, sizeof(links), "%u of %u messages and links",
	    ui->timepane.rows.links_drawn, ui->timepane.rows.links_total);
	if (ui->timepane.rows.links_total > 0 &&
	    x + 24 + text_width(FONT_SMALL, links, strlen(links)) < x1)
		x = draw_text(c, FONT_SMALL, x + 16, y, p->dim, "%s", links);
	draw_which(ui, c, causality_title(ui, c, x + 16, y), y);
}

void
lanes_title(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	int32_t x1 = r->x1;

	if (has_marks(ui))
		x1 -= PLACE_MARKS_PX;
	if (ui->time.by_node)
		draw_small_title(ui, c, r, x1);
	else
		draw_large_title(ui, c, r, x1);
	if (has_marks(ui)) {
		canvas_fill(c, x1 - 8, r->y0, r->x1, r->y0 + 24,
		    lanes_have_title(ui) ? p->background : p->panel);
		place_marks(ui, c, r->x1 - 8, r->y0 + 6, VIEW_LANES);
	}
}

size_t
timepane_ticks(const struct ui *ui, int64_t *t, int64_t *step)
{
	size_t max = (size_t)(ui->time.width / TICK_PX);

	max = max > RULER_TICKS ? RULER_TICKS : max < 2 ? 2 : max;
	return (timeline_ticks(&ui->time, run_ticks(ui), t, max, step));
}

static void
draw_ruler(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->places.ruler;
	int64_t t[RULER_TICKS], step;
	size_t n = timepane_ticks(ui, t, &step);
	int32_t x0 = ui->places.pane[PANE_TIME].x0 + 12;
	char buf[32];

	if (run_dated(ui)) {
		draw_cut(c, FONT_SMALL, x0, r->y1 - 6, r->x0 - x0 - 8, p->dim,
		    ui->timepane.utc ? "time of day, UTC"
				     : "time from the start");
		spot_add(ui, x0 - 6, r->y0, r->x0 - 4, r->y1, "clock");
	}
	for (size_t i = 0; i < n; i++) {
		int32_t x = r->x0 + timeline_x(&ui->time, t[i]);

		run_time(ui, t[i], step, buf, sizeof(buf));
		canvas_fill(c, x, r->y1 - 4, x + 1, r->y1, p->faint);
		if (x + text_width(FONT_SMALL, buf, strlen(buf)) + 5 <
		    ui->places.pane[PANE_TIME].x1)
			draw_text(c, FONT_SMALL, x + 4, r->y1 - 6, p->dim, "%s",
			    buf);
	}
}

/* Right-aligned at x1, for a node in doubt whose name begins at x0; returns
 * where it must end. */
static int32_t
draw_badge(struct ui *ui, struct canvas *c, const struct lane *l, int32_t x0,
    int32_t x1, int32_t middle)
{
	struct node_health h;
	uint32_t rgb;
	int32_t w;
	char text[48];

	if (l->kind != LANE_NODE || l->node == 0)
		return (x1);
	health_of(ui, l->node, &h);
	if (!health_badge(ui, &h, &rgb, text, sizeof(text)))
		return (x1);
	w = text_width(FONT_SMALL, text, strlen(text)) + 8;
	if (x1 - x0 - w < NAME_PX) { /* the pointer tells what it is */
		canvas_fill(c, x1 - 8, middle - 4, x1, middle + 4, rgb);
		return (x1 - 12);
	}
	canvas_fill(c, x1 - w, middle - 7, x1, middle + 7,
	    palette_mix(ui->palette->background, rgb, 55));
	draw_text(c, FONT_SMALL, x1 - w + 4, middle + 4, rgb, "%s", text);
	return (x1 - w - 4);
}

size_t
timepane_row(const struct ui *ui, size_t i)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	size_t first;

	for (; i < l->npinned; i++)
		if (l->rows[i].y < ui->time.height)
			return (i);
	first = timeline_first_row(l);
	i = i > first ? i : first;
	return (i < l->nrows && l->rows[i].y < ui->time.height ? i : l->nrows);
}

static void
draw_labels(struct ui *ui, const struct canvas *whole)
{
	const struct palette *p = ui->palette;
	int32_t x0 = ui->places.pane[PANE_TIME].x0,
		x1 = ui->places.lanes.x0 - 6;
	int32_t pinned = ui->places.lanes.y0 + ui->timepane.rows.pinned_height;
	struct canvas c = *whole;
	char buf[128];

	if (ui->timepane.rows.npinned > 0) {
		canvas_fill(&c, x0, ui->places.lanes.y0, ui->places.lanes.x0,
		    pinned, p->panel);
		canvas_fill(&c, x0, pinned - 2, ui->places.lanes.x0, pinned,
		    p->faint);
	}
	for (size_t i = timepane_row(ui, 0); i < ui->timepane.rows.nrows;
	     i = timepane_row(ui, i + 1)) {
		const struct timeline_row *row = &ui->timepane.rows.rows[i];
		const struct lane *l = model_lane(ui->model, row->lane);
		int32_t y = ui->places.lanes.y0 + row->y,
			x = x0 + 12 + 12 * row->indent;
		enum font font = row->height >= 18 ? FONT_NORMAL : FONT_SMALL;
		int32_t base = y + (row->height + font_ascent(font)) / 2 - 1,
			end;

		c = *whole;
		canvas_clip(&c, x0, ui->places.lanes.y0 + row->top,
		    ui->places.lanes.x0,
		    row->pinned
			? ui->places.lanes.y0 + ui->timepane.rows.pinned_height
			: ui->places.lanes.y1);
		if (row->lane == ui->time.selected_lane)
			canvas_fill(&c, x0, y, ui->places.lanes.x0,
			    y + row->height,
			    palette_mix(p->background, p->accent, 50));
		if (row->foldable) {
			draw_triangle(&c,
			    row->folded ? TRIANGLE_RIGHT : TRIANGLE_DOWN, x,
			    y + row->height / 2, 6, p->dim);
			if (y >= ui->places.lanes.y0 + row->top)
				spot_add(ui, x - 10, y, x + 8, y + row->height,
				    "fold %u", row->lane);
		}
		if (ui->time.by_node && l->kind == LANE_NODE)
			canvas_fill(&c, x, y + row->height / 2 - 3, x + 6,
			    y + row->height / 2 + 3,
			    palette_of_node(ui->model, l->node));
		label_row(ui->model, l, buf, sizeof(buf));
		end = draw_badge(ui, &c, l, x + 11, x1, y + row->height / 2);
		draw_cut_middle(&c, font, x + 11, base, end - x - 11,
		    row->lane == ui->time.selected_lane ? p->text
							: label_lane_rgb(ui, l),
		    buf);
	}
}

static void
draw_crosshair(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->places.lanes;
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;
	int32_t x = ui->mouse.x, w;
	char buf[32];

	if (!ui->mouse.in || ui->drag.what == DRAG_SPLIT_X || x < r->x0 ||
	    x >= r->x1 ||
	    !rect_has(&ui->places.pane[PANE_TIME], x, ui->mouse.y))
		return;
	run_time(ui, timeline_time(&ui->time, x - r->x0),
	    span / (ui->time.width > 0 ? ui->time.width : 1) + 1, buf,
	    sizeof(buf));
	w = text_width(FONT_SMALL, buf, strlen(buf)) + 12;
	canvas_blend(c, x, r->y0, x + 1, r->y1, p->accent, 200);
	x = x + w > r->x1 ? r->x1 - w : x - w / 2 < r->x0 ? r->x0 : x - w / 2;
	canvas_fill(c, x, r->y1 - 16, x + w, r->y1, p->accent);
	draw_text(c, FONT_SMALL, x + 6, r->y1 - 4, p->background, "%s", buf);
}

/* A range that is being dragged, and the playback's head. */
static void
draw_over(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.lanes;
	const struct palette *p = ui->palette;

	if (ui->drag.what == DRAG_ZOOM && ui->drag.moved) {
		int32_t a = ui->drag.x < ui->mouse.x ? ui->drag.x : ui->mouse.x;
		int32_t b = ui->drag.x < ui->mouse.x ? ui->mouse.x : ui->drag.x;
		struct rect z = { a, r->y0, b + 1, r->y1 };

		canvas_blend(c, z.x0, z.y0, z.x1, z.y1, p->warn, 40);
		draw_frame(c, &z, p->warn);
	}
	if (ui->time.sel0_mon_ns < ui->time.sel1_mon_ns) {
		int32_t a = r->x0 + timeline_x(&ui->time, ui->time.sel0_mon_ns);
		int32_t b = r->x0 + timeline_x(&ui->time, ui->time.sel1_mon_ns);
		char buf[32];

		format_span(buf, sizeof(buf),
		    ui->time.sel1_mon_ns - ui->time.sel0_mon_ns);
		canvas_blend(c, a, r->y0, a + 1, r->y1, p->accent, 110);
		canvas_blend(c, b, r->y0, b + 1, r->y1, p->accent, 110);
		if (b - a > text_width(FONT_SMALL, buf, strlen(buf)) + 4)
			draw_centre(c, FONT_SMALL, (a + b) / 2, r->y1 - 22,
			    p->accent, "%s", buf);
	}
	if (ui->chosen.cursor_mon_ns != INT64_MIN) {
		int32_t x =
		    r->x0 + timeline_x(&ui->time, ui->chosen.cursor_mon_ns);

		for (int32_t y = r->y0; y < r->y1; y += 6)
			canvas_fill(c, x, y, x + 1, y + 3, p->accent);
	}
	marker_draw(ui, c);
	if (ui->play.head_mon_ns !=
	    INT64_MAX) { /* what comes later is not yet */
		int32_t x = r->x0 + timeline_x(&ui->time, ui->play.head_mon_ns);

		canvas_blend(c, x + 1 > r->x0 ? x + 1 : r->x0, r->y0, r->x1,
		    r->y1, p->background, 205);
		canvas_fill(c, x, r->y0, x + 1, r->y1, p->text);
	}
}

void
timepane_hover(struct ui *ui)
{
	memset(&ui->mouse.hit, 0, sizeof(ui->mouse.hit));
	ui->mouse.hit.lane = UINT32_MAX;
	if (!ui->mouse.in ||
	    !rect_has(&ui->places.lanes, ui->mouse.x, ui->mouse.y) ||
	    card_hides(ui))
		return;
	timeline_pick(ui->model, &ui->time, &ui->timepane.rows,
	    ui->mouse.x - ui->places.lanes.x0,
	    ui->mouse.y - ui->places.lanes.y0, &ui->mouse.hit);
}

static void
draw_empty(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.pane[PANE_TIME];
	const char *say = ui->feed.message[0] != '\0' ? ui->feed.message
			  : model_finished(ui->model) ? "no events in this run"
						      : "no events yet";
	int32_t y = (r->y0 + r->y1) / 2 - 30;
	int32_t w = text_width(FONT_NORMAL, say, strlen(say));
	int32_t room = r->x1 - r->x0 - 40;

	w = w > room ? room : w;
	draw_cut(c, FONT_NORMAL, (r->x0 + r->x1 - w) / 2, y, room,
	    ui->palette->text, say);
	if (!ui->feed.live || ui->feed.finished)
		return;
	draw_centre(c, FONT_SMALL, (r->x0 + r->x1) / 2, y + 24,
	    ui->palette->dim,
	    ui->feed.connected ? "run a program so that it is traced:"
			       : "in another terminal:");
	draw_centre(c, FONT_NORMAL, (r->x0 + r->x1) / 2, y + 46,
	    ui->palette->accent,
	    ui->feed.connected ? "monitorctl run ./program"
			       : "monitord cluster.yaml");
	if (!ui->feed.connected)
		draw_centre(c, FONT_SMALL, (r->x0 + r->x1) / 2, y + 66,
		    ui->palette->dim,
		    "without a file it traces this machine alone; "
		    "this window goes on by itself");
}

void
timepane_draw(struct ui *ui, struct canvas *c)
{
	struct canvas lanes = *c;

	draw_around(c, &ui->places.pane[PANE_TIME], &ui->timepane.layer,
	    ui->places.lanes.x0, ui->places.lanes.y0, ui->palette->background);
	layer_show(&ui->timepane.layer, c, ui->places.lanes.x0,
	    ui->places.lanes.y0);
	if (lanes_have_title(ui))
		lanes_title(ui, c, &ui->places.pane[PANE_TIME]);
	if (model_events(ui->model) == 0 && ui->sketch == NULL) {
		draw_empty(ui, c);
		return;
	}
	draw_ruler(ui, c);
	notes_strip(ui, c);
	draw_labels(ui, c);
	timepane_hover(ui);
	canvas_clip(&lanes, ui->places.lanes.x0, ui->places.lanes.y0,
	    ui->places.lanes.x1, ui->places.lanes.y1);
	sched_draw(ui, &lanes);
	samples_ticks(ui, &lanes);
	causality_draw(ui, &lanes);
	path_over_draw(ui, &lanes);
	found_marks(ui, &lanes);
	summary_draw(ui, &lanes);
	health_draw(ui, &lanes);
	notes_draw(ui, &lanes);
	draw_over(ui, &lanes);
	draw_crosshair(ui, &lanes);
}

void
lanes_describe(struct ui *ui, FILE *f)
{
	describe_timeline(f, ui->model, &ui->time, &ui->timepane.rows,
	    run_origin(ui));
	objects_describe(ui, f);
	groups_describe(ui, f);
}
