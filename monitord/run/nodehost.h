/*
 * How the machine of a node is doing: the last two readings of its counters,
 * as its collector has told them (collector/sweep/measures.def), for status.
 * They are in the log as all events are; this is a copy of the newest.
 */
#ifndef MONITORD_NODEHOST_H
#define MONITORD_NODEHOST_H

#include <stdint.h>
#include <stdio.h>

struct event_slot;
struct registry;

enum host_figure {
	HOST_USER,
	HOST_SYSTEM,
	HOST_IDLE,
	HOST_LOAD,
	HOST_MEMORY,
	HOST_RECEIVED,
	HOST_SENT,
	HOST_FIGURES
};

/* All 0: nothing is known. */
struct nodehost {
	struct nodehost_reading {
		int64_t t_node_ns;
		int64_t value[HOST_FIGURES];
		unsigned set; /* a bit for each that was ever told */
	} last, before;
	int64_t t_mon_ns;                   /* of the last */
	int64_t told_node_ns[HOST_FIGURES]; /* each came last */
	uint32_t name[HOST_FIGURES];        /* of the run; 0: not known yet */
};

/* Events of the collector's own word; others than its counters are nothing. */
void nodehost_take(struct nodehost *, const struct registry *,
    const struct event_slot *, size_t n);
/* A line of YAML, indented as a node's; nothing, if nothing is known. */
void nodehost_status(const struct nodehost *, int64_t now_mon_ns, FILE *);

#endif
