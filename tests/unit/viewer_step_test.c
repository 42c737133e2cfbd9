/*
 * Time: a step goes to the next instant at which something happens, no event
 * is passed over, there and back is the same way, and every view shows that
 * instant and no other.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/make_pascal.h"
#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

#define W 1600
#define H 1200

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
	int64_t *all; /* times of events, each once, in order */
	size_t n;
	int64_t *seen; /* of those that change what is seen for certain */
	size_t nseen;
};

static bool
is_seen(unsigned kind)
{
	return (kind == EV_task_spawn || kind == EV_task_begin ||
		kind == EV_task_suspend || kind == EV_task_resume ||
		kind == EV_task_end || kind == EV_send || kind == EV_receive ||
		kind == EV_note);
}

static void
add_time(int64_t *v, size_t *n, int64_t t)
{
	if (*n == 0 || v[*n - 1] != t)
		v[(*n)++] = t;
}

static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));
	struct pascal *p = calloc(1, sizeof(*p));
	struct make_log log = { 0 };
	uint32_t at[2];

	assert_non_null(x);
	assert_non_null(p);
	make_log_head(&log, "steps");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "pascal");
	make_pascal(p, &log, 14, 3, 1, 1, 1000000, 30000);
	make_log_po(&log, 1, 2, "talk");
	at[0] = make_log_thread(&log, 1, 2, 1, "a");
	at[1] = make_log_thread(&log, 1, 2, 2, "b");
	for (unsigned i = 0; i < 50; i++) { /* some at the same time */
		int64_t t = 1000000 + 20011 * (int64_t)(i / 2 * 2);

		make_log_event(&log, at[i % 2], EV_send, t, 1000 + i, 8, 0);
		make_log_event(&log, at[1 - i % 2], EV_receive, t + 7000,
		    1000 + i, 8, 0);
		make_log_event(&log, at[0], EV_note, t + 9000, 1, 0, 0);
	}
	make_log_sort(&log);
	x->all = calloc(log.n, sizeof(*x->all));
	x->seen = calloc(log.n, sizeof(*x->seen));
	for (size_t i = 0; i < log.n; i++) {
		add_time(x->all, &x->n, log.events[i].t_mon_ns);
		if (is_seen(log.events[i].kind))
			add_time(x->seen, &x->nseen, log.events[i].t_mon_ns);
	}
	x->m = make_model(&log);
	free(p);
	x->ui = make_ui(x->m, &x->c, &x->px, W, H);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;

	ui_free(x->ui);
	model_free(x->m);
	free(x->all);
	free(x->seen);
	free(x->px);
	free(x);
	return (0);
}

static bool
has(const int64_t *v, size_t n, int64_t t)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == t)
			return (true);
	return (false);
}

static void
no_event_is_passed_over(void **state)
{
	struct fixture *x = *state;
	int64_t *way = calloc(x->n + 1, sizeof(*way));
	int64_t t = x->all[0] - 1, next;
	size_t n = 0;

	for (; (next = model_step(x->m, UINT32_MAX, t, 1)) != t; t = next) {
		assert_true(next > t && n < x->n);
		assert_true(has(x->all, x->n, next));
		way[n++] = next;
	}
	assert_true(n > 200);
	for (size_t i = 0; i < x->nseen; i++)
		if (!has(way, n, x->seen[i]))
			fail_msg("%lld was passed over", (long long)x->seen[i]);
	/* back, by other steps, from between the events */
	for (size_t i = n; i-- > 1;)
		assert_int_equal(model_step(x->m, UINT32_MAX, way[i], -1),
		    way[i - 1]);
	assert_int_equal(model_step(x->m, UINT32_MAX, way[0], -1), way[0]);
	for (size_t i = 0; i + 7 < n; i += 3) {
		assert_int_equal(model_step(x->m, UINT32_MAX, way[i], 7),
		    way[i + 7]);
		assert_int_equal(model_step(x->m, UINT32_MAX, way[i + 7], -7),
		    way[i]);
		assert_int_equal(model_step(x->m, UINT32_MAX, way[i] + 1, -1),
		    way[i]);
	}
	assert_int_equal(model_step(x->m, UINT32_MAX, way[0], 1000000),
	    way[n - 1]);
	free(way);
}

