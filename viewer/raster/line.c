/*
 * Lines.
 *
 * A line crosses every row (every column when it is flat) in a short piece,
 * exact across and cut square at its ends.  Where the piece lies is
 *
 *	x = x0 + floor(dx * (2 * height from y0) * 128 / dy)	in 1/65536 px
 *
 * advanced by quotient and remainder, so that no rounding is carried on and a
 * clipped line has the pixels of the whole one.  Lines that begin or end far
 * outside, where this would overflow, are painted as thin polygons.
 *
 * Most are thin, as messages between lanes: of those, two pixels at a time are
 * mixed.
 */
#include <stdbool.h>

#include "raster/blend.h"
#include "raster/canvas.h"
#include "raster/polygon.h"
#include "raster/scaled.h"

#define FAR  (1 << 26)       /* 1/256 px */
#define THIN ((3 << 16) / 2) /* half of a width that covers 4 px at most */

/* A line along y; flat ones have x and y exchanged. */
struct line {
	int32_t x0, y0, x1, y1; /* 1/256 px, y0 < y1 */
	int64_t half;           /* width along x, halved, 1/65536 px */
	uint32_t rgb, alpha;
	uint32_t *px;
	int64_t step_x, step_y; /* pixels from one to the next */
	int32_t clip_x0, clip_y0, clip_x1, clip_y1;
};

static int64_t
floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;

	return (q - (a % b != 0 && (a < 0) != (b < 0)));
}

static inline void
dot(uint32_t *p, uint32_t rgb, uint32_t cover, uint32_t alpha)
{
	*p = blend_px(*p, rgb, blend_mul(blend_share(cover, 8), alpha));
}

/* One row: from x - half to x + half, of which `tall` 256ths are inside. */
static void
piece(const struct line *l, int32_t y, int64_t x, uint32_t tall)
{
	int64_t left = x - l->half, right = x + l->half;
	int32_t from = (int32_t)(left >> 16), to = (int32_t)(right >> 16);
	uint32_t *p = l->px + y * l->step_y + from * l->step_x;
	uint32_t first, last;

	if (from == to) {
		if (from >= l->clip_x0 && from < l->clip_x1)
			dot(p, l->rgb, (uint32_t)((right - left) * tall >> 16),
			    l->alpha);
		return;
	}
	first = (uint32_t)(65536 - (left & 65535)) * tall >> 16;
	last = (uint32_t)(right & 65535) * tall >> 16;
	if (from >= l->clip_x0 && to < l->clip_x1) { /* nearly always */
		dot(p, l->rgb, first, l->alpha);
		for (int32_t i = from + 1; i < to; i++)
			dot(p += l->step_x, l->rgb, tall, l->alpha);
		dot(p + l->step_x, l->rgb, last, l->alpha);
		return;
	}
	for (int32_t i = from; i <= to; i++, p += l->step_x)
		if (i >= l->clip_x0 && i < l->clip_x1)
			dot(p, l->rgb,
			    i == from ? first
			    : i == to ? last
				      : tall,
			    l->alpha);
}

/* What stays the same along a thin line whose rows are mixed by twos. */
struct thin {
	blend_lanes src, alpha;
	int64_t dy, width;
	int64_t lo, hi; /* where a piece may begin, so that no edge is near */
};

static inline struct thin
thin_of(const struct line *l, int32_t reach)
{
	const uint32_t twice[2] = { l->rgb, l->rgb };

	return ((struct thin){ .src = blend_load(twice),
	    .alpha = (blend_lanes){ 0 } + (uint16_t)l->alpha,
	    .dy = l->y1 - l->y0,
	    .width = 2 * l->half,
	    .lo = (int64_t)l->clip_x0 << 16,
	    .hi = ((int64_t)l->clip_x1 - reach) * 65536 });
}

/* What a pixel has of the line, 1/65536, for all lanes of it. */
static inline uint64_t
share(int64_t overlap)
{
	return (
	    overlap > 0 ? blend_share((uint32_t)overlap, 16) * BLEND_EACH : 0);
}

