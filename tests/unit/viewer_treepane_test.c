/*
 * The tree's pane: which of the log's trees it shows, in what order, where its
 * centre is when the window gets another size, and what is in its title.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/viewer_ui.h"
#include "ui/commands/menu.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/panes/tree/treepane.h"
#include "ui/views/legend.h"

static int
setup(void **state)
{
	return (
	    open_on(state, make_pascal_model(12, 3, 1000, 100), 1600, 1000));
}

static void
spawn(struct make_log *log, uint32_t at, uint64_t id, uint64_t parent,
    uint32_t name)
{
	make_log_event(log, at, EV_task_spawn, 1000 + (int64_t)id, id, parent,
	    name);
}

/* A task alone, a tree of three, two alone, a tree of two. */
static int
setup_forest(void **state)
{
	struct make_log log = { 0 };
	uint32_t a, name;

	make_log_head(&log, "forest");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "prog");
	a = make_log_thread(&log, 1, 1, 1, "main");
	name = make_log_name(&log, "work");
	spawn(&log, a, 1, 0, name);
	spawn(&log, a, 2, 0, name);
	spawn(&log, a, 3, 2, name);
	spawn(&log, a, 4, 2, name);
	spawn(&log, a, 5, 0, name);
	spawn(&log, a, 6, 0, name);
	spawn(&log, a, 7, 0, name);
	spawn(&log, a, 8, 7, name);
	return (open_on(state, make_model(&log), 1600, 1000));
}

static int
setup_bare(void **state)
{
	struct make_log log = { 0 };
	uint32_t a;

	make_log_head(&log, "bare");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "prog");
	a = make_log_thread(&log, 1, 1, 1, "main");
	make_log_event(&log, a, EV_note, 1000, 1, 0, 0);
	make_log_event(&log, a, EV_note, 9000, 1, 0, 0);
	return (open_on(state, make_model(&log), 1600, 1000));
}

static const struct spot *
spot(const struct fixture *f, const char *command)
{
	for (unsigned i = 0; i < f->ui->spots.n; i++)
		if (strcmp(f->ui->spots.spot[i].command, command) == 0)
			return (&f->ui->spots.spot[i]);
	return (NULL);
}

static void
resize(struct fixture *f, int32_t width, int32_t height)
{
	free(f->px);
	f->px = calloc((size_t)width * (size_t)height, sizeof(*f->px));
	assert_non_null(f->px);
	canvas_init(&f->c, f->px, width, height, width);
	ui_resize(f->ui, width, height);
	ui_frame(f->ui, &f->c);
}

static void
trees_are_chosen_by_number(void **state)
{
	struct fixture *f = *state;
	uint32_t trees;

	run(f, "tree-of tasks");
	assert_int_equal(f->ui->tree.root, TASK_NONE);
	assert_int_equal(tree_number(f->ui, &trees), 0);
	assert_int_equal(trees, 2);
	assert_int_equal(f->ui->treepane.nodes.tasks, 8);
	assert_int_equal(f->ui->treepane.nodes.singles.trees, 3);
	assert_null(spot(f, "tree all"));
	assert_non_null(spot(f, "tree next"));
	run(f, "tree next");
	assert_int_equal(tree_number(f->ui, &trees), 1);
	assert_int_equal(f->ui->treepane.nodes.tasks, 3);
	assert_non_null(spot(f, "tree previous"));
	assert_non_null(spot(f, "tree all"));
	run(f, "tree 2");
	assert_int_equal(tree_number(f->ui, &trees), 2);
	assert_int_equal(f->ui->treepane.nodes.tasks, 2);
	run(f, "tree next");
	assert_int_equal(f->ui->tree.root, TASK_NONE);
	run(f, "tree previous");
	assert_int_equal(tree_number(f->ui, &trees), 2);
	assert_int_equal(command_run(f->ui, "tree 3"), -1);
	assert_int_equal(command_run(f->ui, "tree 0"), -1);
	assert_int_equal(command_run(f->ui, "tree x"), -1);
	run(f, "tree all");
	assert_int_equal(command_run(f->ui, "tree here"), -1);
	run(f, "select-task 3");
	run(f, "tree here");
	assert_int_equal(tree_number(f->ui, &trees), 1);
	/* one of the lone tasks */
	run(f, "tree all");
	run(f, "select-task 4");
	run(f, "tree here");
	assert_int_equal(tree_number(f->ui, &trees), 0);
	assert_int_equal(f->ui->treepane.nodes.tasks, 1);
}

/* First and last of all tasks, or of those below one: each is asked. */
static void
times_of(const struct model *m, uint32_t below, int64_t *t0, int64_t *t1)
{
	*t0 = INT64_MAX;
	*t1 = INT64_MIN;
	for (uint32_t i = 0; i < model_tasks(m); i++) {
		const struct task *t = model_task(m, i);
		int64_t at = t->begin_mon_ns != INT64_MIN ? t->begin_mon_ns
							  : t->spawn_mon_ns;
		uint32_t up = i;

		while (up != below && up != TASK_NONE)
			up = model_task_parent(m, up);
		if (up != below || at == INT64_MIN)
			continue;
		*t0 = at < *t0 ? at : *t0;
		*t1 = at > *t1 ? at : *t1;
	}
}

