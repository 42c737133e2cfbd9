/*
 * Each thread for itself: its events in their order, their times, and what it
 * says of itself in the end.
 */
#ifndef TESTS_OUTSIDE_LANES_H
#define TESTS_OUTSIDE_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/outside/clocks.h"
#include "tests/outside/rows.h"
#include "tests/outside/storm.h"

/* How far times are from the readings that the programs made. */
struct lanes_times {
	uint64_t readings;
	int64_t node_early_ns, node_late_ns; /* worst, by the node's clock */
	int64_t mon_early_ns, mon_late_ns;   /* by the monitor's */
};

struct lanes;

/* Process P of the storm ran with clock P % n. */
struct lanes *lanes_new(bool growing, const struct skewed *, unsigned n);
void lanes_free(struct lanes *);
/* -1: out of memory. */
int lanes_row(struct lanes *, const struct row *);
/* The thread has said this of itself; how much of it was lost. */
uint64_t lanes_said(const struct lanes *, unsigned process, unsigned thread,
    const struct storm_said *, bool lossy);
const struct lanes_times *lanes_times(const struct lanes *);

#endif
