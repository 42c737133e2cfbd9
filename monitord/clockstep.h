/*
 * Whether a clock has stepped by less than makes all fits impossible.
 */
#ifndef MONITORD_CLOCKSTEP_H
#define MONITORD_CLOCKSTEP_H

#include "clockfit.h"

#define CLOCKSTEP_MOST 6 /* bursts that are asked for one after another */

/* All zero: no doubt. */
struct clockstep {
	unsigned bursts;
	double low_ns, high_ns; /* tightest of them, against the line's */
};

enum clockstep_says {
	CLOCKSTEP_NONE, /* go on with this burst */
	CLOCKSTEP_MORE, /* another burst at once */
	CLOCKSTEP_STEP  /* of all `bursts` but the first, which may be mixed */
};

/*
 * A new burst, against the line that was fitted before it.  What contradicts
 * the line by more than least_ns is doubted.
 */
enum clockstep_says clockstep_burst(struct clockstep *,
    const struct clock_line *, const struct clock_burst *, double least_ns);

#endif
