/*
 * The model's lanes: what a log defines is known, spans nest and end where
 * they should, and what was lost or is in doubt shows in its place.
 */
#include "clockmap.h"
#include "tests/unit/viewer_model.h"

static void
definitions_are_known(void **state)
{
	struct fixture x;
	uint32_t line, lane;
	char text[64];

	(void)state;
	start(&x, 3);
	feed(&x);
	assert_string_equal(model_name(x.m, x.f), "f");
	assert_null(model_name(x.m, 99));
	assert_string_equal(model_name_place(x.m, x.g, &line), "prog.c");
	assert_int_equal(line, 10 + x.g);
	assert_string_equal(model_node_name(x.m, 2), "n1");
	assert_null(model_node_name(x.m, 7));
	assert_string_equal(model_program(x.m, 1, 1), "prog");
	assert_null(model_program(x.m, 1, 9));
	assert_int_equal(model_nodes(x.m), 2);
	assert_int_equal(model_pos(x.m), 2);
	assert_int_equal(model_first_ns(x.m), INT64_MAX);
	lane = model_location_lane(x.m, x.at[2]);
	assert_int_equal(model_lane(x.m, lane)->kind, LANE_THREAD);
	assert_int_equal(model_lane(x.m, lane)->thread, 2);
	assert_int_equal(model_location_lane(x.m, 12345), UINT32_MAX);
	lane = model_lane(x.m, lane)->parent;
	model_lane_label(x.m, lane, text, sizeof(text));
	assert_string_equal(text, "prog  PO 1");
	lane = model_lane(x.m, lane)->parent;
	model_lane_label(x.m, lane, text, sizeof(text));
	assert_string_equal(text, "node n0");
	finish(&x);
}

static void
check_spans(struct fixture *x, uint32_t lane, const char *want)
{
	struct span s[32];
	char got[512] = "";
	size_t n =
	    model_lane_spans(x->m, lane, INT64_MIN / 2, INT64_MAX / 2, s, 32);

	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    "%s%s %s %lld-%lld", i == 0 ? "" : ", ",
		    lane_class_name[s[i].class],
		    s[i].name == 0 ? "-" : model_name(x->m, s[i].name),
		    (long long)s[i].t0_mon_ns,
		    s[i].t1_mon_ns == INT64_MAX ? -1ll
						: (long long)s[i].t1_mon_ns);
	assert_string_equal(got, want);
}

static void
spans_nest_and_waits_lie_over(void **state)
{
	struct fixture x;
	uint32_t lane, depth0, depth1;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 1, 0, x.f);
	AT(0, leave, 15, 1, 0, x.f);
	AT(0, enter, 20, 1, 0, x.f);
	AT(0, enter, 30, 2, 0, x.g);
	AT(0, lock_wait, 40, 7, 0, x.g);
	AT(0, lock_acquire, 50, 7, 1, x.g);
	AT(0, leave, 60, 2, 0, x.g);
	AT(0, leave, 80, 1, 0, x.f);
	AT(0, leave, 85, 1, 0, x.f); /* none open: nothing happens */
	AT(0, receive_wait, 90, 0, 0, 0);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	check_spans(&x, lane,
	    "running f 10-15, running f 20-30, "
	    "running g 30-40, wait lock g 40-50, running g 50-60, "
	    "running f 60-80, wait message - 90--1");
	depth0 = model_lane_first_child(x.m, lane);
	depth1 = model_lane_next_sibling(x.m, depth0);
	check_spans(&x, depth0,
	    "running f 10-15, running f 20-80, "
	    "wait message - 90--1");
	check_spans(&x, depth1,
	    "running g 30-40, wait lock g 40-50, "
	    "running g 50-60");
	assert_int_equal(model_lane(x.m, depth1)->depth, 1);
	finish(&x);
}

