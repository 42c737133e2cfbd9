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
 * so at one of its ends.  Every segment gets it so, whatever it is made for,
 * and none is used for longer than it holds: clocksync_reach() is called before
 * anything is mapped, and adds what is missing.
 */
#include "clocksync_inside.h"

#include <math.h>
#include <stdlib.h>

#define SEC ((int64_t)1000000000)

#define TIGHT_MEET_NS  (SEC / 4) /* the map meets the line of messages, */
#define TIGHT_RARE_NS  (2 * SEC) /* or later, where they say less often */
#define TIGHT_SLACK_NS 50        /* or is so near that it may go on */
#define SKEW_MAX       9.5e-4    /* of the map, while it catches up */
#define HOLD_AFTER     (5 * SEC) /* no ping for so long: holdover */
#define HOLD_PERIODS   3         /* and so many bursts missed */
#define HOLD_SKEW      20e-6     /* a free clock may drift from its fit */
#define HOLD_MOST      (86400 * SEC)
#define JUMP_NS        6000.0 /* see clocksync_jumps(); not more */
#define AHEAD_SKEW     1e-6   /* and may have begun to just now */

static int64_t
clocksync_skew_q40(double skew)
{
	if (skew > SKEW_MAX)
		skew = SKEW_MAX;
	if (skew < -SKEW_MAX)
		skew = -SKEW_MAX;
	return ((int64_t)llround(skew * SKEW_Q40));
}

/* A segment is made for so long: the next fit should be there by then. */
static int64_t
clocksync_term(const struct clocksync *s)
{
	return (clockprobe_period(&s->probe) * 5 / 4);
}

/*
 * A frequency may also have jumped, by AHEAD_SKEW, a while ago.  By then the
 * bounds of before are off by more than their ageing allows: by
 * AHEAD_SKEW * age - beta / 2 * age^2, which has a maximum.
 */
static double
clocksync_jumps(const struct clocksync *s)
{
	return (
	    fmin(AHEAD_SKEW * AHEAD_SKEW / (2 * s->band.beta) * 1e9, JUMP_NS));
}

/*
 * How far the truth may be from the segment at a time after the last fit.  The
 * slope may be any that the bursts allow; the clock wanders as they have seen
 * it to, and when no fit has come when one was due, as a free clock may.
 */
static double
clocksync_off(const struct clocksync *s, const struct clock_segment *seg,
    int64_t node_ns)
{
	double since = (double)(node_ns - s->band.base_node_ns);
	double term = (double)clocksync_term(s);
	double free = since > term ? since - term : 0;
	double near = since - free;
	struct clock_band lines = s->band;

	lines.beta = 0;
	return (
	    clock_band_off(&lines, node_ns, clock_segment_mon(seg, node_ns)) +
	    s->band.beta / 2 * 1e-9 * near * near + AHEAD_SKEW * fabs(near) +
	    HOLD_SKEW * free + clocksync_jumps(s));
}

/* The bound of a new segment that is to hold for so long. */
static int64_t
clocksync_bound(struct clocksync *s, const struct clock_segment *seg,
    int64_t span)
{
	int64_t to = seg->base_node_ns + span;
	double a = clocksync_off(s, seg, seg->base_node_ns);
	double b = clocksync_off(s, seg, to);

	s->holds_node_ns = to;
	return ((int64_t)(a > b ? a : b) + 1);
}

void
clocksync_proof(const struct clocksync *s, int64_t now, double *off_ns,
    double *turn)
{
	struct clock_segment seg = { .base_node_ns = s->line.base_node_ns };

	seg.base_mon_ns = clock_line_mon(&s->line, seg.base_node_ns);
	seg.skew_q40 = clocksync_skew_q40(s->line.skew);
	*off_ns = clocksync_off(s, &seg, clockmap_node(&s->map, now));
	*turn = fmax(s->band.high_skew - s->line.skew,
		    s->line.skew - s->band.low_skew) +
		AHEAD_SKEW;
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
	int64_t beyond = 0, off;
	double proven, turn;

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
	clocksync_proof(s, now, &proven, &turn);
	turn *= (double)(now - s->tight_at_ns + clocksync_term(s));
	return (s->tight_error_ns + llabs(beyond) + (int64_t)turn);
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
	seg.error_ns = clocksync_bound(s, &seg, clocksync_term(s));
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
	seg.error_ns = clocksync_bound(s, &seg, clocksync_term(s));
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
 * been on a steep way to its line, but straight to where the clock is now, from
 * the last event in the log on: up to there its bound has held.
 */
void
clocksync_bridge(struct clocksync *s, int64_t now_mon_ns)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	int64_t end = now_mon_ns - s->line.offset_ns;
	struct clock_segment seg = *last;
	double error;

	if (seg.base_node_ns < s->told_node_ns)
		seg.base_node_ns = s->told_node_ns;
	if (end - ++seg.base_node_ns <= 0)
		return;
	seg.base_mon_ns = clock_segment_mon(last, seg.base_node_ns);
	seg.skew_q40 =
	    clocksync_skew_q40((double)(clock_line_mon(&s->line, end) - end -
					(seg.base_mon_ns - seg.base_node_ns)) /
			       (double)(end - seg.base_node_ns));
	error = clocksync_off(s, &seg, end);
	if (seg.error_ns < error)
		seg.error_ns = (int64_t)error + 1;
	/* it may have run fast half of the time, and slow the other half */
	seg.error_ns +=
	    (int64_t)(HOLD_SKEW / 4 * (double)(end - seg.base_node_ns));
	clocksync_publish(s, &seg, 0);
}

