/* Inside of the rasteriser: mixing of two pixels, the same everywhere. */
#ifndef VIEWER_BLEND_H
#define VIEWER_BLEND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* dst + (src - dst) * a / 255, rounded, two channels at a time; a <= 255 */
static inline uint32_t
blend_px(uint32_t dst, uint32_t src, uint32_t a)
{
	uint32_t na = 255 - a, rb, g;

	rb = (src & 0xff00ff) * a + (dst & 0xff00ff) * na + 0x800080;
	rb = (rb + ((rb >> 8) & 0xff00ff)) >> 8;
	g = ((src >> 8) & 0xff) * a + ((dst >> 8) & 0xff) * na + 0x80;
	g = (g + (g >> 8)) >> 8;
	return ((rb & 0xff00ff) | g << 8);
}

/*
 * The same for two neighbouring pixels at once, each by its own share: v.
 * Eight lanes of 16 bits hold every product, so the pixels are the same.
 */
typedef uint16_t blend_lanes __attribute__((vector_size(16)));
typedef uint64_t blend_halves __attribute__((vector_size(16)));
typedef uint8_t blend_bytes __attribute__((vector_size(8)));

#define BLEND_EACH 0x0001000100010001u /* a share in all lanes of a pixel */

static inline blend_lanes
blend_load(const uint32_t *p)
{
	blend_bytes b;

	memcpy(&b, p, sizeof(b));
	return (__builtin_convertvector(b, blend_lanes));
}

/*
 * src: the colour in both pixels; a0, a1: its shares, 0 to 255, times
 * BLEND_EACH; alpha: of it all, in all lanes.
 */
static inline void
blend_two(uint32_t *p, blend_lanes src, blend_lanes alpha, uint64_t a0,
    uint64_t a1)
{
	/* made in registers: what was just stored in halves loads slowly */
	blend_lanes a = (blend_lanes)(blend_halves){ a0, a1 };
	blend_lanes v;
	blend_bytes b;

	a = a * alpha + 128;
	a = (a + (a >> 8)) >> 8;
	v = src * a + blend_load(p) * (255 - a) + 128;
	v = (v + (v >> 8)) >> 8;
	b = __builtin_convertvector(v, blend_bytes);
	memcpy(p, &b, sizeof(b));
}

/* The same with all of the colour's alpha. */
static inline void
blend_pair(uint32_t *p, blend_lanes src, uint64_t a0, uint64_t a1)
{
	blend_lanes a = (blend_lanes)(blend_halves){ a0, a1 };
	blend_lanes v = src * a + blend_load(p) * (255 - a) + 128;
	blend_bytes b;

	v = (v + (v >> 8)) >> 8;
	b = __builtin_convertvector(v, blend_bytes);
	memcpy(p, &b, sizeof(b));
}

/*
 * A shape's share of a pixel, v of a whole of 1 << bits, in sixteenths, in
 * 1/255: nobody sees more, and the fewer colours its edges have the less there
 * is to be told to a server far away.
 */
static inline uint32_t
blend_share(uint32_t v, unsigned bits)
{
	v = (v + (1u << (bits - 5))) >> (bits - 4);
	return (v > 15 ? 255 : v * 16);
}

/* Product of two shares in 1/255, rounded. */
static inline uint32_t
blend_mul(uint32_t a, uint32_t b)
{
	uint32_t t = a * b + 128;

	return ((t + (t >> 8)) >> 8);
}

#endif
