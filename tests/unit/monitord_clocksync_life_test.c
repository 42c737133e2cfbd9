/* A node over time: its schedule, its states, and what was told of it. */
#include "tests/unit/monitord_clockbench.h"

#include "tests/sim/clockbed.h"

static void
nonsense_is_refused(void **state)
{
	struct clocksync *s = clocksync_new(1, NULL, NULL);
	uint32_t seq;

	(void)state;
	clocksync_connected(s, 1000);
	seq = clocksync_ping(s, 1000);
	assert_int_equal(clocksync_due(s), INT64_MAX);
	assert_int_equal(clocksync_pong(s, seq + 1, 1000, 5, 6, 3000), -1);
	assert_int_equal(clocksync_pong(s, seq, 1000, 6, 5, 3000), -1);
	assert_int_equal(clocksync_pong(s, seq, 1000, 5, 6, 3000), -1);
	seq = clocksync_ping(s, 4000);
	assert_int_equal(clocksync_pong(s, seq, 4000, INT64_MIN, INT64_MAX,
			     5000),
	    -1);
	seq = clocksync_ping(s, 6000);
	assert_int_equal(clocksync_pong(s, seq, 100, 5, 6, 7000), -1);
	seq = clocksync_ping(s, 8000);
	assert_int_equal(clocksync_pong(s, seq, 8000, 5, 6, 8500), 0);
	assert_false(clocksync_usable(s));
	clocksync_free(s);
}

static void
the_schedule_is_kept(void **state)
{
	struct chance c = { 9 };
	struct clocksync_stats st;
	struct bench b;
	uint64_t before;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	bench_run(&b, 100 * MS);
	clocksync_stats(b.sync, 0, &st);
	assert_int_equal(st.pings, 16);
	assert_true(clocksync_usable(b.sync));
	bench_run(&b, 4 * SEC);
	clocksync_stats(b.sync, 0, &st);
	/* bursts of 24 */
	assert_in_range(st.pings, 16 + 24 * 34, 16 + 26 * 41);
	bench_run(&b, 20 * SEC);
	clocksync_stats(b.sync, 0, &st);
	before = st.pings;
	bench_run(&b, 30 * SEC);
	clocksync_stats(b.sync, 0, &st);
	assert_in_range(st.pings - before, 4 * 9, 9 * 11);
	clocksync_crowd(b.sync, 4096);
	bench_run(&b, 40 * SEC);
	clocksync_stats(b.sync, 0, &st);
	before = st.pings;
	bench_run(&b, 80 * SEC);
	clocksync_stats(b.sync, 0, &st);
	assert_in_range(st.pings - before, 4 * 9, 9 * 11);
	bench_stop(&b);
}

/* Nodes that connect at once are not all asked at once ever after. */
static void
bursts_are_spread_over_the_period(void **state)
{
	unsigned tenth[10] = { 0 };
	struct chance c = { 19 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct bench b;

		bench_start(&b, &scenarios[0], &c);
		b.sample_ns = INT64_MAX;
		bench_run(&b, 7 * SEC);
		while (clocksync_due(b.sync) <= b.now_ns)
			bench_ping(&b);
		tenth[clocksync_due(b.sync) % SEC / (SEC / 10)]++;
		bench_stop(&b);
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(tenth[i], 60, 140);
}

/* The node sleeps, its clock too: what the map said meanwhile is void. */
static void
a_node_that_sleeps_begins_anew(void **state)
{
	struct chance c = { 20 };
	struct clocksync_stats st;
	struct clockbed b;

	(void)state;
	for (int i = 0; i < 40; i++) {
		assert_int_equal(clockbed_start(&b, &scenarios[i % 4], &c, NULL,
				     NULL),
		    0);
		clockbed_run(&b, 90 * SEC + i * 37 * MS);
		clockbed_suspend(&b, 600 * SEC);
		clockbed_run(&b, b.held_until_ns - SEC);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.state, CLOCK_HOLDOVER);
		clockbed_run(&b, b.held_until_ns + 1200 * MS);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, 1);
		b.beyond = b.fallen = 0;
		clockbed_run(&b, b.now_ns + 60 * SEC);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, 1);
		assert_int_equal(st.state, CLOCK_LOCKED);
		assert_int_equal(b.beyond, 0);
		assert_int_equal(b.fallen, 0);
		clockbed_stop(&b);
	}
}

/* Each state is reached, told in a segment, and left again. */
static void
every_state_is_reached_and_left(void **state)
{
	struct chance c = { 21 };
	struct clocksync_stats st;
	struct bench b;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	clocksync_stats(b.sync, 0, &st);
	assert_int_equal(st.state, CLOCK_UNSYNCED);
	assert_int_equal(clocksync_error(b.sync, 0), INT64_MAX);
	bench_run(&b, 60 * MS);
	assert_int_equal(b.last.state, CLOCK_COARSE);
	bench_run(&b, 3 * SEC);
	assert_int_equal(b.last.state, CLOCK_LOCKED);
	bench_run(&b, 100 * SEC);
	clock_model_step(&b.clock, b.now_ns, SEC);
	b.last_mon_ns = 0;
	b.sample_ns = INT64_MAX;
	bench_run(&b, b.now_ns + 1100 * MS);
	assert_int_equal(b.last.state, CLOCK_STEPPED);
	bench_run(&b, b.now_ns + 2 * SEC);
	assert_int_equal(b.last.state, CLOCK_LOCKED);
	clocksync_disconnected(b.sync, b.now_ns);
	bench_run(&b, b.now_ns + 7 * SEC);
	assert_int_equal(b.last.state, CLOCK_HOLDOVER);
	clocksync_connected(b.sync, b.now_ns);
	bench_run(&b, b.now_ns + 2 * SEC);
	assert_int_equal(b.last.state, CLOCK_LOCKED);
	bench_stop(&b);
}

