/*
 * The aged max-gap fit.
 *
 * For a given slope the bounds say how high and how low the line may lie; the
 * difference is the gap, a concave, piecewise linear function of the slope.
 * Its maximum is found with tangents: two of them, from both sides, meet above
 * it; where they meet is the next slope to try.  That takes some eight rounds
 * over the bounds where a golden section takes forty.
 *
 * Duda et al. 1987 drew such lines through traced messages; the ageing, which
 * stands for a window length, lets the clock's frequency wander.
 */
#include "clockfit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define FIT_ROUNDS 64
#define FIT_EXACT  1e-3 /* ns */

struct fit {
	size_t n;
	double low_x[CLOCKFIT_BURSTS], low_y[CLOCKFIT_BURSTS];
	double high_x[CLOCKFIT_BURSTS], high_y[CLOCKFIT_BURSTS];
};

struct fit_point {
	double slope, gap, rise; /* rise: how the gap changes with the slope */
	double low, high;        /* room for the line at x = 0 */
};

void
clock_burst_add(struct clock_burst *b, int64_t t1_mon_ns, int64_t t2_node_ns,
    int64_t t3_node_ns, int64_t t4_mon_ns, int first)
{
	int64_t low = t1_mon_ns - t2_node_ns, high = t4_mon_ns - t3_node_ns;

	if (first || low > b->low_ns) {
		b->low_ns = low;
		b->low_node_ns = t2_node_ns;
	}
	if (first || high < b->high_ns) {
		b->high_ns = high;
		b->high_node_ns = t3_node_ns;
	}
	if (first || high - low < b->rtt_ns)
		b->rtt_ns = high - low;
}

static struct fit_point
fit_try(const struct fit *f, double slope)
{
	struct fit_point p = { .slope = slope };
	size_t low = 0, high = 0;

	assert(f->n > 0);
	p.low = -HUGE_VAL;
	p.high = HUGE_VAL;
	for (size_t i = 0; i < f->n; i++) {
		double l = f->low_y[i] - slope * f->low_x[i];
		double h = f->high_y[i] - slope * f->high_x[i];

		if (l > p.low) {
			p.low = l;
			low = i;
		}
		if (h < p.high) {
			p.high = h;
			high = i;
		}
	}
	p.gap = p.high - p.low;
	p.rise = f->low_x[low] - f->high_x[high];
	return (p);
}

static struct fit_point
fit_best(const struct fit *f, double from, double to)
{
	struct fit_point a = fit_try(f, from), b, m;

	if (a.rise <= 0)
		return (a);
	b = fit_try(f, to);
	if (b.rise >= 0)
		return (b);
	for (int i = 0; i < FIT_ROUNDS; i++) {
		double t =
		    (b.gap - a.gap + a.rise * a.slope - b.rise * b.slope) /
		    (a.rise - b.rise);
		double roof = a.gap + a.rise * (t - a.slope);

		if (i % 4 == 3) /* never creep */
			t = a.slope + (b.slope - a.slope) / 2;
		m = fit_try(f, t);
		if (m.rise == 0 || m.gap >= roof - FIT_EXACT || t <= a.slope ||
		    t >= b.slope)
			return (m);
		if (m.rise > 0)
			a = m;
		else
			b = m;
	}
	return (a.gap > b.gap ? a : b);
}

/* How far from best towards limit the gap stays above least. */
static double
fit_edge(const struct fit *f, double best, double limit, double least)
{
	double good = best, bad = limit;

	if (fit_try(f, limit).gap >= least)
		return (limit);
	for (int i = 0; i < 24; i++) {
		double middle = good + (bad - good) / 2;

		if (fit_try(f, middle).gap >= least)
			good = middle;
		else
			bad = middle;
	}
	return (good);
}

/* The monitor's time at at_node_ns, by the bound that is nearest to it. */
static int64_t
fit_mon(const struct clock_burst *bursts, size_t n, int64_t at_node_ns)
{
	const struct clock_burst *nearest = bursts;

	for (size_t i = 1; i < n; i++) {
		if (llabs(bursts[i].high_node_ns - at_node_ns) <
		    llabs(nearest->high_node_ns - at_node_ns))
			nearest = &bursts[i];
	}
	return (at_node_ns + nearest->high_ns);
}

