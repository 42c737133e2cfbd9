/*
 * What messages add to pings: clocks whose errors are known here, messages
 * between them, honest and not.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock/tighten.h"
#include "monitord/clock/clocksync.h"
#include "monitord/order/reorder.h"
#include "tests/sim/model.h"

#define US    1000
#define MS    1000000
#define SEC   ((int64_t)1000000000)
#define NODES 64

/* Clocks that run true but for a fixed error, of their pings and maps alike. */
struct world {
	struct tighten *t;
	size_t n;
	int64_t error[NODES];
	struct clock_line line[NODES];
	struct clockmap map[NODES];
	uint32_t epoch[NODES];
	struct chance chance;
	int64_t now;
};

static void
world_tell(struct world *w)
{
	for (uint32_t i = 0; i < w->n; i++)
		assert_int_equal(tighten_node(w->t, i, &w->line[i], 3e-9,
				     w->epoch[i], &w->map[i]),
		    0);
}

static struct world *
world_new(size_t n, double sigma_us, double gap_us)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->chance.state = 42 + n;
	w->n = n;
	w->t = tighten_new();
	assert_non_null(w->t);
	for (size_t i = 0; i < n; i++) {
		double e = sigma_us * chance_normal(&w->chance);
		struct clock_segment s = { .state = CLOCK_LOCKED };

		e = fmin(fmax(e, -gap_us / 2), gap_us / 2);
		w->error[i] = s.base_mon_ns = llround(e * US);
		assert_int_equal(clockmap_add(&w->map[i], &s), 0);
		w->line[i] = (struct clock_line){ .offset_ns = w->error[i],
			.gap_ns = gap_us * US };
	}
	world_tell(w);
	return (w);
}

static void
world_free(struct world *w)
{
	for (size_t i = 0; i < w->n; i++)
		clockmap_clear(&w->map[i]);
	tighten_free(w->t);
	free(w);
}

/* A message now, that took so long. */
static void
message(struct world *w, uint32_t from, uint32_t to, int64_t took)
{
	tighten_message(w->t, from, to, w->now + w->error[from],
	    w->now + took + w->error[to]);
}

/* A second of honest messages between two. */
static void
talk(struct world *w, uint32_t a, uint32_t b, int both)
{
	for (int i = 0; i < 30; i++) {
		message(w, a, b,
		    2 * US + (int64_t)chance_exp(&w->chance, 3 * US));
		if (both)
			message(w, b, a,
			    2 * US + (int64_t)chance_exp(&w->chance, 3 * US));
	}
}

static void
solve(struct world *w)
{
	world_tell(w);
	w->now += SEC;
	tighten_solve(w->t, w->now);
}

/* What is left of a node's error; INT64_MAX: nothing is said of it. */
static int64_t
left(const struct world *w, uint32_t node)
{
	struct tighten_says s;

	if (!tighten_says(w->t, node, &s))
		return (INT64_MAX);
	return (clock_line_mon(&s.aim, w->now) - w->now);
}

static void
clocks_that_talk_agree_and_the_bound_holds(void **state)
{
	struct world *w = world_new(NODES, 3, 30);
	struct tighten_says s;

	(void)state;
	for (int r = 0; r < 8; r++) {
		for (uint32_t i = 0; i < NODES; i++)
			talk(w, i, (i + 1) % NODES, 1);
		solve(w);
	}
	for (uint32_t i = 0; i < NODES; i++) {
		int64_t d = left(w, (i + 1) % NODES) - left(w, i);

		assert_true(llabs(d) < US);
		assert_true(tighten_says(w->t, i, &s));
		assert_int_equal(s.pairs, 2);
		assert_true(s.pair_ns >= 2 * US && s.pair_ns < 4 * US);
		assert_true(llabs(left(w, i)) <= s.error_ns);
		assert_true(s.error_ns <= 30 * US);
	}
	world_free(w);
}

/* Makes the pings and the map of a node say something else. */
static void
say(struct world *w, uint32_t node, int64_t error, double gap_us)
{
	struct clock_segment s = { .base_mon_ns = error,
		.state = CLOCK_LOCKED };

	w->error[node] = w->line[node].offset_ns = error;
	w->line[node].gap_ns = gap_us * US;
	clockmap_clear(&w->map[node]);
	assert_int_equal(clockmap_add(&w->map[node], &s), 0);
}

