/*
 * Back-pressure: who may be read from.  Nodes with endless backlogs are read
 * in any order that reorder_ahead() allows; all must get through, in bounded
 * memory, and nobody may wait for one that is not read from.
 */
#include "tests/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/order/credit.h"
#include "monitord/order/reorder.h"
#include "tests/sim/model.h"

#define US 1000
#define MS 1000000

static uint64_t out, late;
static int64_t last_ns;
static unsigned stalls, rejoins;

static void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	(void)arg;
	for (size_t i = 0; i < n; i++) {
		out++;
		if (ev[i].flags & EVENT_LATE) {
			late++;
			continue;
		}
		assert_true(ev[i].t_mon_ns >= last_ns);
		last_ns = ev[i].t_mon_ns;
	}
}

static void
stall_cb(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	(void)arg;
	(void)node;
	(void)ns;
	stalls += stalled;
	rejoins += !stalled;
}

static struct reorder *
start(uint32_t nodes, size_t window, size_t total)
{
	struct reorder_options o = reorder_defaults;
	struct reorder *r;

	o.window_bytes = window;
	o.floor_bytes = window / 16;
	o.held_bytes_max = total;
	out = late = 0;
	last_ns = INT64_MIN;
	stalls = rejoins = 0;
	r = reorder_new(&o, emit_cb, stall_cb, NULL);
	for (uint32_t i = 0; i < nodes; i++) {
		assert_int_equal(reorder_node_add(r, i), 0);
		assert_int_equal(reorder_stream_add(r, i, i), 0);
	}
	return (r);
}

/* One batch of n events, 1 us apart, behind what the stream has. */
static void
batch(struct reorder *r, uint32_t s, uint64_t *seq, unsigned n, int64_t now)
{
	struct event ev = { .kind = EV_note, .location = s };

	for (unsigned i = 0; i < n; i++) {
		ev.seq = *seq;
		ev.t_mon_ns = (int64_t)++ * seq * US;
		assert_int_equal(reorder_push(r, s, &ev, 1), 0);
	}
	reorder_advance(r, s, ev.t_mon_ns + 1, 1000, now);
}

static void
windows_are_shares_between_floor_and_most(void **state)
{
	static const struct {
		size_t members, window;
	} cases[] = {
		{ 0, 4 << 20 },
		{ 1, 4 << 20 },
		{ 48, 4 << 20 },
		{ 96, 2 << 20 },
		{ 4096, 256 << 10 },
	};
	struct credit c;

	(void)state;
	credit_init(&c, 4 << 20, 256 << 10, (size_t)192 << 20);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(credit_window(&c, cases[i].members),
		    cases[i].window);
	credit_clear(&c);
}

static void
only_those_ahead_are_stopped(void **state)
{
	struct reorder *r = start(3, 100 * sizeof(struct event), 1 << 20);
	uint64_t seq[3] = { 0 };

	(void)state;
	batch(r, 0, &seq[0], 90, MS);
	batch(r, 1, &seq[1], 110, MS);
	batch(r, 2, &seq[2], 10, MS);
	assert_false(reorder_ahead(r, 0)); /* has room */
	assert_true(reorder_ahead(r, 1));
	assert_false(reorder_ahead(r, 2)); /* is waited for */
	batch(r, 2, &seq[2], 200, MS);
	assert_false(reorder_ahead(r, 0));
	assert_true(reorder_ahead(r, 2)); /* has overtaken the others */
	reorder_tick(r, MS);
	assert_int_equal(out, 90 + 90 + 90);
	assert_false(reorder_ahead(r, 1)); /* less than half is waiting */
	assert_true(reorder_ahead(r, 2));
	batch(r, 0, &seq[0], 80, MS);
	reorder_tick(r, MS);
	assert_true(reorder_ahead(r, 2)); /* 100 of 100: more than half */
	batch(r, 1, &seq[1], 80, MS);
	reorder_tick(r, MS);
	assert_false(reorder_ahead(r, 2));
	reorder_free(r);
}

static void
one_that_is_not_read_from_is_not_silent(void **state)
{
	struct reorder *r = start(2, 10 * sizeof(struct event), 1 << 20);
	uint64_t seq[2] = { 0 };
	int64_t now = MS;

	(void)state;
	batch(r, 0, &seq[0], 2000, now);
	assert_true(reorder_ahead(r, 0));
	reorder_hold(r, 0, true);
	for (int i = 0; i < 400; i++) { /* node 1 needs 400 ms to catch up */
		now += MS;
		batch(r, 1, &seq[1], 4, now);
		reorder_tick(r, now);
	}
	assert_int_equal(stalls, 0);
	reorder_hold(r, 0, false);
	for (int i = 0; i < 100; i++)
		reorder_tick(r, now += MS);
	assert_int_equal(stalls, 0);
	/* but from then on it is */
	for (int i = 0; i < 100; i++) {
		batch(r, 1, &seq[1], 50, now += MS);
		reorder_tick(r, now);
	}
	assert_int_equal(stalls, 1);
	reorder_free(r);
}

/*
 * Node 1 was silent and tells late what it has missed.  Node 0 has an effect
 * whose cause may be in that, and as much behind it as its window takes.
 */
