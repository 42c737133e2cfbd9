/*
 * The clock of one node.
 *
 * Schedule: when the connection is made, 16 pings 2 ms apart; then ten a second
 * for 5 s; then bursts of 8 back to back each second.  Bursts because the first
 * ping wakes both ends up and is wrong by their waking times; the others are
 * not.
 *
 * Each burst is reduced to its two tightest bounds; the last 180 are fitted
 * (clockfit.c).  How fast frequency may wander (beta) is found out, not set:
 * as long as the gap between the bounds is about a round trip wide, they agree
 * with a straight line; when they do not, older ones have to be believed less.
 * When even the greatest beta leaves too little gap, no line fits: the clock
 * has stepped, and only the newest burst is believed.
 *
 * The line is not applied at once.  The map is continuous: a new segment goes
 * on where the last one is now and meets the line a little later.  Segments
 * begin at the node's present time, so that nothing already mapped changes.
 */
#include "clocksync.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS  1000000
#define SEC ((int64_t)1000000000)

#define FIRST_PINGS    16
#define FIRST_EVERY_NS (2 * MS)
#define FAST_EVERY_NS  (100 * MS)
#define FAST_FOR_NS    (5 * SEC)
#define BURST_PINGS    8
#define BURST_EVERY_NS SEC

#define SKEW_Q40      ((double)((int64_t)1 << 40))
#define SKEW_MAX      9.5e-4    /* of the map, while it catches up */
#define MEET_NS       SEC       /* the map meets the line so much later */
#define TIGHT_MEET_NS SEC       /* and the better line that messages give */
#define SLOPE_SPAN    (2 * SEC) /* shorter: the slope is hardly known */
#define SKEW_YOUNG    2e-4      /* and at most so far from what it was */
#define LOCK_SPAN     SEC
#define HOLD_AFTER    (5 * SEC)     /* no ping for so long: holdover */
#define HOLD_SKEW     20e-6         /* a free clock may drift from its fit */
#define HOLD_FREE     (SEC * 3 / 2) /* so long nothing is missing yet */
#define BRIDGE_MIN_NS (50 * MS)
#define STEP_KAPPA    0.5 /* a gap below so many round trips is a step */
#define STEP_BURSTS   80  /* fewer: the shortest round trip is not known */
#define STEP_YOUNG    0.05
#define TIME_LIMIT    (INT64_MAX / 4)

/*
 * The ladder of beta, in 1/s.  A rung is good as long as going down to it
 * costs no more gap than the first step down did: that much is chance (fewer
 * bursts count on the higher rungs), more is the clock's wander.
 */
#define RUNGS         5
#define RUNG_FIRST    3     /* until more is known */
#define RUNG_DROP     1.3   /* times the drop of the first step */
#define RUNG_SLACK    0.003 /* and so many round trips */
#define RUNG_MEMORY   0.03  /* weight of the newest fit in the mean */
#define RUNG_WARM     30    /* fits before the mean is believed */
#define RUNG_PATIENCE 20    /* a lower one must be better for so many fits */
#define RUNG_ROOM     0.8   /* a fit with less gap takes the next rung up */
static const double rungs[RUNGS] = { 3e-7, 1e-7, 3e-8, 1e-8, 3e-9 };

enum phase {
	PHASE_OFF,
	PHASE_FIRST,
	PHASE_FAST,
	PHASE_STEADY
};

struct clocksync {
	clocksync_segment *segment;
	void *arg;
	uint64_t seed;

	enum phase phase;
	int64_t connected_ns, due_ns, sent_ns;
	uint32_t seq;
	bool waiting; /* a ping is under way */

	struct clock_burst burst;  /* being collected */
	struct clock_burst single; /* its newest ping alone */
	unsigned burst_n, burst_want;
	struct clock_burst ring[CLOCKFIT_BURSTS];
	unsigned ring_n, ring_at; /* at: next to be written */

	struct clock_line line;
	struct clock_line tight; /* of messages, until tight_until_ns */
	int64_t tight_error_ns, tight_until_ns;
	const struct clock_burst *told_burst; /* of the segment being told */
	double prior, slope; /* before the last step; of the last good fit */
	unsigned rung;       /* of the newest fit */
	unsigned wanted, patience; /* the mean's choice; fits that it held */
	double room[RUNGS];        /* mean gap on each, in round trips */
	unsigned rooms;            /* how many fits are in it */
	bool restored;             /* the map goes on from a log */
	int64_t told_node_ns;      /* up to here that log has events */
	int64_t fitted_node_ns, fitted_mon_ns;
	enum clock_state state;
	uint32_t epoch;
	struct clockmap map;
	uint64_t pings, pongs, fits, steps;
};

