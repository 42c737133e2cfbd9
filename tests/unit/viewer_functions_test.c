/*
 * What runs under a name, over the whole run and in ranges: what calls itself
 * counts once for the time, kinds are told apart, any depth is known, and a
 * task that is suspended takes along what is open in it.
 */
#include "model/calls/calls.h"
#include "model/keep/durations.h"
#include "model/run/part.h"
#include "model/run/take.h"
#include "tests/unit/viewer_model.h"

#define DEEP 5000

static struct name_stats
row_of(const struct name_stats *s, size_t n, uint32_t name, uint8_t kind)
{
	for (size_t i = 0; i < n; i++)
		if (s[i].name == name && s[i].kind == kind)
			return (s[i]);
	return ((struct name_stats){ 0 });
}

/* Of the whole run, as the model keeps it. */
static void
kept(const struct fixture *x, uint32_t name, uint8_t kind, uint64_t calls,
    int64_t total, int64_t max)
{
	struct name_stats s[16], r;
	size_t n = model_name_stats(x->m, s, 16);

	assert_true(n <= 16);
	r = row_of(s, n, name, kind);
	assert_int_equal(r.calls, calls);
	assert_int_equal(r.total_ns, total);
	assert_int_equal(r.max_ns, max);
}

/* A range, added up; calls_free() frees it. */
static struct calls *
sums(const struct model *m, int64_t t0, int64_t t1)
{
	struct calls *k = calls_new();

	assert_non_null(k);
	calls_begin(k, m, t0, t1, UINT32_MAX);
	while (!calls_step(k))
		continue;
	return (k);
}

/* Of a range. */
static void
added(const struct fixture *x, int64_t t0, int64_t t1, uint32_t name,
    uint8_t kind, uint64_t calls, int64_t total)
{
	struct name_stats s[16], r;
	struct calls *k = sums(x->m, t0, t1);

	assert_true(calls_exact(k));
	r = row_of(s, calls_names(k, s, 16), name, kind);
	assert_int_equal(r.calls, calls);
	assert_int_equal(r.total_ns, total);
	calls_free(k);
}

static void
what_calls_itself_counts_once(void **state)
{
	struct name_stats rows[4];
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, enter, 20, 0, 0, x.f);
	AT(0, enter, 30, 0, 0, x.g);
	AT(0, enter, 40, 0, 0, x.f);
	AT(0, leave, 50, 0, 0, x.f);
	AT(0, leave, 60, 0, 0, x.g);
	AT(0, leave, 70, 0, 0, x.f);
	AT(0, leave, 80, 0, 0, x.f);
	AT(0, enter, 90, 0, 0, x.f);
	AT(0, leave, 95, 0, 0, x.f);
	play(&x, 0);
	kept(&x, x.f, SPAN_call, 4, 75, 70);
	assert_int_equal(model_name_stats(x.m, rows, 4), 2);
	assert_int_equal(row_of(rows, 2, x.f, SPAN_call).outer, 2);
	kept(&x, x.g, SPAN_call, 1, 30, 30);
	added(&x, 0, 100, x.f, SPAN_call, 4, 75);
	added(&x, 25, 65, x.f, SPAN_call, 1, 40);
	added(&x, 25, 65, x.g, SPAN_call, 1, 30);
	finish(&x);
}

static void
kinds_are_told_apart(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, task_begin, 10, 7, 0, x.f);
	AT(0, phase_begin, 20, 0, 0, x.f);
	AT(0, enter, 30, 0, 0, x.f);
	AT(0, leave, 40, 0, 0, x.f);
	AT(0, phase_end, 60, 0, 0, x.f);
	AT(0, task_end, 70, 7, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_task, 1, 60, 60);
	kept(&x, x.f, SPAN_phase, 1, 40, 40);
	kept(&x, x.f, SPAN_call, 1, 10, 10);
	added(&x, 25, 35, x.f, SPAN_task, 0, 10);
	added(&x, 25, 35, x.f, SPAN_call, 1, 5);
	assert_int_equal(model_name_kinds(x.m, x.f),
	    1u << SPAN_task | 1u << SPAN_phase | 1u << SPAN_call);
	finish(&x);
}

