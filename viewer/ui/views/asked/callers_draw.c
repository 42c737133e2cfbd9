/*
 * The view Callers: a line for each pair of functions of which one called the
 * other, sorted by a column.  By `from` the callees stand below their caller.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/table.h"
#include "model/measured/scheds.h"
#include "ui/draw/draw.h"
#include "ui/views/asked/callers.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    15
#define HEAD_PX   16 /* of whom, above the table */
#define DESCRIBED 1000

const struct legend_row callers_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_RECT, LEGEND_INK(line), "nobody: the first of its thread" },
	{ ITEM_TEXT, LEGEND_INK(warn),
	    "number of a circle: these call each other" },
	{ 0 },
};

enum column {
	COLUMN_FROM,
	COLUMN_TO,
	COLUMN_CIRCLE,
	COLUMN_CALLS,
	COLUMN_TOTAL,
	COLUMN_SELF,
	COLUMN_CPU,
	COLUMN_WAITS,
	COLUMN_MEAN,
	COLUMN_MIN,
	COLUMN_LONGEST,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_FROM] = { "from", 100, 1, 0, false, false },
	[COLUMN_TO] = { "to", 120, 1, 0, false, false },
	[COLUMN_CIRCLE] = { "circle", 44, 0, 3, true, false },
	[COLUMN_CALLS] = { "calls", 56, 0, 0, true, false },
	[COLUMN_TOTAL] = { "total ms", 66, 0, 0, true, false },
	[COLUMN_SELF] = { "self ms", 70, 0, 2, true, false },
	[COLUMN_CPU] = { "CPU ms", 66, 0, 1, true, false },
	[COLUMN_WAITS] = { "waits ms", 70, 0, 4, true, false },
	[COLUMN_MEAN] = { "mean µs", 66, 0, 6, true, false },
	[COLUMN_MIN] = { "min µs", 66, 0, 7, true, false },
	[COLUMN_LONGEST] = { "longest µs", 76, 0, 5, true, false },
};

/* --- the order --- */

static const char *const words[] = { "all", "row", "from", "to", "circle",
	"calls", "total", "self", "cpu", "waits", "mean", "min", "longest" };

#define NWORDS (sizeof(words) / sizeof(words[0]))
#define OF     2 /* behind these, by column */

static enum column
sorted_by(struct ui *ui)
{
	const struct callers_own *o = callers_own(ui);

	return (
	    o == NULL || o->by == 0 ? COLUMN_TOTAL : (enum column)(o->by - 1));
}

/* Of an outermost call; -1: none has begun. */
static int64_t
mean_ns(const struct edge *e)
{
	return (e->outer == 0 ? -1 : e->total_ns / (int64_t)e->outer);
}

/* -1: none is over. */
static int64_t
min_ns(const struct edge *e)
{
	return (e->shortest_ns == INT64_MAX ? -1 : e->shortest_ns);
}

static int64_t
value(const struct edge *e, enum column by)
{
	switch (by) {
	case COLUMN_CIRCLE: /* the first first, those of none last */
		return (e->circle == 0 ? INT64_MIN : -(int64_t)e->circle);
	case COLUMN_CALLS:
		return ((int64_t)e->calls);
	case COLUMN_SELF:
		return (e->self_ns);
	case COLUMN_CPU:
		return (e->cpu_unknown ? -1 : e->cpu_ns);
	case COLUMN_WAITS:
		return (e->waits_ns);
	case COLUMN_MEAN:
		return (mean_ns(e));
	case COLUMN_MIN:
		return (min_ns(e));
	case COLUMN_LONGEST:
		return (e->longest_ns);
	default:
		return (e->total_ns);
	}
}

struct order {
	const struct model *model;
	enum column by;
};

/* Names of one text stay apart. */
static int
by_name(const struct model *m, uint32_t a, uint8_t a_kind, uint32_t b,
    uint8_t b_kind)
{
	int order = strcmp(label_name(m, a), label_name(m, b));

	if (a_kind == 0 || b_kind == 0) /* nobody is the first */
		return ((a_kind > b_kind) - (a_kind < b_kind));
	if (order != 0)
		return (order);
	if (a != b)
		return (a < b ? -1 : 1);
	return ((a_kind > b_kind) - (a_kind < b_kind));
}

