/* Spans of a lane by their number are those that were told, one by one. */
#include "tests/check.h"

#include <stdlib.h>

#include "tests/unit/make_feed.h"

#define CALLS   40000
#define EVENTS  (2 * CALLS)
#define AT_ONCE 7

struct told {
	int64_t t0;
	uint32_t name;
};

/* Calls in calls, as they come; returns how many were entered. */
static size_t
tell(struct model *m, struct told *told)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct event *e = calloc(EVENTS, sizeof(*e));
	size_t n = 0;

	assert_non_null(f);
	assert_non_null(e);
	f->lanes = 1;
	f->mix.nested = 5;
	f->now = 1000;
	feed_fill(f, e, EVENTS);
	for (size_t i = 0; i < EVENTS; i++)
		if (e[i].kind == EV_enter)
			told[n++] = (struct told){ e[i].t_mon_ns, e[i].c };
	for (size_t i = 0; i < EVENTS; i += 1000)
		model_add_events(m, e + i, 1000);
	free(e);
	free(f);
	return (n);
}

static void
by_number_as_they_were_told(void **state)
{
	struct told *told = calloc(EVENTS, sizeof(*told));
	struct model *m = feed_model(1);
	uint32_t lane = model_location_lane(m, 1);
	struct span out[AT_ONCE];
	uint64_t all;
	size_t n, got;

	(void)state;
	assert_true(model_lane_listed(m, lane, &all));
	assert_int_equal(all, 0);
	assert_int_equal(model_lane_list(m, lane, 0, out, AT_ONCE), 0);
	n = tell(m, told);
	assert_true(model_lane_listed(m, lane, &all));
	assert_int_equal(all, n);
	for (size_t k = 0; k < n + 3; k += k + 200 < n && k > 200 ? 61 : 1) {
		got = model_lane_list(m, lane, k, out, AT_ONCE);
		assert_int_equal(got, k >= n            ? 0
				      : n - k < AT_ONCE ? n - k
							: AT_ONCE);
		for (size_t i = 0; i < got; i++) {
			assert_int_equal(out[i].t0_mon_ns, told[k + i].t0);
			assert_int_equal(out[i].name, told[k + i].name);
		}
	}
	model_free(m);
	free(told);
}

/* What was given up is said, what is left is right. */
static void
what_is_gone_is_said(void **state)
{
	struct told *told = calloc(EVENTS, sizeof(*told));
	struct model *m = feed_model(1);
	uint32_t lane = model_location_lane(m, 1);
	struct span out[AT_ONCE];
	uint64_t all;
	size_t n, got, gone = 0;

	(void)state;
	model_set_memory(m, model_bytes(m) + EVENTS);
	n = tell(m, told);
	assert_true(model_lane_listed(m, lane, &all));
	assert_int_equal(all, n);
	for (size_t k = 0; k + AT_ONCE < n; k += 37) {
		got = model_lane_list(m, lane, k, out, AT_ONCE);
		gone += got > AT_ONCE;
		for (size_t i = 0; got <= AT_ONCE && i < got; i++)
			assert_int_equal(out[i].t0_mon_ns, told[k + i].t0);
	}
	assert_true(gone > 0 && gone < n / 37);
	model_free(m);
	free(told);
}

/* A heading has no list of its own; a process of one thread has its. */
static void
headings_have_none(void **state)
{
	struct model *m = feed_model(9);
	uint32_t thread = model_location_lane(m, 1);
	uint32_t only = model_location_lane(m, 9);
	uint64_t n;

	(void)state;
	assert_false(model_lane_listed(m, model_lane(m, thread)->parent, &n));
	assert_true(model_lane_listed(m, model_lane(m, only)->parent, &n));
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_number_as_they_were_told),
		cmocka_unit_test(what_is_gone_is_said),
		cmocka_unit_test(headings_have_none),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
