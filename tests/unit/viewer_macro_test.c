/* Commands of the user's own, and keys. */
#include <string.h>

#include "log.h"
#include "tests/unit/viewer_desk.h"
#include "ui/commands/menu.h"
#include "ui/desk/macro.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/whole/config.h"
#include "ui/whole/frame.h"

static void
run(struct fixture *x, const char *line)
{
	if (command_run(x->ui, line) == -1)
		fail_msg("%s: %s", line, x->ui->told.message);
	ui_frame(x->ui, &x->c);
}

static void
refused(struct fixture *x, const char *line, const char *why)
{
	assert_int_equal(command_run(x->ui, line), -1);
	if (strcmp(x->ui->told.message, why) != 0)
		fail_msg("%s: %s, not %s", line, x->ui->told.message, why);
}

/* What a body becomes with these words. */
static void
words_go_in(void **state)
{
	static const struct {
		const char *body, *arg, *line[3];
	} cases[] = {
		{ "fit; end", "", { "fit", "end" } },
		{ " fit ;; end ", "", { "fit", "end" } },
		{ "range $1:$2", "1s 2s", { "range 1s:2s" } },
		{ "a $1; b $2", "one two  three", { "a one", "b two  three" } },
		{ "a $*", "one two", { "a one two" } },
		{ "a $2", "one two", { "a two" } },
		{ "a $$1 \\; b", "", { "a $1 ; b" } },
		{ "a $", "", { "a $" } },
		{ "a $x \\n", "", { "a $x \\n" } },
		{ "a $1$1", "$1;b", { "a $1;b$1;b" } },
	};
	char line[MACRO_LINE];
	struct macro_given g;
	const char *from;
	size_t n;
	bool more;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *p = cases[i].body;
		unsigned k = 0;

		macro_give(&g, cases[i].arg, macro_words(p, &more));
		while (*p != '\0') {
			p = macro_cut(p, &from, &n);
			if (n == 0)
				continue;
			assert_true(macro_fill(line, from, n, &g));
			assert_string_equal(line, cases[i].line[k++]);
		}
		assert_null(cases[i].line[k]);
	}
}

static void
it_does_what_it_is_made_of(void **state)
{
	struct fixture *x = *state;

	tidy_up(x);
	run(x, "define look tab $1; split $2");
	run(x, "define both look Counters 300 500; grid");
	x->ui->timepane.grid = true;
	run(x, "both");
	assert_int_equal(x->ui->places.tab, VIEW_COUNTERS);
	assert_int_equal(x->ui->places.split_x, 300);
	assert_false(x->ui->timepane.grid);
	/* by a key, also one that means something else, and held */
	run(x, "bind alt+1 look Stacks 310 500");
	run(x, "bind g both");
	keys_press(x->ui, "alt+1", "");
	assert_int_equal(x->ui->places.tab, VIEW_STACKS);
	keys_press(x->ui, "g", "g");
	assert_int_equal(x->ui->places.tab, VIEW_COUNTERS);
	assert_true(x->ui->timepane.grid);
	run(x, "bind g");
	keys_press(x->ui, "g", "g");
	assert_false(x->ui->timepane.grid);
	/* in the menu; what wants words is typed on */
	run(x, "commands");
	assert_int_equal(x->ui->menu->n, 2);
	assert_string_equal(x->ui->menu->item[0].command, "prompt > look ");
	assert_string_equal(x->ui->menu->item[1].command, "both");
	x->ui->menu->open = false;
	run(x, "undefine look");
	keys_press(x->ui, "alt+1", "");
	refused(x, "both", "both: no such command: look");
	run(x, "help");
	run(x, "help");
	run(x, "undefine both");
}

static void
what_is_wrong_is_told(void **state)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "define", "define wants NAME COMMAND; COMMAND ..., a name of "
			    "up to 23 letters, digits, - and _" },
		{ "define 9 fit",
		    "define wants NAME COMMAND; COMMAND ..., a name of "
		    "up to 23 letters, digits, - and _" },
		{ "define fit end", "fit is a command already" },
		{ "define new", "define new wants its commands" },
		{ "define new end; nix 3", "define: no such command: nix" },
		{ "two one", "two wants 2 words: split $1 $2" },
		{ "two one two", "two: split wants two numbers up to 1000" },
		{ "none more", "none takes nothing more" },
		{ "loop", "loop: more than 8 within each other" },
		{ "undefine nix", "no command of your own is called nix" },
		{ "bind nix fit", "no key is called nix" },
		{ "bind alt+9 nix", "bind: no such command: nix" },
		{ "bind Escape fit", "Escape closes what is open" },
		{ "bind alt+9", "alt+9 is bound to nothing of yours" },
	};
	struct fixture *x = *state;
	char line[1024] = "define more fit; ";

	tidy_up(x);
	refused(x, "commands",
	    "there are none of your own yet: define NAME "
	    "COMMAND; COMMAND ... makes one");
	run(x, "define two split $1 $2");
	run(x, "define none end");
	run(x, "define loop end");
	run(x, "define loop end; loop");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(x, cases[i].line, cases[i].why);
	memset(line + 17, ' ', 300);
	strcpy(line + 317, "end");
	refused(x, line, "more is longer than 199 bytes");
	for (int i = 3; i < MACROS_MAX; i++) {
		snprintf(line, sizeof(line), "define c%d end", i);
		run(x, line);
		snprintf(line, sizeof(line), "bind ctrl+F%d c%d", i, i);
		run(x, line);
	}
	refused(x, "define c99 end", "there are 32 commands of your own");
	ui_frame(x->ui, &x->c);
	for (int i = 3; i < MACROS_MAX; i++) {
		snprintf(line, sizeof(line), "undefine c%d", i);
		run(x, line);
	}
	run(x, "undefine two");
	run(x, "undefine none");
	run(x, "undefine loop");
	assert_int_equal(x->ui->desks->macros->n, 0);
	assert_int_equal(x->ui->desks->macros->nkeys, 0);
}

