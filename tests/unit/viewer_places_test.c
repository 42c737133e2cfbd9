/*
 * Where views stand: panes that are hidden or alone, titles and their marks.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/rnd.h"
#include "tests/unit/viewer_desk.h"
#include "ui/commands/command.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

static void
click_twice(struct fixture *x, int32_t px, int32_t py)
{
	static int64_t t_ms = 1000000;

	t_ms += 10000;
	for (int64_t t = 0; t < 200; t += 100) {
		mouse_down(x->ui, px, py, 1, 0, t_ms + t);
		mouse_up(x->ui, px, py, 1, 0);
		ui_frame(x->ui, &x->c); /* as the user sees it */
	}
}

/* Where nothing stands in a title, neither words nor marks. */
static int32_t
title_x(enum pane pane, const struct rect *r)
{
	/* of the dock there are tabs up to where it ends, nearly */
	return (r->x0 + (r->x1 - r->x0) * (pane == PANE_DOCK ? 19 : 12) / 20);
}

/* A pane's title makes it the only one, and again all of them. */
static void
a_title_clicked_twice_is_alone(void **state)
{
	struct fixture *x = *state;
	static const enum pane panes[] = { PANE_TREE, PANE_DOCK, PANE_TIME };

	tidy_up(x);
	for (int i = 0; i < 3; i++) {
		struct rect r;

		ui_frame(x->ui, &x->c);
		r = x->ui->places.pane[panes[i]];
		click_twice(x, title_x(panes[i], &r), r.y0 + 8);
		assert_true(x->ui->places.maximised);
		ui_frame(x->ui, &x->c);
		for (int k = 0; k < 3; k++)
			assert_int_equal(x->ui->places.pane[panes[k]].y1 > 0,
			    k == i);
		r = x->ui->places.pane[panes[i]];
		click_twice(x, title_x(panes[i], &r), r.y0 + 8);
		assert_false(x->ui->places.maximised);
	}
	tidy_up(x);
}

static void
panes_can_be_hidden_but_for_one(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	tidy_up(x);
	assert_int_equal(command_run(ui, "pane tree off"), 0);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->places.pane[PANE_TIME].x1, W);
	assert_int_equal(ui->places.pane[PANE_TREE].x1, 0);
	assert_int_equal(command_run(ui, "pane time"), 0);
	ui_frame(ui, &x->c);
	assert_true(ui->places.pane[PANE_DOCK].y0 < 100);
	assert_int_equal(ui->places.focus, PANE_DOCK);
	assert_int_equal(command_run(ui, "pane dock"), -1);
	command_run(ui, "pane time on");
	ui->places.focus = PANE_TIME;
	command_run(ui, "maximise");
	ui_frame(ui, &x->c);
	assert_int_equal(ui->places.pane[PANE_TIME].x1, W);
	assert_int_equal(ui->places.pane[PANE_DOCK].x1, 0);
	command_run(ui, "maximise");
	assert_int_equal(ui->places.hidden, 1u << PANE_RIGHT);
	tidy_up(x);
}

static bool
overlap(const struct rect *a, const struct rect *b)
{
	return (
	    a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1);
}

/* Each view is somewhere, once, and what is in sight has a pane. */
static void
check_places(struct fixture *x)
{
	static const enum pane places[] = { PANE_LEFT, PANE_RIGHT, PANE_DOCK };
	const struct ui *ui = x->ui;

	assert_true(ui->places.left != ui->places.right);
	for (int v = 0; v < VIEWS; v++) {
		if (views[v].there(ui))
			assert_int_equal(view_is_tab(ui, (enum view_id)v),
			    v != (int)ui->places.left &&
				v != (int)ui->places.right);
	}
	assert_true(view_is_tab(ui, ui->places.tab));
	for (int i = 0; i < 3; i++) {
		enum pane p = view_pane(ui, places[i]);

		assert_true(ui->places.pane[p].x1 > ui->places.pane[p].x0);
		for (int k = 0; k < i; k++)
			assert_false(overlap(&ui->places.pane[p],
			    &ui->places.pane[view_pane(ui, places[k])]));
	}
	assert_true(ui->places.pane[ui->places.focus].x1 >
		    ui->places.pane[ui->places.focus].x0);
}

/* The mark's place in the title of a view. */
static const struct spot *
mark_of(const struct ui *ui, const char *command)
{
	for (unsigned i = 0; i < ui->spots.n; i++) {
		if (strcmp(ui->spots.spot[i].command, command) == 0)
			return (&ui->spots.spot[i]);
	}
	return (NULL);
}

