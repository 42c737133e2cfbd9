/*
 * Statistics of any range are exact to the integer, also where single changes
 * were given up, in a model that was kept in a file, and in one that has grown
 * since: as a model says that never gave anything up.
 */
#include "tests/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_again.h"

#define RANGES TRIES(150)

/* Reads again what the ends need. */
static void
settle(struct made *w, struct model *m, int64_t t0, int64_t t1)
{
	assert_true(settle_sums(w, m, SUMS_LANES, t0, t1, EVENTS) >= 0);
}

/* All lanes of both; returns of how many it is known to be exact. */
static unsigned
compare(const struct made *w, const struct model *m, int64_t t0, int64_t t1)
{
	int64_t a[LANE_CLASSES], b[LANE_CLASSES];
	uint64_t spans_a, spans_b;
	unsigned exact = 0;

	for (uint32_t i = 0; i < model_lanes(m); i++) {
		assert_true(model_lane_totals(w->all, i, t0, t1, a, &spans_a));
		if (!model_lane_totals(m, i, t0, t1, b, &spans_b))
			continue;
		assert_memory_equal(a, b, sizeof(a));
		assert_int_equal(spans_a, spans_b);
		exact++;
	}
	return (exact);
}

/* Returns how many lanes were not exact before. */
static unsigned
ranges_are_exact(struct made *w, struct model *m)
{
	unsigned rough = 0;
	struct range r;

	assert_int_equal(model_lanes(w->all), model_lanes(m));
	for (int i = 0; i < RANGES; i++) {
		r = some_range(w, 8, 16, 10);
		rough += model_lanes(m) - compare(w, m, r.t0, r.t1);
		settle(w, m, r.t0, r.t1);
		assert_int_equal(compare(w, m, r.t0, r.t1), model_lanes(m));
	}
	return (rough);
}

static void
what_was_given_up_is_exact(void **state)
{
	struct made *w;

	(void)state;
	detail_apart_events = 2048;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		w = made_new(seed);
		assert_true(
		    model_detail_ns(w->small) > model_last_ns(w->all) / 4);
		assert_true(ranges_are_exact(w, w->small) > RANGES * 10);
		made_free(w);
	}
}

/* Its end moves on with the run; only now and then is something read. */
static void
a_range_may_grow(void **state)
{
	struct made *w = made_log(5);
	int64_t t0 = 0, t1 = 0;
	unsigned grown = 0, again = 0;
	struct frame f;
	size_t half = w->log.out.n / 2;

	(void)state;
	detail_apart_events = 2048;
	w->all = model_new();
	w->small = model_new();
	model_set_memory(w->small, 900000);
	for (size_t at = 0; at < w->log.out.n; at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		model_add_frame_at(w->all, &f, at);
		model_add_frame_at(w->small, &f, at);
		if (at < half)
			continue;
		if (t0 == 0) {
			t0 = model_last_ns(w->all) / 7;
			t1 = model_last_ns(w->all);
			settle(w, w->small, t0, t1);
		}
		/* as long as all since then is in memory, and known */
		if (compare(w, w->small, t0, model_last_ns(w->all)) ==
		    model_lanes(w->all)) {
			grown++;
		} else {
			t1 = model_last_ns(w->all);
			settle(w, w->small, t0, t1);
			assert_int_equal(compare(w, w->small, t0, t1),
			    model_lanes(w->all));
			again++;
		}
	}
	assert_true(model_detail_ns(w->small) > t0);
	assert_true(grown > 50 && again > 0);
	made_free(w);
}

static bool
kept_ranges(struct made *w, struct model *m)
{
	return (ranges_are_exact(w, m) > RANGES * 10);
}

static void
what_was_kept_is_exact(void **state)
{
	(void)state;
	kept_is_exact(kept_ranges);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_given_up_is_exact),
		cmocka_unit_test(a_range_may_grow),
		cmocka_unit_test(what_was_kept_is_exact),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
