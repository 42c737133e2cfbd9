/*
 * The clock of one node, looked at afterwards: from the bursts of pings that a
 * log holds to a map that knows what came after as well as what came before.
 * Pure.
 */
#ifndef TOOLS_REFIT_CLOCK_H
#define TOOLS_REFIT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clockmap.h"
#include "common/clock/clockfit.h"
#include "message.h"

/* Where the new map goes through; truth is within +- error_ns. */
struct refit_knot {
	int64_t node_ns, mon_ns, error_ns;
	double skew;
};

struct refit_knots {
	struct refit_knot *knot;
	size_t n, cap;
};

/* One epoch: between two steps of the clock. */
struct refit_epoch {
	uint32_t epoch;
	size_t old, nold; /* its segments of the log */
	struct clock_burst *bursts;
	size_t nbursts, cap;
	struct refit_knots pings, messages;
	double beta; /* that suits it, 1/s */
};

struct refit_clock {
	struct clock_segment *old;
	size_t nold, old_cap;
	struct refit_epoch *epochs;
	size_t nepochs;
	struct clockmap map, was; /* the new one; that of the log */
	uint64_t start;           /* of the collector, by the last segment */
	bool broken;              /* the log's map is in pieces: it is kept */
};

void refit_clock_clear(struct refit_clock *); /* frees; all zero is empty */
/* A segment of the log, with the burst that it carries.  -1: ENOMEM. */
int refit_clock_add(struct refit_clock *, const struct msg_segment *);
/* Fits, and makes the map.  Some us for each burst.  -1: ENOMEM. */
int refit_clock_fit(struct refit_clock *);
/* It has been fitted, at least in part. */
bool refit_clock_fitted(const struct refit_clock *);

/*
 * What the pings say around this node time; false when there were none near.
 * For tighten.h, whose better lines come back by refit_clock_tighten(); then
 * refit_clock_map() makes the map anew.  -1: ENOMEM.
 */
bool refit_clock_line(const struct refit_clock *, int64_t node_ns,
    struct clock_line *, double *beta, uint32_t *epoch);
int refit_clock_tighten(struct refit_clock *, const struct clock_line *,
    int64_t error_ns);
int refit_clock_map(struct refit_clock *);

#endif
