/*
 * Who talks to whom, in the window: rows and columns that are folded leave
 * nobody out, the table's sums are those of its cells, commands and keys choose
 * what is shown, and n goes through a pair's messages.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/rnd.h"
#include "tests/unit/make_log.h"
#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/panes/panes.h"
#include "ui/traffic/flow.h"
#include "ui/traffic/talk.h"
#include "ui/views/talk/talkmatrix.h"
#include "ui/views/talk/talkpairs.h"
#include "ui/views/talk/talkparts.h"

#define EACH 5 /* messages of a pair */

/* Nodes of so many POs; each sends to the one before and after it. */
static struct model *
make_of(uint32_t nodes, uint32_t pos, uint32_t threads)
{
	uint32_t n = nodes * pos, *at = calloc(n, sizeof(*at));
	struct make_log log = { 0 };
	char name[16];
	int64_t t = 1000;
	uint64_t id = 1;

	make_log_head(&log, "talk");
	for (uint32_t i = 0; i < nodes; i++) {
		snprintf(name, sizeof(name), "n%u", i + 1);
		make_log_node(&log, 1 + i, name);
		for (uint32_t k = 0; k < pos; k++) {
			make_log_po(&log, 1 + i, 1 + k, "p");
			at[i * pos + k] =
			    make_log_thread(&log, 1 + i, 1 + k, 1, "t");
			for (uint32_t j = 2; j <= threads; j++)
				make_log_thread(&log, 1 + i, 1 + k, j, "more");
		}
	}
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2 * EACH; k++, id++) {
			uint32_t to = (i + (k % 2 == 0 ? 1 : n - 1)) % n;

			make_log_event(&log, at[i], EV_send, t += 10, id, 8, 0);
			make_log_event(&log, at[to], EV_receive, t += 10, id, 8,
			    0);
		}
	free(at);
	return (make_model(&log));
}

static struct model *
make(uint32_t nodes, uint32_t pos)
{
	return (make_of(nodes, pos, 1));
}

static uint32_t
rows_now(struct ui *ui)
{
	assert_int_equal(timeline_rows(ui->model, &ui->time,
			     &ui->timepane.rows),
	    0);
	return ((uint32_t)ui->timepane.rows.nrows);
}

static void
check_groups(struct ui *ui, enum talk_level level, uint32_t most, uint32_t n,
    uint32_t members)
{
	uint32_t seen = 0, last = 0;
	struct talk_groups g;

	assert_true(talk_groups_make(ui, level, most, &g));
	assert_int_equal(g.n, n);
	for (uint32_t i = 0; i < g.nof; i++) {
		if (g.of[i] == UINT32_MAX)
			continue;
		assert_in_range(g.of[i], 0, g.n - 1);
		last = g.of[i] > last ? g.of[i] : last;
		seen++;
	}
	assert_int_equal(seen, members);
	assert_int_equal(last, g.n - 1);
	talk_groups_clear(&g);
}

static void
nobody_is_left_out(void **state)
{
	struct model *m = make(100, 100);
	struct ui *ui = ui_put(m, "put communication left");
	struct talk_table t;
	uint64_t sum = 0;

	(void)state;
	check_groups(ui, TALK_BY_PO, 20000, 100, 10000); /* 256 at most */
	check_groups(ui, TALK_BY_PO, 256, 100, 10000);
	check_groups(ui, TALK_BY_NODE, 256, 100, 10000);
	check_groups(ui, TALK_BY_NODE, 30, 25, 10000);
	check_groups(ui, TALK_BY_THREAD, 7, 7, 10000);
	check_groups(ui, TALK_BY_PO, 1, 1, 10000);
	assert_true(talk_table_make(ui, &talk_statistics[0], 30, &t));
	assert_int_equal(t.all.count, 10000 * 2 * EACH);
	for (uint32_t i = 0; i < t.groups.n; i++)
		sum += t.row[i].count;
	assert_int_equal(sum, t.all.count);
	talk_table_clear(&t);
	ui_free(ui);
	model_free(m);
}

static void
check_value(struct ui *ui, const char *name, double value)
{
	struct talk_table t;
	char line[64];

	snprintf(line, sizeof(line), "communication %s", name);
	assert_int_equal(command_run(ui, line), 0);
	assert_true(
	    talk_table_make(ui, &talk_statistics[talk_shown(ui)], 256, &t));
	assert_true(t.value[1] == value); /* n1/1 to n1/2 */
	talk_table_clear(&t);
}

static void
each_statistic_has_its_word(void **state)
{
	struct model *m = make(3, 4);
	struct ui *ui = ui_put(m, "put communication left");

	(void)state;
	check_value(ui, "number", EACH);
	check_value(ui, "bytes", EACH * 8);
	check_value(ui, "way-mean", 10);
	check_value(ui, "way-total", EACH * 10);
	check_value(ui, "whole-mean", 0);
	assert_int_equal(command_run(ui, "communication nonsense"), -1);
	assert_non_null(strstr(ui->told.message, "setup-mean"));
	ui_free(ui);
	model_free(m);
}

