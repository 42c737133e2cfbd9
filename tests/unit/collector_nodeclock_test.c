/* Cycles to node time: rising, continuous, exact, and the past stays. */
#include <stdlib.h>
#include <string.h>

#include "collector/sweep/nodeclock.h"
#include "tests/check.h"

#define GHZ 2.5 /* cycles per ns */

static uint32_t seed = 1;

static int
random_below(int n)
{
	seed = seed * 1664525u + 1013904223u;
	return ((int)(seed >> 8) % n);
}

/* What the node's clock says at cycle c: an offset and a rate. */
static int64_t
truth_ns(uint64_t c, double ppm)
{
	return (5000000000 + (int64_t)((double)c / GHZ * (1 + ppm * 1e-6)));
}

static struct clock_pair
pair_at(uint64_t c, double ppm, int jitter_ns)
{
	int off = jitter_ns == 0 ? 0 : random_below(2 * jitter_ns) - jitter_ns;

	return ((struct clock_pair){
	    .t_cycles = c,
	    .t_node_ns = truth_ns(c, ppm) + off,
	    .width_cycles = 100,
	});
}

#define MS_CYCLES ((uint64_t)2500000)

static void
knows_nothing_before_its_baseline(void **state)
{
	struct nodeclock nc = { 0 };
	struct clock_pair p;

	(void)state;
	for (uint64_t ms = 0; ms < 10; ms++) {
		p = pair_at(1000 + ms * MS_CYCLES, 0, 0);
		nodeclock_update(&nc, &p);
		assert_false(nodeclock_ready(&nc));
	}
	p = pair_at(1000 + 10 * MS_CYCLES, 0, 0);
	nodeclock_update(&nc, &p);
	assert_true(nodeclock_ready(&nc));
}

/* Pairs with the jitter of real ones, now and then a torn one. */
static void
stays_near_the_truth_and_never_falls(void **state)
{
	static const double ppms[] = { 0, 100, -100, 37.5 };

	(void)state;
	for (size_t i = 0; i < sizeof(ppms) / sizeof(*ppms); i++) {
		struct nodeclock nc = { 0 };
		int64_t last_ns = INT64_MIN, ns, miss, worst = 0;
		uint64_t c = 12345;

		for (int ms = 0; ms < 5000; ms++) {
			struct clock_pair p = pair_at(c, ppms[i], 30);

			if (random_below(50) == 0) { /* preempted inside */
				p.t_node_ns += 200000;
				p.width_cycles = 1000000;
			}
			nodeclock_update(&nc, &p);
			for (int k = 0; nodeclock_ready(&nc) && k < 10; k++) {
				uint64_t at = c - MS_CYCLES +
					      (uint64_t)k * MS_CYCLES / 10;

				ns = nodeclock_ns(&nc, at);
				assert_true(ns >= last_ns);
				last_ns = ns;
				miss = llabs(ns - truth_ns(at, ppms[i]));
				if (ms > 1000 && miss > worst)
					worst = miss;
			}
			c += MS_CYCLES;
		}
		assert_in_range(worst, 0, 150);
	}
}

static void
the_past_is_not_changed(void **state)
{
	struct nodeclock nc = { 0 };
	int64_t then[64];
	uint64_t c = 1;

	(void)state;
	for (int ms = 0; ms < 2000; ms++, c += MS_CYCLES) {
		struct clock_pair p = pair_at(c, ms < 1000 ? 0 : 50, 30);

		nodeclock_update(&nc, &p);
		if (ms >= 1936)
			then[ms - 1936] = nodeclock_ns(&nc, c - MS_CYCLES / 2);
	}
	for (int i = 0; i < 64; i++)
		assert_int_equal(then[i],
		    nodeclock_ns(&nc,
			(uint64_t)(1936 + i) * MS_CYCLES + 1 - MS_CYCLES / 2));
}

