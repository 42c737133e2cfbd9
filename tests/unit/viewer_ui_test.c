/*
 * The window's contents without a window: the view comes back to where it was,
 * what is selected is so in all views, and ten thousand random operations
 * break nothing.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/whole/frame.h"

static void
there_and_back_is_the_same_picture(void **state)
{
	static const char *const trips[][4] = {
		{ "range 1ms:3ms", "back" },
		{ "zoom-in", "zoom-in", "back" },
		{ "help", "help" },
		{ "select-task 7", "clear" },
		{ "colour time", "colour PE" },
		{ "start", "end", "range 2ms:4ms" },
		{ "grid", "grid" },
		{ "form sunburst", "form polygons" },
		{ "form icicle", "form", "form polygons" },
		{ "colour time", "scale spectrum", "scale viridis",
		    "colour PE" },
		{ "rings", "rings" },
		{ "select-task 40", "reroot", "up", "clear" },
		{ "links", "links" },
		{ "split 300 500", "split 552 812" },
		{ "put functions right", "put functions dock" },
		{ "put tree left", "put tree right" },
		{ "put lanes dock", "arrange functions", "arrange plain" },
		{ "lanes state", "lanes procedure" },
		{ "select-range 1ms:2ms", "clear" },
		{ "pan-right", "back" },
	};
	struct ui *ui = new_ui(*state, W, H);
	uint32_t *px = new_px(W, H);

	for (size_t i = 0; i < sizeof(trips) / sizeof(trips[0]); i++) {
		uint64_t before, away;

		/* the way back is in the history, which is not forgotten */
		command_run(ui, "range 2ms:4ms");
		ui->told.message[0] = '\0';
		frame(ui, px);
		before = hash(px, W, H);
		assert_int_equal(command_run(ui, trips[i][0]), 0);
		frame(ui, px);
		away = hash(px, W, H);
		for (int k = 1; k < 4 && trips[i][k] != NULL; k++)
			assert_int_equal(command_run(ui, trips[i][k]), 0);
		frame(ui, px);
		if (away == before || hash(px, W, H) != before)
			fail_msg("%s: %s", trips[i][0],
			    away == before ? "changes nothing"
					   : "does not come back");
	}
	free(px);
	ui_free(ui);
}

/* To the ns, wherever the pointer is; but it does not stick to where it was. */
static void
zooming_out_again_comes_back(void **state)
{
	struct ui *ui = new_ui(*state, W, H);
	int64_t t0[9], t1[9];

	for (int32_t part = 0; part <= 10; part++) {
		int32_t x =
		    ui->places.lanes.x0 +
		    (ui->places.lanes.x1 - ui->places.lanes.x0 - 1) * part / 10;

		time_range(ui, 1000003 + part, 4000019 + 7 * part);
		for (int i = 0; i < 9; i++) {
			t0[i] = ui->time.t0_mon_ns;
			t1[i] = ui->time.t1_mon_ns;
			time_zoom(ui, 0.8, x);
		}
		for (int i = 8; i >= 0; i--) {
			time_zoom(ui, 1.25, x);
			assert_int_equal(ui->time.t0_mon_ns, t0[i]);
			assert_int_equal(ui->time.t1_mon_ns, t1[i]);
		}
	}
	time_range(ui, 1000000, 4000000);
	for (int i = 0; i < 3000; i++)
		time_zoom(ui, 0.999, ui->places.lanes.x0 + 100);
	assert_true(ui->time.t1_mon_ns - ui->time.t0_mon_ns < 400000);
	ui_free(ui);
}