/* What is open counts as far as the run has come. */
static void
open_calls_count_so_far(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 2);
	AT(0, enter, 10, 0, 0, x.f);
	AT(1, enter, 20, 0, 0, x.g);
	AT(0, enter, 30, 0, 0, x.f);
	AT(0, note, 50, 0, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_call, 2, 40, 40);
	kept(&x, x.g, SPAN_call, 1, 30, 30);
	AT(0, leave, 60, 0, 0, 0);
	AT(0, leave, 70, 0, 0, 0);
	AT(0, note, 90, 0, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_call, 2, 60, 60);
	kept(&x, x.g, SPAN_call, 1, 70, 70);
	/* as it is while the first block is being read */
	atomic_store(&facts_of(x.m)->last_ns, INT64_MIN);
	kept(&x, x.f, SPAN_call, 2, 60, 60);
	kept(&x, x.g, SPAN_call, 1, 0, 0);
	finish(&x);
}

static void
any_depth_is_known(void **state)
{
	static struct span s[DEEP + 2];
	struct fixture x;
	uint32_t lane;
	uint64_t listed;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	for (int i = 0; i < DEEP; i++)
		AT(0, enter, 100 + i * 10, 0, 0, x.g);
	AT(0, enter, 100000, 0, 0, x.f);
	AT(0, leave, 100007, 0, 0, 0);
	for (int i = 0; i < DEEP; i++)
		AT(0, leave, 200000 + i * 10, 0, 0, 0);
	AT(0, leave, 300000, 0, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_call, 2, 299990, 299990);
	kept(&x, x.g, SPAN_call, DEEP, 200000 + (DEEP - 1) * 10 - 100,
	    200000 + (DEEP - 1) * 10 - 100);
	added(&x, 0, 300001, x.g, SPAN_call, DEEP,
	    200000 + (DEEP - 1) * 10 - 100);
	added(&x, 40000, 250000, x.g, SPAN_call, DEEP - 3990,
	    200000 + (DEEP - 1) * 10 - 40000);
	added(&x, 100001, 100003, x.f, SPAN_call, 0, 2);
	lane = model_location_lane(x.m, x.at[0]);
	assert_int_equal(model_stack(x.m, lane, 100001, s, DEEP + 2), DEEP + 2);
	assert_int_equal(s[0].name, x.f);
	assert_int_equal(s[DEEP].name, x.g);
	assert_int_equal(s[DEEP].t0_mon_ns, 100 + (DEEP - 1) * 10);
	assert_int_equal(s[DEEP + 1].name, x.f);
	assert_true(model_lane_listed(x.m, lane, &listed));
	assert_int_equal(listed, DEEP + 2);
	finish(&x);
}

/* It goes on elsewhere; what the thread does meanwhile is not within. */
static void
a_suspended_task_takes_its_calls_along(void **state)
{
	struct fixture x;
	struct span s[4];
	uint32_t lane;

	(void)state;
	start(&x, 3);
	AT(0, task_begin, 10, 7, 0, x.f);
	AT(0, enter, 20, 0, 0, x.g);
	AT(0, task_suspend, 30, 7, 0, 0);
	AT(0, enter, 40, 0, 0, x.f);
	AT(0, leave, 60, 0, 0, x.f);
	AT(2, note, 70, 0, 0, 0);
	AT(2, task_resume, 100, 7, 1, x.f);
	AT(2, leave, 105, 0, 0, x.g);
	AT(2, task_end, 120, 7, 0, 0);
	AT(0, note, 130, 0, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_task, 1, 40, 40);
	kept(&x, x.g, SPAN_call, 1, 15, 15);
	kept(&x, x.f, SPAN_call, 1, 20, 20);
	added(&x, 0, 131, x.f, SPAN_task, 1, 40);
	added(&x, 0, 131, x.g, SPAN_call, 1, 15);
	added(&x, 0, 131, x.f, SPAN_call, 1, 20);
	added(&x, 102, 110, x.g, SPAN_call, 0, 3);
	added(&x, 102, 110, x.f, SPAN_task, 0, 8);
	lane = model_location_lane(x.m, x.at[2]);
	assert_int_equal(model_stack(x.m, lane, 102, s, 4), 2);
	assert_int_equal(s[0].kind, SPAN_task);
	assert_int_equal(s[1].name, x.g);
	lane = model_location_lane(x.m, x.at[0]);
	assert_int_equal(model_stack(x.m, lane, 50, s, 4), 1);
	assert_int_equal(model_stack(x.m, lane, 102, s, 4), 0);
	finish(&x);
}

