/*
 * The list of spans: all that began on the selected row, in the order of time,
 * each from its begin to its end, with what it was interrupted by.
 * There may be tens of millions; only the rows in sight are asked for, each way
 * down the lane's summaries by the number of the first one.  That is why there
 * is no other order: one by length would have to look at all of them.
 *
 * The list goes where the cursor is put, and a click puts the cursor.
 */
#include <inttypes.h>
#include <string.h>

#include "newest.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/calls/list.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX   15
#define ROWS_MAX 256 /* drawn, or described */

const struct legend_row spans_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_RECT, LEGEND_STATE(running), "running, of no name" },
	{ ITEM_RECT, LEGEND_STATE(overhead), "in the runtime" },
	LEGEND_WAITS,
	{ ITEM_RECT, LEGEND_NODES, 0, "of an object: the node that it was on" },
	{ ITEM_RECT, LEGEND_STATE(transit), "of an object: on its way" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected one" },
	{ ITEM_TEXT, LEGEND_INK(dim), "dim: later than the playback" },
	{ ITEM_RECT, LEGEND_INK(accent),
	    "text: sent or taken, or another link" },
	{ ITEM_RECT, LEGEND_INK(warn), "text: a mark" },
	{ 0 },
};

enum column {
	COLUMN_N,
	COLUMN_BEGINS,
	COLUMN_FOR,
	COLUMN_SO_FAR,
	COLUMN_ENDS,
	COLUMN_STATE,
	COLUMN_WHAT,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_N] = { "number", 66, 0, 0, true, false },
	[COLUMN_BEGINS] = { "begins", 112, 0, 0, true, false },
	[COLUMN_FOR] = { "for", 76, 0, 0, true, false },
	[COLUMN_SO_FAR] = { "cumulative", 76, 0, 1, true, false },
	[COLUMN_ENDS] = { "ends", 112, 0, 3, true, false },
	[COLUMN_STATE] = { "state", 120, 0, 2, false, false },
	[COLUMN_WHAT] = { "", 100, 1, 0, false, false },
};

/* The number of the first one that begins at t or later. */
static uint64_t
rank(const struct ui *ui, uint32_t lane, int64_t t)
{
	int64_t by_class[LANE_CLASSES];
	uint64_t n = 0;

	model_lane_totals(ui->model, lane, INT64_MIN / 4, t, by_class, &n);
	return (n);
}

/* Another row, or another instant: there. */
static void
go_there(struct ui *ui, uint32_t lane, int32_t rows)
{
	bool other = ui->lists.spans_lane != lane;
	int64_t at = ui->chosen.cursor_mon_ns;
	uint64_t k;

	if (!other && ui->lists.spans_at == at)
		return;
	ui->lists.spans_lane = lane;
	ui->lists.spans_at = at;
	if (at == INT64_MIN && !other)
		return;
	k = rank(ui, lane, at != INT64_MIN ? at : ui->time.t0_mon_ns);
	if (other || k < (uint64_t)ui->lists.scroll[VIEW_SPANS] ||
	    k >= (uint64_t)ui->lists.scroll[VIEW_SPANS] + (uint64_t)rows)
		ui->lists.scroll[VIEW_SPANS] =
		    k < INT32_MAX ? (int32_t)k : INT32_MAX;
}