/* A click on a task in one view selects it in the other. */
static void
both_views_share_the_selection(void **state)
{
	struct ui *ui = new_ui(*state, 1600, 1000);
	uint32_t *px = new_px(1600, 1000);
	int found = 0;

	command_run(ui, "links"); /* they lie above the boxes */
	frame(ui, px);
	for (size_t i = 0; i < ui->treepane.nodes.nnodes && found < 20;
	     i += 7) {
		const struct radial_node n = ui->treepane.nodes.nodes[i];
		int32_t x = ui->places.tree.x0 + n.x / SCENE_ONE;
		int32_t y = ui->places.tree.y0 + n.y / SCENE_ONE;
		uint32_t task;

		if (n.task == TASK_NONE || !rect_has(&ui->places.tree, x, y))
			continue;
		mouse_down(ui, x, y, 1, 0, (int64_t)(i + 1) * 1000);
		mouse_up(ui, x, y, 1, 0);
		frame(ui, px);
		assert_true(ui->time.selected_task != 0);
		assert_true(ui->tree.selected_task == ui->time.selected_task);
		task = model_task_by_id(ui->model, ui->time.selected_task);
		assert_true(task < model_tasks(ui->model));
		found++;
		/* and its box, made wide enough to be hit, gives it back */
		assert_int_equal(command_run(ui, "fit"), 0);
		frame(ui, px);
		for (size_t r = 0; r < ui->timepane.rows.nrows; r++) {
			const struct timeline_row *row =
			    &ui->timepane.rows.rows[r];
			const struct task *t = model_task(ui->model, task);
			int32_t rx = ui->places.lanes.x0 +
				     timeline_x(&ui->time,
					 t->begin_mon_ns + 1000),
				ry;

			if (row->shows !=
			    model_location_lane(ui->model, t->location))
				continue;
			ry = ui->places.lanes.y0 + row->y + row->height / 2;
			select_task(ui, TASK_NONE);
			mouse_down(ui, rx, ry, 1, 0, (int64_t)(i + 4) * 1000);
			mouse_up(ui, rx, ry, 1, 0);
			assert_true(ui->tree.selected_task == t->id);
		}
	}
	assert_int_equal(found, 20);
	free(px);
	ui_free(ui);
}

static uint32_t
next_random(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return (*s >> 8);
}

static const char *
random_key(uint32_t *s)
{
	const char *keys, *command, *what;
	static char key[32];
	unsigned i;

	do {
		i = next_random(s) % 128;
	} while (!keys_each(KEYMAP_ORRERY, i, &keys, &command, &what) ||
		 command == NULL || strcmp(command, "quit") == 0 ||
		 strcmp(command, "export") == 0);
	snprintf(key, sizeof(key), "%.*s", (int)strcspn(keys, " "), keys);
	return (key);
}

static void
operate(struct ui *ui, uint32_t *s, int64_t t_ms)
{
	int32_t x =
	    (int32_t)(next_random(s) % (uint32_t)(ui->places.width + 40)) - 20;
	int32_t y =
	    (int32_t)(next_random(s) % (uint32_t)(ui->places.height + 40)) - 20;
	int button = 1 + (int)(next_random(s) % 3);
	unsigned mods = next_random(s) % 4;
	const char *key;

	switch (next_random(s) % 7) {
	case 0:
	case 1:
		key = random_key(s);
		keys_press(ui, key, strlen(key) == 1 ? key : "");
		break;
	case 2:
		mouse_move(ui, x, y);
		break;
	case 3:
		mouse_down(ui, x, y, button, mods, t_ms);
		break;
	case 4:
		mouse_up(ui, x, y, button, mods);
		break;
	case 5:
		mouse_wheel(ui, x, y, next_random(s) & 1 ? 1 : -1, mods);
		break;
	case 6:
		if (next_random(s) % 4 == 0)
			mouse_leave(ui);
		ui_advance(ui, (int64_t)(next_random(s) % 20) * 1000000);
		break;
	}
}

static void
random_operations_break_nothing(void **state)
{
	static const int32_t sizes[][2] = { { 900, 600 }, { 64, 64 },
		{ 200, 900 }, { 1200, 100 }, { 481, 321 } };
	struct fixture *fx = *state;
	char where[256];

	for (uint32_t k = 0; k < 5; k++) {
		int32_t w = sizes[k][0], h = sizes[k][1];
		struct ui *ui = new_ui(fx, w, h);
		uint32_t *px = new_px(w, h), s = k + 1;

		for (int i = 0; i < 2000; i++) {
			operate(ui, &s, i * 100);
			ui_refresh(ui, fx->model, &fx->feed);
			label_hit(ui, where, sizeof(where));
			if (i % 4 == 0)
				frame(ui, px);
			assert_true(ui->time.t0_mon_ns < ui->time.t1_mon_ns);
			assert_false(ui->desks->host.quit);
		}
		free(px);
		ui_free(ui);
	}
}

static void
nothing_yet_is_no_trouble(void **state)
{
	struct fixture fx = { .model = model_new() };
	uint32_t s = 9, *px = new_px(W, H);
	struct ui *ui;

	(void)state;
	assert_non_null(fx.model);
	snprintf(fx.feed.message, sizeof(fx.feed.message), "waiting");
	fx.feed.live = true;
	ui = new_ui(&fx, W, H);
	for (int i = 0; i < 600; i++) {
		operate(ui, &s, i * 100);
		ui_refresh(ui, fx.model, &fx.feed);
		if (i % 8 == 0)
			frame(ui, px);
	}
	free(px);
	ui_free(ui);
	model_free(fx.model);
}

