/* Who called whom, and which functions call themselves, over which others. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/commands/command.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"

/*
 * In ns: main from 0 to 1000 calls rec at 100, which calls itself from 200 to
 * 300 and is over at 400; then even from 500, which calls odd, which calls even
 * again, which takes 50.
 */
static struct model *
make_run(int threads)
{
	struct make_log l = { 0 };
	uint32_t at, run, rec, even, odd;

	make_log_head(&l, "callers");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	at = make_log_thread(&l, 1, 1, 1, "");
	run = make_log_name(&l, "run");
	rec = make_log_name(&l, "rec");
	even = make_log_name(&l, "even");
	odd = make_log_name(&l, "odd");
#define E(kind, ns, name) make_log_event(&l, at, EV_##kind, ns, 0, 0, name)
	E(enter, 0, run);
	E(enter, 100, rec);
	E(enter, 200, rec);
	E(leave, 300, 0);
	E(leave, 400, 0);
	E(enter, 500, even);
	E(enter, 510, odd);
	E(enter, 520, even);
	E(leave, 570, 0);
	E(leave, 600, 0);
	E(leave, 700, 0);
	E(leave, 1000, 0);
#undef E
	if (threads > 1) { /* which has a processor for 30 of its 50 ns */
		at = make_log_thread(&l, 1, 1, 2, "other");
		make_log_event(&l, at, EV_sched_from, 1, 0, 0, 0);
		make_log_event(&l, at, EV_enter, 10, 0, 0, rec);
		make_log_event(&l, at, EV_sched_out, 20, 1, 0, 0);
		make_log_event(&l, at, EV_sched_in, 40, 1, 0, 0);
		make_log_event(&l, at, EV_leave, 60, 0, 0, 0);
		/* the same pair in two paths */
		for (int i = 0; i < 2; i++) {
			int64_t t = 70 + 10 * i;

			make_log_event(&l, at, EV_enter, t, 0, 0,
			    i == 0 ? run : even);
			make_log_event(&l, at, EV_enter, t + 1, 0, 0, odd);
			make_log_event(&l, at, EV_enter, t + 2, 0, 0, rec);
			make_log_event(&l, at, EV_leave, t + 5, 0, 0, 0);
			make_log_event(&l, at, EV_leave, t + 6, 0, 0, 0);
			make_log_event(&l, at, EV_leave, t + 7, 0, 0, 0);
		}
	}
	make_log_sort(&l);
	return (make_model(&l));
}

static void
pairs_are_added_up_and_circles_have_numbers(void **state)
{
	static const char *const lines[] = { "callers: 6, circles: 2\n",
		"  – > run: 1 calls, 1000 ns, self 500 ns, waits 0 ns, mean "
		"1000 ns, min 1000 ns\n",
		"  run > rec: 1 calls, 300 ns, self 200 ns, waits 0 ns, mean "
		"300 ns, min 300 ns; circle ",
		"  rec > rec: 1 calls, 0 ns, self 100 ns, waits 0 ns, mean -, "
		"min 100 ns; circle ",
		"  run > even: 1 calls, 200 ns, self 110 ns, waits 0 ns, mean "
		"200 ns, min 200 ns; circle 2\n",
		"  even > odd: 1 calls, 90 ns, self 40 ns, waits 0 ns, mean 90 "
		"ns, min 90 ns; circle 2\n",
		"  odd > even: 1 calls, 0 ns, self 50 ns, waits 0 ns, mean -, "
		"min 50 ns; circle 2\n" };
	struct feed_status feed = { .connected = true, .finished = true };
	struct model *m = make_run(1);
	struct ui *ui = ui_new(&palette_dark);
	char *text;

	(void)state;
	assert_non_null(ui);
	ui_resize(ui, 1000, 700);
	ui_refresh(ui, m, &feed);
	assert_int_equal(command_run(ui, "tab callers"), 0);
	text = described(ui);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		has(text, lines[i]);
	free(text);
	/* where nothing is */
	assert_int_equal(command_run(ui, "select-range 2us:3us"), 0);
	text = described(ui);
	has(text, "callers: ");
	free(text);
	ui_free(ui);
	model_free(m);
}

