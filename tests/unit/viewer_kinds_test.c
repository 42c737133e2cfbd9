/*
 * The radial view of other trees than that of tasks: of who started whom, and
 * of calls; what is selected in it, and that panels and trees are of one time.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/viewer_ui.h"
#include "ui/desk/desk.h"
#include "ui/traffic/talk.h"
#include "ui/views/view.h"

#define W 900
#define H 700

static uint32_t main_lane, worker_lane;

static void
po_of(struct make_log *l, uint32_t po, uint32_t parent, const char *program)
{
	struct msg_po d = { .node = 1,
		.po = po,
		.parent_po = parent,
		.program = BYTES_STR(program),
		.command = BYTES_STR(program) };

	assert_int_equal(frame_append(&l->out, MSG_po, &d), 0);
}

/*
 * main: [1000 solve [1100 sweep 1300] [1400 sweep 1500] 2000] [2000 out 2400]
 * worker: [1200 solve [1300 sweep 1900] 2000]; the process forks another.
 */
static int
setup(void **state)
{
	struct fixture *f;
	struct make_log log = { 0 };
	uint32_t solve, sweep, out, a, b, c;

	make_log_head(&log, "kinds");
	make_log_node(&log, 1, "n1");
	make_log_node(&log, 2, "n2");
	make_log_po(&log, 1, 1, "prog");
	po_of(&log, 2, 1, "child");
	a = make_log_thread(&log, 1, 1, 1, "main");
	b = make_log_thread(&log, 1, 1, 2, "worker");
	c = make_log_thread(&log, 1, 2, 1, "alone");
	solve = make_log_name(&log, "solve");
	sweep = make_log_name(&log, "sweep");
	out = make_log_name(&log, "out");
	make_log_event(&log, a, EV_thread_create, 900, 77, 0, 0);
	make_log_event(&log, b, EV_thread_begin, 950, 77, 1, 0);
	make_log_event(&log, a, EV_enter, 1000, 1, 0, solve);
	make_log_event(&log, a, EV_enter, 1100, 2, 0, sweep);
	make_log_event(&log, a, EV_leave, 1300, 2, 0, sweep);
	make_log_event(&log, a, EV_enter, 1400, 2, 0, sweep);
	make_log_event(&log, a, EV_leave, 1500, 2, 0, sweep);
	make_log_event(&log, a, EV_leave, 2000, 1, 0, solve);
	make_log_event(&log, a, EV_enter, 2000, 3, 0, out);
	make_log_event(&log, a, EV_leave, 2400, 3, 0, out);
	make_log_event(&log, b, EV_enter, 1200, 1, 0, solve);
	make_log_event(&log, b, EV_enter, 1300, 2, 0, sweep);
	make_log_event(&log, b, EV_leave, 1900, 2, 0, sweep);
	make_log_event(&log, b, EV_leave, 2000, 1, 0, solve);
	make_log_event(&log, c, EV_note, 1600, 1, 0, out);
	make_log_event(&log, c, EV_note, 2500, 1, 0, out);
	(void)open_on(state, make_model(&log), W, H);
	f = *state;
	main_lane = model_location_lane(f->m, a);
	worker_lane = model_location_lane(f->m, b);
	run(f, "tree-of tasks");
	return (0);
}

/* The node of this name below another; TASK_NONE: at the top. */
static uint32_t
named(const struct fixture *f, const char *name, uint32_t parent)
{
	const struct model *m = tree_model(f->ui);
	char buf[96];
	struct task t;

	for (uint32_t i = 0; i < model_tasks(m); i++) {
		model_task_get(m, i, &t);
		if (t.parent == parent &&
		    strcmp(label_task(m, &t, buf, sizeof(buf)), name) == 0)
			return (i);
	}
	return (TASK_NONE);
}

static void
threads_hang_below_who_started_them(void **state)
{
	struct fixture *f = *state;
	uint32_t node, po, first, worker, child;

	run(f, "tree-of threads");
	node = named(f, "node n1", TASK_NONE);
	assert_int_not_equal(node, TASK_NONE);
	po = named(f, "prog  PO 1", node);
	first = named(f, "main", po);
	assert_int_not_equal(first, TASK_NONE);
	worker = named(f, "worker", first); /* not below the process */
	assert_int_not_equal(worker, TASK_NONE);
	child = named(f, "child  PO 2", po); /* it was forked */
	assert_int_not_equal(named(f, "alone", child), TASK_NONE);
	assert_int_equal(tree_node(f->ui, worker)->lane, worker_lane);
	assert_int_equal(tree_node(f->ui, first)->self_ns, 1400);
	assert_int_equal(f->ui->treepane.nodes.drawn,
	    model_tasks(tree_model(f->ui)));

	/* a row is a node, and a node a row */
	tree_select(f->ui, worker);
	assert_int_equal(f->ui->time.selected_lane, worker_lane);
	f->ui->time.selected_lane = main_lane;
	assert_int_equal(tree_selected(f->ui), first);
	ui_frame(f->ui, &f->c);
	assert_int_equal(f->ui->tree.selected_task, main_lane + 1);
}

