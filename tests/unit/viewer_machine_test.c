/*
 * The machine at an instant: each PO's state is that of its threads, what is on
 * its way counts for both ends, shapes and places are taken from commands and
 * files, a click selects, and many POs are folded without leaving one out.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_log.h"
#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/traffic/openlinks.h"
#include "ui/views/talk/machine.h"
#include "ui/views/view.h"

/*
 * n1/1 has two threads: one runs from 100 to 900, one waits for a message from
 * 200 to 600.  n1/2 sends it at 300, calls n2/1 from 400 to 800, which serves
 * that from 500 to 700; a message of 150 is never taken.  n2/1 begins at 450.
 */
static struct model *
make(void)
{
	struct make_log log = { 0 };
	uint32_t a, b, c, d, name;

	make_log_head(&log, "machine");
	name = make_log_name(&log, "work");
	make_log_node(&log, 1, "n1");
	make_log_node(&log, 2, "n2");
	make_log_po(&log, 1, 1, "p");
	make_log_po(&log, 1, 2, "q");
	make_log_po(&log, 2, 1, "r");
	a = make_log_thread(&log, 1, 1, 1, "a");
	b = make_log_thread(&log, 1, 1, 2, "b");
	c = make_log_thread(&log, 1, 2, 1, "c");
	d = make_log_thread(&log, 2, 1, 1, "d");
	make_log_event(&log, a, EV_enter, 100, 1, 0, name);
	make_log_event(&log, c, EV_send, 150, 9, 70, 0);
	make_log_event(&log, b, EV_receive_wait, 200, 1, 0, 0);
	make_log_event(&log, c, EV_send, 300, 1, 10, 0);
	make_log_event(&log, c, EV_rpc_call, 400, 3, 0, name);
	make_log_event(&log, d, EV_note, 450, 0, 0, name);
	make_log_event(&log, d, EV_rpc_begin, 500, 3, 0, name);
	make_log_event(&log, b, EV_receive, 600, 1, 10, 0);
	make_log_event(&log, d, EV_rpc_end, 700, 3, 0, name);
	make_log_event(&log, c, EV_rpc_return, 800, 3, 0, name);
	make_log_event(&log, a, EV_leave, 900, 1, 0, name);
	make_log_event(&log, a, EV_thread_end, 950, 0, 0, 0);
	make_log_event(&log, c, EV_note, 1000, 0, 0, name);
	return (make_model(&log));
}

/* What the words are at so many ns from the first event on. */
static char *
words_at(struct ui *ui, int t_ns)
{
	char line[64];

	snprintf(line, sizeof(line), "cursor %dns", t_ns);
	assert_int_equal(command_run(ui, line), 0);
	assert_true(machine_prepare(ui));
	return (words_of(ui, machine_describe));
}

static void
check_at(struct ui *ui, int t_ns, const char *says)
{
	char *text = words_at(ui, t_ns);

	if (strstr(text, says) == NULL)
		fail_msg("at %d not \"%s\": %s", t_ns, says, text);
	free(text);
}

