/*
 * The view Callers: which function called which, added up over all paths of the
 * panels' range; and what calls itself, over whom: who are in a circle have its
 * number.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/table.h"
#include "model/calls/calls.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    15
#define DESCRIBED 1000

const struct legend_row callers_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_RECT, LEGEND_INK(line), "nobody: the first of its thread" },
	{ ITEM_TEXT, LEGEND_INK(warn),
	    "number of a circle: these call each other" },
	{ 0 },
};

/* From 0: from outside of all calls. */
struct edge {
	uint32_t from_name, to_name;
	uint8_t from_kind, to_kind;
	uint32_t to; /* number of the function */
	uint64_t calls;
	/* total: without what is within another call of the same function */
	int64_t total_ns, self_ns, waits_ns, longest_ns;
	uint32_t circle; /* from 1; 0: none */
};

struct edges {
	struct edge *edge;
	size_t n;
	uint32_t *circle; /* by function: another one of it, or itself; 0 */
	uint32_t functions, circles;
};

enum column {
	COLUMN_FROM,
	COLUMN_TO,
	COLUMN_CIRCLE,
	COLUMN_CALLS,
	COLUMN_TOTAL,
	COLUMN_SELF,
	COLUMN_WAITS,
	COLUMN_LONGEST,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_FROM] = { "from", 100, 1, 0, false, false },
	[COLUMN_TO] = { "to", 120, 1, 0, false, false },
	[COLUMN_CIRCLE] = { "circle", 44, 0, 2, true, false },
	[COLUMN_CALLS] = { "calls", 56, 0, 0, true, false },
	[COLUMN_TOTAL] = { "total ms", 66, 0, 0, true, false },
	[COLUMN_SELF] = { "self ms", 70, 0, 1, true, false },
	[COLUMN_WAITS] = { "waits ms", 70, 0, 3, true, false },
	[COLUMN_LONGEST] = { "longest µs", 76, 0, 4, true, false },
};

/* --- circles: sets that are joined --- */

static uint32_t
first_of(uint32_t *circle, uint32_t f)
{
	while (circle[f] != f)
		f = circle[f] = circle[circle[f]];
	return (f);
}

static void
join(uint32_t *circle, uint32_t a, uint32_t b)
{
	circle[a] = circle[a] == 0 ? a : circle[a];
	circle[b] = circle[b] == 0 ? b : circle[b];
	a = first_of(circle, a);
	b = first_of(circle, b);
	circle[a > b ? a : b] = a > b ? b : a;
}

/* It is further out, too: all between the two are in a circle. */
static void
circle_of(struct edges *e, const struct call *path, const struct call *c)
{
	uint32_t up = c->parent;

	if (c->function == 0 || c->function >= e->functions)
		return;
	join(e->circle, c->function, c->function);
	for (; up != CALL_NONE && path[up].function != c->function;
	     up = path[up].parent)
		if (path[up].function != 0 && path[up].function < e->functions)
			join(e->circle, c->function, path[up].function);
}

/* --- the sums --- */

static int
by_ends(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	const uint64_t p[] = { x->from_name, x->from_kind, x->to_name,
		x->to_kind };
	const uint64_t q[] = { y->from_name, y->from_kind, y->to_name,
		y->to_kind };

	for (size_t i = 0; i < 4; i++)
		if (p[i] != q[i])
			return (p[i] < q[i] ? -1 : 1);
	return (0);
}

static int
by_total(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->total_ns != y->total_ns)
		return (x->total_ns < y->total_ns ? 1 : -1);
	if (x->self_ns != y->self_ns)
		return (x->self_ns < y->self_ns ? 1 : -1);
	if (x->calls != y->calls)
		return (x->calls < y->calls ? 1 : -1);
	return (by_ends(a, b));
}

static void
add(struct edge *to, const struct edge *more)
{
	to->calls += more->calls;
	to->total_ns += more->total_ns;
	to->self_ns += more->self_ns;
	to->waits_ns += more->waits_ns;
	if (more->longest_ns > to->longest_ns)
		to->longest_ns = more->longest_ns;
}

static void
edge_of(const struct call *path, const struct call *c, struct edge *e)
{
	const struct call *up =
	    c->parent == CALL_NONE ? NULL : &path[c->parent];

	*e = (struct edge){ .from_name = up == NULL ? 0 : up->name,
		.from_kind = up == NULL ? 0 : up->kind,
		.to_name = c->name,
		.to_kind = c->kind,
		.to = c->function,
		.calls = c->calls,
		.total_ns = c->again ? 0 : c->total_ns,
		.self_ns = c->self_ns,
		.waits_ns = c->blocked_ns,
		.longest_ns = c->longest_ns };
}

