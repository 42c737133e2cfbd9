/*
 * Events made up for benches: threads that call, send and spawn at random
 * times, in order of time, always the same.
 */
#ifndef TESTS_FEED_MADE_H
#define TESTS_FEED_MADE_H

#include <stddef.h>

#include "event.h"

#define FEED_NAMES 16    /* of functions: 1 to 16 */
#define FEED_LANES 65536 /* threads at most: locations from 1 on */

/* What events are: per hundred pairs; the rest are flat calls. */
struct feed_mix {
	unsigned nested; /* 0, or how deep calls go, in pairs */
	unsigned messages, tasks;
};

struct feed_made {
	struct feed_mix mix;
	uint32_t lanes;
	uint64_t seed, message, task, pairs;
	int64_t now; /* time of the last event */
	/* flat calls by lane, added up for comparison: in [t0, t1) */
	int64_t t0, t1, *ran; /* NULL: not */
	uint64_t *calls;
	uint32_t depth[FEED_LANES];
};

/* The next n events; n must be even.  2-5 ns each. */
void feed_fill(struct feed_made *, struct event *, size_t n);

#endif
