/*
 * Counters: what collectors read of the system and what programs say, a curve
 * each over the panels' range, with the figures of that range.  Of a total the
 * curve is what it grows by.
 */
#include "ui/things/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/curve.h"
#include "model/run/hand.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX      26
#define CURVE_PX    18
#define COLUMNS_MAX 2048 /* of a curve; in a wider one each is some pixels */
#define DESCRIBED   4096 /* rows */
#define LEVEL_PX    72   /* room for the highest level, at the right */

const struct legend_row counters_legend[] = {
	{ ITEM_LINE, LEGEND_COUNTERS, 0,
	    "a counter over time: its own colour" },
	{ ITEM_LINE, LEGEND_INK(grid), "its lowest value" },
	{ ITEM_RECT, LEGEND_INK(selection), "of the selected row" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_NOW,
	COLUMN_GROWTH,
	COLUMN_MIN,
	COLUMN_MEAN,
	COLUMN_MAX,
	COLUMN_CURVE,
	COLUMNS
};
static const struct table_column places[COLUMNS] = {
	[COLUMN_NAME] = { "counter", 190, 0, 0, false, false },
	[COLUMN_NOW] = { "last", 76, 0, 0, true, false },
	[COLUMN_GROWTH] = { "growth", 66, 0, 1, true, false },
	[COLUMN_MIN] = { "min", 62, 0, 3, true, false },
	[COLUMN_MEAN] = { "mean", 62, 0, 2, true, false },
	[COLUMN_MAX] = { "max", 62, 0, 3, true, false },
	[COLUMN_CURVE] = { "", 120, 1, 0, false, false },
};

/* A counter in its place among the others. */
struct row {
	uint32_t i;
	struct counter c;
	struct counter bare; /* without a unit, which stands by the name */
	const struct lane *lane;
	const struct model *model;
	bool chosen; /* of the selected row, or of the group that it is */
};

/*
 * Those of the selected row, then nodes by name; on each first its own, then
 * its processes, their threads.
 */
static int
by_owner(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const struct lane *l = x->lane, *m = y->lane;
	uint32_t p, q;

	if (x->chosen != y->chosen)
		return (x->chosen ? -1 : 1);
	p = model_node_rank(x->model, l->node);
	q = model_node_rank(x->model, m->node);
	if (p == q) {
		p = l->kind == LANE_NODE ? 0 : l->po;
		q = m->kind == LANE_NODE ? 0 : m->po;
	}
	if (p == q) {
		p = l->id;
		q = m->id;
	}
	if (p == q) {
		p = x->i;
		q = y->i;
	}
	return ((p > q) - (p < q));
}

static struct row *
rows_of(const struct ui *ui, size_t *n)
{
	uint32_t all = model_counters(ui->model);
	struct row *rows = calloc((size_t)all + 1, sizeof(*rows));

	*n = 0;
	for (uint32_t i = 0; rows != NULL && i < all; i++) {
		struct row *r = &rows[*n];

		if (!model_counter(ui->model, i, &r->c))
			continue;
		r->i = i;
		r->bare = r->c;
		r->bare.unit[0] = '\0';
		r->model = ui->model;
		r->lane = model_lane(ui->model, r->c.lane);
		r->chosen = r->c.lane == ui->time.selected_lane ||
			    (ui->time.selected_lane >= HAND_LANE &&
				model_lane_within(ui->model, r->c.lane,
				    ui->time.selected_lane));
		*n += r->lane != NULL;
	}
	if (*n > 1)
		qsort(rows, *n, sizeof(*rows), by_owner);
	return (rows);
}

/* A stretch of known columns as points: low, high and last of each pixel. */
static void
add_points(const struct series_column *col, unsigned from, unsigned to,
    const struct axis *x, const struct axis *y, uint32_t rgb, struct scene *s)
{
	size_t n = (size_t)(to - from) * 3, k = 0;
	double *v = calloc(n * 2 + 1, sizeof(*v));

	for (unsigned i = from; v != NULL && i < to; i++) {
		const double of[3] = { col[i].lo, col[i].hi, col[i].last };

		for (int j = 0; j < 3; j++, k++) {
			v[k] = i;
			v[n + k] = of[j];
		}
	}
	if (v != NULL)
		curve_scene(x, y, v, v + n, n, 20, rgb, s);
	free(v);
}

/* From 0 to the highest; below 0 if there is something.  False: nothing. */
static bool
levels(const struct series_column *col, unsigned n, struct axis *y,
    double *highest)
{
	bool known = false;

	y->lo = y->hi = 0;
	for (unsigned i = 0; i < n; i++) {
		if (!col[i].known)
			continue;
		*highest = known && *highest > col[i].hi ? *highest : col[i].hi;
		known = true;
		y->lo = col[i].lo < y->lo ? col[i].lo : y->lo;
		y->hi = col[i].hi > y->hi ? col[i].hi : y->hi;
	}
	if (y->hi <= y->lo)
		y->hi = y->lo + 1;
	return (known);
}

/* The value under the pointer. */
static void
hint_value(struct ui *ui, const struct row *r, const struct rect *at,
    const struct series_column *col, unsigned n, int64_t t0, int64_t t1)
{
	int32_t px = ui->mouse.x - at->x0, all = at->x1 - at->x0;
	char owner[128], when[40], value[40];
	int64_t t = t0 + (int64_t)((double)(t1 - t0) * px / all);

	col += (int64_t)px * n / all;
	snprintf(ui->spots.hint, sizeof(ui->spots.hint), "%s, %s\n%s at %s",
	    counter_owner(ui, &r->c, owner, sizeof(owner)),
	    counter_label(ui, &r->c),
	    !col->known ? "not known"
	    : r->c.measure & MEASURE_TOTAL
		? counter_growth(&r->c, col->last, value, sizeof(value))
		: counter_number(&r->c, col->last, value, sizeof(value)),
	    run_time(ui, t, (t1 - t0) / 1000 + 1, when, sizeof(when)));
}

static void
draw_curve(struct ui *ui, struct canvas *c, const struct row *r,
    const struct rect *at, int64_t t0, int64_t t1)
{
	static struct series_column col[COLUMNS_MAX];
	int32_t px = at->x1 - at->x0;
	unsigned n = px > COLUMNS_MAX ? COLUMNS_MAX : (unsigned)px, from = 0;
	struct axis x = { 0, n, at->x0, at->x1, AXIS_LINEAR, AXIS_NUMBER };
	struct axis y = { 0, 1, at->y1, at->y0, AXIS_LINEAR, AXIS_NUMBER };
	uint32_t rgb = counter_colour(ui, &r->c);
	struct scene s = { 0 };
	double highest = 0;
	char top[40];

	if (px < 8)
		return;
	canvas_fill(c, at->x0, at->y1, at->x1, at->y1 + 1, ui->palette->grid);
	model_counter_columns(ui->model, r->i, t0, t1, n, col);
	if (!levels(col, n, &y, &highest))
		return;
	for (unsigned i = 0; i <= n; i++) {
		if (i < n && col[i].known)
			continue;
		if (i > from)
			add_points(col, from, i, &x, &y, rgb, &s);
		from = i + 1;
	}
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	draw_text(c, FONT_SMALL, at->x1 + 4, at->y0 + 8, ui->palette->dim, "%s",
	    r->c.measure & MEASURE_TOTAL
		? counter_growth(&r->c, highest, top, sizeof(top))
		: counter_number(&r->bare, highest, top, sizeof(top)));
	if (hint_wanted(ui, at->x0, at->y0, at->x1, at->y1))
		hint_value(ui, r, at, col, n, t0, t1);
}

/* What a cell says. */
static void
spell_cell(const struct ui *ui, const struct row *r, enum column col,
    const struct series_stats *st, const int64_t range[2], char *buf, size_t n)
{
	const struct counter *c = &r->bare;
	bool total = c->measure & MEASURE_TOTAL;
	double rate;

	buf[0] = '\0';
	if (!st->known)
		return;
	if (col == COLUMN_NOW)
		counter_value(c, st->last, buf, n);
	else if (col == COLUMN_GROWTH && total &&
		 model_counter_rate(ui->model, r->i, range[0], range[1], &rate))
		counter_growth(c, rate, buf, n);
	else if (col == COLUMN_MIN && !total)
		counter_value(c, st->min, buf, n);
	else if (col == COLUMN_MAX && !total)
		counter_value(c, st->max, buf, n);
	else if (col == COLUMN_MEAN && !total)
		counter_number(c, st->mean, buf, n);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct row *r, const int64_t range[2])
{
	const struct palette *p = ui->palette;
	const struct table_place *at = &t->place[COLUMN_CURVE];
	const struct table_place *name = &t->place[COLUMN_NAME];
	struct rect curve = { at->x0, y - 10, at->x1 - LEVEL_PX,
		y - 10 + CURVE_PX };
	struct series_stats st;
	char text[128];

	if (r->chosen)
		canvas_fill(c, name->x0 - 4, y - 13, at->x1, y - 13 + ROW_PX,
		    p->selection);
	spot_add(ui, name->x0, y - 13, name->x1, y - 13 + ROW_PX,
	    "select-row %" PRIu32, r->c.lane);
	snprintf(text, sizeof(text), "%s%s%s", counter_label(ui, &r->c),
	    *r->c.unit != '\0' ? " in " : "", r->c.unit);
	draw_cut(c, FONT_SMALL, name->x0, y - 2, name->x1 - name->x0, p->text,
	    text);
	draw_cut_middle(c, FONT_SMALL, name->x0, y + 9, name->x1 - name->x0,
	    p->dim, counter_owner(ui, &r->c, text, sizeof(text)));
	model_counter_stats(ui->model, r->i, range[0], range[1], &st);
	for (int i = COLUMN_NOW; i < COLUMN_CURVE; i++) {
		spell_cell(ui, r, (enum column)i, &st, range, text,
		    sizeof(text));
		cell_text(c, t, places, (size_t)i, y + 3, p->text, "%s", text);
	}
	draw_curve(ui, c, r, &curve, range[0], range[1]);
}

/* Above the curves: from when to when. */
static void
draw_range(struct ui *ui, struct canvas *c, const struct table *t,
    const int64_t range[2])
{
	const struct table_place *at = &t->place[COLUMN_CURVE];
	int64_t step_ns = (range[1] - range[0]) / 1000 + 1;
	int32_t y = t->head_y + 10, px = at->x1 - at->x0 - LEVEL_PX;
	char when[40];

	if (px < 140)
		return;
	draw_text(c, FONT_SMALL, at->x0, y, ui->palette->dim, "%s",
	    run_time(ui, range[0], step_ns, when, sizeof(when)));
	draw_right(c, FONT_SMALL, at->x0 + px, y, ui->palette->dim, "%s",
	    run_time(ui, range[1], step_ns, when, sizeof(when)));
}

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static const char *const words[] = {
		"no counters are recorded: the system's are read with",
		"    counters: 100ms",
		"and a program tells its own by",
		"    probe_counter(PROBE_NAME(\"queue\"), length);",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16 + 16 * (int32_t)i,
		    r->x1 - r->x0, ui->palette->dim, words[i]);
}

