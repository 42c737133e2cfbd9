/* The functions table: what was called, how often, how long, where. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "model/calls/calls.h"
#include "model/measured/scheds.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/calls/columns.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define OWN_BYTES 256 /* a name with its place */
#define NAMES_MAX 4096
#define DESCRIBED 256
#define ROW_PX    15
#define TITLE_PX  40 /* it runs into the column beside it, which is right */

const struct legend_row functions_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_TEXT, LEGEND_INK(accent), "the column that sorts" },
	{ ITEM_RECT, LEGEND_HUES, 0,
	    "how long tasks of that name took, by processing element" },
	{ 0 },
};

static int
by_text(const struct model *m, uint32_t a, uint32_t b)
{
	return (strcmp(label_name(m, a), label_name(m, b)));
}

struct order {
	const struct model *model;
	enum column by;
};

/* By file and line; those without last. */
static int
by_place(const struct function_row *a, const struct function_row *b)
{
	bool x = a->file != NULL && a->file[0] != '\0';
	bool y = b->file != NULL && b->file[0] != '\0';
	int by = x && y ? strcmp(a->file, b->file) : (int)y - (int)x;

	return (by != 0 || !x ? by : (a->line > b->line) - (a->line < b->line));
}

/* Largest first, names and places from A on; what is equal by total, then by
 * calls. */
static int
compare_rows(const void *a, const void *b, void *arg)
{
	const struct function_row *r = a, *t = b;
	const struct name_stats *p = &r->s, *q = &t->s;
	const struct order *o = arg;
	double x = column_amount(r, o->by), y = column_amount(t, o->by);
	int by_words = o->by == COLUMN_NAME
			   ? by_text(o->model, p->name, q->name)
		       : o->by == COLUMN_PLACE ? by_place(r, t)
					       : 0;

	if (by_words != 0)
		return (by_words);
	if (o->by != COLUMN_NAME && o->by != COLUMN_PLACE && x != y)
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
static size_t
rows_of(struct ui *ui, bool whole, struct name_stats *s, size_t max, char *of,
    size_t n)
{
	int64_t t0, t1;
	bool selected = time_selected(ui, &t0, &t1);
	char span[32];

	if (whole) {
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

size_t
functions_of(struct ui *ui, struct name_stats *s, size_t max, char *of,
    size_t n)
{
	return (rows_of(ui, figures_whole(ui), s, max, of, n));
}

const char *
functions_about(const struct ui *ui)
{
	return (sums_exact(ui) ? "" : "~");
}

bool
functions_prepare(struct ui *ui)
{
	bool added_up = !figures_whole(ui) ||
			(ui->lists.functions_hidden >> COLUMN_SELF & 1) == 0;

	return (!added_up || sums_prepare(ui, &ui->figures.sums, UINT32_MAX));
}

/* Titles; a click on one sorts by it, the chosen one is an accent. */
static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *column, int32_t y, const char *of)
{
	const struct palette *p = ui->palette;
	uint32_t pes = model_pes(ui->model);
	char title[128], on_pes[40];

	snprintf(title, sizeof(title), "procedure, %s", of);
	snprintf(on_pes, sizeof(on_pes), "time on PE 0–%" PRIu32,
	    pes > 16 ? 15 : pes - 1);
	for (int i = 0; i < COLUMNS; i++) {
		const struct table_place *at = &t->place[i];
		uint32_t rgb = i == ui->lists.functions_by ? p->accent : p->dim;

		if (at->x1 == at->x0)
			continue;
		if (i == COLUMN_NAME)
			draw_cut(c, FONT_SMALL, at->x0, y,
			    at->x1 - at->x0 + TITLE_PX, rgb, title);
		else if (i == COLUMN_PES)
			draw_cut(c, FONT_SMALL, at->x0, y, at->x1 - at->x0, rgb,
			    on_pes);
		else if (!column[i].right)
			draw_cut(c, FONT_SMALL, at->x0, y, at->x1 - at->x0, rgb,
			    column[i].title);
		else
			draw_right(c, FONT_SMALL, at->x1, y, rgb, "%s",
			    column[i].title);
		spot_add(ui, at->x0, y - 12, at->x1, y + 4, "sort %s",
		    column_name((enum column)i));
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

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *column, int32_t y, const struct function_row *r,
    uint64_t most)
{
	const struct palette *p = ui->palette;
	const struct name_stats *s = &r->s;
	const char *name = label_name(ui->model, s->name);
	const char *about = functions_about(ui);
	const struct table_place *at = t->place;
	char text[48], own[OWN_BYTES];

	cell_name(c, t, y, p->text, palette_of_name(ui->model, s->name),
	    label_function(ui->model, s->name, s->kind, own, sizeof(own)));
	spot_add(ui, at->x0, y - 10, at->x1, y + 4, "search %.38s", name);
	if (at[COLUMN_CALLS].x1 > at[COLUMN_CALLS].x0)
		spot_add(ui, at[COLUMN_CALLS].x0, y - 10, at[COLUMN_CALLS].x1,
		    y + 4, "find \"%.100s\"", name);
	for (int i = COLUMN_P50; i <= COLUMN_MAX; i++)
		if (at[i].x1 > at[i].x0)
			spot_add(ui, at[i].x0, y - 10, at[i].x1, y + 4,
			    "slowest 16 \"%.100s\"", name);
	for (int i = COLUMN_CALLS; i < COLUMN_PES; i++) {
		column_spell(about, r, (enum column)i, text, sizeof(text));
		cell_text(c, t, column, (size_t)i, y, p->text, "%s", text);
	}
	draw_pes(c, p, s, most, &at[COLUMN_PES], y - 8);
}

/* At least 1; made for each frame, so no more than is needed. */
static size_t
room_for_rows(const struct model *m)
{
	size_t n = (size_t)model_functions(m) + 1;

	return (n > NAMES_MAX ? NAMES_MAX : n);
}

/* The rows in their order; NULL: no memory. */
static struct function_row *
sorted_rows(struct ui *ui, bool whole, size_t *n, char *of, size_t of_size)
{
	size_t most = room_for_rows(ui->model);
	struct name_stats *s = calloc(most, sizeof(*s));
	struct function_row *r = calloc(most, sizeof(*r));
	struct order o = { ui->model, (enum column)ui->lists.functions_by };

	if (s == NULL || r == NULL) {
		free(s);
		free(r);
		return (NULL);
	}
	*n = rows_of(ui, whole, s, most, of, of_size);
	*n = *n > most ? most : *n;
	for (size_t i = 0; i < *n; i++)
		r[i].s = s[i];
	free(s);
	columns_fill(ui, whole, r, *n);
	if (o.by == COLUMN_P50 || o.by == COLUMN_P99)
		columns_percentiles(ui, whole, r, *n);
	qsort_r(r, *n, sizeof(*r), compare_rows, &o);
	return (r);
}

static void
draw_none(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct rect below = { r->x0, r->y0 + 18, r->x1, r->y1 };
	char why[64];

	if (!figures_whole(ui) && ui->figures.sums.busy) {
		words_empty(ui, c, &below, "adding up ...", "");
		return;
	}
	snprintf(why, sizeof(why), "nothing with a name has run %s",
	    words_when(ui));
	words_empty(ui, c, &below, why,
	    !figures_whole(ui) && model_events(ui->model) > 0
		? ""
		: "PROBE_SCOPE(), probe_enter() and tasks tell of it, see "
		  "probe(3); or programs built with -finstrument-functions\n"
		  "in the cluster file: mask: [call, task], or no mask");
}

void
functions_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column columns[COLUMNS];
	struct function_row *s;
	uint64_t most = 0;
	int32_t longest = 0;
	struct table t;
	char of[96], own[OWN_BYTES];
	bool whole = figures_whole(ui); /* once: the run may grow meanwhile */
	size_t n;

	s = sorted_rows(ui, whole, &n, of, sizeof(of));
	if (s == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		int32_t px = cells_name_px(label_function(ui->model,
		    s[i].s.name, s[i].s.kind, own, sizeof(own)));
		uint64_t ns = columns_pes_ns(&s[i].s);

		most = ns > most ? ns : most;
		longest = px > longest ? px : longest;
	}
	columns_get(ui, columns);
	cells_widen(columns, longest, r->x1 - r->x0);
	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_FUNCTIONS], r->x0, r->y0 + 8, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_FUNCTIONS] = t.first;
	cells_tell(&t, columns);
	draw_head(ui, c, &t, columns, r->y0 + 16, of);
	if (n == 0)
		draw_none(ui, c, r);
	if (t.shown > 0)
		columns_percentiles(ui, whole, &s[t.first], (size_t)t.shown);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, columns, cells_y(&t, i), &s[t.first + i],
		    most);
	free(s);
}

