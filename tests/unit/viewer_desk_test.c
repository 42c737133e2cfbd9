/*
 * Beside the views: the configuration file, the menu, what is copied, the
 * omnibox's suggestions, pictures as SVG, finer dots.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_model.h"
#include "tests/unit/make_pascal.h"
#include "ui/command.h"
#include "ui/config.h"

#define W 1200
#define H 800

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
	char dir[64], path[96];
};

static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));
	struct pascal *p = calloc(1, sizeof(*p));
	struct make_log log = { 0 };

	assert_non_null(x);
	assert_non_null(p);
	make_log_head(&log, "desk <&>");
	make_log_node(&log, 1, "n<0>");
	make_log_po(&log, 1, 1, "pascal");
	make_pascal(p, &log, 12, 3, 1, 1, 1000000, 30000);
	make_log_sort(&log);
	x->m = make_model(&log);
	free(p);
	x->ui = make_ui(x->m, &x->c, &x->px, W, H);
	ui_frame(x->ui, &x->c);
	snprintf(x->dir, sizeof(x->dir), "/tmp/orrery-desk.XXXXXX");
	assert_non_null(mkdtemp(x->dir));
	snprintf(x->path, sizeof(x->path), "%s/a/b/viewer.conf", x->dir);
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;
	char line[160];

	snprintf(line, sizeof(line), "rm -rf %s", x->dir);
	assert_int_equal(system(line), 0);
	ui_free(x->ui);
	model_free(x->m);
	free(x->px);
	free(x);
	return (0);
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
the_layout_comes_back(void **state)
{
	static const char *const said[] = { "split 333 666", "tab Stacks",
		"colour time", "lanes state", "theme light", "speed 0.25",
		"grid", "links" };
	struct fixture *x = *state;
	struct config c = { .width = 1000, .height = 700, .scale_q = 20 },
		      got = { 0 };
	struct ui *ui = ui_new(&palette_dark);

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		assert_int_equal(command_run(x->ui, said[i]), 0);
	assert_int_equal(config_save(x->path, x->ui, &c), 0);
	config_load(x->path, ui, &got);
	assert_int_equal(ui->split_x, 333);
	assert_int_equal(ui->split_y, 666);
	assert_int_equal(ui->tab, TAB_STACKS);
	assert_int_equal(ui->tree.colour, x->ui->tree.colour);
	assert_int_equal(ui->time.colour, TIMELINE_BY_STATE);
	assert_ptr_equal(ui->palette, &palette_light);
	assert_true(ui->speed == 0.25);
	assert_false(ui->grid);
	assert_false(ui->time.links);
	assert_int_equal(got.width, 1000);
	assert_int_equal(got.height, 700);
	assert_int_equal(got.scale_q, 20);
	ui_free(ui);
}

static void
a_bad_file_is_not_used_at_all(void **state)
{
	static const char *const bad[] = { "split 1 2\nsplit x\n",
		"split 1 2\nquit\n", "split 1 2\nexport /etc/passwd\n",
		"split 1 2\ngrid maybe\n", "split 1 2\nscale 0\n",
		"split 1 2\nsize 1x1\n", "split 1 2\n\001\002\003\n" };
	struct fixture *x = *state;
	struct config c = { 0 };
	struct ui *ui = ui_new(&palette_dark);
	char *many = malloc(100000);

	snprintf(x->path, sizeof(x->path), "%s/conf", x->dir);
	config_load(x->path, ui, &c); /* there is none */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file(x->path, bad[i]);
		config_load(x->path, ui, &c);
		assert_int_equal(ui->split_x, 552);
		assert_false(ui->quit);
	}
	memset(many, 'x', 99999);
	many[99999] = '\0';
	write_file(x->path, many);
	config_load(x->path, ui, &c);
	assert_int_equal(ui->split_x, 552);
	write_file(x->path, "# fine\n\nsplit 5 6");
	config_load(x->path, ui, &c);
	assert_int_equal(ui->split_x, 5);
	free(many);
	ui_free(ui);
}

/* More than what every menu has; and all of it can be done. */
static void
check_menu(struct ui *ui)
{
	struct menu m = ui->menu;

	assert_in_range(m.n, 7, MENU_MAX);
	for (unsigned i = 0; i < m.n; i++) {
		assert_true(m.item[i].label[0] != '\0');
		if (strcmp(m.item[i].command, "export") == 0)
			continue;
		ui->message[0] = '\0';
		command_run(ui, m.item[i].command);
		assert_null(strstr(ui->message, "no such command"));
		assert_null(strstr(ui->message, " wants "));
	}
	command_run(ui, "keys orrery");
	command_run(ui, "show-all");
}

static void tidy_up(struct fixture *);

