/*
 * A model that may not grow: the cap holds with a feed many times as large,
 * what is left is exact as far as it goes, and what is rare stays.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_feed.h"

#define LANES 64
#define CAP   ((uint64_t)6 << 20)
#define BATCH 16384
#define RARE  3 /* the only events that were lost: after so many batches */

struct world {
	struct model *m;
	struct feed_made feed;
	struct event *events;
	int64_t *t; /* of each flat call: begin, end */
	uint32_t *lane;
	size_t calls;
	int64_t rare_ns;
};

static void
lose_some(struct world *w)
{
	struct event e = { .t_mon_ns = w->feed.now + 1,
		.location = 1,
		.kind = EV_lost,
		.a = 7 };

	w->rare_ns = e.t_mon_ns;
	w->feed.now += 2;
	model_add_events(w->m, &e, 1);
}

static void
remember(struct world *w, size_t n)
{
	for (size_t i = 0; i < n; i += 2) {
		w->t[2 * w->calls] = w->events[i].t_mon_ns;
		w->t[2 * w->calls + 1] = w->events[i + 1].t_mon_ns;
		w->lane[w->calls++] = w->events[i].location - 1;
	}
}

/* The cap is looked at after each batch. */
static struct world *
world_make(size_t batches, struct feed_mix mix, bool remembered)
{
	struct world *w = calloc(1, sizeof(*w));
	uint64_t most = 0;

	assert_non_null(w);
	w->m = feed_model(LANES);
	w->feed.mix = mix;
	w->feed.lanes = LANES;
	w->feed.now = 1000;
	w->events = calloc(BATCH, sizeof(*w->events));
	w->t = remembered ? calloc(batches * BATCH, sizeof(*w->t)) : NULL;
	w->lane =
	    remembered ? calloc(batches * BATCH / 2, sizeof(*w->lane)) : NULL;
	model_set_memory(w->m, CAP);
	for (size_t i = 0; i < batches; i++) {
		feed_fill(&w->feed, w->events, BATCH);
		model_add_events(w->m, w->events, BATCH);
		if (remembered)
			remember(w, BATCH);
		if (i == RARE)
			lose_some(w);
		if (model_bytes(w->m) > most)
			most = model_bytes(w->m);
	}
	assert_true(most > CAP / 2);
	assert_true(most <= CAP + CAP / 20);
	return (w);
}

static void
world_free(struct world *w)
{
	model_free(w->m);
	free(w->events);
	free(w->t);
	free(w->lane);
	free(w);
}

/* By hand: ns of calls in [t0, t1) of a lane, and how many begin there. */
static int64_t
ran(const struct world *w, uint32_t lane, int64_t t0, int64_t t1,
    uint64_t *calls)
{
	int64_t sum = 0, a, b;

	*calls = 0;
	for (size_t i = 0; i < w->calls; i++) {
		if (w->lane[i] != lane)
			continue;
		a = w->t[2 * i];
		b = w->t[2 * i + 1];
		*calls += a >= t0 && a < t1;
		a = a > t0 ? a : t0;
		b = b < t1 ? b : t1;
		sum += b > a ? b - a : 0;
	}
	return (sum);
}

static void
the_cap_holds(void **state)
{
	static const struct feed_mix mixes[] = { { 0, 0, 0 }, { 4, 0, 0 },
		{ 0, 50, 0 }, { 0, 100, 0 }, { 2, 20, 0 } };
	struct world *w;

	(void)state;
	for (size_t i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++) {
		w = world_make(250, mixes[i], false);
		assert_true(model_memory(w->m) == CAP);
		if (mixes[i].messages < 100)
			assert_true(model_detail_ns(w->m) > 1000);
		world_free(w);
	}
}

/* The whole run, and what is still there one by one, to the ns; the rest as
 * well as the shares of its nodes are. */
