/*
 * See edges.h.  A checkpoint has the sums of all lanes up to the last change of
 * each before it.  The model that is filled from there begins with that very
 * change, so what it has had then is taken from what it has at the instant, and
 * the difference is what was in between, also of changes at equal times.
 *
 * A depth lane that was made later began as a copy of its thread's own: then
 * what is known of that one counts.
 */
#include "model/past/edges.h"

#include <stdlib.h>
#include <string.h>

#include "model/past/checkpoint.h"
#include "model/past/part.h"
#include "model/past/plan.h"
#include "model/run/take.h"

#define LONG_AGO (INT64_MIN / 4) /* before all there is */
#define UNKNOWN  UINT64_MAX      /* begun: of a lane whose past was made anew */

struct edge {
	int64_t t_ns;
	uint32_t lanes; /* further ones came later and had nothing */
	bool done;
	struct lod_sum *sum; /* by lane; NULL: nothing had been */
};

struct edges {
	struct model *m;
	struct edge at[2];
	uint64_t remade;       /* the model's, when it was made */
	uint32_t losses;       /* those before do not touch it */
	bool stale;            /* one does */
	uint32_t checkpoint;   /* number + 1 of what is being read */
	struct lod_sum *begun; /* by lane, when that was */
	uint64_t bytes;
};

static const struct lod *
lod_of(const struct model *m, uint32_t lane)
{
	return (
	    atomic_load_explicit(&lane_at(m, lane)->lod, memory_order_acquire));
}

struct edges *
edges_new(struct model *m, int64_t t0, int64_t t1)
{
	struct edges *e = calloc(1, sizeof(*e));
	int64_t last = model_last_ns(m);

	if (e == NULL)
		return (NULL);
	e->m = m;
	e->at[0].t_ns = t0 < last ? t0 : last;
	e->at[1].t_ns = t1 < last ? t1 : last;
	e->remade = atomic_load(&facts_of(m)->remade);
	e->losses = interval_count(&marks_of(m)->losses);
	return (e);
}

void
edges_free(struct edges *e)
{
	if (e == NULL)
		return;
	atomic_fetch_sub_explicit(&fetched_of(e->m)->detail_bytes, e->bytes,
	    memory_order_relaxed);
	free(e->at[0].sum);
	free(e->at[1].sum);
	free(e->begun);
	free(e);
}

