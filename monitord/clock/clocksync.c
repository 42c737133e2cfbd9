/*
 * The clock of one node.
 *
 * Bursts of pings (clockprobe.c) are kept, the last 180 of them, and fitted
 * with a line, older ones believed less (clockage.c, clockfit.c).  When no line
 * fits, or when new bursts lie beside it (clockstep.c), the clock has stepped:
 * only bursts since then are believed, and a new epoch begins.
 *
 * What follows from the line for the map is clocksync_map.c's.
 */
#include "clocksync_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS  1000000
#define SEC ((int64_t)1000000000)

#define SLOPE_SPAN       (2 * SEC) /* shorter: the slope is hardly known */
#define SKEW_YOUNG       2e-4      /* and at most so far from what it was */
#define SLOPE_RESTORED   (20 * SEC)
#define SLOPE_WANDERS    50e-6
#define LOCK_SPAN        SEC
#define BURST_BEST       1.05 /* round trips: no better one is to be had */
#define BURST_ENOUGH     1.7  /* longer: the burst met traffic */
#define STEP_KAPPA       0.5  /* a gap below so many round trips is a step */
#define STEP_BURSTS      80   /* fewer: the shortest round trip is not known */
#define STEP_YOUNG       0.05
#define STEP_BESIDE      0.2  /* so many round trips beside the line */
#define STEP_HELD        0.1  /* a burst so near the bounds has held the line */
#define STEP_LEAST_NS    10e3 /* a line may lag by that behind a wander */
#define STEP_ROAMING     0.4  /* and so many of a clock that wanders anyway */
#define STEP_POOR        8    /* round trips: such a burst proves no step */
/* after a restart there is no round trip to compare with */
#define RESTORED_POOR_NS (SEC / 10)
#define STEP_PATIENCE    3 /* so many of them in turn are asked again */

struct clocksync *
clocksync_new(uint64_t phase_seed, clocksync_segment *segment, void *arg)
{
	struct clocksync *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->segment = segment;
	s->told_node_ns = s->tight_until_ns = INT64_MIN;
	s->arg = arg;
	clockprobe_init(&s->probe, phase_seed);
	clockage_init(&s->age);
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

/* The slope of the map so far, over some seconds: single segments bend. */
static void
clocksync_restore_slope(struct clocksync *s)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	const struct clock_segment *seg = last;
	int64_t span = 0;

	while (seg > s->map.segments && seg[-1].epoch == last->epoch &&
	       span < SLOPE_RESTORED)
		span = last->base_node_ns - (--seg)->base_node_ns;
	s->prior = (double)last->skew_q40 / SKEW_Q40;
	s->prior_off = CLOCKFIT_SKEW;
	if (span >= SLOPE_SPAN) {
		s->prior =
		    (double)(last->base_mon_ns - seg->base_mon_ns - span) /
		    (double)span;
		s->prior_off = SLOPE_WANDERS;
	}
	s->slope = s->line.skew = s->prior;
}

int
clocksync_restore(struct clocksync *s, const struct clock_segment *seg)
{
	if (clockmap_add(&s->map, seg) == -1)
		return (-1);
	s->restored = true;
	s->epoch = seg->epoch;
	s->state = CLOCK_HOLDOVER;
	s->holds_node_ns = seg->base_node_ns;
	s->fitted_mon_ns = seg->base_mon_ns;
	clocksync_restore_slope(s);
	return (0);
}

void
clocksync_prove(struct clocksync *s)
{
	if (s->map.n == 0)
		return; /* there is nothing that it could go on from */
	s->proving = true;
	if (s->restored)
		return;
	s->prior = s->slope;
	s->prior_off = s->state == CLOCK_COARSE ? CLOCKFIT_SKEW : SLOPE_WANDERS;
}

bool
clocksync_proving(const struct clocksync *s)
{
	return (s->proving);
}

bool
clocksync_is_other(const struct clocksync *s)
{
	return (s->other);
}

void
clocksync_retire(struct clocksync *s)
{
	s->retired = true;
	s->proving = s->restored = false;
}

void
clocksync_succeed(struct clocksync *s, const struct clocksync *before)
{
	s->before = before;
	s->epoch = before->epoch + (before->map.n > 0);
	s->prior = before->slope; /* of the same machine, as like as not */
}

