/*
 * What is told of an object: of what class it is, where and for whom it was
 * made, where it is, or from where to where it is on its way, and after how
 * many hops; at any instant, in whatever order that became known.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"

#define US    1000
#define QUEEN 0x10
#define PAWN  0x20

/*
 * In us: host makes the queen at 10, without being asked; at 20 the queen asks
 * for a pawn, which is made on n2 at 30, leaves for n1 at 40, is there at 50,
 * leaves again at 60, is back at 70 and ends at 80.
 */
enum {
	REQUEST_LAST = 1,
	ORDERED =
	    2 /* the pawn is the scout, and the queen wants its first move */
};

static struct model *
make_run(int with)
{
	struct make_log l = { 0 };
	uint32_t at[2], queen, pawn, n1, n2;

	make_log_head(&l, "objects");
	make_log_node(&l, 1, "n1");
	make_log_node(&l, 2, "n2");
	make_log_po(&l, 1, 1, "board");
	make_log_po(&l, 2, 1, "board");
	at[0] = make_log_thread(&l, 1, 1, 1, "host");
	at[1] = make_log_thread(&l, 2, 1, 1, "guest");
	queen = make_log_name(&l, "queen");
	pawn = make_log_name(&l, "pawn");
	n1 = make_log_name(&l, "n1");
	n2 = make_log_name(&l, "n2");
#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&l, at[who], EV_##kind, (us)*US, a, b, c)
	E(0, object_create, 10, QUEEN, 0, queen);
	E(0, object_request, with & REQUEST_LAST ? 35 : 20, QUEEN, 7, pawn);
	E(1, object_create, 30, PAWN, 7, pawn);
	E(1, object_depart, 40, PAWN, 1, n1);
	E(0, object_arrive, 50, PAWN, 1, n2);
	E(0, object_depart, 60, PAWN, 2, n2);
	E(1, object_arrive, 70, PAWN, 2, n1);
	E(1, object_dispose, 80, PAWN, 0, 0);
	E(0, note, 100, 0, 0, queen);
	if (with & ORDERED) {
		E(1, object_nickname, 31, PAWN, 0, make_log_name(&l, "scout"));
		E(0, object_orders, 36, QUEEN, 9, 0);
		E(0, object_order, 37, PAWN, 9, n1);
		E(1, object_wait, 32, PAWN, 0, make_log_name(&l, "order"));
		E(1, object_go, 34, PAWN, 0, 0);
		E(1, object_go, 35, PAWN, 0, 0); /* it does not wait */
		E(1, object_obey, 38, PAWN, 9, n1);
		E(0, object_wait, 52, PAWN, 0, queen);
		E(0, object_wait, 53, PAWN, 0, pawn); /* it waits already */
		E(0, object_go, 55, PAWN, 0, 0);
		E(0, object_wait, 57, PAWN, 0, pawn); /* it leaves from that */
	}
#undef E
	make_log_sort(&l);
	return (make_model(&l));
}

static uint32_t
lane_of_pawn(const struct model *m)
{
	uint32_t lane = model_object_lane(m, PAWN);

	assert_true(lane < model_lanes(m));
	return (lane);
}

static void
who_asked_is_told_whoever_comes_first(void **state)
{
	struct object_made k;
	struct model *m;

	(void)state;
	for (int i = 0; i < 2; i++) {
		m = make_run(i == 1 ? REQUEST_LAST : 0);
		assert_true(model_object_made(m, lane_of_pawn(m), &k));
		assert_int_equal(k.id, PAWN);
		assert_int_equal(k.creator, QUEEN);
		assert_int_equal(k.home, 2);
		assert_string_equal(model_lane(m, k.by)->kind == LANE_THREAD
					? "thread"
					: "none",
		    "thread");
		assert_int_equal(model_lane(m, k.by)->node, 1);
		assert_false(model_object_made(m, k.by, &k));
		model_free(m);
	}
}

