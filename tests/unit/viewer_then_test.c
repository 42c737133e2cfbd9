/* What is told at an instant of the playback is as it was then. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"

#define W 900
#define H 700

/* What the playback has not come to is not told. */
static void
nothing_is_told_before_it_happens(void **state)
{
	struct make_log log = { 0 };
	struct canvas c;
	struct ui *ui;
	struct model *m;
	struct task t;
	struct span s = { .t0_mon_ns = 1000, .t1_mon_ns = 3000 };
	uint32_t a, name, *px;

	(void)state;
	make_log_head(&log, "then");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	a = make_log_thread(&log, 1, 1, 1, "");
	name = make_log_name(&log, "work");
	make_log_event(&log, a, EV_task_spawn, 1000, 7, 0, name);
	make_log_event(&log, a, EV_task_begin, 2000, 7, 3, name);
	make_log_event(&log, a, EV_task_end, 4000, 7, 0, 0);
	make_log_event(&log, a, EV_note, 9000, 0, 0, 0);
	m = make_model(&log);
	ui = make_ui(m, &c, &px, W, H);
	command_run(ui, "seek 500ns"); /* at 1500 */
	tree_task_then(ui, m, 0, &t);
	assert_int_equal(t.flags, 0);
	assert_int_equal(t.begin_mon_ns, INT64_MIN);
	command_run(ui, "seek 1500ns"); /* at 2500 */
	tree_task_then(ui, m, 0, &t);
	assert_int_equal(t.flags, TASK_BEGUN);
	assert_int_equal(t.end_mon_ns, INT64_MIN);
	assert_int_equal(t.busy_ns, 500);
	assert_int_equal(run_span_then(ui, &s).t1_mon_ns, INT64_MAX);
	command_run(ui, "end");
	tree_task_then(ui, m, 0, &t);
	assert_int_equal(t.flags, TASK_BEGUN | TASK_ENDED);
	assert_int_equal(t.busy_ns, 2000);
	assert_int_equal(run_span_then(ui, &s).t1_mon_ns, 3000);
	ui_free(ui);
	model_free(m);
	free(px);
}

/*
 * Task 7 is suspended from 200 to 500 and ends; 8 from 400 to 580, and from 600
 * for good.
 */
static void
tasks_are_suspended_as_they_were(void **state)
{
	struct make_log log = { 0 };
	struct canvas c;
	struct ui *ui;
	struct model *m;
	struct task t;
	uint32_t a, name, *px;

	(void)state;
	make_log_head(&log, "then");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	a = make_log_thread(&log, 1, 1, 1, "");
	name = make_log_name(&log, "work");
	make_log_event(&log, a, EV_task_spawn, 0, 7, 0, name);
	make_log_event(&log, a, EV_task_spawn, 0, 8, 0, name);
	make_log_event(&log, a, EV_task_begin, 100, 7, 0, name);
	make_log_event(&log, a, EV_task_suspend, 200, 7, 0, 0);
	make_log_event(&log, a, EV_task_begin, 300, 8, 0, name);
	make_log_event(&log, a, EV_task_suspend, 400, 8, 0, 0);
	make_log_event(&log, a, EV_task_resume, 500, 7, 0, name);
	make_log_event(&log, a, EV_task_end, 550, 7, 0, 0);
	make_log_event(&log, a, EV_task_resume, 580, 8, 0, name);
	make_log_event(&log, a, EV_task_suspend, 600, 8, 0, 0);
	make_log_event(&log, a, EV_note, 1000, 0, 0, 0);
	m = make_model(&log);
	ui = make_ui(m, &c, &px, W, H);
	tree_task_then(ui, m, 0, &t);
	assert_int_equal(task_suspended_until(&t, 550), 300);
	tree_task_then(ui, m, 1, &t);
	assert_true(t.flags & TASK_SUSPENDED);
	assert_int_equal(task_suspended_until(&t, 1000), 180 + 400);
	assert_int_equal(task_suspended_until(&t, 600), 180);
	command_run(ui, "seek 450ns"); /* when, nobody has kept */
	for (uint32_t i = 0; i < 2; i++) {
		tree_task_then(ui, m, i, &t);
		assert_int_equal(t.flags, TASK_BEGUN);
		assert_int_equal(t.suspensions, 0);
		assert_int_equal(task_suspended_until(&t, 450), -1);
	}
	command_run(ui, "seek 250ns"); /* 8 has not begun */
	tree_task_then(ui, m, 1, &t);
	assert_int_equal(t.flags, 0);
	assert_int_equal(task_suspended_until(&t, 250), 0);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* How a node was then: its clock, its silence, and what had gone wrong. */
static void
nodes_are_as_they_were_then(void **state)
{
	static const struct {
		const char *seek;
		unsigned clock;
		bool silent;
		uint64_t late, steps;
		const char *badge; /* beside its name; NULL: none */
	} cases[] = { { "seek 50ns", CLOCK_COARSE, false, 0, 0,
			  "coarse ±50 ns" },
		{ "seek 200ns", CLOCK_LOCKED, false, 0, 0, NULL },
		{ "seek 400ns", CLOCK_HOLDOVER, false, 0, 0,
		    "holdover ±90 ns" },
		{ "seek 550ns", CLOCK_STEPPED, false, 0, 1, "stepped ±800 ns" },
		{ "seek 680ns", CLOCK_LOCKED, true, 0, 1, "silent" },
		{ "seek 715ns", CLOCK_LOCKED, false, 12, 1, NULL },
		{ "end", CLOCK_LOCKED, false, 12, 1, NULL } };
	char text[64];
	uint32_t rgb;
	struct make_log log = { 0 };
	struct node_health h;
	struct canvas c;
	struct model *m;
	struct ui *ui;
	uint32_t monitor, *px;

	(void)state;
	make_log_head(&log, "health");
	monitor = make_log_trouble(&log);
	make_log_event(&log, monitor, EV_note, 2000, 0, 0, 0);
	m = make_model(&log);
	ui = make_ui(m, &c, &px, W, H);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(command_run(ui, cases[i].seek), 0);
		health_of(ui, 2, &h);
		assert_int_equal(h.clock_state, cases[i].clock);
		assert_int_equal(h.silent, cases[i].silent);
		assert_int_equal(h.late, cases[i].late);
		assert_int_equal(h.steps, cases[i].steps);
		assert_int_equal(health_badge(ui, &h, &rgb, text, sizeof(text)),
		    cases[i].badge != NULL);
		if (cases[i].badge != NULL)
			assert_string_equal(text, cases[i].badge);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_told_before_it_happens),
		cmocka_unit_test(tasks_are_suspended_as_they_were),
		cmocka_unit_test(nodes_are_as_they_were_then),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
