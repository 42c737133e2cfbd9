/*
 * What is done by hand: every command by key, by mouse and in the omnibox, what
 * the menu offers, keys that are held, a mouse as others have it.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/viewer_desk.h"
#include "ui/input/input.h"

/* More than what every menu has; and all of it can be done. */
static void
check_menu(struct ui *ui)
{
	struct menu m = *ui->menu;

	assert_in_range(m.n, 7, MENU_MAX);
	for (unsigned i = 0; i < m.n; i++) {
		assert_true(m.item[i].label[0] != '\0');
		if (strncmp(m.item[i].command, "export", 6) == 0)
			continue;
		ui->told.message[0] = '\0';
		command_run(ui, m.item[i].command);
		assert_null(strstr(ui->told.message, "no such command"));
		assert_null(strstr(ui->told.message, " wants "));
	}
	command_run(ui, "keys orrery");
	command_run(ui, "show-all");
	command_run(ui, "legend off"); /* a click there would close it */
}

static void
the_menu_does_what_it_says(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	int32_t x0 = ui->places.lanes.x0, y0 = ui->places.lanes.y0;

	for (int32_t y = 0; y < H; y += 37)
		for (int32_t at = 0; at < W; at += 41) {
			mouse_down(ui, at, y, 3, 0, 1000);
			mouse_up(ui, at, y, 3, 0);
			assert_true(ui->menu->open);
			assert_in_range(ui->menu->n, 4, MENU_MAX);
			assert_true(
			    ui->menu->at.x1 <= W && ui->menu->at.y1 <= H);
			keys_press(ui, "Escape", "");
			assert_false(ui->menu->open);
		}
	/* by keyboard: the first item but one of a row's name */
	mouse_down(ui, x0 - 60, y0 + 30, 3, 0, 9000);
	keys_press(ui, "Down", "");
	keys_press(ui, "Down", "");
	keys_press(ui, "Return", "");
	assert_false(ui->menu->open);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->timepane.rows.npinned, 1);
	/* beside it: closes, and does nothing else */
	mouse_down(ui, x0 - 60, y0 + 30, 3, 0, 19000);
	mouse_down(ui, W - 5, H - 5, 1, 0, 29000);
	assert_false(ui->menu->open);
	assert_int_equal(ui->timepane.rows.npinned, 1);
	/* every command of it is one, wherever it was opened */
	for (int32_t y = 5; y < H; y += 53)
		for (int32_t at = 5; at < W; at += 97) {
			tidy_up(x);
			mouse_down(ui, at, y, 3, 0, 39000);
			mouse_up(ui, at, y, 3, 0);
			check_menu(ui);
		}
	tidy_up(x);
}

static void
type(struct ui *ui, const char *text)
{
	for (; *text != '\0'; text++) {
		char one[2] = { *text, '\0' };

		keys_press(ui, one, one);
	}
}

static void
the_omnibox_suggests(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	keys_press(ui, "ctrl+p", "");
	type(ui, "sel"); /* select-... */
	keys_press(ui, "Down", "");
	keys_press(ui, "Tab", "");
	assert_int_equal(strncmp(ui->prompt.typed, "select-", 7), 0);
	ui_frame(ui, &x->c);
	keys_press(ui, "Escape", "");
	/* letters in their order are enough, and Return takes the first */
	keys_press(ui, "ctrl+p", "");
	type(ui, "nxrw");
	keys_press(ui, "Return", "");
	assert_int_not_equal(ui->time.selected_lane, UINT32_MAX);
	keys_press(ui, "/", "/");
	type(ui, "makero");
	keys_press(ui, "Up", "");
	keys_press(ui, "Down", "");
	keys_press(ui, "Down", "");
	keys_press(ui, "Return", "");
	assert_true(strcmp(ui->prompt.search, "makero") == 0 ||
		    strncmp(ui->prompt.search, "makeRow", 7) == 0);
}

