/* The reorderer when nodes fall silent, and when its memory is full. */
#include "tests/unit/monitord_reorder.h"

/* --- silence, and the four bugs that Flink had with it --- */

/* Only node 0 talks, until `to`; a tick each ms. */
static int64_t
lonely(struct two *t, int64_t from, int64_t to)
{
	for (int64_t now = from; now <= to; now += MS) {
		reorder_advance(t->r, 0, now - MS, 1000, now);
		reorder_tick(t->r, now);
	}
	return (to);
}

static void
a_silent_node_is_excluded_and_its_events_are_late(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	put(t, 0, 0, 20 * MS, EV_note, 1);
	now = lonely(t, 11 * MS, 100 * MS);
	assert_int_equal(t->w.out_n, 0); /* node 1 might say something */
	now = lonely(t, now, 200 * MS);
	assert_int_equal(t->w.stalls, 1);
	assert_int_equal(t->w.out_n, 1);
	put(t, 1, 0, 15 * MS, EV_note, 1);
	reorder_tick(t->r, now);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.out[1].flags, EVENT_LATE);
	assert_int_equal(t->w.out[1].t_mon_ns, 15 * MS);
	two_free(t);
}

/* FLINK-32496: a source could not resume after it had been idle. */
static void
flink_1_resumes_after_silence(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 300 * MS);
	assert_int_equal(t->w.stalls, 1);
	reorder_advance(t->r, 1, 100 * MS, 1000, now); /* still behind */
	assert_int_equal(t->w.rejoins, 0);
	reorder_advance(t->r, 1, now - MS, 1000, now);
	assert_int_equal(t->w.rejoins, 1);
	/* and counts again: what node 0 says alone is not final */
	put(t, 0, 0, now + 2 * MS, EV_note, 1);
	reorder_advance(t->r, 0, now + 10 * MS, 1000, now + 11 * MS);
	reorder_tick(t->r, now + 11 * MS);
	assert_int_equal(t->w.out_n, 0);
	reorder_advance(t->r, 1, now + 10 * MS, 1000, now + 11 * MS);
	reorder_tick(t->r, now + 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	two_free(t);
}

/* FLINK-31632: marks overflowed when idle. */
static void
flink_2_no_overflow_when_idle(void **state)
{
	struct two *t = two_start();
	int64_t now = 10 * MS;

	(void)state;
	told(t, 9 * MS, now);
	for (int i = 0; i < 1000; i++) {
		now += MS;
		reorder_tick(t->r, now);
	}
	assert_int_equal(t->w.stalls, 2);
	assert_int_equal(reorder_watermark(t->r), 9 * MS);
	reorder_advance(t->r, 0, INT64_MAX, INT64_MAX, INT64_MAX / 8);
	reorder_tick(t->r, INT64_MAX / 8);
	reorder_node_remove(t->r, 0);
	reorder_node_remove(t->r, 1);
	reorder_node_remove(t->r, 1);
	reorder_node_remove(t->r, 12345);
	reorder_tick(t->r, INT64_MAX / 8);
	two_free(t);
}

/* FLINK-38454: all idle; the watermark must be the greatest, not the last. */
static void
flink_3_all_silent_never_goes_back(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 300 * MS);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	for (int i = 0; i < 400; i++)
		reorder_tick(t->r, now += MS); /* node 0 is silent too */
	assert_int_equal(t->w.stalls, 2);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	/* node 1, stopped at 9 ms, says something older than that */
	reorder_advance(t->r, 1, 100 * MS, 1000, now);
	reorder_tick(t->r, now);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	two_free(t);
}

/* FLINK-40503: idleness was noticed between one and several time-outs. */
static void
flink_4_silence_is_noticed_in_time(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 10 * MS + reorder_defaults.stall_ns - MS);
	assert_int_equal(t->w.stalls, 0);
	lonely(t, now, now + 2 * MS);
	assert_int_equal(t->w.stalls, 1);
	two_free(t);
}

/*
 * Node 1 was silent and comes back: it tells what it has missed, ten times as
 * fast as it happened.  An effect waits for its cause there, until node 1 has
 * told of that time, or is silent again.
 */