/* The lanes and these views are of the same level, whoever changes it. */
static void
levels_follow_each_other(void **state)
{
	static const struct {
		const char *command;
		unsigned level;
		uint32_t rows; /* in the lanes: 3 nodes, 12 POs, 24 threads */
	} cases[] = { { "level nodes", TALK_BY_NODE, 3 },
		{ "level processes", TALK_BY_PO, 15 },
		{ "communication nodes", TALK_BY_NODE, 3 },
		{ "communication threads", TALK_BY_THREAD, 39 },
		{ "communication POs", TALK_BY_PO, 15 },
		{ "level threads", TALK_BY_THREAD, 39 } };
	struct model *m = make_of(3, 4, 2);
	struct ui *ui = ui_put(m, "put communication left");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(command_run(ui, cases[i].command), 0);
		assert_int_equal(talk_level_of(ui), cases[i].level);
		assert_int_equal(rows_now(ui), cases[i].rows);
	}
	ui_free(ui);
	model_free(m);
}

static void
check_lives(struct ui *ui, int t_ns, const char *says)
{
	char line[64], *text;

	snprintf(line, sizeof(line), "cursor %dns", t_ns);
	assert_int_equal(command_run(ui, line), 0);
	text = words_of(ui, now_describe);
	if (strstr(text, says) == NULL)
		fail_msg("at %d not \"%s\": %s", t_ns, says, text);
	free(text);
}

/* PO 1 from 0 to 900; PO 2 begins at 200, says something at 400, ends at 600;
 * a thread of PO 1 is created at 100 and begins at 300. */
static struct model *
make_lives(void)
{
	struct make_log log = { 0 };
	uint32_t at[2], first, second, third;

	make_log_head(&log, "lives");
	make_log_node(&log, 1, "n1");
	for (uint32_t i = 0; i < 2; i++) {
		make_log_po(&log, 1, 1 + i, "p");
		at[i] = make_log_thread(&log, 1, 1 + i, 0, "collector");
	}
	first = make_log_thread(&log, 1, 1, 1, "a");
	second = make_log_thread(&log, 1, 1, 2, "b");
	third = make_log_thread(&log, 1, 2, 1, "c");
	make_log_event(&log, at[0], EV_po_begin, 1000, 71, 0, 0);
	make_log_event(&log, first, EV_thread_begin, 1000, 0, 0, 0);
	make_log_event(&log, first, EV_thread_create, 1100, 5, 0, 0);
	make_log_event(&log, at[1], EV_po_begin, 1200, 72, 1, 0);
	make_log_event(&log, second, EV_thread_begin, 1300, 5, 0, 0);
	make_log_event(&log, third, EV_thread_begin, 1400, 0, 0, 0);
	make_log_event(&log, at[1], EV_po_end, 1600, 72, 1, ENDING_EXITED);
	make_log_event(&log, second, EV_thread_end, 1700, 5, 0, 0);
	make_log_event(&log, at[0], EV_po_end, 1900, 71, 0, ENDING_SIGNAL | 9);
	make_log_event(&log, 0, EV_note, 2000, 0, 0, 0);
	return (make_model(&log));
}

static void
lives_are_those_of_then(void **state)
{
	struct model *m = make_lives();
	struct ui *ui = ui_put(m, "communication now");

	(void)state;
	check_lives(ui, 150, "n1  p  PO 1: alive\n  n1  p  PO 2: not yet");
	check_lives(ui, 250, "n1  p  PO 1: alive\n  n1  p  PO 2: being made");
	check_lives(ui, 450, "n1  p  PO 1: alive\n  n1  p  PO 2: alive");
	check_lives(ui, 750, "n1  p  PO 1: alive\n  n1  p  PO 2: ended");
	check_lives(ui, 950, "n1  p  PO 1: ended\n  n1  p  PO 2: ended");
	check_lives(ui, 250,
	    "POs then: not yet 0, being made 1, alive 1, "
	    "ended 0");
	assert_int_equal(command_run(ui, "communication threads"), 0);
	check_lives(ui, 50, "threads then: not yet 2, being made 0, alive 1");
	check_lives(ui, 150, "threads then: not yet 1, being made 1, alive 1");
	check_lives(ui, 450, "being made 0, alive 3, ended 0");
	check_lives(ui, 750, "being made 0, alive 1, ended 2");
	assert_int_equal(command_run(ui, "communication nodes"), 0);
	check_lives(ui, 750, "nodes then: not yet 0, being made 0, alive 1");
	check_lives(ui, 950, "alive 0, ended 1");
	ui_free(ui);
	model_free(m);
}

/* What the first place of this kind does on a click; "": there is none. */
static const char *
command_of(struct ui *ui, uint32_t *px, const char *begins)
{
	frame(ui, px);
	for (unsigned i = 0; i < ui->spots.n; i++)
		if (strncmp(ui->spots.spot[i].command, begins,
			strlen(begins)) == 0)
			return (ui->spots.spot[i].command);
	return ("");
}