static void
a_row_has_steps_of_its_own(void **state)
{
	struct fixture *x = *state;
	uint32_t lane = UINT32_MAX;
	int64_t t = 0, next;
	size_t n = 0;

	for (uint32_t i = 0; i < model_lanes(x->m); i++)
		if (model_lane(x->m, i)->kind == LANE_THREAD &&
		    model_lane(x->m, i)->po == 2)
			lane = i; /* b */
	for (; (next = model_step(x->m, lane, t, 1)) != t; t = next)
		n++;
	assert_in_range(n, 50, 52); /* 25 pairs, and its first moment */
}

/* Of what is drawn at this instant, nothing is of another. */
static void
check_views(struct fixture *x, int64_t t)
{
	struct ui *ui = x->ui;
	const char *what;
	uint32_t spawned = 0, drawn = 0;
	struct share all;
	uint64_t begun = 0;

	ui_frame(ui, &x->c);
	assert_int_equal(ui->tree.until_mon_ns, t);
	assert_int_equal(run_instant(ui, &what), t);
	assert_true(ui->time.t0_mon_ns <= t && t <= ui->time.t1_mon_ns);
	for (uint32_t i = 0; i < model_tasks(x->m); i++) {
		spawned += model_task(x->m, i)->spawn_mon_ns <= t;
		begun += model_task(x->m, i)->begin_mon_ns <= t;
	}
	for (size_t i = 0; i < ui->treepane.nodes.nnodes; i++) {
		uint32_t task = ui->treepane.nodes.nodes[i].task;

		if (task == TASK_NONE)
			continue;
		drawn++;
		assert_true(model_task(x->m, task)->spawn_mon_ns <= t);
	}
	assert_int_equal(drawn, spawned);
	assert_int_equal(tasks_in(ui, 0, t + 1), begun);
	activity_of(ui, 0, &all);
	assert_true(all.threads_ns <= (t - run_origin(ui)) * all.threads);
}

static void
all_views_show_one_instant(void **state)
{
	struct fixture *x = *state;
	int64_t t;

	assert_int_equal(command_run(x->ui, "fit-all"), 0);
	assert_int_equal(command_run(x->ui, "start"), 0);
	t = x->ui->play.head_mon_ns;
	assert_int_equal(t, run_origin(x->ui));
	mouse_move(x->ui, x->ui->places.lanes.x0 + 100,
	    x->ui->places.lanes.y0 + 50);
	for (int i = 0; i < 120; i++) {
		assert_int_equal(command_run(x->ui, "step-forward"), 0);
		assert_true(x->ui->play.head_mon_ns > t);
		t = x->ui->play.head_mon_ns;
		check_views(x, t);
	}
	assert_int_equal(command_run(x->ui, "step-back 120"), 0);
	assert_int_equal(x->ui->play.head_mon_ns, run_origin(x->ui));
	assert_int_equal(command_run(x->ui, "step-back"), -1);
	assert_int_equal(command_run(x->ui, "step-forward 120"), 0);
	assert_int_equal(x->ui->play.head_mon_ns, t);
	/* a close look goes along */
	assert_int_equal(command_run(x->ui, "range 0us:5us"), 0);
	assert_int_equal(command_run(x->ui, "step-forward 30"), 0);
	check_views(x, x->ui->play.head_mon_ns);
	assert_int_equal(command_run(x->ui, "seek 300us"), 0);
	check_views(x, run_origin(x->ui) + 300000);
	/* from the end back: the last event but one */
	assert_int_equal(command_run(x->ui, "end"), 0);
	assert_int_equal(x->ui->play.head_mon_ns, INT64_MAX);
	assert_int_equal(command_run(x->ui, "step-forward"), -1);
	assert_int_equal(command_run(x->ui, "step-back"), 0);
	assert_true(x->ui->play.head_mon_ns < model_last_ns(x->m));
	assert_int_equal(command_run(x->ui, "step-back 0"), -1);
	assert_int_equal(command_run(x->ui, "step-back many"), -1);
}

