/*
 * Squares in rows and columns, one for each pair, coloured by an amount.
 * What does not fit at two pixels a square is for the caller to put into
 * groups first.
 */
#ifndef VIEWER_CHART_MATRIX_H
#define VIEWER_CHART_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/chart/shades.h"
#include "layout/scene.h"

struct matrix {
	uint32_t rows, cols;
	int32_t x, y;    /* px, of the first square */
	int32_t cell;    /* px from one square to the next */
	int32_t gap;     /* px of it that stay empty */
	int32_t sums_px; /* bars of the sums at the right and below; 0: none */
};

#define MATRIX_LEAST_PX 2

/*
 * Squares as large as there is room for, at most most_px, in w x h px at x, y;
 * sums_px of these are for the bars.  False: they do not fit.
 */
bool matrix_fit(struct matrix *, uint32_t rows, uint32_t cols, int32_t x,
    int32_t y, int32_t w, int32_t h, int32_t most_px, int32_t sums_px);
/*
 * Draws it: value[row * cols + col], 0 or less: nothing.  Squares have OF_MARK
 * and their number as id.
 */
void matrix_scene(const struct matrix *, const double *value,
    const struct shades *, const struct palette *, struct scene *);
/* Bars of the rows and of the columns, each as long as its share of the
 * largest; what a row or column as a whole has is the caller's. */
void matrix_sums_scene(const struct matrix *, const double *row,
    const double *col, uint32_t rgb, struct scene *);
/* Which square is at this place?  False: none. */
bool matrix_hit(const struct matrix *, int32_t x, int32_t y, uint32_t *row,
    uint32_t *col);

#endif
