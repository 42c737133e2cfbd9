/* Inside of the rasteriser: mixing of two pixels, the same everywhere. */
#ifndef VIEWER_BLEND_H
#define VIEWER_BLEND_H

#include <stdint.h>

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

/* Product of two shares in 1/255, rounded. */
static inline uint32_t
blend_mul(uint32_t a, uint32_t b)
{
	uint32_t t = a * b + 128;

	return ((t + (t >> 8)) >> 8);
}

#endif
