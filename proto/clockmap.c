/*
 * Clock maps, in integers.
 *
 * Products are taken in 128 bits and shifted down, rounding towards minus
 * infinity, so that the map is monotonic on both sides of a base.  It saturates
 * at half of what a time may be: a hostile segment may give silly times, but
 * none that are not a time any more when something is added to them.
 */
#include "clockmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

__extension__ typedef __int128 int128;

const char *const clock_state_name[CLOCK_STATES] = {
	"unsynced",
	"coarse",
	"locked",
	"holdover",
	"stepped",
};

#define FARTHEST (TIME_NS_MAX / 2)

static int64_t
saturate(int128 v)
{
	if (v > FARTHEST)
		return (FARTHEST);
	if (v < -FARTHEST)
		return (-FARTHEST);
	return ((int64_t)v);
}

/* d in monitor time.  |d| < 2^65 and |skew| < 2^30: no overflow. */
static int128
stretch(int128 d, int64_t skew_q40)
{
	return (d + ((d * skew_q40) >> 40));
}

int64_t
clock_segment_mon(const struct clock_segment *s, int64_t node_ns)
{
	int64_t d, bent;

	/* the usual case: less than a day from the base needs no 128 bits */
	if (!__builtin_sub_overflow(node_ns, s->base_node_ns, &d) &&
	    !__builtin_mul_overflow(d, s->skew_q40, &bent) &&
	    !__builtin_add_overflow(d, bent >> 40, &d) &&
	    !__builtin_add_overflow(d, s->base_mon_ns, &d) && d >= -FARTHEST &&
	    d <= FARTHEST)
		return (d);
	return (
	    saturate(s->base_mon_ns +
		     stretch((int128)node_ns - s->base_node_ns, s->skew_q40)));
}

int64_t
clock_segment_node(const struct clock_segment *s, int64_t mon_ns)
{
	int128 m = (int128)mon_ns - s->base_mon_ns;
	int128 scale = ((int128)1 << 40) + s->skew_q40;
	/* d = m / (1 + skew), in two steps that fit 128 bits */
	int128 d = (m / scale) * ((int128)1 << 40) +
		   (m % scale) * ((int128)1 << 40) / scale;

	/* at most a few steps: to the last d that is not after mon_ns */
	for (int i = 0; i < 4 && stretch(d, s->skew_q40) > m; i++)
		d--;
	for (int i = 0; i < 4 && stretch(d + 1, s->skew_q40) <= m; i++)
		d++;
	return (saturate(s->base_node_ns + d));
}

void
clockmap_clear(struct clockmap *m)
{
	free(m->segments);
	memset(m, 0, sizeof(*m));
}

/*
 * Whether next goes on where the last one stops, in both clocks.  After a jump
 * of the node's clock it need only begin later on the monitor's: where that
 * clock has skipped ten seconds, the old segment went ten seconds too far.
 */
static bool
follows(const struct clock_segment *last, const struct clock_segment *next)
{
	if (next->epoch != last->epoch)
		return (next->base_mon_ns >= last->base_mon_ns);
	return (next->base_node_ns > last->base_node_ns &&
		next->base_mon_ns >=
		    clock_segment_mon(last, next->base_node_ns - 1));
}

int
clockmap_add(struct clockmap *m, const struct clock_segment *s)
{
	if (s->skew_q40 >= CLOCK_SKEW_MAX_Q40 ||
	    s->skew_q40 <= -CLOCK_SKEW_MAX_Q40 || s->state >= CLOCK_STATES ||
	    (m->n > 0 && !follows(&m->segments[m->n - 1], s))) {
		errno = EINVAL;
		return (-1);
	}
	if (m->n == m->cap) {
		size_t cap = m->cap == 0 ? 16 : m->cap * 2;
		struct clock_segment *p =
		    reallocarray(m->segments, cap, sizeof(*p));

		if (p == NULL)
			return (-1);
		m->segments = p;
		m->cap = cap;
	}
	/* a clock that was put back shows those times again: they are new */
	while (
	    m->n > 0 && m->segments[m->n - 1].base_node_ns >= s->base_node_ns)
		m->n--;
	m->segments[m->n++] = *s;
	return (0);
}

const struct clock_segment *
clockmap_find(const struct clockmap *m, int64_t node_ns)
{
	size_t lo = 0, hi = m->n; /* the answer is in [lo, hi) */

	if (m->n == 0)
		return (NULL);
	if (m->segments[m->n - 1].base_node_ns <= node_ns)
		return (&m->segments[m->n - 1]);
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->segments[mid].base_node_ns <= node_ns)
			lo = mid;
		else
			hi = mid;
	}
	return (&m->segments[lo]);
}

int64_t
clockmap_mon(const struct clockmap *m, int64_t node_ns)
{
	return (clock_segment_mon(clockmap_find(m, node_ns), node_ns));
}

int64_t
clockmap_node(const struct clockmap *m, int64_t mon_ns)
{
	size_t lo = 0, hi = m->n;
	int64_t node_ns;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->segments[mid].base_mon_ns <= mon_ns)
			lo = mid;
		else
			hi = mid;
	}
	node_ns = clock_segment_node(&m->segments[lo], mon_ns);
	/* a time that a forward jump has skipped is just before the jump */
	if (lo + 1 < m->n && node_ns >= m->segments[lo + 1].base_node_ns)
		node_ns = m->segments[lo + 1].base_node_ns - 1;
	return (node_ns);
}
