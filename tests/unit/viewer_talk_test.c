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

/* The only line that is drawn for so many bytes. */
static struct item
line_of(uint64_t bytes, uint32_t tag, const char *how)
{
	struct make_log log = { 0 };
	struct timeline_layout l = { 0 };
	struct scene s = { 0 };
	struct model *m;
	struct ui *ui;
	uint32_t at[2], seen = 0;
	struct item line = { 0 };

	make_log_head(&log, "width");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "p");
	for (uint32_t i = 0; i < 2; i++)
		at[i] = make_log_thread(&log, 1, 1, 1 + i, "t");
	make_log_event(&log, at[0], EV_send, 1000, 1, bytes, tag);
	make_log_event(&log, at[1], EV_receive, 2000, 1, bytes, tag);
	m = make_model(&log);
	ui = ui_put(m, how);
	timeline_layout(m, &palette_dark, &ui->time, &l, &s);
	for (size_t i = 0; i < s.n; i++)
		if (s.items[i].of == OF_LINK) {
			line = s.items[i];
			seen++;
		}
	assert_int_equal(seen, 1);
	timeline_layout_free(&l);
	scene_free(&s);
	ui_free(ui);
	model_free(m);
	return (line);
}

static int32_t
width_of(uint64_t bytes, const char *how)
{
	return (line_of(bytes, 0, how).w);
}

static void
a_message_has_the_colour_of_its_tag(void **state)
{
	uint32_t plain = line_of(8, 3, "link-colour plain").rgb;

	(void)state;
	assert_int_equal(line_of(8, 0, "link-colour tag").rgb, plain);
	for (uint32_t tag = 1; tag < 40; tag++)
		assert_int_equal(line_of(8, tag, "link-colour tag").rgb,
		    timeline_tag_rgb(&palette_dark, tag));
	assert_true(timeline_tag_rgb(&palette_dark, 1) !=
		    timeline_tag_rgb(&palette_dark, 2));
}

/* Every third one is too large to be packed. */
static void
tags_are_kept_up_to_so_many(void **state)
{
	enum {
		MANY = 300,
		KEPT = 254
	};
	static struct link got[MANY + 1];
	struct make_log log = { 0 };
	struct model *m;
	uint32_t at[2];

	(void)state;
	make_log_head(&log, "tags");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "p");
	for (uint32_t i = 0; i < 2; i++)
		at[i] = make_log_thread(&log, 1, 1, 1 + i, "t");
	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t bytes = i % 3 == 2 ? 0x7fffffff1u : 8;

		make_log_event(&log, at[0], EV_send, 1000 + 10 * i, 1 + i,
		    bytes, i);
		make_log_event(&log, at[1], EV_receive, 1005 + 10 * i, 1 + i,
		    bytes, i);
	}
	make_log_sort(&log);
	m = make_model(&log);
	assert_int_equal(model_links(m, 0, 100000, got, MANY), MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(got[i].tag,
		    i <= KEPT || i % 3 == 2 ? i : LINK_TAG_OTHER);
	model_free(m);
}

static void
links_are_as_wide_as_they_are_large(void **state)
{
	static const struct {
		uint64_t bytes;
		int32_t px;
	} cases[] = { { 512, 2 }, { 4096, 3 }, { 32768, 4 }, { 262144, 5 },
		{ 2097152, 6 }, { (uint64_t)1 << 40, 6 } };
	int32_t plain = width_of(8, "link-width plain");

	(void)state;
	assert_int_equal(width_of(8, "link-width size"), plain);
	assert_int_equal(width_of(64, "link-width size"), plain);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(width_of(cases[i].bytes, "link-width size"),
		    cases[i].px * SCENE_ONE);
		assert_int_equal(width_of(cases[i].bytes, "link-width plain"),
		    plain);
	}
}

#define ENDS 6 /* threads: three nodes of two POs */

struct sent {
	uint64_t sent, sent_bytes, received, received_bytes;
};

static void
check_sums(struct ui *ui, const struct sent *v, uint32_t each)
{
	struct talk_pair sent[TALKS], received[TALKS];
	struct talk_groups g;

	assert_true(talk_groups_make(ui, talk_level_of(ui), 256, &g));
	assert_int_equal(g.n, ENDS / each);
	for (uint32_t i = 0; i < g.n; i++) {
		struct sent must = { 0, 0, 0, 0 };

		for (uint32_t k = i * each; k < (i + 1) * each; k++) {
			must.sent += v[k].sent;
			must.sent_bytes += v[k].sent_bytes;
			must.received += v[k].received;
			must.received_bytes += v[k].received_bytes;
		}
		talk_sums_of(ui, &g, i, sent, received);
		assert_int_equal(sent[TALK_MESSAGE].count, must.sent);
		assert_int_equal(sent[TALK_MESSAGE].bytes, must.sent_bytes);
		assert_int_equal(received[TALK_MESSAGE].count, must.received);
		assert_int_equal(received[TALK_MESSAGE].bytes,
		    must.received_bytes);
	}
	talk_groups_clear(&g);
}