static void
calls_are_of_the_time_of_the_panels(void **state)
{
	struct fixture *f = *state;
	const struct grown_node *n;
	uint32_t solve, sweep, out, all;

	run(f, "tree-of calls");
	all = named(f, "all threads", TASK_NONE);
	solve = named(f, "solve", all);
	sweep = named(f, "sweep", solve);
	out = named(f, "out", all);
	n = tree_node(f->ui, solve);
	assert_int_equal(n->calls, 2);
	assert_int_equal(n->total_ns, 1000 + 800);
	assert_int_equal(n->self_ns, 700 + 200);
	assert_int_equal(n->longest_ns, 1000);
	assert_int_equal(n->threads, 2);
	n = tree_node(f->ui, sweep);
	assert_int_equal(n->calls, 3);
	assert_int_equal(n->total_ns, 200 + 100 + 600);
	assert_int_equal(n->lane, worker_lane);
	assert_int_equal(tree_node(f->ui, out)->total_ns, 400);

	/* what is selected stays so when the range is another one */
	tree_select(f->ui, sweep);
	run(f, "select-range 500ns:600ns"); /* from 1400 to 1500 */
	sweep = tree_selected(f->ui);
	assert_int_not_equal(sweep, TASK_NONE);
	assert_int_equal(tree_node(f->ui, sweep)->total_ns, 200);
	assert_int_equal(tree_node(f->ui, sweep)->calls, 1);
	assert_int_equal(named(f, "out", 0), TASK_NONE);

	/* of one thread only */
	run(f, "select-range 0ns:1600ns");
	f->ui->time.selected_lane = worker_lane;
	run(f, "tree-of calls selected");
	all = named(f, "worker", TASK_NONE);
	assert_int_equal(tree_node(f->ui, all)->total_ns, 800);
	assert_int_equal(named(f, "out", all), TASK_NONE);
}

/* Sectors are shares of the time; what is not in a call below stays free. */
static void
sectors_are_weighed(void **state)
{
	struct fixture *f = *state;
	const struct radial_layout *l = &f->ui->treepane.nodes;
	double arc[2] = { 0, 0 };

	run(f, "tree-of calls");
	for (size_t i = 0; i < l->nnodes; i++) {
		uint32_t t = l->nodes[i].task;

		if (t == named(f, "solve", 0))
			arc[0] = l->nodes[i].arc_rad;
		else if (t == named(f, "sweep", named(f, "solve", 0)))
			arc[1] = l->nodes[i].arc_rad;
	}
	assert_true(fabs(arc[0] / (2 * M_PI) - 1800.0 / 2200) < 1e-5);
	assert_true(fabs(arc[1] / (2 * M_PI) - 900.0 / 2200) < 1e-5);
	run(f, "weigh calls");
	for (size_t i = 0; i < l->nnodes; i++)
		if (l->nodes[i].task == named(f, "solve", 0))
			arc[0] = l->nodes[i].arc_rad;
	assert_true(fabs(arc[0] / (2 * M_PI) - 5.0 / 6) < 1e-5);
	assert_int_equal(command_run(f->ui, "weigh nonsense"), -1);
}

/* Each tree is seen as it was; back goes over the kinds, too. */
/* Nobody has said of what the tree is to be: of what there is. */
static void
without_tasks_there_are_calls(void **state)
{
	struct fixture *f = *state;

	ui_frame(f->ui, &f->c);
	assert_int_equal(f->ui->trees.of, TREE_TASKS);
	f->ui->trees.asked = false;
	ui_frame(f->ui, &f->c);
	assert_int_equal(f->ui->trees.of, TREE_CALLS);
	assert_true(model_tasks(f->ui->trees.grown.model) > 1);
}

static void
each_tree_keeps_how_it_was_seen(void **state)
{
	struct fixture *f = *state;

	run(f, "colour state");
	run(f, "tree-of calls");
	assert_int_equal(f->ui->tree.colour, RADIAL_PROCEDURE);
	tree_zoom(f->ui, 0.5, 10, 10);
	run(f, "tree-of tasks");
	assert_int_equal(f->ui->tree.colour, RADIAL_STATE);
	assert_true(f->ui->tree.zoom == 1);
	run(f, "tree-of calls");
	assert_true(f->ui->tree.zoom == 2);
	run(f, "tree-of threads");
	run(f, "back");
	assert_int_equal(f->ui->trees.of, TREE_CALLS);
	assert_int_equal(command_run(f->ui, "tree-of trees"), -1);
	assert_int_equal(command_run(f->ui, "tree-of calls 9999"), -1);
	assert_int_equal(command_run(f->ui, "tree"), -1);
}