static struct lod_sum *
sums_make(struct edges *e, uint32_t lanes)
{
	struct lod_sum *s = calloc((size_t)lanes + 1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	e->bytes += lanes * sizeof(*s);
	atomic_fetch_add_explicit(&fetched_of(e->m)->detail_bytes,
	    lanes * sizeof(*s), memory_order_relaxed);
	return (s);
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
edge_now(struct edges *e, struct edge *g)
{
	uint32_t n = model_lanes(e->m);
	struct lod_sum *s = sums_make(e, n);

	for (uint32_t i = 0; s != NULL && i < n; i++)
		if (lod_of(e->m, i) != NULL &&
		    !sum_now(e->m, i, g->t_ns, &s[i])) {
			free(s);
			s = NULL;
		}
	g->sum = s;
	g->lanes = n;
	return (g->done = s != NULL);
}

bool
edges_plan(struct edges *e, uint64_t most, struct detail_plan *p)
{
	for (int i = 0; i < 2; i++) {
		struct edge *g = &e->at[i];

		if (g->done)
			continue;
		if (g->t_ns <= model_first_ns(e->m)) {
			g->lanes = UINT32_MAX; /* nothing */
			g->done = true;
			continue;
		}
		if (g->t_ns >= model_detail_ns(e->m) && edge_now(e, g))
			continue;
		if (!detail_plan_at(e->m, g->t_ns, g->t_ns, 1, most, p))
			return (false);
		e->checkpoint = p->checkpoint;
		return (true);
	}
	return (false);
}

bool
edges_whole(const struct edges *e)
{
	return (e->at[0].done && e->at[1].done);
}

int
edges_begin(struct edges *e, const struct model *d)
{
	uint32_t n = model_lanes(d);
	const struct lod *l;

	free(e->begun);
	e->begun = sums_make(e, n);
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
sums_then(const struct edges *e, uint32_t n, struct lod_sum *sum)
{
	const struct log_checkpoint *k;
	struct checkpoint_sums from;
	uint32_t lanes;

	checkpoint_sums(NULL, &from);
	if (e->checkpoint > 0) {
		k = chunk_known(&log_of(e->m)->checkpoints, e->checkpoint - 1);
		checkpoint_sums(k->c, &from);
	}
	lanes = from.left;
	for (uint32_t i = 0; i < n; i++)
		checkpoint_sums_next(&from, &sum[i]);
	return (lanes);
}

int
edges_take(struct edges *e, const struct model *d)
{
	struct edge *g = &e->at[e->at[0].done];
	uint32_t n = model_lanes(d), lanes_then, from;
	struct lod_sum *s = sums_make(e, n);
	struct lod_sum *then = calloc((size_t)n + 1, sizeof(*then));
	const struct lod *l;

	g->sum = s;
	if (s == NULL || then == NULL) {
		free(then);
		return (-1);
	}
	lanes_then = sums_then(e, n, then);
	for (uint32_t i = 0; i < n; i++) {
		if ((l = lod_of(d, i)) == NULL)
			continue;
		from = copied_since(d, i, lanes_then) ? model_lane(d, i)->parent
						      : i;
		lod_totals_sum(l, lanes_of(d)->states, LONG_AGO, g->t_ns,
		    lane_until(d, i), &s[i]);
		lod_sum_take(&s[i], &e->begun[from]);
		lod_sum_add(&s[i], &then[from]);
		if (lane_at(e->m, i)->remade > e->checkpoint)
			s[i].begun = UNKNOWN;
	}
	free(then);
	g->lanes = n;
	g->done = true;
	return (0);
}

/* --- the reader --- */

void
model_set_edges(struct model *m, struct edges *e)
{
	struct edges *old = fetched_of(m)->edges;

	fetched_of(m)->edges = e;
	fetched_of(m)->details++;
	edges_free(old);
}

/* What a lane was in up to the edge.  False: nobody knows. */
static bool
sum_at(const struct model *m, const struct edge *g, uint32_t lane,
    struct lod_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	if (lane >= g->lanes) /* it came later, or was copied */
		return (!copied_since(m, lane, g->lanes));
	if (g->sum != NULL)
		*sum = g->sum[lane];
	return (sum->begun != UNKNOWN);
}

/* Up to t, from an edge and what is in memory between the two. */
static bool
sum_until(const struct model *m, const struct edges *e, uint32_t lane,
    int64_t t, struct lod_sum *sum)
{
	struct lod_sum between;
	const struct edge *g;

	for (int i = 0; i < 2; i++)
		if (e->at[i].t_ns == t)
			return (sum_at(m, &e->at[i], lane, sum));
	for (int i = 1; i >= 0; i--) {
		g = &e->at[i];
		if (!lod_totals_sum(lod_of(m, lane), lanes_of(m)->states,
			g->t_ns < t ? g->t_ns : t, g->t_ns < t ? t : g->t_ns,
			lane_until(m, lane), &between) ||
		    !sum_at(m, g, lane, sum))
			continue;
		if (g->t_ns < t)
			lod_sum_add(sum, &between);
		else
			lod_sum_take(sum, &between);
		return (true);
	}
	return (false);
}

/* What a thread was in then has been told anew since. */
static bool
is_stale(const struct model *m, struct edges *e)
{
	const struct loss *k;

	for (; e->losses < interval_count(&marks_of(m)->losses); e->losses++) {
		k = interval_at(&marks_of(m)->losses, e->losses);
		e->stale |=
		    k->t0_ns < e->at[0].t_ns && k->t1_ns > e->at[0].t_ns;
		e->stale |=
		    k->t0_ns < e->at[1].t_ns && k->t1_ns > e->at[1].t_ns;
	}
	return (e->stale || e->remade != atomic_load(&facts_of(m)->remade));
}

bool
edges_sum(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    struct lod_sum *sum)
{
	struct edges *e = fetched_of(m)->edges;
	struct lod_sum before, all;

	if (e == NULL || is_stale(m, e) ||
	    !sum_until(m, e, lane, t0, &before) ||
	    !sum_until(m, e, lane, t1, &all))
		return (false);
	*sum = all;
	lod_sum_take(sum, &before);
	return (true);
}