/*
 * Whole rows from y to last of a thin steep line, from middle x on; returns
 * the first that is not painted, since it would touch the edge of the clip.
 */
static int32_t
rows_steep(const struct line *l, int32_t y, int32_t last, int64_t *x,
    int64_t *rem, int64_t step, int64_t step_rem)
{
	const struct thin t = thin_of(l, 4);
	uint32_t *row = l->px + y * l->step_y;

	for (; y <= last; y++, row += l->step_y) {
		int64_t left = *x - l->half, right;
		uint32_t *p = row + (left >> 16);

		if (left < t.lo || left > t.hi)
			return (y);
		left &= 65535;
		right = left + t.width;
		blend_two(p, t.src, t.alpha,
		    share((right < 65536 ? right : 65536) - left),
		    share(right - 65536));
		if (right > 131072)
			blend_two(p + 2, t.src, t.alpha, share(right - 131072),
			    share(right - 196608));
		*x += step;
		*rem += step_rem;
		if (*rem >= t.dy) {
			*rem -= t.dy;
			*x += 1;
		}
	}
	return (y);
}

/* What of a piece from a on lies in the pixel that begins at k. */
static inline int64_t
within(int64_t a, int64_t width, int64_t k)
{
	int64_t from = a > k ? a : k, to = a + width;

	return ((to < k + 65536 ? to : k + 65536) - from);
}

/* Columns of a flat one, two of them at a time. */
static int32_t
columns_flat(const struct line *l, int32_t y, int32_t last, int64_t *x,
    int64_t *rem, int64_t step, int64_t step_rem)
{
	const struct thin t = thin_of(l, 5);

	for (; y < last; y += 2) {
		int64_t a = *x - l->half, r = *rem + step_rem;
		int64_t b = a + step + (r >= t.dy), top = a < b ? a : b;
		uint32_t *p = l->px + y + (top >> 16) * l->step_x;

		if (top < t.lo || top > t.hi)
			return (y);
		top &= ~(int64_t)65535;
		a -= top;
		b -= top;
		for (int64_t k = 0; a + t.width > k || b + t.width > k;
		     k += 65536, p += l->step_x)
			blend_two(p, t.src, t.alpha,
			    share(within(a, t.width, k)),
			    share(within(b, t.width, k)));
		*x += 2 * step + (r >= t.dy);
		r = (r >= t.dy ? r - t.dy : r) + step_rem;
		*x += r >= t.dy;
		*rem = r >= t.dy ? r - t.dy : r;
	}
	return (y);
}

/* Middle of the line at a height; twice: twice the height above y0. */
static int64_t
middle(const struct line *l, int64_t twice, int64_t *rem)
{
	int64_t n = (int64_t)(l->x1 - l->x0) * twice * 128;
	int64_t q = floor_div(n, l->y1 - l->y0);

	*rem = n - q * (l->y1 - l->y0);
	return ((int64_t)l->x0 * 256 + q);
}

static void
paint(const struct line *l)
{
	int32_t y = l->y0 >> 8, last = (l->y1 - 1) >> 8, next;
	int64_t dy = l->y1 - l->y0, x = 0, rem = 0, step, step_rem;
	bool known = false; /* x is that of this row */

	step = floor_div((int64_t)(l->x1 - l->x0) * 65536, dy);
	step_rem = (int64_t)(l->x1 - l->x0) * 65536 - step * dy;
	y = y < l->clip_y0 ? l->clip_y0 : y;
	last = last >= l->clip_y1 ? l->clip_y1 - 1 : last;
	for (; y <= last; y++) {
		int32_t top = y * 256, bottom = top + 256;
		bool whole = top >= l->y0 && bottom <= l->y1;

		top = top < l->y0 ? l->y0 : top;
		bottom = bottom > l->y1 ? l->y1 : bottom;
		if (!known || !whole)
			x = middle(l, (int64_t)top + bottom - 2 * l->y0, &rem);
		known = whole;
		if (whole && l->half <= THIN) {
			next = (l->y1 >> 8) - 1;
			next = next < last ? next : last;
			next = (l->step_x == 1 ? rows_steep : columns_flat)(l,
			    y, next, &x, &rem, step, step_rem);
			if (next > y) {
				y = next - 1;
				continue;
			}
		}
		piece(l, y, x, (uint32_t)(bottom - top));
		x += step;
		rem += step_rem;
		if (rem >= dy) {
			rem -= dy;
			x++;
		}
	}
}

