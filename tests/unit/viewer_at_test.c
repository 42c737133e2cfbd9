/*
 * What a lane does at an instant: of several spans that begin then the one
 * that lasts; nothing, where nothing does; and that it is not known, where
 * only sums are left.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "tests/unit/make_feed.h"
#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"

#define US    1000
#define LOCK  0x77
#define HOLDS 300000
#define BATCH 10000 /* holds: the limit is looked at after each */
#define CAP   ((uint64_t)1 << 20)

static struct model *
make_run(uint32_t *lane)
{
	struct make_log l = { 0 };
	uint32_t at, work;
	struct model *m;

	make_log_head(&l, "at");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	at = make_log_thread(&l, 1, 1, 1, "worker");
	work = make_log_name(&l, "work");
#define E(kind, us, c) make_log_event(&l, at, EV_##kind, (us)*US, 0, 0, c)
	E(enter, 100, work);
	E(leave, 200, work);
	for (int i = 0; i < 20; i++) { /* of 0 ns */
		E(enter, 300, work);
		E(leave, 300, work);
	}
	E(enter, 300, work);
	E(leave, 400, work);
	E(enter, 500, work);
	E(leave, 500, work);
	E(enter, 600, work);
#undef E
	make_log_sort(&l);
	m = make_model(&l);
	*lane = model_location_lane(m, at);
	return (m);
}

static void
the_one_that_lasts_is_told(void **state)
{
	static const struct {
		const char *what;
		int64_t us, from_us; /* -1: none */
	} cases[] = {
		{ "before all", 99, -1 },
		{ "the first instant", 100, 100 },
		{ "within", 150, 100 },
		{ "its end", 200, -1 },
		{ "between two", 250, -1 },
		{ "behind many of 0 ns", 300, 300 },
		{ "and later", 399, 300 },
		{ "one of 0 ns alone", 500, -1 },
		{ "what goes on", 9000, 600 },
	};
	uint32_t lane;
	struct model *m = make_run(&lane);
	struct span s;
	int found;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		found = model_lane_span_at(m, lane, cases[i].us * US, &s);
		if (found != (cases[i].from_us != -1) ||
		    (found && (s.t0_mon_ns != cases[i].from_us * US ||
				  s.t1_mon_ns <= cases[i].us * US)))
			fail_msg("%s: %d", cases[i].what, found);
	}
	model_free(m);
}

/* Thread 1 holds a lock for 10 us in every 20, more often than is kept. */
static struct model *
make_holds(uint32_t *lock)
{
	struct event *e = calloc(2 * BATCH, sizeof(*e));
	struct model *m = feed_model(1);

	assert_non_null(e);
	model_set_memory(m, CAP);
	for (int64_t i = 0; i < HOLDS; i += BATCH) {
		for (int64_t k = 0; k < 2 * BATCH; k++)
			e[k] = (struct event){
				.t_mon_ns = (2 * i + k) * 10 * US,
				.location = 1,
				.kind = k % 2 == 0 ? EV_lock_acquire
						   : EV_lock_release,
				.a = LOCK,
				.b = (uint64_t)(i + k / 2),
			};
		model_add_events(m, e, 2 * BATCH);
	}
	free(e);
	for (*lock = 0; model_lane(m, *lock)->kind != LANE_LOCK;)
		(*lock)++;
	return (m);
}

static void
what_is_gone_is_not_known(void **state)
{
	uint32_t lock;
	struct model *m = make_holds(&lock);
	struct lock_holder h;
	struct span s[8];
	const int64_t then = 105 * US;
	const int64_t now = (HOLDS - 1) * INT64_C(20) * US + 5 * US;

	(void)state;
	assert_int_equal(model_lane_spans(m, lock, then, then + 1, s, 8), 9);
	assert_int_equal(model_lane_span_at(m, lock, then, s), -1);
	assert_int_equal(lock_holders(m, lock, then, &h, 1), 0);
	assert_int_equal(model_lane_span_at(m, lock, now, s), 1);
	assert_int_equal(lock_holders(m, lock, now, &h, 1), 1);
	assert_int_equal(h.since_mon_ns, now - 5 * US);
	assert_int_equal(model_lane_span_at(m, lock, now - 10 * US, s), 0);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_lasts_is_told),
		cmocka_unit_test(what_is_gone_is_not_known),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