/* Does this, and what is said then has the line. */
static void
says(struct ui *ui, const char *command, const char *line)
{
	char *text;

	if (command_run(ui, command) == -1)
		fail_msg("%s: %s", command, ui->told.message);
	text = described(ui);
	has(text, line);
	free(text);
}

static void
lacks(struct ui *ui, const char *line)
{
	char *text = described(ui);

	assert_null(strstr(text, line));
	free(text);
}

static void
in_order(struct ui *ui, const char *command, const char *a, const char *b,
    const char *c, const char *d)
{
	const char *const line[] = { a, b, c, d };
	const char *at;
	char *text;

	assert_int_equal(command_run(ui, command), 0);
	text = described(ui);
	at = strstr(text, "callers: ");
	for (int i = 0; i < 4; i++)
		if (at == NULL || (at = strstr(at, line[i])) == NULL)
			fail_msg("%s: no '%s' there: %s", command, line[i],
			    text);
	free(text);
}

static void
pairs_are_of_a_row_and_sorted_by_a_column(void **state)
{
	static const char both[] =
	    "  – > rec: 1 calls, 50 ns, self 50 ns, waits 0 ns, mean 50 ns, "
	    "min 50 ns";
	struct feed_status feed = { .connected = true, .finished = true };
	struct model *m = make_run(2);
	struct ui *ui = ui_new(&palette_dark);
	uint32_t lane = 0;
	struct hand_group *some;
	char line[200], name[96];

	(void)state;
	assert_non_null(ui);
	ui_resize(ui, 1000, 700);
	ui_refresh(ui, m, &feed);
	says(ui, "callers all", "callers: 10, circles: 2\n  – > run: ");
	in_order(ui, "callers from",
	    "  – > run: ", "  – > rec: ", "  even > odd: ", "  run > rec: ");
	in_order(ui, "callers to",
	    "  odd > even: ", "  even > odd: ", "  run > rec: ", "  – > run: ");
	in_order(ui, "callers min", "  run > rec: ", "  run > even: ",
	    "  rec > rec: ", "  odd > even: ");
	in_order(ui, "callers mean",
	    "  – > run: ", "  run > rec: ", "  run > even: ", "  – > rec: ");
	in_order(ui, "callers self",
	    "  – > run: ", "  run > rec: ", "  run > even: ", "  rec > rec: ");
	while (strcmp(label_lane(m, model_lane(m, lane), name, sizeof(name)),
		   "other") != 0)
		assert_true(++lane < model_lanes(m));
	snprintf(line, sizeof(line), "select-row %u", lane);
	assert_int_equal(command_run(ui, line), 0);
	snprintf(line, sizeof(line),
	    "callers: 6, circles: 0, of other, shop PO 1, node n1\n%s, CPU 30 "
	    "ns\n",
	    both);
	says(ui, "callers row", line);
	says(ui, "callers row",
	    "  odd > rec: 2 calls, 6 ns, self 6 ns, waits 0 ns, mean 3 ns, "
	    "min 3 ns, CPU 6 ns\n");
	/* what has not ended in the range has no shortest */
	says(ui, "select-range 0ns:74ns",
	    "  odd > rec: 1 calls, 2 ns, self 2 ns, waits 0 ns, mean 2 ns, "
	    "min -, CPU 2 ns\n");
	assert_int_equal(command_run(ui, "clear"), 0);
	some = hand_make(model_hand(m), "some", 0);
	assert_int_equal(hand_join(model_hand(m), some, lane), 0);
	ui->time.selected_lane = some->pub.id;
	says(ui, "callers row", "callers: 6, circles: 0, of some\n  – > rec");
	says(ui, "tab stacks", "stacks of some at ");
	lacks(ui, "  n1 PO 1 thread 1");
	says(ui, "tab spans", "text: 1 threads until ");
	says(ui, "tab callers", "");
	/* its members change: those of a process are in it, too */
	for (lane = 0; model_lane(m, lane)->kind != LANE_PO;)
		assert_true(++lane < model_lanes(m));
	assert_int_equal(hand_join(model_hand(m), some, lane), 0);
	says(ui, "callers row", "callers: 10, circles: 2, of some\n");
	says(ui, "callers all", "callers: 10, circles: 2\n");
	assert_int_equal(command_run(ui, "callers frobnicate"), -1);
	has(ui->told.message, "all, row, from, to, circle, calls, total");
	ui_free(ui);
	model_free(m);
}

