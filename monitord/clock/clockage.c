/*
 * Automatic ageing.
 *
 * Bursts are fitted on a ladder of betas.  As long as the gap between the
 * bounds is about a round trip wide, they agree with a straight line; when it
 * is not, older ones have to be believed less.  A rung is good as long as going
 * down to it costs no more gap than the first step down did: that much is
 * chance (fewer bursts count on the higher rungs), more is the clock's wander.
 *
 * Above the ladder are betas for clocks that wander as no good one does, tens
 * of ppm within a minute.  Nothing is learnt from them: they are for a fit that
 * even the highest rung leaves too little room, and would take for a step.  A
 * step is farther from what was before than any of them allows.
 */
#include "clockage.h"

#include <math.h>
#include <string.h>

#define RUNGS         CLOCKAGE_RUNGS
#define RUNG_FIRST    3     /* until more is known */
#define RUNG_DROP     1.3   /* times the drop of the first step */
#define RUNG_SLACK    0.003 /* and so many round trips */
#define RUNG_MEMORY   0.03  /* weight of the newest fit in the mean */
#define RUNG_WARM     30    /* fits before the mean is believed */
#define RUNG_PATIENCE 20    /* a lower one must be better for so many fits */
#define RUNG_ROOM     0.8   /* a fit with less gap takes the next rung up */
#define RUNG_ROAMS    3e-8
#define RUNG_CALM     60   /* fits below it before a clock does not roam */
#define STEEP_MEMORY  0.99 /* of the steepest fit, at each */
#define BAND_MORE     3    /* the bound allows for so much more wander */
static const double rungs[RUNGS] = { 3e-7, 1e-7, 3e-8, 1e-8, 3e-9 };
static const double above[] = { 1e-6, 3e-6 };

void
clockage_init(struct clockage *a)
{
	memset(a, 0, sizeof(*a));
	a->rung = a->wanted = RUNG_FIRST;
	a->beta = rungs[a->rung];
}

/* The lowest rung to which the clock's wander costs no gap, on the mean. */
static unsigned
clockage_best(const struct clockage *a)
{
	double most = RUNG_DROP * (a->room[0] - a->room[1]) + RUNG_SLACK;
	unsigned r = 1;

	if (a->rooms < RUNG_WARM)
		return (RUNG_FIRST);
	while (r + 1 < RUNGS && a->room[r] - a->room[r + 1] <= most)
		r++;
	return (r);
}

/* Up at once, down only when it has been better for long. */
static void
clockage_choose(struct clockage *a, unsigned best)
{
	if (best <= a->wanted) {
		a->wanted = best;
		a->patience = 0;
	} else if (++a->patience >= RUNG_PATIENCE) {
		a->wanted++;
		a->patience = 0;
	}
}

static void
clockage_learn(struct clockage *a, const double room[RUNGS])
{
	double weight = a->rooms == 0 ? 1 : RUNG_MEMORY;

	for (unsigned r = 0; r < RUNGS; r++)
		a->room[r] += weight * (room[r] - a->room[r]);
	a->rooms++;
}

/* The fit that the ladder's top has too little room for; returns the room. */
static double
clockage_above(struct clockage *a, const struct clock_burst *bursts, size_t n,
    int64_t at_node_ns, double rtt_ns, const struct clockage_prior *prior,
    double room, struct clock_line *line)
{
	struct clock_line l;

	for (size_t i = 0;
	     i < sizeof(above) / sizeof(*above) && room < RUNG_ROOM; i++) {
		clockfit(bursts, n, at_node_ns, above[i], prior->skew,
		    prior->range, prior->slack_ns, &l);
		if (l.gap_ns / rtt_ns <= room)
			continue;
		room = l.gap_ns / rtt_ns;
		a->beta = above[i];
		*line = l;
	}
	return (room);
}

double
clockage_fit(struct clockage *a, const struct clock_burst *bursts, size_t n,
    int64_t at_node_ns, double rtt_ns, const struct clockage_prior *prior,
    bool learn, struct clock_line *line, struct clock_band *band)
{
	struct clock_line lines[RUNGS];
	double room[RUNGS], most;

	for (unsigned r = 0; r < RUNGS; r++) {
		clockfit(bursts, n, at_node_ns, rungs[r], prior->skew,
		    prior->range, prior->slack_ns, &lines[r]);
		room[r] = lines[r].gap_ns / rtt_ns;
	}
	if (learn)
		clockage_learn(a, room);
	clockage_choose(a, clockage_best(a));
	a->rung = a->wanted;
	while (a->rung > 0 && room[a->rung] < RUNG_ROOM)
		a->rung--;
	*line = lines[a->rung];
	a->beta = rungs[a->rung];
	most = clockage_above(a, bursts, n, at_node_ns, rtt_ns, prior,
	    room[a->rung], line);
	if (rungs[a->rung] >= RUNG_ROAMS)
		a->roamed = RUNG_CALM;
	else if (a->roamed > 0)
		a->roamed--;
	a->steepest = fmax(a->beta, a->steepest * STEEP_MEMORY);
	clockfit_band(bursts, n, at_node_ns, a->beta * BAND_MORE, CLOCKFIT_SKEW,
	    line, band);
	return (most);
}

double
clockage_beta(const struct clockage *a)
{
	return (a->beta);
}

double
clockage_steepest(const struct clockage *a)
{
	return (a->steepest);
}

bool
clockage_roams(const struct clockage *a)
{
	return (a->roamed > 0);
}
