/*
 * Much at one instant, as of a clock that ticks seldom: an object on its way
 * for 0 ns has come from somewhere; of two that let a thread go on at once the
 * one with the higher number has done it, in the list of spans and on the
 * critical path.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/asked/critical.h"
#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"
#include "ui/things/waitfor.h"

#define US   1000
#define PAWN 0x20

#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&l, at[who], EV_##kind, (us)*US, a, b, c)

/*
 * Made on n1 at 10, it waits there from 20 on, and all at 30 leaves for n2, is
 * there, leaves, is on n1, and waits; it leaves for n2 at 40, where it is at
 * 50, leaves at once, and is on n1 at 60.
 */
static struct model *
make_object(void)
{
	struct make_log l = { 0 };
	uint32_t at[2], pawn, n1, n2;

	make_log_head(&l, "ties");
	make_log_node(&l, 1, "n1");
	make_log_node(&l, 2, "n2");
	make_log_po(&l, 1, 1, "board");
	make_log_po(&l, 2, 1, "board");
	at[0] = make_log_thread(&l, 1, 1, 1, "host");
	at[1] = make_log_thread(&l, 2, 1, 1, "guest");
	pawn = make_log_name(&l, "pawn");
	n1 = make_log_name(&l, "n1");
	n2 = make_log_name(&l, "n2");
	E(0, object_create, 10, PAWN, 0, pawn);
	E(0, object_wait, 20, PAWN, 0, pawn);
	E(0, object_depart, 30, PAWN, 1, n2);
	E(1, object_arrive, 30, PAWN, 1, n1);
	E(1, object_depart, 30, PAWN, 2, n1);
	E(0, object_arrive, 30, PAWN, 2, n2);
	E(0, object_wait, 30, PAWN, 0, pawn);
	E(0, object_go, 35, PAWN, 0, 0);
	E(0, object_depart, 40, PAWN, 3, n2);
	E(1, object_arrive, 50, PAWN, 3, n1);
	E(1, object_depart, 50, PAWN, 4, n1);
	E(0, object_arrive, 60, PAWN, 4, n2);
	E(0, note, 100, 0, 0, pawn);
	return (make_model(&l)); /* in the order in which they were told */
}

static void
a_way_of_no_time_is_one(void **state)
{
	static const struct {
		int64_t us, since_us;
		uint32_t on, from, to;
	} cases[] = {
		{ 25, 10, 1, 0, 0 },
		{ 30, 30, 1, 2, 0 },
		{ 36, 30, 1, 2, 0 },
		{ 45, 40, 0, 1, 2 },
		{ 55, 50, 0, 2, 1 },
		{ 65, 60, 1, 2, 0 },
	};
	struct model *m = make_object();
	uint32_t *px, lane = model_object_lane(m, PAWN);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	struct object_then k;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(object_then(ui, lane, cases[i].us * US, &k));
		if (k.since_ns != cases[i].since_us * US ||
		    k.on != cases[i].on || k.from != cases[i].from ||
		    k.to != cases[i].to)
			fail_msg("%d us: since %d, on %u, from %u, to %u",
			    (int)cases[i].us, (int)(k.since_ns / US), k.on,
			    k.from, k.to);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

/*
 * Of three threads the second and the third end at 50; the first waits for the
 * one that is told last, and then, at 60, for the other one.
 */
static struct model *
make_ends(uint32_t at[3], bool second_first)
{
	struct make_log l = { 0 };
	unsigned one = second_first ? 1 : 2, other = 3 - one;

	make_log_head(&l, "ties");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	for (unsigned i = 0; i < 3; i++)
		at[i] = make_log_thread(&l, 1, 1, i + 1, "");
	E(0, thread_create, 10, 1, 0, 0);
	E(0, thread_create, 10, 2, 0, 0);
	E(1, thread_begin, 20, 1, 0, 0);
	E(2, thread_begin, 20, 2, 0, 0);
	E(0, thread_wait, 30, other, 0, 0);
	E(one, thread_end, 50, one, 0, 0);
	E(other, thread_end, 50, other, 0, 0);
	E(0, thread_join, 60, other, 0, 0);
	E(0, thread_wait, 60, one, 0, 0);
	E(0, thread_join, 60, one, 0, 0);
	return (make_model(&l));
}

static void
the_thread_with_the_highest_number_has_ended_a_wait(void **state)
{
	const struct critical_piece *p;
	struct critical *k;
	uint32_t *px, at[3], lane, third;
	struct model *m;
	struct canvas c;
	struct ui *ui;
	struct span s;
	struct wait w;
	uint64_t all;

	(void)state;
	for (int i = 0; i < 2; i++) {
		m = make_ends(at, i == 0);
		lane = model_location_lane(m, at[0]);
		third = model_location_lane(m, at[2]);
		ui = make_ui(m, &c, &px, 1200, 800);
		assert_int_equal(model_lane_span_at(m, lane, 40 * US, &s), 1);
		wait_whole(ui, lane, &s, &w);
		assert_int_equal(w.how, WAIT_ENDED);
		assert_int_equal(w.of, third);
		k = critical_new();
		critical_begin(k, m, 0, 60 * US + 1, UINT32_MAX);
		while (!critical_step(k))
			continue;
		assert_true(critical_pieces(k, &p, &all) >= 2);
		assert_int_equal(p[0].lane, lane);
		assert_int_equal(p[1].lane, third);
		critical_free(k);
		ui_free(ui);
		model_free(m);
		free(px);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_way_of_no_time_is_one),
		cmocka_unit_test(
		    the_thread_with_the_highest_number_has_ended_a_wait),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