/* What was further out is over; what lies above moves up and goes on. */
static void
what_lies_above_goes_on(void **state)
{
	struct fixture x;
	struct span s[4];
	uint32_t lane;

	(void)state;
	start(&x, 1);
	AT(0, phase_begin, 10, 0, 0, x.f);
	AT(0, enter, 20, 0, 0, x.g);
	AT(0, lock_wait, 30, 5, 0, 0);
	AT(0, phase_end, 40, 0, 0, x.f);
	AT(0, lock_acquire, 50, 5, 0, 0);
	AT(0, leave, 70, 0, 0, x.g);
	AT(0, note, 80, 0, 0, 0);
	play(&x, 0);
	kept(&x, x.f, SPAN_phase, 1, 30, 30);
	kept(&x, x.g, SPAN_call, 1, 50, 50);
	added(&x, 0, 81, x.f, SPAN_phase, 1, 30);
	added(&x, 0, 81, x.g, SPAN_call, 1, 50);
	added(&x, 35, 60, x.g, SPAN_call, 0, 25);
	lane = model_location_lane(x.m, x.at[0]);
	assert_int_equal(model_stack(x.m, lane, 45, s, 4), 2);
	assert_int_equal(s[0].name, x.g);
	assert_int_equal(s[0].depth, 0);
	assert_int_equal(s[1].class, LANE_wait_lock);
	assert_int_equal(model_stack(x.m, lane, 60, s, 4), 1);
	assert_int_equal(model_stack(x.m, lane, 75, s, 4), 0);
	finish(&x);
}

/* A wait that lasts while something is called in it. */
static void
calls_within_a_wait_count(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, receive_wait, 20, 0, 0, 0);
	AT(0, enter, 30, 0, 0, x.g);
	AT(0, leave, 40, 0, 0, x.g);
	AT(0, receive, 50, 0, 0, 0);
	AT(0, leave, 60, 0, 0, x.f);
	play(&x, 0);
	kept(&x, x.g, SPAN_call, 1, 10, 10);
	added(&x, 0, 61, x.f, SPAN_call, 1, 50);
	added(&x, 0, 61, x.g, SPAN_call, 1, 10);
	finish(&x);
}

/* Of the list of spans: from begin to end, with what interrupted it. */
static void
spans_are_told_whole(void **state)
{
	static const struct {
		int64_t t1;
		uint64_t within;
		int64_t waits_ns;
	} want[] = {
		{ 40, 2, 5 },   /* the phase, which ends under the call */
		{ 100, 4, 25 }, /* the call: it moves up */
		{ 35, 0, 0 },
		{ 80, 0, 0 },
		{ 92, 1, 0 }, /* one in another */
		{ 91, 0, 0 },
		{ INT64_MAX, 0, 0 },
	};
	struct fixture x;
	struct span s[16];
	struct whole w;
	uint32_t lane;
	size_t n;

	(void)state;
	start(&x, 1);
	AT(0, phase_begin, 10, 0, 0, x.f);
	AT(0, enter, 20, 0, 0, x.g);
	AT(0, lock_wait, 30, 5, 0, 0);
	AT(0, lock_acquire, 35, 5, 0, 0);
	AT(0, phase_end, 40, 0, 0, x.f);
	AT(0, lock_wait, 60, 5, 0, 0);
	AT(0, lock_acquire, 80, 5, 0, 0);
	AT(0, enter, 90, 0, 0, x.g);
	AT(0, enter, 91, 0, 0, x.f);
	AT(0, leave, 91, 0, 0, x.f);
	AT(0, leave, 92, 0, 0, x.g);
	AT(0, leave, 100, 0, 0, x.g);
	AT(0, enter, 110, 0, 0, x.f);
	AT(0, note, 120, 0, 0, 0);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	n = model_lane_list(x.m, lane, 0, s, 16);
	assert_int_equal(n, sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < n; i++) {
		model_lane_whole(x.m, lane, &s[i], &w);
		assert_int_equal(s[i].t1_mon_ns, want[i].t1);
		assert_int_equal(w.within, want[i].within);
		assert_int_equal(w.waits_ns, want[i].waits_ns);
		assert_false(w.more);
	}
	finish(&x);
}