static int32_t
limit(int32_t q)
{
	const int32_t most = 1 << 24;

	return ((q > most ? most : q < -most ? -most : q) * 16);
}

/* Before it is made larger. */
static int32_t
limit_q(int32_t q)
{
	return (limit(q) / 16);
}

static bool
is_far(int32_t v)
{
	return (v > FAR || v < -FAR);
}

/* As a rectangle of four points. */
static void
paint_far(struct canvas *c, const int32_t v[4], int64_t length, int32_t width_q,
    uint32_t rgb, uint8_t alpha)
{
	int64_t dx = (int64_t)v[2] - v[0], dy = (int64_t)v[3] - v[1];
	int32_t nx = (int32_t)(-dy * width_q * 8 / length);
	int32_t ny = (int32_t)(dx * width_q * 8 / length);

	polygon_fill(c,
	    (const int32_t[]){ v[0] + nx, v[1] + ny, v[2] + nx, v[3] + ny,
		v[2] - nx, v[3] - ny, v[0] - nx, v[1] - ny },
	    1, 4, rgb, alpha);
}

static void
line_aa(struct canvas *c, int32_t x0_q, int32_t y0_q, int32_t x1_q,
    int32_t y1_q, int32_t width_q, uint32_t rgb, uint8_t alpha)
{
	int32_t v[4] = { limit(x0_q), limit(y0_q), limit(x1_q), limit(y1_q) };
	int64_t dx = (int64_t)v[2] - v[0], dy = (int64_t)v[3] - v[1], length;
	bool flat = (dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy);
	struct line l = { .rgb = rgb, .alpha = alpha, .px = c->px };

	length = root((uint64_t)(dx * dx) + (uint64_t)(dy * dy));
	if (length == 0 || width_q <= 0)
		return;
	if (is_far(v[0]) || is_far(v[1]) || is_far(v[2]) || is_far(v[3])) {
		paint_far(c, v, length, width_q, rgb, alpha);
		return;
	}
	l.x0 = v[flat];
	l.y0 = v[!flat];
	l.x1 = v[2 + flat];
	l.y1 = v[2 + !flat];
	if (l.y0 > l.y1) {
		l = (struct line){ .x0 = l.x1,
			.y0 = l.y1,
			.x1 = l.x0,
			.y1 = l.y0,
			.rgb = rgb,
			.alpha = alpha,
			.px = c->px };
	}
	/* width * length / dy, halved: from 1/16 to 1/65536 px */
	l.half = (int64_t)width_q * 2048 * length / (l.y1 - l.y0);
	l.step_x = flat ? c->stride : 1;
	l.step_y = flat ? 1 : c->stride;
	l.clip_x0 = flat ? c->clip_y0 : c->clip_x0;
	l.clip_x1 = flat ? c->clip_y1 : c->clip_x1;
	l.clip_y0 = flat ? c->clip_x0 : c->clip_y0;
	l.clip_y1 = flat ? c->clip_x1 : c->clip_y1;
	paint(&l);
}

void
canvas_line_aa(struct canvas *c, int32_t x0_q, int32_t y0_q, int32_t x1_q,
    int32_t y1_q, int32_t width_q, uint32_t rgb, uint8_t alpha)
{
	int32_t k = c->scale_q;
	struct canvas d;

	if (k == CANVAS_SCALE_ONE) {
		line_aa(c, x0_q, y0_q, x1_q, y1_q, width_q, rgb, alpha);
		return;
	}
	d = canvas_in_dots(c);
	line_aa(&d, scaled(limit_q(x0_q), k), scaled(limit_q(y0_q), k),
	    scaled(limit_q(x1_q), k), scaled(limit_q(y1_q), k),
	    scaled(width_q, k), rgb, alpha);
}