static void
the_file_keeps_them(void **state)
{
	struct fixture *x = *state;
	static const char *const bad[] = { "define\n", "define 1 fit\n",
		"define a \033[2J\n", "define a\n", "bind\n", "bind x \377\n",
		"bind nix fit\n", "commands\n" };
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };
	char *text = NULL;
	size_t n = 0;
	FILE *f;

	tidy_up(x);
	run(x, "define inner end");
	run(x, "define outer inner; tab $1");
	run(x, "define later fit");
	run(x, "define inner later"); /* of one that comes further down */
	run(x, "bind alt+1 outer Stacks");
	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	assert_int_equal(config_load(x->path, ui, &c), 0);
	assert_memory_equal(ui->desks->macros, x->ui->desks->macros,
	    sizeof(*ui->desks->macros));
	f = open_memstream(&text, &n);
	ui_describe(x->ui, f);
	fclose(f);
	assert_non_null(strstr(text, "\ndefine outer inner; tab $1\n"));
	assert_non_null(strstr(text, "\nbind alt+1 outer Stacks\n"));
	free(text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file(x->path, bad[i]);
		assert_int_equal(config_load(x->path, ui, &c), -1);
	}
	ui_free(ui);
	run(x, "undefine inner");
	run(x, "undefine outer");
	run(x, "undefine later");
}

/* An older viewer had no such command, and this is what the user called so. */
static void
settings_are_our_commands(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };

	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	write_file(x->path, "define speed card ;;\n"
			    "speed 2\n");
	assert_int_equal(config_load(x->path, ui, &c), 0);
	assert_true(ui->play.speed == 2);
	assert_non_null(macro_find(ui, "speed", 5));
	ui_free(ui);
}

/* What a key does may give it, and others, another meaning. */
static void
a_key_may_change_what_keys_do(void **state)
{
	struct fixture *x = *state;
	const char *key, *line;

	run(x, "define inner fit");
	run(x, "bind g bind g tab stacks");
	run(x, "bind h undefine inner");
	run(x, "bind i inner");
	keys_press(x->ui, "g", "g");
	assert_true(macro_key_each(x->ui, 0, &key, &line));
	assert_string_equal(key, "g");
	assert_string_equal(line, "tab stacks");
	keys_press(x->ui, "h", "h");
	assert_false(macro_each(x->ui, 0, &key, &line));
	assert_true(macro_key_each(x->ui, 1, &key, &line));
	assert_string_equal(key, "h");
	assert_false(macro_key_each(x->ui, 2, &key, &line));
	run(x, "bind g");
	run(x, "bind h");
}

/* Few within each other can be very many. */
static void
there_is_an_end_to_them(void **state)
{
	struct fixture *x = *state;
	char line[MACRO_LINE], name = 'a';

	for (; name < 'e'; name++) {
		char body[MACRO_BODY] = "", one[8] = "fit;";

		if (name > 'a')
			snprintf(one, sizeof(one), "m%c;", name - 1);
		while (strlen(body) + strlen(one) < 160)
			strcat(body, one);
		snprintf(line, sizeof(line), "define m%c %s", name, body);
		run(x, line);
	}
	refused(x, "md", "md: ma: more than 1000 commands");
	run(x, "ma");
	for (name = 'a'; name < 'e'; name++) {
		snprintf(line, sizeof(line), "undefine m%c", name);
		run(x, line);
	}
}

/* The menu has what a click there would do, with its times as they are told. */
static void
the_menu_tells_times(void **state)
{
	struct fixture *x = *state;
	struct rect dock = x->ui->places.pane[PANE_DOCK];
	char when[40], until[40], want[2][120];
	static const char *const commands[] = { "cursor 1500000ns",
		"range 1500000ns:2500000ns" };

	run_time(x->ui, run_origin(x->ui) + 1500000, 1000, when, sizeof(when));
	run_time(x->ui, run_origin(x->ui) + 2500000, 1000, until,
	    sizeof(until));
	snprintf(want[0], sizeof(want[0]), "Cursor %s", when);
	snprintf(want[1], sizeof(want[1]), "Range %s:%s", when, until);
	for (int i = 0; i < 2; i++) {
		ui_frame(x->ui, &x->c);
		spot_add(x->ui, dock.x0, dock.y0, dock.x1, dock.y1, "%s",
		    commands[i]);
		menu_open(x->ui, dock.x0 + 40, dock.y1 - 10);
		assert_string_equal(x->ui->menu->item[0].label, want[i]);
		assert_string_equal(x->ui->menu->item[0].command, commands[i]);
		x->ui->menu->open = false;
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_go_in),
		TEST(it_does_what_it_is_made_of),
		TEST(what_is_wrong_is_told),
		TEST(the_file_keeps_them),
		TEST(settings_are_our_commands),
		TEST(a_key_may_change_what_keys_do),
		TEST(there_is_an_end_to_them),
		TEST(the_menu_tells_times),
	};

	log_init("orrery", 0);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
