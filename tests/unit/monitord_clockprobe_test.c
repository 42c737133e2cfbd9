/* How often a clock is asked: what all of them together cost has a bound. */
#include "tests/check.h"

#include "monitord/clock/clockprobe.h"

#define PINGS_MOST 16400 /* a second: half of what monitord has time for */

static double
pings_a_second(struct clockprobe *p, enum clockprobe_phase phase)
{
	int64_t now = 0, span_ns = 5000000000;
	uint64_t pings = 0;

	/* in the steady phase from the beginning, or for as long as fast is */
	clockprobe_connected(p, phase == PROBE_FAST ? 0 : -2 * span_ns);
	for (;;) {
		clockprobe_next(p, now);
		if (p->due_ns >= span_ns)
			break;
		pings += p->burst_want;
		now = p->due_ns;
	}
	return ((double)pings * 1e9 / (double)span_ns);
}

static void
many_nodes_are_asked_less_often(void **state)
{
	struct clockprobe p;

	(void)state;
	for (unsigned n = 1; n <= 4096; n = n * 5 / 4 + 1) {
		clockprobe_init(&p, 0);
		p.nodes = n;
		assert_true(n * pings_a_second(&p, PROBE_STEADY) <= PINGS_MOST);
		if (n <= 640)
			assert_true(
			    n * pings_a_second(&p, PROBE_FAST) <= PINGS_MOST);
	}
}

/* Nothing is to be mapped yet, and others want to be started. */
static void
nodes_that_come_to_a_rest_take_a_quarter_of_that(void **state)
{
	struct clockprobe p;

	(void)state;
	for (unsigned n = 1; n <= 640; n = n * 5 / 4 + 1) {
		clockprobe_init(&p, 0);
		p.nodes = n;
		p.resting = true;
		assert_true(
		    n * pings_a_second(&p, PROBE_FAST) <= PINGS_MOST / 4);
	}
}

/* Half a second's worth of a few nodes costs nobody anything. */
static void
few_nodes_are_asked_ten_times_a_second(void **state)
{
	struct clockprobe p;

	(void)state;
	clockprobe_init(&p, 0);
	clockprobe_connected(&p, 0);
	clockprobe_next(&p, 0);
	for (p.nodes = 1; p.nodes <= 64; p.nodes++)
		assert_int_equal(clockprobe_period(&p), 100000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_nodes_are_asked_less_often),
		cmocka_unit_test(
		    nodes_that_come_to_a_rest_take_a_quarter_of_that),
		cmocka_unit_test(few_nodes_are_asked_ten_times_a_second),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