/*
 * A straight segment along the line of the pings.  When nobody answers it is
 * to hold for the longer the less is known, until its bound is doubled.
 */
static void
clocksync_straight(struct clocksync *s, int64_t base_node_ns, int64_t span)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	struct clock_segment seg = *last;
	double doubled;

	seg.base_node_ns = base_node_ns;
	seg.base_mon_ns = clock_segment_mon(last, base_node_ns);
	seg.skew_q40 = clocksync_skew_q40(s->line.skew);
	seg.state = s->state;
	doubled = clocksync_off(s, &seg, base_node_ns) / HOLD_SKEW;
	if (s->state == CLOCK_HOLDOVER && (double)span < doubled)
		span = doubled < HOLD_MOST ? (int64_t)doubled : HOLD_MOST;
	seg.error_ns = clocksync_bound(s, &seg, span);
	clocksync_publish(s, &seg, 0);
}

/*
 * What has been told keeps its place; what is still to come of this clock is
 * from before now.  After a restart there is no line, only the slope so far.
 */
void
clocksync_last(struct clocksync *s, int64_t now)
{
	const struct clock_segment *last;
	struct clock_segment seg;
	int64_t base, span;

	if (s->map.n == 0)
		return;
	last = &s->map.segments[s->map.n - 1];
	seg = *last;
	base = last->base_node_ns;
	if (base < s->told_node_ns)
		base = s->told_node_ns;
	base++;
	span = clock_segment_node(last, now) - base;
	if (span <= 0)
		return;
	if (!s->restored) {
		clocksync_straight(s, base, span);
		return;
	}
	seg.base_node_ns = base;
	seg.base_mon_ns = clock_segment_mon(last, base);
	seg.skew_q40 = clocksync_skew_q40(s->prior);
	seg.error_ns += (int64_t)(HOLD_SKEW * (double)span);
	clocksync_publish(s, &seg, 0);
}

void
clocksync_reach(struct clocksync *s, int64_t node_ns, int64_t now)
{
	int64_t span = clocksync_term(s), at, most;
	const struct clock_segment *last;

	if (s->map.n == 0 || s->restored || s->retired ||
	    node_ns <= s->holds_node_ns)
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
	clocksync_straight(s, at, span);
}

/* No answers: the map goes on along the line. */
void
clocksync_tick(struct clocksync *s, int64_t now)
{
	int64_t hold = clockprobe_period(&s->probe) * HOLD_PERIODS;
	const struct clock_segment *last;
	int64_t node;

	if (s->map.n == 0 || s->restored || s->retired)
		return; /* where nobody knows, there is nothing to be said */
	clocksync_reach(s, INT64_MAX, now);
	if (s->state == CLOCK_HOLDOVER ||
	    now - s->fitted_mon_ns < (hold > HOLD_AFTER ? hold : HOLD_AFTER))
		return;
	s->state = CLOCK_HOLDOVER;
	last = &s->map.segments[s->map.n - 1];
	node = clock_segment_node(last, now);
	if (node < s->told_node_ns)
		node = s->told_node_ns; /* its clock has been set ahead */
	if (node < last->base_node_ns)
		node = last->base_node_ns;
	clocksync_straight(s, node + 1, clocksync_term(s));
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
	double off;

	if (s->map.n == 0)
		return (INT64_MAX);
	seg = clockmap_find(&s->map, node_ns);
	if (seg != &s->map.segments[s->map.n - 1] ||
	    node_ns <= s->holds_node_ns)
		return (seg->error_ns);
	if (s->restored) /* no bursts yet, only what the log promised */
		return (seg->error_ns +
			(int64_t)(HOLD_SKEW *
				  (double)(node_ns - s->holds_node_ns)));
	off = clocksync_off(s, seg, node_ns);
	return (off > (double)seg->error_ns ? (int64_t)off + 1 : seg->error_ns);
}
