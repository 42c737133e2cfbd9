/* The reorderer with bad input and lost causes, on two nodes. */
#include "tests/unit/monitord_reorder.h"

static void
repeated_sequence_numbers_are_dropped(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 5, 1 * MS, EV_note, 1);
	put(t, 0, 5, 1 * MS, EV_note, 1);
	put(t, 0, 3, 2 * MS, EV_note, 1);
	put(t, 0, 6, 3 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(st.duplicates, 2);
	two_free(t);
}

static void
time_that_runs_back_is_held(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 0, 5 * MS, EV_note, 1);
	put(t, 0, 1, 2 * MS, EV_note, 1);
	put(t, 0, 2, 6 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(st.backward, 1);
	assert_int_equal(t->w.out[1].seq, 1);
	assert_int_equal(t->w.out[1].t_mon_ns, 5 * MS);
	assert_int_equal(t->w.out[1].shift_ns, 3 * MS);
	assert_true(t->w.out[2].t_mon_ns >= 6 * MS);
	two_free(t);
}

/* A program has written nonsense over its ring: 4 s to and fro, all the time.
 */
static void
who_goes_to_and_fro_does_not_run_away(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (uint64_t i = 0; i < 60; i++)
		put(t, 0, i,
		    (i % 2 == 0 ? 1000 : 5000) * (int64_t)MS + (int64_t)i,
		    EV_note, 1);
	told(t, 7000 * (int64_t)MS, 7000 * (int64_t)MS);
	assert_int_equal(t->w.out_n, 60);
	assert_in_range(t->w.out[59].t_mon_ns, 5000 * (int64_t)MS,
	    6000 * (int64_t)MS + 60);
	two_free(t);
}

static void
a_mark_that_falls_is_ignored(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	told(t, 4 * MS, 12 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	told(t, INT64_MIN, 12 * MS);
	told(t, -INT64_MAX, 12 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	two_free(t);
}

static void
what_is_at_the_mark_is_not_before_it(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 10 * MS - 1, EV_note, 1);
	put(t, 0, 1, 10 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	told(t, 10 * MS + 1, 11 * MS);
	assert_int_equal(t->w.out_n, 2);
	two_free(t);
}

/* Shifted to exactly the mark: it is not final yet either. */
static void
what_is_shifted_to_the_mark_waits(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 10 * MS - 500, EV_send, 7);
	put(t, 1, 0, 9 * MS, EV_receive, 7);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	told(t, 10 * MS + 1, 11 * MS);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.out[1].t_mon_ns, 10 * MS);
	two_free(t);
}

static void
chunks_that_are_just_full_are_given_back(void **state)
{
	struct two *t = two_start();
	uint64_t seq = 0;

	(void)state;
	for (int round = 1; round <= 200; round++) {
		t->w.out_n = 0;
		for (int i = 0; i < 64; i++, seq++) {
			put(t, 0, seq, round * MS + i, EV_note, 1);
			if (round % 3 == 0)
				put(t, 1, seq, round * MS + i, EV_note, 1);
		}
		told(t, (round + 1) * MS, (round + 2) * MS);
		assert_int_equal(t->w.out_n, round % 3 == 0 ? 128 : 64);
		for (size_t i = 0; i < t->w.out_n; i++)
			assert_in_range(t->w.out[i].t_mon_ns, round * MS,
			    round * MS + 64);
	}
	two_free(t);
}

/* A chunk that was given back belongs to another stream already. */
static void
a_chunk_has_one_owner(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (uint64_t i = 0; i < 64; i++)
		put(t, 0, i, MS, EV_note, 1);
	told(t, 2 * MS, 3 * MS);
	for (uint64_t i = 0; i < 100; i++)
		put(t, 1, i, 4 * MS, EV_note, 1);
	put(t, 0, 64, 4 * MS, EV_note, 1);
	told(t, 5 * MS, 6 * MS);
	assert_int_equal(t->w.out_n, 165);
	for (size_t i = 66; i < 165; i++)
		assert_int_equal(t->w.out[i].location, 1);
	two_free(t);
}

static void
repeating_a_mark_is_no_sign_of_life(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (int64_t now = 10 * MS; now < 300 * MS; now += MS) {
		reorder_advance(t->r, 0, now - MS, 1000, now);
		reorder_advance(t->r, 1, 9 * MS, 1000, now);
		reorder_tick(t->r, now);
	}
	assert_int_equal(t->w.stalls, 1);
	assert_int_equal(reorder_watermark(t->r), 298 * MS);
	two_free(t);
}

