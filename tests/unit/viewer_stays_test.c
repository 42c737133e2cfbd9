/* How often the scheduler had a thread in a state, and how long each time. */
#include "model/measured/scheds.h"
#include "tests/unit/viewer_model.h"

/* How often in a state in [t0, t1), and the shortest and longest time. */
static void
stays(const struct fixture *x, int64_t t0, int64_t t1, enum sched_state state,
    uint64_t n, int64_t min_ns, int64_t max_ns)
{
	struct sched_stays s = { .t0_mon_ns = t0, .at_mon_ns = t0 };
	struct sched_stay k;

	for (int i = 0; !model_sched_stays(x->m, 0, t1, &s); i++)
		assert_true(i < 1000);
	k = sched_stays_in(&s, state);
	assert_int_equal(k.n, n);
	assert_int_equal(k.min_ns, min_ns);
	assert_int_equal(k.max_ns, max_ns);
}

static void
stays_in_a_state_are_counted_as_far_as_in_the_range(void **state)
{
	struct sched_stays s = { 0 };
	struct fixture x;
	int64_t t = 100;

	(void)state;
	start(&x, 1);
	AT(0, sched_from, 5, 1, 0, 0);
	AT(0, sched_out, 30, 1, 0, 0); /* ran from 5 on */
	AT(0, sched_in, 50, 1, 0, 0);
	AT(0, sched_out, 70, 1, 0, 1); /* ready */
	AT(0, sched_in, 75, 1, 0, 0);
	AT(0, note, 90, 0, 0, 0);
	play(&x, 0);
	stays(&x, 0, 90, SCHED_RUNNING, 3, 15, 25);
	stays(&x, 0, 90, SCHED_READY, 1, 5, 5);
	stays(&x, 0, 90, SCHED_BLOCKED, 1, 20, 20);
	stays(&x, 20, 72, SCHED_RUNNING, 2, 10, 20);
	stays(&x, 20, 72, SCHED_READY, 1, 2, 2);
	stays(&x, 35, 45, SCHED_BLOCKED, 1, 10, 10);
	stays(&x, 35, 45, SCHED_RUNNING, 0, 0, 0);
	/* more than are looked at at once, and then some: it goes on */
	assert_true(model_sched_stays(x.m, 0, 90, &s));
	for (int i = 0; i < 6000; i++, t += 10) {
		AT(0, sched_out, t, 1, 0, 0);
		AT(0, sched_in, t + 3, 1, 0, 0);
	}
	play(&x, 0);
	assert_false(model_sched_stays(x.m, 0, t, &s));
	while (!model_sched_stays(x.m, 0, t, &s))
		continue;
	assert_int_equal(sched_stays_in(&s, SCHED_BLOCKED).n, 6001);
	assert_int_equal(sched_stays_in(&s, SCHED_BLOCKED).min_ns, 3);
	assert_int_equal(sched_stays_in(&s, SCHED_RUNNING).n, 6003);
	assert_int_equal(sched_stays_in(&s, SCHED_RUNNING).max_ns, 25);
	stays(&x, 0, t, SCHED_BLOCKED, 6001, 3, 20);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    stays_in_a_state_are_counted_as_far_as_in_the_range),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
