/* What reorder*.c share; nobody else includes this. */
#ifndef MONITORD_REORDER_INSIDE_H
#define MONITORD_REORDER_INSIDE_H

#include "credit.h"
#include "monitord/order/causal/causal.h"
#include "monitord/order/causal/doubt.h"
#include "monitord/order/causal/eventpool.h"
#include "monitord/order/causal/lane.h"
#include "outlet.h"
#include "quorum.h"
#include "reorder.h"

#define REORDER_NEVER     INT64_MAX
#define REORDER_SLACK_NS  1000000 /* a cause is not later than clocks + this */
#define REORDER_FUTURE_NS 1000000000

struct reorder {
	struct reorder_options options;
	reorder_stall *stall;
	void *arg;

	struct eventpool pool;
	struct lane *lanes;
	int64_t *head_ns; /* first waiting event of each lane, or NEVER */
	size_t lanes_n, lanes_cap;
	uint32_t *ready;   /* lanes that the causal pass has before it */
	uint32_t *closing; /* closed, not yet empty */
	size_t closing_n, closing_cap;

	struct quorum quorum;
	struct credit credit;
	struct causal causal;
	struct doubt doubt;
	struct outlet outlet;

	int64_t done_ns;   /* the causal pass has been here */
	int64_t behind_ns; /* so far have those told that come late */
	int64_t slice_ns;
	bool starved; /* an allocation failed: try again at the next tick */
	bool has_role[EVENT_KINDS];
	uint64_t in, shifted, cycles, duplicates, backward, future;
	int64_t shift_max_ns;
};

/* reorder_queue.c: takes back the room of streams that are closed and empty */
void reorder_reap(struct reorder *);
/* All events of a chunk are out; owner is the reorderer. */
void reorder_emptied(void *owner, uint32_t chunk);

/* reorder_repair.c: everything mapped to before the limit gets its final time,
 * or is parked */
void reorder_repair(struct reorder *, int64_t limit_ns);

#endif
