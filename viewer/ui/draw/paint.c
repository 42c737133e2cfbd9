/*
 * Painting a display list: one row of the table per type of item.
 *
 * Rectangles are rounded to whole pixels, so that boxes that touch in time
 * touch on the screen; lines and polygons keep their sixteenths.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/layer.h"

#define AROUND_PX 10 /* a line's edge and an arrow's head */

struct brush {
	struct canvas *c;
	const struct scene *scene;
};

static int32_t
px(int32_t q)
{
	return ((q + SCENE_ONE / 2) >> 4);
}

static void
paint_rect(const struct brush *b, const struct item *i)
{
	canvas_blend(b->c, px(i->x0), px(i->y0), px(i->x1), px(i->y1), i->rgb,
	    i->alpha);
}

/* The strokes are the same colour at 7/12: waits are the dark boxes. */
static void
paint_hatch(const struct brush *b, const struct item *i)
{
	uint32_t r = (i->rgb >> 16 & 255) * 7 / 12;
	uint32_t g = (i->rgb >> 8 & 255) * 7 / 12;
	uint32_t bl = (i->rgb & 255) * 7 / 12;

	canvas_hatch(b->c, px(i->x0), px(i->y0), px(i->x1), px(i->y1), i->rgb,
	    r << 16 | g << 8 | bl);
}

static void
paint_line(const struct brush *b, const struct item *i)
{
	canvas_line_aa(b->c, i->x0, i->y0, i->x1, i->y1,
	    i->w > 0 ? i->w : SCENE_ONE, i->rgb, i->alpha);
}

/* A head of 7 px; the shaft stops inside of it. */
static void
paint_arrow(const struct brush *b, const struct item *i)
{
	int64_t dx = (int64_t)i->x1 - i->x0, dy = (int64_t)i->y1 - i->y0;
	int64_t length = canvas_length(i->x1 - i->x0, i->y1 - i->y0);
	int32_t x = i->x1, y = i->y1;
	int64_t ax, ay;

	paint_line(b, i);
	if (length < 4 * SCENE_ONE)
		return;
	ax = dx * 7 * SCENE_ONE / length;
	ay = dy * 7 * SCENE_ONE / length;
	canvas_polygon(b->c,
	    (const int32_t[]){ x, y, (int32_t)(x - ax - ay * 2 / 5),
		(int32_t)(y - ay + ax * 2 / 5), (int32_t)(x - ax + ay * 2 / 5),
		(int32_t)(y - ay - ax * 2 / 5) },
	    3, i->rgb, i->alpha);
}

static void
paint_dash(const struct brush *b, const struct item *i)
{
	int32_t y = px(i->y0), x1 = px(i->x1);
	int32_t x = px(i->x0);
	int32_t w = i->w > SCENE_ONE ? px(i->w) : 1;

	if (x < b->c->clip_x0 - 8)
		x += (b->c->clip_x0 - x) / 5 * 5;
	x1 = x1 > b->c->clip_x1 ? b->c->clip_x1 : x1;
	for (; x < x1; x += 5)
		canvas_blend(b->c, x, y, x + 3 < x1 ? x + 3 : x1, y + w, i->rgb,
		    i->alpha);
}

static void
paint_poly(const struct brush *b, const struct item *i)
{
	canvas_polygon(b->c, b->scene->points + 2 * (size_t)i->first, i->n,
	    i->rgb, i->alpha);
}

static void
paint_dot(const struct brush *b, const struct item *i)
{
	canvas_disc(b->c, i->x0, i->y0, i->w, i->rgb, i->alpha);
}

static void
paint_circle(const struct brush *b, const struct item *i)
{
	canvas_circle(b->c, i->x0, i->y0, i->w, SCENE_ONE, i->rgb, i->alpha);
}

