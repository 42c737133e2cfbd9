/*
 * What two runs took for each procedure, largest difference first; what their
 * threads waited for, and what went between their nodes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/compare/compare_nodes.h"
#include "ui/views/compare/compare_waits.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define NAMES_MAX 2048
#define ROW_PX    15

const struct legend_row compare_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function: its own colour, by its name" },
	{ ITEM_RECT, LEGEND_RGB, DIFFERENCE_LESS, "less in the other run" },
	{ ITEM_RECT, LEGEND_RGB, DIFFERENCE_MORE, "more in the other run" },
	{ ITEM_TEXT, LEGEND_INK(warn), "only in one of the two: gone, new" },
	{ 0 },
};

struct row {
	const char *name;
	const struct model *model;
	uint32_t number; /* of the first run that has it */
	uint8_t kind;    /* enum event_span; told if others are called so */
	bool shared;
	uint64_t calls[2];
	int64_t ns[2];
};

static int
by_text(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int by_name = strcmp(x->name, y->name);

	return (
	    by_name != 0 ? by_name : (x->kind > y->kind) - (x->kind < y->kind));
}

static int64_t
difference(const struct row *r)
{
	return (r->ns[1] - r->ns[0]);
}

static int
by_difference(const void *a, const void *b)
{
	int64_t x = llabs(difference(a)), y = llabs(difference(b));

	return (x != y ? (x < y ? 1 : -1) : by_text(a, b));
}

/* Of both runs, and then those of one kind and name as one.  How many there
 * are. */
static size_t
rows_of(struct ui *ui, struct row *r, char of[2][96])
{
	struct ui *const *run = ui->desks->desk;
	struct name_stats *s = malloc(NAMES_MAX * sizeof(*s));
	size_t n = 0, got, out = 0;

	for (int k = 0; s != NULL && k < 2; k++) {
		got = functions_of(run[k], s, NAMES_MAX, of[k], 96);
		got = got > NAMES_MAX ? NAMES_MAX : got;
		for (size_t i = 0; i < got; i++) {
			r[n] = (struct row){ .name = label_name(run[k]->model,
						 s[i].name),
				.model = run[k]->model,
				.number = s[i].name,
				.kind = s[i].kind };
			unsigned kinds =
			    model_name_kinds(run[k]->model, s[i].name);

			r[n].shared = (kinds & (kinds - 1)) != 0;
			r[n].calls[k] = s[i].calls;
			r[n++].ns[k] = s[i].total_ns;
		}
	}
	free(s);
	if (n > 1)
		qsort(r, n, sizeof(*r), by_text);
	for (size_t i = 0; i < n; i++) {
		if (out == 0 || by_text(&r[out - 1], &r[i]) != 0) {
			r[out++] = r[i];
			continue;
		}
		r[out - 1].shared |= r[i].shared;
		for (int k = 0; k < 2; k++) {
			r[out - 1].calls[k] += r[i].calls[k];
			r[out - 1].ns[k] += r[i].ns[k];
		}
	}
	if (out > 1)
		qsort(r, out, sizeof(*r), by_difference);
	return (out);
}