static void
node_time_itself_is_exact(void **state)
{
	struct nodeclock nc = { 0 };

	(void)state;
	for (int64_t ns = 1000; ns < 200000000; ns += 1000001) {
		struct clock_pair p = { .t_cycles = (uint64_t)ns,
			.t_node_ns = ns };

		nodeclock_update(&nc, &p);
		if (nodeclock_ready(&nc))
			assert_int_equal(nodeclock_ns(&nc, (uint64_t)ns - 7),
			    ns - 7);
	}
}

/* The rate is known badly yet, and then nobody asks for two seconds. */
static void
a_pause_is_drawn_between_its_ends(void **state)
{
	struct nodeclock nc = { 0 };
	uint64_t c = 1, until = c + 2000 * MS_CYCLES, step = MS_CYCLES / 3;
	struct clock_pair p = pair_at(c, 0, 0);

	(void)state;
	p.t_node_ns -= 50; /* so a rate that is wrong by 5 ppm */
	nodeclock_update(&nc, &p);
	for (int ms = 0; ms < 10; ms++, c += MS_CYCLES) {
		p = pair_at(c + MS_CYCLES, 0, 0);
		nodeclock_update(&nc, &p);
	}
	assert_true(nodeclock_ready(&nc));
	p = pair_at(until, 0, 0);
	nodeclock_update(&nc, &p);
	for (; c < until; c += step)
		assert_true(llabs(nodeclock_ns(&nc, c) - truth_ns(c, 0)) <= 60);
}

/* A wide pair says that the clock was there at some time within it. */
static void
a_wide_pair_moves_nothing(void **state)
{
	struct nodeclock nc = { 0 };
	uint32_t pieces = 0;
	uint64_t c = 1;

	(void)state;
	for (int ms = 0; ms < 200; ms++, c += MS_CYCLES) {
		struct clock_pair p = pair_at(c, 0, 0);

		if (ms > 100 && ms % 2 == 0) {
			p.width_cycles = 1000;
			p.t_node_ns += 350;
		}
		nodeclock_update(&nc, &p);
		if (ms == 100)
			pieces = nc.npieces;
	}
	assert_int_equal(nc.npieces, pieces);
}

/* A clock that is set back by 10 ms: worked off, not jumped. */
static void
a_step_back_does_not_make_time_fall(void **state)
{
	struct nodeclock nc = { 0 };
	int64_t last_ns = INT64_MIN, ns;
	uint64_t c = 1;

	(void)state;
	for (int ms = 0; ms < 1500; ms++, c += MS_CYCLES) {
		struct clock_pair p = pair_at(c, 0, 0);

		if (ms >= 100)
			p.t_node_ns -= 10000000;
		nodeclock_update(&nc, &p);
		if (!nodeclock_ready(&nc))
			continue;
		ns = nodeclock_ns(&nc, c);
		assert_true(ns >= last_ns);
		last_ns = ns;
	}
	assert_in_range(last_ns - (truth_ns(c - MS_CYCLES, 0) - 10000000) + 100,
	    0, 200);
}

/* All three tries of the first reading were torn by preemption. */
static void
a_torn_first_pair_is_passed_over(void **state)
{
	struct nodeclock nc = { 0 };
	struct clock_pair p;
	uint64_t c = 1;

	(void)state;
	for (int ms = 0; ms < 12; ms++, c += MS_CYCLES) {
		p = pair_at(c, 0, 0);
		if (ms == 0) {
			p.t_node_ns += 4000000;
			p.width_cycles = 10000000;
		}
		nodeclock_update(&nc, &p);
	}
	assert_true(nodeclock_ready(&nc));
	assert_true(llabs(nodeclock_ns(&nc, c) - truth_ns(c, 0)) <= 60);
}

/*
 * The process is killed, a while nobody works, and one that has its memory
 * tells records of before, of meanwhile and of after.
 */
