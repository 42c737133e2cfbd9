/*
 * The whole of it in the simulator: real collectors and monitord, programs
 * that talk, on a noisy path.  With messages fewer of them are mapped to
 * before they were sent, and nothing else suffers.
 */
#include "tests/check.h"

#include <string.h>

#include "tests/sim/world_inside.h"

static void
run(uint64_t seed, bool pings_only, struct world_result *r)
{
	struct profile p = { .nodes = 3,
		.programs_most = 24,
		.run_ns = 12 * ENV_SEC,
		.gap_ns = ENV_SEC,
		.every_ns = 100000,
		.clock = { .offset_s = 1, .drift_ppm = 100, .walk = 1e-9 },
		.path = { 30, 50, 0.02, 5000, 0.2, 300, 0 } };
	struct world_options o = { .seed = seed,
		.run_ns = 12 * ENV_SEC,
		.pings_only = pings_only,
		.as = &p };

	memset(r, 0, sizeof(*r));
	assert_int_equal(world_run(&o, r), 0);
	assert_int_equal(r->violations, 0);
	assert_int_equal(r->unaccounted, 0);
	assert_int_equal(r->outside, 0);
	assert_true(r->messages > 10000);
}

static void
messages_bring_clocks_together_in_monitord(void **state)
{
	static struct world_result with, without;
	uint64_t reversed[2] = { 0, 0 };
	double p99[2] = { 0, 0 };

	(void)state;
	for (uint64_t seed = 2; seed <= 4; seed++) {
		run(seed, true, &without);
		run(seed, false, &with);
		reversed[0] += without.reversed;
		reversed[1] += with.reversed;
		p99[0] += (double)errors_percentile(&without.settled, 0.99);
		p99[1] += (double)errors_percentile(&with.settled, 0.99);
	}
	assert_true(reversed[0] > 20);
	assert_true(reversed[1] < reversed[0] / 4);
	assert_true(p99[1] < 0.6 * p99[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_bring_clocks_together_in_monitord),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
