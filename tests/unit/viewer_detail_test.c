/*
 * What was given up and fetched back, also from a log that was written anew
 * since, is what a model that never gave anything
 * up knows: shares, spans, stacks, sums, links and marks of any range, for
 * runs in which everything happens.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "tests/unit/make_feed.h"
#include "tests/unit/make_mixed.h"

#define PIXELS 64
#define LIST   4096

/* Reads that part of the log again; false: it is not to be had. */
static bool
fetch(struct made *w, int64_t t0, int64_t t1, uint64_t most,
    struct detail_plan *p)
{
	struct model *d;
	struct frame f;

	if (!detail_plan(w->small, t0, t1, most, p))
		return (false);
	d = detail_new(w->small, p);
	assert_non_null(d);
	if (p->events <= detail_most(w->small)) /* there is room already */
		assert_true(
		    model_bytes(w->small) <= model_memory(w->small) / 20 * 21);
	for (size_t at = p->from;
	     at < p->until || (at < p->later && detail_lacks(d));
	     at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame(d, &f), 0);
	}
	detail_ready(d);
	model_set_detail(w->small, d);
	return (true);
}

/*
 * A thread whose next event tells of a loss: that began with its last event
 * before, which cannot be known yet.
 */
static bool
loss_is_next(const struct made *w, int64_t t)
{
	bool seen[THREADS + 1] = { false };
	const struct event *e;

	for (size_t i = 0; i < EVENTS; i++) {
		e = &w->log.events[i];
		if (e->t_mon_ns < t || seen[e->location])
			continue;
		seen[e->location] = true;
		if (e->kind == EV_lost)
			return (true);
	}
	return (false);
}

static void
same_lane(const struct made *w, uint32_t lane, int64_t t0, int64_t t1,
    const struct detail_plan *p)
{
	static uint8_t a[PIXELS * LANE_CLASSES], b[PIXELS * LANE_CLASSES];
	static struct span x[LIST], y[LIST];
	uint32_t name_a[PIXELS], name_b[PIXELS];
	int64_t by_a[LANE_CLASSES], by_b[LANE_CLASSES];
	uint64_t n_a, n_b;
	size_t n;

	model_lane_pixels(w->all, lane, t0, t1, PIXELS, 0, PIXELS, a, name_a);
	model_lane_pixels(w->small, lane, t0, t1, PIXELS, 0, PIXELS, b, name_b);
	for (int i = 0; i < PIXELS * LANE_CLASSES; i++)
		assert_true(abs(a[i] - b[i]) <= 1); /* of 255: rounded */
	model_lane_totals(w->all, lane, t0, t1, by_a, &n_a);
	model_lane_totals(w->small, lane, t0, t1, by_b, &n_b);
	assert_memory_equal(by_a, by_b, sizeof(by_a));
	assert_int_equal(n_a, n_b);
	n = model_lane_spans(w->all, lane, t0, t1, x, LIST);
	assert_int_equal(model_lane_spans(w->small, lane, t0, t1, y, LIST), n);
	for (size_t i = 0; i < n && n <= LIST; i++) {
		/* when it ends, if that was not read, is not known */
		if (y[i].t1_mon_ns == INT64_MAX && x[i].t1_mon_ns >= p->t1_ns)
			y[i].t1_mon_ns = x[i].t1_mon_ns;
		assert_memory_equal(&x[i], &y[i], sizeof(*x));
	}
}

static void
same_stacks(struct made *w, int64_t t)
{
	struct span a[DEEPER * 2], b[DEEPER * 2];
	size_t n;

	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t lane = model_location_lane(w->all, w->th[i].location);

		n = model_stack(w->all, lane, t, a, DEEPER * 2);
		assert_true(n <= DEEPER * 2);
		assert_int_equal(model_stack(w->small, lane, t, b, DEEPER * 2),
		    n);
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(a[k].name, b[k].name);
			assert_int_equal(a[k].class, b[k].class);
			assert_int_equal(a[k].kind, b[k].kind);
			assert_int_equal(a[k].depth, b[k].depth);
			assert_int_equal(a[k].id, b[k].id);
		}
	}
}

