/*
 * One stream inside the reorderer: its queue, how far its corrected time has
 * been pushed ahead of its mapped time, and what it waits for.
 */
#ifndef MONITORD_LANE_H
#define MONITORD_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/clock/lanetime.h"

struct lane {
	/* what every event needs: one cache line */
	_Alignas(64) uint32_t at; /* held events from here on */
	uint32_t held, tail;      /* tail: the last chunk, filled to fill */
	uint32_t node;
	uint16_t fill;
	bool open;
	bool any;    /* seq and pushed_ns hold something */
	bool given;  /* the first event's cause is known: given_ns */
	bool forced; /* the first event goes without its cause */
	bool parked; /* the first event is an effect without its cause */
	bool looked; /* ahead is not 0 */
	uint64_t seq;
	int64_t pushed_ns;
	struct lanetime time;

	/* parked, or woken since: another one */
	uint32_t place;      /* in the list of parked lanes */
	uint32_t wait_next;  /* next lane that waits for the same */
	uint32_t wait_need;  /* causes that it takes */
	uint32_t given_node; /* CAUSE_NODE_NONE: no one node's */
	uint64_t wait_id;
	int64_t wait_from_ns; /* parked at */
	union {
		int64_t wait_low_ns; /* lower bound, while parked */
		int64_t given_ns;    /* behind the cause, since */
	};
	union {
		int64_t wait_expire_ns;  /* watermark at which no cause comes */
		int64_t given_mapped_ns; /* the cause's own time */
	};

	/* events from `at` whose causes are in the table of pending ones */
	uint32_t ahead, seen;
};
_Static_assert(sizeof(struct lane) == 128, "two cache lines");

#endif
