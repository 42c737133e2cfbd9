/*
 * When a node's clock is asked, and what a burst of answers says.
 */
#ifndef MONITORD_CLOCKPROBE_H
#define MONITORD_CLOCKPROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/clock/clockfit.h"

enum clockprobe_phase {
	PROBE_OFF,
	PROBE_FIRST,
	PROBE_FAST,
	PROBE_STEADY
};

struct clockprobe {
	enum clockprobe_phase phase;
	uint64_t seed;
	unsigned nodes; /* one of so many */
	bool resting;   /* nothing has to be mapped */
	/* A burst with its bounds so near ends early; else it must be so. */
	int64_t best_ns, enough_ns;
	bool soon; /* the next burst is wanted at once */
	bool waiting;
	int64_t connected_ns, due_ns, sent_ns;
	uint32_t seq;
	unsigned burst_n, burst_want, burst_most;
	struct clock_burst burst, single; /* being collected; newest ping */
	uint64_t pings, pongs;
};

void clockprobe_init(struct clockprobe *, uint64_t seed);
void clockprobe_connected(struct clockprobe *, int64_t now_mon_ns);
void clockprobe_disconnected(struct clockprobe *);
/* INT64_MAX while a ping is under way, and without a connection. */
int64_t clockprobe_due(const struct clockprobe *);
uint32_t clockprobe_ping(struct clockprobe *, int64_t now_mon_ns);
/*
 * An answer.  -1: to nothing, or nonsense; 1: a burst is complete, use it and
 * call clockprobe_next(); else 0.
 */
int clockprobe_pong(struct clockprobe *, uint32_t seq, int64_t t1_mon_ns,
    int64_t t2_node_ns, int64_t t3_node_ns, int64_t t4_mon_ns);
/* What the burst says; of one in which the clock jumped only the newest. */
const struct clock_burst *clockprobe_burst(const struct clockprobe *);
void clockprobe_next(struct clockprobe *, int64_t now_mon_ns);
/* From the next burst on; when the rest ends, that one comes as soon as any. */
void clockprobe_rest(struct clockprobe *, bool resting, int64_t now_mon_ns);
/* From one burst to the next, as things are. */
int64_t clockprobe_period(const struct clockprobe *);

#endif
