/*
 * Discs and circles.
 *
 * The share of a pixel is taken from how far its centre is from the rim; that
 * is off by less than 1/20 for radii of a pixel or more, which nobody sees.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "raster/blend.h"
#include "raster/canvas.h"
#include "raster/polygon.h"
#include "raster/scaled.h"

#define STAMP_R  24 /* 1/16 px: the largest that is kept */
#define STAMP_PX 7
#define LARGE_R  512 /* 1/16 px: circles from here on */

uint32_t
root(uint64_t v)
{
	uint64_t r, next;

	if (v == 0)
		return (0);
	/* below 2^52 a root that is no integer is never rounded up to one */
	if (v >> 52 == 0)
		return ((uint32_t)sqrt((double)v));
	r = (uint64_t)1 << ((64 - __builtin_clzll(v) + 1) / 2);
	while ((next = (r + v / r) / 2) < r)
		r = next;
	return ((uint32_t)r);
}

int32_t
canvas_length(int32_t dx, int32_t dy)
{
	return ((int32_t)root(
	    (uint64_t)((int64_t)dx * dx) + (uint64_t)((int64_t)dy * dy)));
}

/* Pixels of a row whose centre is nearer than r (1/16 px) to x. */
static int
row_span(int64_t r, int64_t x, int64_t dy, int64_t *from, int64_t *to)
{
	int64_t half;

	if (r * r <= dy * dy)
		return (0);
	half = root((uint64_t)(r * r - dy * dy));
	*from = (x - half - 8) >> 4;
	*to = ((x + half - 8) >> 4) + 2;
	return (1);
}

/* Share of a pixel whose centre is d away, squared, from that of a disc. */
static uint32_t
disc_share(int64_t d, int64_t r_q)
{
	int64_t a = r_q * 16 - (int64_t)root((uint64_t)d * 256) + 128;

	if (a <= 0)
		return (0);
	return (a > 255 ? 255 : (uint32_t)a);
}

/*
 * Small discs come by the thousand and of one size: the shares of their
 * pixels are kept, for each sixteenth at which the centre may lie.
 */
struct stamp {
	uint8_t share[STAMP_PX][STAMP_PX + 1];
	uint8_t y0, y1, x0, x1; /* where it has any; x0 is even */
};

static const struct stamp *
stamp_of(int32_t x_q, int32_t y_q, int32_t r_q)
{
	static _Thread_local struct {
		int32_t r_q;
		uint8_t known[256];
		struct stamp stamp[256];
	} kept;
	int64_t fx = x_q & 15, fy = y_q & 15, dx, dy;
	struct stamp *p = &kept.stamp[fy * 16 + fx];

	if (kept.r_q != r_q)
		memset(kept.known, 0, sizeof(kept.known));
	kept.r_q = r_q;
	if (kept.known[fy * 16 + fx])
		return (p);
	kept.known[fy * 16 + fx] = 1;
	*p = (struct stamp){ .y0 = STAMP_PX, .x0 = STAMP_PX };
	for (int i = 0; i < STAMP_PX * STAMP_PX; i++) {
		uint8_t x = (uint8_t)(i % STAMP_PX),
			y = (uint8_t)(i / STAMP_PX);

		dx = (x - STAMP_PX / 2) * 16 + 8 - fx;
		dy = (y - STAMP_PX / 2) * 16 + 8 - fy;
		p->share[y][x] = (uint8_t)disc_share(dx * dx + dy * dy, r_q);
		if (p->share[y][x] == 0)
			continue;
		p->y0 = y < p->y0 ? y : p->y0;
		p->y1 = (uint8_t)(y + 1);
		p->x0 = x < p->x0 ? x & ~1 : p->x0;
		p->x1 = x >= p->x1 ? (uint8_t)(x + 1) : p->x1;
	}
	return (p);
}

