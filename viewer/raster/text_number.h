/* Inside of the rasteriser: characters without a glyph, as their numbers. */
#ifndef VIEWER_TEXT_NUMBER_H
#define VIEWER_TEXT_NUMBER_H

#include "raster/canvas.h"

#define NUMBER_STEP_PX 4 /* from digit to digit */

int number_digits(uint32_t number);    /* 4 or 6 */
int32_t number_width(uint32_t number); /* px, of any font */
void number_draw(struct canvas *, int32_t x, int32_t baseline, uint32_t rgb,
    uint32_t number);

#endif
