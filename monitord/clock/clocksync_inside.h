/*
 * Inside of the clock of a node: shared by clocksync.c (bursts, fits, steps)
 * and clocksync_map.c (the map that follows), included by nobody else.
 */
#ifndef MONITORD_CLOCKSYNC_INSIDE_H
#define MONITORD_CLOCKSYNC_INSIDE_H

#include "clockage.h"
#include "clockprobe.h"
#include "clockstep.h"
#include "clocksync.h"

#define SKEW_Q40 ((double)((int64_t)1 << 40))

struct clocksync {
	clocksync_segment *segment;
	void *arg;
	struct clockprobe probe;
	struct clock_burst ring[CLOCKFIT_BURSTS];
	unsigned ring_n, ring_at; /* at: next to be written */

	struct clockage age;
	struct clock_line line;
	struct clock_band band;
	struct clock_line tight; /* of messages, until tight_until_ns */
	int64_t tight_error_ns, tight_until_ns, tight_at_ns, tight_meet_ns;
	const struct clock_burst *told_burst; /* of the segment being told */
	double prior, slope; /* before the last step; of the last good fit */
	double prior_off;    /* of a restored one: so far it may be wrong */
	struct clockstep doubt;
	unsigned poor; /* newest ones that say too little */
	bool restored; /* the map goes on from a log */
	bool proving,
	    other;    /* whether it is the clock that it was; it is not */
	bool retired; /* nothing is learnt any more */
	const struct clocksync *before; /* the clock that the node had */
	int64_t told_node_ns;           /* up to here events are mapped */
	int64_t fitted_mon_ns;
	int64_t holds_node_ns; /* the last segment's bound is good up to here */
	enum clock_state state;
	uint32_t epoch;
	struct clockmap map;
	uint64_t fits, steps;
};

/* Of node time between the oldest burst that is kept and this instant. */
int64_t clocksync_span(const struct clocksync *, int64_t at_node_ns);

/* --- clocksync_map.c --- */

/* A segment that jumps onto the line: the first one, or after a step. */
void clocksync_jump(struct clocksync *, int64_t base_node_ns, int64_t step_ns);
/* A segment that goes on where the map is and meets the line. */
void clocksync_bend(struct clocksync *, int64_t now_mon_ns);
/* One through the time in which nobody watched, to where the clock is now. */
void clocksync_bridge(struct clocksync *, int64_t now_mon_ns);

#endif