static void
merge(struct edges *e)
{
	size_t to = 0;

	if (e->n > 1)
		qsort(e->edge, e->n, sizeof(*e->edge), by_ends);
	for (size_t i = 1; i < e->n; i++)
		if (by_ends(&e->edge[to], &e->edge[i]) == 0)
			add(&e->edge[to], &e->edge[i]);
		else
			e->edge[++to] = e->edge[i];
	e->n = e->n == 0 ? 0 : to + 1;
	if (e->n > 1)
		qsort(e->edge, e->n, sizeof(*e->edge), by_total);
}

/* Circles are numbered as they are met in the table. */
static void
number(struct edges *e)
{
	uint32_t *as = calloc(e->functions, sizeof(*as)), f;

	for (size_t i = 0; as != NULL && i < e->n; i++) {
		f = e->edge[i].to;
		if (f == 0 || f >= e->functions || e->circle[f] == 0)
			continue;
		f = first_of(e->circle, f);
		as[f] = as[f] == 0 ? ++e->circles : as[f];
		e->edge[i].circle = as[f];
	}
	free(as);
}

static void
edges_clear(struct edges *e)
{
	free(e->edge);
	free(e->circle);
	e->edge = NULL;
	e->circle = NULL;
}

/* False: nothing is known, or no memory. */
static bool
edges_make(const struct ui *ui, struct edges *e)
{
	const struct sums *s = &ui->figures.sums;
	const struct call *path;
	size_t n;

	*e = (struct edges){ .functions = model_functions(ui->model) + 1 };
	if (s->shown == NULL || s->of.model != ui->model)
		return (false);
	n = calls_paths(s->shown, &path);
	e->edge = calloc(n + 1, sizeof(*e->edge));
	e->circle = calloc(e->functions, sizeof(*e->circle));
	if (e->edge == NULL || e->circle == NULL) {
		edges_clear(e);
		return (false);
	}
	for (size_t i = 0; i < n; i++) {
		if (path[i].calls == 0 && path[i].total_ns == 0)
			continue;
		edge_of(path, &path[i], &e->edge[e->n++]);
		if (path[i].again)
			circle_of(e, path, &path[i]);
	}
	merge(e);
	number(e);
	return (true);
}

bool
callers_prepare(struct ui *ui)
{
	return (sums_prepare(ui, &ui->figures.sums, UINT32_MAX));
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
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct edge *e)
{
	const struct table_place *to = &t->place[COLUMN_TO];
	const struct palette *p = ui->palette;
	const char *name = label_name(ui->model, e->to_name);
	char own[200], num[32];

	cell_name(c, t, y, p->dim,
	    e->from_kind == 0 ? p->line
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
	ms_cell(ui, c, t, COLUMN_WAITS, y, e->waits_ns);
	cell_text(c, t, columns, COLUMN_LONGEST, y, p->text, "%.1f",
	    (double)e->longest_ns / 1e3);
}

void
callers_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct edges e;
	struct table t;

	if (!edges_make(ui, &e) || e.n == 0) {
		edges_clear(&e);
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16, r->x1 - r->x0,
		    ui->palette->dim,
		    ui->figures.sums.busy
			? "adding up ..."
			: "no call in this time; monitorctl run records those "
			  "of programs made with -finstrument-functions");
		return;
	}
	table_fit(&t, columns, COLUMNS, (int32_t)e.n,
	    ui->lists.scroll[VIEW_CALLERS], r->x0, r->y0 + 8, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_CALLERS] = t.first;
	cells_head(c, ui->palette, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), &e.edge[t.first + i]);
	edges_clear(&e);
}

void
callers_describe(struct ui *ui, FILE *f)
{
	const char *about = sums_exact(ui) ? "" : "~";
	char from[200], to[200];
	struct edges e;

	if (!edges_make(ui, &e)) {
		fprintf(f, "callers: nothing is known\n");
		return;
	}
	fprintf(f, "callers: %s%zu, circles: %" PRIu32 "\n", about, e.n,
	    e.circles);
	for (size_t i = 0; i < e.n && i < DESCRIBED; i++) {
		const struct edge *x = &e.edge[i];

		fprintf(f,
		    "  %s > %s: %" PRIu64 " calls, %" PRId64
		    " ns, self %" PRId64 " ns, waits %" PRId64 " ns",
		    from_words(ui, x, from, sizeof(from)),
		    label_function(ui->model, x->to_name, x->to_kind, to,
			sizeof(to)),
		    x->calls, x->total_ns, x->self_ns, x->waits_ns);
		if (x->circle != 0)
			fprintf(f, "; circle %" PRIu32, x->circle);
		fprintf(f, "\n");
	}
	edges_clear(&e);
}
