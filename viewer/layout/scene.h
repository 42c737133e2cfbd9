/*
 * A display list: what a layout makes and the painter draws.  Plain data in
 * painting order, in pixels of the view with 4 binary digits after the point
 * (SCENE_ONE), so that it can be compared as text in tests.
 */
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SCENE_ONE 16

enum item_type {
	ITEM_RECT,   /* x0 y0 x1 y1, filled */
	ITEM_HATCH,  /* a rectangle with diagonal strokes: waits */
	ITEM_LINE,   /* x0 y0 x1 y1, width w, anti-aliased */
	ITEM_ARROW,  /* the same with a head at x1 y1 */
	ITEM_DASH,   /* a dashed horizontal line */
	ITEM_POLY,   /* n points of scene->points from point `first` on, filled,
		      * AA: x of point p is points[2 * p]; from y0 to y1 */
	ITEM_DOT,    /* x0 y0, radius w */
	ITEM_CIRCLE, /* x0 y0, radius w, outline only */
	ITEM_SQUARE,
	ITEM_SQUARE_OPEN,
	ITEM_DIAMOND,    /* x0 y0, half-size w */
	ITEM_TEXT,       /* at x0 y0 (left, baseline), clipped to x1 */
	ITEM_TEXT_RIGHT, /* ends at x0 */
};

enum item_of {
	OF_NOTHING,
	OF_SPAN,
	OF_LANE,
	OF_LINK,
	OF_MARK,
	OF_TASK
};

struct item {
	uint8_t type;  /* enum item_type */
	uint8_t of;    /* enum item_of: what it stands for */
	uint8_t alpha; /* 255 opaque */
	uint8_t font;  /* ITEM_TEXT: 0 small, 1 normal, 2 bold */
	uint32_t rgb;
	int32_t x0, y0, x1, y1;
	int32_t w;
	uint32_t first, n; /* POLY: points; TEXT: offset and length in text */
	uint64_t id;       /* lane, task, link or mark number */
};

struct scene {
	struct item *items;
	size_t n, cap;
	int32_t *points;            /* x, y pairs */
	size_t npoints, points_cap; /* npoints: pairs; cap: numbers */
	char *text;
	size_t ntext, text_cap;
	/* no two lists that were ever begun have the same; who changes only
	 * colours of one does not begin another */
	uint64_t made;
};

void scene_clear(struct scene *); /* begins one; keeps the memory */
void scene_free(struct scene *);
/* NULL when memory is out (the item is dropped). */
struct item *scene_add(struct scene *, enum item_type, uint32_t rgb);
void scene_rect(struct scene *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb);
void scene_line(struct scene *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t w, uint32_t rgb);
void scene_text(struct scene *, int32_t x, int32_t y, int32_t x1, int font,
    uint32_t rgb, const char *);
/*
 * Adds items of another list, and the text that they use; no polygons.  What
 * has no memory is dropped.
 */
void scene_append(struct scene *, const struct scene *from, size_t item,
    size_t items, size_t text, size_t bytes);
/* A point for the polygon that follows.  -1: memory is out. */
int scene_point(struct scene *, int32_t x, int32_t y);
/* The polygon of all points from this one on.  NULL as above. */
struct item *scene_poly(struct scene *, size_t first, uint32_t rgb);
/* DOT, CIRCLE, SQUARE, SQUARE_OPEN, DIAMOND at a place.  NULL as above. */
struct item *scene_mark(struct scene *, enum item_type, int32_t x, int32_t y,
    int32_t w, uint32_t rgb);
/* One line of text an item, for tests. */
void scene_print(const struct scene *, FILE *);

#endif
