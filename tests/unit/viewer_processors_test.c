/*
 * On which processor a thread was, and how often that was another one, as the
 * scheduler's records say.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/input/input.h"
#include "ui/out/out.h"

#define US 1000

/*
 * In us, of a process that is recorded from 10 on: thread 7 is first heard of
 * as it loses processor 3 at 40, has 1 from 60 to 100, again from 110 to 120, 2
 * from 130 to 200 and 1 from 210 on; 8 is made at 50, on 5, and given 4 at 70.
 */
static struct model *
make_run(uint32_t *thread)
{
	struct make_log l = { 0 };
	uint32_t all, way;

	make_log_head(&l, "processors");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	all = make_log_thread(&l, 1, 1, 0, "");
	*thread = make_log_thread(&l, 1, 1, 1, "worker");
	way = make_log_name(&l, "perf_event");
#define E(kind, us, a, b, c)                                                   \
	make_log_event(&l, all, EV_##kind, (us)*US, a, b, c)
	E(sched_from, 10, 1, 0, way);
	E(sched_out, 40, 7, 3, 0);
	E(sched_new, 50, 8, 5, 0);
	E(sched_in, 60, 7, 1, 0);
	E(sched_in, 70, 8, 4, 0);
	E(sched_out, 100, 7, 1, 0);
	E(sched_in, 110, 7, 1, 0);
	E(sched_out, 120, 7, 1, 1);
	E(sched_in, 130, 7, 2, 0);
	E(sched_out, 200, 7, 2, 0);
	E(sched_in, 210, 7, 1, 0);
	E(sched_gone, 300, 7, 1, 0);
#undef E
	make_log_event(&l, *thread, EV_note, 310 * US, 0, 0, 0);
	make_log_sort(&l);
	return (make_model(&l));
}

static void
each_instant_has_a_processor(void **state)
{
	static const struct {
		uint32_t thread, cpu, moves;
		int us;
	} cases[] = {
		{ 0, SCHED_NO_CPU, 0, 9 }, /* not recorded yet */
		{ 0, 3, 0, 10 },           /* it has had it since then */
		{ 0, 3, 0, 59 },
		{ 0, 1, 1, 60 },
		{ 0, 1, 1, 129 },
		{ 0, 2, 2, 130 },
		{ 0, 2, 2, 205 },
		{ 0, 1, 3, 210 },
		{ 0, 1, 3, 400 },
		{ 1, SCHED_NO_CPU, 0, 60 },
		{ 1, 4, 0, 70 }, /* where it was made is no move */
		{ 2, SCHED_NO_CPU, 0, 100 },
	};
	uint32_t thread;
	struct model *m = make_run(&thread);
	struct sched_on on;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		model_sched_on(m, cases[i].thread, cases[i].us * US, &on);
		assert_int_equal(on.cpu, cases[i].cpu);
		assert_int_equal(on.moves, cases[i].moves);
	}
	model_free(m);
}

