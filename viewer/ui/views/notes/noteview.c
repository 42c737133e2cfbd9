/*
 * The view Notes: a list of what was written down about the run; and what is
 * worth a look (ui/views/asked/guide.h).
 */
#include <inttypes.h>
#include <string.h>

#include "layout/chart/table.h"
#include "ui/draw/draw.h"
#include "ui/notes/notes.h"
#include "ui/views/asked/guide.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX   18
#define WIDE_PX  800
#define NOTES_PX 90 /* they have as much at least above the guide */

const struct legend_row notes_legend[] = {
	{ ITEM_RECT, LEGEND_RGB_ON, PALETTE_NOTE,
	    "what was written down; the same over the lanes" },
	{ ITEM_RECT, LEGEND_INK(selection), "the chosen one" },
	{ ITEM_RECT, LEGEND_INK(warn), "worth a look" },
	{ 0 },
};

enum column {
	COLUMN_TEXT,
	COLUMN_BEGINS,
	COLUMN_FOR,
	COLUMN_ROW,
	COLUMN_REMOVE,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_TEXT] = { "note", 130, 3, 0, false, false },
	[COLUMN_BEGINS] = { "begins", 90, 0, 1, true, false },
	[COLUMN_FOR] = { "for", 64, 0, 3, true, false },
	[COLUMN_ROW] = { "row", 90, 1, 2, false, false },
	[COLUMN_REMOVE] = { "", 14, 0, 1, true, false },
};

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    size_t i)
{
	const struct palette *p = ui->palette;
	const struct note *a = &ui->notes->note[i];
	const struct table_place *x = &t->place[COLUMN_REMOVE];
	int32_t x0 = t->place[0].x0, x1 = cells_right(t);
	char text[128];

	if (i == ui->notes->chosen)
		canvas_fill(c, x0 - 4, y - 13, x1, y + 5, p->selection);
	cell_name(c, t, y, p->text, palette_on(p, PALETTE_NOTE), a->text);
	cell_text(c, t, columns, COLUMN_BEGINS, y, p->dim, "%s",
	    run_time(ui, a->t0_ns + run_origin(ui), 1000, text, sizeof(text)));
	if (a->t1_ns > a->t0_ns)
		cell_text(c, t, columns, COLUMN_FOR, y, p->text, "%s",
		    format_span(text, sizeof(text), a->t1_ns - a->t0_ns));
	cell_text(c, t, columns, COLUMN_ROW, y, p->dim, "%s",
	    notes_row(ui, a, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_REMOVE, y, p->dim, "×");
	if (x->x1 > x->x0)
		spot_add(ui, x->x0 - 4, y - 13, x->x1 + 4, y + 5,
		    "remove-annotation %zu", i + 1);
	spot_add(ui, x0, y - 13, x->x1 > x->x0 ? x->x0 - 4 : x1, y + 5,
	    "goto-annotation %zu", i + 1);
	if (hint_wanted(ui, x0, y - 13, x1, y + 5))
		hint_add(ui, x0, y - 13, x1, y + 5, "%s", a->text);
}

/* Beside the notes where it is wide, else below. */
static void
draw_guide(struct ui *ui, struct canvas *c, struct rect *r)
{
	struct rect guide = *r;
	int32_t h, notes;

	if (r->x1 - r->x0 >= WIDE_PX) {
		guide.x0 = r->x0 + (r->x1 - r->x0) / 2;
		guide.y0 += 4; /* on a line with the notes */
		r->x1 = guide.x0 - 20;
	} else {
		h = guide_lines(ui) * GUIDE_PX + 8;
		if (r->y1 - r->y0 <= h + NOTES_PX)
			return;
		notes = ui->notes->n == 0
			    ? NOTES_PX
			    : (int32_t)(ui->notes->n + 2) * ROW_PX;
		guide.y0 = r->y1 - h; /* not further away than it has to be */
		if (guide.y0 > r->y0 + notes)
			guide.y0 = r->y0 + notes;
		r->y1 = guide.y0;
	}
	guide_draw(ui, c, &guide);
}

void
notes_view_draw(struct ui *ui, struct canvas *c, const struct rect *whole)
{
	struct rect at = *whole, *r = &at;
	struct table t;

	draw_guide(ui, c, r);

	if (ui->notes->n == 0) {
		words_empty(ui, c, r, "nothing was written down about this run",
		    "drag over the time, then A and a text; or the right "
		    "button\nalt+a: on the selected row alone\n"
		    "annotate 1.2s:1.3s slow here");
		return;
	}
	table_fit(&t, columns, COLUMNS, (int32_t)ui->notes->n,
	    ui->lists.scroll[VIEW_NOTES], r->x0, r->y0, r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_NOTES] = t.first;
	cells_head(c, ui->palette, &t, columns, "");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 2,
		    (size_t)t.first + (size_t)i);
}

void
notes_view_describe(struct ui *ui, FILE *f)
{
	char row[128];

	fprintf(f, "notes: %zu\n", ui->notes->n);
	for (size_t i = 0; i < ui->notes->n; i++) {
		const struct note *a = &ui->notes->note[i];

		fprintf(f, "  %zu: from %" PRId64 " ns, %" PRId64 " ns, ",
		    i + 1, a->t0_ns, a->t1_ns - a->t0_ns);
		if (a->row == NOTE_ALL)
			fprintf(f, "all rows");
		else
			fprintf(f, "row %" PRIu32 " (%s)", a->row,
			    notes_row(ui, a, row, sizeof(row)));
		fprintf(f, ": %s\n", a->text);
	}
	guide_describe(ui, f);
}
