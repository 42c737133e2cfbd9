/*
 * Causal repair: no event is given a final time before all that caused it
 * have theirs, and none is earlier than its causes.  Which kinds cause which
 * is in event_table.
 *
 * An effect whose cause is not known parks its lane: it and all behind it
 * wait.  The cause, whenever it is processed, wakes them.
 */
#ifndef MONITORD_CAUSAL_H
#define MONITORD_CAUSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "causes.h"
#include "doubt.h"
#include "event.h"
#include "lane.h"

/*
 * An effect has met its cause, which was on another node: their mapped times,
 * before any correction.
 */
typedef void causal_match(void *arg, uint32_t cause_node, uint32_t effect_node,
    int64_t cause_mon_ns, int64_t effect_mon_ns);

/*
 * The cause of an effect that has been let go without it has come after all:
 * its corrected time, and that of the effect.
 */
typedef void causal_found(void *arg, const struct event *cause,
    int64_t cause_mon_ns, int64_t effect_mon_ns);

struct causal {
	struct causes causes;
	struct causes pending;  /* behind parked lanes, not yet processed */
	struct causes orphaned; /* what orphans of late have waited for */
	/*
	 * NULL on line, where time tells for how long a cause is waited for.
	 * Else the whole log is at hand: the causes that have not been seen
	 * yet, of keys whose effects may be without theirs.  Nothing is waited
	 * for but these and what is pending.
	 */
	struct causes *expected;
	struct doubt *doubt; /* the caller's */
	struct lane *lanes;  /* the caller's */
	uint32_t *parked, *woken;
	uint32_t parked_n, woken_n;
	int64_t l_min_ns;
	int64_t margin_ns; /* an effect's cause is at most so much later */
	int64_t now_ns;
	uint64_t matched, orphans, forgotten, dropped;
	uint64_t disbelieved;   /* orphans whose causes have impossible times */
	uint64_t found;         /* causes of orphans that came later */
	causal_found *on_found; /* NULL: nobody asks */
	void *found_arg;
	causal_match *match; /* NULL: nobody asks */
	void *match_arg;
};

/* -1 with ENOMEM; to be cleared all the same. */
int causal_init(struct causal *, int64_t l_min_ns, size_t causes_max,
    struct doubt *);
void causal_clear(struct causal *);
size_t causal_bytes(const struct causal *); /* of the system */
/* The caller's array has moved or grown to n.  -1 with ENOMEM. */
int causal_lanes(struct causal *, struct lane *, size_t n);

/*
 * The first event of a lane, with the id of its cause, mapped to t_mon_ns;
 * *corr_ns comes as its lower bound and is raised to behind its cause.  False:
 * the lane is parked now.  Lanes that the event wakes are on the woken stack.
 */
bool causal_step(struct causal *, uint32_t lane, struct event *, uint64_t id,
    int64_t *corr_ns);
/* Such an event comes soon: only a hint. */
static inline void
causal_expect(const struct causal *c, uint64_t id)
{
	causes_fetch(&c->causes, id);
}

/* A cause behind a parked lane was seen, was processed. */
void causal_pend(struct causal *, uint64_t id);
void causal_unpend(struct causal *, uint64_t id);
/* Enough causes for this parked lane are on their way. */
bool causal_pending(struct causal *, uint32_t lane);
/* Gives up waiting: the lane goes on without the cause. */
void causal_release(struct causal *, uint32_t lane);

/* An event of the past, corrected: only its meaning as a cause counts. */
int causal_remember(struct causal *, const struct event *);

#endif
