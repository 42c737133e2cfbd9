/* Arrangements of views, by the names that the user gives them. */
#include <string.h>

#include "log.h"
#include "tests/unit/viewer_desk.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/arrange.h"
#include "ui/panes/panes.h"
#include "ui/whole/config.h"
#include "ui/whole/frame.h"

static void
run(struct fixture *x, const char *line)
{
	assert_int_equal(command_run(x->ui, line), 0);
	ui_frame(x->ui, &x->c);
}

static void
refused(struct fixture *x, const char *line, const char *why)
{
	assert_int_equal(command_run(x->ui, line), -1);
	assert_non_null(strstr(x->ui->told.message, why));
}

static void
check(const struct ui *ui, enum view_id left, enum view_id right,
    enum view_id tab, unsigned hidden, int32_t split_x)
{
	assert_int_equal(ui->places.left, left);
	assert_int_equal(ui->places.right, right);
	assert_int_equal(ui->places.tab, tab);
	assert_int_equal(ui->places.hidden, hidden);
	assert_int_equal(ui->places.split_x, split_x);
}

static void
make_mine(struct fixture *x)
{
	tidy_up(x);
	run(x, "put Stacks left");
	run(x, "put Lanes right");
	run(x, "tab Activity");
	run(x, "pane overview off");
	run(x, "split 300 700");
	run(x, "arrange save mine");
	run(x, "arrange plain");
	run(x, "split 600 800");
}

static void
it_comes_back(void **state)
{
	struct fixture *x = *state;

	make_mine(x);
	check(x->ui, VIEW_LANES, VIEW_TREE, VIEW_FUNCTIONS, 0, 600);
	run(x, "arrange mine");
	check(x->ui, VIEW_STACKS, VIEW_LANES, VIEW_ACTIVITY,
	    1u << PANE_OVERVIEW, 300);
	/* replaced by one with a view that is alone */
	run(x, "arrange plain");
	run(x, "put Tree alone");
	run(x, "arrange save mine");
	run(x, "arrange functions");
	assert_false(x->ui->places.maximised);
	run(x, "arrange mine");
	assert_true(x->ui->places.maximised);
	assert_int_equal(view_focused(x->ui), VIEW_TREE);
	run(x, "maximise");
	check(x->ui, VIEW_LANES, VIEW_TREE, VIEW_FUNCTIONS, 0, 300);
	assert_int_equal(x->ui->places.arranged.n, 1);
}

/* As many as there may be, as long as they can be. */
static void
the_file_has_all_of_them(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };
	char line[200];

	make_mine(x);
	for (int i = 1; i < ARRANGEMENTS_MAX; i++) {
		snprintf(line, sizeof(line),
		    "arrange save äöü-of-seventeen-%02d"
		    " left=Communication right=Activity dock=Functions"
		    " hidden=overview,tree,dock split=1000,1000"
		    " alone=Communication",
		    i);
		run(x, line);
	}
	refused(x, "arrange save more", "forget one first");
	run(x, "arrange save mine"); /* in the place of the old one */
	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	assert_int_equal(config_load(x->path, ui, &c), 0);
	assert_int_equal(ui->places.arranged.n, ARRANGEMENTS_MAX);
	for (unsigned i = 0; i < ARRANGEMENTS_MAX; i++)
		assert_memory_equal(&ui->places.arranged.of[i],
		    &x->ui->places.arranged.of[i],
		    sizeof(ui->places.arranged.of[i]));
	ui_free(ui);
}

static void
a_bad_one_is_refused(void **state)
{
	static const char *const bad[] = { "", "a,b", "a=b",
		"name-of-twenty-four-letters", "x left=Lanes",
		"x left=Lanes right=Lanes dock=Tree",
		"x left=Lanes right=Tree dock=Tree",
		"x left=Lanes right=Tree dock=Nothing",
		"x left=Lanes right=Tree dock=",
		"x left=Lanes right=Tree dock=Stacks and=more",
		"x left=Lanes right=Tree dock=Stacks alone=none",
		"x left=Lanes right=Tree dock=Stacks split=1",
		"x left=Lanes right=Tree dock=Stacks split=1,2,3",
		"x left=Lanes right=Tree dock=Stacks split=-1,2",
		"x left=Lanes right=Tree dock=Stacks split=1,1001",
		"x left=Lanes right=Tree dock=Stacks hidden=status",
		"x left=Lanes right=Tree dock=Stacks hidden=left,right,dock",
		"plain left=Lanes right=Tree dock=Stacks" };
	struct fixture *x = *state;
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };
	char line[200];

	snprintf(x->path, sizeof(x->path), "%s/conf", x->dir);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(line, sizeof(line), "arrange save %s", bad[i]);
		assert_int_equal(command_run(x->ui, line), -1);
		assert_int_equal(x->ui->places.arranged.n, 0);
		snprintf(line, sizeof(line), "split 1 2\narrange save %s\n",
		    bad[i]);
		write_file(x->path, line);
		assert_int_equal(config_load(x->path, ui, &c), -1);
		assert_int_equal(ui->places.split_x, 552);
	}
	/* only such that are kept; and no views but those */
	write_file(x->path, "arrange plain\narrange forget mine\n");
	assert_int_equal(config_load(x->path, ui, &c), -1);
	write_file(x->path, "arrange save x left=Compare right=Tree "
			    "dock=Stacks\n");
	assert_int_equal(config_load(x->path, ui, &c), 0);
	assert_int_equal(command_run(ui, "arrange x"), 0);
	check(ui, VIEW_LANES, VIEW_TREE, VIEW_STACKS, 0, 552);
	ui_free(ui);
}

static void
one_is_found_and_forgotten(void **state)
{
	struct fixture *x = *state;
	char *text = NULL;
	size_t n = 0;
	FILE *f;

	make_mine(x);
	refused(x, "arrange nothing",
	    "plain, functions, communication, memory, "
	    "critical, mine");
	refused(x, "arrange forget plain", "built in");
	refused(x, "arrange forget min", "no arrangement");
	f = open_memstream(&text, &n);
	ui_describe(x->ui, f);
	fclose(f);
	assert_non_null(strstr(text,
	    "\narrangements: plain functions communication memory critical mine\n"));
	free(text);
	/* typed: what it begins with is enough */
	command_run(x->ui, "prompt > arrange mi");
	keys_press(x->ui, "Tab", "");
	assert_string_equal(x->ui->prompt.typed, "arrange mine");
	keys_press(x->ui, "Return", "");
	assert_int_equal(x->ui->places.left, VIEW_STACKS);
	command_run(x->ui, "prompt > put Stac");
	keys_press(x->ui, "Tab", "");
	assert_string_equal(x->ui->prompt.typed, "put Stacks");
	keys_press(x->ui, "Escape", "");
	run(x, "arrange forget mine");
	refused(x, "arrange mine", "save NAME");
}

/* Of a window with two runs, the next one begins with one. */
static void
what_is_of_two_runs_is_not_kept(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };

	tidy_up(x);
	x->ui->places.left = x->ui->places.tab = VIEW_COMPARE;
	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	assert_int_equal(config_load(x->path, ui, &c), 0);
	assert_int_equal(ui->places.left, VIEW_LANES);
	ui_free(ui);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(it_comes_back),
		TEST(the_file_has_all_of_them),
		TEST(a_bad_one_is_refused),
		TEST(one_is_found_and_forgotten),
		TEST(what_is_of_two_runs_is_not_kept),
	};

	log_init("orrery", 0);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