/* Who asks for a part of a view wants to see it; a level is of several views.
 */
static void
a_part_that_is_asked_for_is_in_sight(void **state)
{
	static const struct {
		const char *command;
		enum view_id tab;
	} cases[] = {
		{ "communication threads", VIEW_FUNCTIONS },
		{ "communication queues", VIEW_COMMUNICATION },
		{ "communication bytes", VIEW_COMMUNICATION },
		{ "activity profile", VIEW_ACTIVITY },
		{ "phases step", VIEW_ACTIVITY },
	};
	struct model *m = make_lives();
	struct ui *ui = ui_put(m, "tab functions");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(command_run(ui, "tab functions"), 0);
		assert_int_equal(command_run(ui, cases[i].command), 0);
		assert_int_equal(ui->places.tab, cases[i].tab);
	}
	ui_free(ui);
	model_free(m);
}

static void
circles_and_bands_answer(void **state)
{
	struct model *m = make_of(3, 4, 2);
	struct ui *ui = ui_put(m, "put communication alone");
	uint32_t *px = new_px(W, H);
	const char *c;
	unsigned row;

	(void)state;
	assert_int_equal(command_run(ui, "communication now"), 0);
	c = command_of(ui, px, "select-row ");
	assert_int_equal(sscanf(c, "select-row %u", &row), 1);
	assert_int_equal(model_lane(m, row)->kind, LANE_PO);
	assert_int_equal(model_lane(m, row)->node, 1);
	assert_int_equal(model_lane(m, row)->po, 1);
	assert_int_equal(command_run(ui, "level nodes"), 0);
	assert_int_equal(command_run(ui, "communication POs"), 0);
	c = command_of(ui, px, "open-row ");
	assert_int_equal(command_run(ui, c), 0);
	assert_int_equal(ui->time.selected_lane, row);
	assert_int_equal(rows_now(ui), 15 + 2); /* its threads */
	assert_int_equal(command_run(ui, "communication number"), 0);
	c = command_of(ui, px, "communication nodes");
	assert_string_equal(c, "communication nodes");
	assert_int_equal(command_run(ui, c), 0);
	assert_int_equal(talk_level_of(ui), TALK_BY_NODE);
	free(px);
	ui_free(ui);
	model_free(m);
}

static void
keys_are_those_of_the_view(void **state)
{
	struct model *m = make(3, 4);
	struct ui *ui = ui_put(m, "put communication left");

	(void)state;
	ui->places.focus = view_pane(ui, PANE_LEFT);
	assert_int_equal(view_focused(ui), VIEW_COMMUNICATION);
	keys_press(ui, "c", "c");
	assert_string_equal(talk_statistics[talk_shown(ui)].name, "bytes");
	keys_press(ui, "h", "h");
	assert_int_equal(talk_level_of(ui), TALK_BY_NODE);
	ui_free(ui);
	model_free(m);
}

static void
n_goes_through_the_messages(void **state)
{
	struct model *m = make(3, 4);
	struct ui *ui = ui_put(m, "put communication left");
	const struct link *l = &ui->chosen.clicked.link;
	int64_t last = 0;

	(void)state;
	assert_int_equal(command_run(ui, "pair n9/1 n1/2"), -1);
	assert_int_equal(command_run(ui, "pair n1/7 n1/2"), -1);
	assert_int_equal(command_run(ui, "pair n1/1"), -1);
	assert_int_equal(command_run(ui, "pair-next"), -1);
	assert_int_equal(command_run(ui, "pair n1/2 n1/3"), 0);
	ui->places.focus = view_pane(ui, PANE_LEFT);
	for (int i = 0; i < EACH; i++) {
		assert_int_equal(command_run(ui, "next"), 0);
		assert_true(l->t0_mon_ns > last);
		assert_int_equal(model_lane(m, l->lane0)->po, 2);
		assert_int_equal(model_lane(m, l->lane1)->po, 3);
		last = l->t0_mon_ns;
	}
	assert_int_equal(command_run(ui, "next"), -1);
	for (int i = 1; i < EACH; i++) {
		assert_int_equal(command_run(ui, "previous"), 0);
		assert_true(l->t0_mon_ns < last);
		last = l->t0_mon_ns;
	}
	assert_int_equal(command_run(ui, "previous"), -1);
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_left_out),
		cmocka_unit_test(each_statistic_has_its_word),
		cmocka_unit_test(levels_follow_each_other),
		cmocka_unit_test(lives_are_those_of_then),
		cmocka_unit_test(a_part_that_is_asked_for_is_in_sight),
		cmocka_unit_test(circles_and_bands_answer),
		cmocka_unit_test(keys_are_those_of_the_view),
		cmocka_unit_test(n_goes_through_the_messages),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
