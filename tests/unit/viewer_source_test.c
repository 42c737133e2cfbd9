/*
 * Sources: the file that a log tells of is found, or it is said what is wrong
 * with it; lines have what threads were found for there and what was called;
 * what is selected is followed; an editor gets the file as one argument.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/editor.h"
#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/commands/command.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/views/source/source.h"
#include "ui/views/source/sourcecode.h"

static char dir[64], path[128];

/* A place in the code becomes a line of prog.c in a function. */
static uint32_t
place(struct make_log *l, const char *code, const char *function, uint32_t line,
    uint32_t first)
{
	struct msg_symbol d = { .function = BYTES_STR(function),
		.file = BYTES_STR("prog.c"),
		.line = line,
		.first = first };

	d.name = make_log_name(l, code);
	assert_int_equal(frame_append(&l->out, MSG_symbol, &d), 0);
	return (d.name);
}

/*
 * In ns: run (line 11) from 0 to 1000 calls work (line 12) from 100 to 300.
 * Threads are found twice in work at line 30, called from line 40 of run, and
 * once in that line itself; and where work has called itself there, in a call
 * of itself.
 */
static struct model *
make_run(void)
{
	struct make_log l = { 0 };
	uint32_t at, run, work, in_work, in_run;

	make_log_head(&l, "source");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	at = make_log_thread(&l, 1, 1, 1, "");
	run = make_log_name(&l, "run");
	work = make_log_name(&l, "work");
	in_work = place(&l, "prog+0x10", "work", 30, 12);
	in_run = place(&l, "prog+0x20", "run", 40, 11);
#define E(kind, ns, a, b, name)                                                \
	make_log_event(&l, at, EV_##kind, ns, a, b, name)
	E(sample_stack, 0, 1, 0, in_run);
	E(sample_stack, 0, 2, 1, in_work);
	E(enter, 0, 0, 0, run);
	E(enter, 100, 0, 0, work);
	E(enter, 120, 0, 0, work);
	E(leave, 140, 0, 0, 0);
	E(sample_found, 150, 7, 500, 2);
	E(sample_found, 250, 7, 500, 2);
	E(sample_stack, 260, 3, 2, in_work);
	E(sample_found, 280, 7, 10, 3);
	E(sample_stack, 281, 4, 3, in_work);
	E(sample_found, 285, 7, 1, 4);
	E(leave, 300, 0, 0, 0);
	E(sample_found, 400, 7, 100, 1);
	E(leave, 1000, 0, 0, 0);
#undef E
	make_log_sort(&l);
	return (make_model(&l));
}

static void
write_lines(const char *name, unsigned lines)
{
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	for (unsigned i = 1; i <= lines; i++)
		fprintf(f, "\t/* %u */ work(run, \"run\");\n", i);
	fclose(f);
}

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
};

static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));
	char line[160];

	assert_non_null(x);
	snprintf(dir, sizeof(dir), "/tmp/orrery-source.XXXXXX");
	assert_non_null(mkdtemp(dir));
	x->m = make_run();
	x->ui = make_ui(x->m, &x->c, &x->px, 1000, 700);
	snprintf(line, sizeof(line), "source-path /nowhere:%s", dir);
	assert_int_equal(command_run(x->ui, line), 0);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;
	char line[160];

	snprintf(line, sizeof(line), "rm -rf %s", dir);
	assert_int_equal(system(line), 0);
	ui_free(x->ui);
	model_free(x->m);
	free(x->px);
	free(x);
	return (0);
}

static void
says(struct ui *ui, const char *words)
{
	char *text = described(ui);

	has(text, words);
	free(text);
}

