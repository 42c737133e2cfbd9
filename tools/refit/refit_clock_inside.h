/* What refit_clock.c and refit_clock_map.c share; nobody else includes this. */
#ifndef TOOLS_REFIT_CLOCK_INSIDE_H
#define TOOLS_REFIT_CLOCK_INSIDE_H

#include "refit_clock.h"

#define KNOT_NS INT64_C(400000000) /* knots are at least so far apart */

/* refit_clock.c: room for one more; -1: ENOMEM. */
int refit_clock_reserve(void **array, size_t *cap, size_t n, size_t size);

/* refit_clock_map.c: the last knot not after node_ns; 0 when there is none. */
size_t refit_clock_knot_before(const struct refit_knots *, int64_t node_ns);

#endif
