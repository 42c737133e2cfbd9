/*
 * Clock fit and synchronisation, in simulation: the truth is known here and
 * hidden from the code under test.
 */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clockfit.h"
#include "monitord/clocksync.h"
#include "tests/sim/clockbed.h"
#include "tests/sim/model.h"

#define US      1000
#define MS      1000000
#define SEC     ((int64_t)1000000000)
#define SAMPLE  (10 * MS)
#define SAMPLES 2000000

/* One node, its clock and its paths. */
struct bench {
	struct clock_model clock;
	struct path_model there, back;
	struct clocksync *sync;
	int64_t now_ns, sample_ns, from_ns;
	bool quiet; /* no answers */
	unsigned segments, jumps, steps;
	int64_t last_mon_ns, last_node_ns, step_ns;
	struct clock_segment last;

	double *error_us;
	size_t errors, checks, beyond;
};

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct bench *b = arg;

	if (b->segments > 0 && s->epoch == b->last.epoch) {
		/* continuous, and strictly increasing by its skew */
		assert_true(s->base_node_ns > b->last.base_node_ns);
		assert_int_equal(s->base_mon_ns,
		    clock_segment_mon(&b->last, s->base_node_ns));
		assert_int_equal(step_ns, 0);
	} else if (b->segments > 0) {
		b->jumps++;
		b->step_ns = step_ns;
	}
	assert_true(llabs(s->skew_q40) < CLOCK_SKEW_MAX_Q40);
	assert_true(s->error_ns > 0);
	b->last = *s;
	b->segments++;
}

static void
bench_start(struct bench *b, const struct scenario *sc, struct chance *c)
{
	struct path_kind there = sc->path;

	memset(b, 0, sizeof(*b));
	clock_model_init(&b->clock, &sc->clock, c);
	there.asymmetry = 0;
	path_model_init(&b->there, &there, c);
	path_model_init(&b->back, &sc->path, c);
	b->sync = clocksync_new(chance_next(c), segment_cb, b);
	assert_non_null(b->sync);
	b->error_us = malloc(SAMPLES * sizeof(double));
	assert_non_null(b->error_us);
	clocksync_connected(b->sync, 0);
}

static void
bench_stop(struct bench *b)
{
	clocksync_free(b->sync);
	free(b->error_us);
}

static void
bench_sample(struct bench *b, int64_t at)
{
	int64_t node, mon, off;

	if (!clocksync_usable(b->sync))
		return;
	node = clock_model_node(&b->clock, at);
	clocksync_reach(b->sync, node, at); /* as before anything is mapped */
	mon = clocksync_mon(b->sync, node);
	if (node > b->last_node_ns && b->last_mon_ns != 0)
		assert_true(mon >= b->last_mon_ns);
	b->last_node_ns = node;
	b->last_mon_ns = mon;
	off = llabs(mon - at);
	b->checks++;
	b->beyond += off > clocksync_error(b->sync, node);
	if (at >= b->from_ns && b->errors < SAMPLES)
		b->error_us[b->errors++] = (double)off / US;
}

static void
bench_ping(struct bench *b)
{
	uint32_t seq = clocksync_ping(b->sync, b->now_ns);
	int64_t t = b->now_ns + path_model_delay(&b->there, b->now_ns);
	int64_t t2 = clock_model_node(&b->clock, t), t3;

	t += 3 * US;
	t3 = clock_model_node(&b->clock, t);
	t += path_model_delay(&b->back, t);
	if (b->quiet)
		return;
	while (b->sample_ns < t) {
		if (b->sample_ns > b->now_ns)
			bench_sample(b, b->sample_ns);
		b->sample_ns += SAMPLE;
	}
	assert_int_equal(clocksync_pong(b->sync, seq, b->now_ns, t2, t3, t), 0);
	b->now_ns = t;
}

