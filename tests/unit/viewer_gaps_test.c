/*
 * What is known on both sides of records that are lost: a task is two that are
 * over, its name is told by any event, and a call that began just before is
 * one within what it was made in.
 */
#include "model/calls/calls.h"
#include "model/keep/durations.h"
#include "model/run/part.h"
#include "tests/unit/viewer_model.h"

#define AT(i, kind, t, a, b, c)                                                \
	make_log_event(&x.log, x.at[i], EV_##kind, t, a, b, c)

static const struct name_stats *
row_of(struct name_stats s[8], const struct fixture *x, uint32_t name,
    uint8_t kind)
{
	size_t n = model_name_stats(x->m, s, 8);

	for (size_t i = 0; i < n && i < 8; i++)
		if (s[i].name == name && s[i].kind == kind)
			return (&s[i]);
	fail_msg("nothing of that name");
	return (NULL);
}

/*
 * It runs for 20 until the loss, and for 7 on another thread; the loss may be
 * told when that is over.
 */
static void
a_task_is_two_that_are_over(void **state)
{
	static const int64_t told[] = { 50, 200 };
	struct fixture x;
	struct name_stats s[8];
	const struct name_stats *r;
	const struct durations *d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		start(&x, 2);
		AT(0, task_spawn, 10, 7, 0, x.f);
		AT(0, task_begin, 10, 7, 0, x.f);
		AT(0, note, 30, 0, 0, 0);
		AT(0, lost, told[i], 3, 3, LOST_RING_FULL);
		AT(0, task_suspend, told[i] + 10, 7, 0, 0);
		AT(1, task_resume, 100, 7, 1, x.f);
		AT(1, task_end, 107, 7, 0, 0);
		make_log_sort(&x.log);
		play(&x, 0);
		r = row_of(s, &x, x.f, SPAN_task);
		assert_int_equal(r->total_ns, 27);
		assert_int_equal(r->max_ns, 20);
		d = model_durations(x.m, r->number);
		assert_non_null(d);
		assert_int_equal(atomic_load(&d->n), 2);
		assert_int_equal(durations_least(d), 7);
		assert_int_equal(durations_quantile(d, 990), 20);
		finish(&x);
	}
}

/* Where none is lost it is one. */
static void
a_task_that_sleeps_is_one(void **state)
{
	struct fixture x;
	struct name_stats s[8];
	const struct durations *d;

	(void)state;
	start(&x, 2);
	AT(0, task_spawn, 10, 7, 0, x.f);
	AT(0, task_begin, 10, 7, 0, x.f);
	AT(0, task_suspend, 30, 7, 0, 0);
	AT(1, task_resume, 100, 7, 1, x.f);
	AT(1, task_end, 107, 7, 0, 0);
	play(&x, 0);
	d = model_durations(x.m, row_of(s, &x, x.f, SPAN_task)->number);
	assert_int_equal(atomic_load(&d->n), 1);
	assert_int_equal(durations_least(d), 27);
	finish(&x);
}

static void
its_name_is_told_when_it_goes_on(void **state)
{
	struct fixture x;
	uint32_t task;

	(void)state;
	start(&x, 1);
	AT(0, lost, 10, 3, 3, LOST_RING_FULL);
	AT(0, task_suspend, 20, 7, 0, 0);
	AT(0, task_resume, 30, 7, 1, x.f);
	AT(0, task_end, 40, 7, 0, 0);
	play(&x, 0);
	task = model_task_by_id(x.m, 7);
	assert_true(task != TASK_NONE);
	assert_int_equal(model_task(x.m, task)->name, x.f);
	finish(&x);
}

/*
 * h begins in a task of g within f; the rest is lost, with which the task is
 * over, and h goes on in f.
 */
static void
a_call_just_before_is_within_the_task(void **state)
{
	const struct call *c;
	struct calls *k = calls_new();
	struct fixture x;
	uint32_t h;
	size_t n;
	bool seen = false;

	(void)state;
	start(&x, 1);
	h = make_log_name(&x.log, "h");
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, task_begin, 20, 7, 0, x.g);
	AT(0, enter, 30, 0, 0, h);
	AT(0, lost, 50, 3, 3, LOST_RING_FULL);
	AT(0, leave, 60, 0, 0, h);
	AT(0, leave, 70, 0, 0, x.f);
	play(&x, 0);
	calls_begin(k, x.m, 0, 71, UINT32_MAX);
	while (!calls_step(k))
		continue;
	assert_true(calls_exact(k));
	n = calls_paths(k, &c);
	for (size_t i = 0; i < n; i++) {
		assert_false(c[i].again);
		if (c[i].name != h)
			continue;
		assert_true(c[i].parent < n);
		/* begun in the task, and gone on within f */
		assert_int_equal(c[i].calls,
		    c[c[i].parent].name == x.g ? 1 : 0);
		seen |= c[i].calls > 0;
	}
	assert_true(seen);
	calls_free(k);
	finish(&x);
}

/* From the row in which it began into the one before, at once. */
static void
its_rows_are_told_one_after_the_other(void **state)
{
	struct span s = { .t0_mon_ns = 30,
		.t1_mon_ns = 60,
		.class = LANE_running,
		.kind = SPAN_call,
		.depth = 2,
		.nth = 1 };
	struct span_stay v[4];
	struct fixture x;
	uint32_t row[3], g;

	(void)state;
	start(&x, 1);
	s.name = make_log_name(&x.log, "h");
	g = make_log_name(&x.log, "i");
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, task_begin, 20, 7, 0, x.g);
	AT(0, enter, 30, 0, 0, s.name);
	AT(0, lost, 50, 3, 3, LOST_RING_FULL);
	AT(0, enter, 50, 0, 0, g);
	AT(0, leave, 55, 0, 0, g);
	AT(0, leave, 60, 0, 0, s.name);
	AT(0, leave, 70, 0, 0, x.f);
	play(&x, 0);
	row[0] = model_lane_first_child(x.m, model_location_lane(x.m, x.at[0]));
	row[1] = model_lane_next_sibling(x.m, row[0]);
	row[2] = model_lane_next_sibling(x.m, row[1]);
	assert_int_equal(model_lane_stays(x.m, row[2], &s, v, 4), 2);
	assert_int_equal(v[0].lane, row[2]);
	assert_int_equal(v[0].until_ns, 30);
	assert_int_equal(v[1].lane, row[1]);
	assert_int_equal(v[1].until_ns, 60);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_two_that_are_over),
		cmocka_unit_test(a_task_that_sleeps_is_one),
		cmocka_unit_test(its_name_is_told_when_it_goes_on),
		cmocka_unit_test(a_call_just_before_is_within_the_task),
		cmocka_unit_test(its_rows_are_told_one_after_the_other),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
