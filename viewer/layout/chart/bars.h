/*
 * Amounts that lie side by side in a bar, or above each other over time.  A
 * part begins where the one before it ends, to the pixel: nothing is drawn
 * twice and no gap is left.
 */
#ifndef VIEWER_CHART_BARS_H
#define VIEWER_CHART_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/chart/axis.h"
#include "layout/scene.h"

struct part {
	double amount; /* 0 or more */
	uint32_t rgb;
	bool waits; /* hatched */
};

/*
 * A bar along an axis that begins at lo; y0, y1: px.  Parts have OF_MARK and
 * their number as id; what has no pixel is left out.
 */
void bar_scene(const struct axis *, int32_t y0, int32_t y1, const struct part *,
    size_t n, struct scene *);

/* What a series had in each column of time. */
struct series {
	const double *amount; /* by column; 0 or more */
	uint32_t rgb;
	bool waits;
};

/*
 * Series above each other along an axis that goes up, the first one lowest;
 * columns of column_px from x px on.  Columns that look the same become one
 * rectangle.  Rectangles have OF_MARK and the series' number as id.
 */
void areas_scene(const struct axis *, int32_t x, int32_t column_px,
    size_t columns, const struct series *, size_t n, struct scene *);
/* The largest sum of a column, for the axis. */
double areas_most(const struct series *, size_t n, size_t columns);

#endif
