/* See compare_waits.h: figures of the view Path, of both runs. */
#include "ui/views/compare/compare_waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/path/pathview.h"
#include "ui/views/view.h"

#define WAITS_PX 400 /* of the table */
#define LEAST_PX 600 /* left for the functions */
#define APART_PX 24
#define LOW_PX   280 /* as wide at least, below the messages */
#define ROW_PX   15
#define ROWS     (CRITICAL_WAITS + 1) /* the last is the path's length */

enum column {
	COLUMN_KIND,
	COLUMN_HERE,
	COLUMN_THERE,
	COLUMN_BY,
	COLUMN_BAR,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_KIND] = { "threads waited for", 116, 0, 0, false, false },
	[COLUMN_HERE] = { "here", 62, 0, 1, true, false },
	[COLUMN_THERE] = { "there", 62, 0, 1, true, false },
	[COLUMN_BY] = { "difference", 70, 0, 0, true, false },
	[COLUMN_BAR] = { "", 40, 1, 2, false, false },
};

struct amounts {
	int64_t ns[ROWS][2];
	bool exact;
};

/* False: it is still being looked for. */
static bool
amounts_of(struct ui *ui, struct amounts *a)
{
	struct critical_waited w;
	const struct critical *k;
	int64_t t0, t1;

	*a = (struct amounts){ .exact = true };
	for (int run = 0; run < 2; run++) {
		k = path_shown(ui->desks->desk[run]);
		if (k == NULL)
			return (false);
		a->exact &= critical_exact(k);
		for (int i = 0; i < CRITICAL_WAITS; i++) {
			critical_waited(k, i, &w);
			a->ns[i][run] = w.ns;
		}
		critical_range(k, &t0, &t1);
		a->ns[CRITICAL_WAITS][run] = t1 - t0;
	}
	return (true);
}

static const char *
row_name(int i)
{
	return (i < CRITICAL_WAITS ? path_wait_word[i] : "critical path");
}

bool
compare_waits_prepare(struct ui *ui)
{
	return (!two_runs(ui) || (path_prepare(ui->desks->desk[0]) &&
				     path_prepare(ui->desks->desk[1])));
}

void
compare_bar(const struct ui *ui, struct canvas *c, int32_t x0, int32_t x1,
    int32_t y, int64_t by, int64_t most)
{
	int32_t mid = (x0 + x1) / 2, w;

	if (x1 - x0 < 20 || most <= 0)
		return;
	w = (int32_t)((double)(x1 - x0) / 2 * (double)llabs(by) / (double)most);
	w = w < 1 && by != 0 ? 1 : w;
	canvas_fill(c, mid, y - 9, mid + 1, y + 2, ui->palette->line);
	if (by < 0)
		canvas_fill(c, mid - w, y - 8, mid, y, DIFFERENCE_LESS);
	else
		canvas_fill(c, mid + 1, y - 8, mid + 1 + w, y, DIFFERENCE_MORE);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct amounts *a, int i, int64_t most)
{
	const struct palette *p = ui->palette;
	int64_t by = a->ns[i][1] - a->ns[i][0];
	char span[32];

	cell_text(c, t, columns, COLUMN_KIND, y, p->text, "%s", row_name(i));
	for (size_t run = 0; run < 2; run++)
		cell_text(c, t, columns, COLUMN_HERE + run, y,
		    a->ns[i][run] > 0 ? p->text : p->dim, "%s",
		    a->ns[i][run] > 0
			? format_span(span, sizeof(span), a->ns[i][run])
			: "–");
	if (by == 0)
		return;
	cell_text(c, t, columns, COLUMN_BY, y, p->text, "%s%s",
	    by < 0 ? "-" : "+", format_span(span, sizeof(span), llabs(by)));
	compare_bar(ui, c, t->place[COLUMN_BAR].x0, t->place[COLUMN_BAR].x1, y,
	    by, most);
}

static void
draw_table(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct amounts *a)
{
	int64_t most = 0, by;
	struct table t;

	for (int i = 0; i < ROWS; i++) {
		by = llabs(a->ns[i][1] - a->ns[i][0]);
		most = by > most ? by : most;
	}
	table_fit(&t, columns, COLUMNS, ROWS, 0, r->x0, r->y0 + 6, r->x1, r->y1,
	    ROW_PX);
	cells_head(c, ui->palette, &t, columns, a->exact ? "" : "about");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), a, (int)i, most);
}

int32_t
compare_waits_draw(struct ui *ui, struct canvas *c, const struct rect *r,
    int32_t x, int32_t y)
{
	struct rect at = { x, y + ROW_PX, r->x1, r->y1 };
	int32_t left = x < r->x1 ? x - APART_PX : r->x1;
	struct amounts a;

	if (!amounts_of(ui, &a))
		return (left);
	if (x < r->x1 && r->x1 - x >= LOW_PX &&
	    r->y1 - at.y0 >= (ROWS + 2) * ROW_PX) {
		draw_table(ui, c, &at, &a);
		return (left);
	}
	at.x1 = left;
	if (at.x1 - r->x0 < WAITS_PX + LEAST_PX)
		return (at.x1);
	at = (struct rect){ at.x1 - WAITS_PX, r->y0, at.x1, r->y1 };
	draw_table(ui, c, &at, &a);
	return (at.x0 - APART_PX);
}

void
compare_waits_describe(struct ui *ui, FILE *f)
{
	struct amounts a;

	if (!amounts_of(ui, &a))
		return;
	for (int i = 0; i < ROWS; i++)
		fprintf(f,
		    "  %s%s: %s%" PRId64 " ns, there %" PRId64 " ns, %+" PRId64
		    "\n",
		    i < CRITICAL_WAITS ? "waits, " : "", row_name(i),
		    a.exact ? "" : "~", a.ns[i][0], a.ns[i][1],
		    a.ns[i][1] - a.ns[i][0]);
}