static int
by_column(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	const struct edge *x = a, *y = b;
	int64_t p, q;
	int order = 0;

	if (o->by == COLUMN_FROM)
		order = by_name(o->model, x->from_name, x->from_kind,
		    y->from_name, y->from_kind);
	else if (o->by == COLUMN_TO)
		order = by_name(o->model, x->to_name, x->to_kind, y->to_name,
		    y->to_kind);
	if (order != 0)
		return (order);
	p = value(x, o->by);
	q = value(y, o->by);
	if (p != q)
		return (p < q ? 1 : -1);
	return (edge_by_total(a, b));
}

static bool
sorted(struct ui *ui, struct edges *e)
{
	struct order o = { ui->model, sorted_by(ui) };

	if (!edges_make(ui, e))
		return (false);
	if (o.by != COLUMN_TOTAL && e->n > 1)
		qsort_r(e->edge, e->n, sizeof(*e->edge), by_column, &o);
	return (true);
}

const char *
callers_word(const struct ui *ui, unsigned i)
{
	(void)ui;
	return (i < NWORDS ? words[i] : NULL);
}

int
callers_command(struct ui *ui, const char *word)
{
	struct callers_own *o = callers_own(ui);

	for (unsigned i = 0; o != NULL && i < NWORDS; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		if (i < OF)
			o->of_row = i == 1;
		else
			o->by = (uint8_t)(i - OF + 1);
		ui->lists.scroll[VIEW_CALLERS] = 0;
		return (0);
	}
	return (-1);
}

/* --- shown --- */

static const char *
from_words(const struct ui *ui, const struct edge *e, char *buf, size_t n)
{
	return (e->from_kind == 0 ? "–"
				  : label_function(ui->model, e->from_name,
					e->from_kind, buf, n));
}

static void
ms_cell(struct ui *ui, struct canvas *c, const struct table *t, size_t i,
    int32_t y, int64_t ns)
{
	cell_text(c, t, columns, i, y, ui->palette->text, "%.3f",
	    (double)ns / 1e6);
}

static void
us_cell(struct ui *ui, struct canvas *c, const struct table *t, size_t i,
    int32_t y, int64_t ns)
{
	if (ns >= 0)
		cell_text(c, t, columns, i, y, ui->palette->text, "%.1f",
		    (double)ns / 1e3);
}

/* below: the caller stands further up */
static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct edge *e, bool below)
{
	const struct table_place *to = &t->place[COLUMN_TO];
	const struct palette *p = ui->palette;
	const char *name = label_name(ui->model, e->to_name);
	char own[200], num[32];

	if (!below)
		cell_name(c, t, y, p->dim,
		    e->from_kind == 0
			? p->line
			: palette_of_name(ui->model, e->from_name),
		    from_words(ui, e, own, sizeof(own)));
	canvas_fill(c, to->x0, y - 8, to->x0 + 8, y,
	    palette_of_name(ui->model, e->to_name));
	draw_cut(c, FONT_SMALL, to->x0 + 14, y, to->x1 - to->x0 - 14, p->text,
	    label_function(ui->model, e->to_name, e->to_kind, own,
		sizeof(own)));
	spot_add(ui, to->x0, y - 10, t->place[COLUMN_CALLS].x1, y + 4,
	    "find \"%.38s\"", name);
	if (e->circle != 0)
		cell_text(c, t, columns, COLUMN_CIRCLE, y, p->warn, "%" PRIu32,
		    e->circle);
	cell_text(c, t, columns, COLUMN_CALLS, y, p->text, "%s",
	    format_count(num, sizeof(num), e->calls));
	ms_cell(ui, c, t, COLUMN_TOTAL, y, e->total_ns);
	ms_cell(ui, c, t, COLUMN_SELF, y, e->self_ns);
	if (!e->cpu_unknown)
		ms_cell(ui, c, t, COLUMN_CPU, y, e->cpu_ns);
	ms_cell(ui, c, t, COLUMN_WAITS, y, e->waits_ns);
	us_cell(ui, c, t, COLUMN_MEAN, y, mean_ns(e));
	us_cell(ui, c, t, COLUMN_MIN, y, min_ns(e));
	us_cell(ui, c, t, COLUMN_LONGEST, y, e->longest_ns);
}