static void
at_any_instant_it_is_told_where_it_is(void **state)
{
	static const struct {
		int64_t us;
		enum object_state state;
		uint32_t on, from;
		uint64_t hops;
	} cases[] = {
		{ 29, OBJECT_NOT_YET, 0, 0, 0 },
		{ 30, OBJECT_STAYS, 2, 0, 0 },
		{ 45, OBJECT_MOVES, 0, 2, 1 },
		{ 50, OBJECT_STAYS, 1, 2, 1 },
		{ 65, OBJECT_MOVES, 0, 1, 2 },
		{ 79, OBJECT_STAYS, 2, 1, 2 },
		{ 80, OBJECT_OVER, 0, 0, 2 },
	};
	struct model *m = make_run(0);
	uint32_t *px, lane = lane_of_pawn(m);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	struct object_then k;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(object_then(ui, lane, cases[i].us * US, &k));
		assert_int_equal(k.state, cases[i].state);
		assert_int_equal(k.on, cases[i].on);
		assert_int_equal(k.from, cases[i].from);
		assert_int_equal(k.now.id, cases[i].hops);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
cards_say_it_and_no_process_0(void **state)
{
	struct model *m = make_run(0);
	uint32_t *px, lane = lane_of_pawn(m);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64], *text;

	(void)state;
	ui_frame(ui, &c);
	snprintf(line, sizeof(line), "card row %u", lane);
	assert_int_equal(command_run(ui, line), 0);
	snprintf(line, sizeof(line), "card span %u 35us", lane); /* 45 us */
	assert_int_equal(command_run(ui, line), 0);
	assert_int_equal(command_run(ui, "seek 58us"), 0); /* 68 us */
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "class: pawn\n");
	has(text, "object: 0x20\n");
	has(text, "home: n2\n");
	has(text, "creator: queen 0\n");
	has(text, "where: on the way, since 0.000050 s\n");
	has(text, "hops: 2\n");
	has(text, "from: n1\n");
	has(text, "to: n2\n");
	has(text, "hops: 1\n"); /* of the span */
	has(text, "queen 0: class queen; object 0x10; home n1; made by host, "
		  "board PO 1, node n1; where n1");
	assert_null(strstr(text, "PO 0"));
	assert_null(strstr(text, "monitord"));
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
ends_of_links_are_objects(void **state)
{
	struct model *m = make_run(0);
	struct link k[8];
	uint32_t *px;
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64], *text;
	size_t n = model_links(m, 0, 100 * US, k, 8), i = 0;

	(void)state;
	ui_frame(ui, &c);
	while (i < n && k[i].kind0 != EV_object_request)
		i++;
	assert_true(i < n);
	snprintf(line, sizeof(line), "card link %u %dus 0x%x", k[i].lane0, 10,
	    (unsigned)k[i].id);
	assert_int_equal(command_run(ui, line), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "from: queen 0, on n1\n");
	has(text, "to: pawn 0, on n2\n");
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
who_ordered_a_move_is_told_of_that_one(void **state)
{
	struct model *m = make_run(ORDERED);
	uint32_t *px, lane = lane_of_pawn(m);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	struct object_order k;
	char line[64], *text;

	(void)state;
	assert_true(model_object_ordered(m, lane, 1, &k));
	assert_int_equal(k.id, 9);
	assert_int_equal(k.object, QUEEN);
	assert_int_equal(model_lane(m, k.by)->node, 1);
	assert_false(model_object_ordered(m, lane, 0, &k));
	assert_false(model_object_ordered(m, lane, 2, &k));
	assert_int_equal(model_order_by(m, 9), QUEEN);
	assert_int_equal(model_order_by(m, 10), 0);
	ui_frame(ui, &c);
	snprintf(line, sizeof(line), "card row %u", lane);
	assert_int_equal(command_run(ui, line), 0);
	assert_int_equal(command_run(ui, "seek 35us"), 0); /* 45 us */
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "nickname: scout\n");
	has(text, "ordered by: queen 0\n");
	has(text, "scout: class pawn; nickname scout; object 0x20; ");
	free(text);
	assert_int_equal(command_run(ui, "seek 58us"), 0); /* by itself */
	ui_frame(ui, &c);
	text = described(ui);
	assert_null(strstr(text, "ordered by"));
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
waits_are_parts_of_a_stay(void **state)
{
	static const struct {
		int64_t us, since_us;
		const char *reason; /* NULL: it does not wait */
		uint32_t on, from;
	} cases[] = {
		{ 31, 30, NULL, 2, 0 },
		{ 33, 30, "order", 2, 0 },
		{ 34, 30, NULL, 2, 0 },
		{ 39, 30, NULL, 2, 0 },
		{ 45, 40, NULL, 0, 2 },
		{ 51, 50, NULL, 1, 2 },
		{ 53, 50, "queen", 1, 2 },
		{ 56, 50, NULL, 1, 2 },
		{ 59, 50, "pawn", 1, 2 },
		{ 65, 60, NULL, 0, 1 },
		{ 75, 70, NULL, 2, 1 },
	};
	struct model *m = make_run(ORDERED);
	uint32_t *px, lane = lane_of_pawn(m);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	struct object_then k;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(object_then(ui, lane, cases[i].us * US, &k));
		assert_int_equal(k.since_ns, cases[i].since_us * US);
		assert_int_equal(k.waits, cases[i].reason != NULL);
		if (k.waits)
			assert_string_equal(model_name(m, k.reason),
			    cases[i].reason);
		assert_int_equal(k.on, cases[i].on);
		assert_int_equal(k.from, cases[i].from);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
an_object_is_found_by_its_id_and_names(void **state)
{
	static const char *const words[] = { "0x20", "0X20", "scout", "pawn" };
	struct model *m = make_run(ORDERED);
	uint32_t *px, lane = lane_of_pawn(m);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64];

	(void)state;
	ui_frame(ui, &c);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		ui->time.selected_lane = UINT32_MAX;
		snprintf(line, sizeof(line), "search %s", words[i]);
		assert_int_equal(command_run(ui, line), 0);
		assert_int_equal(ui->time.selected_lane, lane);
	}
	assert_int_equal(command_run(ui, "search 0x2"), -1);
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asked_is_told_whoever_comes_first),
		cmocka_unit_test(at_any_instant_it_is_told_where_it_is),
		cmocka_unit_test(cards_say_it_and_no_process_0),
		cmocka_unit_test(ends_of_links_are_objects),
		cmocka_unit_test(who_ordered_a_move_is_told_of_that_one),
		cmocka_unit_test(waits_are_parts_of_a_stay),
		cmocka_unit_test(an_object_is_found_by_its_id_and_names),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
