/*
 * One stream inside the reorderer: its queue, how far its corrected time has
 * been pushed ahead of its mapped time, and what it waits for.
 */
#ifndef MONITORD_LANE_H
#define MONITORD_LANE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A shift shrinks by 1/128 of the time that passes, which keeps intervals as
 * good as they were.  What is above a ms is no clock error, but a clock that
 * was set: it shrinks by half of the time.
 */
#define LANE_DECAY      7
#define LANE_DECAY_FAST 1
#define LANE_FAST_NS    1000000
#define LANE_BACK_NS    1000000000

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
	/* corrected time of the last event; shift at mapped time anchor_ns */
	int64_t corr_ns, anchor_ns, shift_ns;

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

static inline int64_t
lane_decayed(int64_t shift_ns, int64_t since_ns)
{
	int64_t over = shift_ns - LANE_FAST_NS;

	if (over <= 0)
		return (shift_ns - (since_ns >> LANE_DECAY));
	if (since_ns >> LANE_DECAY_FAST < over)
		return (shift_ns - (since_ns >> LANE_DECAY_FAST));
	since_ns -= over << LANE_DECAY_FAST;
	return (LANE_FAST_NS - (since_ns >> LANE_DECAY));
}

/* Earliest corrected time of an event mapped to t, from its own stream. */
static inline int64_t
lane_low(const struct lane *l, int64_t mapped_ns)
{
	int64_t low = mapped_ns;

	if (l->shift_ns > 0) {
		int64_t since = mapped_ns - l->anchor_ns;
		int64_t shift = l->shift_ns;

		if (since > 0)
			shift = lane_decayed(shift, since);
		if (shift > 0)
			low += shift;
	}
	return (low > l->corr_ns ? low : l->corr_ns);
}

/*
 * The event is mapped to a time before that of the last one of its stream: a
 * clock was set back, or a program has written nonsense over its ring.  Up to
 * LANE_BACK_NS the intervals that follow are kept.  Beyond that the corrected
 * time stands still until the mapped time has caught up: a stream whose times
 * alternate would else gain the difference with each pair of events.
 */
static inline void
lane_commit_back(struct lane *l, int64_t mapped_ns, int64_t corr_ns)
{
	if (corr_ns - mapped_ns <= LANE_BACK_NS) {
		l->anchor_ns = mapped_ns;
		l->shift_ns = corr_ns - mapped_ns;
	} else if (corr_ns > l->corr_ns) {
		l->shift_ns = 0;
	}
}

/* The event mapped to t has the corrected time corr_ns. */
static inline void
lane_commit(struct lane *l, int64_t mapped_ns, int64_t low_ns, int64_t corr_ns)
{
	if (corr_ns == mapped_ns) {
		l->shift_ns = 0;
	} else if (low_ns == l->corr_ns) {
		lane_commit_back(l, mapped_ns, corr_ns);
	} else if (corr_ns > low_ns) {
		l->anchor_ns = mapped_ns;
		l->shift_ns = corr_ns - mapped_ns;
	}
	l->corr_ns = corr_ns;
}

#endif
