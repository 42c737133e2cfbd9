/*
 * The critical path, and what was waited for, of small runs whose answer is
 * known: late sender, barrier, convoy, remote calls, late receiver, a chain.
 * Times in ms, and 1 us from cause to effect.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/critical.h"
#include "tests/unit/viewer_model.h"

#define MS 1000000
#define US 1000

#define E(i, kind, ms, us, a, b, c)                                            \
	make_log_event(&x.log, x.at[i], EV_##kind, (ms)*MS + (us)*US, a, b, c)

static struct critical *
ask(struct fixture *x, int64_t t0, int64_t t1, uint32_t lane)
{
	struct critical *k = critical_new();

	assert_non_null(k);
	make_log_sort(&x->log);
	play(x, 0);
	critical_begin(k, x->m, t0, t1, lane);
	while (!critical_step(k))
		continue;
	assert_true(critical_exact(k));
	return (k);
}

static int64_t
in(const struct critical *k, const struct fixture *x, uint32_t name)
{
	const struct critical_part *p;
	size_t n = critical_parts(k, &p);
	int64_t ns = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i].name == name && p[i].class == LANE_running)
			ns += p[i].ns;
	(void)x;
	return (ns);
}

/* Pieces and ways are all of it, and follow each other. */
static void
adds_up(const struct critical *k, int64_t t0, int64_t t1)
{
	const struct critical_piece *p;
	uint64_t all;
	size_t n = critical_pieces(k, &p, &all);
	int64_t a, b, sum = critical_way_ns(k);

	critical_range(k, &a, &b);
	assert_int_equal(a, t0);
	assert_int_equal(b, t1);
	assert_int_equal(n, all);
	for (size_t i = 0; i < n; i++) {
		assert_true(p[i].t0_mon_ns <= p[i].t1_mon_ns);
		assert_true(i == 0 || p[i].t1_mon_ns <= p[i - 1].t0_mon_ns);
		assert_int_equal(p[i].kind == 0, i == n - 1);
		sum += p[i].t1_mon_ns - p[i].t0_mon_ns;
	}
	assert_int_equal(sum, t1 - t0);
}

static struct critical_waited
waited(const struct critical *k, enum critical_wait what)
{
	struct critical_waited w;

	critical_waited(k, what, &w);
	return (w);
}

/* B waits for A, which does f, from the start; then it does g. */
static struct fixture
late_sender(void)
{
	struct fixture x;

	start(&x, 2);
	E(0, enter, 0, 0, 0, 0, x.f);
	E(1, receive_wait, 0, 0, 0, 0, 0);
	E(0, send, 30, 0, 7, 100, 0);
	E(0, leave, 30, 0, 0, 0, x.f);
	E(1, receive, 31, 0, 7, 100, 0);
	E(1, enter, 31, 0, 0, 0, x.g);
	E(1, leave, 41, 0, 0, 0, x.g);
	return (x);
}

static void
a_late_sender_is_the_path_and_the_cause(void **state)
{
	struct critical_waited w;
	struct critical *k;
	struct fixture x;

	(void)state;
	x = late_sender();
	k = ask(&x, 0, 41 * MS + 1, UINT32_MAX);
	adds_up(k, 0, 41 * MS);
	assert_int_equal(in(k, &x, x.f), 30 * MS);
	assert_int_equal(in(k, &x, x.g), 10 * MS);
	assert_int_equal(critical_way_ns(k), 1 * MS);
	w = waited(k, CRITICAL_SENDER);
	assert_int_equal(w.ns, 30 * MS);
	assert_int_equal(w.times, 1);
	assert_int_equal(w.by_ns, 30 * MS);
	assert_int_equal(w.by_name, x.f);
	assert_int_equal(waited(k, CRITICAL_WAY).ns, 1 * MS);
	assert_int_equal(waited(k, CRITICAL_RECEIVER).ns, 0);
	critical_free(k);
	finish(&x);
}

/* A part of the run: the path begins, and waits are cut, where it begins. */
static void
a_range_cuts_it(void **state)
{
	struct critical *k;
	struct fixture x;

	(void)state;
	x = late_sender();
	k = ask(&x, 10 * MS, 35 * MS, UINT32_MAX);
	adds_up(k, 10 * MS, 31 * MS);
	assert_int_equal(in(k, &x, x.f), 20 * MS);
	assert_int_equal(waited(k, CRITICAL_SENDER).ns, 20 * MS);
	critical_free(k);
	finish(&x);
}

