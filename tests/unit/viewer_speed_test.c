/*
 * How fast phases went: units by length, of phases that ended in the range and
 * told some; also of one that was begun in a task that slept meanwhile, of
 * chosen names, and with a click on what is drawn; and the gauges.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_log.h"
#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/views/activity/speed.h"
#include "ui/views/view.h"

/*
 * Thread a: form 100 to 200 of 50, form 300 to 500 of 30, solve 600 to 700 of
 * none; b: form 150 to 250 of 20; solve from 400 on in a task that sleeps from
 * 500 to 800, to 900 of 1000.
 */
static struct model *
make(void)
{
	struct make_log log = { 0 };
	uint32_t a, b, form, solve;

	make_log_head(&log, "speed");
	form = make_log_name(&log, "form");
	solve = make_log_name(&log, "solve");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "p");
	a = make_log_thread(&log, 1, 1, 1, "a");
	b = make_log_thread(&log, 1, 1, 2, "b");
	make_log_event(&log, a, EV_phase_begin, 100, 0, 0, form);
	make_log_event(&log, b, EV_phase_begin, 150, 0, 0, form);
	make_log_event(&log, a, EV_phase_end, 200, 50, 0, form);
	make_log_event(&log, b, EV_phase_end, 250, 20, 0, form);
	make_log_event(&log, a, EV_phase_begin, 300, 0, 0, form);
	make_log_event(&log, b, EV_task_begin, 350, 7, 0, 0);
	make_log_event(&log, b, EV_phase_begin, 400, 0, 0, solve);
	make_log_event(&log, a, EV_phase_end, 500, 30, 0, form);
	make_log_event(&log, b, EV_task_suspend, 500, 7, 0, 0);
	make_log_event(&log, a, EV_phase_begin, 600, 0, 0, solve);
	make_log_event(&log, a, EV_phase_end, 700, 0, 0, solve);
	make_log_event(&log, b, EV_task_resume, 800, 7, 0, 0);
	make_log_event(&log, b, EV_phase_end, 900, 1000, 0, solve);
	make_log_event(&log, b, EV_phase_end, 950, 1, 0, solve);
	make_log_event(&log, a, EV_note, 1000, 0, 0, form);
	return (make_model(&log));
}

static struct ui *
window(struct model *m)
{
	struct ui *ui = ui_put(m, "put activity left");

	assert_int_equal(command_run(ui, "activity speed"), 0);
	return (ui);
}

static void
check_words(struct ui *ui, const char *says, bool is)
{
	char *text = words_of(ui, speed_describe);

	if ((strstr(text, says) != NULL) != is)
		fail_msg("%s \"%s\": %s", is ? "not" : "but", says, text);
	free(text);
}

static void
units_by_length(void **state)
{
	/* ranges count from the first event, at 100, on */
	static const struct {
		const char *command, *says;
		bool is;
	} cases[] = {
		{ "clear", "speed: 2 phases, 1 without units\n", true },
		{ "clear", ", in phases 900 ns, rate ", true },
		{ "clear", ", power 1.22222e+09\n", true },
		{ "select-range 0ns:150ns", "  work: 50 units in ", true },
		{ "clear", "speed of form: 3 times, 100 units, 400 ns\n",
		    true },
		{ "clear",
		    "speed of form on a, p PO 1, node n1: 2 times, 80 "
		    "units, 300 ns\n",
		    true },
		{ "clear", "speed of solve: 1 times, 1000 units, 500 ns\n",
		    true },
		{ "select-range 0ns:150ns",
		    "speed of form: 1 times, 50 units, 100 ns\n", true },
		{ "select-range 0ns:151ns",
		    "speed of form: 2 times, 70 units, 200 ns\n", true },
		{ "select-range 150ns:800ns", "speed of solve: 1 times",
		    false },
		{ "select-range 800ns:850ns", "speed of solve: 1 times", true },
		{ "select-range 700ns:750ns", "speed: 0 phases, 0 without",
		    true },
		{ "clear", "speed: 2 phases", true },
		{ "phases ol", "speed of form", false },
		{ "phases ol", "speed of solve: 1 times", true },
		{ "phases nothing", "speed: 0 phases, 0 without", true },
		{ "phases", "speed: 2 phases", true },
	};
	struct model *m = make();
	struct ui *ui = window(m);

	(void)state;
	assert_int_equal(model_phases(m), 5);
	assert_int_equal(model_phases_left(m), 0);
	assert_null(model_phase(m, 5));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(command_run(ui, cases[i].command), 0);
		check_words(ui, cases[i].says, cases[i].is);
	}
	assert_int_equal(command_run(ui,
			     "phases 0123456789012345678901234567890123456789"
			     "0123456789"),
	    -1);
	ui_free(ui);
	model_free(m);
}