static void
a_view_can_stand_anywhere(void **state)
{
	static const char *const words[] = { "left", "right", "dock" };
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	const struct spot *mark;
	char line[48];
	enum view_id v;
	unsigned place;

	tidy_up(x);
	for (int i = 0; i < 300; i++) {
		v = (enum view_id)(rnd() % VIEW_COMPARE);
		place = (unsigned)(rnd() % 3);
		snprintf(line, sizeof(line), "put %s %s", views[v].name,
		    words[place]);
		assert_int_equal(command_run(ui, line), 0);
		ui_frame(ui, &x->c);
		check_places(x);
		assert_int_equal(view_place(ui, v), PANE_LEFT + (int)place);
		assert_int_equal(view_at(ui, view_place(ui, v)), v);
	}
	/* by its marks, too */
	assert_int_equal(command_run(ui, "arrange functions"), 0);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->places.right, VIEW_FUNCTIONS);
	mark = mark_of(ui, "put Functions left");
	assert_non_null(mark);
	mouse_down(ui, mark->at.x0 + 4, mark->at.y0 + 4, 1, 0, 1000);
	mouse_up(ui, mark->at.x0 + 4, mark->at.y0 + 4, 1, 0);
	assert_int_equal(ui->places.left, VIEW_FUNCTIONS);
	assert_int_equal(ui->places.right, VIEW_LANES);
	/* and by keys, where the focus is */
	keys_press(ui, "F8", "");
	assert_int_equal(view_place(ui, VIEW_FUNCTIONS), PANE_DOCK);
	assert_int_equal(command_run(ui, "put nothing left"), -1);
	assert_int_equal(command_run(ui, "put Compare left"), -1);
	assert_int_equal(command_run(ui, "put Lanes up"), -1);
	assert_int_equal(command_run(ui, "arrange plain"), 0);
	ui_frame(ui, &x->c);
	check_places(x);
}

/* Two clicks on a mark are one: the second is not for what comes to be there.
 */
static void
a_mark_clicked_twice_is_clicked_once(void **state)
{
	static const char *const words[] = { "left", "right", "dock", "alone" };
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	char line[48];

	for (int i = 0; i < 4 * VIEW_COMPARE; i++) {
		enum view_id v = (enum view_id)(i / 4);
		const struct spot *mark;

		tidy_up(x);
		command_run(ui, "arrange plain");
		if (view_is_tab(ui, v))
			ui->places.tab = v;
		ui_frame(ui, &x->c);
		snprintf(line, sizeof(line), "put %s %s", views[v].name,
		    words[i % 4]);
		mark = mark_of(ui, line);
		assert_non_null(mark);
		click_twice(x, mark->at.x0 + 4, mark->at.y0 + 4);
		assert_int_equal(ui->places.maximised, i % 4 == 3);
		assert_int_equal(view_focused(ui), v);
		if (i % 4 != 3)
			assert_int_equal(view_place(ui, v), PANE_LEFT + i % 4);
	}
	tidy_up(x);
	command_run(ui, "arrange plain");
}

/* Over lanes that another view now hides the pointer is on nothing of them. */
static void
nothing_is_pointed_at_in_a_hidden_pane(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct rect r;

	tidy_up(x);
	r = ui->places.lanes;
	for (int32_t y = r.y0; y < r.y1 && ui->mouse.hit.of == OF_NOTHING;
	     y += 3) {
		mouse_move(ui, (r.x0 + r.x1) / 2, y);
		ui_frame(ui, &x->c);
	}
	assert_int_not_equal(ui->mouse.hit.of, OF_NOTHING);
	assert_int_equal(command_run(ui, "put functions alone"), 0);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->mouse.hit.of, OF_NOTHING);
	assert_int_equal(ui->mouse.task, TASK_NONE);
	assert_int_equal(command_run(ui, "put functions dock"), 0);
	ui_frame(ui, &x->c);
	assert_int_not_equal(ui->mouse.hit.of, OF_NOTHING);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_title_clicked_twice_is_alone),
		TEST(panes_can_be_hidden_but_for_one),
		TEST(a_view_can_stand_anywhere),
		TEST(a_mark_clicked_twice_is_clicked_once),
		TEST(nothing_is_pointed_at_in_a_hidden_pane),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