static void
lines_have_what_was_found_and_called_there(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	write_lines("prog.c", 60);
	says(ui, "procedures: "); /* the tab is another one: no words of it */
	assert_int_equal(command_run(ui, "source work"), 0);
	assert_int_equal(ui->places.tab, VIEW_SOURCE);
	ui_frame(ui, &x->c);
	says(ui, "source: prog.c:12, work, declared in line 12\n");
	says(ui, "  told of: 4 lines, 1111 ns of 1111\n");
	says(ui,
	    "  line 11: 0 samples, 0 ns; within 0, 0 ns; 1 calls, 1000 ns, "
	    "waits 0 ns\n");
	says(ui, "  line 12: 0 samples, 0 ns; within 0, 0 ns; 2 calls, 200 ns, "
		 "waits 0 ns\n");
	says(ui, "  line 30: 4 samples, 1011 ns; within 4, 1011 ns\n");
	says(ui, "  line 40: 1 samples, 100 ns; within 5, 1111 ns\n");
	says(ui, "prog.c, 60 lines\n");
	says(ui, "  12> \t/* 12 */ work(run, \"run\");\n");
	assert_int_equal(command_run(ui, "source prog.c:30"), 0);
	says(ui, "source: prog.c:30, work, declared in line 12\n");
	/* of a part */
	assert_int_equal(command_run(ui, "select-range 200ns:500ns"), 0);
	says(ui, "  line 30: 3 samples, 511 ns; within 3, 511 ns\n");
	says(ui, "  line 40: 1 samples, 100 ns; within 4, 611 ns\n");
	assert_int_equal(command_run(ui, "select-range 200ns:400ns"), 0);
	says(ui, "  line 40: 0 samples, 0 ns; within 3, 511 ns\n");
}

static void
what_is_selected_is_followed(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct source *s;

	write_lines("prog.c", 60);
	assert_int_equal(command_run(ui, "source"), -1);
	assert_int_equal(command_run(ui, "source nobody"), -1);
	assert_non_null(strstr(ui->told.message, "nobody"));
	assert_int_equal(command_run(ui, "put Source right"), 0);
	assert_false(source_ready(ui));
	/* a call in the lanes, with the mouse */
	ui_frame(ui, &x->c);
	ui->chosen.clicked = (struct timeline_hit){ .of = OF_SPAN,
		.span = { .name = 2, .class = LANE_running },
		.lane = 2 };
	ui->time.selected_lane = 2;
	assert_true(source_ready(ui));
	s = source_get(ui);
	assert_int_equal(s->line, 12);
	/* a place that was asked for stays */
	assert_int_equal(command_run(ui, "source :40"), 0);
	assert_true(source_ready(ui));
	assert_int_equal(s->line, 40);
	ui->chosen.clicked.span.name = 1;
	assert_true(source_ready(ui));
	assert_int_equal(s->line, 11);
	/* rows of the gutter are links */
	ui_frame(ui, &x->c);
	for (unsigned i = 0; i < ui->spots.n; i++)
		if (strcmp(ui->spots.spot[i].command, "source :20") == 0) {
			mouse_down(ui, ui->spots.spot[i].at.x0 + 1,
			    ui->spots.spot[i].at.y0 + 1, 1, 0, 0);
			mouse_up(ui, ui->spots.spot[i].at.x0 + 1,
			    ui->spots.spot[i].at.y0 + 1, 1, 0);
			break;
		}
	assert_true(source_ready(ui));
	assert_int_equal(s->line, 20);
}