static void
check_span(const struct fixture *f, uint32_t below)
{
	const struct radial_layout *l = &f->ui->treepane.nodes;
	int64_t t0, t1;

	times_of(f->ui->model, below, &t0, &t1);
	assert_true(l->t0_mon_ns == t0);
	assert_true(l->t1_mon_ns == t1);
}

static void
times_are_those_of_the_trees_shown(void **state)
{
	struct fixture *f = *state;
	uint32_t rgb[LEGEND_COLOURS];
	char text[96];

	run(f, "tree-of tasks");
	run(f, "colour time");
	check_span(f, TASK_NONE);
	for (int i = 1; i <= 2; i++) {
		run(f, "tree next");
		check_span(f, f->ui->tree.root);
	}
	run(f, "tree 1");
	run(f, "colour PE");
	run(f, "tree 2");
	run(f, "colour PE-time");
	check_span(f, f->ui->tree.root);
	assert_true(tree_legend_part(f->ui, 0, rgb, text, sizeof(text)) > 1);
	assert_string_equal(text, "when it began: first 0.000000006 s, "
				  "last 0.000000007 s");
	run(f, "tree all");
	check_span(f, TASK_NONE);
}

static void
zoom_and_pan_change_no_time(void **state)
{
	struct fixture *f = *state;
	const char *const moves[] = { "zoom-in 6 1200 400", "centre 900 100",
		"zoom-in 3 1300 500", "select-task 40", "zoom-out 20 1200 400",
		"reset-tree" };

	run(f, "tree-of tasks");
	run(f, "colour time");
	check_span(f, TASK_NONE);
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		run(f, moves[i]);
		check_span(f, TASK_NONE);
	}
	run(f, "select-task 40");
	run(f, "reroot");
	check_span(f, f->ui->tree.root);
	run(f, "zoom-in 6");
	check_span(f, f->ui->tree.root);
	run(f, "up");
	check_span(f, TASK_NONE);
}

/* Chooses what the menu of the tree calls so. */
static void
choose(struct fixture *f, const char *label)
{
	struct rect a = f->ui->places.tree;
	struct menu *m = f->ui->menu;
	unsigned i;

	menu_open(f->ui, a.x0 + 200, a.y0 + 100);
	for (i = 0; i < m->n && strcmp(m->item[i].label, label) != 0; i++)
		;
	assert_true(i < m->n);
	assert_true(menu_click(f->ui, m->at.x0 + 20,
	    m->at.y0 + 4 + (int32_t)i * m->item_px + m->item_px / 2));
	ui_frame(f->ui, &f->c);
}

static void
the_menu_zooms_and_colours(void **state)
{
	static const char *const by[] = { "PE", "time", "PE-time", "procedure",
		"state" };
	struct fixture *f = *state;
	double x, zoom;
	char label[40];

	run(f, "tree-of tasks");
	for (int size = 0; size < 2; size++) {
		for (int i = 4; i >= 0; i--) {
			snprintf(label, sizeof(label), "Colour it by %s",
			    by[i]);
			choose(f, label);
			assert_int_equal(f->ui->tree.colour, i);
		}
		zoom = f->ui->tree.zoom;
		x = f->ui->tree.centre_x;
		choose(f, "Zoom in here");
		assert_true(f->ui->tree.zoom > zoom);
		assert_true(f->ui->tree.centre_x != x);
		choose(f, "Zoom out");
		assert_true(fabs(f->ui->tree.zoom - zoom) < 1e-9);
		assert_true(fabs(f->ui->tree.centre_x - x) < 1e-6);
		/* all of it has room in a small window, too */
		resize(f, 640, 400);
		menu_open(f->ui, 300, 300);
		assert_true(f->ui->menu->at.y1 <= 400);
		menu_click(f->ui, -1, -1);
		run(f, "put tree left");
	}
}

static void
a_moved_centre_goes_with_the_window(void **state)
{
	struct fixture *f = *state;
	double x, y, d;

	run(f, "centre 1300 250");
	x = f->ui->tree.centre_x;
	y = f->ui->tree.centre_y;
	d = f->ui->treepane.nodes.ring_px;
	assert_true(fabs(x) > 10 && fabs(y) > 10);
	resize(f, 900, 600);
	/* as many rings from the middle as before */
	assert_true(f->ui->treepane.nodes.ring_px < d);
	assert_true(fabs(f->ui->tree.centre_x / f->ui->treepane.nodes.ring_px -
			 x / d) < 0.01);
	assert_true(fabs(f->ui->tree.centre_y / f->ui->treepane.nodes.ring_px -
			 y / d) < 0.01);
	resize(f, 1600, 1000);
	assert_true(fabs(f->ui->tree.centre_x - x) < 1e-6);
}