static void
bench_run(struct bench *b, int64_t until)
{
	int64_t second = b->now_ns / SEC * SEC + SEC;

	while (b->now_ns < until) {
		int64_t due = clocksync_due(b->sync);
		int64_t next = b->sample_ns < second ? b->sample_ns : second;

		if (next <= due) {
			if (next > b->now_ns)
				b->now_ns = next;
			if (next == second) {
				clocksync_tick(b->sync, b->now_ns);
				second += SEC;
			}
			if (next == b->sample_ns) {
				bench_sample(b, b->now_ns);
				b->sample_ns = b->now_ns + SAMPLE;
			}
			continue;
		}
		if (due > b->now_ns)
			b->now_ns = due;
		bench_ping(b);
	}
}

/* --- the fit --- */

static void
a_line_without_noise_is_found_exactly(void **state)
{
	struct clock_burst ring[100];
	struct clock_line line;

	(void)state;
	for (int i = 0; i < 100; i++) {
		int64_t node = i * SEC, mon = node + 5000000 + i * 42 * US;

		/* 42 ppm slow, 10 us each way */
		clock_burst_add(&ring[i], mon - 10 * US, node, node,
		    mon + 10 * US, 1);
	}
	clockfit(ring, 100, 99 * SEC, 0, 0, CLOCKFIT_SKEW, 0, &line);
	assert_true(fabs(line.skew - 42e-6) < 1e-10);
	assert_true(fabs(line.gap_ns - 20 * US) < 2);
	assert_true(llabs(clock_line_mon(&line, 120 * SEC) -
			  (120 * SEC + 5000000 + 120 * 42 * US)) < 5);
}

static void
the_fit_is_the_best_of_a_fine_grid(void **state)
{
	struct chance c = { 4 };

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct clock_burst ring[60];
		struct clock_line best, line;
		size_t n = 1 + chance_below(&c, 60);
		double top = -HUGE_VAL;

		for (size_t i = 0; i < n; i++) {
			int64_t at = (int64_t)i * SEC;
			int64_t low = -(int64_t)chance_below(&c, 300 * US);
			int64_t high = (int64_t)chance_below(&c, 300 * US);

			clock_burst_add(&ring[i], at + low, at, at, at + high,
			    1);
		}
		clockfit(ring, n, (int64_t)n * SEC, 1e-8, 0, CLOCKFIT_SKEW, 0,
		    &best);
		for (int k = -500; k <= 500; k++) {
			clockfit(ring, n, (int64_t)n * SEC, 1e-8,
			    k * CLOCKFIT_SKEW / 500, 0, 0, &line);
			if (line.gap_ns > top)
				top = line.gap_ns;
		}
		assert_true(best.gap_ns >= top - 0.01);
	}
}

static void
a_step_leaves_no_gap(void **state)
{
	struct clock_burst ring[100];
	struct clock_line line;

	(void)state;
	for (int i = 0; i < 100; i++) {
		int64_t node = i * SEC, mon = node + (i == 99 ? 100 * US : 0);

		clock_burst_add(&ring[i], mon - 10 * US, node, node,
		    mon + 10 * US, 1);
	}
	clockfit(ring, 100, 99 * SEC, 1e-8, 0, CLOCKFIT_SKEW, 0, &line);
	assert_true(line.gap_ns < 0);
}

/* --- the four scenarios, one set of parameters --- */

static void
scenario_reaches_its_figure(const struct scenario *sc, uint64_t seed)
{
	struct chance c = { seed };
	double *all = malloc(24 * 30000 * sizeof(*all)), p50, p99, p999;
	size_t n = 0, checks = 0, beyond = 0;

	for (int node = 0; node < 24; node++) {
		struct bench b;
		struct clocksync_stats st;

		bench_start(&b, sc, &c);
		b.from_ns = 60 * SEC;
		bench_run(&b, 300 * SEC);
		for (size_t i = 0; i < b.errors; i++)
			all[n++] = b.error_us[i];
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, 0);
		assert_int_equal(st.state, CLOCK_LOCKED);
		assert_true(b.segments > 200);
		checks += b.checks;
		beyond += b.beyond;
		bench_stop(&b);
	}
	p50 = percentile(all, n, 0.5);
	p99 = percentile(all, n, 0.99);
	p999 = percentile(all, n, 0.999);
	print_message("%-15s p50 %.2f p99 %.2f p99.9 %.2f us, "
		      "beyond the bound %zu of %zu\n",
	    sc->name, p50, p99, p999, beyond, checks);
	assert_true(sc->p99_us == 0 || p99 <= sc->p99_us);
	assert_int_equal(beyond, 0);
	free(all);
}

