/*
 * How far the clocks of one pair are apart, by their messages.
 *
 * Seen through the present lines, each message from a to b says that b's line
 * must not be lower, one from b to a that it must not be higher; the line
 * between all these, aged as the pings are, is the same fit as for pings.
 */
#include <math.h>

#include "tighten_inside.h"

#define AGE_MAX_S    60
#define SLOPE_RANGE  2e-5 /* the pings know the slope better than that */
#define BETA_MAX     3e-6 /* 1/s; a clock that wanders faster has stepped */
#define BETA_STEP    8
#define BETA_ROOM    0.75 /* with less of the gap, believe old ones less */
#define SLOPE_SPAN_S 1.9  /* messages of a shorter time tell no slope */
#define GAP_LEAST    50.0 /* ns: nothing is known better */

struct fit {
	struct clock_burst bursts[TIGHTEN_FINE + TIGHTEN_COARSE];
	size_t low_n, high_n;
	int64_t first, last;
};

/* A kept message as a bound on d, through the present lines. */
static void
fit_take(struct fit *f, const struct tighten *t, const struct tighten_pair *p,
    int way, const struct tighten_sample *s, int64_t oldest)
{
	const struct clock_line *from = &t->clocks[way == 0 ? p->a : p->b].line;
	const struct clock_line *to = &t->clocks[way == 0 ? p->b : p->a].line;
	int64_t sent = clock_line_mon(from, s->sent_node_ns);
	int64_t took = clock_line_mon(to, s->taken_node_ns) - sent;

	if (sent < oldest)
		return;
	if (way == 0) {
		f->bursts[f->low_n].low_node_ns = sent;
		f->bursts[f->low_n++].low_ns = -took;
	} else {
		f->bursts[f->high_n].high_node_ns = sent;
		f->bursts[f->high_n++].high_ns = took;
	}
	if (sent < f->first)
		f->first = sent;
	if (sent > f->last)
		f->last = sent;
}

static void
fit_gather(struct fit *f, const struct tighten *t, const struct tighten_pair *p,
    int64_t at)
{
	int64_t oldest = at - (int64_t)(AGE_MAX_S * SEC);

	f->low_n = f->high_n = 0;
	f->first = INT64_MAX;
	f->last = INT64_MIN;
	for (int way = 0; way < 2; way++) {
		const struct tighten_way *w = &p->ways[way];

		for (size_t i = 0; i < w->coarse_n; i++)
			fit_take(f, t, p, way, &w->coarse[i], oldest);
		for (size_t i = 0; i < w->fine_n; i++)
			fit_take(f, t, p, way, &w->fine[i], oldest);
	}
}

/*
 * What the messages prove: d is at least low and at most high, whatever their
 * delays were.  A bound ages: frequencies change, and the lines it was looked
 * at through may have a wrong slope.
 */
static void
fit_bounds(const struct fit *f, struct tighten_pair *p, int64_t at, double beta,
    double skew)
{
	p->low = -HUGE_VAL;
	p->high = HUGE_VAL;
	for (size_t i = 0; i < f->low_n; i++) {
		double age = fabs((double)(at - f->bursts[i].low_node_ns));

		p->low = fmax(p->low, (double)f->bursts[i].low_ns -
					  (beta / 2 * age / SEC + skew) * age);
	}
	for (size_t i = 0; i < f->high_n; i++) {
		double age = fabs((double)(at - f->bursts[i].high_node_ns));

		p->high =
		    fmin(p->high, (double)f->bursts[i].high_ns +
				      (beta / 2 * age / SEC + skew) * age);
	}
	p->low_known = f->low_n > 0;
	p->high_known = f->high_n > 0;
}

/* Where d is most likely: false when no line fits between the bounds. */
static bool
fit_middle(struct fit *f, struct tighten_pair *p, int64_t at, double beta)
{
	size_t n = f->low_n > f->high_n ? f->low_n : f->high_n;
	double span_s = (double)(f->last - f->first) / SEC, off, over;
	bool young = span_s < SLOPE_SPAN_S;
	double range = young ? 0 : SLOPE_RANGE;
	struct clock_line line, next;

	/* the fit wants as many of one as of the other: repeats do no harm */
	for (size_t i = f->low_n; i < n; i++) {
		f->bursts[i].low_node_ns = f->bursts[0].low_node_ns;
		f->bursts[i].low_ns = f->bursts[0].low_ns;
	}
	for (size_t i = f->high_n; i < n; i++) {
		f->bursts[i].high_node_ns = f->bursts[0].high_node_ns;
		f->bursts[i].high_ns = f->bursts[0].high_ns;
	}
	/* messages see a clock wander that pings do not */
	clockfit(f->bursts, n, at, beta, 0, range, 0, &line);
	while (beta < BETA_MAX) {
		clockfit(f->bursts, n, at, beta * BETA_STEP, 0, range, 0,
		    &next);
		if (line.gap_ns >= BETA_ROOM * next.gap_ns)
			break;
		line = next;
		beta *= BETA_STEP;
	}
	if (!(line.gap_ns > 0))
		return (false);
	p->both = p->trusted = true;
	p->middle = (double)line.offset_ns;
	p->half = fmax(line.gap_ns, GAP_LEAST) / 2;
	off = MESSAGES_OFF * p->half;
	p->weight = 1 / (off * off);
	p->slope = line.skew;
	/* known over the time that ageing leaves it */
	over = fmin(span_s, sqrt(2 * p->half / SEC / (beta + 1e-12)));
	p->slope_weight = young ? 0 : p->weight * over * over;
	return (true);
}

void
tighten_pair_fit(struct tighten *t, struct tighten_pair *p, int64_t at)
{
	const struct tighten_clock *a = &t->clocks[p->a], *b = &t->clocks[p->b];
	double beta = a->beta + b->beta, turn;
	struct fit f;

	p->both = p->trusted = p->low_known = p->high_known = false;
	p->slope_weight = 0;
	if (!a->told || !b->told)
		return;
	fit_gather(&f, t, p, at);
	turn = 2 * (a->room / a->over_s + b->room / b->over_s) / SEC;
	fit_bounds(&f, p, at, beta * BETA_STEP, fmax(turn, a->turn + b->turn));
	if (p->low > a->proven + b->proven ||
	    p->high < -a->proven - b->proven) {
		/* not by any allowed move: a clock has stepped, or a lie */
		t->stats.contradictions++;
		p->low_known = p->high_known = false;
	} else if (p->low > p->high || (p->low_known && p->high_known &&
					   !fit_middle(&f, p, at, beta))) {
		t->stats.contradictions++;
		p->low_known = p->high_known = false;
		tighten_pair_forget(p); /* whoever is wrong: begin anew */
	}
}
