/* What the kernel says of a thread: its scheduler, or a sampler. */
#ifndef COLLECTOR_SCHED_RECORD_H
#define COLLECTOR_SCHED_RECORD_H

#include <stdint.h>

#include "collector/sweep/code/chains.h"

/* One record.  For lost ones tid is how many, and pid 0. */
struct sched_record {
	int64_t t_node_ns;
	uint32_t pid, tid, cpu;
	uint16_t
	    kind; /* EV_sched_in, out, new, gone; EV_sample_found; EV_lost */
	uint16_t preempted;
	struct chain *chain; /* of a sample; NULL: not known */
};

#endif