static void
who_comes_last_to_a_barrier_is_the_path(void **state)
{
	struct critical_waited w;
	struct critical *k;
	struct fixture x;

	(void)state;
	start(&x, 4);
	for (unsigned i = 0; i < 4; i++) {
		unsigned f = i == 2 ? 15 : 10;

		E(i, enter, 0, 0, 0, 0, x.f);
		E(i, leave, f, 0, 0, 0, x.f);
		E(i, enter, f, 0, 0, 0, x.g);
		E(i, leave, f + 5, 0, 0, 0, x.g);
		E(i, barrier_enter, f + 5, 0, 9, 1, 4);
		E(i, barrier_leave, 20, 1, 9, 1, 4);
	}
	k = ask(&x, 0, 21 * MS, UINT32_MAX);
	adds_up(k, 0, 20 * MS + US);
	assert_int_equal(in(k, &x, x.f), 15 * MS);
	assert_int_equal(in(k, &x, x.g), 5 * MS);
	w = waited(k, CRITICAL_TOGETHER);
	assert_int_equal(w.ns, 15 * MS);
	assert_int_equal(w.times, 3);
	assert_int_equal(w.by_ns, 15 * MS);
	critical_free(k);
	finish(&x);
}

static void
a_convoy_goes_from_holder_to_holder(void **state)
{
	struct critical *k;
	struct fixture x;

	(void)state;
	start(&x, 3);
	for (unsigned i = 0; i < 3; i++)
		E(i, lock_wait, 0, i, 9, 0, 0); /* one after the other */
	for (unsigned i = 0; i < 3; i++) {
		E(i, lock_acquire, 10 * i, 5 + i, 9, i, 0);
		E(i, enter, 10 * i, 5 + i, 0, 0, x.f);
		E(i, leave, 10 * (i + 1), 0, 0, 0, x.f);
		E(i, lock_release, 10 * (i + 1), 0, 9, i + 1, 0);
	}
	k = ask(&x, 0, 31 * MS, UINT32_MAX);
	adds_up(k, 0, 30 * MS);
	assert_int_equal(in(k, &x, x.f), 30 * MS - 18 * US);
	assert_int_equal(critical_way_ns(k), 13 * US);
	/* from 1 and 2 us to 10 and 20 ms */
	assert_int_equal(waited(k, CRITICAL_LOCK).ns, 30 * MS - 3 * US);
	critical_free(k);
	finish(&x);
}

static void
a_message_that_lay_lets_nobody_go_on(void **state)
{
	struct critical *k;
	struct fixture x;

	(void)state;
	start(&x, 2);
	E(0, enter, 0, 0, 0, 0, x.g);
	E(0, send, 0, 1, 7, 100, 0);
	E(0, leave, 1, 0, 0, 0, x.g);
	E(1, enter, 0, 0, 0, 0, x.f);
	E(1, leave, 30, 0, 0, 0, x.f);
	E(1, receive_wait, 30, 0, 0, 0, 0);
	E(1, receive, 30, 1, 7, 100, 0);
	k = ask(&x, 0, 31 * MS, UINT32_MAX);
	adds_up(k, 0, 30 * MS + US);
	assert_int_equal(in(k, &x, x.f), 30 * MS);
	assert_int_equal(in(k, &x, x.g), 0);
	assert_int_equal(waited(k, CRITICAL_SENDER).ns, 0);
	assert_int_equal(waited(k, CRITICAL_RECEIVER).ns, 30 * MS - US);
	assert_int_equal(waited(k, CRITICAL_WAY).ns, US);
	critical_free(k);
	finish(&x);
}

/* Three calls to one server; the last to be served is the path. */
static void
remote_calls_wait_for_a_server_that_is_busy(void **state)
{
	struct critical *k;
	struct fixture x;

	(void)state;
	start(&x, 4);
	for (unsigned i = 0; i < 3; i++) {
		E(i, rpc_call, 0, 0, 20 + i, 0, x.f);
		E(3, rpc_begin, 10 * i, 1, 20 + i, 0, x.f);
		E(3, rpc_end, 10 * (i + 1), 0, 20 + i, 0, x.f);
		E(i, rpc_return, 10 * (i + 1), 1, 20 + i, 0, x.f);
	}
	k = ask(&x, 0, 31 * MS, UINT32_MAX);
	adds_up(k, 0, 30 * MS + US);
	assert_int_equal(in(k, &x, x.f), 30 * MS - 3 * US);
	assert_int_equal(waited(k, CRITICAL_SERVER).ns, 30 * MS + 3 * US);
	assert_int_equal(waited(k, CRITICAL_SERVER).times, 3);
	assert_int_equal(waited(k, CRITICAL_WAY).ns, 3 * US);
	critical_free(k);
	finish(&x);
}

