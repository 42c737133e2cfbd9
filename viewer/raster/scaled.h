/* Inside of the rasteriser: pixels of more than one dot. */
#ifndef VIEWER_SCALED_H
#define VIEWER_SCALED_H

#include "raster/canvas.h"

/* Of pixels or parts of them to the same of dots; halves go up. */
static inline int32_t
scaled(int32_t v, int32_t scale_q)
{
	return ((int32_t)(((int64_t)v * scale_q + CANVAS_SCALE_ONE / 2) >> 4));
}

/* The same canvas with its dots as pixels. */
struct canvas canvas_in_dots(const struct canvas *);

#endif
