/*
 * What lasts, added to columns of time: of each column the mean of how much was
 * there in it.
 *
 * Pure; no memory is allocated.
 */
#ifndef VIEWER_COLUMNS_OF_TIME_H
#define VIEWER_COLUMNS_OF_TIME_H

#include <stdint.h>

/*
 * n columns of equal length over [t0, t1), t0 < t1; v and change are n + 1
 * long, 0 at first.  The means are in v when columns_end() has been called,
 * once.
 */
struct time_columns {
	int64_t t0, t1;
	unsigned n;
	double *v, *change;
};

/* So much from a to b, ns of the monitor; what lies outside is left out. */
void columns_add(const struct time_columns *, int64_t a, int64_t b,
    double much);
void columns_end(const struct time_columns *);

#endif
