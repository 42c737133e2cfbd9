/* Reading the clocks of rings together with the node's. */
#ifndef COLLECTOR_CYCLES_H
#define COLLECTOR_CYCLES_H

#include "collector/sweep/drain.h"
#include "env.h"

/* pairs[RING_CLOCK_TSC] and pairs[RING_CLOCK_RAW]; about 200 ns. */
void cycles_pairs(struct env *, struct clock_pair pairs[DRAIN_CLOCKS]);

#endif