static void
a_node_that_is_behind_is_waited_for(void **state)
{
	enum {
		COMES,
		NEVER,
		SILENT
	};

	(void)state;
	for (int how = COMES; how <= SILENT; how++) {
		struct two *t = two_start();
		int64_t now, mark = 50 * MS;

		told(t, 9 * MS, 10 * MS);
		now = lonely(t, 11 * MS, 300 * MS);
		assert_int_equal(t->w.stalls, 1);
		reorder_advance(t->r, 1, mark, 1000, now);
		put(t, 0, 0, now, EV_receive, 7);
		now = lonely(t, now + MS, now + 10 * MS);
		assert_int_equal(t->w.out_n, 0); /* its time has passed */
		for (; how != SILENT && mark < 290 * MS; now += MS) {
			mark += 10 * MS;
			reorder_advance(t->r, 1, mark, 1000, now);
			lonely(t, now, now);
			assert_int_equal(t->w.orphans, 0);
		}
		if (how == COMES)
			put(t, 1, 0, 299 * MS, EV_send, 7);
		if (how == SILENT)
			now = lonely(t, now, now + 160 * MS);
		else
			reorder_advance(t->r, 1, 310 * MS, 1000, now);
		lonely(t, now, now + MS);
		assert_int_equal(t->w.orphans, how == COMES ? 0 : 1);
		assert_int_equal(t->w.out_n, how == COMES ? 2 : 1);
		two_free(t);
	}
}

static void
our_own_absence_is_nobodys_silence(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 9 * MS, 10 * MS);
	reorder_tick(t->r, (int64_t)20000 * MS); /* monitord was stopped */
	assert_int_equal(t->w.stalls, 0);
	put(t, 1, 0, 9 * MS + 5, EV_note, 1);
	told(t, (int64_t)19999 * MS, (int64_t)20000 * MS);
	assert_int_equal(t->w.late, 0);
	assert_int_equal(t->w.out_n, 1);
	two_free(t);
}

static void
memory_has_a_limit(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct reorder_options o = reorder_defaults;
	struct reorder *r;
	struct event ev = { .kind = EV_note };

	(void)state;
	o.held_bytes_max = 8000;
	w->streams = 2;
	r = reorder_new(&o, emit_cb, stall_cb, w);
	for (uint32_t i = 0; i < 2; i++) {
		reorder_node_add(r, i);
		reorder_stream_add(r, i, i);
		reorder_advance(r, i, MS, 0, MS);
	}
	for (uint64_t i = 0; i < 300; i++) {
		ev.seq = i;
		ev.t_mon_ns = (int64_t)(i + 2) * MS;
		reorder_push(r, 0, &ev, 1);
		reorder_advance(r, 0, ev.t_mon_ns + 1, 0, 400 * MS);
		reorder_tick(r, 400 * MS);
		if (i == 115) {
			assert_true(reorder_full(r));
			assert_true(reorder_lead_ns(r, 0) > 100 * MS);
			assert_int_equal(reorder_lead_ns(r, 1), 0);
		}
	}
	assert_int_equal(w->stalls, 1);
	assert_false(reorder_full(r));
	assert_true(w->out_n > 250);
	reorder_free(r);
	free(w);
}

/* A run that is ended before any node has said a time, and once more. */
static void
what_was_never_known_stays_unknown(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (int i = 0; i < 3; i++) {
		reorder_flush(t->r);
		assert_true(reorder_watermark(t->r) == INT64_MIN);
	}
	two_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_silent_node_is_excluded_and_its_events_are_late),
		cmocka_unit_test(flink_1_resumes_after_silence),
		cmocka_unit_test(flink_2_no_overflow_when_idle),
		cmocka_unit_test(flink_3_all_silent_never_goes_back),
		cmocka_unit_test(flink_4_silence_is_noticed_in_time),
		cmocka_unit_test(a_node_that_is_behind_is_waited_for),
		cmocka_unit_test(our_own_absence_is_nobodys_silence),
		cmocka_unit_test(memory_has_a_limit),
		cmocka_unit_test(what_was_never_known_stays_unknown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