static void
narrow_pings_bound_their_neighbours(void **state)
{
	struct world *w = world_new(3, 0, 40);
	struct tighten_says s;

	(void)state;
	say(w, 0, 0, 4); /* two that are good to 2 us */
	say(w, 1, 0, 4);
	say(w, 2, 15 * US, 40);
	for (int r = 0; r < 3; r++) {
		talk(w, 0, 2, 1);
		talk(w, 1, 2, 1);
		solve(w);
	}
	assert_true(tighten_says(w->t, 2, &s));
	assert_true(llabs(left(w, 2)) < US);
	assert_true(s.error_ns < 6 * US); /* 20 us, said its own pings */
	assert_true(llabs(left(w, 2)) <= s.error_ns);
	world_free(w);
}

/* One is good to 2 us, or so it says; who talks to it is as far off as told. */
static void
one_neighbour_bounds_nobody(int64_t error)
{
	struct world *w = world_new(3, 0, 40);
	struct tighten_says s;

	say(w, 0, 0, 4);
	say(w, 2, error, 40);
	for (int r = 0; r < 3; r++) {
		talk(w, 0, 2, 1);
		talk(w, 1, 2, 1);
		solve(w);
	}
	assert_true(tighten_says(w->t, 2, &s));
	assert_true(s.error_ns > 15 * US); /* 20 us, by its own pings */
	world_free(w);
}

/*
 * One neighbour may be wrong about itself: its word alone bounds nobody, from
 * neither side (the bound that is told is that of the wider side).
 */
static void
one_neighbour_alone_bounds_nobody(void **state)
{
	(void)state;
	one_neighbour_bounds_nobody(-15 * US);
	one_neighbour_bounds_nobody(0);
	one_neighbour_bounds_nobody(15 * US);
}

static void
one_bad_clock_does_not_draw_the_others(void **state)
{
	struct world *w = world_new(5, 0, 100);
	struct tighten_says s;

	(void)state;
	say(w, 3, 300 * US, 100); /* far beyond what its pings allow */
	for (int r = 0; r < 6; r++) {
		for (uint32_t i = 0; i < 5; i++)
			for (uint32_t k = 0; k < i; k++)
				talk(w, i, k, 1);
		solve(w);
	}
	for (uint32_t i = 0; i < 5; i++) {
		if (i == 3)
			continue;
		assert_true(tighten_says(w->t, i, &s));
		assert_true(llabs(left(w, i)) <= 5 * US);
		assert_true(llabs(left(w, i)) <= s.error_ns);
	}
	world_free(w);
}

static void
whatever_messages_say_pings_hold(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct world *w = world_new(12, 3, 20);
		struct tighten_says s;

		w->chance.state = seed;
		for (int r = 0; r < 10; r++) {
			for (int k = 0; k < 200; k++)
				message(w,
				    (uint32_t)chance_below(&w->chance, 14),
				    (uint32_t)chance_below(&w->chance, 14),
				    (int64_t)chance_next(&w->chance) >>
					chance_below(&w->chance, 60));
			solve(w);
			for (uint32_t i = 0; i < w->n; i++) {
				if (!tighten_says(w->t, i, &s))
					continue;
				assert_true(
				    llabs(left(w, i) - w->error[i]) <= 10 * US);
				assert_true(fabs(s.aim.skew) < 1e-3);
				assert_true(s.error_ns >= 0 &&
					    s.error_ns <= 20 * US + 1);
			}
		}
		world_free(w);
	}
}

static void
one_liar_does_not_move_the_honest_far(void **state)
{
	struct world *w = world_new(8, 2, 30);

	(void)state;
	for (int r = 0; r < 8; r++) {
		for (uint32_t i = 0; i < 8; i++)
			for (uint32_t k = 0; k < i; k++)
				if (i != 3 || k != 2)
					talk(w, i, k, 1);
		for (int k = 0; k < 30; k++) { /* 2 says that 3 is 9 us off */
			message(w, 2, 3, 11 * US);
			message(w, 3, 2, -7 * US);
		}
		solve(w);
	}
	for (uint32_t i = 0; i < 8; i++)
		assert_true(llabs(left(w, i) - left(w, 0)) < US);
	world_free(w);
}