static void
playing_takes_its_time(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	int64_t at, all = run_end(ui) - run_origin(ui);
	int n = 0;

	command_run(ui, "fit-all");
	command_run(ui, "start");
	command_run(ui, "speed 0.001");
	command_run(ui, "play");
	at = ui->play.head_mon_ns;
	assert_true(ui_advance(ui, 16000000));
	assert_int_equal(ui->play.head_mon_ns, at + 16000);
	check_views(x, at + 16000);
	command_run(ui, "pause");
	assert_false(ui_advance(ui, 16000000));
	command_run(ui, "pause");
	assert_true(ui_advance(ui, 1000000));
	/* what is left in about four seconds */
	command_run(ui, "fast-forward");
	at = ui->play.head_mon_ns;
	while (ui_advance(ui, 16000000))
		n++;
	assert_in_range(n, 200, 260);
	assert_int_equal(ui->play.head_mon_ns, INT64_MAX);
	assert_true(all > 0 && at > 0);
}

static void
markers_come_and_go(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	int64_t first = run_origin(ui);

	assert_int_equal(command_run(ui, "unmark"), -1);
	assert_int_equal(command_run(ui, "marker 200us two"), 0);
	assert_int_equal(command_run(ui, "marker 100us"), 0);
	assert_int_equal(command_run(ui, "marker 300us last one"), 0);
	assert_int_equal(command_run(ui, "marker soon"), -1);
	assert_int_equal(ui->markers.n, 3);
	assert_string_equal(ui->markers.marker[2].name, "last one");
	command_run(ui, "cursor 0s");
	assert_int_equal(command_run(ui, "next-marker"), 0);
	assert_int_equal(ui->chosen.cursor_mon_ns, first + 100000);
	command_run(ui, "next-marker");
	command_run(ui, "next-marker");
	assert_int_equal(ui->chosen.cursor_mon_ns, first + 300000);
	assert_int_equal(command_run(ui, "next-marker"), -1);
	assert_int_equal(command_run(ui, "previous-marker"), 0);
	assert_int_equal(ui->chosen.cursor_mon_ns, first + 200000);
	assert_int_equal(command_run(ui, "goto-marker last one"), 0);
	assert_int_equal(ui->chosen.cursor_mon_ns, first + 300000);
	assert_int_equal(command_run(ui, "goto-marker 1"), 0);
	assert_int_equal(ui->chosen.cursor_mon_ns, first + 100000);
	assert_int_equal(command_run(ui, "marker . start"), 0);
	assert_int_equal(ui->markers.n, 3); /* named, not set again */
	assert_string_equal(ui->markers.marker[0].name, "start");
	/* it goes there with a playback, too */
	command_run(ui, "seek 10us");
	command_run(ui, "goto-marker two");
	assert_int_equal(ui->play.head_mon_ns, first + 200000);
	command_run(ui, "end");
	ui_frame(ui, &x->c);
	assert_int_equal(command_run(ui, "unmark two"), 0);
	assert_int_equal(command_run(ui, "unmark two"), -1);
	assert_int_equal(ui->markers.n, 2);
	for (int i = 0; i < MARKERS_MAX + 3; i++) {
		char line[32];

		snprintf(line, sizeof(line), "marker %dns", i * 7 + 1);
		command_run(ui, line);
	}
	assert_int_equal(ui->markers.n, MARKERS_MAX);
	ui_frame(ui, &x->c);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(no_event_is_passed_over),
		TEST(a_row_has_steps_of_its_own),
		TEST(all_views_show_one_instant),
		TEST(playing_takes_its_time),
		TEST(markers_come_and_go),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