static void
the_menu_does_what_it_says(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	int32_t x0 = ui->lanes.x0, y0 = ui->lanes.y0;

	for (int32_t y = 0; y < H; y += 37)
		for (int32_t at = 0; at < W; at += 41) {
			mouse_down(ui, at, y, 3, 0, 1000);
			mouse_up(ui, at, y, 3, 0);
			assert_true(ui->menu.open);
			assert_in_range(ui->menu.n, 4, MENU_MAX);
			assert_true(ui->menu.at.x1 <= W && ui->menu.at.y1 <= H);
			keys_press(ui, "Escape", "");
			assert_false(ui->menu.open);
		}
	/* by keyboard: the first item but one of a row's name */
	mouse_down(ui, x0 - 60, y0 + 30, 3, 0, 9000);
	keys_press(ui, "Down", "");
	keys_press(ui, "Down", "");
	keys_press(ui, "Return", "");
	assert_false(ui->menu.open);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->rows.npinned, 1);
	/* beside it: closes, and does nothing else */
	mouse_down(ui, x0 - 60, y0 + 30, 3, 0, 19000);
	mouse_down(ui, W - 5, H - 5, 1, 0, 29000);
	assert_false(ui->menu.open);
	assert_int_equal(ui->rows.npinned, 1);
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
what_is_selected_is_copied(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	assert_int_equal(command_run(ui, "copy"), 0);
	assert_int_equal(ui->offer, OFFER_BOTH);
	assert_non_null(strstr(ui->copied, "events\t"));
	command_run(ui, "select-task 17");
	command_run(ui, "select-range 10us:20us");
	assert_int_equal(command_run(ui, "copy"), 0);
	assert_non_null(strstr(ui->copied, "range\t"));
	assert_non_null(strstr(ui->copied, "task\t17 "));
	assert_non_null(strstr(ui->copied, "spawned\t"));
	command_run(ui, "clear");
	command_run(ui, "select-row 0");
	ui->offer = OFFER_NONE;
	assert_int_equal(command_offer(ui, false), 0);
	assert_int_equal(ui->offer, OFFER_PRIMARY);
	assert_non_null(strstr(ui->copied, "spans\t"));
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
	assert_int_equal(strncmp(ui->typed, "select-", 7), 0);
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
	assert_true(strcmp(ui->search, "makero") == 0 ||
		    strncmp(ui->search, "makeRow", 7) == 0);
}

static void
svg_has_what_is_drawn(void **state)
{
	static const char *const views[] = { "all", "radial", "process-time" };
	struct fixture *x = *state;

	snprintf(x->path, sizeof(x->path), "%s/a.svg", x->dir);
	for (int i = 0; i < 3; i++) {
		char *text = NULL;
		size_t n = 0;
		FILE *f;

		assert_int_equal(svg_write(x->ui, x->path, views[i]), 0);
		f = fopen(x->path, "r");
		assert_non_null(f);
		assert_true(getdelim(&text, &n, EOF, f) > 1000);
		fclose(f);
		assert_non_null(strstr(text, "<svg xmlns"));
		assert_int_equal(strcmp(text + strlen(text) - 7, "</svg>\n"),
		    0);
		assert_true((strstr(text, "<polygon") != NULL) == (i != 2));
		/* names are escaped */
		assert_true((strstr(text, "n&lt;0&gt;") != NULL) == (i != 1));
		assert_null(strstr(text, "n<0>"));
		free(text);
	}
	assert_int_equal(svg_write(x->ui, "/nowhere/a.svg", "all"), -1);
}

/*
 * At every scale: neighbours touch, all dots belong to a pixel, text is there
 * and as wide as it is, and clipping cuts and does not change.
 */