static void
times_from_the_future_hold_nobody_up(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	told(t, 10 * MS, 11 * MS);
	put(t, 0, 0, INT64_MAX, EV_note, 1);
	put(t, 0, 1, (int64_t)9000 * 1000 * MS, EV_note, 1);
	put(t, 0, 2, 12 * MS, EV_note, 1);
	/* a mark of the year 2300 does not open the gates either */
	reorder_advance(t->r, 0, INT64_MAX / 8, 1000, 13 * MS);
	put(t, 1, 0, 14 * MS, EV_note, 1);
	told(t, 30 * MS, 31 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(st.future, 2);
	for (size_t i = 0; i < 4; i++) /* and the log says which they were */
		assert_int_equal((t->w.out[i].flags & EVENT_AHEAD) != 0,
		    t->w.out[i].location == 0 && t->w.out[i].seq < 2);
	assert_int_equal(t->w.late, 0);
	two_free(t);
}

/* Nor does it keep back what follows it, or an effect of that elsewhere. */
static void
what_follows_a_time_of_the_future_goes_on(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 10 * MS, 20 * MS);
	put(t, 0, 0, 10 * MS + 100, EV_note, 1);
	put(t, 0, 1, (int64_t)3600 * 1000 * MS, EV_note, 1);
	put(t, 0, 2, 11 * MS, EV_send, 7);
	put(t, 1, 0, 11 * MS + 5000, EV_receive, 7);
	told(t, 12 * MS, 21 * MS); /* before the 20 ms of when they came */
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(t->w.out[1].flags, EVENT_AHEAD);
	assert_int_equal(t->w.out[1].t_mon_ns, 10 * MS + 100);
	for (size_t i = 2; i < 4; i++)
		assert_int_equal(t->w.out[i].flags, 0);
	assert_int_equal(t->w.out[3].kind, EV_receive);
	two_free(t);
}

static void
a_lost_cause_makes_an_orphan_and_nothing_late(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 99);
	put(t, 0, 1, 2 * MS + 10, EV_note, 1);
	put(t, 1, 0, 2 * MS + 5, EV_note, 1);
	told(t, 3 * MS, 4 * MS); /* a cause could still come */
	assert_int_equal(t->w.out_n, 0);
	assert_int_equal(reorder_watermark(t->r), 2 * MS);
	told(t, 3 * MS + 3000, 5 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.out[0].flags, EVENT_ORPHAN);
	assert_int_equal(t->w.late, 0);
	assert_int_equal(t->w.out[1].seq, 0);
	two_free(t);
}

static void
keys_that_end_in_zero_pair_with_nothing(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 0);
	put(t, 1, 0, 3 * MS, EV_send, 0);
	told(t, 4 * MS, 5 * MS);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.orphans, 0);
	two_free(t);
}

static void
a_circle_of_effects_is_broken(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 1);
	put(t, 0, 1, 2 * MS + 1, EV_send, 2);
	put(t, 1, 0, 2 * MS, EV_receive, 2);
	put(t, 1, 1, 2 * MS + 1, EV_send, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(st.cycles, 1);
	assert_int_equal(st.orphans, 1);
	two_free(t);
}

/* Two members, and the end of their block; the same number again. */
static void
the_end_of_a_block_takes_its_own_members(void **state)
{
	static const struct event of[] = {
		{ .location = 0, .t_mon_ns = 2 * MS, .kind = EV_member_end },
		{ .location = 1, .t_mon_ns = 2 * MS, .kind = EV_member_end },
		{ .location = 0, .t_mon_ns = 3 * MS, .kind = EV_block_end },
		{ .location = 0, .t_mon_ns = 4 * MS, .kind = EV_member_end },
		{ .location = 0, .t_mon_ns = 5 * MS, .kind = EV_block_end },
		{ .location = 1,
		    .t_mon_ns = 5 * MS + 500, /* its clock is fast */
		    .kind = EV_member_end },
	};
	struct two *t = two_start();
	uint64_t seq[2] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct event ev = of[i];

		ev.seq = seq[ev.location]++;
		ev.a = 5;
		ev.c = 2;
		assert_int_equal(reorder_push(t->r, ev.location, &ev, 1), 0);
	}
	told(t, 50 * MS, 51 * MS);
	assert_int_equal(t->w.out_n, 6);
	assert_int_equal(t->w.orphans, 0);
	assert_int_equal(t->w.out[5].kind, EV_block_end);
	assert_int_equal(t->w.out[5].t_mon_ns, 5 * MS + 500 + 500);
	two_free(t);
}

