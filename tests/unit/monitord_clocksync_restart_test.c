/* A clock that monitord knew before it was started, from the log. */
#include "tests/unit/monitord_clockbench.h"

static void
a_map_from_the_log_is_continued(void **state)
{
	struct chance c = { 8 };
	struct clocksync_stats st;
	struct bench b;

	(void)state;
	for (int jumped = 0; jumped < 2; jumped++) {
		bench_start(&b, &scenarios[0], &c);
		bench_run(&b, 30 * SEC);
		clocksync_free(b.sync);
		b.sync = clocksync_new(1, segment_cb, &b);
		assert_int_equal(clocksync_restore(b.sync, &b.last), 0);
		assert_false(clocksync_usable(b.sync));
		b.now_ns += 30 * SEC;
		b.sample_ns = INT64_MAX;
		if (jumped)
			clock_model_step(&b.clock, b.now_ns, 5 * SEC);
		clocksync_connected(b.sync, b.now_ns);
		bench_run(&b, b.now_ns + 10 * SEC);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, jumped);
		assert_int_equal(b.last.epoch, jumped);
		b.last_mon_ns = 0;
		b.sample_ns = b.from_ns = b.now_ns;
		b.errors = 0;
		bench_run(&b, b.now_ns + 10 * SEC);
		assert_true(percentile(b.error_us, b.errors, 0.99) < 30);
		bench_stop(&b);
	}
}

/* The last segment of the log was steep; what it said later is not used. */
static void
the_time_without_monitord_is_interpolated(void **state)
{
	struct chance c = { 18 };
	struct bench b;
	struct clocksync *s;
	struct clock_segment first, steep;
	int64_t t0, node;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	bench_run(&b, 30 * SEC);
	first = steep = b.last;
	clocksync_free(b.sync);
	s = b.sync = clocksync_new(1, NULL, NULL);
	steep.base_node_ns += SEC;
	steep.base_mon_ns = clock_segment_mon(&first, steep.base_node_ns);
	steep.skew_q40 += (int64_t)(5e-5 * (double)((int64_t)1 << 40));
	assert_int_equal(clocksync_restore(s, &first), 0);
	assert_int_equal(clocksync_restore(s, &steep), 0);
	b.sample_ns = INT64_MAX;
	t0 = b.now_ns += 15 * SEC;
	node = clock_model_node(&b.clock, t0);
	b.now_ns += 15 * SEC;
	clocksync_connected(s, b.now_ns);
	bench_run(&b, b.now_ns + SEC);
	assert_true(clocksync_usable(s));
	/* half-way: along the steep one it would be 750 us wrong */
	assert_true(llabs(clocksync_mon(s, node) - t0) < 60 * US);
	assert_true(clocksync_map(s)->n >= 4);
	assert_true(clocksync_map(s)->segments[2].base_node_ns <
		    steep.base_node_ns + 2 * SEC);
	bench_stop(&b);
}

/*
 * monitord is killed while the map is on a steep way to its line, and comes
 * back; the answers take their time.  What the node has told meanwhile is
 * within what the log says.
 */
static void
a_restart_breaks_no_bound(void **state)
{
	size_t beyond = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 120; seed++) {
		const struct clock_segment *seg;
		struct chance c = { seed };
		int64_t at[700], node[700], killed, answers;
		struct clockmap was = { 0 };
		struct bench b;
		int n = 0;

		bench_start(&b, &scenarios[1], &c);
		bench_run(&b,
		    SEC / 4 + (int64_t)(chance_next(&c) % (uint64_t)(8 * SEC)));
		killed = clock_model_node(&b.clock, b.now_ns);
		was = *clocksync_map(b.sync);
		was.segments = malloc(was.n * sizeof(*was.segments));
		assert_non_null(was.segments);
		memcpy(was.segments, clocksync_map(b.sync)->segments,
		    was.n * sizeof(*was.segments));
		clocksync_free(b.sync);
		b.sync = clocksync_new(1, segment_cb, &b);
		for (size_t i = 0; i < was.n; i++)
			assert_int_equal(clocksync_restore(b.sync,
					     &was.segments[i]),
			    0);
		clocksync_told(b.sync, killed);
		b.last = was.segments[was.n - 1];
		clockmap_clear(&was);
		answers = b.now_ns + SEC / 10 +
			  (int64_t)(chance_next(&c) % (uint64_t)(5 * SEC));
		for (; b.now_ns < answers; b.now_ns += SEC / 100) {
			at[n] = b.now_ns;
			node[n++] = clock_model_node(&b.clock, b.now_ns);
			if (n % 100 == 99)
				clocksync_tick(b.sync, b.now_ns);
		}
		clocksync_connected(b.sync, b.now_ns);
		b.sample_ns = INT64_MAX;
		while (!clocksync_usable(b.sync))
			bench_ping(&b);
		for (int i = 0; i < n; i++) {
			seg = clockmap_find(clocksync_map(b.sync), node[i]);
			beyond += llabs(clock_segment_mon(seg, node[i]) -
					at[i]) > seg->error_ns;
		}
		bench_stop(&b);
	}
	assert_int_equal(beyond, 0);
}

