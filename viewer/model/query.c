/*
 * Questions about lanes.  A node or PO has no sequence of its own: what it
 * did is what the threads below it did, divided by how many of them there
 * were at that time; of a group, what those of its members did.
 */
#include <stdlib.h>
#include <string.h>

#include "model/inside.h"
#include "model/lod/lodsteps.h"
#include "model/run/hand.h"

#define OVERVIEW_THREADS 64

static const struct lod *
lod_of(const struct model *m, uint32_t lane)
{
	return (lane >= HAND_LANE ? NULL : atomic_load(&lane_at(m, lane)->lod));
}

/* The model that knows [t0, t1) of a lane, or of all members of a group. */
static const struct model *
asked_of(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	const struct hand_group *g = hand_group(model_hand(m), lane);

	for (uint32_t i = 0; g != NULL && i < g->n; i++)
		if (g->member[i] < model_lanes(m))
			lane = g->member[i]; /* the one that was made last */
	return (detail_of_lane(m, lane, t0, t1));
}

/* Calls back for the lanes with a sequence: itself, or those below. */
static void
each_lod(const struct model *m, uint32_t lane,
    void (*cb)(void *, const struct lod *, int64_t end), void *arg)
{
	const struct lod *l = lod_of(m, lane);
	uint32_t member;

	if (l != NULL) {
		cb(arg, l, lane_until(m, lane));
		return;
	}
	for (uint32_t i = 0;
	     (member = model_group_member(m, lane, i)) != UINT32_MAX; i++)
		each_lod(m, member, cb, arg);
	for (lane = model_lane_first_child(m, lane); lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		each_lod(m, lane, cb, arg);
}

#define TOGETHER 8 /* lanes that are fetched at once: they fit the cache */

struct ask {
	const struct model *m;
	int64_t t0, t1;
	unsigned n, first, until;
	uint32_t *name;
	uint64_t *sum;
	uint64_t *weight;
	struct lod_steps *steps;
	int64_t *by_class;
	uint64_t spans;
	/* lanes still to be asked */
	const struct lod *lod[TOGETHER];
	int64_t end[TOGETHER];
	unsigned nlods;
};

static void
pixels_flush(struct ask *a)
{
	lod_fetch_many(a->lod, a->nlods, (a->until - a->first) * 2 > a->n);
	for (unsigned i = 0; i < a->nlods; i++)
		if (!lod_empty(a->lod[i]))
			lod_pixels(a->lod[i], lanes_of(a->m)->states, a->t0,
			    a->t1, a->n, a->first, a->until, a->end[i], a->sum,
			    a->steps, a->name, a->weight);
	a->nlods = 0;
}

static void
pixels_cb(void *arg, const struct lod *l, int64_t end)
{
	struct ask *a = arg;

	a->lod[a->nlods] = l;
	a->end[a->nlods++] = end;
	if (a->nlods == TOGETHER)
		pixels_flush(a);
}

/* Of itself, or of those below.  False: of some only about. */
static bool
totals_below(struct ask *a, uint32_t lane)
{
	const struct lod *l = lod_of(a->m, lane);
	struct lod_sum sum;
	bool exact = true;
	uint32_t member;

	for (uint32_t i = 0;
	     (member = model_group_member(a->m, lane, i)) != UINT32_MAX; i++)
		exact &= totals_below(a, member);
	if (l == NULL) {
		for (lane = model_lane_first_child(a->m, lane);
		     lane != UINT32_MAX;
		     lane = model_lane_next_sibling(a->m, lane))
			exact &= totals_below(a, lane);
		return (exact);
	}
	if (lod_empty(l))
		return (true);
	exact = lod_totals_sum(l, lanes_of(a->m)->states, a->t0, a->t1,
		    lane_until(a->m, lane), &sum) ||
		range_ends_sum(a->m, lane, a->t0, a->t1, &sum);
	for (unsigned p = 0; p < LOD_PLACES; p++) {
		int64_t *of = &a->by_class[lod_sum_class(l->kind, p)];

		*of = span_add(*of, (int64_t)sum.ns[p]);
	}
	a->spans += sum.begun;
	return (exact);
}

/* Sums to shares; where nothing is known the lane is idle. */
static void
shares_round(const uint64_t *sum, unsigned n, uint8_t *share)
{
	uint64_t all, d;

	for (unsigned i = 0; i < n;
	     i++, sum += LANE_CLASSES, share += LANE_CLASSES) {
		all = 0;
		for (int c = 0; c < LANE_CLASSES; c++)
			all += sum[c];
		d = all > LOD_FULL ? all : LOD_FULL;
		for (int c = 0; c < LANE_CLASSES; c++)
			if (sum[c] != 0)
				share[c] =
				    (uint8_t)((sum[c] * 255ull + d / 2) / d);
		if (all < LOD_FULL)
			share[0] =
			    (uint8_t)(((sum[0] + LOD_FULL - all) * 255ull +
					  d / 2) /
				      d);
	}
}

/* A lane with a sequence of its own.  0: it has none. */
static int
pixels_alone(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, unsigned first, unsigned until, uint8_t *share, uint32_t *name)
{
	const struct lod *l;

	if (lod_of(m, lane) == NULL)
		lane = model_lane_only_thread(m, lane);
	l = lane == UINT32_MAX ? NULL : lod_of(m, lane);
	if (l != NULL)
		lod_shares(l, lanes_of(m)->states, t0, t1, n, first, until,
		    lane_until(m, lane), share, name);
	return (l != NULL);
}

void
model_lane_pixels(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, unsigned first, unsigned until, uint8_t *share,
    uint32_t *dominant_name)
{
	struct ask a = { .m = m,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.first = first,
		.until = until,
		.name = dominant_name };
	struct lod_steps steps;
	struct retired *r;
	unsigned door;

	m = a.m = asked_of(m, lane, t0, t1);
	r = (struct retired *)&held_of(m)->retired;
	if (first >= until)
		return;
	memset(share + (size_t)first * LANE_CLASSES, 0,
	    (size_t)(until - first) * LANE_CLASSES);
	if (dominant_name != NULL)
		memset(dominant_name + first, 0,
		    (until - first) * sizeof(*dominant_name));
	if (t1 <= t0)
		return;
	door = retired_enter(r);
	if (pixels_alone(m, lane, t0, t1, n, first, until, share,
		dominant_name)) {
		retired_leave(r, door);
		return;
	}
	a.sum = calloc(n, LANE_CLASSES * sizeof(*a.sum));
	a.weight = calloc(n, sizeof(*a.weight));
	a.steps = &steps;
	if (a.sum != NULL && a.weight != NULL &&
	    lod_steps_init(&steps, t0, t1, n) == 0) {
		each_lod(m, lane, pixels_cb, &a);
		pixels_flush(&a);
		lod_steps_end(&steps, first, until, a.sum);
		lod_steps_clear(&steps);
		shares_round(a.sum + (size_t)first * LANE_CLASSES,
		    until - first, share + (size_t)first * LANE_CLASSES);
	}
	retired_leave(r, door);
	free(a.weight);
	free(a.sum);
}

bool
model_lane_totals(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    int64_t by_class[LANE_CLASSES], uint64_t *spans)
{
	struct ask a = { .m = m, .t0 = t0, .t1 = t1, .by_class = by_class };
	struct retired *r;
	unsigned door;
	bool exact;

	m = a.m = asked_of(m, lane, t0, t1);
	r = (struct retired *)&held_of(m)->retired;
	memset(by_class, 0, LANE_CLASSES * sizeof(*by_class));
	door = retired_enter(r);
	exact = totals_below(&a, lane);
	retired_leave(r, door);
	if (spans != NULL)
		*spans = a.spans;
	return (exact);
}

/* A thread that waits for work is idle, too. */
static bool
is_nothing(const struct lod_state *st)
{
	return (st->class == LANE_idle && st->fresh == 0);
}

static struct span
span_of(const struct model *m, const struct lane_data *l,
    const struct lod_piece *p)
{
	const struct lod_state *st = &lanes_of(m)->states[p->state];

	return ((struct span){ p->t0_ns, p->t1_ns, st->name, st->class,
	    st->kind, l->pub.depth, span_id(m, st->kind, p->id), 0 });
}

int
model_lane_span_at(const struct model *m, uint32_t lane, int64_t t,
    struct span *out)
{
	struct retired *r;
	unsigned door;
	const struct lod *lod;
	struct lod_cursor c;
	struct lod_piece p;
	int found;

	m = asked_of(m, lane, t, t + 1);
	r = (struct retired *)&held_of(m)->retired;
	if (lod_of(m, lane) == NULL)
		lane = model_lane_only_thread(m, lane);
	if (lane == UINT32_MAX)
		return (-1);
	door = retired_enter(r);
	lod = lod_of(m, lane);
	found = lod == NULL ? 0 : lod_seek(lod, t, &c);
	if (found == 1) {
		do
			found = lod_next(lod, &c, &p) && p.t0_ns <= t;
		while (found && p.t1_ns <= t);
		found = found && !is_nothing(&lanes_of(m)->states[p.state]);
	}
	if (found == 1)
		*out = span_of(m, lane_at(m, lane), &p);
	retired_leave(r, door);
	return (found);
}

size_t
model_lane_spans(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    struct span *out, size_t max)
{
	struct retired *r;
	unsigned door;
	const struct lane_data *l;
	const struct lod *lod;
	struct lod_cursor c;
	struct lod_piece p;
	size_t n = 0;
	bool many;
	int found;

	m = asked_of(m, lane, t0, t1);
	r = (struct retired *)&held_of(m)->retired;
	if (lod_of(m, lane) == NULL)
		lane = model_lane_only_thread(m, lane);
	if (lane == UINT32_MAX)
		return (max + 1);
	l = lane_at(m, lane);
	door = retired_enter(r);
	lod = lod_of(m, lane);
	many = out == NULL && lod != NULL && lod_many_begin(lod, t0, t1, max);
	found = lod == NULL || many ? 0 : lod_seek(lod, t0, &c);
	if (many || found == -1)
		n = max + 1; /* of the first ones only shares are left */
	else if (found != 0)
		while (lod_next(lod, &c, &p) && p.t0_ns < t1) {
			if (is_nothing(&lanes_of(m)->states[p.state]) ||
			    (p.t1_ns <= t0 &&
				!(p.t1_ns == t0 && p.t0_ns == t0)))
				continue;
			if (n++ == max)
				break;
			if (out != NULL)
				out[n - 1] = span_of(m, l, &p);
		}
	retired_leave(r, door);
	return (n);
}

uint32_t
model_overview_each(uint32_t threads)
{
	return (threads / OVERVIEW_THREADS + 1);
}

void
model_overview_sums(const struct model *m, int64_t t0, int64_t t1, unsigned n,
    unsigned first, unsigned until, uint64_t *sum)
{
	struct ask a = { .m = m,
		.t0 = t0,
		.t1 = t1,
		.n = n,
		.first = first,
		.until = until,
		.sum = sum };
	struct retired *r = (struct retired *)&held_of(m)->retired;
	uint32_t threads =
	    atomic_load_explicit(&lanes_of(m)->nthreads, memory_order_acquire);
	uint32_t stride = model_overview_each(threads), lane;
	const struct lod *l;
	unsigned door;

	door = retired_enter(r);
	for (uint32_t i = 0; i < threads; i += stride) {
		lane = *(const uint32_t *)chunk_known(&lanes_of(m)->threads, i);
		l = lod_of(m, lane);
		pixels_cb(&a, l, lane_until(m, lane));
	}
	pixels_flush(&a);
	retired_leave(r, door);
}

void
model_overview(const struct model *m, int64_t t0, int64_t t1, unsigned n,
    unsigned first, unsigned until, uint8_t *share)
{
	uint64_t *sum;

	if (first >= until)
		return;
	memset(share + (size_t)first * LANE_CLASSES, 0,
	    (size_t)(until - first) * LANE_CLASSES);
	sum = calloc(n, LANE_CLASSES * sizeof(*sum));
	if (sum == NULL || t1 <= t0) {
		free(sum);
		return;
	}
	model_overview_sums(m, t0, t1, n, first, until, sum);
	shares_round(sum + (size_t)first * LANE_CLASSES, until - first,
	    share + (size_t)first * LANE_CLASSES);
	free(sum);
}

void
model_density(const struct model *m, int64_t t0, int64_t t1, unsigned n,
    uint32_t *density)
{
	memset(density, 0, n * sizeof(*density));
	if (n > 0 && t1 > t0)
		density_read(m, t0, t1, n, density);
}