static void
one_way_only_forbids(void **state)
{
	struct world *w = world_new(2, 0, 30);

	(void)state;
	w->now = SEC;
	talk(w, 0, 1, 0); /* no contradiction: nothing is known */
	solve(w);
	assert_true(left(w, 0) == INT64_MAX && left(w, 1) == INT64_MAX);
	message(w, 0, 1, -6 * US); /* taken before it was sent */
	solve(w);
	assert_true(left(w, 1) - left(w, 0) >= 5 * US - US / 4);
	assert_true(left(w, 1) - left(w, 0) <= 6 * US + US / 4);
	world_free(w);
}

/* Three nodes, three seconds. */
static void
talk_in_a_row(struct world *w)
{
	for (int r = 0; r < 3; r++) {
		talk(w, 0, 1, 1);
		talk(w, 1, 2, 1);
		solve(w);
	}
}

static void
a_new_epoch_forgets(void **state)
{
	struct world *w = world_new(3, 3, 30);

	(void)state;
	talk_in_a_row(w);
	assert_true(left(w, 0) != INT64_MAX);
	w->epoch[0]++;
	solve(w);
	assert_true(left(w, 0) == INT64_MAX);
	assert_true(left(w, 1) != INT64_MAX && left(w, 2) != INT64_MAX);
	/* what was sent before the step is not taken for after it */
	talk(w, 0, 1, 1);
	solve(w);
	assert_true(left(w, 0) == INT64_MAX);
	world_free(w);
}

static void
a_node_that_is_not_told_of_takes_no_part(void **state)
{
	struct world *w = world_new(3, 3, 30);

	(void)state;
	talk_in_a_row(w);
	w->n = 2;
	talk(w, 0, 1, 1);
	solve(w);
	assert_true(left(w, 2) == INT64_MAX);
	assert_true(left(w, 0) != INT64_MAX);
	w->n = 3;
	world_free(w);
}

static void
pairs_are_bounded_and_the_centre_of_a_star_has_all(void **state)
{
	struct world *w = world_new(NODES, 3, 30);
	struct tighten_stats st;

	(void)state;
	for (int r = 0; r < 90; r++) {
		for (uint32_t i = 0; i < NODES; i++)
			for (uint32_t k = 0; k < i; k++) {
				message(w, i, k, 3 * US);
				message(w, k, i, 3 * US);
			}
		solve(w);
	}
	tighten_stats(w->t, &st);
	assert_true(st.pairs <= NODES * TIGHTEN_NEIGHBOURS);
	assert_true(st.pairs > NODES * TIGHTEN_NEIGHBOURS * 8 / 10);
	assert_true(st.refused > 0);
	world_free(w);

	w = world_new(NODES, 3, 30);
	for (uint32_t i = 1; i < NODES; i++)
		talk(w, 0, i, 1);
	solve(w);
	tighten_stats(w->t, &st);
	assert_int_equal(st.both_ways, NODES - 1);
	world_free(w);
}

/* --- where the messages come from, and where the lines go --- */

struct told {
	unsigned n;
	uint32_t from, to;
	int64_t sent, taken;
};

static void
match_cb(void *arg, uint32_t from, uint32_t to, int64_t sent, int64_t taken)
{
	struct told *told = arg;

	told->n++;
	told->from = from;
	told->to = to;
	told->sent = sent;
	told->taken = taken;
}

static void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	(void)arg;
	(void)ev;
	(void)n;
}

