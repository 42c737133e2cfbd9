/*
 * From a node's clock to the monitor's: continuous, increasing, piecewise
 * linear, in integers.  A segment holds from its base on until the
 * next one's:
 *
 *	mon_ns = base_mon_ns + d + ((d * skew_q40) >> 40),
 *	d = node_ns - base_node_ns
 *
 * A positive skew means that the node's clock is SLOW.  |skew| is below 2^-10
 * (about 1000 ppm), so the map never falls, instants 2 ns apart stay apart,
 * and clockmap_node() finds the node time back to the nanosecond.  (Where the
 * node's clock is fast, two neighbouring nanoseconds must share one of the
 * monitor's now and then: there are fewer of those.)
 */
#ifndef PROTO_CLOCKMAP_H
#define PROTO_CLOCKMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum clock_state {
	CLOCK_UNSYNCED, /* nothing known: use nothing */
	CLOCK_COARSE,   /* one burst only */
	CLOCK_LOCKED,
	CLOCK_HOLDOVER, /* no probe for long: the error grows */
	CLOCK_STEPPED,  /* has jumped and is not locked again */
	CLOCK_STATES
};
extern const char *const clock_state_name[CLOCK_STATES];

struct clock_segment {
	int64_t base_node_ns, base_mon_ns;
	int64_t skew_q40;
	int64_t error_ns; /* half-width: truth lies within +- this */
	uint32_t epoch;   /* a step makes a new one; time may jump forward */
	uint32_t state;   /* enum clock_state */
};

/*
 * Whether a segment behind this one, which may be of another start of the
 * node's collector, is of another clock: the first of an epoch that is not the
 * step of this one.  A spool that a boot has wiped counts its starts anew.
 */
static inline bool
clock_segment_is_other(const struct clock_segment *s, bool other_start,
    const struct clock_segment *next)
{
	return (next->epoch != s->epoch &&
		(other_start || next->state != CLOCK_STEPPED));
}

#define CLOCK_SKEW_MAX_Q40 ((int64_t)1 << 30)

/* Never beyond half of TIME_NS_MAX, whatever the segment says; nor the inverse.
 */
int64_t clock_segment_mon(const struct clock_segment *, int64_t node_ns);
/*
 * Inverse of the above for the same segment, exact to 1 ns: the last node time
 * that is not mapped behind mon_ns.
 */
int64_t clock_segment_node(const struct clock_segment *, int64_t mon_ns);

/* All segments of one node, oldest first.  All zero is empty. */
struct clockmap {
	struct clock_segment *segments;
	size_t n, cap;
};
void clockmap_clear(struct clockmap *); /* frees */
/*
 * Appends; -1 with ENOMEM, or EINVAL: it does not begin after the last one, it
 * would make time fall, or its skew or state is out of range.  A new epoch may
 * begin at an earlier node time: the clock was put back, or slept while the map
 * went on; what the map said of later times is forgotten.
 */
int clockmap_add(struct clockmap *, const struct clock_segment *);
/*
 * Segment that holds at this node time (the first one also before it); NULL
 * when there is none.
 */
const struct clock_segment *clockmap_find(const struct clockmap *,
    int64_t node_ns);
/* Must not be empty. */
int64_t clockmap_mon(const struct clockmap *, int64_t node_ns);
int64_t clockmap_node(const struct clockmap *, int64_t mon_ns);

#endif