/* A call in a call of the same function, both in one tick of the clock. */
static void
spans_of_one_instant_are_told_apart(void **state)
{
	struct fixture x;
	struct span s[8];
	struct whole w;
	uint32_t lane, inner;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, enter, 20, 0, 0, x.g);
	AT(0, enter, 20, 0, 0, x.g);
	AT(0, leave, 25, 0, 0, x.g);
	AT(0, leave, 40, 0, 0, x.g);
	AT(0, leave, 50, 0, 0, x.f);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	assert_int_equal(model_lane_list(x.m, lane, 0, s, 8), 3);
	for (int i = 1; i < 3; i++) {
		assert_int_equal(s[i].t0_mon_ns, 20);
		model_lane_whole(x.m, lane, &s[i], &w);
	}
	assert_int_equal(s[1].t1_mon_ns, 40);
	assert_int_equal(s[2].t1_mon_ns, 25);
	inner = model_lane_next_sibling(x.m, model_lane_first_child(x.m, lane));
	assert_int_equal(model_lane_list(x.m, inner, 0, s, 8), 1);
	model_lane_whole(x.m, inner, &s[0], &w);
	assert_int_equal(s[0].t1_mon_ns, 40);
	finish(&x);
}

/* With a processor: of the whole run, and of a range; -1: not known. */
static void
on_cpu(const struct fixture *x, int64_t t0, int64_t t1, uint32_t name,
    int64_t cpu_ns)
{
	struct name_stats s[16], r;
	struct calls *k = sums(x->m, t0, t1);

	r = row_of(s,
	    t1 == INT64_MAX ? model_name_stats(x->m, s, 16)
			    : calls_names(k, s, 16),
	    name, SPAN_call);
	assert_int_equal(r.cpu_unknown ? -1 : r.cpu_ns, cpu_ns);
	calls_free(k);
}

static void
cpu_time_is_without_what_a_thread_was_switched_out(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 2);
	AT(0, sched_from, 5, 1, 0, 0);
	AT(0, enter, 10, 0, 0, x.f);
	AT(1, enter, 15, 0, 0, x.g);
	AT(1, leave, 18, 0, 0, 0);
	AT(0, enter, 20, 0, 0, x.f);
	AT(0, sched_out, 30, 1, 0, 0);
	AT(0, sched_in, 50, 1, 0, 0);
	AT(0, leave, 60, 0, 0, 0);
	AT(0, sched_out, 70, 1, 0, 1);
	AT(0, sched_in, 75, 1, 0, 0);
	AT(0, note, 80, 0, 0, 0);
	play(&x, 0);
	on_cpu(&x, 0, INT64_MAX, x.f, 20 + 20 + 5);
	on_cpu(&x, 0, INT64_MAX, x.g, -1);
	AT(0, sched_out, 85, 1, 0, 0);
	AT(0, note, 90, 0, 0, 0);
	play(&x, 0);
	on_cpu(&x, 0, INT64_MAX, x.f, 20 + 20 + 10);
	AT(0, sched_in, 100, 1, 0, 0);
	AT(0, leave, 110, 0, 0, 0);
	play(&x, 0);
	on_cpu(&x, 0, INT64_MAX, x.f, 60);
	on_cpu(&x, 0, 111, x.f, 60);
	on_cpu(&x, 25, 55, x.f, 10);
	on_cpu(&x, 0, 111, x.g, -1);
	finish(&x);
}

/* What began before its process was recorded counts from then on. */
static void
cpu_time_counts_from_where_it_is_told(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, sched_from, 20, 1, 0, 0);
	AT(0, note, 30, 0, 0, 0);
	play(&x, 0);
	on_cpu(&x, 0, INT64_MAX, x.f, -1); /* it may not run at all */
	AT(0, sched_out, 50, 1, 0, 0);
	AT(0, note, 60, 0, 0, 0);
	play(&x, 0);
	on_cpu(&x, 0, INT64_MAX, x.f, 30);
	on_cpu(&x, 0, 61, x.f, 30);
	finish(&x);
}