struct clocksync *
clocksync_new(uint64_t phase_seed, clocksync_segment *segment, void *arg)
{
	struct clocksync *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->segment = segment;
	s->told_node_ns = s->tight_until_ns = INT64_MIN;
	s->arg = arg;
	s->seed = phase_seed;
	s->rung = s->wanted = RUNG_FIRST;
	s->due_ns = INT64_MAX;
	return (s);
}

void
clocksync_free(struct clocksync *s)
{
	if (s == NULL)
		return;
	clockmap_clear(&s->map);
	free(s);
}

int
clocksync_restore(struct clocksync *s, const struct clock_segment *seg)
{
	if (clockmap_add(&s->map, seg) == -1)
		return (-1);
	s->restored = true;
	s->epoch = seg->epoch;
	s->state = CLOCK_HOLDOVER;
	s->fitted_node_ns = seg->base_node_ns;
	s->fitted_mon_ns = seg->base_mon_ns;
	s->prior = s->slope = s->line.skew = (double)seg->skew_q40 / SKEW_Q40;
	return (0);
}

/* --- when to ping --- */

static void
clocksync_begin_burst(struct clocksync *s, int64_t now)
{
	int64_t phase = (int64_t)(s->seed % (uint64_t)BURST_EVERY_NS);

	s->burst_n = 0;
	if (s->phase == PHASE_FIRST) {
		s->burst_want = FIRST_PINGS;
		s->due_ns = now;
	} else if (now - s->connected_ns < FAST_FOR_NS) {
		s->phase = PHASE_FAST;
		s->burst_want = 1;
		s->due_ns = now + FAST_EVERY_NS;
	} else {
		s->phase = PHASE_STEADY;
		s->burst_want = BURST_PINGS;
		s->due_ns = now - now % BURST_EVERY_NS + phase;
		while (s->due_ns <= now)
			s->due_ns += BURST_EVERY_NS;
	}
}

void
clocksync_connected(struct clocksync *s, int64_t now)
{
	s->phase = PHASE_FIRST;
	s->waiting = false;
	s->connected_ns = now;
	clocksync_begin_burst(s, now);
}

void
clocksync_disconnected(struct clocksync *s, int64_t now)
{
	(void)now;
	s->phase = PHASE_OFF;
	s->waiting = false;
	s->due_ns = INT64_MAX;
}

int64_t
clocksync_due(const struct clocksync *s)
{
	return (s->waiting ? INT64_MAX : s->due_ns);
}

uint32_t
clocksync_ping(struct clocksync *s, int64_t now)
{
	s->waiting = true;
	s->sent_ns = now;
	s->pings++;
	return (++s->seq);
}

/* --- fitting --- */

static const struct clock_burst *
clocksync_newest(const struct clocksync *s)
{
	return (&s->ring[(s->ring_at + CLOCKFIT_BURSTS - 1) % CLOCKFIT_BURSTS]);
}

static void
clocksync_keep(struct clocksync *s, const struct clock_burst *b)
{
	s->ring[s->ring_at] = *b;
	s->ring_at = (s->ring_at + 1) % CLOCKFIT_BURSTS;
	if (s->ring_n < CLOCKFIT_BURSTS)
		s->ring_n++;
}

static void
clocksync_forget_old(struct clocksync *s)
{
	struct clock_burst newest = *clocksync_newest(s);

	s->ring_n = s->ring_at = 0;
	clocksync_keep(s, &newest);
}

static int64_t
clocksync_rtt(const struct clocksync *s)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < s->ring_n; i++) {
		if (s->ring[i].rtt_ns < least)
			least = s->ring[i].rtt_ns;
	}
	return (least);
}

static int64_t
clocksync_span(const struct clocksync *s, int64_t at_node_ns)
{
	int64_t oldest = at_node_ns;

	for (unsigned i = 0; i < s->ring_n; i++) {
		if (s->ring[i].low_node_ns < oldest)
			oldest = s->ring[i].low_node_ns;
	}
	return (at_node_ns - oldest);
}

static double
clocksync_fit_with(struct clocksync *s, int64_t at, double beta,
    struct clock_line *line)
{
	bool young = clocksync_span(s, at) < SLOPE_SPAN;
	double rtt = (double)(clocksync_rtt(s) + 1);

	clockfit(s->ring, s->ring_n, at, beta, young ? s->prior : 0,
	    young ? SKEW_YOUNG : CLOCKFIT_SKEW, young ? rtt / 4 : 0, line);
	s->fits++;
	return (line->gap_ns / rtt);
}

