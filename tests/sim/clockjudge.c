/* Errors of clocks, and their bounds. */
#include "tests/sim/clockjudge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clockmap.h"

#define SETTLED_NS (5 * ENV_SEC) /* a clock is known well after this */
#define ENOUGH     1000          /* samples, to tell a share of them */

#define WRONG_NS (10 * ENV_MS) /* by another clock's map, beyond its bound */

/* The maps of the clocks that a node has had. */
struct node_maps {
	struct clockmap *map;
	size_t n;
	uint64_t start; /* of the collector, by the last segment */
};

struct clockjudge {
	struct world *w;
	struct node_maps *nodes;
	size_t n;
	struct errors settled;
	uint64_t bounded, outside;
	double worst_ns, times; /* that the bound was exceeded by, at most */
};

struct clockjudge *
clockjudge_new(struct world *w)
{
	struct clockjudge *j = calloc(1, sizeof(*j));

	if (j == NULL)
		abort();
	j->w = w;
	return (j);
}

void
clockjudge_free(struct clockjudge *j)
{
	for (size_t i = 0; i < j->n; i++) {
		for (size_t k = 0; k < j->nodes[i].n; k++)
			clockmap_clear(&j->nodes[i].map[k]);
		free(j->nodes[i].map);
	}
	free(j->nodes);
	free(j);
}

/* The map that a segment goes on with, or that of another clock. */
static struct clockmap *
map_of_segment(struct node_maps *n, const struct clock_segment *seg,
    uint64_t start)
{
	struct clockmap *last = n->n > 0 ? &n->map[n->n - 1] : NULL;

	if (last == NULL ||
	    (seg->epoch != last->segments[last->n - 1].epoch &&
		(start != n->start || seg->state != CLOCK_STEPPED))) {
		n->map = realloc(n->map, (n->n + 1) * sizeof(*n->map));
		if (n->map == NULL)
			abort();
		last = &n->map[n->n++];
		memset(last, 0, sizeof(*last));
	}
	n->start = start;
	return (last);
}

void
clockjudge_segment(struct clockjudge *j, uint32_t node,
    const struct clock_segment *seg, uint64_t start)
{
	if (node >= j->n) {
		size_t n = (size_t)node + 64;

		j->nodes = realloc(j->nodes, n * sizeof(*j->nodes));
		if (j->nodes == NULL)
			abort();
		memset(j->nodes + j->n, 0, (n - j->n) * sizeof(*j->nodes));
		j->n = n;
	}
	if (clockmap_add(map_of_segment(&j->nodes[node], seg, start), seg) == 0)
		return;
	j->w->r->violations++;
	wrong(j->w, "node %u: a clock segment does not follow on", node);
}

/* It has been locked for a while then, in one epoch, and nothing happened. */
static bool
is_settled(const struct clockmap *map, const struct clock_segment *seg,
    const struct host *h, const struct event *ev, const struct deed *d)
{
	uint32_t epoch = seg->epoch;

	if (h->disturbed_ns != INT64_MIN &&
	    d->true_ns < h->disturbed_ns + SETTLED_NS)
		return (false);
	for (;; seg--) {
		if (seg->state != CLOCK_LOCKED || seg->epoch != epoch)
			return (false);
		if (seg->base_node_ns + SETTLED_NS <= ev->t_node_ns)
			return (true);
		if (seg == map->segments)
			return (false);
	}
}

static void
is_outside(struct clockjudge *j, const struct host *h, const struct deed *d,
    double error, const struct clock_segment *seg)
{
	/* what a monitord that was killed has measured may be forgotten */
	if (h->clocks > 0 && j->w->starts > 1)
		return;
	j->outside++;
	j->w->r->violations++;
	wrong(j->w, "%s: a time is wrong by %.0f ns, its bound is %lld ns",
	    h->name, error, (long long)seg->error_ns);
	j->times = fmax(j->times, error / (double)(seg->error_ns + 1));
	if (j->w->o->verbose)
		fprintf(stderr,
		    "%s at %.6f: clock is wrong by %.0f ns, bound %lld, %s "
		    "since %.6f s\n",
		    h->name, (double)d->true_ns / 1e9, error,
		    (long long)seg->error_ns, clock_state_name[seg->state],
		    (double)(d->node_ns - seg->base_node_ns) / 1e9);
}

