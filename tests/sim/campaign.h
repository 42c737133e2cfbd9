/*
 * Many seeds in many processes.
 *
 * Workers are forked and take seeds from a counter that they share; each adds
 * to totals of its own in shared memory.  A worker that crashes or hangs takes
 * one seed with it, and another one is started.
 */
#ifndef TESTS_SIM_CAMPAIGN_H
#define TESTS_SIM_CAMPAIGN_H

#include "tests/sim/world.h"

#define CAMPAIGN_FAILED 64 /* so many are remembered */

struct totals {
	uint64_t seeds, failed;
	struct world_result sum;
};

struct campaign {
	struct world_options options; /* but for the seed */
	uint64_t first, seeds;
	unsigned jobs;
	bool until_failure; /* stop at the first seed that fails */
	bool calm; /* only seeds of worlds in which nothing goes wrong */
};

/* Runs it, printing a line for each seed that fails; returns the first. */
uint64_t campaign_run(const struct campaign *, struct totals *);
/* One seed in a process of its own.  True: it fails, *why says how. */
bool campaign_fails(const struct world_options *, char *why, size_t n,
    struct world_result *);
/* Makes a failing case smaller; o is changed. */
void campaign_shrink(struct world_options *o);

#endif