static void
paint_square(const struct brush *b, const struct item *i)
{
	int32_t x = px(i->x0 - i->w), y = px(i->y0 - i->w);
	int32_t size = px(2 * i->w);

	if (i->type == ITEM_SQUARE) {
		canvas_blend(b->c, x, y, x + size, y + size, i->rgb, i->alpha);
		return;
	}
	canvas_blend(b->c, x, y, x + size, y + 1, i->rgb, i->alpha);
	canvas_blend(b->c, x, y + size - 1, x + size, y + size, i->rgb,
	    i->alpha);
	canvas_blend(b->c, x, y + 1, x + 1, y + size - 1, i->rgb, i->alpha);
	canvas_blend(b->c, x + size - 1, y + 1, x + size, y + size - 1, i->rgb,
	    i->alpha);
}

static void
paint_diamond(const struct brush *b, const struct item *i)
{
	int32_t x = i->x0, y = i->y0, w = i->w;

	canvas_polygon(b->c,
	    (const int32_t[]){ x - w, y, x, y - w, x + w, y, x, y + w }, 4,
	    i->rgb, i->alpha);
}

static void
paint_text(const struct brush *b, const struct item *i)
{
	enum font font = i->font <= FONT_BOLD ? (enum font)i->font : FONT_SMALL;
	const char *s = b->scene->text + i->first;
	int32_t x = px(i->x0), y = px(i->y0);
	struct canvas saved = *b->c;

	if (i->type == ITEM_TEXT_RIGHT)
		x -= text_width(font, s, i->n);
	else if (i->x1 > i->x0)
		canvas_clip(b->c, x, b->c->clip_y0, px(i->x1), b->c->clip_y1);
	canvas_text(b->c, font, x, y, i->rgb, s, i->n);
	*b->c = saved;
}

static void (*const painters[])(const struct brush *, const struct item *) = {
	[ITEM_RECT] = paint_rect,
	[ITEM_HATCH] = paint_hatch,
	[ITEM_LINE] = paint_line,
	[ITEM_ARROW] = paint_arrow,
	[ITEM_DASH] = paint_dash,
	[ITEM_POLY] = paint_poly,
	[ITEM_DOT] = paint_dot,
	[ITEM_CIRCLE] = paint_circle,
	[ITEM_SQUARE] = paint_square,
	[ITEM_SQUARE_OPEN] = paint_square,
	[ITEM_DIAMOND] = paint_diamond,
	[ITEM_TEXT] = paint_text,
	[ITEM_TEXT_RIGHT] = paint_text,
};

/* Items of these types say how high they are; others find out themselves. */
static const bool says_height[] = {
	[ITEM_RECT] = true,
	[ITEM_HATCH] = true,
	[ITEM_LINE] = true,
	[ITEM_ARROW] = true,
	[ITEM_POLY] = true,
	[ITEM_DOT] = true,
	[ITEM_CIRCLE] = true,
	[ITEM_TEXT_RIGHT] = false,
};

/* All but a few of a tree lie in other bands of the picture. */
static inline bool
is_outside(const struct item *i, int32_t above, int32_t below)
{
	int32_t lo = i->y0 < i->y1 ? i->y0 : i->y1;
	int32_t hi = i->y0 < i->y1 ? i->y1 : i->y0;

	return (((hi + i->w < above) | (lo - i->w > below)) &&
		i->type <= ITEM_TEXT_RIGHT && says_height[i->type]);
}

void
paint_items(struct canvas *c, const struct scene *scene, size_t from, size_t to)
{
	int32_t above = (c->clip_y0 - AROUND_PX) * SCENE_ONE;
	int32_t below = (c->clip_y1 + AROUND_PX) * SCENE_ONE;
	struct brush b = { c, scene };

	for (size_t i = from; i < to && i < scene->n; i++) {
		const struct item *it = &scene->items[i];

		if (is_outside(it, above, below))
			continue;
		if (it->type < sizeof(painters) / sizeof(painters[0]))
			painters[it->type](&b, it);
	}
}