static void
one_that_is_behind_is_read_before_those_that_wait_for_it(void **state)
{
	struct reorder *r = start(2, 10 * sizeof(struct event), 1 << 20);
	struct event effect = { .kind = EV_receive, .a = 7 };
	uint64_t seq[2] = { 0 };
	int64_t now = MS;

	(void)state;
	batch(r, 0, &seq[0], 1, now);
	batch(r, 1, &seq[1], 1, now);
	for (int i = 0; i < 400; i++) {
		batch(r, 0, &seq[0], 10, now += MS);
		reorder_tick(r, now);
	}
	assert_int_equal(stalls, 1);
	batch(r, 1, &seq[1], 1, now);
	effect.seq = seq[0]++;
	effect.t_mon_ns = (int64_t)seq[0] * US;
	assert_int_equal(reorder_push(r, 0, &effect, 1), 0);
	batch(r, 0, &seq[0], 2000, now);
	reorder_tick(r, now += MS);
	assert_true(reorder_ahead(r, 0));
	assert_false(reorder_ahead(r, 1));
	/* nobody waits for one that is silent again */
	for (int i = 0; i < 160; i++)
		reorder_tick(r, now += MS);
	assert_false(reorder_ahead(r, 0));
	reorder_free(r);
}

static void
when_nobody_is_live_all_are_read(void **state)
{
	struct reorder *r = start(2, 10 * sizeof(struct event), 1 << 20);
	uint64_t seq[2] = { 0 };
	int64_t now = MS;

	(void)state;
	batch(r, 0, &seq[0], 2000, now);
	batch(r, 1, &seq[1], 1, now);
	for (int i = 0; i < 400; i++)
		reorder_tick(r, now += MS);
	assert_int_equal(stalls, 2);
	assert_false(reorder_ahead(r, 0));
	assert_false(reorder_ahead(r, 1));
	reorder_free(r);
}

/* Nodes that tell of the future only, and of no time that they are done with:
 * the clock goes on, and memory has its limit. */
static void
memory_is_limited_whatever_comes(void **state)
{
	struct reorder *r = start(2, 1000, 72000);
	struct event ev = { .kind = EV_note, .t_mon_ns = 500 * MS };
	int64_t now = 0;
	int refused = 0;

	(void)state;
	reorder_advance(r, 0, 1, 0, 1);
	reorder_advance(r, 1, 1, 0, 1);
	for (int i = 0; i < 4000; i++) {
		ev.seq++;
		if (reorder_push(r, 0, &ev, 1) == -1) {
			assert_int_equal(errno, ENOBUFS);
			refused++;
		}
		assert_true(reorder_held_bytes(r) <= 2 * 72000 + 144);
		reorder_tick(r, now += MS / 2);
	}
	assert_int_equal(stalls, 2);
	assert_in_range(refused, 0, 2000);
	reorder_tick(r, now += 2000 * MS);
	assert_true(out >= 1000);
	reorder_free(r);
}

/* Any reader that heeds the advice gets through. */
static void
no_order_of_reading_gets_stuck(void **state)
{
	enum {
		NODES = 8,
		EACH = 3000
	};

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct chance c = { seed };
		struct reorder *r =
		    start(NODES, 120 * sizeof(struct event), 60000);
		uint64_t seq[NODES] = { 0 }, done = 0;
		size_t most = 0;
		int64_t now = MS;
		int idle = 0;

		while (done < NODES) {
			/* one is much faster than the others */
			uint32_t n = chance_is(&c, 0.5)
					 ? (uint32_t)(seed % NODES)
					 : (uint32_t)chance_below(&c, NODES);
			bool ahead;

			now += US;
			if (chance_below(&c, 4) == 0)
				reorder_tick(r, now);
			if (reorder_held_bytes(r) > most)
				most = reorder_held_bytes(r);
			ahead = reorder_ahead(r, n);
			reorder_hold(r, n, ahead);
			if (seq[n] >= EACH || ahead) {
				assert_true(++idle < 2000);
				continue;
			}
			idle = 0;
			batch(r, n, &seq[n], 1 + (unsigned)chance_below(&c, 60),
			    now);
			if (seq[n] >= EACH) {
				reorder_node_remove(r, n);
				done++;
			}
		}
		assert_int_equal(stalls, 0);
		/* windows, and one batch on top */
		assert_true(most <= NODES * (120 + 60) * 72);
		reorder_flush(r);
		assert_int_equal(late, 0);
		for (unsigned i = 0; i < NODES; i++)
			out -= seq[i];
		assert_int_equal(out, 0);
		reorder_free(r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_shares_between_floor_and_most),
		cmocka_unit_test(only_those_ahead_are_stopped),
		cmocka_unit_test(one_that_is_not_read_from_is_not_silent),
		cmocka_unit_test(
		    one_that_is_behind_is_read_before_those_that_wait_for_it),
		cmocka_unit_test(when_nobody_is_live_all_are_read),
		cmocka_unit_test(memory_is_limited_whatever_comes),
		cmocka_unit_test(no_order_of_reading_gets_stuck),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