static void
who_is_where_in_what_state(void **state)
{
	static const struct {
		int t; /* from the first event, at 100, on */
		const char *says;
	} cases[] = { { 20,
			  "p  PO 1: running; 1 thread: 1 running; 1 not yet" },
		{ 120, "p  PO 1: running; 2 threads: 1 running, 1 waits for a "
		       "message; on the way to it 0, from it 0" },
		{ 20, "r  PO 1: not yet; 0 threads; 1 not yet" },
		{ 220, "p  PO 1: running; 2 threads: 1 running, 1 waits for a "
		       "message; on the way to it 1, from it 0" },
		{ 220, "q  PO 2: idle; 1 thread: 1 idle; on the way to it 0, "
		       "from it 2" },
		{ 320, "q  PO 2: waits for a remote call; " },
		{ 320, "from it 3" }, { 420, "r  PO 1: running; " },
		{ 320, "on the way: 2 messages, calls: setup 1, remote 0, "
		       "return 0" },
		{ 420, "on the way: 2 messages, calls: setup 0, remote 1, "
		       "return 0" },
		{ 650, "on the way: 1 messages, calls: setup 0, remote 0, "
		       "return 1" },
		{ 220, "message, n1  q  PO 2 to n1  p  PO 1, since 200 ns, 10 "
		       "bytes" },
		{ 220, "message, n1  q  PO 2 to ?, since 50 ns, 70 bytes" },
		{ 450, "call: remote, n1  q  PO 2 to n2  r  PO 1, since 400" },
		{ 870, "1 thread: 1 idle; 1 ended" },
		{ 220, "at 220 ns, 3 processes as grid 2x2, 0 without" } };
	struct model *m = make();
	struct ui *ui = ui_put(m, "put machine left");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_at(ui, cases[i].t, cases[i].says);
	assert_int_equal(command_run(ui, "communication nodes"), 0);
	check_at(ui, 220, "2 nodes as grid 1x2");
	check_at(ui, 220,
	    "  n1: running; 3 threads: 1 idle, 1 running, 1 waits "
	    "for a message; on the way to it 1, from it 2");
	assert_int_equal(command_run(ui, "communication threads"), 0);
	check_at(ui, 220, "4 threads as grid 2x2");
	ui_free(ui);
	model_free(m);
}

static void
shapes_come_from_commands(void **state)
{
	struct model *m = make();
	struct ui *ui = ui_put(m, "put machine left");

	(void)state;
	assert_int_equal(command_run(ui, "machine-shape 1x2"), 0);
	check_at(ui, 220, "as grid 1x2, 1 without a place");
	assert_int_equal(command_run(ui, "machine-shape hypercube"), 0);
	check_at(ui, 220, "as hypercube of 2, 1 without a place");
	assert_int_equal(command_run(ui, "machine-shape nonsense"), -1);
	assert_non_null(strstr(ui->told.message, "hypercube"));
	assert_int_equal(command_run(ui, "machine-shape /"), -1);
	assert_non_null(strstr(ui->told.message, "not a file"));
	check_at(ui, 220, "as hypercube of 2");
	machine_forget(ui); /* another run: its shape stays */
	check_at(ui, 220, "as hypercube of 2");
	ui_free(ui);
	model_free(m);
}

static void
places_come_from_a_text(void **state)
{
	static const struct {
		const char *text;
		const char *wrong; /* NULL: it is right */
	} cases[] = { { "# two\nn1/1 0 0\n\n  #7 4 4\n n2/1\t8 -4 # right\r\n",
			  NULL },
		{ "n1/1 0", "line 1: not a name" },
		{ "n1/1 0 0\nn1/2 1 1 1\n", "line 2: not a name" },
		{ "n1/1 nan 0", "line 1" }, { "n1/1 1e99 0", "line 1" },
		{ "n1/1 0 0x", "line 1" }, { "# nothing\n", "no places" },
		{ "", "no places" } };
	struct model *m = make();
	struct ui *ui = ui_put(m, "put machine left");
	char text[128];
	double x, y;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "%s", cases[i].text);
		assert_int_equal(machine_layout_text(ui, "f", text),
		    cases[i].wrong == NULL ? 0 : -1);
		if (cases[i].wrong != NULL &&
		    strstr(ui->told.message, cases[i].wrong) == NULL)
			fail_msg("%s: %s", cases[i].text, ui->told.message);
	}
	check_at(ui, 220, "as own, 1 without a place");
	assert_true(machine_place(ui, machine_now(ui), 0, &x, &y));
	assert_true(x == 0 && y == 0.5);
	assert_false(machine_place(ui, machine_now(ui), 1, &x, &y));
	assert_true(machine_place(ui, machine_now(ui), 2, &x, &y));
	assert_true(x == 1 && y == 0);
	ui_free(ui);
	model_free(m);
}

/* Of all spots the one with this command: its middle. */
static const struct spot *
spot_of(const struct ui *ui, const char *command)
{
	for (unsigned i = 0; i < ui->spots.n; i++)
		if (strcmp(ui->spots.spot[i].command, command) == 0)
			return (&ui->spots.spot[i]);
	return (NULL);
}