static void
ends_close_their_own_kind(void **state)
{
	struct fixture x;

	(void)state;
	start(&x, 1);
	AT(0, phase_begin, 10, 0, 0, x.f);
	AT(0, enter, 20, 1, 0, x.g);
	AT(0, phase_end, 30, 5, 0, x.f);
	AT(0, leave, 40, 1, 0, x.g);
	AT(0, enter, 50, 1, 0, x.f);
	AT(0, thread_end, 70, 0, 0, 0);
	play(&x, 0);
	check_spans(&x, model_location_lane(x.m, x.at[0]),
	    "running f 10-20, running g 20-40, running f 50-70");
	finish(&x);
}

static void
loss_shows_in_its_place(void **state)
{
	struct fixture x;
	struct mark k[4];
	int64_t by[LANE_CLASSES];
	uint64_t spans;

	(void)state;
	start(&x, 1);
	AT(0, enter, 10, 1, 0, x.f);
	AT(0, task_begin, 20, 5, 0, x.g);
	AT(0, lost, 50, 100, 100, LOST_RING_FULL);
	AT(0, leave, 80, 1, 0, x.f);
	play(&x, 0);
	check_spans(&x, model_location_lane(x.m, x.at[0]),
	    "running f 10-20, running g 20-20, running f 20-20, lost - 20-80, "
	    "running f 80-80"); /* until it tells of itself again */
	assert_int_equal(model_lost(x.m), 100);
	assert_int_equal(model_alerts(x.m, 0, 100, k, 4), 1);
	assert_int_equal(k[0].kind, EV_lost);
	assert_int_equal(k[0].t_mon_ns, 50);
	assert_int_equal(k[0].lane, model_location_lane(x.m, x.at[0]));
	model_lane_totals(x.m, k[0].lane, 0, 100, by, &spans);
	assert_int_equal(by[LANE_lost], 60);
	assert_int_equal(by[LANE_running], 10);
	finish(&x);
}

static void
a_node_is_doubted_while_there_is_reason(void **state)
{
	static const struct {
		int64_t t, error;
		unsigned state;
	} segments[] = { { 0, 50, CLOCK_COARSE }, { 100, 1, CLOCK_LOCKED },
		{ 150, 2, CLOCK_LOCKED }, { 300, 7, CLOCK_HOLDOVER },
		{ 400, 90, CLOCK_HOLDOVER }, { 500, 800, CLOCK_STEPPED },
		{ 600, 3, CLOCK_LOCKED } };
	static const struct doubt want[] = {
		{ 0, 100, 50, DOUBT_CLOCK, CLOCK_COARSE },
		{ 300, 500, 90, DOUBT_CLOCK, CLOCK_HOLDOVER },
		{ 500, 600, 800, DOUBT_CLOCK, CLOCK_STEPPED },
		{ 610, 700, 0, DOUBT_SILENT, 0 },
		{ 720, INT64_MAX, 33, DOUBT_WRONG, 0 },
	};
	struct node_health h;
	struct doubt d[8];
	struct mark k[8];
	struct fixture x;
	uint32_t monitor;

	(void)state;
	start(&x, 2);
	monitor = make_log_thread(&x.log, 0, 0, 0, "monitord");
	for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++)
		make_log_segment(&x.log, 2, segments[i].t, segments[i].error,
		    segments[i].state);
	make_log_event(&x.log, monitor, EV_stall, 650, 40, 0, 2);
	make_log_event(&x.log, monitor, EV_rejoin, 700, 90, 0, 2);
	make_log_event(&x.log, monitor, EV_late, 710, 12, 55, 2);
	make_log_event(&x.log, monitor, EV_distrust, 720, 33, 3, 2);
	AT(1, receive, 730, 9, 1, 0);
	x.log.events[x.log.n - 1].flags = EVENT_ORPHAN;
	make_log_event(&x.log, monitor, EV_orphan, 731, 9, 0, EV_receive);
	play(&x, 0);

	assert_int_equal(model_node_doubts(x.m, 2, 0, 1000, d, 8), 5);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(d[i].t0_mon_ns, want[i].t0_mon_ns);
		assert_int_equal(d[i].t1_mon_ns, want[i].t1_mon_ns);
		assert_int_equal(d[i].error_ns, want[i].error_ns);
		assert_int_equal(d[i].of, want[i].of);
		assert_int_equal(d[i].state, want[i].state);
	}
	assert_int_equal(model_node_doubts(x.m, 2, 120, 200, d, 8), 0);
	assert_int_equal(model_node_doubts(x.m, 1, 0, 1000, d, 8), 0);

	model_node_health(x.m, 2, &h);
	assert_int_equal(h.clock_state, CLOCK_LOCKED);
	assert_int_equal(h.error_ns, 3);
	assert_int_equal(h.late, 12);
	assert_int_equal(h.stalls, 1);
	assert_int_equal(h.orphans, 1);
	assert_false(h.silent);
	assert_true(h.wrong);
	model_node_health(x.m, 1, &h);
	assert_int_equal(h.clock_state, CLOCK_UNSYNCED);

	/* the effect is marked once, where it happened */
	assert_int_equal(model_alerts(x.m, 725, 1000, k, 8), 1);
	assert_int_equal(k[0].kind, EV_orphan);
	assert_int_equal(k[0].lane, model_location_lane(x.m, x.at[1]));
	assert_int_equal(k[0].a, 9);
	assert_int_equal(k[0].c, EV_receive);
	finish(&x);
}

