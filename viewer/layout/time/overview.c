/*
 * Buckets are a power of two long, so that two make one when the run has grown
 * out of them.  The last ones, up to which the run is known, are asked for
 * again; all are, bit by bit, when something has come from before.
 */
#include "layout/time/overview.h"

#include <stdlib.h>
#include <string.h>

#define SHIFT_MIN 10
#define ROW       LANE_CLASSES

static bool
begin(struct overview *o, const struct model *m, int64_t first)
{
	if (o->sum == NULL)
		o->sum =
		    calloc((size_t)OVERVIEW_BUCKETS * ROW, sizeof(*o->sum));
	if (o->sum == NULL)
		return (false);
	o->model = m;
	o->t0_mon_ns = first;
	o->shift = SHIFT_MIN;
	o->known = o->done = 0;
	o->version = model_rewritten(m);
	return (true);
}

/* Two become one; the last one may be half a bucket, and is asked again. */
static void
fold(struct overview *o)
{
	uint32_t n = o->known / 2;

	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < ROW; c++)
			o->sum[i * ROW + c] =
			    (o->sum[2 * i * ROW + c] +
				o->sum[(2 * i + 1) * ROW + c]) /
			    2;
	o->known = n;
	o->done = o->done / 2 < n ? o->done / 2 : n;
	o->shift++;
}

bool
overview_grow(struct overview *o, const struct model *m, uint32_t most)
{
	int64_t first = model_first_ns(m), last = model_last_ns(m);
	uint32_t until, from;

	if (first > last)
		return (true);
	if ((o->model != m || first < o->t0_mon_ns) && !begin(o, m, first))
		return (false);
	while ((last - o->t0_mon_ns) >> o->shift >= OVERVIEW_BUCKETS)
		fold(o);
	from = o->done;
	until = (uint32_t)((last - o->t0_mon_ns) >> o->shift) + 1;
	if (until - from > most)
		until = from + most;
	memset(o->sum + (size_t)from * ROW, 0,
	    (size_t)(until - from) * ROW * sizeof(*o->sum));
	model_overview_sums(m, o->t0_mon_ns,
	    o->t0_mon_ns + ((int64_t)OVERVIEW_BUCKETS << o->shift),
	    OVERVIEW_BUCKETS, from, until, o->sum);
	o->known = until > o->known ? until : o->known;
	o->done = (uint32_t)((last - o->t0_mon_ns) >> o->shift);
	if (until <= o->done) {
		o->done = until;
		return (false);
	}
	if (model_rewritten(m) != o->version) {
		o->version = model_rewritten(m);
		o->done = 0;
	}
	return (true);
}

/* What buckets have in [a, b), counted in buckets. */
static void
collect(const struct overview *o, double a, double b, double sum[ROW])
{
	uint32_t from = a > 0 ? (uint32_t)a : 0;

	for (uint32_t i = from; i < o->known && i < b; i++) {
		const uint64_t *s = o->sum + (size_t)i * ROW;
		double part = (i + 1 < b ? i + 1 : b) - (i > a ? i : a);

		for (int c = 0; c < ROW; c++)
			sum[c] += (double)s[c] * part;
	}
}

void
overview_shares(const struct overview *o, int64_t t0, int64_t t1, unsigned n,
    uint8_t *share)
{
	double bucket = (double)((int64_t)1 << o->shift);
	double each = (double)(t1 - t0) / n / bucket;
	double at = (double)(t0 - o->t0_mon_ns) / bucket, all, least;

	memset(share, 0, (size_t)n * ROW);
	for (unsigned i = 0; i < n; i++, share += ROW) {
		double sum[ROW] = { 0 };

		collect(o, at + each * i, at + each * (i + 1), sum);
		all = 0;
		for (int c = 0; c < ROW; c++)
			all += sum[c];
		least = each * MODEL_PIXEL;
		if (all < least) { /* less than one thread: it is idle */
			sum[0] += least - all;
			all = least;
		}
		for (int c = 0; c < ROW; c++)
			share[c] = (uint8_t)(sum[c] * 255 / all + 0.5);
	}
}

int64_t
overview_end(const struct overview *o)
{
	return (o->known == 0 ? INT64_MIN
			      : o->t0_mon_ns + ((int64_t)o->known << o->shift));
}

void
overview_clear(struct overview *o)
{
	free(o->sum);
	memset(o, 0, sizeof(*o));
}