/* Calls, notes and rows are found by their names, in the order of time. */
static void
what_has_a_name_is_found(void **state)
{
	struct fixture *f = *state;
	struct timeline_hit *h = &f->ui->chosen.clicked;

	run(f, "search sweep");
	assert_int_equal(h->of, OF_SPAN);
	assert_int_equal(h->span.t0_mon_ns, 1100);
	assert_int_equal(f->ui->time.selected_lane, main_lane);
	run(f, "next");
	assert_int_equal(h->span.t0_mon_ns, 1300);
	assert_int_equal(f->ui->time.selected_lane, worker_lane);
	run(f, "next");
	assert_int_equal(h->span.t0_mon_ns, 1400);
	run(f, "previous");
	assert_int_equal(h->span.t0_mon_ns, 1300);
	run(f, "next");
	run(f, "next"); /* behind the last one comes the first */
	assert_int_equal(h->span.t0_mon_ns, 1100);
	run(f, "previous");
	assert_int_equal(h->span.t0_mon_ns, 1400);
	/* a note, between calls of that name; and from where one looks */
	run(f, "search out");
	assert_int_equal(h->of, OF_MARK);
	assert_int_equal(h->mark.t_mon_ns, 1600);
	run(f, "next");
	assert_int_equal(h->span.t0_mon_ns, 2000);
	run(f, "range 1us:2us");
	run(f, "search solve");
	assert_int_equal(h->span.t0_mon_ns, 1000);
	/* the rows come last */
	run(f, "search work");
	assert_int_equal(f->ui->time.selected_lane, worker_lane);
	assert_int_equal(command_run(f->ui, "search nowhere"), -1);
	assert_int_equal(command_run(f->ui, "next"), -1);
}

/* A subtree stays open while its tree is made anew. */
static void
a_subtree_is_found_again(void **state)
{
	struct fixture *f = *state;
	char name[64];
	struct task t;

	run(f, "tree-of calls");
	tree_select(f->ui, named(f, "solve", 0));
	f->ui->mouse.task = TASK_NONE;
	run(f, "reroot");
	run(f, "select-range 50ns:900ns");
	assert_true(f->ui->tree.subtree);
	model_task_get(tree_model(f->ui), f->ui->tree.root, &t);
	assert_string_equal(label_task(tree_model(f->ui), &t, name,
				sizeof(name)),
	    "solve");
	run(f, "select-range 1200ns:1300ns"); /* nothing of it is left */
	assert_false(f->ui->tree.subtree);
}

/* The functions are of the same range, and end where the playback stands. */
static void
functions_are_of_the_same_time(void **state)
{
	struct fixture *f = *state;
	struct name_stats s[8];
	char of[96];

	run(f, "tab functions");
	assert_int_equal(functions_of(f->ui, s, 8, of, sizeof(of)), 3);
	assert_int_equal(s[0].total_ns, 1800);
	run(f, "select-range 0ns:250ns"); /* 900 to 1150 */
	assert_int_equal(functions_of(f->ui, s, 8, of, sizeof(of)), 2);
	assert_int_equal(s[0].total_ns, 150);
	assert_int_equal(s[0].calls, 1);
	assert_int_equal(s[1].total_ns, 50);
	run(f, "clear");
	run(f, "seek 300ns"); /* up to 1200, and with what happens then */
	assert_int_equal(functions_of(f->ui, s, 8, of, sizeof(of)), 2);
	assert_int_equal(s[0].calls, 2);
	assert_int_equal(s[0].total_ns, 201 + 1);
	run(f, "end");
	assert_int_equal(functions_of(f->ui, s, 8, of, sizeof(of)), 3);
}

/* What the panels' range has from one PO to the other. */
static uint64_t
sent(const struct ui *ui, uint32_t from, uint32_t to, uint64_t *bytes)
{
	struct talk_list l;
	struct talk_pair p;

	*bytes = 0;
	talk_list_of(ui, &l);
	for (uint32_t i = 0; i < l.n; i++) {
		talk_list_at(&l, i, &p);
		if (p.what == TALK_MESSAGE && p.from == from && p.to == to) {
			*bytes = p.bytes;
			return (p.count);
		}
	}
	return (0);
}