static void
views_say_where_it_was(void **state)
{
	uint32_t thread, *px;
	struct model *m = make_run(&thread);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char *text;

	(void)state;
	assert_int_equal(command_run(ui, "fit-all"), 0);
	assert_int_equal(command_run(ui, "put States left"), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "; on CPU 1, 3 moves");
	has(text, "; on CPU 4, 0 moves");
	free(text);
	/* the run begins at 10 us */
	assert_int_equal(command_run(ui, "select-range 100us:195us"), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "; on CPU 2, 1 moves");
	assert_null(strstr(text, "processors:"));
	free(text);
	/* 8 has processor 4 all of the time, 7 goes from 1 to 2 */
	assert_int_equal(command_run(ui, "states processor"), 0);
	for (int i = 0; i < 4; i++)
		ui_frame(ui, &c);
	text = described(ui);
	has(text, "processors: 3\n");
	has(text, "processor n1 1: in use 10000 ns, threads 1, came 0, most "
		  "10000 ns by thread 7\n");
	has(text, "processor n1 2: in use 70000 ns, threads 1, came 1, most "
		  "70000 ns by thread 7\n");
	has(text, "processor n1 4: in use 95000 ns, threads 1, came 0, most "
		  "95000 ns by thread 8\n");
	free(text);
	assert_int_equal(command_run(ui, "states core"), -1);
	assert_int_equal(command_run(ui, "states"), 0);
	assert_false(ui->lists.states_by_processor);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* By a clock that ticks seldom one has been on two since it was asked. */
static void
one_that_stays_for_no_time_has_come_too(void **state)
{
	struct make_log l = { 0 };
	uint32_t all, way, *px;
	struct canvas c;
	struct model *m;
	struct ui *ui;
	char *text;

	(void)state;
	make_log_head(&l, "processors");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	all = make_log_thread(&l, 1, 1, 0, "");
	way = make_log_name(&l, "perf_event");
	make_log_event(&l, all, EV_sched_from, 10 * US, 1, 0, way);
	make_log_event(&l, all, EV_sched_in, 20 * US, 7, 1, 0);
	make_log_event(&l, all, EV_sched_in, 40 * US, 7, 2, 0);
	make_log_event(&l, all, EV_sched_in, 40 * US, 7, 3, 0);
	make_log_event(&l, all, EV_sched_gone, 90 * US, 7, 3, 0);
	m = make_model(&l);
	ui = make_ui(m, &c, &px, 1200, 800);
	assert_int_equal(command_run(ui, "put States left"), 0);
	assert_int_equal(command_run(ui, "states processor"), 0);
	for (int i = 0; i < 4; i++)
		ui_frame(ui, &c);
	text = described(ui);
	has(text, "processor n1 2: in use 0 ns, threads 0, came 1");
	has(text, "processor n1 3: in use 50000 ns, threads 1, came 1");
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* As a picture is drawn at once: the window's own may be stopped. */
static bool
never(void *arg)
{
	(void)arg;
	return (false);
}

/* Of a view that was not in sight: nothing of it comes later. */
static void
the_first_picture_has_all(void **state)
{
	struct make_log l = { 0 };
	uint32_t all, *px, *first;
	struct canvas c;
	struct model *m;
	struct ui *ui;
	size_t bytes;

	(void)state;
	make_log_head(&l, "many");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	all = make_log_thread(&l, 1, 1, 0, "");
	make_log_event(&l, all, EV_sched_from, 10 * US, 1, 0, 0);
	for (uint32_t i = 0; i < 12; i++) {
		make_log_event(&l, all, EV_sched_new, (20 + i) * US, 7 + i, 0,
		    0);
		make_log_event(&l, all, EV_sched_in, (40 + i) * US, 7 + i, 0,
		    0);
		make_log_event(&l, all, EV_sched_gone, (60 + i) * US, 7 + i, 0,
		    0);
	}
	make_log_event(&l, all, EV_note, 310 * US, 0, 0, 0);
	m = make_model(&l);
	ui = make_ui(m, &c, &px, 1600, 800);
	ui->picture->stop_cb = never;
	assert_int_equal(command_run(ui, "put States left"), 0);
	assert_int_equal(command_run(ui, "maximise"), 0);
	ui_frame(ui, &c);
	bytes = (size_t)c.width * (size_t)c.height * sizeof(*px);
	first = malloc(bytes);
	assert_non_null(first);
	memcpy(first, px, bytes);
	ui_frame(ui, &c);
	assert_memory_equal(first, px, bytes);
	free(first);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
those_that_were_not_there_are_left_out(void **state)
{
	uint32_t thread, *px;
	struct model *m = make_run(&thread);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	static const struct {
		const char *command, *words;
	} cases[] = {
		{ "fit-all", "states: 2 threads, 0 not there in this time\n" },
		/* 8 is made at 50, of a run that begins at 10 */
		{ "select-range 5us:30us", "states: 1 threads, 1 not there" },
		{ "select-range 5us:60us", "states: 2 threads, 0 not there" },
		/* 7 is gone from 300 on */
		{ "select-range 290us:299us", "states: 1 threads, 1 not" },
		{ "select-range 289us:299us", "states: 2 threads, 0 not" },
		{ "clear", "states: 2 threads, 0 not there" },
	};
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(command_run(ui, cases[i].command), 0);
		ui_frame(ui, &c);
		text = described(ui);
		has(text, cases[i].words);
		free(text);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instant_has_a_processor),
		cmocka_unit_test(views_say_where_it_was),
		cmocka_unit_test(the_first_picture_has_all),
		cmocka_unit_test(those_that_were_not_there_are_left_out),
		cmocka_unit_test(one_that_stays_for_no_time_has_come_too),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
