/* What refit_file.c and refit_write.c share; nobody else includes this. */
#ifndef TOOLS_REFIT_INSIDE_H
#define TOOLS_REFIT_INSIDE_H

#include "refit_clock.h"
#include "refit_order.h"
#include "refit_talk.h"
#include "spread.h"
#include "tools/logs/logout.h"

/* How the events of a log stand, before and after. */
struct stand {
	uint64_t reversed, shifted;
	struct spread shift; /* of the shifted */
	double bounds_ns;    /* sum */
};

struct held {
	struct event e;
	uint64_t order;
};

struct refit {
	struct tracefile *tf;
	struct defs *defs;
	struct refit_clock *clocks; /* by node */
	size_t nclocks;
	bool pings_only;

	struct refit_order *order;
	struct refit_talk *talk; /* in the first pass */
	struct stand before, after;
	struct spread moved;
	uint64_t events, messages, bounds;
	int64_t behind_ns; /* a new time is at most so far before the old one */

	struct logout *out; /* in the last pass */
	struct held *heap;
	size_t nheap, heap_cap;
};

/* Of one event. */
struct times {
	uint32_t node;
	int64_t was_ns, mapped_ns; /* by the old map, by the new one */
	bool mapped;               /* a map has to do with it */
};

/* An event's times by both maps, and its place by the new one.  -1: errno. */
int refit_place(struct refit *, const struct event *, struct times *,
    int64_t *corrected_ns, struct refit_met *);
/* The log is read anew.  -1: ENOMEM. */
int refit_renew_order(struct refit *);

/* refit_write.c: the log with its new times goes to r->out.  -1: errno. */
int refit_write(struct refit *);

#endif