/* The lowest rung to which the clock's wander costs no gap, on the mean. */
static unsigned
clocksync_rung(const struct clocksync *s)
{
	double most = RUNG_DROP * (s->room[0] - s->room[1]) + RUNG_SLACK;
	unsigned r = 1;

	if (s->rooms < RUNG_WARM)
		return (RUNG_FIRST);
	while (r + 1 < RUNGS && s->room[r] - s->room[r + 1] <= most)
		r++;
	return (r);
}

/* Up at once, down only when it has been better for long. */
static void
clocksync_choose(struct clocksync *s, unsigned best)
{
	if (best <= s->wanted) {
		s->wanted = best;
		s->patience = 0;
	} else if (++s->patience >= RUNG_PATIENCE) {
		s->wanted++;
		s->patience = 0;
	}
}

/* Fits, and finds beta.  False: nothing fits, the clock has stepped. */
static bool
clocksync_fit(struct clocksync *s, int64_t at, struct clock_line *line)
{
	struct clock_line lines[RUNGS];
	double room[RUNGS], weight;

	for (unsigned r = 0; r < RUNGS; r++) {
		room[r] = clocksync_fit_with(s, at, rungs[r], &lines[r]);
		weight = s->rooms == 0 ? 1 : RUNG_MEMORY;
		if (s->phase == PHASE_STEADY)
			s->room[r] += weight * (room[r] - s->room[r]);
	}
	if (s->phase == PHASE_STEADY)
		s->rooms++;
	clocksync_choose(s, clocksync_rung(s));
	s->rung = s->wanted;
	while (s->rung > 0 && room[s->rung] < RUNG_ROOM)
		s->rung--;
	*line = lines[s->rung];
	return (room[s->rung] >=
		(s->ring_n >= STEP_BURSTS ? STEP_KAPPA : STEP_YOUNG));
}

/* --- the map --- */

/*
 * Half-width of where the truth may be until the next fit: half the gap (a
 * path that is slower one way than the other cannot be told from an offset),
 * and the slope, which a short time cannot tell.
 */
static int64_t
clocksync_unsure(const struct clocksync *s, int64_t at)
{
	int64_t next = s->phase == PHASE_STEADY ? BURST_EVERY_NS : SEC / 4;
	double span = (double)clocksync_span(s, at);
	double half = s->line.gap_ns > 0 ? s->line.gap_ns / 2 : 0;
	double skew = SKEW_YOUNG;

	if (span * SKEW_YOUNG > half)
		skew = half / span;
	return ((int64_t)(half + skew * (double)next) + 1);
}

/* A free clock leaves its fit behind. */
static int64_t
clocksync_drift(const struct clocksync *s, int64_t since_ns)
{
	int64_t free_ns = since_ns - HOLD_FREE;
	double skew = s->state == CLOCK_COARSE || s->state == CLOCK_STEPPED
			  ? SKEW_YOUNG
			  : HOLD_SKEW;

	return (free_ns > 0 ? (int64_t)((double)free_ns * skew) : 0);
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
static void
clocksync_jump(struct clocksync *s, int64_t base_node_ns, int64_t step_ns)
{
	struct clock_segment seg = { .base_node_ns = base_node_ns,
		.base_mon_ns = clock_line_mon(&s->line, base_node_ns),
		.skew_q40 = clocksync_skew_q40(s->line.skew),
		.error_ns = clocksync_unsure(s, base_node_ns),
		.epoch = s->epoch,
		.state = s->state };

	if (s->map.n > 0) {
		const struct clock_segment *last =
		    &s->map.segments[s->map.n - 1];

		if (seg.base_node_ns <= last->base_node_ns)
			seg.base_node_ns = last->base_node_ns + 1;
		seg.base_mon_ns = clock_line_mon(&s->line, seg.base_node_ns);
		if (seg.base_mon_ns <= last->base_mon_ns)
			seg.base_mon_ns = last->base_mon_ns + 1;
	}
	clocksync_publish(s, &seg, step_ns);
}

/*
 * What the map is bent towards: the line of the pings, or that of the messages
 * as long as it is fresh, kept between the bounds of the pings.  Returns the
 * bound of its error.
 */
static int64_t
clocksync_aim(const struct clocksync *s, int64_t at, int64_t now,
    struct clock_line *aim)
{
	int64_t half = s->line.gap_ns > 0 ? (int64_t)(s->line.gap_ns / 2) : 0;
	int64_t unsure = clocksync_unsure(s, at), beyond = 0, off;

	*aim = s->line;
	if (!clocksync_tight(s, now))
		return (unsure);
	*aim = s->tight;
	off = clock_line_mon(aim, at) - clock_line_mon(&s->line, at);
	if (off > half)
		beyond = off - half;
	else if (off < -half)
		beyond = off + half;
	aim->offset_ns -= beyond;
	return (s->tight_error_ns + llabs(beyond) + unsure - half);
}

/* A segment that goes on where the map is and meets the line. */
static void
clocksync_bend(struct clocksync *s, int64_t now_mon_ns, int64_t meet_ns)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	struct clock_segment seg = { .epoch = s->epoch, .state = s->state };
	int64_t base = clock_segment_node(last, now_mon_ns);
	int64_t other = now_mon_ns - (clock_line_mon(&s->line, base) - base);
	struct clock_line aim;
	int64_t off;

	if (base < other)
		base = other;
	base++; /* later than anything the node can have told */
	if (base <= last->base_node_ns)
		base = last->base_node_ns + 1;
	seg.base_node_ns = base;
	seg.base_mon_ns = clock_segment_mon(last, base);
	seg.error_ns = clocksync_aim(s, base, now_mon_ns, &aim);
	off = clock_line_mon(&aim, base) - seg.base_mon_ns;
	seg.skew_q40 =
	    clocksync_skew_q40(aim.skew + (double)off / (double)meet_ns);
	seg.error_ns += llabs(off);
	clocksync_publish(s, &seg, 0);
}