static void
dots_are_finer_pixels(void **state)
{
	enum {
		DOTS = 403
	};
	uint32_t *px = calloc(2 * DOTS * DOTS, sizeof(*px)),
		 *cut = px + DOTS * DOTS;
	struct canvas c;

	(void)state;
	for (int q = 16; q <= 64; q += 4) {
		int32_t ink = 0, right = 0, wide;

		assert_int_equal(canvas_set_scale(q), 0);
		canvas_init_dots(&c, px, DOTS, DOTS, DOTS);
		assert_in_range(c.width * q - DOTS * 16, 0, q - 1);
		for (int32_t x = 0; x < c.width; x++)
			canvas_fill(&c, x, 0, x + 1, c.height,
			    x % 2 == 0 ? 0x111111 : 0x222222);
		for (int i = 0; i < DOTS * DOTS; i++)
			assert_true(px[i] == 0x111111 || px[i] == 0x222222);

		canvas_fill(&c, 0, 0, c.width, c.height, 0);
		canvas_text(&c, FONT_NORMAL, 10, 40, 0xffffff, "Orrery 08", 9);
		for (int i = 0; i < DOTS * DOTS; i++) {
			ink += px[i] > 0x7f7f7f;
			if (px[i] > 0x7f7f7f && i % DOTS > right)
				right = i % DOTS;
		}
		wide = (10 + text_width(FONT_NORMAL, "Orrery 08", 9)) * q / 16;
		assert_in_range(right, wide - q / 4, wide + 1);
		assert_true(ink > 100 * q * q / 256);

		for (int pass = 0; pass < 2; pass++) {
			canvas_init_dots(&c, pass == 0 ? px : cut, DOTS, DOTS,
			    DOTS);
			canvas_fill(&c, 0, 0, c.width, c.height, 0x101418);
			if (pass == 1)
				canvas_clip(&c, 24, 16, 64, 56);
			canvas_text(&c, FONT_BOLD, 18, 40, 0xffffff, "Äg", 3);
			canvas_line_aa(&c, 100, 90, 1500, 900, 24, 0xff0000,
			    200);
			canvas_disc(&c, 800, 600, 100, 0xff00, 255);
			canvas_circle(&c, 700, 500, 300, 16, 0xff, 255);
			canvas_hatch(&c, 50, 10, 80, 30, 0xd55e00, 0x7c3600);
			canvas_polygon(&c,
			    (int32_t[]){ 300, 300, 900, 400, 500, 880 }, 3,
			    0xabcdef, 255);
		}
		for (int32_t y = 16 * q / 16; y < 56 * q / 16; y++)
			assert_memory_equal(px + y * DOTS + 24 * q / 16,
			    cut + y * DOTS + 24 * q / 16,
			    (size_t)(40 * q / 16) * sizeof(*px));
	}
	canvas_set_scale(CANVAS_SCALE_ONE);
	free(px);
}

/* Nothing is open, hidden or about to end. */
static void
tidy_up(struct fixture *x)
{
	struct ui *ui = x->ui;

	ui->prompt = 0;
	ui->menu.open = ui->help = ui->quit = ui->maximised = false;
	ui->hidden_panes = 0;
	ui->message[0] = '\0';
	ui->did = NULL;
	ui_frame(ui, &x->c);
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

	for (unsigned k = 0; k < ui->nspots; k++)
		if (strcmp(ui->spots[k].command, "prompt >") == 0)
			at = &ui->spots[k].at;
	assert_non_null(at);
	click_at(ui, (at->x0 + at->x1) / 2, (at->y0 + at->y1) / 2);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->prompt, '>');
	for (unsigned k = 0; k < i; k++)
		mouse_wheel(ui, 150, 50, 1, 0);
	ui_frame(ui, &x->c);
	click_at(ui, 150, 32 + 4 + 9 + 18 * (int32_t)(i - ui->suggest_from));
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
		assert_string_equal(ui->did, name);

		tidy_up(x);
		keys_press(ui, "ctrl+p", "");
		for (const char *p = name; *p != '\0'; p++)
			keys_press(ui, (char[]){ *p, 0 }, (char[]){ *p, 0 });
		ui->did = NULL;
		keys_press(ui, "Return", "");
		assert_string_equal(ui->did, name);

		tidy_up(x);
		click_command(x, i);
		if (arguments[0] == '\0' || arguments[0] == '[') {
			assert_string_equal(ui->did, name);
		} else { /* the rest must be typed */
			assert_int_equal(ui->prompt, '>');
			assert_memory_equal(ui->typed, name, strlen(name));
		}
	}
	assert_true(i > 80);
	tidy_up(x);
}

/* Outside of the views, too, the pointer is told what is there. */
static void
what_the_pointer_is_on_is_told(void **state)
{
	static const struct {
		enum pane pane;
		const char *said;
	} places[] = { { PANE_TOP, "clock" }, { PANE_TOP, "mem" },
		{ PANE_OVERVIEW, "events in this pixel" },
		{ PANE_DOCK, "% running" } };
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	tidy_up(x);
	command_run(ui, "fit-all");
	for (size_t i = 0; i < 4; i++) {
		struct rect r = ui->pane[places[i].pane];
		bool said = false;

		for (int32_t py = r.y0 + 5; py < r.y1 && !said; py += 7)
			for (int32_t px = 3; px < W && !said; px += 29) {
				mouse_move(ui, px, py);
				ui_frame(ui, &x->c);
				said = strstr(ui->hint, places[i].said) != NULL;
			}
		assert_true(said);
	}
	mouse_move(ui, ui->lanes.x0 + 5, ui->lanes.y0 + 5);
	ui_frame(ui, &x->c);
	assert_string_equal(ui->hint, "");
	mouse_leave(ui);
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
	assert_non_null(x->ui->held);
	keys_up(x->ui, 25);
	span = seen_ns(x->ui);
	keys_advance(x->ui, 1000000000);
	assert_int_equal(seen_ns(x->ui), span);
	/* what is not for holding is pressed again and again */
	keys_down(x->ui, 30, "g", "g");
	keys_down(x->ui, 30, "g", "g");
	assert_null(x->ui->held);
	keys_down(x->ui, 25, "a", "a");
	keys_up(x->ui, 0); /* the focus has gone */
	assert_null(x->ui->held);
	tidy_up(x);
}

