/*
 * The view Top: a bar for each node, process or thread, of the ten functions in
 * which it was most of the time itself, and of the rest.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/asked/top.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    20
#define BAR_PX    13
#define NAMED_PX  30 /* narrower parts have no name */
#define OTHERS_PX 3  /* as wide at least, if there are any */
#define DESCRIBED 4096

const struct legend_row topten_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a function, as wide as the time in it itself" },
	{ ITEM_RECT, LEGEND_INK(faint), "all others together" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected row" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_NS,
	COLUMN_FUNCTIONS,
	COLUMN_BAR,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "", 150, 0, 0, false, false },
	[COLUMN_NS] = { "in functions", 76, 0, 0, true, false },
	[COLUMN_FUNCTIONS] = { "functions", 60, 0, 1, true, false },
	[COLUMN_BAR] = { "the ten longest, itself", 160, 1, 0, false, false },
};

static char *
row_name(const struct ui *ui, const struct top_row *r, char *buf, size_t n)
{
	return (label_where(ui, r->lane, INT64_MIN, buf, n));
}

static void
draw_part(struct ui *ui, struct canvas *c, const struct rect *at,
    const struct top_row *r, const struct top_part *p, uint32_t rgb)
{
	char own[200], span[32], where[200];
	const char *name = p == NULL ? "others"
				     : label_function(ui->model, p->name,
					   p->kind, own, sizeof(own));
	int64_t ns = r->all_ns;

	for (uint32_t i = 0; p == NULL && i < r->nparts; i++)
		ns -= r->part[i].ns;
	ns = p == NULL ? ns : p->ns;
	canvas_fill(c, at->x0, at->y0, at->x1 - (at->x1 - at->x0 > 2), at->y1,
	    rgb);
	if (at->x1 - at->x0 >= NAMED_PX)
		draw_cut(c, FONT_SMALL, at->x0 + 4, at->y1 - 3,
		    at->x1 - at->x0 - 8, palette_text_on(rgb), name);
	if (hint_wanted(ui, at->x0, at->y0, at->x1, at->y1))
		hint_add(ui, at->x0, at->y0, at->x1, at->y1,
		    "%.120s\n%s itself, %.1f %% of\n%.160s", name,
		    format_span(span, sizeof(span), ns),
		    100.0 * (double)ns / (double)r->all_ns,
		    row_name(ui, r, where, sizeof(where)));
	if (p != NULL)
		spot_add(ui, at->x0, at->y0, at->x1, at->y1, "find \"%.60s\"",
		    label_name(ui->model, p->name));
}

/* As wide as its time is of the busiest row's. */
static void
draw_bar(struct ui *ui, struct canvas *c, const struct table_place *place,
    int32_t y, const struct top_row *r, int64_t most)
{
	double px = (double)(place->x1 - place->x0) / (double)most;
	struct rect at = { place->x0, y - BAR_PX + 3, place->x0, y + 3 };
	int64_t ns = 0;

	for (uint32_t i = 0; i < r->nparts; i++) {
		ns += r->part[i].ns;
		at.x1 = place->x0 + (int32_t)((double)ns * px);
		if (at.x1 > at.x0)
			draw_part(ui, c, &at, r, &r->part[i],
			    palette_of_name(ui->model, r->part[i].name));
		at.x0 = at.x1;
	}
	at.x1 = place->x0 + (int32_t)((double)r->all_ns * px);
	if (r->functions > TOP_MOST && at.x1 - at.x0 < OTHERS_PX)
		at.x0 = at.x1 - OTHERS_PX;
	if (at.x1 > at.x0)
		draw_part(ui, c, &at, r, NULL, ui->palette->faint);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct top_row *r, int64_t most)
{
	const struct palette *p = ui->palette;
	const struct lane *l = model_lane(ui->model, r->lane);
	char text[200], span[32];

	if (r->lane == ui->time.selected_lane)
		canvas_fill(c, t->place[0].x0 - 4, y - 14, cells_right(t),
		    y + 6, p->selection);
	cell_name(c, t, y, p->text, palette_of_node(ui->model, l->node),
	    row_name(ui, r, text, sizeof(text)));
	spot_add(ui, t->place[0].x0, y - 13, t->place[0].x1, y + 5,
	    "select-row %" PRIu32, r->lane);
	cell_text(c, t, columns, COLUMN_NS, y, p->text, "%s",
	    format_span(span, sizeof(span), r->all_ns));
	cell_text(c, t, columns, COLUMN_FUNCTIONS, y, p->dim, "%" PRIu32,
	    r->functions);
	draw_bar(ui, c, &t->place[COLUMN_BAR], y, r, most);
}