/* All of it is in sight: two pixels at a time. */
static void
stamp_inside(struct canvas *c, const struct stamp *p, int32_t x0, int32_t y0,
    uint32_t rgb, uint8_t alpha)
{
	const uint32_t twice[2] = { rgb, rgb };
	const blend_lanes src = blend_load(twice);
	const blend_lanes whole = (blend_lanes){ 0 } + (uint16_t)alpha;

	for (int32_t y = p->y0; y < p->y1; y++) {
		uint32_t *row = c->px + (int64_t)(y0 + y) * c->stride + x0;

		for (int32_t x = p->x0; x < p->x1; x += 2)
			blend_two(row + x, src, whole,
			    p->share[y][x] * BLEND_EACH,
			    p->share[y][x + 1] * BLEND_EACH);
	}
}

static void
disc_small(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q,
    uint32_t rgb, uint8_t alpha)
{
	const struct stamp *p = stamp_of(x_q, y_q, r_q);
	int32_t x0 = (x_q >> 4) - STAMP_PX / 2, y0 = (y_q >> 4) - STAMP_PX / 2;

	if (x0 >= c->clip_x0 && x0 + STAMP_PX < c->clip_x1 &&
	    y0 >= c->clip_y0 && y0 + STAMP_PX <= c->clip_y1) {
		stamp_inside(c, p, x0, y0, rgb, alpha);
		return;
	}
	for (int32_t y = p->y0; y < p->y1; y++) {
		uint32_t *row = c->px + (int64_t)(y0 + y) * c->stride;

		if (y0 + y < c->clip_y0 || y0 + y >= c->clip_y1)
			continue;
		for (int32_t x = p->x0; x < p->x1; x++)
			if (x0 + x >= c->clip_x0 && x0 + x < c->clip_x1)
				row[x0 + x] = blend_px(row[x0 + x], rgb,
				    blend_mul(p->share[y][x], alpha));
	}
}

static void
disc(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q, uint32_t rgb,
    uint8_t alpha)
{
	int64_t y0 = ((int64_t)y_q - r_q - 16) >> 4;
	int64_t y1 = (((int64_t)y_q + r_q + 16) >> 4) + 1;
	/* squared distance, 1/16 px, below which a pixel is all inside */
	int64_t in = r_q > 8 ? r_q - 8 : 0, whole = in * in;

	if (r_q <= 0 || r_q > 1 << 20)
		return;
	if (r_q <= STAMP_R) {
		disc_small(c, x_q, y_q, r_q, rgb, alpha);
		return;
	}
	y0 = y0 < c->clip_y0 ? c->clip_y0 : y0;
	y1 = y1 > c->clip_y1 ? c->clip_y1 : y1;
	for (int64_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + y * c->stride;
		int64_t dy = y * 16 + 8 - y_q, from, to;

		if (!row_span(r_q + 16, x_q, dy, &from, &to))
			continue;
		from = from < c->clip_x0 ? c->clip_x0 : from;
		to = to > c->clip_x1 ? c->clip_x1 : to;
		for (int64_t x = from; x < to; x++) {
			int64_t dx = x * 16 + 8 - x_q, d;
			uint32_t a;

			d = dx * dx + dy * dy;
			if (d < whole) {
				row[x] = blend_px(row[x], rgb, alpha);
				continue;
			}
			a = disc_share(d, r_q);
			if (a > 0)
				row[x] =
				    blend_px(row[x], rgb, blend_mul(a, alpha));
		}
	}
}

/*
 * Near the rim the distance from it is (d^2 - r^2) / 2r but for an error of
 * less than 1/2r px.
 */
struct rim {
	int64_t r_q, width_q;
	int64_t far;  /* farther from the rim there is nothing */
	double inv;   /* 1 / r_q */
	int32_t wide; /* 1/256 px from its middle; most: share of a pixel */
	int32_t most;
	int32_t step; /* of shares; a power of two */
	uint32_t rgb, alpha;
};

/* Of a pixel whose d^2 - r^2 is this; a quotient is cut off as that of
 * integers, since it is never as near to the next one as a half is to r. */
static inline uint32_t
rim_share(const struct rim *m, int64_t off)
{
	int64_t a = off < 0 ? -off : off;
	int32_t v;

	a = a < m->far ? a : m->far;
	v = m->wide - (int32_t)(((double)(a * 8) + 0.5) * m->inv);
	v = v > m->most ? m->most : v;
	v = (v + m->step / 2) & -m->step;
	return (v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v);
}