static void
click_twice(struct ui *ui, int32_t px, int32_t py)
{
	for (int64_t t = 0; t < 200; t += 100) {
		mouse_down(ui, px, py, 1, 0, 1000000 + t);
		mouse_up(ui, px, py, 1, 0);
	}
}

/* A pane's title makes it the only one, and again all of them. */
static void
a_title_clicked_twice_is_alone(void **state)
{
	struct fixture *x = *state;
	static const enum pane panes[] = { PANE_TREE, PANE_DOCK, PANE_TIME };

	tidy_up(x);
	for (int i = 0; i < 3; i++) {
		struct rect r;

		ui_frame(x->ui, &x->c);
		r = x->ui->pane[panes[i]];
		click_twice(x->ui, r.x1 - 30, r.y0 + 8);
		assert_true(x->ui->maximised);
		ui_frame(x->ui, &x->c);
		for (int k = 0; k < 3; k++)
			assert_int_equal(x->ui->pane[panes[k]].y1 > 0, k == i);
		r = x->ui->pane[panes[i]];
		click_twice(x->ui, r.x1 - 30, r.y0 + 8);
		assert_false(x->ui->maximised);
	}
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
	px = (ui->lanes.x0 + ui->lanes.x1) / 2;
	py = ui->lanes.y0 + 40;
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
	assert_false(ui->menu.open);
	mouse_down(ui, px, py, 3, 0, 3000000); /* not moved: the menu */
	mouse_up(ui, px, py, 3, 0);
	assert_true(ui->menu.open);
	keys_press(ui, "Escape", "");
	mouse_down(ui, px, py, 2, 0, 4000000); /* zooms to what is drawn */
	mouse_move(ui, px + 40, py);
	mouse_up(ui, px + 40, py, 2, 0);
	assert_true(seen_ns(ui) < span / 4);
	assert_int_equal(command_run(ui, "keys"), 0);
	assert_int_equal(ui->keymap, KEYMAP_ORRERY);
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
		assert_non_null(x->ui->did);
		assert_memory_equal(x->ui->did, command[0],
		    strcspn(command[0], " "));
	}
	tidy_up(x);
}

static void
panes_can_be_hidden_but_for_one(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	tidy_up(x);
	assert_int_equal(command_run(ui, "pane tree off"), 0);
	ui_frame(ui, &x->c);
	assert_int_equal(ui->pane[PANE_TIME].x1, W);
	assert_int_equal(ui->pane[PANE_TREE].x1, 0);
	assert_int_equal(command_run(ui, "pane time"), 0);
	ui_frame(ui, &x->c);
	assert_true(ui->pane[PANE_DOCK].y0 < 100);
	assert_int_equal(ui->focus, PANE_DOCK);
	assert_int_equal(command_run(ui, "pane dock"), -1);
	command_run(ui, "pane time on");
	ui->focus = PANE_TIME;
	command_run(ui, "maximise");
	ui_frame(ui, &x->c);
	assert_int_equal(ui->pane[PANE_TIME].x1, W);
	assert_int_equal(ui->pane[PANE_DOCK].x1, 0);
	command_run(ui, "maximise");
	assert_int_equal(ui->hidden_panes, 1u << PANE_TREE);
	tidy_up(x);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_layout_comes_back),
		TEST(a_bad_file_is_not_used_at_all),
		TEST(the_menu_does_what_it_says),
		TEST(what_is_selected_is_copied),
		TEST(the_omnibox_suggests),
		TEST(svg_has_what_is_drawn),
		TEST(dots_are_finer_pixels),
		TEST(every_command_by_script_key_and_mouse),
		TEST(what_the_pointer_is_on_is_told),
		cmocka_unit_test_setup_teardown(held_keys_go_on_evenly, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(a_title_clicked_twice_is_alone,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(the_mouse_can_be_another, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(keys_stand_for_one_command_each,
		    setup, teardown),
		cmocka_unit_test_setup_teardown(panes_can_be_hidden_but_for_one,
		    setup, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