/* Which rows; returns where the table begins. */
static int32_t
draw_choice(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct self_sums *f = topten_shown(ui);
	int32_t x = r->x0, y = r->y0 + 14, x0;

	for (unsigned i = 0; i < TOP_BY; i++) {
		x0 = x;
		x = draw_text(c, FONT_SMALL, x, y,
			ui->lists.top_by == i ? ui->palette->accent
					      : ui->palette->dim,
			"by %s", topten_by_name[i]) +
		    14;
		spot_add(ui, x0 - 4, r->y0, x - 6, y + 5, "top %s",
		    topten_by_name[i]);
	}
	if (f != NULL && !self_sums_exact(f) && r->x1 - x > 160)
		draw_right(c, FONT_SMALL, r->x1, y, ui->palette->dim,
		    "without what was given up");
	return (r->y0 + 20);
}

void
topten_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column own[COLUMNS];
	int32_t top = draw_choice(ui, c, r), px, longest = 0;
	int64_t most = 1;
	struct top_row *rows;
	size_t n = topten_rows(ui, &rows);
	struct table t;
	char name[200];

	for (size_t i = 0; i < n; i++) {
		px = cells_name_px(row_name(ui, &rows[i], name, sizeof(name)));
		longest = px > longest ? px : longest;
		most = rows[i].all_ns > most ? rows[i].all_ns : most;
	}
	if (n == 0)
		draw_cut(c, FONT_SMALL, r->x0, top + 14, r->x1 - r->x0,
		    ui->palette->dim,
		    ui->figures.asked[ASKED_TOP].busy
			? "adding up ..."
			: "nothing with a name runs in this time");
	memcpy(own, columns, sizeof(own));
	own[COLUMN_NAME].title = topten_by_name[ui->lists.top_by];
	cells_widen(own, longest, r->x1 - r->x0);
	table_fit(&t, own, COLUMNS, (int32_t)n, ui->lists.scroll[VIEW_TOP],
	    r->x0, top, r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_TOP] = t.first;
	if (n > 0)
		cells_head(c, ui->palette, &t, own, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 3, &rows[t.first + i],
		    most);
	free(rows);
}

void
topten_describe(struct ui *ui, FILE *f)
{
	const struct self_sums *g = topten_shown(ui);
	struct top_row *rows;
	size_t n = topten_rows(ui, &rows);
	char name[200];

	fprintf(f, "top: %s%zu rows by %s\n",
	    g == NULL || self_sums_exact(g) ? "" : "~", n,
	    topten_by_name[ui->lists.top_by]);
	for (size_t i = 0; i < n && i < DESCRIBED; i++) {
		fprintf(f, "  %s: %" PRId64 " ns in %" PRIu32 " functions",
		    row_name(ui, &rows[i], name, sizeof(name)), rows[i].all_ns,
		    rows[i].functions);
		for (uint32_t k = 0; k < rows[i].nparts; k++)
			fprintf(f, "; %s %" PRId64 " ns",
			    label_function(ui->model, rows[i].part[k].name,
				rows[i].part[k].kind, name, sizeof(name)),
			    rows[i].part[k].ns);
		fprintf(f, "\n");
	}
	free(rows);
}