/*
 * A message that was taken before it was sent, as a growing log has it, and its
 * number again: two messages.  What was let go has its cause now.
 */
static void
a_late_cause_and_its_key_again(void **state)
{
	struct node_health h;
	struct fixture x;
	struct link k[4];
	struct mark a[4];

	(void)state;
	start(&x, 2);
	AT(1, receive, 100, 7, 1, 0);
	x.log.events[x.log.n - 1].flags = EVENT_ORPHAN;
	play(&x, 0);
	model_node_health(x.m, 2, &h);
	assert_int_equal(h.orphans, 1);
	assert_int_equal(h.early, 0);
	AT(0, send, 120, 7, 1, 0);
	AT(0, send, 130, 7, 1, 0);
	AT(1, receive, 140, 7, 1, 0);
	play(&x, 0);
	assert_int_equal(model_links(x.m, 0, 1000, k, 4), 2);
	assert_int_equal(k[0].t0_mon_ns, 120);
	assert_int_equal(k[0].t1_mon_ns, 100);
	assert_int_equal(k[1].t0_mon_ns, 130);
	assert_int_equal(k[1].t1_mon_ns, 140);
	model_node_health(x.m, 2, &h);
	assert_int_equal(h.orphans, 0);
	assert_int_equal(h.early, 1);
	assert_int_equal(model_alerts(x.m, 0, 1000, a, 4), 2);
	assert_int_equal(a[1].kind, EV_found);
	assert_int_equal(a[1].lane, model_location_lane(x.m, x.at[1]));
	assert_int_equal(a[1].b, 20);
	finish(&x);
}

/*
 * Causes that several effects share, or that all are needed: what was let go
 * has its cause when the last one has come.
 */
static void
late_causes_of_several(void **state)
{
	static const uint64_t all_early[] = { 0, 2, 2, 3, 4 };
	struct node_health h;
	uint64_t early, orphans = 0;
	struct fixture x;

	(void)state;
	start(&x, 3);
#define ORPHAN x.log.events[x.log.n - 1].flags = EVENT_ORPHAN
	for (int i = 0; i < 5; i++) {
		switch (i) {
		case 0: /* two wait for one, and two for three of which one is
			 * there */
			AT(1, future_get, 100, 7, 0, 0);
			ORPHAN;
			AT(2, future_get, 101, 7, 0, 0);
			ORPHAN;
			AT(0, collective_enter, 102, 5, 1, 3);
			AT(0, collective_leave, 103, 5, 1, 3);
			ORPHAN;
			break;
		case 1:
			AT(0, future_set, 110, 7, 0, 0);
			break;
		case 2:
			AT(1, collective_enter, 120, 5, 1, 3);
			break;
		case 3:
			AT(2, collective_enter, 130, 5, 1, 3);
			break;
		case 4: /* the number of a future is used again */
			AT(1, future_get, 140, 9, 0, 0);
			ORPHAN;
			AT(0, future_set, 141, 9, 0, 0);
			AT(2, future_get, 142, 9, 0, 0);
			break;
		}
		play(&x, 0);
		early = orphans = 0;
		for (uint32_t node = 1; node <= 3; node++) {
			model_node_health(x.m, node, &h);
			early += h.early;
			orphans += h.orphans;
		}
		assert_int_equal(early, all_early[i]);
	}
#undef ORPHAN
	assert_int_equal(orphans, 0);
	finish(&x);
}

