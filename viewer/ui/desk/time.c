/*
 * The range of time that is seen and the rows: everything that moves the lanes
 * comes through here.
 */
#include <stdlib.h>

#include "ui/desk/desk.h"

#define RANGE_MIN_NS 50
#define WHOLE_MIN_NS 16 /* a pixel: below, rounding would be seen */

void
time_range(struct ui *ui, int64_t t0, int64_t t1)
{
	int64_t first = run_begin(ui), last = run_far_end(ui);
	int64_t span = t1 - t0, run = last - first;

	if (span < RANGE_MIN_NS) {
		t0 -= (RANGE_MIN_NS - span) / 2;
		span = RANGE_MIN_NS;
	}
	if (span > 4 * run)
		span = 4 * run;
	/* something of the run stays in sight */
	if (t0 > last - span / 20)
		t0 = last - span / 20;
	if (t0 + span < first + span / 20)
		t0 = first + span / 20 - span;
	if (ui->time.t0_mon_ns != t0 || ui->time.t1_mon_ns != t0 + span)
		picture_changed(ui->picture);
	ui->time.t0_mon_ns = t0;
	ui->time.t1_mon_ns = t0 + span;
	ui->play.fit = false;
}

void
time_asked(struct ui *ui, int64_t t0, int64_t t1)
{
	ui->play.follow = false;
	ui->play.asked0_ns = t0;
	ui->play.asked1_ns = t1;
	if (model_events(ui->model) == 0)
		return;
	ui->play.asked0_ns = ui->play.asked1_ns = 0;
	t0 += run_origin(ui);
	t1 += run_origin(ui);
	time_range(ui, t0, t1);
	if (!run_grows(ui))
		return;
	ui->time.t0_mon_ns = t0; /* something of it will come into sight */
	ui->time.t1_mon_ns = t1 > t0 + RANGE_MIN_NS ? t1 : t0 + RANGE_MIN_NS;
}

/*
 * Lengths of time are rounded to whole ns a pixel, and the view is moved by
 * whole pixels: then what it has shown moves along and is not drawn anew.
 */
static int64_t
whole_span(const struct ui *ui, double span)
{
	int32_t w = ui->time.width;
	int64_t each = w > 0 ? (int64_t)(span / w + 0.5) : 0;

	return (each >= WHOLE_MIN_NS ? each * w : (int64_t)span);
}

/* Rounded to the right. */
static int64_t
whole_pixels(int64_t by, int64_t span, int32_t w)
{
	int64_t each = w > 0 && span % w == 0 ? span / w : 1;

	if (each <= 1)
		return (by);
	return (by > 0 ? (by + each - 1) / each * each : by / each * each);
}

void
time_follow(struct ui *ui)
{
	int64_t end = run_end(ui);
	int64_t t1 = ui->time.t1_mon_ns, span = t1 - ui->time.t0_mon_ns;
	int64_t whole = whole_span(ui, (double)span);

	t1 += whole_pixels(end - t1, whole, ui->time.width);
	time_range(ui, t1 - whole, t1);
}

/*
 * Zooming in and out again comes back to the same view, to the ns, as it is
 * kept: what lengths of time are rounded by makes no difference.
 */
static bool
is_near(int64_t a, int64_t b, int64_t off)
{
	return (a > b ? a - b <= off : b - a <= off);
}

/* The latest view within `off` ns at both ends; NULL: there was none. */
static const struct range *
zoomed_before(const struct ui *ui, int64_t t0, int64_t t1, int64_t off)
{
	const struct range *r;

	for (unsigned i = 1; i <= RANGES_MAX && i <= ui->history.nzoomed; i++) {
		r = &ui->history.zoomed[(ui->history.nzoomed - i) % RANGES_MAX];
		if (is_near(r->t0_mon_ns, t0, off) &&
		    is_near(r->t1_mon_ns, t1, off))
			return (r);
	}
	return (NULL);
}

static int64_t
least(int64_t a, int64_t b)
{
	return (a < b ? a : b);
}

static void
zoom_to(struct ui *ui, int64_t t0, int64_t t1)
{
	int64_t now0 = ui->time.t0_mon_ns, now1 = ui->time.t1_mon_ns;
	int64_t w = ui->time.width > 0 ? ui->time.width : 1;
	/* a ns a pixel, if that is neither to be seen nor a step by itself */
	int64_t step = llabs((t1 - t0) - (now1 - now0));
	int64_t off = least(w, least((t1 - t0) / w, step / 2) / 4);
	const struct range *r;

	if (zoomed_before(ui, now0, now1, 0) == NULL)
		ui->history.zoomed[ui->history.nzoomed++ % RANGES_MAX] =
		    (struct range){ now0, now1 };
	r = zoomed_before(ui, t0, t1, off);
	time_range(ui, r != NULL ? r->t0_mon_ns : t0,
	    r != NULL ? r->t1_mon_ns : t1);
}