/* As in the window, but whole, with numbers that are numbers. */
static void
any_table_is_written_to_a_file(void **state)
{
	static const char want[] =
	    "view\tpart\trange_begins_ns\trange_ends_ns\trow\tfrom\tto\t"
	    "circle\tcalls\ttotal ms\tself ms\twaits ms\tmean µs\tmin µs\t"
	    "longest µs\n"
	    "Callers\t1\t0\t1000\t1\t–\trun\t\t1\t0.001\t0.001\t0.000\t1.0\t"
	    "1.0\t1.0\n"
	    "Callers\t1\t0\t1000\t2\trun\trec\t";
	struct feed_status feed = { .connected = true, .finished = true };
	struct model *m = make_run(1);
	struct ui *ui = ui_new(&palette_dark);
	char path[] = "/tmp/orrery-table.XXXXXX.tsv", line[80], got[4000];
	uint32_t spots;
	size_t n;
	FILE *f;

	(void)state;
	close(mkstemps(path, 4));
	ui_resize(ui, 1000, 700);
	ui_refresh(ui, m, &feed);
	spots = (uint32_t)ui->spots.n;
	ui->lists.scroll[VIEW_CALLERS] = 1;
	for (int twice = 0; twice < 2; twice++) { /* its own is replaced */
		snprintf(line, sizeof(line), "export %s callers", path);
		if (command_run(ui, line) == -1)
			fail_msg("%s", ui->told.message);
		has(ui->told.message, ": 6 rows");
		f = fopen(path, "r");
		assert_non_null(f);
		n = fread(got, 1, sizeof(got) - 1, f);
		fclose(f);
		got[n] = '\0';
		has(got, want);
	}
	assert_int_equal(ui->spots.n, spots);
	assert_int_equal(ui->lists.scroll[VIEW_CALLERS], 1);
	snprintf(line, sizeof(line), "export %s functions", path);
	assert_int_equal(command_run(ui, line), 0);
	has(ui->told.message, ": 4 rows");
	snprintf(line, sizeof(line), "export %s tree", path);
	assert_int_equal(command_run(ui, line), -1);
	has(ui->told.message, "Tree has no table");
	snprintf(line, sizeof(line), "export %s found", path);
	assert_int_equal(command_run(ui, line), -1);
	has(ui->told.message, "nothing is in it");
	snprintf(line, sizeof(line), "export %s nothing", path);
	assert_int_equal(command_run(ui, line), -1);
	unlink(path);
	ui_free(ui);
	model_free(m);
}

static void
hear(void *arg, int32_t x0, int32_t x1, int32_t y, bool right, const char *s,
    size_t n)
{
	(void)x0;
	(void)x1;
	(void)y;
	(void)right;
	(void)n;
	if (strstr(s, " lines back") != NULL)
		sscanf(s, "%u", (unsigned *)arg);
}

/* So many lines back the text is, after so many rows of scrolling. */
static unsigned
lines_back(struct ui *ui, struct canvas *c, int32_t rows)
{
	unsigned back = 0;

	view_scroll(ui, VIEW_SPANS, rows);
	draw_listen(hear, &back);
	ui_frame(ui, c);
	draw_listen(NULL, NULL);
	return (back);
}