static void
the_way_leads_to_who_calls_and_back(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct source *s;

	write_lines("prog.c", 60);
	assert_int_equal(command_run(ui, "called-from"), -1);
	assert_int_equal(command_run(ui, "declared"), -1);
	assert_int_equal(command_run(ui, "put Source alone"), 0);
	assert_int_equal(command_run(ui, "source work"), 0);
	ui_frame(ui, &x->c);
	/* on a stack once, whatever calls itself; by calls: run, and itself */
	says(ui, "  work is called from: 4\n"
		 "    at run:40 in prog.c:40: 4 samples, 1011 ns\n"
		 "    at work:30 in prog.c:30: 2 samples, 11 ns\n"
		 "    by run, declared at prog.c:11: 1 calls, 200 ns\n"
		 "    by work, declared at prog.c:12: 1 calls, 0 ns\n");
	s = source_get(ui);
	assert_int_equal(command_run(ui, "called-from"), 0);
	assert_int_equal(s->line, 40);
	assert_int_equal(s->declared, 11);
	assert_int_equal(command_run(ui, "called-from"), 0);
	assert_int_equal(s->line, 30);
	assert_int_equal(command_run(ui, "called-from 3"), 0);
	assert_int_equal(s->line, 11);
	assert_int_equal(command_run(ui, "called-from"), 0);
	assert_int_equal(s->line, 12);
	assert_int_equal(command_run(ui, "called-from"), 0);
	assert_int_equal(s->line, 40);
	assert_int_equal(command_run(ui, "called-from 5"), -1);
	assert_int_equal(command_run(ui, "called-from 0"), -1);
	assert_int_equal(command_run(ui, "declared"), 0);
	assert_int_equal(s->line, 12);
	assert_int_equal(command_run(ui, "select-range 300ns:500ns"), 0);
	says(ui, "  work is called from: 0\n");
	/* nobody calls run */
	assert_int_equal(command_run(ui, "source run"), 0);
	assert_int_equal(command_run(ui, "called-from"), -1);
	assert_non_null(strstr(ui->told.message, "nobody"));
}

/*
 * work is called twice from line 40 of run, at two places, and once from line
 * 41; then from code of another file that lies where the first was.  Nothing
 * has told where run is called, and one place has no name.
 */
