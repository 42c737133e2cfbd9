/* Inside of the rasteriser: outlines of the built-in fonts, for finer dots. */
#ifndef VIEWER_OUTLINE_H
#define VIEWER_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "raster/font.h"

#define OUTLINE_EM    512 /* units to the font's size */
#define OUTLINE_FACES 2   /* upright, bold */

#define OUTLINE_ON   1 /* on the curve; else it draws it near */
#define OUTLINE_LAST 4 /* of a contour */

struct outline_point {
	int16_t x, y; /* y grows upwards, from the baseline */
	uint8_t what;
};

struct outline_face {
	const struct outline_point *points;
	const uint16_t *first; /* of each glyph, and one more */
};

extern const struct outline_face outline_faces[OUTLINE_FACES];

/* A glyph as shares of dots, 0 to 255. */
struct dots {
	int32_t left, top, w, h; /* of its upper left corner, from the pen */
	const uint8_t *share;
};

/*
 * A glyph of a font for displays where a pixel has scale_q / 16 dots; NULL:
 * that is not the scale (see canvas_set_scale()), or memory is out.
 */
const struct dots *outline_dots(int font, int glyph, int32_t scale_q);
/*
 * A glyph's contours as one polygon, from the pen at 0, 0, y downwards, 1/256
 * dot, with so many lines to a curve: at most max points of x and y are written
 * to v; returns how many.
 */
#define OUTLINE_POINTS 4096
size_t outline_points(int font, int glyph, int32_t scale_q, int steps,
    int32_t *v, size_t max);
/* From now on they are of this scale; nothing is being drawn. */
void outline_scale(int32_t scale_q);

#endif
