/* The functions table: what was called, how often, how long, where. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/table.h"
#include "model/calls/calls.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"

#define OWN_BYTES 256 /* a name with its place */
#define NAMES_MAX 4096
#define ROW_PX    15
#define TITLE_PX  40 /* it runs into the column beside it, which is right */

static int
by_text(const struct model *m, uint32_t a, uint32_t b)
{
	return (strcmp(label_name(m, a), label_name(m, b)));
}

static double
mean_ns(const struct name_stats *s)
{
	return (s->outer > 0 ? (double)s->total_ns / (double)s->outer : 0);
}

/* Of its time, and of that in which it was suspended, what is not work: waits
 * in it and in what it called; those in it alone. */
static double
blocked_percent(const struct name_stats *s)
{
	return (share_percent(s->waits_ns + s->suspended_ns,
	    s->total_ns + s->suspended_ns));
}

static double
itself_percent(const struct name_stats *s)
{
	return (share_percent(s->blocked_ns + s->suspended_ns,
	    s->total_ns + s->suspended_ns));
}

static uint64_t
on_pes(const struct name_stats *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < 16; i++)
		sum += s->by_pe[i];
	return (sum);
}

/* The table: what is in a column, and what sorting by it goes by. */
enum column {
	COLUMN_NAME,
	COLUMN_CALLS,
	COLUMN_TOTAL,
	COLUMN_MEAN,
	COLUMN_MAX,
	COLUMN_BLOCKED,
	COLUMN_ITSELF,
	COLUMN_PES,
	COLUMNS
};
static const struct table_column places[COLUMNS] = {
	[COLUMN_NAME] = { "procedure", 170, 0, 0, false, false },
	[COLUMN_CALLS] = { "calls", 66, 0, 0, true, false },
	[COLUMN_TOTAL] = { "total ms", 66, 0, 0, true, false },
	[COLUMN_MEAN] = { "mean µs", 61, 0, 1, true, false },
	[COLUMN_MAX] = { "max µs", 56, 0, 2, true, false },
	[COLUMN_BLOCKED] = { "blocked", 56, 0, 1, true, false },
	[COLUMN_ITSELF] = { "itself", 48, 0, 2, true, false },
	[COLUMN_PES] = { "", 40, 1, 3, false, false },
};
static const char *const functions_column[COLUMNS] = { "name", "calls", "total",
	"mean", "max", "blocked", "itself", "PE" };

static double
amount(const struct name_stats *s, enum column c)
{
	return (c == COLUMN_CALLS     ? (double)s->calls
		: c == COLUMN_MEAN    ? mean_ns(s)
		: c == COLUMN_MAX     ? (double)s->max_ns
		: c == COLUMN_BLOCKED ? blocked_percent(s)
		: c == COLUMN_ITSELF  ? itself_percent(s)
		: c == COLUMN_PES     ? (double)on_pes(s)
				      : (double)s->total_ns);
}

struct order {
	const struct model *model;
	enum column by;
};

/* Largest first, names from A on; what is equal by total, then by calls. */
static int
compare_rows(const void *a, const void *b, void *arg)
{
	const struct name_stats *p = a, *q = b;
	const struct order *o = arg;
	double x = amount(p, o->by), y = amount(q, o->by);
	int by_name =
	    o->by == COLUMN_NAME ? by_text(o->model, p->name, q->name) : 0;

	if (by_name != 0)
		return (by_name);
	if (o->by != COLUMN_NAME && x != y)
		return (x < y ? 1 : -1);
	if (p->total_ns != q->total_ns)
		return (p->total_ns < q->total_ns ? 1 : -1);
	if (p->calls != q->calls)
		return (p->calls < q->calls ? 1 : -1);
	return ((p->name > q->name) - (p->name < q->name));
}

/*
 * All panels are of one range.  Of the whole run the model keeps sums; those of
 * a part are added up from the lanes.
 */