static struct model *
make_calls(void)
{
	struct msg_module code = { .node = 1,
		.po = 1,
		.start = 0x400000,
		.end = 0x500000,
		.base = 0x400000,
		.build_id = BYTES_STR("aabbccddeeff"),
		.path = BYTES_STR("/x/prog") };
	static const uint64_t from[] = { 0x400020, 0x400028, 0x400030, 0x4000ff,
		0x600001 };
	struct make_log l = { 0 };
	uint32_t at, run, work;

	make_log_head(&l, "source");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	at = make_log_thread(&l, 1, 1, 1, "");
	assert_int_equal(frame_append(&l.out, MSG_module, &code), 0);
	code.start = 0x600000;
	code.end = 0x700000;
	code.base = 0x5ffff0;
	code.build_id = BYTES_STR("");
	code.path = BYTES_STR("plug.so");
	assert_int_equal(frame_append(&l.out, MSG_module, &code), 0);
	run = place(&l, "prog#aabbccdd+0x1000", "run", 11, 11);
	work = place(&l, "prog#aabbccdd+0x2000", "work", 12, 12);
	place(&l, "prog#aabbccdd+0x1f", "run", 40, 11);
	place(&l, "prog#aabbccdd+0x27", "run", 40, 11);
	place(&l, "prog#aabbccdd+0x2f", "run", 41, 11);
	place(&l, "plug.so+0x10", "plug", 50, 49);
#define E(kind, ns, a, b, name)                                                \
	make_log_event(&l, at, EV_##kind, ns, a, b, name)
	E(enter, 0, 0x401000, 0, run);
	for (int i = 0; i < 5; i++) {
		E(enter, 100 * (i + 1), 0x402000, from[i], work);
		E(leave, 100 * (i + 1) + 50, 0x402000, 0, work);
	}
	E(leave, 1000, 0x401000, 0, run);
#undef E
	make_log_sort(&l);
	return (make_model(&l));
}

static void
calls_tell_from_which_lines(void **state)
{
	struct model *m = make_calls();
	struct canvas c;
	uint32_t *px;
	struct ui *ui = make_ui(m, &c, &px, 1000, 700);
	char *text;

	(void)state;
	assert_int_equal(command_run(ui, "put Source alone"), 0);
	assert_int_equal(command_run(ui, "source work"), 0);
	ui_frame(ui, &c);
	says(ui, "  work is called from: 4\n"
		 "    at run:40 in prog.c:40: 2 calls in the run\n"
		 "    at run:41 in prog.c:41: 1 calls in the run\n"
		 "    at plug:50 in prog.c:50: 1 calls in the run\n"
		 "    by run, declared at prog.c:11: 5 calls, 250 ns\n");
	assert_int_equal(command_run(ui, "called-from 2"), 0);
	assert_int_equal(source_get(ui)->line, 41);
	/* of one call: the lines that are in what it lies in */
	assert_int_equal(command_run(ui, "put Details alone"), 0);
	ui->time.selected_lane = 2;
	ui->chosen.clicked = (struct timeline_hit){ .of = OF_SPAN,
		.span = { .name = 2,
		    .class = LANE_running,
		    .kind = SPAN_call,
		    .depth = 1,
		    .t0_mon_ns = 100,
		    .t1_mon_ns = 150 },
		.lane = 2 };
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "called from\trun, prog.c:40 or run, prog.c:41\n");
	free(text);
	ui->chosen.clicked.span.name = 1;
	ui->chosen.clicked.span.depth = 0;
	ui->chosen.clicked.span.t0_mon_ns = 0;
	ui_frame(ui, &c);
	text = described(ui);
	assert_null(strstr(text, "called from\t"));
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
it_scrolls_from_end_to_end(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	write_lines("prog.c", 600);
	assert_int_equal(command_run(ui, "put Source alone"), 0);
	assert_int_equal(command_run(ui, "source :1"), -1);
	assert_int_equal(command_run(ui, "source work"), 0);
	ui_frame(ui, &x->c);
	view_last_row(ui, VIEW_SOURCE);
	ui_frame(ui, &x->c);
	says(ui, " to 600\n");
	says(ui, "  600| \t/* 600 */");
	view_scroll(ui, VIEW_SOURCE, -1000);
	ui_frame(ui, &x->c);
	says(ui, "  in sight: 1 to ");
}

static void
it_is_said_what_is_wrong_with_a_file(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	FILE *f;

	assert_int_equal(command_run(ui, "source work"), 0);
	says(ui, "  prog.c is not here\n");
	ui_frame(ui, &x->c);
	assert_int_equal(command_run(ui, "edit"), -1);
	snprintf(path, sizeof(path), "%s/prog.c", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(command_run(ui, "source work"), 0);
	says(ui, "/prog.c is no plain file\n");
	ui_frame(ui, &x->c);
	assert_int_equal(unlink(path), 0);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite("a\0b\n", 1, 4, f), 4);
	fclose(f);
	assert_int_equal(command_run(ui, "source work"), 0);
	says(ui, "/prog.c is no text\n");
	/* shorter than what is told */
	write_lines("prog.c", 39);
	assert_int_equal(command_run(ui, "source work"), 0);
	says(ui, "39 lines; not the file that ran: the log tells of line 40, "
		 "this one has 39\n");
	ui->feed.start_real_ns = 1;
	write_lines("prog.c", 40);
	assert_int_equal(command_run(ui, "source work"), 0);
	says(ui, "40 lines; changed since the run began\n");
	ui_frame(ui, &x->c);
	/* an empty one, and a line without an end */
	write_lines("prog.c", 0);
	assert_int_equal(command_run(ui, "source work"), 0);
	ui_frame(ui, &x->c);
	says(ui, ", 0 lines; not the file");
}

static void
a_file_is_found_by_what_it_ends_with(void **state)
{
	struct source_text t = { 0 };
	char at[SOURCE_PATH_BYTES], want[128];

	(void)state;
	write_lines("prog.c", 3);
	assert_null(source_text_find(&t, "/build/of/another/prog.c", dir, at));
	snprintf(want, sizeof(want), "%s/prog.c", dir);
	assert_string_equal(t.path, want);
	assert_int_equal(t.lines, 3);
	assert_string_equal(source_text_find(&t, "/build/other.c", dir, at),
	    "is not here");
	assert_null(t.bytes);
	assert_string_equal(source_text_find(&t, "/", dir, at),
	    "is no plain file");
	source_text_clear(&t);
}

/* A letter a piece: space, word, text, comment, else a point. */
static void
code_comes_in_pieces(void **state)
{
	static const struct {
		const char *code, *pieces;
		bool before, after;
	} cases[] = {
		{ "\tint a_1=f(x);", "_w_w.w.w..", false, false },
		{ "a /* b */ c", "w_c_w", false, false },
		{ "a /* b", "w_c", false, true },
		{ "b */ c // d", "c_w_c", true, false },
		{ "b * / c", "c", true, true },
		{ "\"/* \\\" x\" y", "t_w", false, false },
		{ "'\\", "t", false, false },
		{ "/*/ x", "c", false, true },
	};
	enum code_kind kind;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *p = cases[i].code;
		size_t n = strlen(p), k, at = 0;
		bool comment = cases[i].before;
		char pieces[40];

		for (; n > 0; p += k, n -= k) {
			k = code_piece(p, n, &comment, &kind);
			assert_true(k > 0 && k <= n);
			pieces[at++] = "_w.tc"[kind];
		}
		pieces[at] = '\0';
		assert_string_equal(pieces, cases[i].pieces);
		assert_int_equal(comment, cases[i].after);
	}
}

