/*
 * Rectangles: what most of the picture is made of.
 *
 * A canvas does not own its pixels, so the same functions draw into the
 * window's shared memory, into a layer that is kept, and into a PNG.
 */
#include "raster/canvas.h"

#include "raster/blend.h"

static int32_t
max32(int32_t a, int32_t b)
{
	return (a > b ? a : b);
}

static int32_t
min32(int32_t a, int32_t b)
{
	return (a < b ? a : b);
}

void
canvas_init(struct canvas *c, uint32_t *px, int32_t w, int32_t h,
    int32_t stride)
{
	c->px = px;
	c->width = w;
	c->height = h;
	c->stride = stride;
	c->clip_x0 = 0;
	c->clip_y0 = 0;
	c->clip_x1 = w;
	c->clip_y1 = h;
}

void
canvas_clip(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	c->clip_x0 = max32(c->clip_x0, x0);
	c->clip_y0 = max32(c->clip_y0, y0);
	c->clip_x1 = max32(min32(c->clip_x1, x1), c->clip_x0);
	c->clip_y1 = max32(min32(c->clip_y1, y1), c->clip_y0);
}

void
canvas_fill(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb)
{
	x0 = max32(x0, c->clip_x0);
	y0 = max32(y0, c->clip_y0);
	x1 = min32(x1, c->clip_x1);
	y1 = min32(y1, c->clip_y1);
	for (int32_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + (size_t)y * (size_t)c->stride;

		for (int32_t x = x0; x < x1; x++)
			row[x] = rgb;
	}
}

void
canvas_blend(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint8_t alpha)
{
	if (alpha == 255) {
		canvas_fill(c, x0, y0, x1, y1, rgb);
		return;
	}
	x0 = max32(x0, c->clip_x0);
	y0 = max32(y0, c->clip_y0);
	x1 = min32(x1, c->clip_x1);
	y1 = min32(y1, c->clip_y1);
	for (int32_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + (size_t)y * (size_t)c->stride;

		for (int32_t x = x0; x < x1; x++)
			row[x] = blend_px(row[x], rgb, alpha);
	}
}

/*
 * Strokes rise to the right, one in 7 pixels; they hang on the canvas and not
 * on the rectangle, so that neighbours continue each other.
 */
void
canvas_hatch(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint32_t stroke)
{
	static const uint8_t cover[7] = { 110, 255, 110, 0, 0, 0, 0 };
	uint32_t tone[7];

	for (int i = 0; i < 7; i++)
		tone[i] = blend_px(rgb, stroke, cover[i]);
	x0 = max32(x0, c->clip_x0);
	y0 = max32(y0, c->clip_y0);
	x1 = min32(x1, c->clip_x1);
	y1 = min32(y1, c->clip_y1);
	for (int32_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + (size_t)y * (size_t)c->stride;
		unsigned phase = ((unsigned)x0 + (unsigned)y) % 7;

		for (int32_t x = x0; x < x1; x++) {
			row[x] = tone[phase];
			if (++phase == 7)
				phase = 0;
		}
	}
}