/* "all threads  worker 2": of which it is, and the others to be chosen. */
static void
draw_whom(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	uint32_t lane = ui->time.selected_lane;
	bool row = callers_row(ui) != UINT32_MAX;
	int32_t y = r->y0 + 14, x = r->x0;
	char name[96];

	draw_text(c, FONT_SMALL, x, y, row ? p->dim : p->accent, "all threads");
	spot_add(ui, x, y - 11, x + 66, y + 4, "callers all");
	x += 76;
	if (!callers_may(ui, lane))
		snprintf(name, sizeof(name), "the selected row");
	else
		label_lane(ui->model, model_lane(ui->model, lane), name,
		    sizeof(name));
	draw_cut(c, FONT_SMALL, x, y, r->x1 - x, row ? p->accent : p->dim,
	    name);
	spot_add(ui, x, y - 11,
	    x + text_width(FONT_SMALL, name, strlen(name)) + 6, y + 4,
	    "callers row");
}

/* The titles sort. */
static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *of)
{
	enum column by = sorted_by(ui);
	int32_t y = t->head_y + 10;

	cells_head(c, ui->palette, t, of, "");
	for (size_t i = 0; i < COLUMNS; i++) {
		if (t->place[i].x1 == t->place[i].x0)
			continue;
		spot_add(ui, t->place[i].x0, y - 10, t->place[i].x1, y + 4,
		    "callers %s", words[OF + i]);
		if (i == by)
			cell_text(c, t, of, i, y, ui->palette->accent, "%s",
			    of[i].title);
	}
}

static bool
same_caller(const struct edge *a, const struct edge *b)
{
	return (a->from_name == b->from_name && a->from_kind == b->from_kind);
}

void
callers_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column of[COLUMNS];
	struct edges e;
	struct table t;

	draw_whom(ui, c, r);
	if (!sorted(ui, &e) || e.n == 0) {
		edges_clear(&e);
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16 + HEAD_PX,
		    r->x1 - r->x0, ui->palette->dim,
		    callers_sums(ui)->busy
			? "adding up ..."
			: "no call in this time; monitorctl run records those "
			  "of programs made with -finstrument-functions");
		return;
	}
	memcpy(of, columns, sizeof(of));
	of[COLUMN_CPU].hidden = model_scheds(ui->model) == 0;
	table_fit(&t, of, COLUMNS, (int32_t)e.n, ui->lists.scroll[VIEW_CALLERS],
	    r->x0, r->y0 + 8 + HEAD_PX, cells_x1(r), r->y1, ROW_PX);
	ui->lists.scroll[VIEW_CALLERS] = t.first;
	draw_head(ui, c, &t, of);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), &e.edge[t.first + i],
		    i > 0 && sorted_by(ui) == COLUMN_FROM &&
			same_caller(&e.edge[t.first + i - 1],
			    &e.edge[t.first + i]));
	edges_clear(&e);
}

/* ", min 120 ns", or "-" */
static void
describe_ns(FILE *f, const char *what, int64_t ns)
{
	if (ns < 0)
		fprintf(f, ", %s -", what);
	else
		fprintf(f, ", %s %" PRId64 " ns", what, ns);
}

void
callers_describe(struct ui *ui, FILE *f)
{
	uint32_t row = callers_row(ui);
	const char *about = sums_exact_of(ui, callers_sums(ui), row) ? "" : "~";
	char from[200], to[200];
	struct edges e;

	if (!sorted(ui, &e)) {
		fprintf(f, "callers: nothing is known\n");
		return;
	}
	fprintf(f, "callers: %s%zu, circles: %" PRIu32 "%s%s\n", about, e.n,
	    e.circles, row != UINT32_MAX ? ", of " : "",
	    row != UINT32_MAX
		? label_where(ui, row, INT64_MIN, from, sizeof(from))
		: "");
	for (size_t i = 0; i < e.n && i < DESCRIBED; i++) {
		const struct edge *x = &e.edge[i];

		fprintf(f,
		    "  %s > %s: %" PRIu64 " calls, %" PRId64
		    " ns, self %" PRId64 " ns, waits %" PRId64 " ns",
		    from_words(ui, x, from, sizeof(from)),
		    label_function(ui->model, x->to_name, x->to_kind, to,
			sizeof(to)),
		    x->calls, x->total_ns, x->self_ns, x->waits_ns);
		describe_ns(f, "mean", mean_ns(x));
		describe_ns(f, "min", min_ns(x));
		if (model_scheds(ui->model) > 0 && !x->cpu_unknown)
			fprintf(f, ", CPU %" PRId64 " ns", x->cpu_ns);
		if (x->circle != 0)
			fprintf(f, "; circle %" PRIu32, x->circle);
		fprintf(f, "\n");
	}
	edges_clear(&e);
}