static const char *
span_words(char *buf, size_t n, const struct span *s, bool more)
{
	char span[32];

	snprintf(buf, n, "%s%s", more ? ">" : "",
	    format_span(span, sizeof(span), s->t1_mon_ns - s->t0_mon_ns));
	return (buf);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    uint64_t number, const struct span *piece)
{
	struct list_of of = list_selected(ui);
	struct listed l;
	const struct span *s = &l.s;
	const struct palette *p = ui->palette;
	const struct table_place *what = &t->place[COLUMN_WHAT];
	int64_t at = piece->t0_mon_ns - run_origin(ui);
	bool chosen = ui->chosen.cursor_mon_ns >= piece->t0_mon_ns &&
		      ui->chosen.cursor_mon_ns < piece->t1_mon_ns;
	int64_t head = ui->play.head_mon_ns;
	bool later = piece->t0_mon_ns > head, open;
	uint32_t ink =
	    later ? palette_mix(p->background, p->dim, 150) : p->text;
	uint32_t rgb =
	    piece->class >= LANE_OBJECT_NODE
		? palette_of_node(ui->model, piece->name)
	    : piece->name != 0 &&
		    piece->class == LANE_running /* as in the lanes */
		? palette_of_name(ui->model, piece->name)
		: p->state[piece->class];
	int32_t x0 = t->place[0].x0, x1 = what->x1;
	char text[320];

	list_row(ui, &of, piece, &l);
	open = s->t1_mon_ns == INT64_MAX || (!later && s->t1_mon_ns > head);
	if (chosen)
		canvas_fill(c, x0 - 4, y - 11, x1, y + 4, p->selection);
	cell_text(c, t, columns, COLUMN_N, y, later ? ink : p->dim, "%s",
	    format_count(text, sizeof(text), number + 1));
	cell_text(c, t, columns, COLUMN_BEGINS, y, ink, "%s",
	    run_time(ui, s->t0_mon_ns, 1, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_FOR, y, ink, "%s",
	    open ? "so far" : span_words(text, sizeof(text), s, l.w.more));
	if (l.so_far_ns >= 0)
		cell_text(c, t, columns, COLUMN_SO_FAR, y, p->text, "%s%s",
		    l.about ? "~" : "",
		    format_span(text, sizeof(text), l.so_far_ns));
	cell_text(c, t, columns, COLUMN_ENDS, y, ink, "%s",
	    open || l.w.more
		? ""
		: run_time(ui, s->t1_mon_ns, 1, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_STATE, y, later ? ink : p->dim, "%s",
	    label_state(s));
	if (later) /* as it is veiled in the lanes */
		rgb = palette_mix(p->background, rgb, 60);
	canvas_fill(c, what->x0, y - 8, what->x0 + 8, y, rgb);
	draw_cut(c, FONT_SMALL, what->x0 + 14, y, x1 - what->x0 - 14, ink,
	    list_words(ui, of.lane, &l, text, sizeof(text)));
	spot_add(ui, x0, y - 11, x1, y + 4, "cursor %" PRId64 "ns", at);
}

static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    uint32_t lane, uint64_t n)
{
	uint32_t dim = ui->palette->dim;
	char name[96], num[32];

	for (size_t i = 0; i < COLUMN_WHAT; i++)
		cell_text(c, t, columns, i, y, dim, "%s", columns[i].title);
	snprintf(name, sizeof(name), "%s of ",
	    format_count(num, sizeof(num), n));
	label_lane(ui->model, model_lane(ui->model, lane), name + strlen(name),
	    sizeof(name) - strlen(name));
	cell_text(c, t, columns, COLUMN_WHAT, y, dim, "%s", name);
}

void
list_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct span span[ROWS_MAX];
	uint32_t lane = ui->time.selected_lane;
	int32_t rows = (r->y1 - r->y0 - 22) / ROW_PX, y = r->y0 + 14;
	struct table t;
	uint64_t n, from;
	size_t got;

	rows = rows < 1 ? 1 : rows > ROWS_MAX ? ROWS_MAX : rows;
	if (lane == UINT32_MAX || !model_lane_listed(ui->model, lane, &n)) {
		newest_draw(ui, c, r);
		return;
	}
	newest_leave(ui);
	go_there(ui, lane, rows);
	if (ui->lists.scroll[VIEW_SPANS] > INT32_MAX - 1 ||
	    (uint64_t)ui->lists.scroll[VIEW_SPANS] + (uint64_t)rows > n)
		ui->lists.scroll[VIEW_SPANS] =
		    n > (uint64_t)rows ? (int32_t)(n - (uint64_t)rows) : 0;
	table_fit(&t, columns, COLUMNS, 0, 0, r->x0, r->y0, r->x1, r->y1,
	    ROW_PX);
	draw_head(ui, c, &t, y, lane, n);
	from = (uint64_t)ui->lists.scroll[VIEW_SPANS];
	got = model_lane_list(ui->model, lane, from, span, (size_t)rows);
	if (got > (size_t)rows) {
		draw_text(c, FONT_SMALL, r->x0, y + ROW_PX, ui->palette->warn,
		    "given up for want of memory (--memory): only sums are "
		    "left");
		return;
	}
	for (size_t i = 0; i < got; i++)
		draw_row(ui, c, &t, y += ROW_PX, from + i, &span[i]);
}

/* "12345 ns step: 200 ns, 3 within, waits 20 ns, cumulative 500 ns" */
static void
describe_row(const struct ui *ui, FILE *f, const struct span *piece)
{
	struct list_of of = list_selected(ui);
	struct listed l;
	char more[256];

	list_row(ui, &of, piece, &l);
	fprintf(f, "  %" PRId64 " ns %s: ", l.s.t0_mon_ns - run_origin(ui),
	    list_word(ui, of.lane, &l.s));
	if (l.s.t1_mon_ns == INT64_MAX)
		fprintf(f, "so far");
	else
		fprintf(f, "%s%" PRId64 " ns", l.w.more ? ">" : "",
		    l.s.t1_mon_ns - l.s.t0_mon_ns);
	fprintf(f, ", %" PRIu64 " within, waits %" PRId64 " ns", l.w.within,
	    l.w.waits_ns);
	if (l.so_far_ns >= 0)
		fprintf(f, ", cumulative %s%" PRId64 " ns", l.about ? "~" : "",
		    l.so_far_ns);
	fprintf(f, "%s\n", list_wait_words(ui, &l, more, sizeof(more)));
}

void
list_describe(struct ui *ui, FILE *f)
{
	uint32_t lane = ui->time.selected_lane;
	struct span s[ROWS_MAX];
	uint64_t n, from = (uint64_t)ui->lists.scroll[VIEW_SPANS];
	size_t got;

	if (lane == UINT32_MAX || !model_lane_listed(ui->model, lane, &n)) {
		fprintf(f, "spans: no thread, object or lock is selected\n");
		newest_describe(ui, f);
		return;
	}
	got = model_lane_list(ui->model, lane, from, s, ROWS_MAX);
	fprintf(f, "spans: %" PRIu64 ", from %" PRIu64 "\n", n, from + 1);
	for (size_t i = 0; got <= ROWS_MAX && i < got; i++)
		describe_row(ui, f, &s[i]);
}