void
clocksync_told(struct clocksync *s, int64_t node_ns)
{
	if (node_ns > s->told_node_ns)
		s->told_node_ns = node_ns;
}

void
clocksync_connected(struct clocksync *s, int64_t now)
{
	clockprobe_connected(&s->probe, now);
}

void
clocksync_disconnected(struct clocksync *s, int64_t now)
{
	(void)now;
	clockprobe_disconnected(&s->probe);
}

void
clocksync_crowd(struct clocksync *s, unsigned nodes)
{
	s->probe.nodes = nodes;
}

void
clocksync_rest(struct clocksync *s, bool resting, int64_t now)
{
	clockprobe_rest(&s->probe, resting, now);
}

int64_t
clocksync_due(const struct clocksync *s)
{
	return (clockprobe_due(&s->probe));
}

uint32_t
clocksync_ping(struct clocksync *s, int64_t now)
{
	return (clockprobe_ping(&s->probe, now));
}

/* --- fitting --- */

static void
clocksync_keep(struct clocksync *s, const struct clock_burst *b)
{
	s->ring[s->ring_at] = *b;
	s->ring_at = (s->ring_at + 1) % CLOCKFIT_BURSTS;
	if (s->ring_n < CLOCKFIT_BURSTS)
		s->ring_n++;
}