static void
matches_are_told_as_mapped(void **state)
{
	struct reorder *r = reorder_new(&reorder_defaults, emit_cb, NULL, NULL);
	struct told told = { 0 };
	struct event send = { .t_mon_ns = 10 * MS, .kind = EV_send, .a = 1 };
	struct event take = { .t_mon_ns = 9 * MS, .kind = EV_receive, .a = 1 };

	(void)state;
	assert_non_null(r);
	reorder_on_match(r, match_cb, &told);
	for (uint32_t i = 0; i < 2; i++) {
		reorder_node_add(r, i);
		reorder_stream_add(r, i, i);
	}
	/* parked, woken, corrected: told as it was */
	reorder_push(r, 1, &take, 1);
	reorder_push(r, 0, &send, 1);
	reorder_advance(r, 0, 50 * MS, 5 * MS, 50 * MS);
	reorder_advance(r, 1, 50 * MS, 5 * MS, 50 * MS);
	reorder_tick(r, 50 * MS);
	assert_int_equal(told.n, 1);
	assert_int_equal(told.from, 0);
	assert_int_equal(told.to, 1);
	assert_int_equal(told.sent, 10 * MS);
	assert_int_equal(told.taken, 9 * MS);
	/* the sender has itself been corrected: not by that */
	send = (struct event){ .t_mon_ns = 9 * MS + 5,
		.kind = EV_send,
		.a = 2,
		.seq = 1 };
	take = (struct event){ .t_mon_ns = 60 * MS,
		.kind = EV_receive,
		.a = 2,
		.seq = 1 };
	reorder_push(r, 1, &send, 1);
	reorder_push(r, 0, &take, 1);
	reorder_flush(r);
	assert_int_equal(told.n, 2);
	assert_int_equal(told.from, 1);
	assert_int_equal(told.sent, 9 * MS + 5);
	assert_int_equal(told.taken, 60 * MS);
	reorder_free(r);
}

/* Pings of a clock that runs true, until it is locked. */
static struct clocksync *
locked(int64_t *now)
{
	struct clocksync *s = clocksync_new(1, NULL, NULL);
	int64_t due;
	uint32_t seq;

	assert_non_null(s);
	clocksync_connected(s, 0);
	for (*now = 0; *now < 20 * SEC; *now += 60 * US) {
		due = clocksync_due(s);
		if (due > *now)
			*now = due;
		seq = clocksync_ping(s, *now);
		clocksync_pong(s, seq, *now, *now + 30 * US, *now + 30 * US,
		    *now + 60 * US);
	}
	return (s);
}

static void
the_map_follows_within_the_pings_and_never_falls(void **state)
{
	struct chance c = { 5 };
	struct clock_line line, aim;
	struct clocksync *s;
	int64_t now, last = 0, t;
	uint32_t epoch;
	double beta;

	(void)state;
	s = locked(&now);
	assert_true(clocksync_line(s, &line, &beta, &epoch));
	for (int r = 0; r < 2000; r++) {
		aim = line;
		aim.offset_ns += (int64_t)chance_below(&c, 200 * US) - 100 * US;
		clocksync_tighten(s, &aim, US, now);
		for (t = now; t < now + SEC / 4; t += 10 * MS) {
			assert_true(clocksync_mon(s, t) > last);
			last = clocksync_mon(s, t);
			assert_true(
			    llabs(last - t) <= (int64_t)line.gap_ns / 2 + 100);
		}
		now += SEC / 4;
	}
	aim = line;
	aim.offset_ns += 5 * US;
	for (int r = 0; r < 4; r++, now += SEC / 4)
		clocksync_tighten(s, &aim, US, now);
	assert_true(llabs(clocksync_mon(s, now) - now - 5 * US) < 200);
	assert_true(clocksync_tight(s, now));
	assert_false(clocksync_tight(s, now + 3 * SEC)); /* not for ever */
	clocksync_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_that_talk_agree_and_the_bound_holds),
		cmocka_unit_test(narrow_pings_bound_their_neighbours),
		cmocka_unit_test(one_neighbour_alone_bounds_nobody),
		cmocka_unit_test(one_bad_clock_does_not_draw_the_others),
		cmocka_unit_test(whatever_messages_say_pings_hold),
		cmocka_unit_test(one_liar_does_not_move_the_honest_far),
		cmocka_unit_test(one_way_only_forbids),
		cmocka_unit_test(a_new_epoch_forgets),
		cmocka_unit_test(a_node_that_is_not_told_of_takes_no_part),
		cmocka_unit_test(
		    pairs_are_bounded_and_the_centre_of_a_star_has_all),
		cmocka_unit_test(matches_are_told_as_mapped),
		cmocka_unit_test(
		    the_map_follows_within_the_pings_and_never_falls),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