static void
feed_events(struct model *m, struct make_log *l, size_t *fed)
{
	make_log_blocks(l, 0);
	make_model_tell(m, l, fed);
}

/*
 * What is asked before the first event holds once it has come: to follow the
 * run, and a range of it.
 */
static void
what_is_asked_too_early_is_done_in_time(void **state)
{
	static const char *const asked[] = { "live", "range 2ms:4ms" };
	uint32_t *px = new_px(W, H), at;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture fx = { .model = model_new() };
		struct make_log l = { .start_mon_ns = 900 * 1000000 };
		size_t fed = 0;
		struct ui *ui;
		int64_t t0, t1;

		fx.feed.live = fx.feed.connected = true;
		ui = new_ui(&fx, W, H);
		assert_int_equal(command_run(ui, asked[i]), 0);
		make_log_head(&l, "early");
		make_log_node(&l, 1, "n1");
		make_log_po(&l, 1, 1, "p");
		at = make_log_thread(&l, 1, 1, 1, "t");
		for (int k = 0; k < 10; k++)
			make_log_event(&l, at, EV_state,
			    l.start_mon_ns + k * 1000000, 0, 0, 0);
		feed_events(fx.model, &l, &fed);
		snprintf(fx.feed.run, sizeof(fx.feed.run), "0011");
		fx.feed.start_mon_ns = l.start_mon_ns;
		ui_refresh(ui, fx.model, &fx.feed);
		frame(ui, px);
		t0 = ui->time.t0_mon_ns - l.start_mon_ns;
		t1 = ui->time.t1_mon_ns - l.start_mon_ns;
		if (i == 0)
			assert_true(
			    t0 <= 0 && t1 >= 9000000 && ui->play.follow);
		else
			assert_true(t0 == 2000000 && t1 == 4000000);
		/* one step back begins where one looks */
		assert_int_equal(command_run(ui, "step-back"), 0);
		assert_int_equal(ui->play.head_mon_ns - l.start_mon_ns,
		    i == 0 ? 8000000 : 3000000);
		make_log_free(&l);
		ui_free(ui);
		model_free(fx.model);
	}
	free(px);
}

/* Whichever joins first: two runs of a cluster agree, and so do all views. */
static void
colours_of_nodes_go_by_their_names(void **state)
{
	static const char *const joined[2][3] = { { "n10", "n2", "n1" },
		{ "n1", "n10", "n2" } };
	static const char *const order[3] = { "n1", "n2", "n10" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct make_log l = { 0 };
		struct model *m;

		make_log_head(&l, "nodes");
		for (uint32_t n = 1; n <= 3; n++)
			make_log_node(&l, n, joined[i][n - 1]);
		m = make_model(&l);
		for (uint32_t n = 1; n <= 3; n++)
			for (unsigned k = 0; k < 3; k++)
				if (strcmp(joined[i][n - 1], order[k]) == 0)
					assert_int_equal(palette_of_node(m, n),
					    palette_pe(k));
		model_free(m);
	}
}

/* They stand for the same, whatever is in sight of the tree. */
static void
colours_of_time_are_those_of_the_tasks(void **state)
{
	struct fixture *fx = *state;
	struct ui *ui = new_ui(fx, W, H);
	uint32_t *px = new_px(W, H);
	int64_t first = INT64_MAX, last = INT64_MIN, at;

	for (uint32_t i = 0; i < model_tasks(fx->model); i++) {
		at = model_task_begin(fx->model, i);
		at = at != INT64_MIN ? at : model_task_spawn(fx->model, i);
		if (at != INT64_MIN && at < first)
			first = at;
		last = at > last ? at : last;
	}
	assert_int_equal(command_run(ui, "colour time"), 0);
	for (int i = 0; i < 3; i++) {
		frame(ui, px);
		assert_int_equal(ui->treepane.nodes.t0_mon_ns, first);
		assert_int_equal(ui->treepane.nodes.t1_mon_ns, last);
		ui->tree.zoom *= 4;
		ui->tree.centre_x += 200;
	}
	free(px);
	ui_free(ui);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back_is_the_same_picture),
		cmocka_unit_test(zooming_out_again_comes_back),
		cmocka_unit_test(both_views_share_the_selection),
		cmocka_unit_test(random_operations_break_nothing),
		cmocka_unit_test(nothing_yet_is_no_trouble),
		cmocka_unit_test(colours_of_nodes_go_by_their_names),
		cmocka_unit_test(colours_of_time_are_those_of_the_tasks),
		cmocka_unit_test(what_is_asked_too_early_is_done_in_time),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
