/*
 * A clock, looked at afterwards: the knots of its new map.
 *
 * Every knot of the new map is where a line runs through the bursts around it,
 * those of the future as well as those of the past; both are believed less the
 * farther they are, as on line.  How fast they age is found out as there: the
 * lowest ageing that costs no gap.
 */
#include "refit_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refit_clock_inside.h"

#define SEC         INT64_C(1000000000)
#define NEAR_NS     (10 * SEC) /* bursts so far away say something */
#define YOUNG_NS    (2 * SEC)  /* a shorter time tells no slope */
#define YOUNG_RANGE 2e-4
#define TIME_LIMIT  ((int64_t)1 << 61)
#define SAMPLES     40 /* knots that beta is found with */
#define DROP        1.3
#define DROP_SLACK  0.003
#define ROOM        0.8 /* a fit with less takes the next rung up */
#define RUNGS       5
static const double rungs[RUNGS] = { 3e-7, 1e-7, 3e-8, 1e-8, 3e-9 };

void
refit_clock_clear(struct refit_clock *c)
{
	for (size_t i = 0; i < c->nepochs; i++) {
		free(c->epochs[i].bursts);
		free(c->epochs[i].pings.knot);
		free(c->epochs[i].messages.knot);
	}
	free(c->epochs);
	free(c->old);
	clockmap_clear(&c->map);
	clockmap_clear(&c->was);
	memset(c, 0, sizeof(*c));
}

/* Far from where sums overflow; no clock is there. */
static bool
sane(int64_t a, int64_t b)
{
	return (a > -TIME_LIMIT && a < TIME_LIMIT && b > -TIME_LIMIT &&
		b < TIME_LIMIT);
}

/* Room for one more; -1: ENOMEM. */
int
refit_clock_reserve(void **array, size_t *cap, size_t n, size_t size)
{
	size_t more = *cap == 0 ? 64 : *cap * 2;
	void *p;

	if (n < *cap)
		return (0);
	p = reallocarray(*array, more, size);
	if (p == NULL)
		return (-1);
	*array = p;
	*cap = more;
	return (0);
}

static int
add_epoch(struct refit_clock *c, uint32_t number)
{
	struct refit_epoch *p;

	p = reallocarray(c->epochs, c->nepochs + 1, sizeof(*p));
	if (p == NULL)
		return (-1);
	c->epochs = p;
	p[c->nepochs++] =
	    (struct refit_epoch){ .epoch = number, .old = c->nold };
	return (0);
}

static int
add_burst(struct refit_epoch *e, const struct msg_segment *m)
{
	void *p = e->bursts;
	const struct clock_burst *last;
	struct clock_burst b = { .low_node_ns = m->low_node_ns,
		.low_ns = m->low_ns,
		.high_node_ns = m->high_node_ns,
		.high_ns = m->high_ns };

	last = e->nbursts == 0 ? NULL : &e->bursts[e->nbursts - 1];
	if (last != NULL && b.high_node_ns <= last->high_node_ns)
		return (0); /* in order, or it is none of ours */
	if (!sane(b.low_node_ns, b.low_ns) || !sane(b.high_node_ns, b.high_ns))
		return (0);
	b.rtt_ns = b.high_ns - b.low_ns;
	if (b.rtt_ns < 0)
		return (0);
	if (refit_clock_reserve(&p, &e->cap, e->nbursts, sizeof(b)) == -1)
		return (-1);
	e->bursts = p;
	e->bursts[e->nbursts++] = b;
	return (0);
}

int
refit_clock_add(struct refit_clock *c, const struct msg_segment *m)
{
	struct clock_segment s = { m->base_node_ns, m->base_mon_ns, m->skew_q40,
		m->error_ns, m->epoch, m->state };
	struct refit_epoch *e;
	void *p = c->old;

	if (c->nold > 0 && clock_segment_is_other(&c->old[c->nold - 1],
			       m->start != c->start, &s))
		c->broken = true; /* of two clocks, which is not to be undone */
	c->start = m->start;
	if (c->broken || !sane(m->base_node_ns, m->base_mon_ns) ||
	    clockmap_add(&c->was, &s) == -1) {
		c->broken = true;
		return (0);
	}
	if (refit_clock_reserve(&p, &c->old_cap, c->nold, sizeof(s)) == -1)
		return (-1);
	c->old = p;
	if ((c->nepochs == 0 || c->epochs[c->nepochs - 1].epoch != m->epoch) &&
	    add_epoch(c, m->epoch) == -1)
		return (-1);
	e = &c->epochs[c->nepochs - 1];
	c->old[c->nold++] = s;
	e->nold++;
	return (m->burst ? add_burst(e, m) : 0);
}

/* --- fitting --- */

/* The line through the bursts around the i-th, and their shortest trip. */
static double
fit_at(const struct refit_epoch *e, size_t i, double beta,
    struct clock_line *line)
{
	size_t n = e->nbursts < CLOCKFIT_BURSTS ? e->nbursts : CLOCKFIT_BURSTS;
	size_t from = i < n / 2 ? 0 : i - n / 2;
	const struct clock_burst *b;
	int64_t rtt = INT64_MAX, span;
	bool young;

