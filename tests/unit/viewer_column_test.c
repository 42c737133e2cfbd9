/*
 * The column of names beside the lanes: it is as wide as the user wants it; a
 * process of one thread has that thread's name; and rows keep their height when
 * one of them is folded.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/viewer_ui.h"
#include "ui/desk/desk.h"

#define W 1200
#define H 800

static int
setup(void **state)
{
	struct make_log l = { 0 };
	uint32_t at, f;

	make_log_head(&l, "column");
	make_log_node(&l, 1, "n1");
	f = make_log_name(&l, "work");
	for (uint32_t po = 1; po <= 20; po++) {
		make_log_po(&l, 1, po, "torus");
		at = make_log_thread(&l, 1, po, 1,
		    po == 1   ? "rank0"
		    : po == 2 ? "torus"
			      : "");
		make_log_event(&l, at, EV_enter, 100, 0, 0, f);
		make_log_event(&l, at, EV_enter, 200, 0, 0, f);
		make_log_event(&l, at, EV_leave, 300, 0, 0, f);
		make_log_event(&l, at, EV_leave, 400, 0, 0, f);
	}
	make_log_sort(&l);
	return (open_on(state, make_model(&l), W, H));
}

static void
names_have_the_room_that_is_wanted(void **state)
{
	struct fixture *x = *state;
	const struct places *p = &x->ui->places;
	int32_t at_first = p->lanes.x0, y = p->lanes.y0 + 100;

	run(x, "names-width 300");
	assert_int_equal(p->lanes.x0, 300);
	assert_int_equal(x->ui->time.width, p->lanes.x1 - 300);
	mouse_down(x->ui, p->lanes.x0 - 2, y, 1, 0, 1000);
	mouse_move(x->ui, 250, y);
	mouse_up(x->ui, 240, y, 1, 0);
	ui_frame(x->ui, &x->c);
	assert_int_equal(p->lanes.x0, 240);
	assert_true(x->ui->time.sel0_mon_ns == x->ui->time.sel1_mon_ns);
	mouse_down(x->ui, p->lanes.x0 - 2, y, 1, 0, 3000);
	mouse_move(x->ui, 9, y);
	mouse_up(x->ui, 1, y, 1, 0);
	ui_frame(x->ui, &x->c);
	assert_int_equal(p->lanes.x0, NAMES_MIN_PX);
	run(x, "names-width");
	assert_int_equal(p->lanes.x0, at_first);
	assert_int_equal(command_run(x->ui, "names-width 5"), -1);
	assert_int_equal(command_run(x->ui, "names-width wide"), -1);
	assert_int_equal(p->lanes.x0, at_first);
}

static void
rows_stay_as_high_when_one_is_folded(void **state)
{
	struct fixture *x = *state;
	int32_t px = x->ui->time.lane_height;
	char line[32];

	for (uint32_t i = 0; i < model_lanes(x->m); i++) {
		if (model_lane(x->m, i)->kind != LANE_PO)
			continue;
		snprintf(line, sizeof(line), "fold %u", i);
		run(x, line);
		assert_int_equal(x->ui->time.lane_height, px);
	}
	assert_true(x->ui->timepane.rows.total_height > x->ui->time.height);
	run(x, "level threads");
	run(x, "level calls");
	assert_true(x->ui->time.lane_height < px);
}

static void
in_the_dock_a_node_is_a_row(void **state)
{
	struct fixture *x = *state;
	size_t rows = x->ui->timepane.rows.nrows;
	int32_t dock;

	run(x, "put lanes dock");
	assert_true(x->ui->time.by_node);
	assert_int_equal(x->ui->timepane.rows.nrows, 1);
	dock = x->ui->time.height;
	assert_true(x->ui->time.lane_height <= dock);
	run(x, "split 500 300"); /* with room for more */
	assert_true(x->ui->time.height > dock);
	assert_false(x->ui->time.by_node);
	assert_int_equal(x->ui->timepane.rows.nrows, rows);
	run(x, "split 500 900");
	assert_int_equal(x->ui->timepane.rows.nrows, 1);
	run(x, "put lanes left");
	assert_false(x->ui->time.by_node);
	assert_int_equal(x->ui->timepane.rows.nrows, rows);
}

static void
who_is_alone_has_a_name(void **state)
{
	static const char *const want[] = { "rank0  torus PO 1", "torus  PO 2",
		"torus  PO 3" };
	struct fixture *x = *state;
	unsigned n = 0;
	char name[96];

	for (uint32_t i = 0; i < model_lanes(x->m) && n < 3; i++)
		if (model_lane(x->m, i)->kind == LANE_PO)
			assert_string_equal(label_row(x->m, model_lane(x->m, i),
						name, sizeof(name)),
			    want[n++]);
	assert_int_equal(n, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    names_have_the_room_that_is_wanted, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    rows_stay_as_high_when_one_is_folded, setup, teardown),
		cmocka_unit_test_setup_teardown(in_the_dock_a_node_is_a_row,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(who_is_alone_has_a_name, setup,
		    teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
