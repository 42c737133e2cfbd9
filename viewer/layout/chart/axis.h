/*
 * Axes of charts: where a value stands, and which values get a tick.  Ticks
 * are whole multiples of a step, so that a label is exact as it is written.
 *
 * Pure; no memory is allocated.
 */
#ifndef VIEWER_CHART_AXIS_H
#define VIEWER_CHART_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum axis_scale {
	AXIS_LINEAR,
	AXIS_LOG /* lo above 0; what lies below it stands at lo */
};

enum axis_unit {
	AXIS_COUNT, /* steps are whole numbers: 5, 20 k */
	AXIS_NUMBER,
	AXIS_NS, /* shown as ns, us, ms, s, min or h */
	AXIS_BYTES,
	AXIS_PERCENT,
	AXIS_UNITS
};

struct axis {
	double lo, hi;        /* values at the ends; lo < hi */
	int32_t lo_px, hi_px; /* where these stand; hi_px < lo_px: upwards */
	enum axis_scale scale;
	enum axis_unit unit;
};

#define AXIS_LABEL 24 /* bytes of a label, with its end */

struct tick {
	double value;
	int32_t at_q; /* 1/16 px */
	bool major;   /* of a logarithmic axis: a power of ten */
	char label[AXIS_LABEL];
};

/* Where a value stands, 1/16 px; beyond an end: at the end. */
int32_t axis_at_q(const struct axis *, double value);
/* The value at a place, px; beyond an end: that of the end. */
double axis_value(const struct axis *, int32_t px);
/*
 * The ticks, from lo to hi, at least `apart` px from each other, at most max.
 * Returns how many.
 */
size_t axis_ticks(const struct axis *, int32_t apart, struct tick *,
    size_t max);
/* Moves the upper end up to where the next tick would be. */
void axis_round_up(struct axis *, int32_t apart);

#endif
