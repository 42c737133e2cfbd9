/* A clock that has wandered is not taken for a calm one at once. */
#include "tests/check.h"

#include <math.h>

#include "monitord/clock/clockage.h"

#define SEC   INT64_C(1000000000)
#define RTT   10000  /* ns */
#define BENDS 200    /* s, of a frequency that changes steadily */
#define BETA  2.5e-7 /* 1/s: by so much */
#define CALM  60     /* fits, as the header says: a minute */

/* How far the clock is off at a time in s; its frequency stays at last. */
static double
offset_ns(double t)
{
	double bent = fmin(t, BENDS);

	return ((BETA / 2 * bent * bent + BETA * bent * (t - bent)) * 1e9);
}

static void
it_roams_for_a_minute_more(void **state)
{
	struct clock_burst bursts[CLOCKFIT_BURSTS];
	struct clockage_prior prior = { 0, CLOCKFIT_SKEW, 0 };
	struct clockage a;
	struct clock_line line;
	struct clock_band band;
	unsigned calm = 0, roamed = 0;

	(void)state;
	clockage_init(&a);
	for (int i = 0; i < 2000 && calm < CALM; i++) {
		struct clock_burst *b = &bursts[i % CLOCKFIT_BURSTS];
		int64_t at = (i + 1) * SEC,
			off = (int64_t)offset_ns((double)(i + 1));

		*b = (struct clock_burst){ .low_node_ns = at,
			.high_node_ns = at,
			.low_ns = off - RTT / 2,
			.high_ns = off + RTT / 2,
			.rtt_ns = RTT };
		clockage_fit(&a, bursts,
		    (size_t)(i < CLOCKFIT_BURSTS ? i + 1 : CLOCKFIT_BURSTS), at,
		    RTT + 1, &prior, true, &line, &band);
		if (clockage_beta(&a) > 2e-8) {
			roamed++;
			calm = 0;
		} else if (roamed > 0) {
			calm++;
		}
		if (roamed > 0)
			assert_int_equal(clockage_roams(&a), calm < CALM);
	}
	assert_true(roamed > 10);
	assert_int_equal(calm, CALM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_roams_for_a_minute_more),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
