/*
 * What shapes cover of a picture, dot by dot, so that they are painted again
 * in any colour, and to the same pixels.
 */
#ifndef VIEWER_SHARES_H
#define VIEWER_SHARES_H

#include "raster/canvas.h"

struct shares {
	uint32_t *word;
	size_t n, cap;
};

/* Room for so many more words.  -1: no memory. */
int shares_reserve(struct shares *, size_t words);
/*
 * Takes what a shape has left on a black canvas where it was painted in white:
 * no dot twice, since one share is kept of each.  Looks at these dots, as far
 * as the clip goes, and makes them black again.  Returns the rows that were
 * added, -1: no memory.
 */
int shares_take(struct shares *, const struct canvas *, int32_t x0, int32_t y0,
    int32_t x1, int32_t y1);
/*
 * Paints so many rows from word `at` on, into a canvas of the same size and
 * stride.  Returns the word behind them.
 */
size_t shares_paint(const struct shares *, size_t at, uint32_t rows,
    uint32_t *px, uint32_t rgb);
void shares_free(struct shares *);

#endif