static void
a_restored_clock_can_hold_over(void **state)
{
	struct clock_segment seg = { .base_node_ns = 5 * SEC,
		.base_mon_ns = 7 * SEC,
		.error_ns = 1000,
		.state = CLOCK_LOCKED };
	struct clocksync *s = clocksync_new(1, NULL, NULL);

	(void)state;
	assert_int_equal(clocksync_restore(s, &seg), 0);
	clocksync_tick(s, 100 * SEC);
	assert_true(clocksync_error(s, 99 * SEC) > MS);
	clocksync_free(s);
}

/*
 * The first answers after a restart come seconds late, all on one way.  What
 * they leave open is no reason to leave the map: better ones are asked for.
 */
static void
late_first_answers_do_not_move_a_restored_clock(void **state)
{
	struct clock_segment seg = { .base_node_ns = 5 * SEC,
		.base_mon_ns = 5 * SEC,
		.error_ns = 1000,
		.state = CLOCK_LOCKED };
	struct clocksync *s = clocksync_new(1, NULL, NULL);
	int64_t now = 10 * SEC;
	uint32_t seq;

	(void)state;
	assert_int_equal(clocksync_restore(s, &seg), 0);
	clocksync_connected(s, now);
	for (int i = 0; i < 16; i++, now += MS) {
		seq = clocksync_ping(s, now);
		clocksync_pong(s, seq, now, now, now, now + 4 * SEC);
	}
	assert_false(clocksync_usable(s));
	for (now += 4 * SEC; !clocksync_usable(s) && now < 20 * SEC;
	     now += MS) {
		seq = clocksync_ping(s, now);
		clocksync_pong(s, seq, now, now, now, now + 10 * US);
	}
	assert_true(clocksync_usable(s));
	assert_true(llabs(clocksync_mon(s, now) - now) < MS);
	clocksync_free(s);
}

/*
 * Held up on one way each: what they leave open together is far less than any
 * of them was long, and nothing has jumped.
 */
static void
answers_held_up_on_one_way_are_no_step(void **state)
{
	struct clock_segment seg = { .base_node_ns = 5 * SEC,
		.base_mon_ns = 5 * SEC,
		.error_ns = 1000,
		.state = CLOCK_LOCKED };
	struct clocksync *s = clocksync_new(1, NULL, NULL);
	struct clocksync_stats st;
	int64_t now = 10 * SEC, there, back;
	uint32_t seq;

	(void)state;
	assert_int_equal(clocksync_restore(s, &seg), 0);
	clocksync_connected(s, now);
	for (int i = 0; i < 200; i++, now += 10 * MS) {
		there = i % 2 == 0 ? 200 * US : 2 * US;
		back = i % 2 == 1 ? 200 * US : 2 * US;
		seq = clocksync_ping(s, now);
		clocksync_pong(s, seq, now, now + there, now + there,
		    now + there + back);
	}
	clocksync_stats(s, now, &st);
	assert_true(clocksync_usable(s));
	assert_true(st.fits > 1);
	assert_int_equal(st.steps, 0);
	assert_true(llabs(clocksync_mon(s, now) - now) < 10 * US);
	clocksync_free(s);
}

/* Each start of the collector may have another clock: the next burst tells. */
static void
a_start_proves_its_clock(void **state)
{
	struct chance c = { 5 };
	struct clocksync *was;
	struct bench b;
	int64_t before, node;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	bench_run(&b, 30 * SEC);
	clocksync_prove(b.sync);
	assert_false(clocksync_usable(b.sync));
	b.now_ns += 20 * SEC; /* which is how long it was away */
	bench_run(&b, b.now_ns + 5 * SEC);
	assert_true(clocksync_usable(b.sync));
	assert_false(clocksync_is_other(b.sync));
	assert_int_equal(b.last.epoch, 0);

	node = clock_model_node(&b.clock, b.now_ns);
	before = b.now_ns;
	clock_model_step(&b.clock, b.now_ns, -20 * MS);
	clocksync_prove(b.sync);
	b.sample_ns = INT64_MAX;
	while (!clocksync_is_other(b.sync))
		bench_ping(&b);
	assert_int_equal(b.jumps, 0); /* that is for the one that succeeds it */
	was = b.sync;
	clocksync_last(was, b.now_ns);
	clocksync_retire(was);
	b.sync = clocksync_new(2, segment_cb, &b);
	clocksync_succeed(b.sync, was);
	clocksync_connected(b.sync, b.now_ns);
	bench_run(&b, b.now_ns + 5 * SEC);
	assert_int_equal(b.last.epoch, 1);
	assert_int_equal(b.jumps, 1);
	assert_in_range(b.step_ns, -21 * MS, -19 * MS);
	/* the same time, by the one and by the other */
	assert_true(llabs(clocksync_mon(was, node) - before) < MS);
	assert_true(llabs(clocksync_mon(b.sync, node) - before - 20 * MS) < MS);
	clocksync_free(was);
	bench_stop(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_from_the_log_is_continued),
		cmocka_unit_test(the_time_without_monitord_is_interpolated),
		cmocka_unit_test(a_restart_breaks_no_bound),
		cmocka_unit_test(a_restored_clock_can_hold_over),
		cmocka_unit_test(a_start_proves_its_clock),
		cmocka_unit_test(
		    late_first_answers_do_not_move_a_restored_clock),
		cmocka_unit_test(answers_held_up_on_one_way_are_no_step),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
