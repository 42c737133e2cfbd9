/*
 * A finished log put right: every effect whose cause is in it stands behind
 * that, in order and in time, and is no orphan.
 *
 * On line an effect is let go when its cause has not come in time.  Once all is
 * there, three passes over the events mend that: what was let go (in any
 * order), whether the log has causes of these (in any order), and the log in
 * its order, with what has to move behind them.
 */
#ifndef MONITORD_MEND_H
#define MONITORD_MEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct mend;
struct mend *mend_new(size_t held_max); /* events; NULL: ENOMEM */
void mend_free(struct mend *);          /* NULL is fine */

/* Each event, if it was let go.  -1: ENOMEM. */
int mend_want(struct mend *, const struct event *);
/* Then each event, if it is a cause of one of those. */
void mend_count(struct mend *, const struct event *);
/* Then: is there anything to mend? */
bool mend_needed(const struct mend *);

/* n events of the new log, in its order.  Borrowed. */
typedef void mend_emit(void *arg, const struct event *, size_t n);
void mend_begin(struct mend *, mend_emit *, void *arg);
/* A location is on this node.  -1: ENOMEM. */
int mend_location(struct mend *, uint32_t location, uint32_t node);
/* The next event of the log, in its order.  -1: ENOMEM. */
int mend_event(struct mend *, const struct event *);
int mend_end(struct mend *);

struct mend_stats {
	uint64_t orphans;  /* effects left without their cause, flagged so */
	uint64_t mended;   /* were flagged, and have their cause now */
	uint64_t moved;    /* events that have a later time now */
	uint64_t circles;  /* effects in front of what would cause them */
	uint64_t given_up; /* effects that would have had to be held too long */
	size_t held_most;  /* events, at a time */
};
void mend_stats(const struct mend *, struct mend_stats *);

#endif
