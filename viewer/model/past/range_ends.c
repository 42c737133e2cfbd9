/*
 * What lanes were in, up to both ends of a range (sums.h).  A checkpoint has
 * the sums of all lanes up to the last change of each before it.  The model
 * that is filled from there begins with that very change, so what it has had
 * then is taken from what it has at the instant, and the difference is what was
 * in between, also of changes at equal times.
 *
 * A depth lane that was made later began as a copy of its thread's own: then
 * what is known of that one counts.
 */
#include <stdlib.h>
#include <string.h>

#include "model/past/checkpoint.h"
#include "model/past/sums_inside.h"
#include "model/run/take.h"

#define LONG_AGO (INT64_MIN / 4) /* before all there is */
#define UNKNOWN  UINT64_MAX      /* begun: of a lane whose past was made anew */

struct range_ends {
	struct sums sums;
	struct {
		uint32_t lanes; /* further ones came later and had nothing */
		struct lod_sum *sum; /* by lane; NULL: nothing had been */
	} of[2];
	uint64_t remade;       /* the model's, when it was made */
	uint32_t losses;       /* those before do not touch it */
	bool stale;            /* one does */
	struct lod_sum *begun; /* by lane, when that was */
};

static const struct lod *
lod_of(const struct model *m, uint32_t lane)
{
	return (
	    atomic_load_explicit(&lane_at(m, lane)->lod, memory_order_acquire));
}

static struct range_ends *
of_sums(struct sums *s)
{
	return ((struct range_ends *)s);
}

static int
init(struct sums *s)
{
	struct range_ends *e = of_sums(s);
	int64_t last = model_last_ns(s->m);

	for (int i = 0; i < 2; i++)
		s->at[i].t_ns = s->at[i].t_ns < last ? s->at[i].t_ns : last;
	e->remade = atomic_load(&facts_of(s->m)->remade);
	e->losses = interval_count(&marks_of(s->m)->losses);
	return (0);
}

static void
clear(struct sums *s)
{
	struct range_ends *e = of_sums(s);

	free(e->of[0].sum);
	free(e->of[1].sum);
	free(e->begun);
}

static struct lod_sum *
sums_make(struct sums *s, uint32_t lanes)
{
	struct lod_sum *sum = calloc((size_t)lanes + 1, sizeof(*sum));

	if (sum != NULL)
		sums_hold(s, lanes * sizeof(*sum));
	return (sum);
}

/* All it has ever been in, less what is behind.  False: that is not there. */
static bool
sum_now(const struct model *m, uint32_t lane, int64_t t, struct lod_sum *sum)
{
	const struct lod *l = lod_of(m, lane);
	int64_t end = lane_until(m, lane), last;
	struct lod_sum behind;

	last = lod_so_far(l, lanes_of(m)->states, sum);
	if (last == INT64_MIN)
		return (true);
	if (end > last)
		sum->ns[lod_last_place(l, lanes_of(m)->states)] +=
		    (uint64_t)(end - last);
	if (!lod_totals_sum(l, lanes_of(m)->states, t, INT64_MAX, end, &behind))
		return (false);
	lod_sum_take(sum, &behind);
	return (true);
}

/* An instant from which on all is in memory. */
static bool
end_now(struct sums *s, unsigned end)
{
	uint32_t n = model_lanes(s->m);
	struct lod_sum *sum = sums_make(s, n);

	for (uint32_t i = 0; sum != NULL && i < n; i++)
		if (lod_of(s->m, i) != NULL &&
		    !sum_now(s->m, i, s->at[end].t_ns, &sum[i])) {
			free(sum);
			sum = NULL;
		}
	of_sums(s)->of[end].sum = sum;
	of_sums(s)->of[end].lanes = n;
	return (sum != NULL);
}

static bool
known(struct sums *s, unsigned end)
{
	int64_t t = s->at[end].t_ns;

	if (t > model_first_ns(s->m))
		return (t >= model_detail_ns(s->m) && end_now(s, end));
	of_sums(s)->of[end].lanes = UINT32_MAX; /* nothing */
	return (true);
}

static uint32_t
grain(const struct sums *s)
{
	(void)s;
	return (1);
}

static int
begin(struct sums *s, struct model *d)
{
	struct range_ends *e = of_sums(s);
	uint32_t n = model_lanes(d);
	const struct lod *l;

	free(e->begun);
	e->begun = sums_make(s, n);
	for (uint32_t i = 0; e->begun != NULL && i < n; i++)
		if ((l = lod_of(d, i)) != NULL)
			lod_so_far(l, lanes_of(d)->states, &e->begun[i]);
	return (e->begun == NULL ? -1 : 0);
}

/* A copy of its thread's lane, made behind the checkpoint. */
static bool
copied_since(const struct model *m, uint32_t lane, uint32_t lanes_then)
{
	const struct lane *l = model_lane(m, lane);

	return (lane >= lanes_then && l->kind == LANE_DEPTH && l->depth == 0);
}