static void
spread(const struct durations *d, uint64_t n, int64_t least, int64_t p50,
    int64_t p99)
{
	assert_int_equal(d == NULL ? 0 : atomic_load(&d->n), n);
	if (n == 0)
		return;
	assert_int_equal(durations_least(d), least);
	assert_in_range(durations_quantile(d, 500), p50, p50 + p50 / 32);
	assert_in_range(durations_quantile(d, 990), p99, p99 + p99 / 32);
}

/* Of a range those within; of what calls itself the outermost. */
static void
percentiles_are_of_calls_that_are_over(void **state)
{
	static const struct {
		int64_t t0, t1;
		uint64_t n;
		int64_t least, p50, p99;
	} want[] = { { 0, 201001, 200, 1, 100, 198 },
		{ 1000, 2001, 1, 1, 1, 1 }, { 1000, 1001, 0, 0, 0, 0 },
		{ 1001, 3001, 1, 2, 2, 2 },
		{ 101000, 201000, 100, 101, 150, 199 },
		{ 200100, 201001, 0, 0, 0, 0 } };
	struct fixture x;
	struct name_stats s[4];
	uint32_t number;

	(void)state;
	start(&x, 1);
	AT(0, enter, 900, 0, 0, x.g);
	for (int i = 1; i <= 200; i++) {
		AT(0, enter, i * 1000, 0, 0, x.f);
		AT(0, enter, i * 1000, 0, 0, x.f);
		AT(0, leave, i * 1000 + i, 0, 0, 0);
		AT(0, leave, i * 1000 + i, 0, 0, 0);
	}
	AT(0, note, 201000, 0, 0, 0);
	play(&x, 0);
	assert_int_equal(model_name_stats(x.m, s, 4), 2);
	number = row_of(s, 2, x.f, SPAN_call).number;
	spread(model_durations(x.m, number), 200, 1, 100, 198);
	spread(model_durations(x.m, row_of(s, 2, x.g, SPAN_call).number), 0, 0,
	    0, 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct calls *k = sums(x.m, want[i].t0, want[i].t1);

		spread(calls_durations(k, number), want[i].n, want[i].least,
		    want[i].p50, want[i].p99);
		if (i == 0) { /* what calls itself counts once */
			assert_int_equal(calls_names(k, s, 4), 2);
			assert_int_equal(row_of(s, 2, x.f, SPAN_call).self_ns,
			    20100);
			assert_int_equal(row_of(s, 2, x.g, SPAN_call).self_ns,
			    201000 - 900 - 20100);
		}
		calls_free(k);
	}
	finish(&x);
}

/* In the midst of telling the next sums, as if it had lost its processor. */
static void
a_writer_who_is_held_up_holds_up_no_reader(void **state)
{
	struct fixture x;
	struct function *f;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 0, 0, x.f);
	AT(0, leave, 40, 0, 0, x.f);
	for (int i = 0; i < 2; i++) {
		play(&x, 0);
		f = function_at(x.m, 1);
		memset(&f->told[(atomic_load(&f->turn) + 1) % 2], 0xff,
		    sizeof(f->told[0]));
		kept(&x, x.f, SPAN_call, (uint64_t)i + 1, 30 + 5 * i, 30);
		AT(0, enter, 50, 0, 0, x.f);
		AT(0, leave, 55, 0, 0, x.f);
	}
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_writer_who_is_held_up_holds_up_no_reader),
		cmocka_unit_test(what_calls_itself_counts_once),
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(open_calls_count_so_far),
		cmocka_unit_test(any_depth_is_known),
		cmocka_unit_test(a_suspended_task_takes_its_calls_along),
		cmocka_unit_test(what_lies_above_goes_on),
		cmocka_unit_test(calls_within_a_wait_count),
		cmocka_unit_test(spans_are_told_whole),
		cmocka_unit_test(spans_of_one_instant_are_told_apart),
		cmocka_unit_test(
		    cpu_time_is_without_what_a_thread_was_switched_out),
		cmocka_unit_test(cpu_time_counts_from_where_it_is_told),
		cmocka_unit_test(percentiles_are_of_calls_that_are_over),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
