/*
 * Rectangles: what most of the picture is made of.
 *
 * A canvas does not own its pixels, so the same functions draw into the
 * window's shared memory, into a layer that is kept, and into a PNG.
 */
#include "raster/canvas.h"

#include "raster/blend.h"
#include "raster/outline.h"
#include "raster/scaled.h"

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
	c->scale_q = CANVAS_SCALE_ONE;
	c->dots_x = w;
	c->dots_y = h;
	c->hatch = 0;
}

static int32_t scale_now = CANVAS_SCALE_ONE;

int
canvas_set_scale(int32_t scale_q)
{
	outline_scale(scale_q);
	scale_now = scale_q;
	return (0);
}

int32_t
canvas_dots(int32_t px)
{
	return (scaled(px, scale_now));
}

int32_t
canvas_px(int32_t dots)
{
	return ((dots * CANVAS_SCALE_ONE + scale_now - 1) / scale_now);
}

void
canvas_init_dots(struct canvas *c, uint32_t *px, int32_t dots_x, int32_t dots_y,
    int32_t stride)
{
	canvas_init(c, px, canvas_px(dots_x), canvas_px(dots_y), stride);
	c->scale_q = scale_now;
	c->dots_x = dots_x;
	c->dots_y = dots_y;
}

/* The last pixel has all the dots that are left. */
static int32_t
edge(int32_t v, int32_t px, int32_t dots, int32_t scale_q)
{
	int32_t d = scaled(v, scale_q);

	return (v >= px || d > dots ? dots : d);
}

static int32_t
dot_at(const struct canvas *c, int32_t v)
{
	return (scaled(v, c->scale_q));
}

static int32_t
dot_x1(const struct canvas *c, int32_t x)
{
	return (edge(x, c->width, c->dots_x, c->scale_q));
}

static int32_t
dot_y1(const struct canvas *c, int32_t y)
{
	return (edge(y, c->height, c->dots_y, c->scale_q));
}

struct canvas
canvas_in_dots(const struct canvas *c)
{
	struct canvas d;

	canvas_init(&d, c->px, c->dots_x, c->dots_y, c->stride);
	d.clip_x0 = edge(c->clip_x0, c->width, c->dots_x, c->scale_q);
	d.clip_y0 = edge(c->clip_y0, c->height, c->dots_y, c->scale_q);
	d.clip_x1 = edge(c->clip_x1, c->width, c->dots_x, c->scale_q);
	d.clip_y1 = edge(c->clip_y1, c->height, c->dots_y, c->scale_q);
	d.hatch = dot_at(c, c->hatch);
	return (d);
}

void
canvas_clip(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	c->clip_x0 = max32(c->clip_x0, x0);
	c->clip_y0 = max32(c->clip_y0, y0);
	c->clip_x1 = max32(min32(c->clip_x1, x1), c->clip_x0);
	c->clip_y1 = max32(min32(c->clip_y1, y1), c->clip_y0);
}

/*
 * Most pixels of a frame are set here.  With sanitizers that look at every
 * store a frame would take most of its time for it; the ends of a row are
 * looked at, and the memory between them is of the same picture.
 */
#ifdef __clang__
__attribute__((no_sanitize("address", "undefined", "coverage")))
#endif
static void
row_set(uint32_t *row, int32_t n, uint32_t rgb)
{
	for (int32_t i = 0; i < n; i++)
		row[i] = rgb;
}

void
canvas_fill(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb)
{
	if (c->scale_q != CANVAS_SCALE_ONE) {
		struct canvas d = canvas_in_dots(c);

		canvas_fill(&d, dot_at(c, x0), dot_at(c, y0), dot_x1(c, x1),
		    dot_y1(c, y1), rgb);
		return;
	}
	x0 = max32(x0, c->clip_x0);
	y0 = max32(y0, c->clip_y0);
	x1 = min32(x1, c->clip_x1);
	y1 = min32(y1, c->clip_y1);
	for (int32_t y = y0; y < y1; y++) {
		uint32_t *row = c->px + (size_t)y * (size_t)c->stride;

		if (x0 >= x1)
			break;
		row[x0] = row[x1 - 1] = rgb;
		row_set(row + x0, x1 - x0, rgb);
	}
}

void
canvas_blend(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint8_t alpha)
{
	if (c->scale_q != CANVAS_SCALE_ONE) {
		struct canvas d = canvas_in_dots(c);

		canvas_blend(&d, dot_at(c, x0), dot_at(c, y0), dot_x1(c, x1),
		    dot_y1(c, y1), rgb, alpha);
		return;
	}
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
 * on the rectangle, so that neighbours continue each other.  Seven times 16 of
 * them are a whole number at every scale.
 */
void
canvas_hatch(struct canvas *c, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint32_t stroke)
{
	if (c->scale_q != CANVAS_SCALE_ONE) {
		struct canvas d = canvas_in_dots(c);

		canvas_hatch(&d, dot_at(c, x0), dot_at(c, y0), dot_x1(c, x1),
		    dot_y1(c, y1), rgb, stroke);
		return;
	}
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
		unsigned phase =
		    ((unsigned)x0 + (unsigned)y + (unsigned)c->hatch) % 7;

		for (int32_t x = x0; x < x1; x++) {
			row[x] = tone[phase];
			if (++phase == 7)
				phase = 0;
		}
	}
}
