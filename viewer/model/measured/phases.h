/*
 * Phases that have ended, and the units of work that each has done by what the
 * program says.  In the order of the log.
 */
#ifndef VIEWER_PHASES_H
#define VIEWER_PHASES_H

#include <stddef.h>
#include <stdint.h>

struct model;

#define PHASES_MAX (1u << 20) /* that are kept, the first of them */

struct phase {
	int64_t t0_mon_ns, t1_mon_ns;
	uint64_t units; /* 0: none, or it was not told */
	uint32_t lane;  /* of its thread */
	uint32_t name;
};

uint32_t model_phases(const struct model *);
/* NULL: there is no such. */
const struct phase *model_phase(const struct model *, uint32_t i);
/* How many have come after PHASES_MAX, and are not there. */
uint64_t model_phases_left(const struct model *);

#endif
