/* Inside of the rasteriser: any polygon, and an integer root. */
#ifndef VIEWER_POLYGON_H
#define VIEWER_POLYGON_H

#include "raster/canvas.h"

/* points times scale are in 1/256 px */
void polygon_fill(struct canvas *, const int32_t *points, int scale, size_t n,
    uint32_t rgb, uint8_t alpha);

/* Largest r with r * r <= v. */
uint32_t root(uint64_t v);

#endif
