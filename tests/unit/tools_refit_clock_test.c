/* Clocks that are fitted afterwards, from the pings on both sides. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "tests/sim/pinged.h"
#include "tools/refit/refit_clock.h"
#include "tools/refit/spread.h"

#define US  1000
#define MS  1000000
#define SEC ((int64_t)1000000000)

/* --- one clock, against the truth --- */

#define SECONDS 240
#define STEP_AT (21 * SEC)
#define STEP_BY (20 * MS)

struct node {
	struct clocksync *sync;
	struct refit_clock refit;
	unsigned steps;
};

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct node *n = arg;
	struct msg_segment m =
	    pinged_message(s, clocksync_burst_of_segment(n->sync));

	n->steps += step_ns != 0;
	assert_int_equal(refit_clock_add(&n->refit, &m), 0);
}

struct sample {
	int64_t node_ns, true_ns, live_ns;
};

/* A clock on the wandering path; steps once.  Returns how many samples. */
static size_t
node_run(struct node *n, uint64_t seed, double asymmetry, struct sample *out)
{
	struct chance c = { seed };
	struct scenario sc = scenarios[2];
	struct clock_model clock;
	struct path_model there, back;
	int64_t now = 0, sample = SEC;
	bool stepped = false;
	size_t k = 0;

	memset(n, 0, sizeof(*n));
	clock_model_init(&clock, &sc.clock, &c);
	path_model_init(&there, &sc.path, &c);
	sc.path.asymmetry = asymmetry;
	path_model_init(&back, &sc.path, &c);
	n->sync = clocksync_new(seed, segment_cb, n);
	clocksync_connected(n->sync, 0);
	while (now < SECONDS * SEC) {
		int64_t due = clocksync_due(n->sync), t1, t2, t3;
		uint32_t seq;

		for (; sample < due && sample < SECONDS * SEC;
		     sample += 20 * MS) {
			if (sample >= STEP_AT && !stepped) {
				clock_model_step(&clock, sample, STEP_BY);
				stepped = true;
			}
			out[k].true_ns = sample;
			out[k].node_ns = clock_model_node(&clock, sample);
			out[k].live_ns = clocksync_mon(n->sync, out[k].node_ns);
			k++;
		}
		t1 = due > now ? due : now;
		seq = clocksync_ping(n->sync, t1);
		now = t1 + path_model_delay(&there, t1);
		t2 = clock_model_node(&clock, now);
		t3 = clock_model_node(&clock, now + 3 * US);
		now += 3 * US + path_model_delay(&back, now);
		clocksync_pong(n->sync, seq, t1, t2, t3, now);
	}
	return (k);
}

/* How far from the truth, on line and afterwards, in ns; all within bounds. */
static size_t
node_errors(uint64_t seed, double asymmetry, double *was, double *is)
{
	static struct sample s[SECONDS * 50];
	size_t k, n = 0;
	struct node o;
	const struct clockmap *m = &o.refit.map;

	k = node_run(&o, seed, asymmetry, s);
	assert_int_equal(refit_clock_fit(&o.refit), 0);
	assert_true(refit_clock_fitted(&o.refit));
	assert_int_equal(o.steps, 1);
	assert_int_equal(m->segments[m->n - 1].epoch, 1);
	for (size_t i = 1; i < m->n; i++) {
		const struct clock_segment *a = &m->segments[i - 1];

		if (a->epoch != a[1].epoch)
			assert_int_equal(a[1].state, CLOCK_STEPPED);
		if (a->epoch == a[1].epoch)
			assert_true(llabs(a[1].base_mon_ns -
					  clock_segment_mon(a,
					      a[1].base_node_ns)) <= 1);
	}
	for (size_t i = 0; i < k; i++) {
		int64_t mon = clockmap_mon(m, s[i].node_ns);

		/* until the step is seen nobody knows */
		if (s[i].true_ns >= STEP_AT - SEC &&
		    s[i].true_ns < STEP_AT + 2 * SEC)
			continue;
		was[n] = fabs((double)(s[i].live_ns - s[i].true_ns));
		is[n] = fabs((double)(mon - s[i].true_ns));
		assert_true(
		    is[n] <= (double)clockmap_find(m, s[i].node_ns)->error_ns);
		n++;
	}
	clocksync_free(o.sync);
	refit_clock_clear(&o.refit);
	return (n);
}

static double live[8 * SECONDS * 50], after[8 * SECONDS * 50];

