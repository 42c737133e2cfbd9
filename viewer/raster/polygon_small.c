/*
 * Small polygons that are all in sight, of which a tree has thousands: edge by
 * edge into a few rows of cells, which needs no order of the edges and no look
 * at each of them in each row.  The same sums as in polygon.c, so the same
 * pixels.
 */
#include "raster/polygon_row.h"

#include "raster/polygon.h"

#define ROWS  32
#define CELLS 64

struct small {
	struct cell cell[ROWS][CELLS];
	int32_t lo[ROWS], hi[ROWS]; /* cells touched */
};

static inline int32_t
floor_div(int32_t a, int32_t b)
{
	int32_t q = a / b;

	return (q - (a - q * b < 0));
}

/* The part of an edge that lies in a row: from xa down to xb. */
static inline void
add(struct small *s, int32_t row, int32_t xa, int32_t xb, int32_t height,
    int32_t dir)
{
	int32_t left = xa < xb ? xa : xb, right = xa < xb ? xb : xa;
	int32_t lo = left >> 8, hi = right >> 8;

	s->lo[row] = lo < s->lo[row] ? lo : s->lo[row];
	s->hi[row] = hi > s->hi[row] ? hi : s->hi[row];
	cells_add(s->cell[row], left, right, height, dir);
}

/* An edge down from x0, y0. */
static inline void
edge(struct small *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t dir)
{
	int32_t row = y0 >> 8, last = y1 >> 8, height = y1 - y0, dx = x1 - x0;
	int32_t head = 256 - (y0 & 255), x, q, rem, step, step_rem;

	if (height <= head) {
		add(s, row, x0, x1, height, dir);
		return;
	}
	q = floor_div(head * dx, height);
	x = x0 + q;
	add(s, row++, x0, x, head, dir);
	if (row < last) {
		rem = head * dx - q * height;
		step = floor_div(256 * dx, height);
		step_rem = 256 * dx - step * height;
		for (; row < last; row++) {
			q = x + step;
			rem += step_rem;
			if (rem >= height) {
				rem -= height;
				q++;
			}
			add(s, row, x, q, 256, dir);
			x = q;
		}
	}
	if (y1 & 255)
		add(s, row, x, x1, y1 & 255, dir);
}

bool
polygon_small(const struct canvas *c, const int32_t *points, int scale,
    size_t n, const struct ink *ink)
{
	static _Thread_local struct small kept; /* is left empty */
	struct small *s = &kept;
	int64_t x0 = points[0], y0 = points[1], x1 = x0, y1 = y0;
	int32_t left, top, rows;
	uint32_t *px;

	for (size_t i = 1; i < n; i++) {
		int32_t x = points[2 * i], y = points[2 * i + 1];

		x0 = x < x0 ? x : x0;
		x1 = x > x1 ? x : x1;
		y0 = y < y0 ? y : y0;
		y1 = y > y1 ? y : y1;
	}
	x0 *= scale;
	x1 *= scale;
	y0 *= scale;
	y1 *= scale;
	if (x0 < c->clip_x0 * 256 || x1 >= c->clip_x1 * 256 ||
	    y0 < c->clip_y0 * 256 || y1 > c->clip_y1 * 256 ||
	    (x1 >> 8) - (x0 >> 8) >= CELLS - 1 || (y1 >> 8) - (y0 >> 8) >= ROWS)
		return (false);
	left = (int32_t)x0 & ~255;
	top = (int32_t)y0 & ~255;
	rows = ((int32_t)y1 - top + 255) >> 8;
	for (int32_t i = 0; i < rows; i++) {
		s->lo[i] = CELLS;
		s->hi[i] = -1;
	}
	for (size_t i = 0; i < n; i++) {
		const int32_t *a = points + 2 * i;
		const int32_t *b = i + 1 == n ? points : a + 2;
		int32_t dir = a[1] < b[1] ? 1 : -1;

		if (a[1] == b[1])
			continue;
		if (dir < 0) {
			const int32_t *t = a;

			a = b;
			b = t;
		}
		edge(s, a[0] * scale - left, a[1] * scale - top,
		    b[0] * scale - left, b[1] * scale - top, dir);
	}
	px = c->px + (top >> 8) * (int64_t)c->stride + (left >> 8);
	for (int32_t i = 0; i < rows; i++, px += c->stride)
		cells_paint(ink, s->cell[i], s->lo[i], s->hi[i],
		    c->clip_x1 - (left >> 8), px);
	return (true);
}