void
time_zoom(struct ui *ui, double factor, int32_t x)
{
	int64_t t0 = ui->time.t0_mon_ns, t1 = ui->time.t1_mon_ns;
	int32_t w = ui->places.lanes.x1 - ui->places.lanes.x0;
	double at, span = (double)(t1 - t0);

	if (x < ui->places.lanes.x0 || x >= ui->places.lanes.x1 || w <= 0)
		at = 0.5;
	else
		at = (double)(x - ui->places.lanes.x0) / w;
	if (ui->play.follow)
		at = 1; /* the live edge stays where it is */
	t0 += (int64_t)(span * at * (1 - factor));
	zoom_to(ui, t0, t0 + whole_span(ui, span * factor));
}

void
time_pan(struct ui *ui, double share)
{
	double span = (double)(ui->time.t1_mon_ns - ui->time.t0_mon_ns);
	int64_t whole = whole_span(ui, span);
	int64_t t0 = ui->time.t0_mon_ns + whole_pixels((int64_t)(span * share),
					      whole, ui->time.width);

	ui->play.follow = false;
	time_range(ui, t0, t0 + whole);
}

void
time_fit(struct ui *ui)
{
	int64_t first = run_begin(ui), last = run_far_end(ui);
	int64_t margin, there;

	if (two_runs(ui)) { /* the longer of two runs */
		there = run_far_end(ui->desks->desk[1]) -
			run_begin(ui->desks->desk[1]);
		last = first + there > last ? first + there : last;
	}
	margin = (last - first) / 200;

	time_range(ui, first - margin, last + margin);
	ui->play.fit = true;
}

void
time_live(struct ui *ui)
{
	ui->play.paused = false;
	ui->play.playing = false;
	ui->play.head_mon_ns = INT64_MAX;
	ui->play.follow = true;
	if (model_events(ui->model) == 0)
		ui->play.fit = true; /* what there will be */
	else
		time_follow(ui);
}

void
time_select(struct ui *ui, int64_t t0, int64_t t1)
{
	ui->time.sel0_mon_ns = t0 < t1 ? t0 : t1;
	ui->time.sel1_mon_ns = t0 < t1 ? t1 : t0;
	picture_changed(ui->picture);
}

bool
time_selected(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	*t0 = ui->time.sel0_mon_ns;
	*t1 = ui->time.sel1_mon_ns;
	if (*t0 < *t1)
		return (true);
	*t0 = ui->time.t0_mon_ns;
	*t1 = ui->time.t1_mon_ns;
	return (false);
}

void
time_in_sight(struct ui *ui, int64_t t)
{
	int64_t span = ui->time.t1_mon_ns - ui->time.t0_mon_ns;

	if (t >= ui->time.t0_mon_ns && t < ui->time.t1_mon_ns)
		return;
	ui->play.follow = false;
	if (t < ui->time.t0_mon_ns)
		time_range(ui, t - span / 10, t + span - span / 10);
	else
		time_range(ui, t - span + span / 10, t + span / 10);
}

void
time_head_to(struct ui *ui, int64_t t)
{
	if (t < run_begin(ui))
		t = run_begin(ui);
	ui->play.head_mon_ns = ui->tree.until_mon_ns = t;
	if (t >= run_end(ui)) {
		ui->play.head_mon_ns = INT64_MAX;
		ui->tree.until_mon_ns = INT64_MAX;
		ui->play.playing = false;
		t = run_end(ui);
	}
	ui->play.rush = 0;
	ui->play.follow = false;
	time_in_sight(ui, t);
}

int
time_scroll(struct ui *ui, int32_t px)
{
	int32_t most = ui->timepane.rows.total_height - ui->time.height;

	ui->time.scroll_y += px;
	if (ui->time.scroll_y > most)
		ui->time.scroll_y = most;
	if (ui->time.scroll_y < 0)
		ui->time.scroll_y = 0;
	picture_changed(ui->picture);
	return (0);
}

/* The group by hand, or class, in which a lane is. */
static void
open_group(struct ui *ui, uint32_t lane)
{
	struct hand *h = model_hand(ui->model);
	const struct lane *l = model_lane(ui->model, lane);
	struct hand_group *g;

	if (h == NULL)
		return;
	g = hand_of(h, lane);
	if (g == NULL && l->kind == LANE_OBJECT)
		g = hand_class(h, l->name);
	if (g == NULL || (g->flags & (TIMELINE_FOLDED | TIMELINE_HIDDEN)) == 0)
		return;
	g->flags = 0;
	ui->time.hand.version = ++h->version;
}

void
time_show_row(struct ui *ui, uint32_t lane)
{
	uint32_t up = lane, row;
	int32_t y;

	for (; up < ui->time.nfolded; up = model_lane(ui->model, up)->parent) {
		ui->timepane.folded[up] &= (uint8_t)~TIMELINE_HIDDEN;
		if (up != lane)
			ui->timepane.folded[up] &= (uint8_t)~TIMELINE_FOLDED;
		open_group(ui, up);
	}
	if (timeline_rows(ui->model, &ui->time, &ui->timepane.rows) == -1 ||
	    lane >= ui->timepane.rows.nlanes)
		return;
	row = ui->timepane.rows.lane_row[lane];
	if (row >= ui->timepane.rows.nrows ||
	    ui->timepane.rows.rows[row].pinned)
		return;
	y = ui->timepane.rows.rows[row].y;
	if (y < ui->timepane.rows.pinned_height ||
	    y + ui->timepane.rows.rows[row].height > ui->time.height)
		time_scroll(ui, y - ui->time.height / 2);
}