static void
the_title_keeps_clear_of_the_marks(void **state)
{
	static const int32_t sizes[][2] = { { 1600, 1000 }, { 900, 700 },
		{ 640, 400 }, { 500, 400 } };
	struct fixture *f = *state;
	const struct spot *a, *b;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		resize(f, sizes[i][0], sizes[i][1]);
		b = spot(f, "put tree left");
		b = b != NULL ? b : spot(f, "put Tree left");
		assert_non_null(b);
		for (unsigned k = 0; k < f->ui->spots.n; k++) {
			a = &f->ui->spots.spot[k];
			if (strncmp(a->command, "tree-of ", 8) == 0)
				assert_true(a->at.x1 <= b->at.x0);
		}
	}
}

static void
the_order_is_that_of_the_program(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->ui->tree.order, RADIAL_BY_PATH);
	run(f, "order time");
	run(f, "tree-of threads");
	run(f, "tree-of tasks");
	assert_int_equal(f->ui->tree.order, RADIAL_BY_TIME);
}

/* How many tasks are in the picture in their PE's colour. */
static uint32_t
in_colour(const struct fixture *f, uint32_t pe)
{
	const struct scene *s = &f->ui->treepane.scene;
	uint32_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].of == OF_TASK &&
		     model_task_pe(f->m, (uint32_t)s->items[i].id) == pe &&
		     s->items[i].rgb == palette_pe_on(&palette_dark, pe);
	return (n);
}

static void
the_legend_counts_and_dims(void **state)
{
	struct fixture *f = *state;
	uint32_t pes = model_pes(f->m), count[8] = { 0 }, class, i;
	const struct spot *at;
	char text[144], want[64], number[32];

	assert_in_range(pes, 2, 8);
	for (uint32_t t = 0; t < model_tasks(f->m); t++)
		count[model_task_pe(f->m, t)]++;
	for (i = 0; tree_legend_entry(f->ui, i, &class, text, sizeof(text));
	     i++) {
		assert_int_equal(class, i);
		snprintf(want, sizeof(want), "PE %u %s", i,
		    format_count(number, sizeof(number), count[i]));
		assert_string_equal(text, want);
	}
	assert_int_equal(i, pes);
	assert_true(in_colour(f, 0) > 0 && in_colour(f, 1) > 0);

	run(f, "only PE 1");
	assert_true(in_colour(f, 1) > 0);
	assert_int_equal(in_colour(f, 0), 0);
	run(f, "only PE 1");
	assert_true(in_colour(f, 0) > 0);
	assert_int_equal(command_run(f->ui, "only PE 99"), -1);
	assert_int_equal(command_run(f->ui, "only P"), -1);

	/* the same as long as the pointer is there */
	at = spot(f, "only PE 0");
	assert_non_null(at);
	mouse_move(f->ui, at->at.x0 + 2, at->at.y0 + 2);
	ui_frame(f->ui, &f->c);
	ui_frame(f->ui, &f->c);
	assert_true(in_colour(f, 0) > 0);
	assert_int_equal(in_colour(f, 1), 0);
	mouse_move(f->ui, 10, 10);
	ui_frame(f->ui, &f->c);
	ui_frame(f->ui, &f->c);
	assert_true(in_colour(f, 1) > 0);

	/* of one subtree, by procedure, and not in another colouring */
	run(f, "colour procedure");
	assert_true(tree_legend_entry(f->ui, 0, &class, text, sizeof(text)));
	assert_int_equal(command_run(f->ui, "only makeRow"), 0);
	ui_frame(f->ui, &f->c);
	assert_true(f->ui->tree.dims);
	run(f, "colour state");
	assert_false(f->ui->tree.dims);
	run(f, "select-task 5");
	run(f, "reroot");
	for (i = class = 0;
	     tree_legend_entry(f->ui, i, &class, text, sizeof(text)); i++)
		if (class == RADIAL_DONE || class == RADIAL_DONE_SUSPENDED)
			assert_non_null(strpbrk(text, "0123456789"));
	assert_int_equal(i, RADIAL_STATES);
}

static void
a_run_without_tasks_and_calls_has_threads(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->ui->trees.of, TREE_THREADS);
	assert_true(f->ui->treepane.nodes.drawn >= 3);
	run(f, "tree-of tasks"); /* whoever asks gets them */
	assert_int_equal(f->ui->trees.of, TREE_TASKS);
}

int
main(void)
{
#define T(f, s) cmocka_unit_test_setup_teardown(f, s, teardown)
	const struct CMUnitTest tests[] = {
		T(trees_are_chosen_by_number, setup_forest),
		T(a_moved_centre_goes_with_the_window, setup),
		T(times_are_those_of_the_trees_shown, setup_forest),
		T(zoom_and_pan_change_no_time, setup),
		T(the_menu_zooms_and_colours, setup),
		T(the_title_keeps_clear_of_the_marks, setup),
		T(the_order_is_that_of_the_program, setup),
		T(the_legend_counts_and_dims, setup),
		T(a_run_without_tasks_and_calls_has_threads, setup_bare),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