/*
 * The messages of nodes that talk no more are good for a while, and are looked
 * at with the second only: between two looks, and the bends of the pings, the
 * map must not swing around what they say.
 */
static double
talking(int64_t apart_ns, int64_t until)
{
	struct chance c = { 22 };
	struct clock_line line;
	double worst = 0, beta;
	uint32_t epoch;
	struct bench b;

	bench_start(&b, &scenarios[0], &c);
	b.from_ns = 30 * SEC;
	for (int64_t t = b.from_ns + 130 * MS; t < until; t += apart_ns) {
		bench_run(&b, t);
		assert_true(clocksync_line(b.sync, &line, &beta, &epoch));
		clocksync_tighten(b.sync, &line, US, b.now_ns);
	}
	assert_int_equal(b.beyond, 0);
	for (size_t i = 0; i < b.errors; i++) {
		if (b.error_us[i] > worst)
			worst = b.error_us[i];
	}
	bench_stop(&b);
	return (worst);
}

static void
the_map_does_not_swing_when_messages_stop(void **state)
{
	double often = talking(SEC / 4, 120 * SEC);

	(void)state;
	for (int64_t apart = SEC / 2; apart <= SEC; apart += SEC / 4)
		assert_true(talking(apart, 120 * SEC) < often + 0.5);
}

/* Nor when monitord was stopped, and then hears of messages first. */
static void
a_pause_of_monitord_bends_no_messages_on(void **state)
{
	struct chance c = { 24 };
	struct clock_line aim;
	const struct clock_segment *s;
	double beta;
	uint32_t epoch;
	struct bench b;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	bench_run(&b, 60 * SEC);
	for (int i = 0; i < 20; i++) {
		int64_t at = b.now_ns, end = at + 4 * SEC, node;

		assert_true(clocksync_line(b.sync, &aim, &beta, &epoch));
		clocksync_tighten(b.sync, &aim, US, at);
		aim.offset_ns += (int64_t)aim.gap_ns / 4;
		clocksync_tighten(b.sync, &aim, (int64_t)aim.gap_ns, at + MS);
		aim.offset_ns -= (int64_t)aim.gap_ns / 4;
		clocksync_tighten(b.sync, &aim, US, end);
		for (; at < end; at += 10 * MS) {
			node = clock_model_node(&b.clock, at);
			s = clockmap_find(clocksync_map(b.sync), node);
			assert_true(llabs(clock_segment_mon(s, node) - at) <=
				    s->error_ns);
		}
		b.sample_ns = b.now_ns = end;
		bench_run(&b, b.now_ns + 10 * SEC);
	}
	bench_stop(&b);
}

/* A log is read by its segments alone: their own bounds must do. */
static void
the_bounds_in_the_log_hold_in_holdover(void **state)
{
	struct chance c = { 22 };
	struct bench b;

	(void)state;
	for (int i = 0; i < 20; i++) {
		bench_start(&b, &scenarios[3], &c);
		bench_run(&b, 60 * SEC);
		clocksync_disconnected(b.sync, b.now_ns);
		while (b.now_ns < 400 * SEC) {
			int64_t node;

			bench_run(&b, b.now_ns + 100 * MS);
			node = clock_model_node(&b.clock, b.now_ns);
			clocksync_reach(b.sync, node, b.now_ns);
			assert_true(llabs(clock_segment_mon(&b.last, node) -
					  b.now_ns) <= b.last.error_ns);
			/* nor did it say less than is said now */
			assert_true(clocksync_error(b.sync, node) <=
				    2 * b.last.error_ns);
		}
		bench_stop(&b);
	}
}

/*
 * A node whose clock has been set ahead tells of times that the map puts ahead
 * of now.  What it has told keeps its time, whatever comes next.
 */
static void
what_is_told_ahead_of_time_keeps_its_time(void **state)
{
	struct chance c = { 23 };
	struct bench b;
	int64_t ahead, mon;

	(void)state;
	for (int64_t more = 1; more <= 20 * MS; more = 3 * more + 1) {
		bench_start(&b, &scenarios[0], &c);
		bench_run(&b, 60 * SEC);
		clocksync_disconnected(b.sync, b.now_ns);
		for (int i = 0; i < 40; i++) {
			bench_run(&b, b.now_ns + SEC);
			b.now_ns += SEC;
			ahead = clock_model_node(&b.clock, b.now_ns) + more;
			clocksync_told(b.sync, ahead);
			mon = clocksync_mon(b.sync, ahead);
			clocksync_tick(b.sync, b.now_ns);
			assert_int_equal(clocksync_mon(b.sync, ahead), mon);
		}
		assert_int_equal(b.last.state, CLOCK_HOLDOVER);
		bench_stop(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(the_schedule_is_kept),
		cmocka_unit_test(bursts_are_spread_over_the_period),
		cmocka_unit_test(a_node_that_sleeps_begins_anew),
		cmocka_unit_test(every_state_is_reached_and_left),
		cmocka_unit_test(the_map_does_not_swing_when_messages_stop),
		cmocka_unit_test(a_pause_of_monitord_bends_no_messages_on),
		cmocka_unit_test(the_bounds_in_the_log_hold_in_holdover),
		cmocka_unit_test(what_is_told_ahead_of_time_keeps_its_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