static void
who_comes_next_goes_on_with_the_line(void **state)
{
	struct nodeclock nc = { 0 };
	int64_t last_ns = INT64_MIN, ns, worst = 0;
	uint64_t c = 1, told = 1;

	(void)state;
	for (int worker = 0; worker < 50; worker++) {
		for (int ms = 0; ms < 40; ms++, c += MS_CYCLES) {
			struct clock_pair p = pair_at(c, 100, 30);

			if (ms == 0)
				nodeclock_resume(&nc, &p);
			nodeclock_update(&nc, &p);
			assert_true(worker == 0 || nodeclock_ready(&nc));
			for (; nodeclock_ready(&nc) && told < c;
			     told += MS_CYCLES / 7) {
				ns = nodeclock_ns(&nc, told);
				assert_true(ns >= last_ns);
				last_ns = ns;
				if (llabs(ns - truth_ns(told, 100)) > worst)
					worst = llabs(ns - truth_ns(told, 100));
			}
			if (nodeclock_ready(&nc)) /* the next cycle */
				assert_true(nodeclock_ns(&nc, told) >= last_ns);
		}
		c += (uint64_t)random_below(300) * MS_CYCLES;
	}
	assert_in_range(worst, 0, 300);
}

/* Killed between its piece and its fit. */
static void
a_piece_without_its_fit_changes_nothing_told(void **state)
{
	struct nodeclock nc = { 0 }, before;
	uint64_t c = 1;
	int64_t told;
	struct clock_pair p;

	(void)state;
	for (int ms = 0; ms < 50; ms++, c += MS_CYCLES) {
		p = pair_at(c, 0, 0);
		nodeclock_update(&nc, &p);
	}
	told = nodeclock_ns(&nc, c - MS_CYCLES);
	before = nc;
	p = pair_at(c, 0, 0);
	p.t_node_ns += 5000;
	nodeclock_update(&nc, &p);
	assert_true(nc.npieces > before.npieces);
	nc.turn = before.turn;
	memcpy(nc.fits, before.fits, sizeof(nc.fits));
	p = pair_at(c += MS_CYCLES, 0, 0);
	nodeclock_resume(&nc, &p);
	nodeclock_update(&nc, &p);
	assert_int_equal(nodeclock_ns(&nc, c - 2 * MS_CYCLES), told);
	for (uint64_t at = c - 2 * MS_CYCLES; at < c; at += MS_CYCLES / 50) {
		assert_true(nodeclock_ns(&nc, at) >= told);
		told = nodeclock_ns(&nc, at);
	}
	assert_true(llabs(nodeclock_ns(&nc, c) - truth_ns(c, 0)) <= 60);
}

/* Set back, or of nobody: it begins anew. */
static void
a_line_that_leads_elsewhere_is_forgotten(void **state)
{
	static const int64_t off_ns[] = { -1000000000, 50000000000 };
	struct nodeclock nc;
	struct clock_pair p;
	uint64_t c;

	(void)state;
	for (size_t i = 0; i <= 2; i++) {
		memset(&nc, 0, sizeof(nc));
		c = 1;
		for (int ms = 0; ms < 50; ms++, c += MS_CYCLES) {
			p = pair_at(c, 0, 0);
			nodeclock_update(&nc, &p);
		}
		p = pair_at(c, 0, 0);
		if (i < 2)
			p.t_node_ns += off_ns[i];
		else
			memset(nc.pieces, 0xff, sizeof(nc.pieces));
		nodeclock_resume(&nc, &p);
		assert_false(nodeclock_ready(&nc));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_nothing_before_its_baseline),
		cmocka_unit_test(stays_near_the_truth_and_never_falls),
		cmocka_unit_test(the_past_is_not_changed),
		cmocka_unit_test(node_time_itself_is_exact),
		cmocka_unit_test(a_pause_is_drawn_between_its_ends),
		cmocka_unit_test(a_wide_pair_moves_nothing),
		cmocka_unit_test(a_step_back_does_not_make_time_fall),
		cmocka_unit_test(a_torn_first_pair_is_passed_over),
		cmocka_unit_test(who_comes_next_goes_on_with_the_line),
		cmocka_unit_test(a_piece_without_its_fit_changes_nothing_told),
		cmocka_unit_test(a_line_that_leads_elsewhere_is_forgotten),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
