/*
 * What differs between two pictures, as few and small drawing requests: for a
 * server that is far away.
 */
#ifndef VIEWER_DELTA_H
#define VIEWER_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raster/canvas.h"

/* In a picture, what nobody knows: no colour has these bits. */
#define DELTA_UNKNOWN 0xff000000u

struct delta_point {
	int16_t x, y;
};

struct delta_rect {
	int16_t x, y;
	uint16_t w, h;
};

/*
 * The strokes of canvas_hatch(): seven colours along a row, and the same one
 * pixel further to the left in the row below.  The pixel x, y has
 * tone[(x + y + phase) % 7].
 */
#define DELTA_HATCH 7
struct delta_hatch {
	uint32_t tone[DELTA_HATCH]; /* tone[0] is the largest of the colours */
	int phase;
};

/* Who carries them out, in this order; what comes later covers. */
struct delta_sink {
	void (*rects)(void *arg, uint32_t rgb, const struct delta_rect *,
	    size_t n);
	void (*hatch)(void *arg, const struct delta_hatch *,
	    const struct delta_rect *, size_t n);
	void (*points)(void *arg, uint32_t rgb, const struct delta_point *,
	    size_t n);
	/* a part of the new picture as it is */
	void (*pixels)(void *arg, const struct delta_rect *);
};

/*
 * Tells the sink what makes `was` into `now`.  Both are of one size, up to
 * 32767 px each way.  Returns 0, or -1 when memory is out: then some of it was
 * told.  About 10 ns for each pixel that differs, 0.3 ns for each other.
 */
int delta(const struct canvas *was, const struct canvas *now,
    const struct delta_sink *, void *arg);

/*
 * `c` after its part r has been moved by dx, dy: within r, what comes in is
 * left as it was.  True: then fewer pixels of r differ from `now`; else it is
 * not done.
 */
bool delta_move(struct canvas *c, const struct canvas *now,
    const struct delta_rect *r, int32_t dx, int32_t dy);

#endif
