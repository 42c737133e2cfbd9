/* Lines of a chart: a curve through points, a level, the axes themselves. */
#ifndef VIEWER_CHART_CURVE_H
#define VIEWER_CHART_CURVE_H

#include <stddef.h>
#include <stdint.h>

#include "layout/chart/axis.h"
#include "layout/palette.h"
#include "layout/scene.h"

/*
 * A line through n points in order of x.  Of many points in one pixel column
 * only the lowest and the highest are drawn.  width_q: 1/16 px.
 */
void curve_scene(const struct axis *x, const struct axis *y, const double *vx,
    const double *vy, size_t n, int32_t width_q, uint32_t rgb, struct scene *);
/*
 * Ticks, their labels and faint lines across the chart: of x below it, of y at
 * its left, ending at its lower end.
 */
void axes_scene(const struct axis *x, const struct axis *y,
    const struct palette *, struct scene *);

/* The first of these alone, between two places, px. */
void axis_below_scene(const struct axis *x, int32_t y0_px, int32_t y1_px,
    const struct palette *, struct scene *);

#endif