static void
quiet_network(void **state)
{
	(void)state;
	scenario_reaches_its_figure(&scenarios[0], 11);
}

static void
noisy_network(void **state)
{
	(void)state;
	scenario_reaches_its_figure(&scenarios[1], 12);
}

static void
wandering_clocks(void **state)
{
	(void)state;
	scenario_reaches_its_figure(&scenarios[2], 13);
}

static void
clocks_that_wander_a_lot(void **state)
{
	(void)state;
	scenario_reaches_its_figure(&scenarios[3], 14);
}

static void
one_way_longer_than_the_other(void **state)
{
	(void)state;
	scenario_reaches_its_figure(&scenarios[4], 15);
	scenario_reaches_its_figure(&scenarios[6], 16);
}

/* --- steps, silence, going on --- */

static void
steps_are_found_by_the_next_burst(void **state)
{
	static const int64_t steps[] = { 50 * US, -50 * US, 100 * US, -100 * US,
		MS, -MS, 20 * MS, SEC, 10 * SEC, 86400 * SEC };
	struct chance c = { 5 };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		for (int k = 0; k < 6; k++) {
			struct bench b;
			struct clocksync_stats st;

			bench_start(&b, &scenarios[0], &c);
			bench_run(&b, 100 * SEC + k * 137 * MS);
			clocksync_stats(b.sync, 0, &st);
			assert_int_equal(st.steps, 0);
			clock_model_step(&b.clock, b.now_ns, steps[i]);
			b.last_mon_ns = 0;
			b.sample_ns = INT64_MAX; /* time may jump here */
			bench_run(&b, b.now_ns + 1100 * MS);
			clocksync_stats(b.sync, 0, &st);
			assert_int_equal(st.steps, 1);
			assert_int_equal(b.jumps, 1);
			assert_int_equal(b.last.epoch, 1);
			/* seen from the map, a fast clock was too early */
			assert_true(llabs(b.step_ns - steps[i]) <
				    60 * US + llabs(steps[i]) / 5000);
			b.sample_ns = b.now_ns;
			b.errors = 0;
			b.from_ns = b.now_ns + 2 * SEC;
			bench_run(&b, b.now_ns + 20 * SEC);
			clocksync_stats(b.sync, 0, &st);
			assert_int_equal(st.steps, 1);
			assert_int_equal(st.state, CLOCK_LOCKED);
			assert_true(
			    percentile(b.error_us, b.errors, 0.99) < 40);
			bench_stop(&b);
		}
	}
}

static void
nothing_is_taken_for_a_step(void **state)
{
	struct chance c = { 6 };

	(void)state;
	for (int i = 0; i < 24; i++) {
		struct bench b;
		struct clocksync_stats st;

		bench_start(&b, &scenarios[i % 4], &c);
		b.sample_ns = INT64_MAX;
		bench_run(&b, 1800 * SEC);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, 0);
		bench_stop(&b);
	}
}

/*
 * Nodes of a crowd are asked every 4 s.  When some bursts in turn meet traffic
 * the line has lost a clock that wanders, by as much as small steps are.
 */
static void
a_clock_lost_in_traffic_has_not_stepped(void **state)
{
	static const uint64_t seeds[] = { 7210112446445935357, 7000021,
		2377007131, 3455010365, 3601010803 };

	(void)state;
	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		struct chance c = { seeds[i] };
		struct clocksync_stats st;
		struct clockbed b;

		assert_int_equal(clockbed_start(&b, &scenarios[3], &c, NULL,
				     NULL),
		    0);
		b.sample_ns = INT64_MAX;
		clocksync_crowd(b.sync, 4096);
		clockbed_run(&b, 1800 * SEC);
		clocksync_stats(b.sync, 0, &st);
		assert_int_equal(st.steps, 0);
		clockbed_stop(&b);
	}
}

