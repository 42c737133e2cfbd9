/*
 * The calls that were found (ui/views/found/found.h), over the lanes: a frame
 * around each that is in sight, in its own row or in its thread's; the one
 * where one is, stronger.  Of many the narrow ones are a line over the row, so
 * that what they did can still be seen.
 */
#include "ui/panes/panes.h"
#include "ui/views/found/found.h"

#define WIDE_PX   3 /* at least */
#define NARROW_PX 6 /* less than that a frame has nothing in it */
#define LINE_PX   3
#define MANY      256

static const struct timeline_row *
row_of(const struct ui *ui, uint32_t lane)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	uint32_t row = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;

	return (row < l->nrows ? &l->rows[row] : NULL);
}

static void
frame(struct canvas *c, const struct rect *r, uint32_t rgb)
{
	canvas_fill(c, r->x0, r->y0, r->x1, r->y0 + 1, rgb);
	canvas_fill(c, r->x0, r->y1 - 1, r->x1, r->y1, rgb);
	canvas_fill(c, r->x0, r->y0, r->x0 + 1, r->y1, rgb);
	canvas_fill(c, r->x1 - 1, r->y0, r->x1, r->y1, rgb);
}

static void
mark(struct ui *ui, struct canvas *c, const struct found_call *k, bool here,
    bool many)
{
	const struct timeline_row *row = row_of(ui, k->row);
	uint32_t rgb = here ? ui->palette->text : ui->palette->accent;
	int32_t left = ui->places.lanes.x0, y = ui->places.lanes.y0;
	int32_t a = timeline_x(&ui->time, k->t0_mon_ns);
	int32_t b = timeline_x(&ui->time, k->t1_mon_ns);
	struct rect r;

	if (row == NULL || b < 0 || a >= ui->time.width)
		return;
	b = b < a + WIDE_PX ? a + WIDE_PX : b;
	r = (struct rect){ left + a, y + row->y, left + b,
		y + row->y + row->height };
	if (r.x1 - r.x0 < NARROW_PX) {
		canvas_fill(c, r.x0, r.y0, r.x1, r.y0 + LINE_PX, rgb);
		if (many)
			return;
	}
	frame(c, &r, rgb);
}

void
found_marks(struct ui *ui, struct canvas *c)
{
	const struct found_calls *f = found_get(ui);
	const struct found_call *k;
	uint64_t all;
	size_t n;

	if (f == NULL || !f->asked || !f->stepping || two_runs(ui))
		return;
	n = found_list(ui, &k, &all);
	for (size_t i = 0; i < n; i++)
		if (i != f->at)
			mark(ui, c, &k[i], false, n > MANY);
	if (f->at < n)
		mark(ui, c, &k[f->at], true, false);
}