size_t
functions_of(struct ui *ui, struct name_stats *s, size_t max, char *of,
    size_t n)
{
	int64_t t0, t1;
	bool selected = time_selected(ui, &t0, &t1);
	char span[32];

	if (figures_whole(ui)) {
		snprintf(of, n, "of the whole run%s",
		    run_grows(ui) ? " so far" : "");
		return (model_name_stats(ui->model, s, max));
	}
	figures_range(ui, &t0, &t1);
	snprintf(of, n, "%s, %s%s%s", selected ? "selected" : "in sight",
	    format_span(span, sizeof(span), t1 > t0 ? t1 - t0 : 0),
	    ui->play.head_mon_ns != INT64_MAX ? " so far" : "",
	    ui->figures.sums.busy ? ", adding up" : "");
	if (ui->figures.sums.shown == NULL ||
	    ui->figures.sums.of.model != ui->model)
		return (0);
	if (!calls_exact(ui->figures.sums.shown))
		snprintf(of + strlen(of), n - strlen(of), "%s",
		    ui_settling(ui) ? ", reading what was given up"
				    : ", without what was given up");
	return (calls_names(ui->figures.sums.shown, s, max));
}

const char *
functions_about(const struct ui *ui)
{
	return (sums_exact(ui) ? "" : "~");
}

bool
functions_prepare(struct ui *ui)
{
	return (figures_whole(ui) ||
		sums_prepare(ui, &ui->figures.sums, UINT32_MAX));
}

/* Titles; a click on one sorts by it, the chosen one is an accent. */
static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const char *of)
{
	const struct palette *p = ui->palette;
	uint32_t pes = model_pes(ui->model);
	char title[128];

	snprintf(title, sizeof(title), "procedure, %s", of);
	for (int i = 0; i < COLUMNS; i++) {
		const struct table_place *at = &t->place[i];
		uint32_t rgb = i == ui->lists.functions_by ? p->accent : p->dim;

		if (at->x1 == at->x0 || (i == COLUMN_PES && pes == 0))
			continue;
		if (i == COLUMN_NAME)
			draw_cut(c, FONT_SMALL, at->x0, y,
			    at->x1 - at->x0 + TITLE_PX, rgb, title);
		else if (i == COLUMN_PES)
			draw_text(c, FONT_SMALL, at->x0, y, rgb,
			    "time on PE 0–%" PRIu32, pes > 16 ? 15 : pes - 1);
		else
			draw_right(c, FONT_SMALL, at->x1, y, rgb, "%s",
			    places[i].title);
		spot_add(ui, at->x0, y - 12, at->x1, y + 4, "sort %s",
		    functions_column[i]);
	}
}

/* Length: time of tasks, against the largest; parts: by PE. */
static void
draw_pes(struct canvas *c, const struct palette *p, const struct name_stats *s,
    uint64_t most, const struct table_place *at, int32_t y)
{
	struct axis a = { 0, (double)most, at->x0, at->x1 - 4, AXIS_LINEAR,
		AXIS_NS };
	struct scene bar = { 0 };
	struct part part[16];

	if (most == 0 || a.hi_px - a.lo_px < 8)
		return;
	for (unsigned i = 0; i < 16; i++)
		part[i] = (struct part){ (double)s->by_pe[i],
			palette_pe_on(p, i), false };
	bar_scene(&a, y, y + 8, part, 16, &bar);
	paint_items(c, &bar, 0, bar.n);
	scene_free(&bar);
}

/* What a cell says. */
static void
spell_cell(const struct ui *ui, const struct name_stats *s, enum column col,
    char *buf, size_t n)
{
	const char *about = functions_about(ui);
	char num[32];

	buf[0] = '\0';
	if (col == COLUMN_CALLS)
		snprintf(buf, n, "%s%s", about,
		    format_count(num, sizeof(num), s->calls));
	else if (col == COLUMN_TOTAL)
		snprintf(buf, n, "%s%.3f", about, (double)s->total_ns / 1e6);
	else if (col == COLUMN_MEAN && s->outer > 0) /* else begun before */
		snprintf(buf, n, "%s%.2f", about, mean_ns(s) / 1e3);
	else if (col == COLUMN_MAX)
		snprintf(buf, n, "%s%.1f", about, (double)s->max_ns / 1e3);
	else if (col == COLUMN_BLOCKED)
		snprintf(buf, n, "%s%.0f %%", about, blocked_percent(s));
	else if (col == COLUMN_ITSELF)
		snprintf(buf, n, "%s%.0f %%", about, itself_percent(s));
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct name_stats *s, uint64_t most)
{
	const struct palette *p = ui->palette;
	const char *name = label_name(ui->model, s->name);
	const struct table_place *at = t->place;
	char text[48], own[OWN_BYTES];

	cell_name(c, t, y, p->text, palette_name(s->name, name),
	    label_function(ui->model, s->name, s->kind, own, sizeof(own)));
	spot_add(ui, at->x0, y - 10, at->x1, y + 4, "search %.38s", name);
	if (at[COLUMN_CALLS].x1 > at[COLUMN_CALLS].x0)
		spot_add(ui, at[COLUMN_CALLS].x0, y - 10, at[COLUMN_CALLS].x1,
		    y + 4, "find \"%.100s\"", name);
	for (int i = COLUMN_CALLS; i < COLUMN_PES; i++) {
		spell_cell(ui, s, (enum column)i, text, sizeof(text));
		cell_text(c, t, places, (size_t)i, y, p->text, "%s", text);
	}
	draw_pes(c, p, s, most, &at[COLUMN_PES], y - 8);
}

