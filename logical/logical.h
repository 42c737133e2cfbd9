/*
 * Logical time: which events of a run happen before which.
 *
 * One event happens before another when the second follows it on the same
 * thread, when the first causes the second (every pair of kinds of which
 * events.def, or the log itself, says so: a message, a spawn, a lock that
 * changes hands, a barrier...), or when a chain of such steps leads from one
 * to the other (Lamport 1978).  Two events of which neither happens before the
 * other are concurrent: no clock can say more than that about them.
 *
 * Events are fed once, in the order of the log; asking is possible at any time
 * between, so that a live view and a reader of a file do the same.  An effect
 * has a cause only if that was fed before it, so what is said is always free
 * of circles.
 *
 * Kept are the edges between threads (20 bytes each), and for every thread now
 * and then a vector of what it knows of all others (at most 32 bytes an edge
 * in all); events without a partner cost an eighth of a byte.  For one thread:
 * asking uses memory of its own.
 */
#ifndef LOGICAL_LOGICAL_H
#define LOGICAL_LOGICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct logical;

/* Of a location, the event with this sequence number. */
struct logical_event {
	uint32_t location;
	uint64_t seq;
};

/* NULL with ENOMEM. */
struct logical *logical_new(void);
void logical_free(struct logical *); /* NULL is fine */

/*
 * Takes the next event of the log, with what describes its kind (NULL: has no
 * partner).  30 to 45 ns on average, vectors included.  -1: ENOMEM; EINVAL: its
 * location was already there (it is left out); EOVERFLOW: its location has
 * more than 2^32 - 2 events, or there are as many edges.
 */
int logical_add(struct logical *, const struct event *,
    const struct event_desc *);

enum logical_order {
	LOGICAL_SAME,
	LOGICAL_BEFORE,
	LOGICAL_AFTER,
	LOGICAL_CONCURRENT
};
extern const char *const logical_order_name[LOGICAL_CONCURRENT + 1];

/*
 * How a stands to b.  -1 with errno: EINVAL, one of them was not fed (it may
 * be lost: a number between two that were fed is taken); ENOMEM.  What is near
 * in the run is answered in a microsecond, at worst every edge between two
 * vectors of each thread is looked at once (75 us with 1,024 threads).
 */
int logical_order(struct logical *, struct logical_event a,
    struct logical_event b);
/* 1: a happens before b; 0: it does not; -1 as above. */
int logical_before(struct logical *, struct logical_event a,
    struct logical_event b);

/* One step of a chain between two threads. */
struct logical_edge {
	struct logical_event cause, effect;
};
/*
 * Why a happens before b: the edges by which the news of a first came to b's
 * thread, in their order; between two of them it stays on one thread.  Returns
 * 1 with *path to be freed (NULL and *n 0 when both are on one thread), 0 when
 * a does not happen before b, or -1.
 */
int logical_path(struct logical *, struct logical_event a,
    struct logical_event b, struct logical_edge **path, size_t *n);

/* How many locations have had an event. */
size_t logical_locations(const struct logical *);
/* A location in a cut. */
struct logical_cut {
	uint32_t location;
	bool any;     /* false: none of its events is in the cut */
	uint64_t seq; /* past: of the last one; future: of the first one */
};
/*
 * All that happens before e (past) or that e happens before (future), e
 * itself included: for each location the last or the first event.  out has
 * room for all locations, and is filled in the order in which they came.
 */
int logical_past_cut(struct logical *, struct logical_event e,
    struct logical_cut *out);
int logical_future_cut(struct logical *, struct logical_event e,
    struct logical_cut *out);

struct logical_stats {
	uint64_t events, edges;
	uint64_t missing; /* effects that had no cause before them */
	uint64_t vectors;
	size_t bytes;         /* all that is kept */
	size_t pending_bytes; /* of these, causes that wait for an effect */
};
void logical_stats(const struct logical *, struct logical_stats *);

#endif