static void
what_is_drawn_can_be_clicked(void **state)
{
	struct model *m = make();
	struct ui *ui = window(m);
	uint32_t *px = new_px(W, H);
	const struct spot *s = NULL;

	(void)state;
	frame(ui, px);
	for (unsigned i = 0; i < ui->spots.n && s == NULL; i++)
		if (strcmp(ui->spots.spot[i].command, "phases solve") == 0)
			s = &ui->spots.spot[i];
	assert_non_null(s);
	if (s == NULL)
		return;
	ui->mouse.in = true;
	ui->mouse.x = (s->at.x0 + s->at.x1) / 2;
	ui->mouse.y = s->at.y0 + 2;
	ui_redo(ui);
	frame(ui, px);
	assert_non_null(strstr(ui->spots.hint, "solve\nall threads, mean"));
	assert_int_equal(command_run(ui, "phases solve"), 0);
	assert_int_equal(activity_speeds(ui)->names, 2);
	frame(ui, px);
	assert_int_equal(activity_speeds(ui)->names, 1);
	assert_int_equal(command_run(ui, "phases nothing"), 0);
	frame(ui, px);
	free(px);
	ui_free(ui);
	model_free(m);
}

/* Of the last 30 ms, that is of all since the first event, at 100. */
static void
gauges_are_of_just_before(void **state)
{
	static const struct {
		const char *at, *says;
	} cases[] = {
		{ "250ns",
		    "meter of n1  p  PO 1: 250 ns busy, 0 ns waiting of 450 ns; "
		    "ran 200 ns of 250 ns" },
		{ "0ns", "meters: nothing before this" },
	};
	struct model *m = make();
	struct ui *ui = window(m);
	uint32_t *px = new_px(W, H);
	char line[40], *text;

	(void)state;
	assert_int_equal(command_run(ui, "activity meters"), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(line, sizeof(line), "cursor %s", cases[i].at);
		assert_int_equal(command_run(ui, line), 0);
		frame(ui, px);
		text = words_of(ui, meters_describe);
		if (strstr(text, cases[i].says) == NULL)
			fail_msg("at %s: %s", cases[i].at, text);
		free(text);
	}
	assert_int_equal(command_run(ui, "cursor 250ns"), 0);
	assert_int_equal(command_run(ui, "communication nodes"), 0);
	text = words_of(ui, meters_describe);
	assert_non_null(strstr(text, "meter of n1: 250 ns busy"));
	free(text);
	free(px);
	ui_free(ui);
	model_free(m);
}

/* What is told late of the time before an instant counts, too. */
static void
gauges_follow_what_is_told(void **state)
{
	struct feed_status feed = { .connected = true };
	struct make_log log = { 0 };
	struct model *m = model_new();
	struct ui *ui;
	uint32_t a, b, name;
	size_t fed = 0;
	char *text;

	(void)state;
	make_log_head(&log, "late");
	name = make_log_name(&log, "f");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "p");
	a = make_log_thread(&log, 1, 1, 1, "a");
	b = make_log_thread(&log, 1, 1, 2, "b");
	make_log_event(&log, a, EV_enter, 100, 0, 0, name);
	make_log_event(&log, a, EV_leave, 200, 0, 0, name);
	make_log_event(&log, a, EV_note, 1000, 0, 0, name);
	make_log_blocks(&log, 0);
	make_model_tell(m, &log, &fed);
	ui = window(m);
	assert_int_equal(command_run(ui, "cursor 400ns"), 0);
	text = words_of(ui, meters_describe);
	assert_non_null(strstr(text, "100 ns busy"));
	free(text);
	make_log_event(&log, b, EV_enter, 300, 0, 0, name);
	make_log_event(&log, b, EV_leave, 350, 0, 0, name);
	make_log_blocks(&log, 0);
	make_model_tell(m, &log, &fed);
	ui_refresh(ui, m, &feed);
	text = words_of(ui, meters_describe);
	assert_non_null(strstr(text, "150 ns busy"));
	free(text);
	ui_free(ui);
	make_log_free(&log);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_by_length),
		cmocka_unit_test(what_is_drawn_can_be_clicked),
		cmocka_unit_test(gauges_are_of_just_before),
		cmocka_unit_test(gauges_follow_what_is_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