static void
without_answers_the_map_goes_on_and_says_so(void **state)
{
	struct chance c = { 7 };
	struct clocksync_stats st;
	struct bench b;
	int64_t before;

	(void)state;
	bench_start(&b, &scenarios[0], &c);
	bench_run(&b, 60 * SEC);
	before = clocksync_error(b.sync, clock_model_node(&b.clock, b.now_ns));
	clocksync_disconnected(b.sync, b.now_ns);
	assert_int_equal(clocksync_due(b.sync), INT64_MAX);
	bench_run(&b, 160 * SEC);
	clocksync_stats(b.sync, clock_model_node(&b.clock, b.now_ns), &st);
	assert_int_equal(st.state, CLOCK_HOLDOVER);
	assert_int_equal(b.last.state, CLOCK_HOLDOVER);
	assert_true(st.error_ns > before + MS);
	assert_int_equal(b.beyond, 0);
	clocksync_connected(b.sync, b.now_ns);
	b.errors = 0;
	b.from_ns = b.now_ns + 2 * SEC;
	bench_run(&b, 170 * SEC);
	clocksync_stats(b.sync, 0, &st);
	assert_int_equal(st.state, CLOCK_LOCKED);
	assert_int_equal(st.steps, 0);
	assert_true(percentile(b.error_us, b.errors, 0.99) < 10);
	bench_stop(&b);
}

/* A piece that bends goes on bending while monitord is stopped. */
static void
a_pause_of_monitord_breaks_no_bound(void **state)
{
	size_t beyond = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 240; seed++) {
		struct scenario far = scenarios[1];
		struct chance c = { seed };
		int64_t at[500], node[500], end;
		const struct clock_segment *s;
		struct bench b;
		int n = 0;

		/* lines of a few seconds may have a slope of 100 ppm more */
		far.path.base_us = 150;
		far.path.busy = 0.8;
		bench_start(&b, seed % 2 == 0 ? &far : &scenarios[1], &c);
		bench_run(&b,
		    SEC / 2 + (int64_t)(chance_next(&c) % (uint64_t)(5 * SEC)));
		end = b.now_ns + SEC / 5 +
		      (int64_t)(chance_next(&c) % (uint64_t)(4 * SEC));
		for (; b.now_ns < end; b.now_ns += SEC / 100) {
			at[n] = b.now_ns;
			node[n++] = clock_model_node(&b.clock, b.now_ns);
		}
		if (seed % 3 == 0) /* events come first */
			clocksync_reach(b.sync, node[n - 1], b.now_ns);
		else if (seed % 3 == 1)
			clocksync_tick(b.sync, b.now_ns);
		b.sample_ns = b.now_ns;
		bench_run(&b, b.now_ns + SEC);
		/* by the map and the bounds that the log has of it */
		for (int i = 0; i < n; i++) {
			s = clockmap_find(clocksync_map(b.sync), node[i]);
			beyond += llabs(clock_segment_mon(s, node[i]) - at[i]) >
				  s->error_ns;
		}
		bench_stop(&b);
	}
	assert_int_equal(beyond, 0);
}

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
		cmocka_unit_test(a_line_without_noise_is_found_exactly),
		cmocka_unit_test(the_fit_is_the_best_of_a_fine_grid),
		cmocka_unit_test(a_step_leaves_no_gap),
		cmocka_unit_test(quiet_network),
		cmocka_unit_test(noisy_network),
		cmocka_unit_test(wandering_clocks),
		cmocka_unit_test(clocks_that_wander_a_lot),
		cmocka_unit_test(one_way_longer_than_the_other),
		cmocka_unit_test(steps_are_found_by_the_next_burst),
		cmocka_unit_test(nothing_is_taken_for_a_step),
		cmocka_unit_test(a_clock_lost_in_traffic_has_not_stepped),
		cmocka_unit_test(without_answers_the_map_goes_on_and_says_so),
		cmocka_unit_test(a_pause_of_monitord_breaks_no_bound),
		cmocka_unit_test(a_map_from_the_log_is_continued),
		cmocka_unit_test(the_time_without_monitord_is_interpolated),
		cmocka_unit_test(a_restart_breaks_no_bound),
		cmocka_unit_test(a_restored_clock_can_hold_over),
		cmocka_unit_test(
		    late_first_answers_do_not_move_a_restored_clock),
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
