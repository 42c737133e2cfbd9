/*
 * Events that get other times keep their causal order: each one's earliest
 * time, given its own thread and its causes.  Pure.
 *
 * Events come in the order of a log, in which causes precede their effects;
 * so one pass is enough, and nothing has to wait.
 */
#ifndef TOOLS_REFIT_ORDER_H
#define TOOLS_REFIT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct refit_order;
struct refit_order *refit_order_new(void); /* NULL: ENOMEM */
void refit_order_free(struct refit_order *);

struct refit_met { /* the effect has met its cause on another node */
	bool met;
	uint32_t from;
	int64_t sent_mon_ns; /* as mapped */
	int64_t was_mon_ns;  /* as the log had mapped it */
};

/*
 * The event's corrected time, mapped_ns or later.  was_ns: as the log had
 * mapped it; desc: of its kind, NULL is fine.  -1: ENOMEM.
 */
int refit_order_next(struct refit_order *, const struct event *,
    const struct event_desc *, uint32_t node, int64_t mapped_ns, int64_t was_ns,
    int64_t *corrected_ns, struct refit_met *);

#endif