static void
a_click_selects(void **state)
{
	struct model *m = make();
	struct ui *ui = ui_put(m, "put machine left");
	uint32_t *px = new_px(W, H);
	const struct spot *s;
	char line[40];

	(void)state;
	free(words_at(ui, 220));
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t lane = machine_now(ui)->square[i].lane;

		assert_int_equal(model_lane(m, lane)->kind, LANE_PO);
		frame(ui, px);
		snprintf(line, sizeof(line), "select-row %u", lane);
		s = spot_of(ui, line);
		assert_non_null(s);
		ui->mouse.in = true;
		ui->mouse.x = (s->at.x0 + s->at.x1) / 2;
		ui->mouse.y = (s->at.y0 + s->at.y1) / 2;
		ui_redo(ui);
		frame(ui, px);
		assert_non_null(strstr(ui->spots.hint, "PO"));
		assert_int_equal(command_run(ui, line), 0);
		assert_int_equal(ui->time.selected_lane, lane);
	}
	assert_int_equal(command_run(ui, "on-the-way 2"), 0);
	assert_int_equal(ui->chosen.clicked.of, OF_LINK);
	assert_int_equal(ui->chosen.clicked.link.bytes, 10);
	assert_int_equal(command_run(ui, "on-the-way 3"), -1);
	assert_int_equal(command_run(ui, "on-the-way 0"), -1);
	free(px);
	ui_free(ui);
	model_free(m);
}

/*
 * So many POs, each with a message under way from the first instant to the
 * last: also more than a piece of time is asked for at once.
 */
static void
many_are_folded(void **state)
{
	struct make_log log = { 0 };
	struct open_links open = { 0 };
	uint32_t nodes = 100, pos = 100, live = 0, to = 0;
	uint32_t *at = calloc((size_t)nodes * pos, sizeof(*at));
	struct model *m;
	struct ui *ui;
	char name[16], *text;

	(void)state;
	make_log_head(&log, "many");
	for (uint32_t i = 0; i < nodes; i++) {
		snprintf(name, sizeof(name), "n%u", i + 1);
		make_log_node(&log, 1 + i, name);
		for (uint32_t k = 0; k < pos; k++) {
			make_log_po(&log, 1 + i, 1 + k, "p");
			at[i * pos + k] =
			    make_log_thread(&log, 1 + i, 1 + k, 1, "t");
		}
	}
	for (uint32_t i = 0; i < nodes * pos; i++)
		make_log_event(&log, at[i], EV_send, 1000 + i, i + 1, 8, 0);
	for (uint32_t i = 0; i < nodes * pos; i++)
		make_log_event(&log, at[(i + pos) % (nodes * pos)], EV_receive,
		    1000000000 + i, i + 1, 8, 0);
	m = make_model(&log);
	free(at);
	ui = ui_put(m, "put machine left");
	for (int i = 0; !open_links_step(&open, m); i++)
		assert_true(i < 1000);
	open_links_clear(&open);
	text = words_at(ui, 500000000);
	assert_non_null(strstr(text, "100 nodes as grid 10x10, 0 without"));
	assert_non_null(strstr(text, "on the way: 10000 messages"));
	free(text);
	for (uint32_t i = 0; i < machine_now(ui)->g.n; i++) {
		live += machine_now(ui)->square[i].live;
		to += machine_now(ui)->square[i].to;
	}
	assert_int_equal(live, nodes * pos);
	assert_int_equal(to, nodes * pos);
	ui_free(ui);
	model_free(m);
}

static void
nothing_has_been_told(void **state)
{
	struct model *m = model_new();
	struct ui *ui = ui_put(m, "put machine left");
	uint32_t *px = new_px(W, H);

	(void)state;
	check_at(ui, 0, "machine: no process has begun yet");
	frame(ui, px);
	assert_int_equal(command_run(ui, "on-the-way 1"), -1);
	free(px);
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_where_in_what_state),
		cmocka_unit_test(shapes_come_from_commands),
		cmocka_unit_test(places_come_from_a_text),
		cmocka_unit_test(a_click_selects),
		cmocka_unit_test(many_are_folded),
		cmocka_unit_test(nothing_has_been_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