bool
clocksync_tight(const struct clocksync *s, int64_t now)
{
	return (s->state == CLOCK_LOCKED && now <= s->tight_until_ns);
}

void
clocksync_tighten(struct clocksync *s, const struct clock_line *aim,
    int64_t error_ns, int64_t now)
{
	if (s->state != CLOCK_LOCKED || s->restored || s->map.n == 0)
		return;
	s->tight = *aim;
	s->tight_error_ns = error_ns;
	s->tight_until_ns = now + CLOCKSYNC_TIGHT_NS;
	clocksync_bend(s, now, TIGHT_MEET_NS);
}

bool
clocksync_line(const struct clocksync *s, struct clock_line *line, double *beta,
    uint32_t *epoch)
{
	if (s->state != CLOCK_LOCKED || s->restored || s->line.gap_ns <= 0)
		return (false);
	*line = s->line;
	*beta = rungs[s->rung];
	*epoch = s->epoch;
	return (true);
}

const struct clock_burst *
clocksync_burst_of_segment(const struct clocksync *s)
{
	return (s->told_burst);
}

/*
 * After a restart: events of the time in which nobody watched are still to
 * come.  They are not mapped along the last segment of the log, which may have
 * been on a steep way to its line, but straight to where the clock is now.  The
 * segment before tells how long the last one was meant to hold.
 */
static void
clocksync_bridge(struct clocksync *s, int64_t now_mon_ns)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	int64_t held = s->map.n > 1 ? last->base_node_ns - last[-1].base_node_ns
				    : BURST_EVERY_NS;
	int64_t end = now_mon_ns - s->line.offset_ns;
	struct clock_segment seg = *last;
	double skew;

	if (held > BURST_EVERY_NS)
		held = BURST_EVERY_NS;
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
	if (seg.error_ns < clocksync_unsure(s, end))
		seg.error_ns = clocksync_unsure(s, end);
	clocksync_publish(s, &seg, 0);
}

static bool
clocksync_continues(const struct clocksync *s, int64_t at)
{
	int64_t off = clock_line_mon(&s->line, at) - clocksync_mon(s, at);

	return (llabs(off) <=
		clocksync_error(s, at) + (int64_t)(s->line.gap_ns / 2) + MS);
}

static void
clocksync_step(struct clocksync *s, int64_t at)
{
	int64_t was = clocksync_mon(s, at);

	clocksync_forget_old(s);
	s->prior = s->slope;
	clocksync_fit(s, at, &s->line);
	s->steps++;
	s->epoch++;
	s->state = CLOCK_STEPPED;
	s->tight_until_ns = INT64_MIN;
	clocksync_jump(s, at, was - clock_line_mon(&s->line, at));
}

void
clocksync_restore_told(struct clocksync *s, int64_t node_ns)
{
	s->told_node_ns = node_ns;
}

/* The clock has jumped between the pings of this burst. */
static bool
clocksync_torn(const struct clock_burst *b)
{
	double apart = (double)llabs(b->high_node_ns - b->low_node_ns);

	return ((double)(b->high_ns - b->low_ns) < -apart * CLOCKFIT_SKEW);
}

