/*
 * One PO's shared memory, wherever it lives.
 *
 * attach.c makes these from sealed memory files and processes, the simulator
 * from plain memory; the drain sees no difference.
 */
#ifndef COLLECTOR_SOURCE_H
#define COLLECTOR_SOURCE_H

#include <stdbool.h>

#include "measure.h"
#include "segment.h"

struct source_ops {
	/* does this thread still run?  Asked about silent ones, seldom */
	bool (*thread_alive)(void *arg, uint32_t tid);
	/* these bytes of seg hold nothing any more: their memory may go */
	void (*empty)(void *arg, void *at, size_t bytes);
	/*
	 * Reads the system's counters of the process, in well under 1 ms;
	 * false: it has ended, or they are somebody else's by now.  NULL: none
	 */
	bool (*measure)(void *arg, struct measures *);
	/* drained to the last and accounted for: nobody looks at it again */
	void (*released)(void *arg);
};

struct source {
	struct ring_segment *seg;     /* shared: trust nothing in there */
	struct segment_layout layout; /* as we have laid it out */
	uint8_t clock;                /* enum ring_clock */
	const char *sched; /* how switches of its threads are known; or NULL */
	const struct source_ops *ops;
	void *arg;
};

#endif