/* Three messages, of which the matrix and the list are of a part. */
static void
messages_are_of_the_same_time(void **state)
{
	static const struct {
		const char *range;
		uint64_t count, bytes;
	} cases[] = { { "0ns:5000ns", 3, 111 }, { "0ns:1101ns", 1, 1 },
		{ "1101ns:2101ns", 1, 10 }, { "2200ns:3100ns", 0, 0 },
		{ "1050ns:3101ns", 3, 111 } };
	struct make_log log = { 0 };
	struct canvas c;
	struct ui *ui;
	struct model *m;
	uint32_t a, b, *px;
	uint64_t bytes, size = 1;

	(void)state;
	make_log_head(&log, "messages");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	make_log_po(&log, 1, 2, "two");
	a = make_log_thread(&log, 1, 1, 1, "");
	b = make_log_thread(&log, 1, 2, 1, "");
	make_log_event(&log, a, EV_note, 1, 0, 0, 0);
	for (int i = 1; i <= 3; i++, size *= 10) {
		make_log_event(&log, a, EV_send, i * 1000, (uint64_t)i, size,
		    0);
		make_log_event(&log, b, EV_receive, i * 1000 + 101, (uint64_t)i,
		    size, 0);
	}
	make_log_event(&log, a, EV_note, 6000, 0, 0, 0);
	m = make_model(&log);
	ui = make_ui(m, &c, &px, W, H);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[64];

		snprintf(line, sizeof(line), "select-range %s", cases[i].range);
		assert_int_equal(command_run(ui, line), 0);
		ui_frame(ui, &c);
		assert_int_equal(processes_all(ui), 2);
		assert_int_equal(sent(ui, 0, 1, &bytes), cases[i].count);
		assert_int_equal(bytes, cases[i].bytes);
		assert_int_equal(sent(ui, 1, 0, &bytes), 0);
	}
	/* and where the playback stands: two have come, one of them just now */
	command_run(ui, "clear");
	command_run(ui, "seek 2100ns");
	ui_frame(ui, &c);
	assert_int_equal(sent(ui, 0, 1, &bytes), 2);
	command_run(ui, "end");
	ui_frame(ui, &c);
	assert_int_equal(sent(ui, 0, 1, &bytes), 3);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* The word at the upper right says how the run stands. */
static void
the_badge_says_how_it_stands(void **state)
{
	static const struct {
		struct feed_status feed;
		bool paused, playing;
		const char *said;
	} cases[] = {
		{ { .live = true, .connected = true }, 0, 0, "LIVE" },
		{ { .live = true, .connected = true }, 0, 0, "LIVE, HELD" },
		{ { .live = true, .connected = true }, true, 0, "PAUSED" },
		{ { .live = true, .connected = true }, 0, true, "REPLAY" },
		{ { .live = true }, 0, 0, "WAITING" },
		{ { .finished = true }, 0, 0, "FINISHED" },
		{ { .live = true, .connected = true, .state = 3 }, 0, 0,
		    "DISK FULL" },
		{ { .connected = true, .reading = true }, 0, 0, "READING" },
		{ { .connected = true,
		      .reading = true,
		      .bytes = 31,
		      .bytes_total = 100,
		      .left_s = 7 },
		    0, 0, "READING 31 %, 7 s left" },
	};
	struct model *m = model_new();
	struct canvas c;
	struct ui *ui;
	uint32_t *px;

	(void)state;
	ui = make_ui(m, &c, &px, W, H);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = strlen(cases[i].said);
		bool said = false;

		ui_refresh(ui, m, &cases[i].feed);
		for (int32_t x = W - 5; x > W / 2 && !said; x -= 12) {
			ui->play.paused = cases[i].paused;
			ui->play.playing = cases[i].playing;
			ui->play.fit = strcmp(cases[i].said, "LIVE, HELD") != 0;
			ui->play.follow = false;
			mouse_move(ui, x, 17);
			ui_frame(ui, &c);
			said = strncmp(ui->spots.hint, cases[i].said, n) == 0 &&
			       (ui->spots.hint[n] == '\0' ||
				   ui->spots.hint[n] == '\n');
		}
		if (!said)
			fail_msg("not %s", cases[i].said);
	}
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    threads_hang_below_who_started_them, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    calls_are_of_the_time_of_the_panels, setup, teardown),
		cmocka_unit_test_setup_teardown(sectors_are_weighed, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(what_has_a_name_is_found, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(without_tasks_there_are_calls,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(each_tree_keeps_how_it_was_seen,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(a_subtree_is_found_again, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(functions_are_of_the_same_time,
		    setup, teardown),
		cmocka_unit_test(messages_are_of_the_same_time),
		cmocka_unit_test(the_badge_says_how_it_stands),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