static void
statistics_stay_right(void **state)
{
	struct world *w = world_make(160, (struct feed_mix){ 0, 0, 0 }, true);
	int64_t by[LANE_CLASSES], want, end = model_last_ns(w->m), t0, t1;
	int64_t detail = model_detail_ns(w->m);
	uint64_t spans, calls;
	uint32_t id;

	(void)state;
	assert_true(detail > end / 4 && detail < end);
	for (uint32_t lane = 0; lane < LANES; lane += 7) {
		id = model_location_lane(w->m, 1 + lane);
		model_lane_totals(w->m, id, 0, end, by, &spans);
		want = ran(w, lane, 0, end, &calls);
		/* of lane 0 some of it is taken for lost */
		if (lane != 0)
			assert_int_equal(by[LANE_running], want);
		assert_int_equal(spans, calls + (lane == 0));

		t0 = detail + (end - detail) / 3;
		t1 = end - (end - detail) / 5;
		model_lane_totals(w->m, id, t0, t1, by, &spans);
		assert_int_equal(by[LANE_running],
		    ran(w, lane, t0, t1, &calls));
		assert_int_equal(spans, calls);

		for (int r = 1; r < 6; r++) {
			t0 = end / 17 * r;
			t1 = end / 3 + end / 13 * r;
			model_lane_totals(w->m, id, t0, t1, by, &spans);
			want = ran(w, lane, t0, t1, &calls);
			/* the ends lie in nodes of 1,024 changes or so */
			assert_true(llabs(by[LANE_running] - want) < want / 80);
			assert_true(llabs((int64_t)(spans - calls)) <
				    (int64_t)calls / 80);
		}
	}
	world_free(w);
}

static void
shares_stay_right(void **state)
{
	struct world *w = world_make(160, (struct feed_mix){ 0, 0, 0 }, true);
	int64_t end = model_last_ns(w->m), t0, t1;
	uint8_t share[40 * LANE_CLASSES];
	uint64_t calls;

	(void)state;
	for (uint32_t lane = 1; lane < LANES; lane += 9) {
		model_lane_pixels(w->m, model_location_lane(w->m, 1 + lane), 0,
		    end, 40, 0, 40, share, NULL);
		for (int i = 0; i < 40; i++) {
			t0 = end / 40 * i + end % 40 * i / 40;
			t1 = end / 40 * (i + 1) + end % 40 * (i + 1) / 40;
			double want = (double)ran(w, lane, t0, t1, &calls) *
				      255 / (double)(t1 - t0);
			double got = share[i * LANE_CLASSES + LANE_running];

			assert_true(got - want < 2.5 && want - got < 2.5);
		}
	}
	world_free(w);
}

static void
single_spans_are_not_made_up(void **state)
{
	struct world *w = world_make(160, (struct feed_mix){ 0, 0, 0 }, true);
	int64_t detail = model_detail_ns(w->m), end = model_last_ns(w->m);
	struct span spans[64];
	uint32_t lane = model_location_lane(w->m, 9);

	(void)state;
	assert_int_equal(model_lane_spans(w->m, lane, 2000, 2100, spans, 64),
	    65);
	assert_true(
	    model_lane_spans(w->m, lane, end - 20000, end, spans, 64) < 64);
	assert_true(detail < end - 20000);
	world_free(w);
}

static void
what_is_rare_stays(void **state)
{
	struct world *w = world_make(160, (struct feed_mix){ 2, 10, 0 }, false);
	struct mark mark[8];
	struct link link[16];
	int64_t end = model_last_ns(w->m);

	(void)state;
	assert_int_equal(model_alerts(w->m, 0, end, mark, 8), 1);
	assert_int_equal(mark[0].t_mon_ns, w->rare_ns);
	assert_int_equal(mark[0].kind, EV_lost);
	assert_int_equal(model_marks(w->m, 0, end, mark, 8), 1);
	assert_true(model_links(w->m, end - 10000, end, link, 16) > 0);
	assert_int_equal(model_links(w->m, 0, 10000, link, 16), 0);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cap_holds),
		cmocka_unit_test(statistics_stay_right),
		cmocka_unit_test(shares_stay_right),
		cmocka_unit_test(single_spans_are_not_made_up),
		cmocka_unit_test(what_is_rare_stays),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
