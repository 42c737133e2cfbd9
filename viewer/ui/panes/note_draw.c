/*
 * Notes over the lanes: a strip below the ruler with a bar and the text of each
 * that is in sight, lines down from the ends of those that are about all rows,
 * and a frame in the row of those that are about one.
 */
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/notes/notes.h"
#include "ui/panes/panes.h"

#define BAR_PX  3
#define ROOM_PX 24 /* for letters; less is not worth them */

static uint32_t
rgb_of(const struct ui *ui, size_t i)
{
	return (i == ui->notes->chosen ? ui->palette->accent
				       : palette_on(ui->palette, PALETTE_NOTE));
}

/* Its ends in the strip, px of the window; false: it is not in sight. */
static bool
ends(const struct ui *ui, const struct note *a, int32_t *x0, int32_t *x1)
{
	int32_t left = ui->places.lanes.x0;

	*x0 = timeline_x(&ui->time, a->t0_ns + run_origin(ui));
	*x1 = timeline_x(&ui->time, a->t1_ns + run_origin(ui));
	if (*x1 < 0 || *x0 >= ui->time.width)
		return (false);
	*x0 = left + (*x0 < -1 ? -1 : *x0);
	*x1 = left + (*x1 > ui->time.width ? ui->time.width : *x1);
	*x1 = *x1 < *x0 + 2 ? *x0 + 2 : *x1;
	return (true);
}

/* Where the next one in its line begins: so far its text may go. */
static int32_t
room_until(const struct ui *ui, size_t i)
{
	const struct notes *k = ui->notes;
	int32_t x0, x1;

	for (size_t j = i + 1; j < k->n; j++)
		if (k->note[j].line == k->note[i].line)
			return (ends(ui, &k->note[j], &x0, &x1)
				    ? x0
				    : ui->places.lanes.x1);
	return (ui->places.lanes.x1);
}

/* All that is to be known about it, when the pointer is there. */
static void
hint(struct ui *ui, const struct note *a, const struct rect *r)
{
	int64_t step = (ui->time.t1_mon_ns - ui->time.t0_mon_ns) / 1000 + 1;
	char t0[40], t1[40], row[128];

	if (!hint_wanted(ui, r->x0, r->y0, r->x1, r->y1))
		return;
	run_time(ui, a->t0_ns + run_origin(ui), step, t0, sizeof(t0));
	run_time(ui, a->t1_ns + run_origin(ui), step, t1, sizeof(t1));
	hint_add(ui, r->x0, r->y0, r->x1, r->y1, "%s\n%s%s%s\n%s", a->text, t0,
	    a->t1_ns > a->t0_ns ? " – " : "", a->t1_ns > a->t0_ns ? t1 : "",
	    notes_row(ui, a, row, sizeof(row)));
}

void
notes_strip(struct ui *ui, struct canvas *c)
{
	const struct notes *k = ui->notes;
	int32_t top = ui->places.ruler.y1, x0, x1, to;
	uint32_t ink;
	struct rect r;

	canvas_fill(c, ui->places.lanes.x0, top, ui->places.lanes.x1,
	    ui->places.lanes.y0, ui->palette->background);
	if (k->n > 0)
		draw_right(c, FONT_SMALL, ui->places.lanes.x0 - 8, top + 11,
		    ui->palette->dim, "notes");
	for (size_t i = 0; i < k->n; i++) {
		if (!ends(ui, &k->note[i], &x0, &x1))
			continue;
		r.y0 = top + (int32_t)k->note[i].line * NOTE_LINE_PX;
		to = room_until(ui, i);
		ink = palette_ink(ui->palette, rgb_of(ui, i));
		canvas_fill(c, x0, r.y0 + NOTE_LINE_PX - BAR_PX, x1,
		    r.y0 + NOTE_LINE_PX, rgb_of(ui, i));
		canvas_fill(c, x0, r.y0 + 1, x0 + 1, r.y0 + NOTE_LINE_PX,
		    rgb_of(ui, i));
		r = (struct rect){ x0, r.y0, x1, r.y0 + NOTE_LINE_PX };
		if (to - x0 >= ROOM_PX) {
			int32_t w = text_width(FONT_SMALL, k->note[i].text,
					strlen(k->note[i].text)) +
				    8;

			w = w > to - x0 ? to - x0 : w;
			draw_cut(c, FONT_SMALL, x0 + 4, r.y0 + 10, w - 6, ink,
			    k->note[i].text);
			r.x1 = r.x1 > x0 + w ? r.x1 : x0 + w;
		}
		spot_add(ui, r.x0 - 2, r.y0, r.x1 + 2, r.y1,
		    "goto-annotation %zu", i + 1);
		hint(ui, &k->note[i], &r);
	}
}

/* The row of a lane, or of what it is folded into, if it is in sight. */
static const struct timeline_row *
row_of(const struct ui *ui, uint32_t lane)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	uint32_t row = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;

	return (row < l->nrows ? &l->rows[row] : NULL);
}

void
notes_draw(struct ui *ui, struct canvas *c)
{
	const struct notes *k = ui->notes;
	const struct timeline_row *row;
	int32_t y0, y1, x0, x1;

	for (size_t i = 0; i < k->n; i++) {
		const struct note *a = &k->note[i];
		uint32_t rgb = rgb_of(ui, i);

		if (!ends(ui, a, &x0, &x1))
			continue;
		y0 = ui->places.lanes.y0;
		y1 = ui->places.lanes.y1;
		if (a->row == NOTE_ALL) {
			canvas_blend(c, x0, y0, x0 + 1, y1, rgb, 110);
			if (a->t1_ns > a->t0_ns)
				canvas_blend(c, x1 - 1, y0, x1, y1, rgb, 110);
			continue;
		}
		row = row_of(ui, a->row);
		if (row == NULL)
			continue;
		y0 += row->y;
		y1 = y0 + row->height - 1;
		canvas_fill(c, x0, y0, x1, y0 + 2, rgb);
		canvas_fill(c, x0, y1 - 1, x1, y1, rgb);
		canvas_fill(c, x0, y0, x0 + 1, y1, rgb);
		canvas_fill(c, x1 - 1, y0, x1, y1, rgb);
	}
}

void
notes_overview(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.pane[PANE_OVERVIEW];

	for (size_t i = 0; i < ui->notes->n; i++) {
		const struct note *a = &ui->notes->note[i];
		int32_t x0 = overview_x(ui, a->t0_ns + run_origin(ui));
		int32_t x1 = overview_x(ui, a->t1_ns + run_origin(ui));

		canvas_fill(c, x0, r->y1 - BAR_PX, x1 < x0 + 3 ? x0 + 3 : x1,
		    r->y1, rgb_of(ui, i));
	}
}

int32_t
notes_px(const struct ui *ui)
{
	const struct notes *k = ui->notes;
	uint32_t lines = 0;

	for (size_t i = 0; i < k->n; i++)
		if (k->note[i].line >= lines)
			lines = k->note[i].line + 1;
	return ((int32_t)lines * NOTE_LINE_PX);
}
