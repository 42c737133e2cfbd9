/*
 * The map of one node's clock, and its bound.
 *
 * The line that the bursts say is not applied at once.  The map is continuous:
 * a new segment goes on where the last one is now and meets the line a little
 * later.  Segments begin at the node's present time, so that nothing already
 * mapped changes.
 *
 * The bound that goes with a segment is the distance from the map to the
 * farther edge of the band in which the truth must be (clockfit.h), where that
 * is greatest while the segment holds: the band widens and the map is straight,
 * so at one of its ends.
 */
#include "clocksync_inside.h"

#include <math.h>
#include <stdlib.h>

#define MS  1000000
#define SEC ((int64_t)1000000000)

#define TIGHT_MEET_NS  (SEC / 4) /* the map meets the line of messages, */
#define TIGHT_RARE_NS  (2 * SEC) /* or later, where they say less often */
#define TIGHT_SLACK_NS 50        /* or is so near that it may go on */
#define SKEW_MAX       9.5e-4    /* of the map, while it catches up */
#define HOLD_AFTER     (5 * SEC) /* no ping for so long: holdover */
#define HOLD_PERIODS   3         /* and so many bursts missed */
#define HOLD_SKEW      20e-6     /* a free clock may drift from its fit */
#define AHEAD_SKEW     1e-6      /* and may have begun to just now */
#define BRIDGE_MIN_NS  (50 * MS)
#define BRIDGE_NS      SEC

/* So much a free clock leaves its fit behind in this time. */
static int64_t
clocksync_drift_in(const struct clocksync *s, int64_t free_ns)
{
	double skew = s->state == CLOCK_COARSE || s->state == CLOCK_STEPPED
			  ? CLOCKFIT_SKEW
			  : HOLD_SKEW;

	return (free_ns > 0 ? (int64_t)((double)free_ns * skew) : 0);
}

static int64_t
clocksync_drift(const struct clocksync *s, int64_t node_ns)
{
	return (node_ns > s->holds_node_ns
		    ? clocksync_drift_in(s, node_ns - s->holds_node_ns)
		    : 0);
}

/* The bound of a new segment, until the next fit should be there. */
static int64_t
clocksync_bound(struct clocksync *s, const struct clock_segment *seg)
{
	int64_t from = seg->base_node_ns;
	int64_t to = from + clockprobe_period(&s->probe) * 5 / 4;
	double a, b;

	a = clock_band_off(&s->band, from, clock_segment_mon(seg, from));
	b = clock_band_off(&s->band, to, clock_segment_mon(seg, to)) +
	    AHEAD_SKEW * (double)(to - s->band.base_node_ns);
	s->holds_node_ns = to;
	return ((int64_t)(a > b ? a : b) + 1);
}

bool
clocksync_tight(const struct clocksync *s, int64_t now)
{
	return (s->state == CLOCK_LOCKED && now <= s->tight_until_ns);
}

/*
 * What the map is bent towards: the line of the pings, or that of the messages
 * as long as it is fresh, kept between the bounds of the pings.  Returns how
 * far the latter may be from the truth while a segment holds, or INT64_MAX.
 */
static int64_t
clocksync_aim(const struct clocksync *s, int64_t at, int64_t now,
    struct clock_line *aim)
{
	double half = s->line.gap_ns > 0 ? s->line.gap_ns / 2 : 0;
	double turn = half / (double)(clocksync_span(s, at) + 1);
	int64_t beyond = 0, off;

	*aim = s->line;
	if (!clocksync_tight(s, now))
		return (INT64_MAX);
	*aim = s->tight;
	off = clock_line_mon(aim, at) - clock_line_mon(&s->line, at);
	if (off > (int64_t)half)
		beyond = off - (int64_t)half;
	else if (off < -(int64_t)half)
		beyond = off + (int64_t)half;
	aim->offset_ns -= beyond;
	return (s->tight_error_ns + llabs(beyond) +
		(int64_t)(turn * (double)clockprobe_period(&s->probe)));
}

static void
clocksync_publish(struct clocksync *s, const struct clock_segment *seg,
    int64_t step_ns)
{
	if (clockmap_add(&s->map, seg) == -1)
		return; /* the old segment goes on */
	if (s->segment != NULL)
		s->segment(s->arg, seg, step_ns);
}

static int64_t
clocksync_skew_q40(double skew)
{
	if (skew > SKEW_MAX)
		skew = SKEW_MAX;
	if (skew < -SKEW_MAX)
		skew = -SKEW_MAX;
	return ((int64_t)llround(skew * SKEW_Q40));
}