/* A thread that was killed, or whose end was lost, ends with its process. */
static void
a_process_takes_its_threads_along(void **state)
{
	struct fixture x;
	struct span s[4];
	uint32_t po, lane;

	(void)state;
	start(&x, 1);
	po = make_log_thread(&x.log, 1, 1, 0, "");
	AT(0, enter, 10, 1, 0, x.f);
	make_log_event(&x.log, po, EV_po_end, 60, 1, 0, 0);
	AT(1, note, 90, 1, 0, 0);
	play(&x, 0);
	lane = model_location_lane(x.m, x.at[0]);
	check_spans(&x, lane, "running f 10-60");
	assert_int_equal(model_lane_spans(x.m, lane, 70, 90, s, 4), 0);
	finish(&x);
}

/* What a thread said of itself last is over with it, on the rows below, too. */
static void
what_a_thread_said_ends_with_it(void **state)
{
	struct fixture x;
	struct span s[4];
	uint32_t name, rows = 0;

	(void)state;
	start(&x, 4);
	name = make_log_name(&x.log, "overhead");
	for (int i = 0; i < 2; i++) {
		AT(i, state, 5, 0, 0, name);
		AT(i, enter, 10, 1, 0, x.f);
		AT(i, enter, 12, 1, 0, x.g);
		AT(i, leave, 14, 1, 0, 0);
	}
	AT(0, leave, 20, 1, 0, 0); /* the other is in it when it ends */
	for (int i = 0; i < 2; i++)
		AT(i, thread_end, 30, 0, 0, 0);
	AT(3, note, 90, 1, 0, 0);
	play(&x, 0);
	for (uint32_t i = 0; i < model_lanes(x.m); i++) {
		if (model_lane(x.m, i)->kind != LANE_DEPTH)
			continue;
		rows++;
		assert_int_equal(model_lane_spans(x.m, i, 31, 90, s, 4), 0);
	}
	assert_int_equal(rows, 4);
	finish(&x);
}

static void
a_group_is_the_mean_of_its_threads(void **state)
{
	struct fixture x;
	uint32_t po, only;
	int64_t by[LANE_CLASSES];
	uint8_t share[LANE_CLASSES];

	(void)state;
	start(&x, 4);
	for (int i = 0; i < 4; i++)
		AT(i, enter, 0, 1, 0, x.f);
	AT(0, leave, 1000, 1, 0, 0);
	AT(2, leave, 500, 1, 0, 0);
	AT(1, leave, 1000, 1, 0, 0);
	play(&x, 0);
	po = model_lane(x.m, model_location_lane(x.m, x.at[0]))->parent;
	model_lane_totals(x.m, po, 0, 1000, by, NULL);
	assert_int_equal(by[LANE_running], 1500);
	model_lane_pixels(x.m, po, 0, 1000, 1, 0, 1, share, NULL);
	assert_int_equal(share[LANE_running], 191);
	only = model_lane_only_thread(x.m, po);
	assert_int_equal(only, UINT32_MAX);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_are_known),
		cmocka_unit_test(spans_nest_and_waits_lie_over),
		cmocka_unit_test(ends_close_their_own_kind),
		cmocka_unit_test(loss_shows_in_its_place),
		cmocka_unit_test(a_node_is_doubted_while_there_is_reason),
		cmocka_unit_test(a_late_cause_and_its_key_again),
		cmocka_unit_test(late_causes_of_several),
		cmocka_unit_test(a_process_takes_its_threads_along),
		cmocka_unit_test(what_a_thread_said_ends_with_it),
		cmocka_unit_test(a_group_is_the_mean_of_its_threads),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
