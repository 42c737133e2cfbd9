/*
 * How far the corrected time of a stream is ahead of its mapped time, and how
 * that shift shrinks: the controlled logical clock of one stream, on line and
 * when a log is refitted.  Pure.
 */
#ifndef COMMON_LANETIME_H
#define COMMON_LANETIME_H

#include <stdint.h>

/*
 * A shift shrinks by 1/128 of the time that passes, which keeps intervals as
 * good as they were.  What is above a ms is no clock error, but a clock that
 * was set: it shrinks by half of the time.
 */
#define LANETIME_DECAY      7
#define LANETIME_DECAY_FAST 1
#define LANETIME_FAST_NS    1000000
#define LANETIME_BACK_NS    1000000000

/* Of a stream without events, corr_ns is INT64_MIN, and the others are 0. */
struct lanetime {
	/* corrected time of the last event; shift at mapped time anchor_ns */
	int64_t corr_ns, anchor_ns, shift_ns;
};

static inline int64_t
lanetime_decayed(int64_t shift_ns, int64_t since_ns)
{
	int64_t over = shift_ns - LANETIME_FAST_NS;

	if (over <= 0)
		return (shift_ns - (since_ns >> LANETIME_DECAY));
	if (since_ns >> LANETIME_DECAY_FAST < over)
		return (shift_ns - (since_ns >> LANETIME_DECAY_FAST));
	since_ns -= over << LANETIME_DECAY_FAST;
	return (LANETIME_FAST_NS - (since_ns >> LANETIME_DECAY));
}

/* Earliest corrected time of an event mapped to t, from its own stream. */
static inline int64_t
lanetime_low(const struct lanetime *l, int64_t mapped_ns)
{
	int64_t low = mapped_ns;

	if (l->shift_ns > 0) {
		int64_t shift = l->shift_ns;

		if (mapped_ns > l->anchor_ns)
			shift =
			    lanetime_decayed(shift, mapped_ns - l->anchor_ns);
		if (shift > 0)
			low += shift;
	}
	return (low > l->corr_ns ? low : l->corr_ns);
}

/*
 * The event is mapped to a time before that of the last one of its stream: a
 * clock was set back, or a program has written nonsense over its ring.  Up to
 * LANETIME_BACK_NS the intervals that follow are kept.  Beyond that the
 * corrected time stands still until the mapped time has caught up: a stream
 * whose times alternate would else gain the difference with each pair of
 * events.
 */
static inline void
lanetime_commit_back(struct lanetime *l, int64_t mapped_ns, int64_t corr_ns)
{
	if (mapped_ns >= corr_ns - LANETIME_BACK_NS) {
		l->anchor_ns = mapped_ns;
		l->shift_ns = corr_ns - mapped_ns;
	} else if (corr_ns > l->corr_ns) {
		l->shift_ns = 0;
	}
}

/* The event mapped to t has the corrected time corr_ns. */
static inline void
lanetime_commit(struct lanetime *l, int64_t mapped_ns, int64_t low_ns,
    int64_t corr_ns)
{
	if (corr_ns == mapped_ns) {
		l->shift_ns = 0;
	} else if (low_ns == l->corr_ns) {
		lanetime_commit_back(l, mapped_ns, corr_ns);
	} else if (corr_ns > low_ns) {
		l->anchor_ns = mapped_ns;
		l->shift_ns = corr_ns - mapped_ns;
	}
	l->corr_ns = corr_ns;
}

#endif