/* A segment that jumps onto the line: the first one, or after a step. */
void
clocksync_jump(struct clocksync *s, int64_t base_node_ns, int64_t step_ns)
{
	struct clock_segment seg = { .base_node_ns = base_node_ns,
		.base_mon_ns = clock_line_mon(&s->line, base_node_ns),
		.skew_q40 = clocksync_skew_q40(s->line.skew),
		.epoch = s->epoch,
		.state = s->state };

	/* what has been told before keeps its time */
	if (seg.base_node_ns <= s->told_node_ns) {
		seg.base_node_ns = s->told_node_ns + 1;
		seg.base_mon_ns = clock_line_mon(&s->line, seg.base_node_ns);
	}
	if (s->map.n > 0 &&
	    seg.base_mon_ns < s->map.segments[s->map.n - 1].base_mon_ns)
		seg.base_mon_ns = s->map.segments[s->map.n - 1].base_mon_ns;
	seg.error_ns = clocksync_bound(s, &seg);
	clocksync_publish(s, &seg, step_ns);
}

/* A segment that goes on where the map is and meets the line. */
void
clocksync_bend(struct clocksync *s, int64_t now_mon_ns)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	struct clock_segment seg = { .epoch = s->epoch, .state = s->state };
	int64_t base = clock_segment_node(last, now_mon_ns);
	int64_t other = now_mon_ns - (clock_line_mon(&s->line, base) - base);
	struct clock_line aim;
	int64_t off, soft, meet = clockprobe_period(&s->probe);
	double past;

	if (base < other)
		base = other;
	if (base < s->told_node_ns)
		base = s->told_node_ns; /* its clock has been set back */
	base++; /* later than anything the node has told */
	if (base <= last->base_node_ns)
		base = last->base_node_ns + 1;
	seg.base_node_ns = base;
	seg.base_mon_ns = clock_segment_mon(last, base);
	soft = clocksync_aim(s, base, now_mon_ns, &aim);
	if (soft != INT64_MAX && meet > s->tight_meet_ns)
		meet = s->tight_meet_ns;
	off = clock_line_mon(&aim, base) - seg.base_mon_ns;
	seg.skew_q40 =
	    clocksync_skew_q40(aim.skew + (double)off / (double)meet);
	seg.error_ns = clocksync_bound(s, &seg);
	/* nothing may come when they have met: it goes past the aim then */
	past = (double)(s->holds_node_ns - base - meet) / (double)meet;
	off = llabs(off) * (int64_t)ceil(past > 1 ? past : 1);
	if (soft != INT64_MAX && soft + off < seg.error_ns)
		seg.error_ns = soft + off;
	clocksync_publish(s, &seg, 0);
}

/* The map goes along the aim as it is: no segment is needed. */
static bool
clocksync_aimed(const struct clocksync *s, int64_t now)
{
	int64_t at = clockmap_node(&s->map, now), off;
	struct clock_line aim;

	clocksync_aim(s, at, now, &aim);
	for (int i = 0; i < 2; i++) {
		off = clock_line_mon(&aim, at) - clocksync_mon(s, at);
		if (llabs(off) > TIGHT_SLACK_NS)
			return (false);
		at += SEC;
	}
	return (true);
}

void
clocksync_tighten(struct clocksync *s, const struct clock_line *aim,
    int64_t error_ns, int64_t now)
{
	if (s->state != CLOCK_LOCKED || s->restored || s->map.n == 0)
		return;
	/* never before the next word: the map would pass by, and swing */
	s->tight_meet_ns = now - s->tight_at_ns;
	if (s->tight_meet_ns < TIGHT_MEET_NS ||
	    s->tight_meet_ns > TIGHT_RARE_NS)
		s->tight_meet_ns = TIGHT_MEET_NS;
	s->tight_at_ns = now;
	s->tight = *aim;
	s->tight_error_ns = error_ns;
	s->tight_until_ns = now + CLOCKSYNC_TIGHT_NS;
	clocksync_reach(s, INT64_MAX, now);
	if (!clocksync_aimed(s, now))
		clocksync_bend(s, now);
}

/*
 * After a restart: events of the time in which nobody watched are still to
 * come.  They are not mapped along the last segment of the log, which may have
 * been on a steep way to its line, but straight to where the clock is now.  The
 * segment before tells how long the last one was meant to hold.
 */
