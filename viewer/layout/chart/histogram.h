/*
 * How often which duration: 64 bins, two for each power of two, from 16 ns on,
 * so that a bin is found by two shifts and its ends are whole ns.  The last
 * one takes all from 48 s on.
 */
#ifndef VIEWER_CHART_HISTOGRAM_H
#define VIEWER_CHART_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "layout/chart/bars.h"

#define HISTOGRAM_BINS 64

struct bins {
	uint64_t n[HISTOGRAM_BINS]; /* how many in each */
};

/* The bin of a duration; one below 16 ns is in the first. */
unsigned histogram_bin(int64_t ns);
/* The first duration of a bin, of HISTOGRAM_BINS: the first beyond. */
int64_t histogram_edge_ns(unsigned bin);

/* The bins that are drawn, and how high they may be. */
struct histogram {
	unsigned first, last; /* bins; first > last: there is nothing */
	struct axis x, y;     /* ns, logarithmic; counts, upwards */
};

/*
 * Axes for counts of several series in x0..x1, y0..y1 px: from the first bin
 * that has any to the last one.  Returns the number of all.
 */
uint64_t histogram_fit(struct histogram *, const struct bins *count,
    size_t series, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* The bars, a series above the other; OF_MARK, the bin as id. */
void histogram_scene(const struct histogram *, const struct bins *count,
    const uint32_t *rgb, size_t series, struct scene *);

#endif