static void
a_clock_is_better_known_from_both_sides(void **state)
{
	size_t n = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++)
		n += node_errors(seed, 0, live + n, after + n);
	assert_true(
	    percentile(after, n, 0.99) < 0.6 * percentile(live, n, 0.99));
	assert_true(percentile(after, n, 0.5) < 0.8 * percentile(live, n, 0.5));
}

static void
the_bound_holds_on_a_lopsided_path(void **state)
{
	size_t n;

	(void)state;
	n = node_errors(1, 0.8, live, after); /* asserts that it does */
	assert_true(percentile(after, n, 0.5) > 10 * US);
}

static void
a_clock_without_pings_stays_as_it_was(void **state)
{
	struct refit_clock c = { 0 };
	struct msg_segment m = { .base_node_ns = 5, .base_mon_ns = 1000 };

	(void)state;
	for (int i = 0; i < 10; i++) {
		assert_int_equal(refit_clock_add(&c, &m), 0);
		m.base_node_ns += SEC;
		m.base_mon_ns += SEC;
	}
	assert_int_equal(refit_clock_fit(&c), 0);
	assert_false(refit_clock_fitted(&c));
	assert_int_equal(c.map.n, 10);
	for (size_t i = 0; i < 10; i++)
		assert_memory_equal(&c.map.segments[i], &c.was.segments[i],
		    sizeof(c.map.segments[i]));
	assert_false(c.broken);
	m.base_node_ns -= 5 * SEC; /* goes back: another machine's */
	assert_int_equal(refit_clock_add(&c, &m), 0);
	assert_true(c.broken);
	refit_clock_clear(&c);
}

/* An epoch that is no step is another clock's, in whatever start. */
static void
two_clocks_are_not_made_one(void **state)
{
	struct refit_clock c = { 0 };
	struct msg_segment m = { .base_node_ns = 5, .base_mon_ns = 1000 };

	(void)state;
	assert_int_equal(refit_clock_add(&c, &m), 0);
	m.base_node_ns += SEC;
	m.base_mon_ns += 2 * SEC;
	m.epoch++;
	m.state = CLOCK_STEPPED;
	assert_int_equal(refit_clock_add(&c, &m), 0);
	assert_false(c.broken);
	m.base_node_ns += SEC;
	m.base_mon_ns += 2 * SEC;
	m.epoch++;
	m.state = CLOCK_COARSE;
	assert_int_equal(refit_clock_add(&c, &m), 0);
	assert_true(c.broken);
	refit_clock_clear(&c);
}

static void
hostile_segments_do_no_harm(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct chance c = { seed };
		struct refit_clock r = { 0 };

		for (int i = 0; i < 60; i++) {
			unsigned down = (unsigned)chance_below(&c, 63);
			struct msg_segment m = {
				.epoch = (uint32_t)chance_below(&c, 3),
				.base_node_ns =
				    (int64_t)chance_next(&c) >> down,
				.base_mon_ns = (int64_t)chance_next(&c) >> down,
				.skew_q40 = (int64_t)chance_next(&c) >>
					    chance_below(&c, 63),
				.error_ns = (int64_t)chance_next(&c),
				.state = (uint8_t)chance_below(&c, 6),
				.burst = 1,
				.low_node_ns = (int64_t)chance_next(&c) >> down,
				.low_ns = (int64_t)chance_next(&c) >> down,
				.high_node_ns =
				    (int64_t)chance_next(&c) >> down,
				.high_ns = (int64_t)chance_next(&c) >> down,
			};

			assert_int_equal(refit_clock_add(&r, &m), 0);
		}
		refit_clock_fit(&r); /* may say no, must end */
		refit_clock_clear(&r);
	}
}

static void
spreads_are_right_to_three_percent(void **state)
{
	static struct spread s;

	(void)state;
	assert_true(spread_mean(&s) == 0 && spread_quantile(&s, 0.5) == 0);
	for (uint64_t v = 1; v <= 100000; v++)
		spread_add(&s, v);
	assert_true(fabs(spread_mean(&s) - 50000.5) < 1);
	for (int p = 1; p < 100; p++)
		assert_true(fabs(spread_quantile(&s, p / 100.0) / (1000.0 * p) -
				 1) < 0.033);
	spread_add(&s, UINT64_MAX);
	assert_true(s.most == UINT64_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_is_better_known_from_both_sides),
		cmocka_unit_test(the_bound_holds_on_a_lopsided_path),
		cmocka_unit_test(a_clock_without_pings_stays_as_it_was),
		cmocka_unit_test(two_clocks_are_not_made_one),
		cmocka_unit_test(hostile_segments_do_no_harm),
		cmocka_unit_test(spreads_are_right_to_three_percent),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
