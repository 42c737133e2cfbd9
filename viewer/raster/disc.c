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

	return (a <= 0 ? 0 : a > 255 ? 255 : (uint32_t)a);
}

/*
 * Small discs come by the thousand and of one size: the shares of their
 * pixels are kept, for each sixteenth at which the centre may lie.
 */
static const uint8_t *
stamp_of(int32_t x_q, int32_t y_q, int32_t r_q)
{
	static _Thread_local struct {
		int32_t r_q;
		uint8_t known[256];
		uint8_t share[256][STAMP_PX * STAMP_PX];
	} kept;
	int64_t fx = x_q & 15, fy = y_q & 15, dx, dy;
	uint8_t *p = kept.share[fy * 16 + fx];

	if (kept.r_q != r_q)
		memset(kept.known, 0, sizeof(kept.known));
	kept.r_q = r_q;
	if (kept.known[fy * 16 + fx])
		return (p);
	kept.known[fy * 16 + fx] = 1;
	for (int i = 0; i < STAMP_PX * STAMP_PX; i++) {
		dx = (i % STAMP_PX - STAMP_PX / 2) * 16 + 8 - fx;
		dy = (i / STAMP_PX - STAMP_PX / 2) * 16 + 8 - fy;
		p[i] = (uint8_t)disc_share(dx * dx + dy * dy, r_q);
	}
	return (p);
}

static void
disc_small(struct canvas *c, int32_t x_q, int32_t y_q, int32_t r_q,
    uint32_t rgb, uint8_t alpha)
{
	const uint8_t *share = stamp_of(x_q, y_q, r_q);
	int32_t x0 = (x_q >> 4) - STAMP_PX / 2, y0 = (y_q >> 4) - STAMP_PX / 2;

	for (int32_t y = y0; y < y0 + STAMP_PX; y++, share += STAMP_PX) {
		uint32_t *row = c->px + (int64_t)y * c->stride;

		if (y < c->clip_y0 || y >= c->clip_y1)
			continue;
		for (int32_t x = x0; x < x0 + STAMP_PX; x++)
			if (share[x - x0] != 0 && x >= c->clip_x0 &&
			    x < c->clip_x1)
				row[x] = blend_px(row[x], rgb,
				    blend_mul(share[x - x0], alpha));
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
static void
rim(struct canvas *c, uint32_t *row, int64_t from, int64_t to, int64_t x_q,
    int64_t dy, int64_t r_q, int64_t width_q, uint32_t rgb, uint32_t alpha)
{
	int64_t most = width_q >= 16 ? 255 : width_q * 16;
	/* farther from the rim there is nothing: saves most divisions */
	int64_t far = (width_q * 8 + 129) * r_q / 8 + 1;
	bool small = far < INT32_MAX / 8; /* so is what is divided */
	int64_t dx, off, a;

	from = from < c->clip_x0 ? c->clip_x0 : from;
	to = to > c->clip_x1 ? c->clip_x1 : to;
	dx = from * 16 + 8 - x_q;
	off = dx * dx + dy * dy - r_q * r_q;
	for (int64_t x = from, at = off; x < to; x++) {
		off = at;
		at += 32 * dx + 256; /* (dx + 16)^2 */
		dx += 16;
		if (off > far || off < -far)
			continue;
		off = small ? (int32_t)off * 8 / (int32_t)r_q : off * 8 / r_q;
		a = width_q * 8 + 128 - (off < 0 ? -off : off);
		if (a <= 0)
			continue;
		row[x] = blend_px(row[x], rgb,
		    blend_mul((uint32_t)(a > most ? most : a), alpha));
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

	if (r_q <= 0 || r_q > 1 << 24 || width_q <= 0)
		return;
	y0 = y0 < c->clip_y0 ? c->clip_y0 : y0;
	y1 = y1 > c->clip_y1 ? c->clip_y1 : y1;
	for (int64_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + y * c->stride;
		int64_t dy = y * 16 + 8 - y_q, from, to, ifrom, ito;

		if (!row_span(out, x_q, dy, &from, &to))
			continue;
		if (in > 0 && row_span(in, x_q, dy, &ifrom, &ito) &&
		    ito - ifrom > 6) {
			rim(c, row, from, ifrom + 2, x_q, dy, r_q, width_q, rgb,
			    alpha);
			rim(c, row, ito - 2, to, x_q, dy, r_q, width_q, rgb,
			    alpha);
		} else {
			rim(c, row, from, to, x_q, dy, r_q, width_q, rgb,
			    alpha);
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