/* Sums of all lanes at the checkpoint; returns how many lanes there were. */
static uint32_t
sums_then(const struct sums *s, uint32_t n, struct lod_sum *sum)
{
	const struct log_checkpoint *k;
	struct checkpoint_sums from;
	uint32_t lanes;

	checkpoint_sums(NULL, &from);
	if (s->checkpoint > 0) {
		k = chunk_known(&log_of(s->m)->checkpoints, s->checkpoint - 1);
		checkpoint_sums(k->c, &from);
	}
	lanes = from.left;
	for (uint32_t i = 0; i < n; i++)
		checkpoint_sums_next(&from, &sum[i]);
	return (lanes);
}

static int
take(struct sums *s, const struct model *d)
{
	struct range_ends *e = of_sums(s);
	unsigned end = ends_next(s);
	uint32_t n = model_lanes(d), lanes_then, from;
	struct lod_sum *sum = sums_make(s, n);
	struct lod_sum *then = calloc((size_t)n + 1, sizeof(*then));
	const struct lod *l;

	e->of[end].sum = sum;
	if (sum == NULL || then == NULL) {
		free(then);
		return (-1);
	}
	lanes_then = sums_then(s, n, then);
	for (uint32_t i = 0; i < n; i++) {
		if ((l = lod_of(d, i)) == NULL)
			continue;
		from = copied_since(d, i, lanes_then) ? model_lane(d, i)->parent
						      : i;
		lod_totals_sum(l, lanes_of(d)->states, LONG_AGO,
		    s->at[end].t_ns, lane_until(d, i), &sum[i]);
		lod_sum_take(&sum[i], &e->begun[from]);
		lod_sum_add(&sum[i], &then[from]);
		if (lane_at(s->m, i)->remade > s->checkpoint)
			sum[i].begun = UNKNOWN;
	}
	free(then);
	e->of[end].lanes = n;
	s->at[end].done = true;
	return (0);
}

/* --- the reader --- */

static void
set(struct model *m, struct sums *s)
{
	struct sums *old = fetched_of(m)->range_ends;

	fetched_of(m)->range_ends = s;
	fetched_of(m)->details++;
	sums_free(old);
}

const struct sums_ops range_ends_ops = { sizeof(struct range_ends), init, clear,
	ends_plan, take, ends_whole, set, begin, known, grain };

/* What a lane was in up to an end.  False: nobody knows. */
static bool
sum_at(const struct range_ends *e, unsigned end, uint32_t lane,
    struct lod_sum *sum)
{
	uint32_t lanes = e->of[end].lanes;

	memset(sum, 0, sizeof(*sum));
	if (lane >= lanes) /* it came later, or was copied */
		return (!copied_since(e->sums.m, lane, lanes));
	if (e->of[end].sum != NULL)
		*sum = e->of[end].sum[lane];
	return (sum->begun != UNKNOWN);
}

/* Up to t, from an end and what is in memory between the two. */
static bool
sum_until(const struct range_ends *e, uint32_t lane, int64_t t,
    struct lod_sum *sum)
{
	const struct model *m = e->sums.m;
	struct lod_sum between;
	int64_t end;

	for (unsigned i = 0; i < 2; i++)
		if (e->sums.at[i].t_ns == t)
			return (sum_at(e, i, lane, sum));
	for (unsigned i = 2; i-- > 0;) {
		end = e->sums.at[i].t_ns;
		if (!lod_totals_sum(lod_of(m, lane), lanes_of(m)->states,
			end < t ? end : t, end < t ? t : end,
			lane_until(m, lane), &between) ||
		    !sum_at(e, i, lane, sum))
			continue;
		if (end < t)
			lod_sum_add(sum, &between);
		else
			lod_sum_take(sum, &between);
		return (true);
	}
	return (false);
}

/* What a thread was in then has been told anew since. */
static bool
is_stale(struct range_ends *e)
{
	const struct model *m = e->sums.m;
	const struct loss *k;

	for (; e->losses < interval_count(&marks_of(m)->losses); e->losses++) {
		k = interval_at(&marks_of(m)->losses, e->losses);
		for (int i = 0; i < 2; i++)
			e->stale |= k->t0_ns < e->sums.at[i].t_ns &&
				    k->t1_ns > e->sums.at[i].t_ns;
	}
	return (e->stale || e->remade != atomic_load(&facts_of(m)->remade));
}

bool
range_ends_sum(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    struct lod_sum *sum)
{
	struct range_ends *e = of_sums(fetched_of(m)->range_ends);
	struct lod_sum before, all;

	if (e == NULL || is_stale(e) || !sum_until(e, lane, t0, &before) ||
	    !sum_until(e, lane, t1, &all))
		return (false);
	*sum = all;
	lod_sum_take(sum, &before);
	return (true);
}