static int
link_compare(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->t0_mon_ns != y->t0_mon_ns)
		return (x->t0_mon_ns < y->t0_mon_ns ? -1 : 1);
	if (x->kind0 != y->kind0)
		return (x->kind0 < y->kind0 ? -1 : 1);
	if (x->id != y->id)
		return (x->id < y->id ? -1 : 1);
	return (x->t1_mon_ns < y->t1_mon_ns ? -1 : x->t1_mon_ns > y->t1_mon_ns);
}

/*
 * But for a few that were under way for long before what was read, or are
 * behind it.  out: how many came in, or went out, and are known all the same.
 */
static size_t
same_links(const struct made *w, int64_t t0, int64_t t1,
    const struct detail_plan *p, size_t beyond[2])
{
	static struct link a[LIST], b[LIST];
	size_t n = model_links(w->all, t0, t1, a, LIST), k = 0, seen = 0;
	size_t m = model_links(w->small, t0, t1, b, LIST);

	assert_true(n <= LIST && m <= n);
	qsort(a, n, sizeof(*a), link_compare);
	qsort(b, m, sizeof(*b), link_compare);
	for (size_t i = 0; i < n; i++) {
		if (k < m && link_compare(&a[i], &b[k]) == 0) {
			assert_int_equal(a[i].lane0, b[k].lane0);
			assert_int_equal(a[i].lane1, b[k].lane1);
			assert_int_equal(a[i].bytes, b[k].bytes);
			beyond[0] += a[i].t0_mon_ns < p->t0_ns;
			beyond[1] += a[i].t1_mon_ns >= p->t1_ns &&
				     a[i].t1_mon_ns != INT64_MAX;
			k++;
			seen++;
			continue;
		}
		assert_true(
		    a[i].t0_mon_ns < p->t0_ns || a[i].t1_mon_ns >= p->t1_ns);
		assert_true(a[i].t1_mon_ns != INT64_MAX);
	}
	assert_int_equal(k, m);
	return (seen);
}

static size_t
same_marks(const struct made *w, int64_t t0, int64_t t1)
{
	static struct mark a[LIST], b[LIST];
	size_t n = model_marks(w->all, t0, t1, a, LIST);

	assert_int_equal(model_marks(w->small, t0, t1, b, LIST), n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(a[i].t_mon_ns, b[i].t_mon_ns);
		assert_int_equal(a[i].kind, b[i].kind);
		assert_int_equal(a[i].lane, b[i].lane);
		assert_int_equal(a[i].a, b[i].a);
	}
	return (n);
}

/* A link that came in before what was read, or goes out behind. */
static bool
half_known(const struct made *w, int64_t t, const struct detail_plan *p)
{
	static struct link v[LIST];
	size_t n = model_links(w->all, t, t + 1, v, LIST);

	for (size_t i = 0; i < n; i++)
		if ((v[i].t1_mon_ns == t && v[i].t0_mon_ns < p->t0_ns) ||
		    (v[i].t0_mon_ns == t && v[i].t1_mon_ns >= p->t1_ns))
			return (true);
	return (false);
}

/* Returns how many were the same. */
static size_t
same_steps(struct made *w, int64_t t, const struct detail_plan *p)
{
	size_t same = 0;

	for (long n = -1; n <= 1; n += 2) {
		int64_t want = model_step(w->all, UINT32_MAX, t, n);

		if (want < p->t0_ns || want >= p->t1_ns ||
		    half_known(w, want, p))
			continue;
		assert_int_equal(model_step(w->small, UINT32_MAX, t, n), want);
		same++;
	}
	return (same);
}

