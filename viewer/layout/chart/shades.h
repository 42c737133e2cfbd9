/*
 * Amounts as colours: one scale for all matrices.  On dark ground more is
 * brighter, on light ground darker.
 */
#ifndef VIEWER_CHART_SHADES_H
#define VIEWER_CHART_SHADES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/palette.h"

struct shades {
	double lo, hi; /* hi 0: there is nothing */
	bool log;
};

/*
 * From the 12th percentile of what is above 0, so that a few tiny values do
 * not use up the scale, to the largest.  O(n log n); out of memory: from the
 * smallest.
 */
void shades_fit(struct shades *, const double *values, size_t n, bool log);
/* Where a value stands in the scale, 0..1; one of 0 or less: -1. */
double shades_at(const struct shades *, double value);
/* The value at such a place of the scale, 0..1: for its legend. */
double shades_value(const struct shades *, double at);
/* Its colour; the ground's for what is not there. */
uint32_t shades_rgb(const struct shades *, const struct palette *,
    double value);

#endif
