/*
 * Polygons by exact area.
 *
 * An edge adds to the cells (pixels of a row) that it passes how much height
 * it covers there (cover) and how much of that lies left of it (area).  A
 * running sum of the covers along the row then gives every pixel's share of
 * the inside, exactly, in 1/256 px units: the scheme of FreeType's smooth
 * rasteriser.  The absolute value, cut at one, makes it non-zero winding as
 * long as an outline does not run against itself.
 *
 * Where an edge leaves a row or a cell is floor(k * step / length), advanced
 * by quotient and remainder: no rounding is carried on, so a clipped picture
 * has the same pixels as the whole one.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "raster/canvas.h"
#include "raster/polygon.h"
#include "raster/polygon_row.h"
#include "raster/scaled.h"

#define STRIP_PX  2048      /* cells of a row at a time */
#define EDGES_OWN 64        /* without asking for memory */
#define POINT_MAX (1 << 28) /* 1/256 px; products stay in 64 bits */

struct edge {
	int32_t x0, y0, x1, y1; /* y0 < y1 */
	int32_t dir;
	int32_t x; /* where it enters the next row */
	/* its remainder, -1: not known; and what a whole row adds to both */
	int64_t rem, step_rem;
	int32_t step;
};

struct row {
	int32_t x0, x1; /* cells, px */
	int32_t lo, hi; /* touched */
	struct cell cell[STRIP_PX];
};

/* b > 0; most are small, and those are divided in a third of the time. */
static inline int64_t
floor_div(int64_t a, int64_t b)
{
	int64_t q;

	if (a == (int32_t)a && b == (int32_t)b) {
		int32_t r = (int32_t)a / (int32_t)b;

		return (r - ((int32_t)a - r * (int32_t)b < 0));
	}
	q = a / b;
	return (q - (a - q * b < 0));
}

/* x of the edge at this height, by division. */
static void
edge_to(struct edge *e, int32_t y)
{
	int64_t height = (int64_t)e->y1 - e->y0, n, q;

	e->rem = -1;
	if (y <= e->y0 || y >= e->y1) {
		e->x = y <= e->y0 ? e->x0 : e->x1;
		return;
	}
	n = ((int64_t)y - e->y0) * (e->x1 - e->x0);
	q = floor_div(n, height);
	e->x = e->x0 + (int32_t)q;
	if (e->y1 <= y + 256)
		return; /* it has no whole row any more */
	e->rem = n - q * height;
	q = floor_div(256 * (int64_t)(e->x1 - e->x0), height);
	e->step = (int32_t)q;
	e->step_rem = 256 * (int64_t)(e->x1 - e->x0) - q * height;
}

/* One whole row down, without a division. */
static void
edge_step(struct edge *e)
{
	e->x += e->step;
	e->rem += e->step_rem;
	if (e->rem >= (int64_t)e->y1 - e->y0) {
		e->rem -= (int64_t)e->y1 - e->y0;
		e->x++;
	}
}

static void
cell_add(struct row *r, int32_t cell, int32_t height, int32_t twice_x)
{
	int32_t i;

	if (cell >= r->x1)
		return;
	if (cell < r->x0) {
		cell = r->x0;
		twice_x = 0;
	}
	i = cell - r->x0;
	r->cell[i].cover += height;
	r->cell[i].area += height * twice_x;
	if (i < r->lo)
		r->lo = i;
	if (i > r->hi)
		r->hi = i;
}

/* The part of an edge that lies in one row: from xa down to xb. */
static void
row_add(struct row *r, int32_t xa, int32_t xb, int32_t height, int32_t dir)
{
	int32_t left = xa < xb ? xa : xb, right = xa < xb ? xb : xa;
	int32_t cell = left >> 8, last = right >> 8;
	int32_t done = 0, width = right - left, from = left & 255;
	int64_t q, rem, step_q, step_rem;

	if (cell >= r->x0 && last < r->x1) {
		r->lo = cell - r->x0 < r->lo ? cell - r->x0 : r->lo;
		r->hi = last - r->x0 > r->hi ? last - r->x0 : r->hi;
		cells_add(r->cell, left - r->x0 * 256, right - r->x0 * 256,
		    height, dir);
		return;
	}
	if (cell == last) {
		cell_add(r, cell, dir * height, (left & 255) + (right & 255));
		return;
	}
	if (cell >= r->x1)
		return;
	/* height passed up to the right side of a cell: k * height / width */
	if (cell < r->x0 - 1) { /* jump to the first one in sight */
		cell = last < r->x0 ? last : r->x0;
		done =
		    (int32_t)((int64_t)((cell * 256) - left) * height / width);
		cell_add(r, r->x0 - 1, dir * done, 0);
		from = 0;
	}
	q = (int64_t)(((cell + 1) * 256) - left) * height / width;
	rem = (int64_t)(((cell + 1) * 256) - left) * height % width;
	step_q = 256 * (int64_t)height / width;
	step_rem = 256 * (int64_t)height % width;
	for (; cell < last && cell < r->x1; cell++) {
		cell_add(r, cell, dir * ((int32_t)q - done), from + 256);
		done = (int32_t)q;
		from = 0;
		q += step_q;
		rem += step_rem;
		if (rem >= width) {
			rem -= width;
			q++;
		}
	}
	if (cell == last)
		cell_add(r, cell, dir * (height - done), from + (right & 255));
}

