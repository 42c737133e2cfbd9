/*
 * The critical path over the lanes: what is not on it is dimmed, and a line
 * follows it from thread to thread.
 */
#include <stdlib.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/views/path/pathview.h"

#define DIM_ALPHA 130
#define HALO_Q    (16 * 5)
#define LINE_Q    (16 * 2)

static const struct timeline_row *
row_of(const struct ui *ui, uint32_t lane)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	uint32_t row = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;

	return (row < l->nrows ? &l->rows[row] : NULL);
}

static int32_t
x_of(const struct ui *ui, int64_t t)
{
	if (t <= ui->time.t0_mon_ns)
		return (ui->places.lanes.x0);
	if (t >= ui->time.t1_mon_ns)
		return (ui->places.lanes.x1);
	return (ui->places.lanes.x0 + timeline_x(&ui->time, t));
}

/* The pieces that are in sight, by time from the latest on: [*a, *b). */
static void
in_sight(const struct ui *ui, const struct critical_piece *p, size_t n,
    size_t *a, size_t *b)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (p[mid].t0_mon_ns >= ui->time.t1_mon_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	*a = lo > 0 ? lo - 1 : 0; /* the way to it may be in sight */
	for (hi = n; lo < hi;) {
		mid = (lo + hi) / 2;
		if (p[mid].t1_mon_ns >= ui->time.t0_mon_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	*b = lo < n ? lo + 1 : n;
}

/* Of a row what lies between pieces; those come with the latest first. */
static void
dim(struct ui *ui, struct canvas *c, const struct critical_piece *p, size_t n)
{
	const struct timeline_layout *l = &ui->timepane.rows;
	int32_t *until = calloc(l->nrows + 1, sizeof(*until)), x0, x1, top;
	const struct timeline_row *r;

	if (until == NULL)
		return;
	for (size_t i = 0; i < l->nrows; i++)
		until[i] = ui->places.lanes.x1;
	for (size_t i = 0; i <= n; i++) {
		r = i < n ? row_of(ui, p[i].lane) : NULL;
		if (r == NULL)
			continue;
		x0 = x_of(ui, p[i].t0_mon_ns);
		x1 = x_of(ui, p[i].t1_mon_ns);
		x1 = x1 > x0 ? x1 : x0 + 1;
		top = ui->places.lanes.y0 + r->y;
		if (x1 < until[r - l->rows])
			canvas_blend(c, x1, top, until[r - l->rows],
			    top + r->height, ui->palette->background,
			    DIM_ALPHA);
		if (x0 < until[r - l->rows])
			until[r - l->rows] = x0;
	}
	for (size_t i = timepane_row(ui, 0); i < l->nrows;
	     i = timepane_row(ui, i + 1)) {
		top = ui->places.lanes.y0 + l->rows[i].y;
		if (until[i] > ui->places.lanes.x0)
			canvas_blend(c, ui->places.lanes.x0, top, until[i],
			    top + l->rows[i].height, ui->palette->background,
			    DIM_ALPHA);
	}
	free(until);
}

/*
 * A line from where the pen is; what ends there is drawn once.  Up and down in
 * one column of pixels, as often as may be, is one line.
 */
struct pen {
	struct canvas *c;
	int32_t width; /* 1/16 px */
	uint32_t rgb;
	uint8_t alpha;
	bool down;
	int32_t x, y, low, high; /* and how far up and down at x */
};

static void
pen_draw(const struct pen *pen, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	if (x0 != x1 || y0 != y1)
		canvas_line_aa(pen->c, x0 * 16 + 8, y0 * 16 + 8, x1 * 16 + 8,
		    y1 * 16 + 8, pen->width, pen->rgb, pen->alpha);
}

static void
pen_up(struct pen *pen)
{
	if (pen->down)
		pen_draw(pen, pen->x, pen->low, pen->x, pen->high);
	pen->down = false;
}

static void
line_to(struct pen *pen, int32_t x, int32_t y)
{
	int32_t x0 = pen->x, y0 = pen->y;

	if (!pen->down || x != x0) {
		if (pen->down) {
			pen_up(pen);
			pen_draw(pen, x0, y0, x, y);
		}
		pen->low = pen->high = y;
	}
	pen->low = y < pen->low ? y : pen->low;
	pen->high = y > pen->high ? y : pen->high;
	pen->x = x;
	pen->y = y;
	pen->down = true;
}

static void
follow(struct ui *ui, struct canvas *c, const struct critical_piece *p,
    size_t n, int32_t width, uint32_t rgb, uint8_t alpha)
{
	struct pen pen = { .c = c, .width = width, .rgb = rgb, .alpha = alpha };
	const struct timeline_row *r;
	int32_t y;

	for (size_t i = 0; i < n; i++) {
		r = row_of(ui, p[i].lane);
		if (r == NULL) { /* it is hidden */
			pen_up(&pen);
			continue;
		}
		y = ui->places.lanes.y0 + r->y + r->height / 2;
		line_to(&pen, x_of(ui, p[i].t1_mon_ns), y);
		line_to(&pen, x_of(ui, p[i].t0_mon_ns), y);
	}
	pen_up(&pen);
}

void
path_over_draw(struct ui *ui, struct canvas *c)
{
	const struct critical *k = path_over_lanes(ui);
	const struct critical_piece *p;
	uint64_t all;
	size_t n, a, b;

	if (k == NULL || (n = critical_pieces(k, &p, &all)) == 0)
		return;
	in_sight(ui, p, n, &a, &b);
	dim(ui, c, p + a, b - a);
	follow(ui, c, p + a, b - a, HALO_Q, ui->palette->background, 170);
	follow(ui, c, p + a, b - a, LINE_Q, ui->palette->text, 255);
}