static void
click_at(struct ui *ui, int32_t x, int32_t y)
{
	static int64_t ms;

	mouse_down(ui, x, y, 1, 0, ms += 1000);
	mouse_up(ui, x, y, 1, 0);
}

/* The list of all commands, opened and scrolled by mouse alone. */
static void
click_command(struct fixture *x, unsigned i)
{
	const struct rect *at = NULL;
	struct ui *ui = x->ui;

	for (unsigned k = 0; k < ui->spots.n; k++)
		if (strcmp(ui->spots.spot[k].command, "prompt >") == 0)
			at = &ui->spots.spot[k].at;
	assert_non_null(at);
	click_at(ui, (at->x0 + at->x1) / 2, (at->y0 + at->y1) / 2);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->prompt.kind, '>');
	for (unsigned k = 0; k < i; k++)
		mouse_wheel(ui, 150, 50, 1, 0);
	ui_frame(ui, &x->c);
	click_at(ui, 150,
	    32 + 4 + 9 + 18 * (int32_t)(i - ui->prompt.suggest_from));
}

static void
every_command_by_script_key_and_mouse(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	const char *name, *arguments, *what;
	unsigned i;

	for (i = 0; command_each(i, &name, &arguments, &what); i++) {
		tidy_up(x);
		command_run(ui, name); /* also when it wants an argument */
		assert_string_equal(ui->told.did, name);

		tidy_up(x);
		keys_press(ui, "ctrl+p", "");
		for (const char *p = name; *p != '\0'; p++)
			keys_press(ui, (char[]){ *p, 0 }, (char[]){ *p, 0 });
		ui->told.did = NULL;
		keys_press(ui, "Return", "");
		assert_string_equal(ui->told.did, name);

		tidy_up(x);
		click_command(x, i);
		if (arguments[0] == '\0' || arguments[0] == '[') {
			assert_string_equal(ui->told.did, name);
		} else { /* the rest must be typed */
			assert_int_equal(ui->prompt.kind, '>');
			assert_memory_equal(ui->prompt.typed, name,
			    strlen(name));
		}
	}
	assert_true(i > 80);
	tidy_up(x);
}

static int64_t
seen_ns(const struct ui *ui)
{
	return (ui->time.t1_mon_ns - ui->time.t0_mon_ns);
}

/* By the time that has passed, however often the server repeats the key. */
static void
held_keys_go_on_evenly(void **state)
{
	struct fixture *x = *state;
	int64_t span;

	tidy_up(x);
	command_run(x->ui, "fit-all");
	keys_down(x->ui, 25, "w", "w");
	span = seen_ns(x->ui);
	for (int i = 0; i < 100; i++)
		keys_down(x->ui, 25, "w", "w");
	assert_int_equal(seen_ns(x->ui), span);
	keys_advance(x->ui, 150000000); /* not held yet, only pressed */
	assert_int_equal(seen_ns(x->ui), span);
	for (int i = 0; i < 4; i++) /* a third of a second: half of 8 x 8 */
		keys_advance(x->ui, 1000000000 / 12);
	assert_true(llabs(seen_ns(x->ui) * 2 - span) < span / 50);
	keys_up(x->ui, 26); /* another one */
	assert_non_null(x->ui->held.key);
	keys_up(x->ui, 25);
	span = seen_ns(x->ui);
	keys_advance(x->ui, 1000000000);
	assert_int_equal(seen_ns(x->ui), span);
	/* what is not for holding is pressed again and again */
	keys_down(x->ui, 30, "g", "g");
	keys_down(x->ui, 30, "g", "g");
	assert_null(x->ui->held.key);
	keys_down(x->ui, 25, "a", "a");
	keys_up(x->ui, 0); /* the focus has gone */
	assert_null(x->ui->held.key);
	tidy_up(x);
}

