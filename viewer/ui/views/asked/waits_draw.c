/*
 * The view Waits: who waits for whom at the instant.  Who holds others up
 * stands at the left, who waits for that below and further right.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/asked/lockview.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    18
#define STEP_PX   26
#define DESCRIBED 1000

const struct legend_row waits_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(running), "a thread that holds up others" },
	LEGEND_WAITS,
	{ ITEM_TEXT, LEGEND_INK(error), "in a circle: a deadlock" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected row" },
	{ 0 },
};

enum column {
	COLUMN_WHO,
	COLUMN_WHAT,
	COLUMN_SINCE,
	COLUMN_HOLDS,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_WHO] = { "thread", 240, 0, 0, false, false },
	[COLUMN_WHAT] = { "at that time", 240, 1, 0, false, false },
	[COLUMN_SINCE] = { "for", 70, 0, 0, true, false },
	[COLUMN_HOLDS] = { "holds up", 60, 0, 1, true, false },
};

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct waits *w, size_t i, int64_t at_ns)
{
	const struct palette *p = ui->palette;
	const struct wait_row *r = &w->row[i];
	const struct wait *x = r->wait < w->n ? &w->wait[r->wait] : NULL;
	const struct table_place *who = &t->place[COLUMN_WHO];
	uint32_t depth = r->depth < 8 ? r->depth : 8;
	int32_t left = who->x0 + (int32_t)depth * STEP_PX;
	uint32_t rgb = x == NULL ? p->state[LANE_running] : p->state[x->class];
	char text[320], span[32];

	if (r->lane == ui->time.selected_lane)
		canvas_fill(c, who->x0 - 4, y - 13, cells_right(t), y + 5,
		    p->selection);
	if (depth > 0) { /* an arrow to whom it waits for */
		canvas_fill(c, left - STEP_PX + 4, y - 13, left - STEP_PX + 5,
		    y - 4, rgb);
		canvas_fill(c, left - STEP_PX + 4, y - 4, left - 4, y - 3, rgb);
		draw_triangle(c, TRIANGLE_LEFT, left - STEP_PX + 7, y - 4, 3,
		    rgb);
	}
	canvas_fill(c, left, y - 8, left + 8, y, rgb);
	draw_cut(c, FONT_SMALL, left + 14, y, who->x1 - left - 14,
	    x != NULL && x->circle ? p->error : p->text,
	    label_where(ui, r->lane, INT64_MIN, text, sizeof(text)));
	spot_add(ui, who->x0, y - 13, cells_right(t), y + 5,
	    "select-row %" PRIu32, r->lane);
	cell_text(c, t, columns, COLUMN_WHAT, y, p->text, "%s%s",
	    x != NULL && x->circle ? "in a circle: " : "",
	    x != NULL ? wait_words(ui, x, text, sizeof(text))
		      : wait_runs(ui, r->lane, at_ns, text, sizeof(text)));
	if (x != NULL)
		cell_text(c, t, columns, COLUMN_SINCE, y, p->text, "%s",
		    format_span(span, sizeof(span), at_ns - x->since_mon_ns));
	if (r->waiting > 0)
		cell_text(c, t, columns, COLUMN_HOLDS, y, p->dim, "%" PRIu32,
		    r->waiting);
}

/* Nobody waits then: when somebody did last; a click goes there. */
static void
draw_nobody(struct ui *ui, struct canvas *c, const struct rect *r, int64_t at,
    const char *what)
{
	const struct palette *p = ui->palette;
	int64_t last = waits_last(ui, at);
	bool playback = ui->play.head_mon_ns != INT64_MAX;
	int32_t x, y = r->y0 + 14;
	char when[40];

	x = draw_text(c, FONT_SMALL, r->x0, y, p->dim,
	    "nobody waits at %s (%s)",
	    run_time(ui, at, 1000, when, sizeof(when)), what);
	if (last == INT64_MIN)
		return;
	run_time(ui, last, 1000, when, sizeof(when));
	draw_text(c, FONT_SMALL, x + 16, y, p->accent, "the last did at %s",
	    when);
	spot_add(ui, x + 8, r->y0, r->x1, y + 5, "%s %" PRId64 "ns",
	    playback ? "seek" : "cursor", last - run_origin(ui));
}

void
waits_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const char *what;
	int64_t at = run_instant(ui, &what);
	struct waits w;
	struct table t;
	char when[40], head[240];

	if (!waits_find(ui, at, &w))
		return;
	if (w.n == 0) {
		draw_nobody(ui, c, r, at, what);
		waits_clear(&w);
		return;
	}
	snprintf(head, sizeof(head), "%s%zu wait%s at %s (%s)",
	    w.deadlock ? "deadlock: they wait for each other for ever; " : "",
	    w.n, w.n == 1 ? "s" : "",
	    run_time(ui, at, 1000, when, sizeof(when)), what);
	draw_cut(c, FONT_SMALL, r->x0, r->y0 + 14, r->x1 - r->x0,
	    w.deadlock ? ui->palette->error : ui->palette->dim, head);
	table_fit(&t, columns, COLUMNS, (int32_t)w.nrows,
	    ui->lists.scroll[VIEW_WAITS], r->x0, r->y0 + 20, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_WAITS] = t.first;
	cells_head(c, ui->palette, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 2, &w,
		    (size_t)t.first + (size_t)i, at);
	waits_clear(&w);
}

static void
describe_row(struct ui *ui, const struct waits *w, size_t i, int64_t at,
    FILE *f)
{
	const struct wait_row *r = &w->row[i];
	const struct wait *x = r->wait < w->n ? &w->wait[r->wait] : NULL;
	char who[200], text[320];

	fprintf(f, "  %*s%s (row %" PRIu32 ")", (int)r->depth * 2, "",
	    label_where(ui, r->lane, INT64_MIN, who, sizeof(who)), r->lane);
	if (x == NULL)
		fprintf(f, ": %s",
		    wait_runs(ui, r->lane, at, text, sizeof(text)));
	else
		fprintf(f, ": %s%s, for %" PRId64 " ns",
		    x->circle ? "in a circle, " : "",
		    wait_words(ui, x, text, sizeof(text)),
		    at - x->since_mon_ns);
	if (r->waiting > 0)
		fprintf(f, "; holds up %" PRIu32, r->waiting);
	fprintf(f, "\n");
}

void
waits_describe(struct ui *ui, FILE *f)
{
	const char *what;
	int64_t at = run_instant(ui, &what), last;
	struct waits w;

	if (!waits_find(ui, at, &w))
		return;
	fprintf(f, "waits: %zu threads at %" PRId64 " ns (%s)%s\n", w.n,
	    at - run_origin(ui), what, w.deadlock ? ", deadlock" : "");
	if (w.n == 0 && (last = waits_last(ui, at)) != INT64_MIN)
		fprintf(f, "  the last did at %" PRId64 " ns\n",
		    last - run_origin(ui));
	for (size_t i = 0; i < w.nrows && i < DESCRIBED; i++)
		describe_row(ui, &w, i, at, f);
	waits_clear(&w);
}
