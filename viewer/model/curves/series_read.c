/*
 * Ranges of a series: value by value at their ends, by the sums of blocks and
 * of groups of blocks in between.
 */
#include <string.h>

#include "model/curves/series_inside.h"

/* What of a range has been added up so far. */
struct reading {
	const struct series *s;
	struct series_stats *st;
	int64_t t0;
	bool held; /* a value held before t0 */
	int64_t before;
	int64_t t_ns, since_ns; /* from when `last` holds; from when any did */
	double area;
};

static void
take_before(struct reading *r)
{
	if (!r->held)
		return;
	r->held = false;
	r->st->known = true;
	r->st->first = r->st->last = r->st->min = r->st->max = r->before;
	r->t_ns = r->since_ns = r->t0;
}

static void
take(struct reading *r, const struct series_sum *x)
{
	const struct series *s = r->s;
	struct series_stats *st = r->st;

	if (x->t0_ns > r->t0)
		take_before(r);
	r->held = false;
	if (!st->known) {
		st->first = x->first;
		st->min = x->min;
		st->max = x->max;
		r->since_ns = r->t_ns = x->t0_ns;
		st->last = x->first;
		st->known = true;
	}
	r->area +=
	    series_number(s, st->last) * (double)(x->t0_ns - r->t_ns) + x->area;
	st->min = series_less(s, x->min, st->min) ? x->min : st->min;
	st->max = series_less(s, st->max, x->max) ? x->max : st->max;
	st->last = x->last;
	r->t_ns = x->t1_ns;
	st->n += x->n;
}

/* Those of a block that are told in [t0, t1); and the one that is before. */
static void
take_run(struct reading *r, const struct series_reader *run, int64_t t1)
{
	for (size_t i = 0; i < run->n && run->t[i] < t1; i++) {
		struct series_sum one = { run->t[i], run->t[i], run->v[i],
			run->v[i], run->v[i], run->v[i], 0, 1 };

		if (run->t[i] < r->t0) {
			r->held = true;
			r->before = run->v[i];
		} else {
			take(r, &one);
		}
	}
}

static bool
within(const struct series_sum *x, int64_t t0, int64_t t1)
{
	return (x->t0_ns >= t0 && x->t1_ns < t1);
}

/* The values at t0 itself may have begun in a block before. */
static size_t
begin_at(const struct series *s, int64_t t0)
{
	return (t0 == INT64_MIN ? 0 : series_find(s, t0 - 1));
}

static void
read_range(const struct series *s, int64_t t0, int64_t t1,
    struct series_reader *run, struct series_stats *st)
{
	struct reading r = { .s = s, .st = st, .t0 = t0 };
	size_t i = begin_at(s, t0), group;

	memset(st, 0, sizeof(*st));
	while (i <= s->nblocks) {
		group = i / SERIES_BLOCK;
		if (i % SERIES_BLOCK == 0 && group < s->nsums &&
		    within(&s->sums[group], t0, t1)) {
			take(&r, &s->sums[group]);
			i += SERIES_BLOCK;
			continue;
		}
		if (i < s->nblocks && s->blocks[i].sum.t0_ns >= t1)
			break;
		if (i < s->nblocks && within(&s->blocks[i].sum, t0, t1)) {
			take(&r, &s->blocks[i].sum);
		} else {
			series_unpack(s, i, run);
			take_run(&r, run, t1);
		}
		i++;
	}
	if (t1 > t0)
		take_before(&r);
	if (!st->known)
		return;
	r.area += series_number(s, st->last) * (double)(t1 - r.t_ns);
	st->mean = t1 > r.since_ns ? r.area / (double)(t1 - r.since_ns)
				   : series_number(s, st->last);
}

void
series_stats(const struct series *s, int64_t t0, int64_t t1,
    struct series_stats *st)
{
	struct series_reader run = SERIES_READER;

	read_range(s, t0, t1, &run, st);
}

/* How many of a run are at or before a time. */
static size_t
count_until(const struct series_reader *run, int64_t t)
{
	size_t lo = 0, hi = run->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (run->t[mid] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

void
series_near(const struct series *s, struct series_reader *run, int64_t t,
    struct series_near *a)
{
	size_t k;

	*a = (struct series_near){ 0 };
	for (size_t i = series_find(s, t); i <= s->nblocks && !a->after; i++) {
		series_unpack(s, i, run);
		k = count_until(run, t);
		if (k > 0) {
			a->before = true;
			a->t0 = run->t[k - 1];
			a->v0 = run->v[k - 1];
		}
		if (k < run->n) {
			a->after = true;
			a->t1 = run->t[k];
			a->v1 = run->v[k];
		}
	}
}

/* Evenly from one value to the next, the last one for ever; false: before. */
static bool
between(const struct series *s, int64_t t, struct series_reader *run, double *v)
{
	struct series_near a;
	double v0, v1;

	series_near(s, run, t, &a);
	if (!a.before)
		return (false);
	v0 = series_number(s, a.v0);
	v1 = a.after ? series_number(s, a.v1) : v0;
	*v = a.after && a.t1 > a.t0
		 ? v0 + (v1 - v0) * (double)(t - a.t0) / (double)(a.t1 - a.t0)
		 : v0;
	return (true);
}

static bool
rate_of(const struct series *s, int64_t t0, int64_t t1,
    struct series_reader *run, double *rate)
{
	double v0, v1;

	if (t1 <= t0 || !between(s, t0, run, &v0) || !between(s, t1, run, &v1))
		return (false);
	*rate = (v1 - v0) * 1e9 / (double)(t1 - t0);
	return (true);
}

bool
series_rate(const struct series *s, int64_t t0, int64_t t1, double *rate)
{
	struct series_reader run = SERIES_READER;
	int64_t first;

	if (s->n == 0)
		return (false);
	first = s->nblocks > 0 ? s->blocks[0].sum.t0_ns : s->tail_t[0];
	t0 = t0 < first ? first : t0;
	return (rate_of(s, t0, t1, &run, rate));
}

static int64_t
edge(int64_t t0, int64_t t1, unsigned n, unsigned i)
{
	return (t0 + (int64_t)((double)(t1 - t0) * i / n));
}

void
series_columns(const struct series *s, bool rate, int64_t t0, int64_t t1,
    unsigned n, struct series_column *out)
{
	struct series_reader run = SERIES_READER;
	struct series_stats st;

	for (unsigned i = 0; i < n; i++) {
		int64_t a = edge(t0, t1, n, i), b = edge(t0, t1, n, i + 1);
		struct series_column *c = &out[i];

		b = b > a ? b : a + 1;
		*c = (struct series_column){ .known = false };
		if (rate) {
			c->known = rate_of(s, a, b, &run, &c->lo);
			c->hi = c->last = c->lo;
			continue;
		}
		read_range(s, a, b, &run, &st);
		c->known = st.known;
		c->lo = series_number(s, st.min);
		c->hi = series_number(s, st.max);
		c->last = series_number(s, st.last);
	}
}