/* The rows in their order; NULL: no memory. */
static struct name_stats *
sorted_rows(struct ui *ui, size_t *n, char *of, size_t of_size)
{
	struct name_stats *s = calloc(NAMES_MAX, sizeof(*s));
	struct order o = { ui->model, (enum column)ui->lists.functions_by };

	if (s == NULL)
		return (NULL);
	*n = functions_of(ui, s, NAMES_MAX, of, of_size);
	*n = *n > NAMES_MAX ? NAMES_MAX : *n;
	qsort_r(s, *n, sizeof(*s), compare_rows, &o);
	return (s);
}

void
functions_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column columns[COLUMNS];
	struct name_stats *s;
	uint64_t most = 0;
	int32_t longest = 0;
	struct table t;
	char of[96], own[OWN_BYTES];
	size_t n;

	s = sorted_rows(ui, &n, of, sizeof(of));
	if (s == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		int32_t px = cells_name_px(label_function(ui->model, s[i].name,
		    s[i].kind, own, sizeof(own)));

		most = on_pes(&s[i]) > most ? on_pes(&s[i]) : most;
		longest = px > longest ? px : longest;
	}
	memcpy(columns, places, sizeof(columns));
	cells_widen(columns, longest, r->x1 - r->x0);
	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_FUNCTIONS], r->x0, r->y0 + 8, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_FUNCTIONS] = t.first;
	draw_head(ui, c, &t, r->y0 + 16, of);
	if (n == 0)
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 34, ui->palette->dim,
		    "%s",
		    figures_whole(ui) ? "nothing with a name has run so far"
		    : ui->figures.sums.busy
			? "adding up ..."
			: "nothing with a name runs in this time");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), &s[t.first + i], most);
	free(s);
}

void
functions_describe(struct ui *ui, FILE *f)
{
	struct name_stats s[256];
	const char *about = functions_about(ui);
	char of[96], own[OWN_BYTES];
	size_t n;

	n = functions_of(ui, s, 256, of, sizeof(of));
	n = n > 256 ? 256 : n;
	fprintf(f, "procedures: %zu, %s\n", n, of);
	for (size_t i = 0; i < n; i++)
		fprintf(f,
		    "  %s: %s%" PRIu64 " calls, %s%" PRId64
		    " ns, waits %s%" PRId64 " ns, itself %s%" PRId64
		    " ns, suspended %s%" PRId64 " ns\n",
		    label_function(ui->model, s[i].name, s[i].kind, own,
			sizeof(own)),
		    about, s[i].calls, about, s[i].total_ns, about,
		    s[i].waits_ns, about, s[i].blocked_ns, about,
		    s[i].suspended_ns);
}

/* sort NAME while the table is in sight; without one by the next column. */
int
functions_sort(struct ui *ui, const char *name)
{
	int by = ui->lists.functions_by + 1;

	if (name[0] != '\0')
		for (by = 0;
		     by < COLUMNS && strcmp(name, functions_column[by]) != 0;
		     by++)
			continue;
	else if (by == COLUMNS)
		by = 0;
	if (by == COLUMNS)
		return (-1);
	ui->lists.functions_by = by;
	ui->lists.scroll[VIEW_FUNCTIONS] = 0;
	picture_changed(ui->picture);
	return (0);
}