/* Pixels of a row, two at a time. */
static void
rim(const struct rim *m, const struct canvas *c, uint32_t *row, int64_t from,
    int64_t to, int64_t x_q, int64_t dy)
{
	const uint32_t twice[2] = { m->rgb, m->rgb };
	const blend_lanes src = blend_load(twice);
	const blend_lanes alpha = (blend_lanes){ 0 } + (uint16_t)m->alpha;
	int64_t dx, off, x;
	uint32_t a;

	from = from < c->clip_x0 ? c->clip_x0 : from;
	to = to > c->clip_x1 ? c->clip_x1 : to;
	dx = from * 16 + 8 - x_q;
	off = dx * dx + dy * dy - m->r_q * m->r_q;
	for (x = from; x + 1 < to; x += 2) {
		int64_t next = off + 32 * dx + 256; /* (dx + 16)^2 */

		if ((off <= m->far && off >= -m->far) ||
		    (next <= m->far && next >= -m->far))
			blend_two(row + x, src, alpha,
			    rim_share(m, off) * BLEND_EACH,
			    rim_share(m, next) * BLEND_EACH);
		off += 64 * dx + 1024;
		dx += 32;
	}
	if (x < to) {
		a = rim_share(m, off);
		row[x] = blend_px(row[x], m->rgb, blend_mul(a, m->alpha));
	}
}

static void
circle(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q, int32_t width_q,
    uint32_t rgb, uint8_t alpha)
{
	/* a pixel has a share when its centre is less than half a pixel beside
	 * the rim; small ones may bend away a little more */
	int64_t beside = r_q < 512 ? 16 : 10;
	int64_t out = (int64_t)r_q + width_q / 2 + beside;
	int64_t in = (int64_t)r_q - width_q / 2 - beside;
	int64_t y0 = ((int64_t)y_q - out) >> 4;
	int64_t y1 = (((int64_t)y_q + out) >> 4) + 1;

	struct rim m = { .r_q = r_q,
		.width_q = width_q,
		.rgb = rgb,
		.alpha = alpha };

	if (r_q <= 0 || r_q > 1 << 24 || width_q <= 0 || width_q > 1 << 24)
		return;
	m.far = ((int64_t)width_q * 8 + 129) * r_q / 8 + 1;
	m.inv = 1.0 / r_q;
	m.wide = width_q * 8 + 128;
	m.most = width_q >= 16 ? 255 : width_q * 16;
	/* large ones are faint, behind what is seen */
	m.step = r_q < LARGE_R ? 16 : 64;
	y0 = y0 < c->clip_y0 ? c->clip_y0 : y0;
	y1 = y1 > c->clip_y1 ? c->clip_y1 : y1;
	for (int64_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + y * c->stride;
		int64_t dy = y * 16 + 8 - y_q, from, to, ifrom, ito;

		if (!row_span(out, x_q, dy, &from, &to))
			continue;
		if (in > 0 && row_span(in, x_q, dy, &ifrom, &ito) &&
		    ito - ifrom > 6) {
			rim(&m, c, row, from, ifrom + 2, x_q, dy);
			rim(&m, c, row, ito - 2, to, x_q, dy);
		} else {
			rim(&m, c, row, from, to, x_q, dy);
		}
	}
}

void
canvas_disc(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q,
    uint32_t rgb, uint8_t alpha)
{
	int32_t k = c->scale_q;
	struct canvas d;

	if (k == CANVAS_SCALE_ONE) {
		disc(c, x_q, y_q, r_q, rgb, alpha);
		return;
	}
	d = canvas_in_dots(c);
	disc(&d, scaled(x_q, k), scaled(y_q, k), scaled(r_q, k), rgb, alpha);
}

void
canvas_circle(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q,
    int32_t width_q, uint32_t rgb, uint8_t alpha)
{
	int32_t k = c->scale_q;
	struct canvas d;

	if (k == CANVAS_SCALE_ONE) {
		circle(c, x_q, y_q, r_q, width_q, rgb, alpha);
		return;
	}
	d = canvas_in_dots(c);
	circle(&d, scaled(x_q, k), scaled(y_q, k), scaled(r_q, k),
	    scaled(width_q, k), rgb, alpha);
}