/* ", p50 4096 ns"; or "-": no call is over, or it is not known. */
static void
describe_ns(FILE *f, const char *about, const char *what, int64_t ns)
{
	if (ns < 0)
		fprintf(f, ", %s -", what);
	else
		fprintf(f, ", %s %s%" PRId64 " ns", what, about, ns);
}

void
functions_describe(struct ui *ui, FILE *f)
{
	const char *about = functions_about(ui);
	char of[96], own[OWN_BYTES];
	struct function_row *r;
	size_t n = 0;
	bool shown, whole = figures_whole(ui);
	const char *name;

	if ((r = sorted_rows(ui, whole, &n, of, sizeof(of))) == NULL)
		return;
	n = n > DESCRIBED ? DESCRIBED : n;
	columns_percentiles(ui, whole, r, n);
	fprintf(f, "procedures: %zu, %s\n", n, of);
	for (size_t i = 0; i < n; i++) {
		const struct name_stats *s = &r[i].s;

		fprintf(f,
		    "  %s: %s%" PRIu64 " calls, %s%" PRId64
		    " ns, waits %s%" PRId64 " ns, itself %s%" PRId64
		    " ns, suspended %s%" PRId64 " ns",
		    label_function(ui->model, s->name, s->kind, own,
			sizeof(own)),
		    about, s->calls, about, s->total_ns, about, s->waits_ns,
		    about, s->blocked_ns, about, s->suspended_ns);
		describe_ns(f, about, "p50", r[i].p50_ns);
		describe_ns(f, about, "p99", r[i].p99_ns);
		describe_ns(f, about, "CPU", s->cpu_unknown ? -1 : s->cpu_ns);
		describe_ns(f, about, "min", r[i].min_ns);
		describe_ns(f, r[i].self_about ? "~" : about, "self",
		    s->self_ns);
		describe_ns(f, about, "mean CPU",
		    s->cpu_unknown || s->outer == 0
			? -1
			: s->cpu_ns / (int64_t)s->outer);
		if (r[i].file != NULL && r[i].file[0] != '\0')
			fprintf(f, ", defined at %s:%" PRIu32, r[i].file,
			    r[i].line);
		putc('\n', f);
	}
	fprintf(f, "  columns:");
	for (unsigned i = 0; (name = functions_column(ui, i, &shown)) != NULL;
	     i++)
		if (shown)
			fprintf(f, " %s", name);
	fprintf(f, ", sorted by %s%s\n",
	    column_name((enum column)ui->lists.functions_by),
	    model_scheds(ui->model) == 0
		? "; no CPU times: what the scheduler did is not recorded "
		  "(sched: yes)"
		: "");
	free(r);
}
