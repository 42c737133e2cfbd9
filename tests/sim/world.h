/*
 * A run in the simulated world: programs that publish, the real collectors and
 * the real monitord, faults, and what must be in the log afterwards.
 */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/sim/fault.h"

struct profile;
struct world_options {
	uint64_t seed;
	bool verbose;
	unsigned faults;          /* kinds that may happen, a bit each */
	bool pings_only;          /* messages do not tighten the clocks */
	const struct profile *as; /* instead of what the seed is like */
	/* bounds, for shrinking a case; 0: as the seed has it */
	unsigned nodes;
	int64_t run_ns;            /* how long the programs run */
	int64_t from_ns, until_ns; /* faults only then */
};

/* Errors by size: 32 bins to each factor of two of ns. */
#define ERROR_BINS 1024
struct errors {
	uint64_t n, bins[ERROR_BINS];
};
void errors_add(struct errors *, double ns);
double errors_percentile(const struct errors *, double p); /* ns */

struct world_result {
	uint64_t faults[FAULTS]; /* that have happened, by kind */
	uint64_t nodes, events, messages;
	uint64_t violations;  /* of order, cause, content, clock */
	uint64_t unaccounted; /* published, neither stored nor counted */
	uint64_t late, orphans, shifted;
	uint64_t reversed; /* settled: mapped to before they were sent */
	uint64_t bounded, outside;  /* samples of the published clock error */
	struct errors all, settled; /* settled: see clockjudge.h */
	int64_t run_ns, ran_ns;     /* virtual time: asked for, in all */
	char why[200];              /* the first thing that was wrong, or "" */
};

/*
 * 0 when everything is as it should be.  Adds to *r; why is that of this run.
 */
int world_run(const struct world_options *, struct world_result *);

#endif
