/*
 * The view Memory, drawn: its time is that of all other views, and what may yet
 * be freed is not called never freed.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/commands/command.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/views/memory/memory.h"

#define MS 1000000

static struct model *model;
static struct canvas canvas;
static uint32_t *pixels;

/* The run begins 5 ms after the log; of two pieces one is freed at 15 ms. */
static int
set_up(void **state)
{
	struct feed_status feed = { .connected = true, .finished = true };
	struct make_log l = { 0 };
	uint32_t at, page;
	struct ui *ui;

	make_log_head(&l, "memory");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	at = make_log_thread(&l, 1, 1, 1, "ann");
	page = make_log_name(&l, "page");
	make_log_event(&l, at, EV_mem_alloc, 5 * MS, 0x1000, 64, page);
	make_log_event(&l, at, EV_mem_alloc, 6 * MS, 0x2000, 64, page);
	make_log_event(&l, at, EV_mem_free, 15 * MS, 0x1000, 0, page);
	make_log_event(&l, at, EV_note, 25 * MS, 0, 0, page);
	make_log_sort(&l);
	model = make_model(&l);
	ui = make_ui(model, &canvas, &pixels, 1000, 700);
	snprintf(feed.run, sizeof(feed.run), "11213141");
	ui_refresh(ui, model, &feed);
	*state = ui;
	return (0);
}

static int
tear_down(void **state)
{
	ui_free(*state);
	model_free(model);
	free(pixels);
	return (0);
}

static void
the_curve_has_the_time_of_all_views(void **state)
{
	struct ui *ui = *state;
	struct axis x = memory_axis(ui, 100, 900);

	assert_int_equal(run_origin(ui), 0);
	assert_true(x.lo == 5.0 * MS);
	assert_true(x.hi == 25.0 * MS + 1);
	assert_int_equal(x.lo_px, 100);
	assert_int_equal(x.hi_px, 900);
}

static void
hear(void *arg, int32_t x0, int32_t x1, int32_t y, bool right, const char *s,
    size_t n)
{
	char *all = arg;

	(void)x0;
	(void)x1;
	(void)y;
	(void)right;
	snprintf(all + strlen(all), 8192 - strlen(all), "%.*s\n", (int)n, s);
}

static void
drawn_has(struct ui *ui, const char *command, const char *has_it,
    const char *lacks)
{
	char *all = calloc(1, 8192);

	assert_non_null(all);
	assert_int_equal(command_run(ui, command), 0);
	ui_frame(ui, &canvas);
	draw_listen(hear, all);
	ui_frame(ui, &canvas);
	draw_listen(NULL, NULL);
	has(all, has_it);
	assert_null(strstr(all, lacks));
	free(all);
}

static void
what_may_yet_be_freed_is_not_never_freed(void **state)
{
	struct ui *ui = *state;

	drawn_has(ui, "put memory alone", "\nnever freed\n1\n", "not yet");
	drawn_has(ui, "seek 10ms", "\nnot yet freed\n2\n", "never");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    the_curve_has_the_time_of_all_views, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    what_may_yet_be_freed_is_not_never_freed, set_up,
		    tear_down),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