void
clocksync_bridge(struct clocksync *s, int64_t now_mon_ns)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	int64_t held = s->map.n > 1 ? last->base_node_ns - last[-1].base_node_ns
				    : BRIDGE_NS;
	int64_t end = now_mon_ns - s->line.offset_ns;
	struct clock_segment seg = *last;
	double skew, error;

	if (held > BRIDGE_NS)
		held = BRIDGE_NS;
	seg.base_node_ns += held + held / 8;
	if (seg.base_node_ns <= s->told_node_ns)
		seg.base_node_ns = s->told_node_ns + 1;
	if (end - seg.base_node_ns < BRIDGE_MIN_NS)
		return;
	seg.base_mon_ns = clock_segment_mon(last, seg.base_node_ns);
	skew = (double)(clock_line_mon(&s->line, end) - end -
			(seg.base_mon_ns - seg.base_node_ns)) /
	       (double)(end - seg.base_node_ns);
	if (fabs(skew) > SKEW_MAX)
		return;
	seg.skew_q40 = clocksync_skew_q40(skew);
	error = clock_band_off(&s->band, end, clock_segment_mon(&seg, end));
	if (seg.error_ns < error)
		seg.error_ns = (int64_t)error + 1;
	clocksync_publish(s, &seg, 0);
}

void
clocksync_reach(struct clocksync *s, int64_t node_ns, int64_t now)
{
	int64_t span = clockprobe_period(&s->probe) * 5 / 4, at, most;
	const struct clock_segment *last;
	struct clock_segment seg;

	if (s->map.n == 0 || s->restored || node_ns <= s->holds_node_ns ||
	    s->state == CLOCK_UNSYNCED || s->state == CLOCK_HOLDOVER)
		return;
	last = &s->map.segments[s->map.n - 1];
	most = clock_segment_node(last, now);
	if (node_ns > most) /* nobody's word moves the map ahead of time */
		node_ns = most;
	at = s->holds_node_ns;
	if (at < s->told_node_ns)
		at = s->told_node_ns;
	if (at < last->base_node_ns)
		at = last->base_node_ns;
	if (++at > node_ns)
		return;
	if (span < node_ns - at)
		span = node_ns - at;
	seg = *last;
	seg.base_node_ns = at;
	seg.base_mon_ns = clock_segment_mon(last, at);
	seg.skew_q40 = clocksync_skew_q40(s->line.skew);
	seg.error_ns = clocksync_error(s, at);
	s->holds_node_ns = at + span;
	seg.error_ns += clocksync_drift_in(s, span);
	clocksync_publish(s, &seg, 0);
}

/*
 * No answers: the map goes on along the line.  A segment's bound is good until
 * it has doubled; then a new one is due, so that the log tells the truth too.
 */
void
clocksync_tick(struct clocksync *s, int64_t now)
{
	int64_t hold = clockprobe_period(&s->probe) * HOLD_PERIODS;
	const struct clock_segment *last;
	struct clock_segment seg;
	int64_t node, error;

	if (s->map.n == 0 || s->state == CLOCK_UNSYNCED)
		return;
	clocksync_reach(s, INT64_MAX, now);
	last = &s->map.segments[s->map.n - 1];
	seg = *last;
	node = clock_segment_node(last, now);
	if (node < s->told_node_ns)
		node = s->told_node_ns; /* its clock has been set ahead */
	node++; /* later than anything the node has told */
	if (now - s->fitted_mon_ns >= (hold > HOLD_AFTER ? hold : HOLD_AFTER) &&
	    s->state != CLOCK_HOLDOVER) {
		seg.skew_q40 = clocksync_skew_q40(s->line.skew);
		error = clocksync_error(s, node);
		s->state = CLOCK_HOLDOVER;
	} else if (node > s->holds_node_ns) {
		error = clocksync_error(s, node);
	} else {
		return;
	}
	seg.base_node_ns = node;
	seg.base_mon_ns = clock_segment_mon(last, node);
	seg.state = s->state;
	seg.error_ns = 2 * error;
	s->holds_node_ns = node + (int64_t)((double)error / HOLD_SKEW);
	clocksync_publish(s, &seg, 0);
}

const struct clockmap *
clocksync_map(const struct clocksync *s)
{
	return (&s->map);
}

int64_t
clocksync_mon(const struct clocksync *s, int64_t node_ns)
{
	return (clockmap_mon(&s->map, node_ns));
}

int64_t
clocksync_error(const struct clocksync *s, int64_t node_ns)
{
	const struct clock_segment *seg;

	if (s->map.n == 0)
		return (INT64_MAX);
	seg = clockmap_find(&s->map, node_ns);
	if (seg != &s->map.segments[s->map.n - 1])
		return (seg->error_ns);
	return (seg->error_ns + clocksync_drift(s, node_ns));
}