void
counters_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	size_t n;
	struct row *rows = rows_of(ui, &n);
	int64_t range[2];
	struct table t;

	if (n == 0 || !counters_range(ui, &range[0], &range[1])) {
		draw_nothing(ui, c, r);
		free(rows);
		return;
	}
	table_fit(&t, places, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_COUNTERS], r->x0, r->y0 + 8, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_COUNTERS] = t.first;
	cells_head(c, ui->palette, &t, places, "");
	draw_range(ui, c, &t, range);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 3, &rows[t.first + i],
		    range);
	free(rows);
}

/* "n0", "n0/3", "n0/3.1", as in reports. */
static const char *
owner_number(const struct ui *ui, const struct lane *l, char *buf, size_t n)
{
	const char *node = label_node(ui->model, l->node);

	if (l->kind == LANE_NODE)
		snprintf(buf, n, "%s", node);
	else if (l->kind == LANE_PO)
		snprintf(buf, n, "%s/%" PRIu32, node, l->po);
	else
		snprintf(buf, n, "%s/%" PRIu32 ".%" PRIu32, node, l->po,
		    l->thread);
	return (buf);
}

/* A value as it was told. */
static void
put_raw(FILE *f, const struct counter *c, const char *label, int64_t value)
{
	double v;

	if (c->real) {
		memcpy(&v, &value, sizeof(v));
		fprintf(f, ", %s %.17g", label, v);
	} else {
		fprintf(f, ", %s %" PRId64, label, value);
	}
}

void
counters_describe(struct ui *ui, FILE *f)
{
	size_t n;
	struct row *rows = rows_of(ui, &n);
	struct series_stats st;
	int64_t t0, t1;
	double rate;
	char owner[128];

	fprintf(f, "counters: %zu\n", n);
	if (!counters_range(ui, &t0, &t1))
		n = 0;
	for (size_t i = 0; i < n && i < DESCRIBED; i++) {
		const struct counter *c = &rows[i].c;

		model_counter_stats(ui->model, rows[i].i, t0, t1, &st);
		if (!st.known)
			continue;
		fprintf(f, "  counter of %s: %s: %" PRIu64 " values",
		    owner_number(ui, rows[i].lane, owner, sizeof(owner)),
		    counter_label(ui, c), st.n);
		put_raw(f, c, "last", st.last);
		put_raw(f, c, "min", st.min);
		put_raw(f, c, "max", st.max);
		fprintf(f, ", mean %.6g", st.mean);
		if ((c->measure & MEASURE_TOTAL) &&
		    model_counter_rate(ui->model, rows[i].i, t0, t1, &rate))
			fprintf(f, ", grows by %.6g", rate);
		fprintf(f, "\n");
	}
	free(rows);
}
