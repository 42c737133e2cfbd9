/*
 * A run in the simulated world: programs that publish, the real collectors and
 * the real monitord, faults, and what must be in the log afterwards.
 */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world_options {
	uint64_t seed;
	int64_t run_ns; /* how long the programs run */
	bool verbose;
	unsigned faults; /* kinds that may happen, a bit each */
};

struct world_result {
	uint64_t faults, events, messages;
	uint64_t violations;  /* of order and cause */
	uint64_t unaccounted; /* published, neither stored nor counted */
	uint64_t late, orphans, shifted;
	double *error_us; /* of mapped times; to be freed */
	size_t errors;
	int64_t ran_ns; /* virtual time */
	char why[160];  /* the first thing that was wrong, or "" */
};

/* 0 when everything is as it should be. */
int world_run(const struct world_options *, struct world_result *);

#endif