/* Leaves the row empty. */
static void
row_paint(struct row *r, uint32_t *px, const struct ink *ink)
{
	cells_paint(ink, r->cell, r->lo, r->hi, r->x1 - r->x0, px);
	r->lo = STRIP_PX;
	r->hi = -1;
}

static int
by_begin(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return ((x->y0 > y->y0) - (x->y0 < y->y0));
}

/* By where they begin.  Most outlines are small. */
static void
edges_sort(struct edge *e, size_t n)
{
	if (n > EDGES_OWN) {
		qsort(e, n, sizeof(*e), by_begin);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct edge t = e[i];
		size_t k = i;

		for (; k > 0 && e[k - 1].y0 > t.y0; k--)
			e[k] = e[k - 1];
		e[k] = t;
	}
}

static void
strip(struct canvas *c, int32_t x0, int32_t x1, struct edge *e, size_t n,
    int32_t y_end, const struct ink *ink)
{
	static _Thread_local struct row kept; /* left empty by row_paint */
	struct row *r = &kept;
	int32_t y = e[0].y0 >> 8;
	size_t first = 0, live = 0;

	r->x0 = x0;
	r->x1 = x1;
	r->lo = STRIP_PX;
	r->hi = -1;
	y = y < c->clip_y0 ? c->clip_y0 : y;
	for (size_t i = 0; i < n; i++)
		edge_to(&e[i], y * 256);
	for (; y < c->clip_y1 && y * 256 < y_end; y++) {
		int32_t top = y * 256, bottom = top + 256;

		while (live < n && e[live].y0 < bottom)
			live++;
		for (size_t i = first; i < live; i++) {
			if (e[i].y1 <= top) { /* is over, and goes before */
				struct edge t = e[i];

				e[i] = e[first];
				e[first++] = t;
			}
		}
		for (size_t i = first; i < live; i++) {
			int32_t ya = e[i].y0 > top ? e[i].y0 : top;
			int32_t yb = e[i].y1 < bottom ? e[i].y1 : bottom;
			int32_t xa = e[i].x;

			if (yb <= ya)
				continue;
			if (e[i].rem >= 0 && e[i].y1 > bottom)
				edge_step(&e[i]);
			else
				edge_to(&e[i], yb);
			row_add(r, xa, e[i].x, yb - ya, e[i].dir);
		}
		if (r->hi >= 0)
			row_paint(r, c->px + (size_t)y * (size_t)c->stride + x0,
			    ink);
	}
}

static int32_t
limit(int64_t v, int scale)
{
	v *= scale;
	return ((int32_t)(v > POINT_MAX    ? POINT_MAX
			  : v < -POINT_MAX ? -POINT_MAX
					   : v));
}

void
polygon_fill(struct canvas *c, const int32_t *points, int scale, size_t n,
    uint32_t rgb, uint8_t alpha)
{
	const struct ink ink = ink_of(rgb, alpha);
	struct edge own[EDGES_OWN], *e = own;
	size_t edges = 0;
	int32_t lo = POINT_MAX, hi = -POINT_MAX, end = -POINT_MAX;

	if (n < 3 || alpha == 0 || polygon_small(c, points, scale, n, &ink))
		return;
	if (n > EDGES_OWN && (e = malloc(n * sizeof(*e))) == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t j = i + 1 == n ? 0 : i + 1;
		struct edge t = { .x0 = limit(points[2 * i], scale),
			.y0 = limit(points[2 * i + 1], scale),
			.x1 = limit(points[2 * j], scale),
			.y1 = limit(points[2 * j + 1], scale),
			.dir = 1 };

		lo = t.x0 < lo ? t.x0 : lo;
		hi = t.x0 > hi ? t.x0 : hi;
		end = t.y0 > end ? t.y0 : end;
		if (t.y0 == t.y1)
			continue;
		if (t.y0 > t.y1)
			t = (struct edge){ .x0 = t.x1,
				.y0 = t.y1,
				.x1 = t.x0,
				.y1 = t.y0,
				.dir = -1 };
		e[edges++] = t;
	}
	if (edges > 0) {
		int32_t x0 = lo >> 8, x1 = (hi >> 8) + 1;

		x0 = x0 < c->clip_x0 ? c->clip_x0 : x0;
		x1 = x1 > c->clip_x1 ? c->clip_x1 : x1;
		for (; x0 < x1; x0 += STRIP_PX) {
			edges_sort(e, edges); /* the one before mixes them */
			strip(c, x0, x1 - x0 > STRIP_PX ? x0 + STRIP_PX : x1, e,
			    edges, end, &ink);
		}
	}
	if (e != own)
		free(e);
}

void
canvas_polygon(struct canvas *c, const int32_t *points_q, size_t n,
    uint32_t rgb, uint8_t alpha)
{
	struct canvas d;

	if (c->scale_q == CANVAS_SCALE_ONE) {
		polygon_fill(c, points_q, 16, n, rgb, alpha);
		return;
	}
	d = canvas_in_dots(c); /* 16 parts of a pixel are scale_q of a dot */
	polygon_fill(&d, points_q, c->scale_q, n, rgb, alpha);
}