enum column {
	COLUMN_NAME,
	COLUMN_CALLS_A,
	COLUMN_CALLS_B,
	COLUMN_TOTAL_A,
	COLUMN_TOTAL_B,
	COLUMN_BY,
	COLUMN_PERCENT,
	COLUMN_BAR,
	COLUMNS
};
static const struct table_column places[COLUMNS] = {
	[COLUMN_NAME] = { "procedure", 150, 0, 0, false, false },
	[COLUMN_CALLS_A] = { "calls", 58, 0, 3, true, false },
	[COLUMN_CALLS_B] = { "there", 56, 0, 3, true, false },
	[COLUMN_TOTAL_A] = { "total ms", 66, 0, 0, true, false },
	[COLUMN_TOTAL_B] = { "there", 66, 0, 0, true, false },
	[COLUMN_BY] = { "difference", 76, 0, 0, true, false },
	[COLUMN_PERCENT] = { "", 56, 0, 1, true, false },
	[COLUMN_BAR] = { "", 40, 1, 2, false, false },
};

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct row *x, int64_t most)
{
	const struct palette *p = ui->palette;
	const struct table_place *at = t->place;
	int64_t by = difference(x);
	char num[32], name[128];

	snprintf(name, sizeof(name), x->shared ? "%s (%s)" : "%s", x->name,
	    label_kind(x->kind));
	cell_name(c, t, y, p->text, palette_of_name(x->model, x->number), name);
	spot_add(ui, at->x0, y - 10, at->x1, y + 4, "search %.38s", x->name);
	for (size_t k = 0; k < 2; k++) {
		cell_text(c, t, places, COLUMN_CALLS_A + k, y,
		    x->calls[k] == x->calls[1 - k] ? p->dim : p->text, "%s",
		    format_count(num, sizeof(num), x->calls[k]));
		cell_text(c, t, places, COLUMN_TOTAL_A + k, y, p->text, "%.3f",
		    (double)x->ns[k] / 1e6);
	}
	cell_text(c, t, places, COLUMN_BY, y, p->text, "%+.3f",
	    (double)by / 1e6);
	if (x->ns[0] == 0 || x->ns[1] == 0)
		cell_text(c, t, places, COLUMN_PERCENT, y, p->warn, "%s",
		    x->ns[0] == 0 ? "new" : "gone");
	else
		cell_text(c, t, places, COLUMN_PERCENT, y, p->text, "%+.0f %%",
		    100.0 * (double)by / (double)x->ns[0]);
	compare_bar(ui, c, at[COLUMN_BAR].x0, at[COLUMN_BAR].x1 - 6, y, by,
	    most);
}

static int32_t
longest(const struct row *rows, size_t n)
{
	int32_t most = 0, px;

	for (size_t i = 0; i < n; i++) {
		px = cells_name_px(rows[i].name);
		most = px > most ? px : most;
	}
	return (most);
}

bool
compare_there(const struct ui *ui)
{
	return (two_runs(ui));
}

bool
compare_tab_prepare(struct ui *ui)
{
	return (compare_nodes_prepare(ui) && compare_waits_prepare(ui));
}

void
compare_tab_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column columns[COLUMNS];
	struct row *rows;
	struct table t;
	char of[2][96];
	int32_t x1, y;
	size_t n;

	if (!two_runs(ui)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 16, ui->palette->dim,
		    "no other run is open: > compare FILE");
		return;
	}
	rows = malloc(2 * NAMES_MAX * sizeof(*rows));
	if (rows == NULL)
		return;
	n = rows_of(ui, rows, of);
	x1 = compare_nodes_draw(ui, c, r, &y);
	x1 = compare_waits_draw(ui, c, r, x1, y);
	memcpy(columns, places, sizeof(columns));
	cells_widen(columns, longest(rows, n), x1 - r->x0);
	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_COMPARE], r->x0, r->y0 + 6, x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_COMPARE] = t.first;
	cells_head(c, ui->palette, &t, places, of[0]);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), &rows[t.first + i],
		    llabs(difference(&rows[0])));
	free(rows);
}

void
compare_describe(struct ui *ui, FILE *f)
{
	struct row *rows;
	char of[2][96];
	size_t n;

	if (!two_runs(ui))
		return;
	fprintf(f, "compared with: %s\n", ui_run_name(ui->desks->desk[1]));
	fprintf(f,
	    "  %s in both: %" PRIu32 ", only here: %" PRIu32
	    ", only there: %" PRIu32 "\n",
	    tree_unit(ui, true),
	    ui->trees.grown.n - ui->trees.grown.only -
		ui->desks->desk[1]->trees.grown.only,
	    ui->trees.grown.only, ui->desks->desk[1]->trees.grown.only);
	rows = malloc(2 * NAMES_MAX * sizeof(*rows));
	if (rows == NULL)
		return;
	n = rows_of(ui, rows, of);
	for (size_t i = 0; i < n; i++)
		fprintf(f,
		    "  %s: %" PRIu64 " calls, there %" PRIu64 "; %" PRId64
		    " ns, there %" PRId64 " ns, %+" PRId64 "\n",
		    rows[i].name, rows[i].calls[0], rows[i].calls[1],
		    rows[i].ns[0], rows[i].ns[1], difference(&rows[i]));
	free(rows);
	compare_waits_describe(ui, f);
	compare_nodes_describe(ui, f);
}