/* The mouse as users of Tracy know it, and back. */
static void
the_mouse_can_be_another(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	int32_t px, py;
	int64_t span, t0;

	tidy_up(x);
	command_run(ui, "fit-all");
	ui_frame(ui, &x->c);
	px = (ui->places.lanes.x0 + ui->places.lanes.x1) / 2;
	py = ui->places.lanes.y0 + 40;
	assert_int_equal(command_run(ui, "keys tracy"), 0);
	assert_int_equal(command_run(ui, "keys emacs"), -1);
	span = seen_ns(ui);
	mouse_wheel(ui, px, py, -1, 0); /* zooms */
	assert_true(seen_ns(ui) < span * 9 / 10);
	span = seen_ns(ui);
	mouse_wheel(ui, px, py, -1, MOD_CTRL);
	assert_true(seen_ns(ui) < span && seen_ns(ui) > span * 9 / 10);
	span = seen_ns(ui);
	t0 = ui->time.t0_mon_ns;
	mouse_down(ui, px, py, 3, 0, 2000000); /* goes along */
	mouse_move(ui, px + 40, py);
	mouse_up(ui, px + 40, py, 3, 0);
	assert_int_equal(seen_ns(ui), span);
	assert_true(ui->time.t0_mon_ns < t0);
	assert_false(ui->menu->open);
	mouse_down(ui, px, py, 3, 0, 3000000); /* not moved: the menu */
	mouse_up(ui, px, py, 3, 0);
	assert_true(ui->menu->open);
	keys_press(ui, "Escape", "");
	mouse_down(ui, px, py, 2, 0, 4000000); /* zooms to what is drawn */
	mouse_move(ui, px + 40, py);
	mouse_up(ui, px + 40, py, 2, 0);
	assert_true(seen_ns(ui) < span / 4);
	assert_int_equal(command_run(ui, "keys"), 0);
	assert_int_equal(ui->mouse.keymap, KEYMAP_ORRERY);
	span = seen_ns(ui);
	mouse_wheel(ui, px, py, -1, 0);
	assert_int_equal(seen_ns(ui), span);
	tidy_up(x);
}

/* No key twice, none for a command that there is not. */
static void
keys_stand_for_one_command_each(void **state)
{
	struct fixture *x = *state;
	const char *keys[2], *command[2], *what;
	char all[4096] = " ", word[64];

	for (unsigned i = 0;
	     keys_each(KEYMAP_ORRERY, i, &keys[0], &command[0], &what); i++) {
		char copy[128], *save = NULL;

		if (command[0] == NULL)
			continue;
		snprintf(copy, sizeof(copy), "%s", keys[0]);
		for (char *p = strtok_r(copy, " ", &save); p != NULL;
		     p = strtok_r(NULL, " ", &save)) {
			snprintf(word, sizeof(word), " %s ", p);
			assert_null(strstr(all, word));
			snprintf(all + strlen(all), sizeof(all) - strlen(all),
			    "%s ", p);
		}
		tidy_up(x);
		command_run(x->ui, command[0]);
		assert_non_null(x->ui->told.did);
		assert_memory_equal(x->ui->told.did, command[0],
		    strcspn(command[0], " "));
	}
	tidy_up(x);
}

/* Each title is above some key, in both key maps, and no group is a list. */
static void
the_help_is_in_groups(void **state)
{
	const char *keys, *command, *what;
	unsigned groups, in;

	(void)state;
	for (int map = 0; map < KEYMAPS; map++) {
		assert_non_null(keys_group((enum keymap)map, 0));
		groups = in = 0;
		for (unsigned i = 0;
		     keys_each((enum keymap)map, i, &keys, &command, &what);
		     i++) {
			in++;
			if (keys_group((enum keymap)map, i) != NULL) {
				groups++;
				in = 0;
			}
			assert_true(in < 20);
		}
		assert_int_equal(groups, 12);
	}
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_help_is_in_groups),
		TEST(the_menu_does_what_it_says),
		TEST(the_omnibox_suggests),
		TEST(every_command_by_script_key_and_mouse),
		TEST(held_keys_go_on_evenly),
		TEST(the_mouse_can_be_another),
		TEST(keys_stand_for_one_command_each),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
