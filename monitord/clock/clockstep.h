/*
 * Whether a clock has stepped by less than makes all fits impossible.
 */
#ifndef MONITORD_CLOCKSTEP_H
#define MONITORD_CLOCKSTEP_H

#include <stdbool.h>

#include "common/clock/clockfit.h"

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

/* So far the clock may be from its line without having stepped. */
struct clockstep_room {
	double above_ns, below_ns; /* of mon - node; HUGE_VAL: nothing known */
};

/* How far a clock of this ageing may go from its line in so long, in ns. */
double clockstep_wide(int64_t ago_ns, double beta);

/*
 * Makes the room as small as a burst of before the step allows; a bound within
 * held_ns of the line's has held it.  Newest first: false when older ones have
 * nothing to add.
 */
bool clockstep_held(struct clockstep_room *, const struct clock_line *,
    const struct clock_burst *, double held_ns, double beta,
    int64_t now_mon_ns);

/*
 * A new burst, against the line that was fitted before it.  What is farther
 * away than the room is doubted.
 */
enum clockstep_says clockstep_burst(struct clockstep *,
    const struct clock_line *, const struct clock_burst *,
    const struct clockstep_room *);

#endif