static void
what_is_fetched_back_is_the_same(void **state)
{
	struct detail_plan p;
	int64_t end, t0, t1, width;
	size_t links = 0, marks = 0, steps = 0, fetched = 0;
	size_t beyond[2] = { 0, 0 };

	(void)state;
	detail_apart_events = 2048;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct made *w = made_new(seed);

		end = model_last_ns(w->all);
		assert_true(model_detail_ns(w->small) > end / 4);
		assert_int_equal(model_lanes(w->all), model_lanes(w->small));
		for (int r = 0; r < 60; r++) {
			width = 1 + below(w, 1u << (8 + below(w, 12)));
			t0 = (int64_t)below(w, (uint32_t)(end - width));
			t1 = t0 + width;
			if (!fetch(w, t0, t1, EVENTS / 2, &p) ||
			    loss_is_next(w, p.t1_ns))
				continue;
			fetched++;
			assert_true(p.t0_ns <= t0 && p.t1_ns >= t1);
			assert_true(model_known(w->small, t0, t1));
			for (uint32_t i = 0; i < model_lanes(w->all); i++)
				same_lane(w, i, t0, t1, &p);
			links += same_links(w, t0, t1, &p, beyond);
			marks += same_marks(w, t0, t1);
			same_stacks(w, t0 + width / 2);
			steps += same_steps(w, t0, &p);
		}
		made_free(w);
	}
	assert_true(fetched > 60 && links > 1000 && marks > 1000);
	assert_true(steps > fetched);
	assert_true(beyond[0] > 100 && beyond[1] > 100);
}

/* The memory allowed holds with what is fetched back, too. */
static void
the_cap_holds_with_it(void **state)
{
	enum {
		BATCH = 65536,
		BATCHES = 64
	};
	const uint64_t cap = (uint64_t)24 << 20;
	struct feed_made feed = { .mix = { .messages = 50 }, .lanes = 8 };
	struct made *w = calloc(1, sizeof(*w));
	struct event *e = calloc(BATCH, sizeof(*e));
	uint64_t seq[9] = { 0 }, most;
	struct detail_plan p;
	unsigned fetched = 0;

	(void)state;
	assert_non_null(w);
	assert_non_null(e);
	detail_apart_events = 32768;
	w->small = feed_model(8);
	w->all = model_new();
	model_set_memory(w->small, cap);
	for (int i = 0; i < BATCHES; i++) {
		struct block_writer *b = block_writer_new();
		size_t at = w->log.out.n;
		struct frame f;

		feed_fill(&feed, e, BATCH);
		for (int k = 0; k < BATCH; k++) {
			e[k].seq = seq[e[k].location]++;
			assert_int_equal(block_add(b, &e[k]), 0);
		}
		assert_int_equal(block_finish(b, 0, 0, &w->log.out), 0);
		block_writer_free(b);
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame_at(w->small, &f, at), 0);
	}
	free(e);
	most = detail_most(w->small);
	assert_true(most >= BATCH / 2);
	for (int64_t t = 2000; t < model_last_ns(w->small) / 4; t += 2000000) {
		if (!fetch(w, t, t + 1000, most, &p))
			continue;
		assert_true(model_bytes(w->small) <= cap + cap / 20);
		fetched++;
	}

	assert_true(fetched > 5);
	made_free(w);
}

/* Nothing is fetched that is there, or too much, or without a place. */
static void
plans_are_sensible(void **state)
{
	struct detail_plan p;
	struct made *w;
	struct model *m;
	struct frame f;

	(void)state;
	detail_apart_events = 2048;
	w = made_new(4);
	assert_false(detail_plan(w->all, 2000, 3000, EVENTS, &p));
	assert_false(detail_plan(w->small, model_last_ns(w->all) - 10,
	    model_last_ns(w->all), EVENTS, &p));
	assert_true(detail_plan(w->small, 2000, 3000, EVENTS, &p));
	assert_true(p.until - p.from < w->log.out.n / 10);
	assert_true(p.later > p.until && p.events >= BLOCK);
	assert_false(detail_plan(w->small, 2000, 3000, BLOCK - 1, &p));
	assert_false(detail_plan(w->small, 3000, 3000, EVENTS, &p));
	/* until the end of all */
	assert_true(detail_plan(w->small, 2000, INT64_MAX, EVENTS, &p));
	assert_int_equal(p.events, EVENTS);
	assert_true(model_finished(w->small));
	assert_int_equal(p.t1_ns, model_last_ns(w->all) + 1);
	m = model_new();
	model_set_memory(m, model_memory(w->small));
	for (size_t at = 0; at < w->log.out.n; at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		model_add_frame(m, &f);
	}
	assert_true(model_detail_ns(m) > 3000);
	assert_false(detail_plan(m, 2000, 3000, EVENTS, &p));
	model_free(m);
	made_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_fetched_back_is_the_same),
		cmocka_unit_test(the_cap_holds_with_it),
		cmocka_unit_test(plans_are_sensible),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