/* The map that has put it where it is; the newest if none has. */
static const struct clockmap *
map_of_event(const struct node_maps *n, int64_t node_ns, int64_t mapped_ns)
{
	size_t i = n->n;

	while (i-- > 0) {
		if (clockmap_mon(&n->map[i], node_ns) == mapped_ns)
			return (&n->map[i]);
	}
	return (&n->map[n->n - 1]);
}

/* It was put there by the map of a clock that it is not of. */
static void
is_far_off(struct clockjudge *j, const struct host *h, const struct event *ev,
    double error, const struct clock_segment *seg)
{
	/* what a monitord that was killed has measured may be forgotten */
	if (h->clocks == 0 || h->disturbed_ns != INT64_MIN ||
	    j->w->starts > 1 || error <= (double)(seg->error_ns + WRONG_NS))
		return;
	j->w->r->violations++;
	wrong(j->w, "%s: event %llu of location %u is %.3f ms off", h->name,
	    (unsigned long long)ev->seq, ev->location, error / 1e6);
}

void
clockjudge_event(struct clockjudge *j, const struct host *h, uint32_t node,
    const struct event *ev, const struct deed *d)
{
	int64_t mapped = ev->t_mon_ns - ev->shift_ns;
	double error = fabs((double)(mapped - d->true_ns - CLOCK_ORIGIN));
	const struct clock_segment *seg;
	const struct clockmap *map;
	struct world_result *r = j->w->r;

	if (h->set_back || node >= j->n || j->nodes[node].n == 0 ||
	    ev->shift_ns == UINT32_MAX || (ev->flags & EVENT_AHEAD) != 0)
		return;
	if (h->disturbed_ns != INT64_MIN &&
	    d->true_ns < h->disturbed_ns + DISTURBED_NS)
		return;
	map = map_of_event(&j->nodes[node], ev->t_node_ns, mapped);
	seg = clockmap_find(map, ev->t_node_ns);
	is_far_off(j, h, ev, error, seg);
	errors_add(&r->all, error);
	if (is_settled(map, seg, h, ev, d)) {
		errors_add(&r->settled, error);
		errors_add(&j->settled, error);
		j->worst_ns = fmax(j->worst_ns, error);
	}
	/* before the first measurement the first line is drawn on backwards */
	if (ev->t_node_ns < map->segments[0].base_node_ns)
		return;
	j->bounded++;
	if (error > (double)seg->error_ns)
		is_outside(j, h, d, error, seg);
}

void
clockjudge_end(struct clockjudge *j)
{
	const struct clock_promise *p = &j->w->p.promise;
	struct world *w = j->w;
	double p99_ns = errors_percentile(&j->settled, 0.99);

	w->r->bounded += j->bounded;
	w->r->outside += j->outside;
	if (w->o->verbose)
		fprintf(stderr,
		    "%llu samples, %llu outside their bound, by up to %.2f "
		    "times; %llu of settled clocks, p99 %.0f, worst %.0f ns\n",
		    (unsigned long long)j->bounded,
		    (unsigned long long)j->outside, j->times,
		    (unsigned long long)j->settled.n, p99_ns, j->worst_ns);
	if (p->outside > 0 && j->bounded > ENOUGH &&
	    (double)j->outside > p->outside * (double)j->bounded)
		wrong(w,
		    "%llu of %llu times are outside the clock's bound, by up "
		    "to %.2f times",
		    (unsigned long long)j->outside,
		    (unsigned long long)j->bounded, j->times);
	if (p->p99_ns > 0 && p99_ns > p->p99_ns)
		wrong(w, "clocks are wrong by %.0f ns (p99)", p99_ns);
	if (p->worst_ns > 0 && j->worst_ns > p->worst_ns)
		wrong(w, "a settled clock is wrong by %.0f ns", j->worst_ns);
}

/* --- histograms --- */

void
errors_add(struct errors *e, double ns)
{
	int exponent;
	double m = frexp(ns < 1 ? 1 : ns, &exponent); /* [0.5, 1) */
	unsigned bin =
	    (unsigned)(exponent - 1) * 32 + (unsigned)((m - 0.5) * 64);

	e->bins[bin < ERROR_BINS ? bin : ERROR_BINS - 1]++;
	e->n++;
}

double
errors_percentile(const struct errors *e, double p)
{
	uint64_t rank = (uint64_t)((double)e->n * p), sum = 0;

	for (unsigned i = 0; i < ERROR_BINS; i++) {
		sum += e->bins[i];
		if (sum > rank)
			return (ldexp(0.5 + (i % 32 + 1) / 64.0,
			    (int)(i / 32) + 1));
	}
	return (0);
}
