/*
 * Inside of the rasteriser: a row of cells, what an edge adds to it and how it
 * becomes pixels.  See polygon.c.
 */
#ifndef VIEWER_POLYGON_ROW_H
#define VIEWER_POLYGON_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "raster/blend.h"
#include "raster/canvas.h"

struct cell {
	int32_t cover, area;
};

/* What all rows of a shape have in common. */
struct ink {
	blend_lanes src, whole; /* colour and alpha, in both pixels */
	uint32_t rgb, alpha;
};

static inline struct ink
ink_of(uint32_t rgb, uint32_t alpha)
{
	const uint32_t twice[2] = { rgb, rgb };

	return ((struct ink){ .src = blend_load(twice),
	    .whole = (blend_lanes){ 0 } + (uint16_t)alpha,
	    .rgb = rgb,
	    .alpha = alpha });
}

/*
 * An edge from left to right, in 1/256 px, through cells of one row that are
 * all there: a share of a row or less, so that 32 bits are enough.
 */
static inline void
cells_add(struct cell *row, int32_t left, int32_t right, int32_t height,
    int32_t dir)
{
	struct cell *c = &row[left >> 8];
	int32_t n = (right >> 8) - (left >> 8), from = left & 255;
	uint32_t width, q, rem, step_q, step_rem;
	int32_t done, part;

	if (n == 0) {
		c->cover += dir * height;
		c->area += dir * height * (from + (right & 255));
		return;
	}
	width = (uint32_t)(right - left);
	q = (uint32_t)(256 - from) * (uint32_t)height / width;
	done = (int32_t)q;
	c->cover += dir * done;
	c->area += dir * done * (from + 256);
	c++;
	if (n > 1) {
		rem = (uint32_t)(256 - from) * (uint32_t)height % width;
		step_q = 256 * (uint32_t)height / width;
		step_rem = 256 * (uint32_t)height % width;
		for (int32_t i = 1; i < n; i++, c++) {
			q += step_q;
			rem += step_rem;
			if (rem >= width) {
				rem -= width;
				q++;
			}
			part = dir * ((int32_t)q - done);
			done = (int32_t)q;
			c->cover += part;
			c->area += part * 256;
		}
	}
	part = dir * (height - done);
	c->cover += part;
	c->area += part * (right & 255);
}

static inline uint32_t
cell_share(int32_t v)
{
	if (v < 0)
		v = -v;
	return (blend_share((uint32_t)v, 17));
}

static inline void
cells_span(const struct ink *k, uint32_t *px, int32_t n, uint32_t a)
{
	if (a == 255) {
		for (int32_t i = 0; i < n; i++)
			px[i] = k->rgb;
	} else if (a != 0) {
		for (int32_t i = 0; i < n; i++)
			px[i] = blend_px(px[i], k->rgb, a);
	}
}

/*
 * Turns the sums of cells lo..hi into pixels, two at a time, and leaves them
 * empty; n: so many pixels there are from the first cell's on.
 */
static inline void
cells_paint(const struct ink *k, struct cell *c, int32_t lo, int32_t hi,
    int32_t n, uint32_t *px)
{
	int32_t sum = 0, i = lo, next;
	uint32_t a, b;

	while (i <= hi) {
		sum += c[i].cover;
		a = cell_share(sum * 512 - c[i].area);
		c[i] = (struct cell){ 0, 0 };
		if (i + 1 == n) {
			cells_span(k, px + i, 1, blend_mul(a, k->alpha));
			i++;
		} else { /* as if there were no edge behind the last one */
			sum += c[i + 1].cover;
			b = cell_share(sum * 512 - c[i + 1].area);
			c[i + 1] = (struct cell){ 0, 0 };
			blend_two(px + i, k->src, k->whole, a * BLEND_EACH,
			    b * BLEND_EACH);
			i += 2;
		}
		for (next = i;
		     next <= hi && c[next].cover == 0 && c[next].area == 0;
		     next++)
			;
		if (next > hi)
			next = sum == 0 ? next : n;
		if (next > i)
			cells_span(k, px + i, next - i,
			    blend_mul(cell_share(sum * 512), k->alpha));
		i = next;
	}
}

/*
 * polygon_small.c: as polygon_fill(), of three points or more.  False: it is
 * not small, or not all of it in sight, and nothing was done.
 */
bool polygon_small(const struct canvas *, const int32_t *points, int scale,
    size_t n, const struct ink *);

#endif
