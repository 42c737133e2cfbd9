/*
 * What views do with very much room, and with nothing to show: strips and
 * curves go as far as their axes, and each view says that there is nothing.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_ui.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/things/counters.h"
#include "ui/views/view.h"

#define US   1000
#define WIDE 6000
#define HIGH 260

/* A thread that runs all the time, and a counter that says so. */
static struct model *
make_busy(void)
{
	struct make_log l = { 0 };
	uint32_t all, thread, name, way;

	make_log_head(&l, "busy");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	all = make_log_thread(&l, 1, 1, 0, "");
	thread = make_log_thread(&l, 1, 1, 1, "worker");
	way = make_log_name(&l, "perf_event");
	name = make_log_name(&l, "queue");
	make_log_event(&l, all, EV_sched_from, 10 * US, 1, 0, way);
	make_log_event(&l, all, EV_sched_in, 10 * US, 7, 3, 0);
	for (int64_t i = 0; i < 100; i++)
		make_log_event(&l, thread, EV_counter, (10 + i * 10) * US,
		    (uint64_t)i, 0, name);
	make_log_event(&l, all, EV_sched_gone, 1000 * US, 7, 3, 0);
	make_log_sort(&l);
	return (make_model(&l));
}

/* The last column of pixels in which there is anything of that colour. */
static int32_t
last_of(const struct canvas *c, uint32_t rgb)
{
	for (int32_t x = c->width - 1; x >= 0; x--)
		for (int32_t y = 0; y < c->height; y++)
			if ((c->px[(size_t)y * (size_t)c->stride + (size_t)x] &
				0xffffff) == (rgb & 0xffffff))
				return (x);
	return (-1);
}

/* However wide, to the end of the range. */
static void
strips_reach_the_end(void **state)
{
	static const enum view_id of[] = { VIEW_STATES, VIEW_COUNTERS };
	uint32_t *px, *wide = malloc((size_t)WIDE * HIGH * sizeof(*wide));
	struct model *m = make_busy();
	struct canvas c, at;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	struct rect r = { 0, 0, WIDE, HIGH };

	(void)state;
	assert_non_null(wide);
	ui_frame(ui, &c);
	assert_int_equal(command_run(ui, "fit-all"), 0);
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		uint32_t rgb = ui->palette->state[LANE_running];
		struct counter k;

		if (of[i] == VIEW_COUNTERS) {
			assert_true(model_counter(m, 0, &k));
			rgb = counter_colour(ui, &k);
		}
		canvas_init_dots(&at, wide, WIDE, HIGH, WIDE);
		canvas_fill(&at, 0, 0, WIDE, HIGH, 0);
		ui->spots.n = 0;
		views[of[i]].draw(ui, &at, &r);
		assert_true(last_of(&at, rgb) > WIDE - 200);
	}
	free(wide);
	free(px);
	ui_free(ui);
	model_free(m);
}

/* The longest text that was drawn. */
static void
hear(void *arg, int32_t x0, int32_t x1, int32_t baseline, bool right,
    const char *text, size_t n)
{
	char *longest = arg;

	(void)x0, (void)x1, (void)baseline, (void)right;
	if (n > strlen(longest) && n < 200)
		snprintf(longest, 200, "%.*s", (int)n, text);
}

/* Of a run in which nothing has happened each view says so, in a sentence. */
static void
nothing_is_told_in_words(void **state)
{
	uint32_t *px;
	struct make_log l = { 0 };
	struct model *m;
	struct canvas c;
	struct ui *ui;
	struct rect r = { 10, 10, 630, 390 };

	(void)state;
	make_log_head(&l, "empty");
	make_log_node(&l, 1, "n1");
	make_log_sort(&l);
	m = make_model(&l);
	ui = make_ui(m, &c, &px, 640, 400);
	for (int v = 0; v < VIEWS; v++) {
		char longest[200] = "", put[64];

		snprintf(put, sizeof(put), "put %s alone", views[v].name);
		if (v == VIEW_DETAILS || v == VIEW_COMPARE ||
		    views[v].name[0] == '\0' || command_run(ui, put) == -1)
			continue; /* of the run, of two, not there */
		ui_frame(ui, &c);
		draw_listen(hear, longest);
		if (views[v].pane == PANES)
			views[v].draw(ui, &c, &r);
		else
			ui_frame(ui, &c);
		draw_listen(NULL, NULL);
		if (strchr(longest, ' ') == NULL || strlen(longest) < 18)
			fail_msg("%s says: %s", views[v].name, longest);
		if (strstr(longest, "adding up") != NULL)
			fail_msg("%s adds up for ever", views[v].name);
	}
	free(px);
	ui_free(ui);
	model_free(m);
}

/* Threads that begin later are none of a range; processes stand by node. */
static void
threads_are_those_of_the_time(void **state)
{
	struct make_log l = { 0 };
	uint32_t at[3], *of, n, *px;
	struct model *m;
	struct canvas c;
	struct ui *ui;
	struct share s;

	(void)state;
	make_log_head(&l, "later");
	make_log_node(&l, 1, "n1");
	make_log_node(&l, 2, "n2");
	make_log_po(&l, 2, 1, "second");
	make_log_po(&l, 1, 1, "first");
	at[0] = make_log_thread(&l, 2, 1, 1, "other");
	at[1] = make_log_thread(&l, 1, 1, 1, "early");
	at[2] = make_log_thread(&l, 1, 1, 2, "late");
	for (int64_t i = 0; i < 9; i++)
		for (int k = 0; k < 3; k++)
			if (k < 2 || i > 5)
				make_log_event(&l, at[k],
				    i % 2 == 0 ? EV_enter : EV_leave,
				    (10 + i * 10) * US, 1, 0, 0);
	make_log_sort(&l);
	m = make_model(&l);
	ui = make_ui(m, &c, &px, 640, 400);
	ui_frame(ui, &c);
	of = activity_processes(ui, &n);
	assert_int_equal(n, 2);
	assert_int_equal(model_lane(m, of[0])->node, 1);
	free(of);
	activity_po(ui, 1, 1, &s);
	assert_int_equal(s.threads, 2);
	assert_int_equal(command_run(ui, "select-range 0us:20us"), 0);
	ui_frame(ui, &c);
	activity_po(ui, 1, 1, &s);
	assert_int_equal(s.threads, 1);
	free(px);
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strips_reach_the_end),
		cmocka_unit_test(nothing_is_told_in_words),
		cmocka_unit_test(threads_are_those_of_the_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