static void
the_text_scrolls_back_and_on(void **state)
{
	struct model *m = make_run(2);
	struct canvas c;
	uint32_t *px;
	struct ui *ui = make_ui(m, &c, &px, 1000, 500);

	(void)state;
	assert_int_equal(command_run(ui, "tab spans"), 0);
	assert_int_equal(lines_back(ui, &c, 0), 0);
	assert_int_equal(lines_back(ui, &c, -3), 3);
	assert_int_equal(lines_back(ui, &c, 0), 3);
	assert_int_equal(lines_back(ui, &c, 1), 2);
	assert_in_range(lines_back(ui, &c, -1000), 4, 28); /* the first line */
	view_last_row(ui, VIEW_SPANS);
	assert_int_equal(lines_back(ui, &c, 0), 0);
	assert_int_equal(lines_back(ui, &c, 5), 0);
	ui_free(ui);
	free(px);
	model_free(m);
}

/* Where a frame of this name is drawn: what a click there does. */
static const struct spot *
frame_of(struct ui *ui, int32_t x, int32_t level)
{
	const struct rect *r = &ui->places.pane[PANE_DOCK];

	for (int32_t y = r->y0; y < r->y1; y++) {
		const struct spot *s = spot_at(ui, x, y);

		if (s != NULL && strncmp(s->command, "flame 0x", 8) == 0 &&
		    level-- == 0)
			return (s);
		if (s != NULL)
			y = s->at.y1 - 1;
	}
	return (NULL);
}

static void
a_frame_is_as_wide_as_its_time(void **state)
{
	static const char *const lines[] = { "flame: 6 frames, 1000 ns, width "
					     "time\n"
					     "  1 run: 1 calls, 1000 ns, self "
					     "500 ns, waits 0 ns\n"
					     "  2 even: 1 calls, 200 ns, self "
					     "110 ns, waits 0 ns\n"
					     "  3 odd: 1 calls, 90 ns, self 40 "
					     "ns, waits 0 ns\n"
					     "  4 even: 1 calls, 50 ns, self "
					     "50 ns, waits 0 ns\n"
					     "  2 rec: 1 calls, 300 ns, self "
					     "200 ns, waits 0 ns\n"
					     "  3 rec: 1 calls, 100 ns, self "
					     "100 ns, waits 0 ns\n" };
	struct model *m = make_run(1);
	struct canvas c;
	uint32_t *px;
	struct ui *ui = make_ui(m, &c, &px, 1000, 700);
	const struct spot *all, *even;
	char *text, even_now[64];
	int32_t w;

	(void)state;
	assert_int_equal(command_run(ui, "flame"), 0);
	text = described(ui);
	has(text, lines[0]);
	free(text);
	ui_frame(ui, &c);
	all = frame_of(ui, 20, 0);
	assert_non_null(all);
	w = all->at.x1 - all->at.x0;
	even = frame_of(ui, 20, 1);
	assert_non_null(even);
	assert_in_range(even->at.x1 - even->at.x0, w / 5 - 1, w / 5 + 1);
	snprintf(even_now, sizeof(even_now), "%s", even->command);
	/* a click: it is the root, its caller above it as wide */
	assert_int_equal(command_run(ui, even_now), 0);
	text = described(ui);
	has(text, "  2 even: 1 calls, 200 ns, self 110 ns, waits 0 ns; the "
		  "root\n");
	free(text);
	ui_frame(ui, &c);
	even = frame_of(ui, 20, 1);
	assert_string_equal(even->command, even_now);
	assert_int_equal(even->at.x1 - even->at.x0, w);
	assert_int_equal(frame_of(ui, 20, 0)->at.x1 -
			     frame_of(ui, 20, 0)->at.x0,
	    w);
	assert_int_equal(command_run(ui, "flame out"), 0);
	text = described(ui);
	has(text, "self 500 ns, waits 0 ns; the root\n");
	free(text);
	assert_int_equal(command_run(ui, "flame 7"), -1);
	has(ui->told.message, "a frame, from 1 to 6");
	assert_int_equal(command_run(ui, "flame cpu"), -1);
	has(ui->told.message, "no CPU times");
	ui_free(ui);
	free(px);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_added_up_and_circles_have_numbers),
		cmocka_unit_test(pairs_are_of_a_row_and_sorted_by_a_column),
		cmocka_unit_test(any_table_is_written_to_a_file),
		cmocka_unit_test(the_text_scrolls_back_and_on),
		cmocka_unit_test(a_frame_is_as_wide_as_its_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