/*
 * Bounds relative to at_node_ns and to the first one, which is returned.  Ages
 * are those of the monitor's clock: a node's may have jumped by years.
 */
static int64_t
fit_load(struct fit *f, const struct clock_burst *bursts, size_t n,
    int64_t at_node_ns, double beta)
{
	int64_t offset = bursts[0].low_ns, at_mon_ns;
	double wide = beta / 2 * 1e-9; /* beta/2 * age_s^2, in ns */

	f->n = n < CLOCKFIT_BURSTS ? n : CLOCKFIT_BURSTS;
	at_mon_ns = fit_mon(bursts, f->n, at_node_ns);
	for (size_t i = 0; i < f->n; i++) {
		const struct clock_burst *b = &bursts[i];
		double la = (double)(b->low_node_ns + b->low_ns - at_mon_ns);
		double ha = (double)(b->high_node_ns + b->high_ns - at_mon_ns);

		f->low_x[i] = (double)(b->low_node_ns - at_node_ns);
		f->low_y[i] = (double)(b->low_ns - offset) - wide * la * la;
		f->high_x[i] = (double)(b->high_node_ns - at_node_ns);
		f->high_y[i] = (double)(b->high_ns - offset) + wide * ha * ha;
	}
	return (offset);
}

void
clockfit(const struct clock_burst *bursts, size_t n, int64_t at_node_ns,
    double beta, double skew, double range, double slack_ns,
    struct clock_line *line)
{
	struct fit_point best;
	struct fit f;
	int64_t offset = fit_load(&f, bursts, n, at_node_ns, beta);

	best = fit_best(&f, skew - range, skew + range);
	if (slack_ns > 0) {
		double least = best.gap - slack_ns;
		double from = fit_edge(&f, best.slope, skew - range, least);
		double to = fit_edge(&f, best.slope, skew + range, least);

		best = fit_try(&f, from + (to - from) / 2);
	}
	line->base_node_ns = at_node_ns;
	line->offset_ns =
	    offset + llround(best.low + (best.high - best.low) / 2);
	line->skew = best.slope;
	line->gap_ns = best.gap;
}

/*
 * The last slope towards limit with a gap: tangents from outside come nearer
 * and never go past it.
 */
static struct fit_point
fit_last(const struct fit *f, double limit)
{
	struct fit_point p = fit_try(f, limit);

	for (int i = 0; i < FIT_ROUNDS && p.gap < -FIT_EXACT; i++) {
		if (p.rise == 0 || p.rise * limit > 0)
			break; /* it only gets worse */
		p = fit_try(f, p.slope - p.gap / p.rise);
	}
	return (p);
}

void
clockfit_band(const struct clock_burst *bursts, size_t n, int64_t at_node_ns,
    double beta, double range, const struct clock_line *line,
    struct clock_band *band)
{
	struct fit_point low, high;
	struct fit f;
	int64_t offset = fit_load(&f, bursts, n, at_node_ns, beta);

	band->base_node_ns = at_node_ns;
	band->beta = beta;
	low = fit_last(&f, -range);
	high = fit_last(&f, range);
	if (low.gap < -1 || high.gap < -1) {
		double half = 0;

		for (size_t i = 0; i < f.n; i++)
			half = fmax(half, (double)bursts[i].rtt_ns / 2);
		band->low_ns = (double)line->offset_ns - half;
		band->high_ns = (double)line->offset_ns + half;
		band->low_skew = -range;
		band->high_skew = range;
		return;
	}
	band->low_ns = (double)offset + low.low;
	band->low_skew = low.slope;
	band->high_ns = (double)offset + high.high;
	band->high_skew = high.slope;
}

double
clock_band_off(const struct clock_band *b, int64_t node_ns, int64_t mon_ns)
{
	double d = (double)(node_ns - b->base_node_ns);
	double off = (double)(mon_ns - node_ns);
	double wide = b->beta / 2 * 1e-9 * d * d;
	double low = off - (b->low_ns + b->low_skew * d) + wide;
	double high = b->high_ns + b->high_skew * d - off + wide;

	return (low > high ? low : high);
}

int64_t
clock_line_mon(const struct clock_line *l, int64_t node_ns)
{
	return (node_ns + l->offset_ns +
		llround(l->skew * (double)(node_ns - l->base_node_ns)));
}