static void
a_chain_goes_back_to_its_first(void **state)
{
	const struct critical_piece *p;
	struct critical *k;
	struct fixture x;
	uint64_t all;

	(void)state;
	start(&x, 3);
	E(0, enter, 0, 0, 0, 0, x.f);
	E(1, receive_wait, 0, 0, 0, 0, 0);
	E(2, receive_wait, 0, 0, 0, 0, 0);
	E(0, send, 20, 0, 7, 0, 0);
	E(0, leave, 20, 0, 0, 0, x.f);
	E(1, receive, 20, 1, 7, 0, 0);
	E(1, send, 20, 1, 8, 0, 0);
	E(2, receive, 20, 2, 8, 0, 0);
	E(2, enter, 20, 2, 0, 0, x.g);
	E(2, leave, 25, 2, 0, 0, x.g);
	k = ask(&x, 0, 26 * MS, UINT32_MAX);
	adds_up(k, 0, 25 * MS + 2 * US);
	assert_int_equal(critical_pieces(k, &p, &all), 3);
	assert_int_equal(p[0].kind, EV_send);
	assert_int_equal(in(k, &x, x.f), 20 * MS);
	assert_int_equal(in(k, &x, x.g), 5 * MS);
	assert_int_equal(waited(k, CRITICAL_SENDER).ns, 40 * MS + US);
	critical_free(k);
	finish(&x);
}

/* Of one thread: what it did, when it waited for nobody. */
static void
a_thread_has_a_path_of_its_own(void **state)
{
	struct critical *k;
	struct fixture x;
	uint32_t lane = UINT32_MAX;

	(void)state;
	start(&x, 2);
	E(0, enter, 0, 0, 0, 0, x.f);
	E(0, leave, 50, 0, 0, 0, x.f);
	E(1, enter, 5, 0, 0, 0, x.g);
	E(1, leave, 40, 0, 0, 0, x.g);
	make_log_sort(&x.log);
	play(&x, 0);
	for (uint32_t i = 0; i < model_lanes(x.m); i++)
		if (model_lane(x.m, i)->kind == LANE_THREAD &&
		    model_lane(x.m, i)->location == x.at[1])
			lane = i;
	k = critical_new();
	critical_begin(k, x.m, 0, 51 * MS, lane);
	while (!critical_step(k))
		continue;
	adds_up(k, 5 * MS, 40 * MS);
	assert_int_equal(in(k, &x, x.g), 35 * MS);
	critical_free(k);
	finish(&x);
}

/* What is done meanwhile ends its idling, of no time as well. */
static void
who_has_done_something_waits_from_then(void **state)
{
	struct critical *k;
	struct fixture x;

	(void)state;
	start(&x, 2);
	E(0, block_begin, 0, 0, 5, 2, x.f);
	E(1, member_begin, 1, 0, 5, 0, x.f);
	E(0, enter, 10, 0, 0, 0, x.g);
	E(0, leave, 10, 0, 0, 0, x.g);
	E(1, member_end, 30, 0, 5, 0, 2);
	E(0, block_end, 31, 0, 5, 0, 2);
	k = ask(&x, 0, 31 * MS + 1, UINT32_MAX);
	assert_int_equal(waited(k, CRITICAL_TOGETHER).ns, 20 * MS);
	critical_free(k);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_sender_is_the_path_and_the_cause),
		cmocka_unit_test(a_range_cuts_it),
		cmocka_unit_test(who_comes_last_to_a_barrier_is_the_path),
		cmocka_unit_test(a_convoy_goes_from_holder_to_holder),
		cmocka_unit_test(a_message_that_lay_lets_nobody_go_on),
		cmocka_unit_test(remote_calls_wait_for_a_server_that_is_busy),
		cmocka_unit_test(a_chain_goes_back_to_its_first),
		cmocka_unit_test(a_thread_has_a_path_of_its_own),
		cmocka_unit_test(who_has_done_something_waits_from_then),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