	if (from + n > e->nbursts)
		from = e->nbursts - n;
	b = e->bursts + from;
	for (size_t k = 0; k < n; k++)
		rtt = b[k].rtt_ns < rtt ? b[k].rtt_ns : rtt;
	span = b[n - 1].high_node_ns - b[0].high_node_ns;
	young = span < YOUNG_NS;
	clockfit(b, n, e->bursts[i].high_node_ns, beta, 0,
	    young ? YOUNG_RANGE : CLOCKFIT_SKEW, young ? (double)rtt / 4 : 0,
	    line);
	return (line->gap_ns / (double)(rtt + 1));
}

/* The lowest rung to which going down costs no gap but for chance. */
static unsigned
find_rung(const struct refit_epoch *e)
{
	size_t step = e->nbursts / SAMPLES + 1, n = 0;
	double room[RUNGS] = { 0 }, most;
	struct clock_line line;
	unsigned r = 1;

	for (size_t i = 0; i < e->nbursts; i += step, n++)
		for (unsigned k = 0; k < RUNGS; k++)
			room[k] += fit_at(e, i, rungs[k], &line);
	most = DROP * (room[0] - room[1]) + DROP_SLACK * (double)n;
	while (r + 1 < RUNGS && room[r] - room[r + 1] <= most)
		r++;
	return (r);
}

static int
put_knot(struct refit_knots *k, const struct clock_line *line, double error_ns)
{
	void *p = k->knot;

	if (k->n > 0 && line->base_node_ns <= k->knot[k->n - 1].node_ns)
		return (0);
	if (refit_clock_reserve(&p, &k->cap, k->n, sizeof(*k->knot)) == -1)
		return (-1);
	k->knot = p;
	k->knot[k->n++] = (struct refit_knot){ .node_ns = line->base_node_ns,
		.mon_ns = clock_line_mon(line, line->base_node_ns),
		.error_ns = llround(error_ns) + 1,
		.skew = line->skew };
	return (0);
}

static int
fit_epoch(struct refit_epoch *e)
{
	unsigned base = find_rung(e), r;
	struct clock_line line, wide;
	int64_t last = INT64_MIN;

	e->beta = rungs[base];
	for (size_t i = 0; i < e->nbursts; i++) {
		int64_t at = e->bursts[i].high_node_ns;

		if (last != INT64_MIN && at - last < KNOT_NS &&
		    i + 1 < e->nbursts)
			continue;
		last = at;
		for (r = base; fit_at(e, i, rungs[r], &line) < ROOM && r > 0;)
			r--;
		/* the bound is that of a clock that wanders more */
		fit_at(e, i, rungs[r > 0 ? r - 1 : 0] * (r > 0 ? 1 : 3), &wide);
		if (!(line.gap_ns > 0) || !(wide.gap_ns > 0))
			continue; /* of two minds: others are near */
		if (put_knot(&e->pings, &line,
			wide.gap_ns / 2 +
			    fabs((double)(clock_line_mon(&wide, at) -
					  clock_line_mon(&line, at)))) == -1)
			return (-1);
	}
	return (0);
}

int
refit_clock_fit(struct refit_clock *c)
{
	for (size_t i = 0; !c->broken && i < c->nepochs; i++) {
		if (c->epochs[i].nbursts > 1 && fit_epoch(&c->epochs[i]) == -1)
			return (-1);
	}
	return (refit_clock_map(c));
}

bool
refit_clock_fitted(const struct refit_clock *c)
{
	for (size_t i = 0; i < c->nepochs; i++) {
		if (c->epochs[i].pings.n > 0)
			return (true);
	}
	return (false);
}

/* --- with messages --- */

static struct refit_epoch *
epoch_at(const struct refit_clock *c, int64_t node_ns)
{
	struct refit_epoch *e = NULL;

	for (size_t i = 0; i < c->nepochs; i++) {
		if (e == NULL ||
		    c->old[c->epochs[i].old].base_node_ns <= node_ns)
			e = &c->epochs[i];
	}
	return (e);
}

bool
refit_clock_line(const struct refit_clock *c, int64_t node_ns,
    struct clock_line *line, double *beta, uint32_t *epoch)
{
	const struct refit_epoch *e = epoch_at(c, node_ns);
	const struct refit_knot *k;
	size_t i;

	if (c->broken || e == NULL || e->pings.n == 0)
		return (false);
	i = refit_clock_knot_before(&e->pings, node_ns);
	if (i + 1 < e->pings.n && e->pings.knot[i + 1].node_ns - node_ns <
				      node_ns - e->pings.knot[i].node_ns)
		i++;
	k = &e->pings.knot[i];
	if (llabs(node_ns - k->node_ns) > NEAR_NS)
		return (false);
	*line = (struct clock_line){ .base_node_ns = k->node_ns,
		.offset_ns = k->mon_ns - k->node_ns,
		.skew = k->skew,
		.gap_ns = 2 * (double)k->error_ns };
	*beta = e->beta;
	*epoch = e->epoch;
	return (true);
}

int
refit_clock_tighten(struct refit_clock *c, const struct clock_line *line,
    int64_t error_ns)
{
	struct refit_epoch *e = epoch_at(c, line->base_node_ns);

	return (e == NULL ? 0 : put_knot(&e->messages, line, (double)error_ns));
}
