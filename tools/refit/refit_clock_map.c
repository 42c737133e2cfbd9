/*
 * A clock, looked at afterwards: from knots to a map.
 *
 * Where messages have said more, their knots stand for those of the pings.
 * Between knots the map is straight.  Steps stay where the log has them; an
 * epoch without bursts stays as it was.
 */
#include <math.h>
#include <stdlib.h>

#include "refit_clock_inside.h"

/* Knots of messages so close are a stretch. */
#define TIGHT_GAP_NS INT64_C(2000000000)

/* Index of the last knot not after node_ns; 0 when there is none. */
size_t
refit_clock_knot_before(const struct refit_knots *k, int64_t node_ns)
{
	size_t lo = 0, hi = k->n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->knot[mid].node_ns <= node_ns)
			lo = mid;
		else
			hi = mid;
	}
	return (lo);
}

/* Messages have said more of this time. */
static bool
covered(const struct refit_knots *k, int64_t node_ns)
{
	const struct refit_knot *a, *b;

	if (k->n < 2)
		return (false);
	a = &k->knot[refit_clock_knot_before(k, node_ns)];
	b = a == &k->knot[k->n - 1] ? a : a + 1;
	return (a->node_ns <= node_ns &&
		(a == b ? node_ns == a->node_ns
			: b->node_ns - a->node_ns < TIGHT_GAP_NS));
}

/* The knots of an epoch, those of messages before those of pings. */
static int
merge_knots(const struct refit_epoch *e, struct refit_knots *out)
{
	const struct refit_knots *p = &e->pings, *m = &e->messages;
	size_t i = 0, k = 0;

	out->n = 0;
	while (i < p->n || k < m->n) {
		const struct refit_knot *from;
		void *array = out->knot;

		if (i < p->n && covered(m, p->knot[i].node_ns)) {
			i++;
			continue;
		}
		if (k < m->n &&
		    (i == p->n || m->knot[k].node_ns <= p->knot[i].node_ns))
			from = &m->knot[k++];
		else
			from = &p->knot[i++];
		if (out->n > 0 &&
		    from->node_ns - out->knot[out->n - 1].node_ns < KNOT_NS / 4)
			continue;
		if (refit_clock_reserve(&array, &out->cap, out->n,
			sizeof(*out->knot)) == -1)
			return (-1);
		out->knot = array;
		out->knot[out->n++] = *from;
	}
	return (0);
}

static int64_t
skew_q40(double skew)
{
	return (llround(fmin(fmax(skew, -9.5e-4), 9.5e-4) * 0x1p40));
}

/* Goes on where the map is, so that it stays whole whatever the rounding. */
static int
put_segment(struct refit_clock *c, const struct refit_epoch *e,
    int64_t base_node_ns, const struct refit_knot *to, int64_t error_ns,
    bool through)
{
	const struct clock_segment *last =
	    c->map.n == 0 ? NULL : &c->map.segments[c->map.n - 1];
	struct clock_segment s = { .base_node_ns = base_node_ns,
		.error_ns = error_ns,
		.epoch = e->epoch,
		.state = CLOCK_LOCKED };
	int64_t span = to->node_ns - base_node_ns;

	if (last != NULL && base_node_ns <= last->base_node_ns)
		return (0);
	if (last != NULL && last->epoch == e->epoch) {
		s.base_mon_ns = clock_segment_mon(last, base_node_ns);
		s.skew_q40 =
		    skew_q40(through && span > 0
				 ? (double)(to->mon_ns - s.base_mon_ns - span) /
				       (double)span
				 : to->skew);
	} else { /* the first of its epoch: along the line to the first knot */
		s.base_mon_ns =
		    to->mon_ns - span - llround((double)span * to->skew);
		s.skew_q40 = skew_q40(to->skew);
		if (last != NULL && s.base_mon_ns <= last->base_mon_ns)
			s.base_mon_ns = last->base_mon_ns + 1;
		if (last != NULL)
			s.state = CLOCK_STEPPED; /* it is the same clock */
	}
	return (clockmap_add(&c->map, &s));
}

static int
keep_epoch(struct refit_clock *c, const struct refit_epoch *e)
{
	for (size_t i = 0; i < e->nold; i++) {
		struct clock_segment s = c->old[e->old + i];
		const struct clock_segment *last =
		    c->map.n == 0 ? NULL : &c->map.segments[c->map.n - 1];

		if (last != NULL && s.base_mon_ns <= last->base_mon_ns)
			s.base_mon_ns = last->base_mon_ns + 1;
		if (clockmap_add(&c->map, &s) == -1)
			return (-1);
	}
	return (0);
}

static int
map_epoch(struct refit_clock *c, const struct refit_epoch *e,
    const struct refit_knots *k, int64_t end_node_ns)
{
	int64_t begin = c->old[e->old].base_node_ns;
	const struct refit_knot *a = k->knot, *b;

	if (put_segment(c, e, begin, a, a->error_ns, false) == -1)
		return (-1);
	for (size_t i = 0; i < k->n && k->knot[i].node_ns < end_node_ns; i++) {
		a = &k->knot[i];
		b = i + 1 < k->n ? a + 1 : a;
		if (a->node_ns <= begin)
			continue;
		if (put_segment(c, e, a->node_ns, b,
			a->error_ns > b->error_ns ? a->error_ns : b->error_ns,
			b != a) == -1)
			return (-1);
	}
	return (0);
}

int
refit_clock_map(struct refit_clock *c)
{
	struct refit_knots k = { 0 };
	int rv = 0;

	clockmap_clear(&c->map);
	for (size_t i = 0; rv == 0 && i < c->nepochs; i++) {
		const struct refit_epoch *e = &c->epochs[i];
		int64_t end = i + 1 < c->nepochs ? c->old[e[1].old].base_node_ns
						 : INT64_MAX;

		rv = merge_knots(e, &k);
		if (rv == 0)
			rv = c->broken || k.n == 0 ? keep_epoch(c, e)
						   : map_epoch(c, e, &k, end);
	}
	free(k.knot);
	return (rv);
}
