/*
 * Single messages: their lines, tags and widths, the sums of each end, and what
 * is on its way at an instant.
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
		cmocka_unit_test(links_are_as_wide_as_they_are_large),
		cmocka_unit_test(each_row_has_its_sums),
		cmocka_unit_test(what_is_not_taken_is_in_flight),
		cmocka_unit_test(each_phase_has_its_instant),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
