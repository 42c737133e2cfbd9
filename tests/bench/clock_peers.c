/*
 * Other methods of clock synchronisation.
 *
 * Each gets what its program would: the regression works on the exchanges as
 * they come; Perfetto's on two exchanges of every half minute, averaged over
 * the trace; Score-P's on ten at each end.  The latter two know the whole run
 * before they say anything, ours does not.
 */
#include "clock_peers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

#define NTP_N           8
#define CHRONY_N        64
#define CHRONY_LEAST    4
#define SCOREP_N        10
#define PERFETTO_PERIOD 30.0 /* s */

/* Cristian 1989: what the last exchange says. */
static double
cristian(struct peer_run *r, size_t seen, double node_s)
{
	(void)node_s;
	return (r->probe[seen - 1].offset_ns);
}

/* NTP's clock filter: the fastest of the last eight. */
static double
ntp_filter(struct peer_run *r, size_t seen, double node_s)
{
	size_t from = seen > NTP_N ? seen - NTP_N : 0, best = from;

	(void)node_s;
	for (size_t i = from; i < seen; i++) {
		if (r->probe[i].delay_ns < r->probe[best].delay_ns)
			best = i;
	}
	return (r->probe[best].offset_ns);
}

/* --- weighted regression with a test of runs, as chrony has it --- */

struct fit {
	double base, slope; /* at the newest sample */
	size_t runs;
};

static struct fit
regress(const struct peer_probe *const *p, size_t n)
{
	double dist[CHRONY_N], least, sd;
	double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, det;
	struct fit f = { .runs = 1 };
	bool above = false;

	for (size_t i = 0; i < n; i++)
		dist[i] = p[i]->delay_ns / 2;
	qsort(dist, n, sizeof(*dist), by_value);
	least = dist[0];
	sd = (dist[n / 2] - least) / 0.7 + 1;
	for (size_t i = 0; i < n; i++) {
		double d = 1 + (p[i]->delay_ns / 2 - least) / sd;
		double w = 1 / (d * d);
		double x = p[i]->node_s - p[n - 1]->node_s;

		sw += w;
		sx += w * x;
		sy += w * p[i]->offset_ns;
		sxx += w * x * x;
		sxy += w * x * p[i]->offset_ns;
	}
	det = sw * sxx - sx * sx;
	f.slope = det > 0 ? (sw * sxy - sx * sy) / det : 0;
	f.base = (sy - f.slope * sx) / sw;
	for (size_t i = 0; i < n; i++) {
		double x = p[i]->node_s - p[n - 1]->node_s;
		bool up = p[i]->offset_ns > f.base + f.slope * x;

		f.runs += i > 0 && up != above;
		above = up;
	}
	return (f);
}

/* The oldest are dropped until the signs of what is left over look random. */
static double
chrony(struct peer_run *r, const struct peer_probe *const *p, size_t n,
    size_t seen, double node_s)
{
	while (r->fitted != seen) {
		struct fit f = regress(p, n);
		double expect = ((double)n + 1) / 2;

		r->base_ns = f.base;
		r->slope = f.slope;
		r->at_s = p[n - 1]->node_s;
		if (n <= CHRONY_LEAST ||
		    (double)f.runs >= expect - 1.645 * sqrt((double)n - 1) / 2)
			r->fitted = seen;
		p++;
		n--;
	}
	return (r->base_ns + r->slope * (node_s - r->at_s));
}

static double
chrony_all(struct peer_run *r, size_t seen, double node_s)
{
	const struct peer_probe *p[CHRONY_N];
	size_t n = seen < CHRONY_N ? seen : CHRONY_N;

	for (size_t i = 0; i < n; i++)
		p[i] = &r->probe[seen - n + i];
	return (chrony(r, p, n, seen, node_s));
}

/* The same, given only the fastest exchange of every burst. */
static double
chrony_best(struct peer_run *r, size_t seen, double node_s)
{
	const struct peer_probe *p[CHRONY_N], *best = NULL;
	size_t n = 0;

	if (r->fitted == seen)
		return (r->base_ns + r->slope * (node_s - r->at_s));
	for (size_t i = seen; i > 0 && n < CHRONY_N; i--) {
		const struct peer_probe *q = &r->probe[i - 1];

		if (best == NULL || q->delay_ns < best->delay_ns)
			best = q;
		if (q->in_burst == 0) {
			p[CHRONY_N - ++n] = best;
			best = NULL;
		}
	}
	return (chrony(r, p + CHRONY_N - n, n, seen, node_s));
}

/* --- afterwards --- */

static const struct peer_probe *
fastest(const struct peer_probe *p, size_t n)
{
	const struct peer_probe *best = p;

	for (size_t i = 1; i < n; i++) {
		if (p[i].delay_ns < best->delay_ns)
			best = &p[i];
	}
	return (best);
}

/* Offsets at the begin and at the end, a straight line between. */
static double
scorep(struct peer_run *r, size_t seen, double node_s)
{
	const struct peer_probe *a = fastest(r->probe, SCOREP_N);
	const struct peer_probe *b =
	    fastest(r->probe + r->n - SCOREP_N, SCOREP_N);

	(void)seen;
	return (a->offset_ns + (b->offset_ns - a->offset_ns) *
				   (node_s - a->node_s) /
				   (b->node_s - a->node_s));
}

/* Two exchanges each half minute; one plain mean of all of them. */
static double
perfetto(struct peer_run *r, size_t seen, double node_s)
{
	double next_s = -HUGE_VAL, sum = 0;
	size_t n = 0;

	(void)seen;
	(void)node_s;
	if (r->fitted == r->n)
		return (r->base_ns);
	for (size_t i = 0; i + 1 < r->n; i++) {
		if (r->probe[i].node_s < next_s)
			continue;
		sum += (r->probe[i].offset_ns + r->probe[i + 1].offset_ns) / 2;
		n++;
		next_s = r->probe[i].node_s + PERFETTO_PERIOD;
	}
	r->base_ns = sum / (double)n;
	r->fitted = r->n;
	return (r->base_ns);
}

const struct clock_peer clock_peers[CLOCK_PEERS] = {
	{ "chrony-like regression", chrony_all },
	{ "chrony-like, fastest of each burst", chrony_best },
	{ "Score-P interpolation, afterwards", scorep },
	{ "Perfetto's mean, afterwards", perfetto },
	{ "NTP filter, fastest of 8", ntp_filter },
	{ "Cristian, last exchange", cristian },
};