/* What a program writes and then moves there, within a minute. */
static void
first_line(const char *from, char *line, int size)
{
	FILE *f = NULL;

	for (int ms = 0; ms < 60000 && (f = fopen(from, "r")) == NULL; ms++)
		usleep(1000);
	assert_non_null(f);
	assert_non_null(fgets(line, size, f));
	fclose(f);
}

/* Whatever is in its name: a script writes down what it was given. */
static void
an_editor_gets_the_file_as_one_argument(void **state)
{
	static const char *const name = "a b$(id);'\"%f.c";
	char file[160], script[160], command[400], out[160], line[256] = "";
	char want[256], why[200] = "";
	FILE *f;

	(void)state;
	snprintf(file, sizeof(file), "%s/%s", dir, name);
	snprintf(script, sizeof(script), "%s/editor", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	f = fopen(script, "w");
	assert_non_null(f);
	fprintf(f,
	    "#!/bin/sh\nfor a; do printf '[%%s]' \"$a\"; done >%s.part\n"
	    "echo >>%s.part\nmv %s.part %s\n",
	    out, out, out, out);
	fclose(f);
	assert_int_equal(chmod(script, 0700), 0);
	snprintf(command, sizeof(command), "%s  -g %%f:%%l 100%%%%", script);
	assert_int_equal(editor_open(command, file, 12, why, sizeof(why)), 0);
	first_line(out, line, sizeof(line));
	snprintf(want, sizeof(want), "[-g][%s:12][100%%]\n", file);
	assert_string_equal(line, want);
	assert_int_equal(unlink(out), 0);
	assert_int_equal(editor_open(script, file, 3, why, sizeof(why)), 0);
	first_line(out, line, sizeof(line));
	snprintf(want, sizeof(want), "[+3][%s]\n", file);
	assert_string_equal(line, want);
	assert_int_equal(editor_open("/nowhere/ed", file, 3, why, sizeof(why)),
	    -1);
	assert_non_null(strstr(why, "/nowhere/ed"));
	unsetenv("VISUAL");
	unsetenv("EDITOR");
	assert_int_equal(editor_open(NULL, file, 3, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "EDITOR"));
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(lines_have_what_was_found_and_called_there),
		T(what_is_selected_is_followed),
		T(the_way_leads_to_who_calls_and_back),
		T(calls_tell_from_which_lines),
		T(it_scrolls_from_end_to_end),
		T(it_is_said_what_is_wrong_with_a_file),
		T(a_file_is_found_by_what_it_ends_with),
		T(code_comes_in_pieces),
		T(an_editor_gets_the_file_as_one_argument),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