/* All but the newest n. */
static void
clocksync_forget(struct clocksync *s, unsigned n)
{
	struct clock_burst keep[CLOCKSTEP_MOST];

	for (unsigned i = 0; i < n; i++)
		keep[i] = s->ring[(s->ring_at + CLOCKFIT_BURSTS - n + i) %
				  CLOCKFIT_BURSTS];
	s->ring_n = s->ring_at = 0;
	for (unsigned i = 0; i < n; i++)
		clocksync_keep(s, &keep[i]);
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

int64_t
clocksync_span(const struct clocksync *s, int64_t at_node_ns)
{
	int64_t oldest = at_node_ns;

	for (unsigned i = 0; i < s->ring_n; i++) {
		if (s->ring[i].low_node_ns < oldest)
			oldest = s->ring[i].low_node_ns;
	}
	return (at_node_ns - oldest);
}

/*
 * What the bounds leave open when no clock has stepped.  While few round trips
 * are known, each may have been held up on one of its ways: bounds of different
 * ones are then nearer to each other than any of them is long.
 */
static double
clocksync_open(const struct clocksync *s)
{
	int64_t open = clocksync_rtt(s) + 1, own;

	for (unsigned i = 0; i < s->ring_n && s->ring_n < STEP_BURSTS; i++) {
		own = s->ring[i].high_ns - s->ring[i].low_ns;
		if (own < open)
			open = own;
	}
	return ((double)open);
}

/* False: nothing fits, the clock has stepped. */
static bool
clocksync_fit(struct clocksync *s, int64_t at)
{
	double rtt = (double)(clocksync_rtt(s) + 1);
	bool young = clocksync_span(s, at) < SLOPE_SPAN;
	struct clockage_prior prior = { 0, CLOCKFIT_SKEW, 0 };
	double room;

	if (young)
		prior =
		    (struct clockage_prior){ s->prior, SKEW_YOUNG, rtt / 4 };
	room = clockage_fit(&s->age, s->ring, s->ring_n, at, rtt, &prior,
	    s->probe.phase == PROBE_STEADY, &s->line, &s->band);
	if (young && room < STEP_YOUNG) { /* it may be another slope */
		prior = (struct clockage_prior){ 0, CLOCKFIT_SKEW, rtt / 4 };
		room = clockage_fit(&s->age, s->ring, s->ring_n, at, rtt,
		    &prior, false, &s->line, &s->band);
	}
	s->fits++;
	return (room * rtt >=
		clocksync_open(s) *
		    (s->ring_n >= STEP_BURSTS ? STEP_KAPPA : STEP_YOUNG));
}

/* As far as the bursts before those that are doubted leave open. */
static struct clockstep_room
clocksync_held(const struct clocksync *s, const struct clock_line *line,
    double held_ns, int64_t now)
{
	struct clockstep_room room = { HUGE_VAL, HUGE_VAL };

	for (unsigned i = s->doubt.bursts + 1; i <= s->ring_n; i++) {
		if (!clockstep_held(&room, line,
			&s->ring[(s->ring_at + CLOCKFIT_BURSTS - i) %
				 CLOCKFIT_BURSTS],
			held_ns, clockage_steepest(&s->age), now))
			break;
	}
	return (room);
}

/*
 * Where a clock that has not stepped may be beside its line by now.  One that
 * does not wander keeps to the slope of its last fit, whatever held that.
 */
static struct clockstep_room
clocksync_room(const struct clocksync *s, const struct clock_line *line,
    double rtt, int64_t now)
{
	bool roams = clockage_roams(&s->age);
	double noise = (roams ? STEP_ROAMING : STEP_BESIDE) * rtt;
	double wide =
	    clockstep_wide(now - s->fitted_mon_ns, clockage_steepest(&s->age));
	struct clockstep_room room = { wide, wide };

	if (roams)
		room = clocksync_held(s, line, STEP_HELD * rtt, now);
	room.above_ns = fmax(room.above_ns + noise, STEP_LEAST_NS);
	room.below_ns = fmax(room.below_ns + noise, STEP_LEAST_NS);
	return (room);
}

/* What a new burst says of the line; nothing, as long as little is known. */
static enum clockstep_says
clocksync_doubt(struct clocksync *s, const struct clock_burst *b, int64_t now)
{
	double rtt = (double)clocksync_rtt(s);
	struct clock_line line = s->line;
	struct clockstep_room room;

	if (s->state != CLOCK_LOCKED || s->ring_n < STEP_BURSTS) {
		s->doubt.bursts = 0;
		return (CLOCKSTEP_NONE);
	}
	/* of a wider gap only so much may be taken for the paths' own */
	if (clockage_roams(&s->age))
		line.gap_ns = fmin(line.gap_ns, rtt);
	room = clocksync_room(s, &line, rtt, now);
	return (clockstep_burst(&s->doubt, &line, b, &room));
}

/*
 * Too long round trips: most of all of a node that has slept meanwhile.  After
 * a restart the middle of a burst of seconds would be taken for a step.
 */
static bool
clocksync_poor(const struct clocksync *s, const struct clock_burst *b)
{
	if ((s->restored || s->proving) && b->rtt_ns > RESTORED_POOR_NS)
		return (true);
	return (s->ring_n > 0 && b->rtt_ns > STEP_POOR * clocksync_rtt(s));
}

/* --- bursts --- */

/*
 * Whether a restored clock may be where its log leaves it: not along the last
 * segment, which may have been on a steep way to its line, and as long as this
 * burst does not prove the contrary.
 */
static bool
clocksync_continues(const struct clocksync *s, const struct clock_burst *b)
{
	const struct clock_segment *last = &s->map.segments[s->map.n - 1];
	int64_t from = last->base_node_ns;
	double was, ago, room;

	if (from < s->told_node_ns)
		from = s->told_node_ns;
	ago = (double)(b->high_node_ns - from);
	was = (double)(clock_segment_mon(last, from) - from) + s->prior * ago;
	room = (double)last->error_ns + MS + s->prior_off * fabs(ago);
	return (was + room >= (double)b->low_ns &&
		was - room <= (double)b->high_ns);
}

/* The newest n bursts are of after the step. */
static void
clocksync_step(struct clocksync *s, int64_t at, unsigned n)
{
	int64_t was = clocksync_mon(s, at);

	clocksync_forget(s, n);
	s->prior = s->slope;
	clocksync_fit(s, at);
	s->steps++;
	s->epoch++;
	s->state = CLOCK_STEPPED;
	s->tight_until_ns = INT64_MIN;
	clocksync_jump(s, at, was - clock_line_mon(&s->line, at));
}

static void
clocksync_follow(struct clocksync *s, int64_t at, int64_t now)
{
	if (clocksync_span(s, at) >= LOCK_SPAN) {
		s->state = CLOCK_LOCKED;
		s->slope = s->line.skew;
	} else if (s->state == CLOCK_HOLDOVER)
		s->state = CLOCK_COARSE;
	if (s->restored)
		clocksync_bridge(s, now);
	clocksync_bend(s, now);
}

/* How far the clock that the node has now is ahead of the one before. */
static int64_t
clocksync_apart(const struct clocksync *s, int64_t at)
{
	int64_t apart;

	if (s->before == NULL || s->before->map.n == 0)
		return (0);
	apart = clocksync_mon(s->before, at) - clock_line_mon(&s->line, at);
	return (apart == 0 ? 1 : apart); /* 0: nothing has happened */
}

/* A burst is complete: fit, and bend the map. */
static void
clocksync_burst(struct clocksync *s, const struct clock_burst *b, int64_t now)
{
	int64_t at = b->high_node_ns;
	bool fits, poor = clocksync_poor(s, b);
	enum clockstep_says says;

	if (s->proving && !(poor && s->poor < STEP_PATIENCE)) {
		s->other = !clocksync_continues(s, b);
		s->proving = false;
		if (s->other)
			return;
	}
	says = clocksync_doubt(s, b, now);
	s->poor = poor ? s->poor + 1 : 0;
	clocksync_keep(s, b);
	if ((poor && s->poor <= STEP_PATIENCE) || says == CLOCKSTEP_MORE) {
		s->probe.soon = true; /* the map stays until better ones come */
		return;
	}
	clocksync_reach(s, INT64_MAX, now); /* by what was known up to now */
	s->told_burst = b;
	fits = clocksync_fit(s, at);
	if (says == CLOCKSTEP_STEP) {
		clocksync_step(s, at, s->doubt.bursts - 1);
	} else if (s->map.n > 0 &&
		   (!fits || (s->restored && !clocksync_continues(s, b)))) {
		clocksync_step(s, at, 1);
	} else if (s->map.n == 0) {
		s->state = CLOCK_COARSE;
		clocksync_jump(s, at, clocksync_apart(s, at));
	} else {
		clocksync_follow(s, at, now);
	}
	s->told_burst = NULL;
	s->doubt.bursts = 0;
	s->restored = false;
	s->fitted_mon_ns = now;
	s->probe.best_ns = (int64_t)(BURST_BEST * (double)clocksync_rtt(s));
	s->probe.enough_ns = (int64_t)(BURST_ENOUGH * (double)clocksync_rtt(s));
}

int
clocksync_pong_late(struct clocksync *s, uint32_t seq, int64_t t1, int64_t t2,
    int64_t t3, int64_t t4, int64_t now)
{
	int got = clockprobe_pong(&s->probe, seq, t1, t2, t3, t4);

	if (got == 1) {
		clocksync_burst(s, clockprobe_burst(&s->probe), now);
		clockprobe_next(&s->probe, now);
	}
	return (got == -1 ? -1 : 0);
}

int
clocksync_pong(struct clocksync *s, uint32_t seq, int64_t t1, int64_t t2,
    int64_t t3, int64_t t4)
{
	return (clocksync_pong_late(s, seq, t1, t2, t3, t4, t4));
}

/* --- what it says --- */

bool
clocksync_usable(const struct clocksync *s)
{
	return (s->map.n > 0 && !s->restored && !s->proving);
}

bool
clocksync_line(const struct clocksync *s, struct clock_line *line, double *beta,
    uint32_t *epoch)
{
	if (s->state != CLOCK_LOCKED || s->restored || s->line.gap_ns <= 0)
		return (false);
	*line = s->line;
	*beta = clockage_beta(&s->age);
	*epoch = s->epoch;
	return (true);
}

const struct clock_burst *
clocksync_burst_of_segment(const struct clocksync *s)
{
	return (s->told_burst);
}

void
clocksync_stats(const struct clocksync *s, int64_t now_node_ns,
    struct clocksync_stats *st)
{
	memset(st, 0, sizeof(*st));
	st->state = s->state;
	st->beta_ppm_s = clockage_beta(&s->age) * 1e6;
	st->pings = s->probe.pings;
	st->pongs = s->probe.pongs;
	st->fits = s->fits;
	st->steps = s->steps;
	st->error_ns = clocksync_error(s, now_node_ns);
	if (s->map.n == 0)
		return;
	st->offset_ns = clocksync_mon(s, now_node_ns) - now_node_ns;
	st->skew_ppm = s->line.skew * 1e6;
	st->rtt_min_ns = s->ring_n > 0 ? clocksync_rtt(s) : 0;
}
