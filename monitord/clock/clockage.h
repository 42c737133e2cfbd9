/*
 * Fits with an ageing that is found out rather than set: how fast a clock's
 * frequency may wander (beta, in 1/s) differs from machine to machine by a
 * factor of hundred, and the bursts themselves tell.
 */
#ifndef MONITORD_CLOCKAGE_H
#define MONITORD_CLOCKAGE_H

#include <stdbool.h>

#include "common/clock/clockfit.h"

#define CLOCKAGE_RUNGS 5

struct clockage {
	unsigned rung;             /* of the newest fit */
	double beta;               /* of the newest fit: the rung's, or above */
	double steepest;           /* of the last minutes' */
	unsigned roamed;           /* for so many fits more it may roam again */
	unsigned wanted, patience; /* the mean's choice; fits that it held */
	double room[CLOCKAGE_RUNGS]; /* mean gap on each, in round trips */
	unsigned rooms;              /* how many fits are in it */
};

/* What is known of the slope beforehand, while the bursts tell little. */
struct clockage_prior {
	double skew, range, slack_ns;
};

void clockage_init(struct clockage *);
/*
 * Fits the bursts with the ageing that suits this clock, and where the truth
 * may lie with a greater one.  rtt_ns is the shortest round trip; learn: these
 * bursts are regular ones.  Returns the gap in round trips: about 1 when all is
 * well, less than a half when the clock has stepped.
 */
double clockage_fit(struct clockage *, const struct clock_burst *, size_t n,
    int64_t at_node_ns, double rtt_ns, const struct clockage_prior *,
    bool learn, struct clock_line *, struct clock_band *);
/* The beta in use, in 1/s. */
double clockage_beta(const struct clockage *);
/* The greatest of the last minutes: it may be as bad again at any time. */
double clockage_steepest(const struct clockage *);
/*
 * The frequency of this clock changes within seconds, or did so a minute ago:
 * traffic hides what it does, and the fit believes the clock to be calm.
 */
bool clockage_roams(const struct clockage *);

#endif