/* What waits behind an orphan is a cause all the same. */
static void
effects_of_what_is_parked_are_no_orphans(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 99);
	put(t, 0, 1, 2 * MS + 500, EV_send, 7);
	put(t, 1, 0, 2 * MS - 800, EV_receive, 7); /* a bad clock */
	told(t, 50 * MS, 51 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.orphans, 1);
	check_causes(&t->w);
	two_free(t);
}

static void
forgotten_causes_make_no_orphans(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct reorder_options o = reorder_defaults;
	struct reorder_stats st;
	struct reorder *r;
	struct event ev = { .kind = EV_task_end };

	(void)state;
	o.causes_max = 64;
	w->streams = 1;
	r = reorder_new(&o, emit_cb, NULL, w);
	reorder_node_add(r, 0);
	reorder_stream_add(r, 0, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		ev.seq = i;
		ev.a = i + 1;
		ev.t_mon_ns = (int64_t)i * US;
		assert_int_equal(reorder_push(r, 0, &ev, 1), 0);
	}
	ev.kind = EV_task_join;
	ev.a = 5;
	ev.seq++;
	ev.t_mon_ns += US;
	reorder_push(r, 0, &ev, 1);
	reorder_advance(r, 0, 100 * MS, 0, 101 * MS);
	reorder_tick(r, 101 * MS);
	reorder_stats(r, &st);
	assert_int_equal(st.out, 1001);
	assert_int_equal(st.orphans, 0);
	assert_int_equal(st.forgotten, 1);
	assert_true(st.causes <= 64);
	reorder_free(r);
	free(w);
}

static void
a_log_goes_on_where_it_ended(void **state)
{
	struct two *t = two_start();
	struct event sent = { .kind = EV_send, .a = 7, .t_mon_ns = 5 * MS };

	(void)state;
	reorder_resume(t->r, 6 * MS);
	assert_int_equal(reorder_remember(t->r, &sent), 0);
	put(t, 0, 0, 4 * MS, EV_note, 1);
	put(t, 1, 0, 4 * MS, EV_receive, 7);
	put(t, 1, 1, 7 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.orphans, 0);
	assert_int_equal(t->w.late, 2);
	assert_true(t->w.out[1].t_mon_ns >= 5 * MS);
	two_free(t);
}

static void
closed_streams_give_back_their_room(void **state)
{
	struct two *t = two_start();
	struct event ev = { .kind = EV_note };

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t s = 2 + i % 3;

		assert_int_equal(reorder_stream_add(t->r, s, 0), 0);
		ev.t_mon_ns += MS;
		ev.seq = 0;
		t->w.out_n = 0;
		assert_int_equal(reorder_push(t->r, s, &ev, 1), 0);
		reorder_stream_close(t->r, s);
		assert_int_equal(reorder_push(t->r, s, &ev, 1), -1);
		told(t, ev.t_mon_ns + MS, ev.t_mon_ns + 2 * MS);
		assert_int_equal(t->w.out_n, 1);
	}
	two_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeated_sequence_numbers_are_dropped),
		cmocka_unit_test(time_that_runs_back_is_held),
		cmocka_unit_test(who_goes_to_and_fro_does_not_run_away),
		cmocka_unit_test(a_mark_that_falls_is_ignored),
		cmocka_unit_test(what_is_at_the_mark_is_not_before_it),
		cmocka_unit_test(what_is_shifted_to_the_mark_waits),
		cmocka_unit_test(chunks_that_are_just_full_are_given_back),
		cmocka_unit_test(a_chunk_has_one_owner),
		cmocka_unit_test(repeating_a_mark_is_no_sign_of_life),
		cmocka_unit_test(times_from_the_future_hold_nobody_up),
		cmocka_unit_test(what_follows_a_time_of_the_future_goes_on),
		cmocka_unit_test(a_lost_cause_makes_an_orphan_and_nothing_late),
		cmocka_unit_test(keys_that_end_in_zero_pair_with_nothing),
		cmocka_unit_test(a_circle_of_effects_is_broken),
		cmocka_unit_test(the_end_of_a_block_takes_its_own_members),
		cmocka_unit_test(effects_of_what_is_parked_are_no_orphans),
		cmocka_unit_test(forgotten_causes_make_no_orphans),
		cmocka_unit_test(a_log_goes_on_where_it_ended),
		cmocka_unit_test(closed_streams_give_back_their_room),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
