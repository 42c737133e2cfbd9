/* Inside of the delta: what its files share. */
#ifndef VIEWER_DELTA_INSIDE_H
#define VIEWER_DELTA_INSIDE_H

#include "window/delta.h"

#define TILE 16 /* px */

enum way {
	SAME,
	RUNS,
	OVER,   /* runs over a background */
	FILLED, /* with one colour */
	PIXELS
};

struct tile {
	uint8_t way;
	uint8_t x0, y0, x1, y1; /* what differs, in the tile */
	uint32_t background;    /* number of its paint */
};

/* A colour, or a hatching: what is painted with. */
struct paint {
	uint32_t rgb;
	struct delta_hatch hatch; /* of a hatching */
	bool hatched;
	uint32_t runs;     /* that were counted */
	uint32_t n[3];     /* backgrounds, rectangles, points of it */
	uint32_t first[3]; /* where they begin in the sorted lists */
};

struct stroke {
	uint32_t paint;
	struct delta_rect r;
};

/* A list that grows. */
struct strokes {
	struct stroke *p;
	size_t n, cap;
};

struct run {
	int32_t x0, x1;
	uint32_t paint;
	int32_t y0; /* of the rectangle that it belongs to */
};

struct work {
	const struct canvas *was, *now;
	struct tile *tile;
	int32_t across, down;
	struct paint *paint;
	uint32_t npaint, paint_cap;
	uint32_t *slot; /* paint + 1 by hash of the colour */
	uint32_t slots;
	uint32_t last_rgb, last; /* looked up last */
	struct run *above, *row; /* of two rows */
	int32_t nabove;
	struct strokes back, rect;
	uint32_t *chain; /* see delta_chain.c; NULL: not needed so far */
	bool full;       /* memory is out */
};

struct box {
	int32_t x0, y0, x1, y1;
};

/* Runs of one row of a tile or more; those that the row above has go on. */
struct scan {
	struct run *run;
	int32_t n;
};

static inline const uint32_t *
row_of(const struct canvas *c, int32_t y)
{
	return (c->px + (size_t)y * (size_t)c->stride);
}

/* delta_runs.c */
/* Number of a colour's paint, h NULL, or a hatching's, rgb a mix of it. */
uint32_t delta_paint(struct work *, uint32_t rgb, const struct delta_hatch *h);
bool delta_paint_room(struct work *); /* false: memory is out */
/*
 * Adds the runs of y from x0 to x1 that must be told: what differs, or what is
 * not the background.  A run ends with the last pixel that must be told.
 */
void delta_scan(struct work *, int32_t y, int32_t x0, int32_t x1,
    const uint32_t *background, struct scan *);

/* delta_out.c */
void delta_add(struct work *, struct strokes *, uint32_t paint,
    const struct box *);
/* Hands out what was collected, sorted by paint.  False: memory is out. */
bool delta_hand_out(struct work *, const struct strokes *, bool background,
    const struct delta_sink *, void *arg);
/* Puts points of one colour into a better order; spare: room for n. */
void delta_chain(struct work *, struct delta_point *, size_t n,
    struct delta_point *spare);
/* Tiles that go as they are, neighbours as one. */
void delta_hand_out_pixels(struct work *, const struct delta_sink *, void *arg);

#endif