/* A burst is complete: fit, and bend the map. */
static void
clocksync_burst(struct clocksync *s, int64_t now)
{
	int64_t at, meet = s->phase == PHASE_STEADY ? MEET_NS : MEET_NS / 4;
	bool fits;

	clocksync_keep(s, clocksync_torn(&s->burst) ? &s->single : &s->burst);
	at = clocksync_newest(s)->high_node_ns;
	s->told_burst = clocksync_newest(s);
	fits = clocksync_fit(s, at, &s->line);
	if (s->map.n > 0 &&
	    (!fits || (s->restored && !clocksync_continues(s, at)))) {
		clocksync_step(s, at);
	} else if (s->map.n == 0) {
		s->state = CLOCK_COARSE;
		clocksync_jump(s, at, 0);
	} else {
		if (clocksync_span(s, at) >= LOCK_SPAN) {
			s->state = CLOCK_LOCKED;
			s->slope = s->line.skew;
		} else if (s->state == CLOCK_HOLDOVER)
			s->state = CLOCK_COARSE;
		if (s->restored)
			clocksync_bridge(s, now);
		clocksync_bend(s, now, meet);
	}
	s->told_burst = NULL;
	s->restored = false;
	s->fitted_node_ns = at;
	s->fitted_mon_ns = now;
}

int
clocksync_pong(struct clocksync *s, uint32_t seq, int64_t t1, int64_t t2,
    int64_t t3, int64_t t4)
{
	if (!s->waiting || seq != s->seq)
		return (-1);
	s->waiting = false;
	s->due_ns = s->phase == PHASE_FIRST ? s->sent_ns + FIRST_EVERY_NS : t4;
	if (t1 < s->sent_ns || t4 < t1 || t2 < -TIME_LIMIT || t3 < t2 ||
	    t3 > TIME_LIMIT || t3 - t2 > t4 - t1) {
		s->due_ns = t4 + FAST_EVERY_NS;
		return (-1); /* nonsense; ask again */
	}
	s->pongs++;
	clock_burst_add(&s->single, t1, t2, t3, t4, 1);
	clock_burst_add(&s->burst, t1, t2, t3, t4, s->burst_n == 0);
	if (++s->burst_n >= s->burst_want) {
		clocksync_burst(s, t4);
		if (s->phase == PHASE_FIRST)
			s->phase = PHASE_FAST;
		clocksync_begin_burst(s, t4);
	}
	return (0);
}

void
clocksync_tick(struct clocksync *s, int64_t now)
{
	const struct clock_segment *last;
	struct clock_segment seg;
	int64_t error;

	if (s->map.n == 0 || now - s->fitted_mon_ns < HOLD_AFTER)
		return;
	last = &s->map.segments[s->map.n - 1];
	seg = *last;
	seg.base_node_ns = clock_segment_node(last, now) + 1;
	error = clocksync_error(s, seg.base_node_ns);
	if (s->state == CLOCK_HOLDOVER && error < 2 * last->error_ns)
		return;
	seg.base_mon_ns = clock_segment_mon(last, seg.base_node_ns);
	if (s->state != CLOCK_HOLDOVER) /* off the bend, along the line */
		seg.skew_q40 = clocksync_skew_q40(s->line.skew);
	s->state = CLOCK_HOLDOVER;
	seg.state = CLOCK_HOLDOVER;
	seg.error_ns = error;
	s->fitted_node_ns = seg.base_node_ns;
	clocksync_publish(s, &seg, 0);
}

/* --- what it says --- */

bool
clocksync_usable(const struct clocksync *s)
{
	return (s->map.n > 0 && !s->restored);
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
	return (
	    seg->error_ns + clocksync_drift(s, node_ns - s->fitted_node_ns));
}

void
clocksync_stats(const struct clocksync *s, int64_t now_node_ns,
    struct clocksync_stats *st)
{
	memset(st, 0, sizeof(*st));
	st->state = s->state;
	st->beta_ppm_s = rungs[s->rung] * 1e6;
	st->pings = s->pings;
	st->pongs = s->pongs;
	st->fits = s->fits;
	st->steps = s->steps;
	st->error_ns = clocksync_error(s, now_node_ns);
	if (s->map.n == 0)
		return;
	st->offset_ns = clocksync_mon(s, now_node_ns) - now_node_ns;
	st->skew_ppm = s->line.skew * 1e6;
	st->rtt_min_ns = s->ring_n > 0 ? clocksync_rtt(s) : 0;
}
