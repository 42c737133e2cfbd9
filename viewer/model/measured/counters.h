/*
 * Counters: what programs say with probe_counter() and what collectors read of
 * the system, as curves; and of each kind of event that a program has declared
 * the fields that have a unit, with the values that they had.  Numbers are
 * dense and in the order in which counters were first told; a counter belongs
 * to a lane: a thread's, a process's, a node's.
 */
#ifndef VIEWER_COUNTERS_H
#define VIEWER_COUNTERS_H

#include "model/curves/series.h"
#include "model/run/run.h"
#include "ownkind.h"

struct counter {
	uint32_t lane, name;
	uint8_t measure; /* enum measure: whose, a total?, unit */
	bool real;       /* values are the bits of doubles */
	/* of a field "order.price", which lives as the model does, and its
	 * unit, if that is none of enum measure; else NULL and "" */
	const char *label;
	char unit[OWN_UNIT];
};

uint32_t model_counters(const struct model *);
/* False: there is no such. */
bool model_counter(const struct model *, uint32_t i, struct counter *);
/* Of a lane the first from number i on; UINT32_MAX: there are no more. */
uint32_t model_counter_of(const struct model *, uint32_t lane, uint32_t i);
/*
 * When whose it is had ended, or had told the last of it, if that is later:
 * what it was then it is no more.  False: not so far.
 */
bool model_counter_over(const struct model *, uint32_t i, int64_t *t_mon_ns);
/* See series.h, as far as it is not over; exact whatever was given up. */
void model_counter_stats(const struct model *, uint32_t i, int64_t t0,
    int64_t t1, struct series_stats *);
/* By how much a total grew in [t0, t1), in a second. */
bool model_counter_rate(const struct model *, uint32_t i, int64_t t0,
    int64_t t1, double *rate);
/* Values, of totals what they grow by in a second. */
void model_counter_columns(const struct model *, uint32_t i, int64_t t0,
    int64_t t1, unsigned n, struct series_column *);

#endif