static void
each_row_has_its_sums(void **state)
{
	struct make_log log = { 0 };
	struct sent v[ENDS] = { 0 };
	uint32_t at[ENDS];
	int64_t t = 1000;
	struct model *m;
	struct ui *ui;
	char name[16];

	(void)state;
	make_log_head(&log, "sums");
	for (uint32_t i = 0; i < ENDS; i++) {
		snprintf(name, sizeof(name), "n%u", i / 2 + 1);
		make_log_node(&log, 1 + i / 2, name);
		make_log_po(&log, 1 + i / 2, 1 + i % 2, "p");
		at[i] = make_log_thread(&log, 1 + i / 2, 1 + i % 2, 1, "t");
	}
	for (uint64_t id = 1; id <= 300; id++) {
		uint32_t from = (uint32_t)(rnd() % ENDS);
		uint32_t to =
		    (from + 1 + (uint32_t)(rnd() % (ENDS - 1))) % ENDS;
		uint64_t bytes = rnd() % 1000;

		make_log_event(&log, at[from], EV_send, t += 10, id, bytes, 0);
		make_log_event(&log, at[to], EV_receive, t += 10, id, bytes, 0);
		v[from].sent++;
		v[from].sent_bytes += bytes;
		v[to].received++;
		v[to].received_bytes += bytes;
	}
	m = make_model(&log);
	ui = ui_put(m, "put communication left");
	check_sums(ui, v, 1);
	assert_int_equal(command_run(ui, "communication nodes"), 0);
	check_sums(ui, v, 2);
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

/* From 100 to 900: one is taken at 600, one never; a call begins at 500. */
static struct model *
make_open(void)
{
	struct make_log log = { 0 };
	uint32_t a, b;

	make_log_head(&log, "open");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "p");
	make_log_po(&log, 1, 2, "q");
	a = make_log_thread(&log, 1, 1, 1, "t");
	b = make_log_thread(&log, 1, 2, 1, "t");
	make_log_event(&log, a, EV_send, 100, 1, 10, 0);
	make_log_event(&log, a, EV_send, 200, 2, 20, 0);
	make_log_event(&log, a, EV_rpc_call, 300, 3, 0, 0);
	make_log_event(&log, b, EV_rpc_begin, 500, 3, 0, 0);
	make_log_event(&log, b, EV_receive, 600, 1, 10, 0);
	make_log_event(&log, b, EV_rpc_end, 700, 3, 0, 0);
	make_log_event(&log, a, EV_note, 900, 0, 0, 0);
	return (make_model(&log));
}

/* A message that nobody takes is in flight for ever, wherever one looks. */
static void
what_is_not_taken_is_in_flight(void **state)
{
	static const struct {
		int64_t t0, t1, flight, waits, calls;
		uint64_t sent;
	} cases[] = { { 100, 900, 500 + 700, 500, 200, 2 },
		{ 150, 400, 250 + 200, 250, 100, 1 },
		{ 650, 800, 150, 0, 0, 0 }, { 300, 500, 400, 200, 200, 0 } };
	struct model *m = make_open();
	struct ui *ui = ui_put(m, "put communication left");
	struct open_links open = { 0 };
	struct flow f = { 0 };

	(void)state;
	while (!open_links_step(&open, m))
		continue;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(flow_begin(&f, ui, cases[i].t0, cases[i].t1));
		f.step_ns = 1 + (int64_t)i * 40;
		while (!flow_step(&f, &open))
			continue;
		assert_true(flow_known(&f));
		assert_int_equal(f.flight.ns, cases[i].flight);
		assert_int_equal(f.messages[1].ns, cases[i].waits);
		assert_int_equal(f.calls[1].ns, cases[i].calls);
		assert_int_equal(f.sent, cases[i].sent);
	}
	flow_clear(&f);
	open_links_clear(&open);
	ui_free(ui);
	model_free(m);
}

/* What --describe says of an instant, from the first event on. */
static void
each_phase_has_its_instant(void **state)
{
	static const struct {
		const char *at, *says;
	} cases[] = { { "50ns", "1 messages in flight, calls: setup 0, "
				"remote 0, return 0" },
		{ "250ns", "2 messages in flight, calls: setup 1, remote 0" },
		{ "450ns", "2 messages in flight, calls: setup 0, remote 1" },
		{ "550ns", "1 messages in flight, calls: setup 0, remote 1" },
		{ "700ns", "calls: setup 0, remote 0, return 1" } };
	struct model *m = make_open();
	struct ui *ui = ui_put(m, "put communication left");
	char line[64], *text;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(line, sizeof(line), "cursor %s", cases[i].at);
		assert_int_equal(command_run(ui, line), 0);
		assert_true(flow_prepare(ui));
		text = words_of(ui, now_describe);
		if (strstr(text, cases[i].says) == NULL)
			fail_msg("at %s: %s", cases[i].at, text);
		free(text);
	}
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_has_the_colour_of_its_tag),
		cmocka_unit_test(tags_are_kept_up_to_so_many),
		cmocka_unit_test(nobody_is_left_out),
		cmocka_unit_test(each_statistic_has_its_word),
		cmocka_unit_test(levels_follow_each_other),
		cmocka_unit_test(lives_are_those_of_then),
		cmocka_unit_test(a_part_that_is_asked_for_is_in_sight),
		cmocka_unit_test(circles_and_bands_answer),
		cmocka_unit_test(links_are_as_wide_as_they_are_large),
		cmocka_unit_test(each_row_has_its_sums),
		cmocka_unit_test(keys_are_those_of_the_view),
		cmocka_unit_test(n_goes_through_the_messages),
		cmocka_unit_test(what_is_not_taken_is_in_flight),
		cmocka_unit_test(each_phase_has_its_instant),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
