/*
 * The window's contents without a window: the tables hang together, what is
 * typed is understood, the view comes back to where it was, and ten thousand
 * random operations break nothing.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "tests/unit/make_model.h"
#include "ui/dock.h"
#include "ui/parse.h"

#define W         900
#define H         600
#define GUARD     16 /* px right of each row that nobody may touch */
#define GUARD_RGB 0xdeadbeefu

struct fixture {
	struct model *model;
	struct feed_status feed;
};

static int
setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	assert_non_null(fx);
	fx->model = make_pascal_model(20, 3, 1000000, 30000);
	fx->feed.connected = fx->feed.finished = true;
	snprintf(fx->feed.source, sizeof(fx->feed.source), "test");
	assert_true(model_tasks(fx->model) > 100);
	*state = fx;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *fx = *state;

	model_free(fx->model);
	free(fx);
	return (0);
}

static struct ui *
new_ui(struct fixture *fx, int32_t w, int32_t h)
{
	struct ui *ui = ui_new(&palette_dark);

	assert_non_null(ui);
	ui_resize(ui, w, h);
	ui_refresh(ui, fx->model, &fx->feed);
	return (ui);
}

static uint32_t *
new_px(int32_t w, int32_t h)
{
	uint32_t *px = malloc((size_t)(w + GUARD) * (size_t)h * 4);

	assert_non_null(px);
	for (size_t i = 0; i < (size_t)(w + GUARD) * (size_t)h; i++)
		px[i] = GUARD_RGB;
	return (px);
}

static void
frame(struct ui *ui, uint32_t *px)
{
	struct canvas c;

	canvas_init(&c, px, ui->width, ui->height, ui->width + GUARD);
	ui_frame(ui, &c);
	for (int32_t y = 0; y < ui->height; y++)
		for (int32_t x = 0; x < GUARD; x++)
			assert_int_equal(px[(size_t)y *
						 (size_t)(ui->width + GUARD) +
					     (size_t)(ui->width + x)],
			    GUARD_RGB);
}

static uint64_t
hash(const uint32_t *px, int32_t w, int32_t h)
{
	uint64_t v = 0xcbf29ce484222325u;

	for (size_t i = 0; i < (size_t)(w + GUARD) * (size_t)h; i++)
		v = (v ^ px[i]) * 0x100000001b3u;
	return (v);
}

static void
times_are_understood(void **state)
{
	static const struct {
		const char *text;
		int ret;
		int64_t ns;
	} cases[] = { { "12.4", 0, 12400000000 }, { "12.4s", 0, 12400000000 },
		{ "350ms", 0, 350000000 }, { "20us", 0, 20000 },
		{ "20 µs", 0, 20000 }, { "7ns", 0, 7 }, { "-1ms", 0, -1000000 },
		{ ".5", 0, 500000000 }, { "", -1, 0 }, { "s", -1, 0 },
		{ "3h", -1, 0 }, { "nan", -1, 0 }, { "1e30", -1, 0 },
		{ "1 2", -1, 0 } };
	int64_t t0, t1;
	int32_t w, h;
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ns = 0;

		if (parse_time(cases[i].text, &ns) != cases[i].ret ||
		    ns != cases[i].ns)
			fail_msg("\"%s\": %lld", cases[i].text, (long long)ns);
	}
	assert_int_equal(parse_range("1s:1500ms", &t0, &t1), 0);
	assert_int_equal(t1 - t0, 500000000);
	assert_int_equal(parse_range("1.25..1.5", &t0, &t1), 0);
	assert_int_equal(t0, 1250000000);
	assert_int_equal(parse_range("2:1", &t0, &t1), -1);
	assert_int_equal(parse_range("2", &t0, &t1), -1);
	assert_int_equal(parse_range("2:", &t0, &t1), -1);
	assert_int_equal(parse_size("1600x1000", &w, &h), 0);
	assert_int_equal(parse_size("1600x", &w, &h), -1);
	assert_int_equal(parse_size("10x10", &w, &h), -1);
	assert_int_equal(parse_size("1600x1000x", &w, &h), -1);
	assert_int_equal(parse_number("0x10", &v), 0);
	assert_int_equal(v, 16);
	assert_int_equal(parse_number("-1", &v), -1);
	assert_int_equal(parse_memory("1.5G", &v), 0);
	assert_true(v == (uint64_t)3 << 29);
	assert_int_equal(parse_memory("65536k", &v), 0);
	assert_true(v == (uint64_t)64 << 20);
	assert_int_equal(parse_memory("10%", &v), 0);
	assert_true(v > 0);
	assert_int_equal(parse_memory("0%", &v), -1);
	assert_int_equal(parse_memory("101%", &v), -1);
	assert_int_equal(parse_memory("100", &v), -1);
	assert_int_equal(parse_memory("1M", &v), -1);
	assert_int_equal(parse_memory("-1G", &v), -1);
	assert_int_equal(parse_memory("lots", &v), -1);
}

static void
figures_read_well(void **state)
{
	char b[40];

	(void)state;
	assert_string_equal(format_count(b, sizeof(b), 0), "0");
	assert_string_equal(format_count(b, sizeof(b), 999), "999");
	assert_string_equal(format_count(b, sizeof(b), 1204), "1,204");
	assert_string_equal(format_count(b, sizeof(b), 1234567890),
	    "1,234,567,890");
	assert_string_equal(format_short(b, sizeof(b), 1240000), "1.24 M");
	assert_string_equal(format_short(b, sizeof(b), 999600), "1.00 M");
	assert_string_equal(format_short(b, sizeof(b), 42), "42");
	assert_string_equal(format_span(b, sizeof(b), 3200000), "3.20 ms");
	assert_string_equal(format_span(b, sizeof(b), 41000), "41.0 µs");
	assert_string_equal(format_span(b, sizeof(b), 999999), "1.00 ms");
	assert_string_equal(format_span(b, sizeof(b), 0), "0 ns");
	assert_string_equal(format_time(b, sizeof(b), 12430900000, 100000),
	    "12.4309 s");
	assert_string_equal(format_time(b, sizeof(b), 12999960000, 100000),
	    "13.0000 s");
	assert_string_equal(format_time(b, sizeof(b), -5000000, 1000000),
	    "-0.005 s");
	assert_string_equal(format_time(b, sizeof(b), 7000000000, 1000000000),
	    "7 s");
}

static void
every_key_is_a_command(void **state)
{
	struct ui *ui = new_ui(*state, W, H);
	const char *keys, *line, *what, *name, *args;
	uint32_t *px = new_px(W, H);

	for (unsigned i = 0; keys_each(KEYMAP_ORRERY, i, &keys, &line, &what);
	     i++) {
		unsigned found = 0;

		assert_true(what[0] != '\0');
		for (unsigned k = 0;
		     line != NULL && command_each(k, &name, &args, &what); k++)
			found += strncmp(name, line, strcspn(line, " ")) == 0 &&
				 name[strcspn(line, " ")] == '\0';
		if (line != NULL && found != 1)
			fail_msg("key %s: no command %s", keys, line);
		/* none of its keys means something else as well */
		for (unsigned k = i + 1;
		     keys_each(KEYMAP_ORRERY, k, &name, &args, &what); k++)
			if (line != NULL && args != NULL)
				assert_true(strcmp(keys, name) != 0);
	}
	frame(ui, px);
	free(px);
	ui_free(ui);
}

static void
commands_refuse_nonsense(void **state)
{
	static const char *const bad[] = { "", "frobnicate", "p", "range",
		"range 2:1", "range x:y", "colour mauve", "tab Nothing",
		"split 2000 1", "select-task 99999999", "select-task x",
		"fold 99999999", "select-row -1", "speed -1", "centre here",
		"lanes blue", "form cube", "order last", "scale pink",
		"tree 99", "up", "parent", "query tomorrow", "search qqqqq",
		"next" };
	struct ui *ui = new_ui(*state, W, H);
	uint32_t *px = new_px(W, H);

	frame(ui, px);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ui->message[0] = '\0';
		if (command_run(ui, bad[i]) != -1)
			fail_msg("\"%s\" was taken", bad[i]);
		assert_true(ui->message[0] != '\0');
		frame(ui, px);
	}
	free(px);
	ui_free(ui);
}

static void
there_and_back_is_the_same_picture(void **state)
{
	static const char *const trips[][4] = {
		{ "range 1ms:3ms", "back" },
		{ "zoom-in", "zoom-in", "back" },
		{ "help", "help" },
		{ "select-task 7", "clear" },
		{ "colour time", "colour PE" },
		{ "start", "end", "range 2ms:4ms" },
		{ "grid", "grid" },
		{ "form sunburst", "form polygons" },
		{ "form icicle", "form", "form polygons" },
		{ "colour time", "scale spectrum", "scale viridis",
		    "colour PE" },
		{ "rings", "rings" },
		{ "select-task 40", "reroot", "up", "clear" },
		{ "links", "links" },
		{ "split 300 500", "split 552 812" },
		{ "lanes state", "lanes procedure" },
		{ "select-range 1ms:2ms", "clear" },
		{ "pan-right", "back" },
	};
	struct ui *ui = new_ui(*state, W, H);
	uint32_t *px = new_px(W, H);

	for (size_t i = 0; i < sizeof(trips) / sizeof(trips[0]); i++) {
		uint64_t before, away;

		/* the way back is in the history, which is not forgotten */
		command_run(ui, "range 2ms:4ms");
		ui->message[0] = '\0';
		frame(ui, px);
		before = hash(px, W, H);
		assert_int_equal(command_run(ui, trips[i][0]), 0);
		frame(ui, px);
		away = hash(px, W, H);
		for (int k = 1; k < 4 && trips[i][k] != NULL; k++)
			assert_int_equal(command_run(ui, trips[i][k]), 0);
		frame(ui, px);
		if (away == before || hash(px, W, H) != before)
			fail_msg("%s: %s", trips[i][0],
			    away == before ? "changes nothing"
					   : "does not come back");
	}
	free(px);
	ui_free(ui);
}

/* To the ns, wherever the pointer is; but it does not stick to where it was. */
static void
zooming_out_again_comes_back(void **state)
{
	struct ui *ui = new_ui(*state, W, H);
	int64_t t0[9], t1[9];

	for (int32_t part = 0; part <= 10; part++) {
		int32_t x = ui->lanes.x0 +
			    (ui->lanes.x1 - ui->lanes.x0 - 1) * part / 10;

		view_range(ui, 1000003 + part, 4000019 + 7 * part);
		for (int i = 0; i < 9; i++) {
			t0[i] = ui->time.t0_mon_ns;
			t1[i] = ui->time.t1_mon_ns;
			view_zoom(ui, 0.8, x);
		}
		for (int i = 8; i >= 0; i--) {
			view_zoom(ui, 1.25, x);
			assert_int_equal(ui->time.t0_mon_ns, t0[i]);
			assert_int_equal(ui->time.t1_mon_ns, t1[i]);
		}
	}
	view_range(ui, 1000000, 4000000);
	for (int i = 0; i < 3000; i++)
		view_zoom(ui, 0.999, ui->lanes.x0 + 100);
	assert_true(ui->time.t1_mon_ns - ui->time.t0_mon_ns < 400000);
	ui_free(ui);
}

static void
two_windows_draw_the_same(void **state)
{
	struct ui *a = new_ui(*state, W, H), *b = new_ui(*state, W, H);
	uint32_t *pa = new_px(W, H), *pb = new_px(W, H);

	for (int i = 0; i < 8; i++) { /* one keeps layers, one does not */
		command_run(a, i & 1 ? "zoom-in" : "pan-right");
		command_run(b, i & 1 ? "zoom-in" : "pan-right");
		frame(a, pa);
		frame(a, pa);
		b->time_layer.key++;
		b->tree_layer.key++;
		b->overview_layer.key++;
		frame(b, pb);
		assert_memory_equal(pa, pb, (size_t)(W + GUARD) * H * 4);
	}
	free(pa);
	free(pb);
	ui_free(a);
	ui_free(b);
}

/* Threads that wait for a lock most of the time. */
static struct model *
waiting_model(void)
{
	struct make_log log = { 0 };

	make_log_head(&log, "waits");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "p");
	for (int i = 0; i < 5; i++) {
		uint32_t thread =
		    make_log_thread(&log, 1, 1, (uint32_t)i + 1, "t");

		for (int k = 0; k < 40; k++) {
			int64_t t = 100000 * k + 10000 * i;

			make_log_event(&log, thread, EV_lock_wait, t, 7, 0, 2);
			make_log_event(&log, thread, EV_lock_acquire, t + 80000,
			    7, 0, 2);
			make_log_event(&log, thread, EV_lock_release, t + 90000,
			    7, 0, 2);
		}
	}
	make_log_sort(&log);
	return (make_model(&log));
}

/*
 * Moved along, the lanes show the same pixels somewhere else, hatching too: a
 * server far away only moves them.
 */
static void
what_moves_by_pixels_is_the_same(void **state)
{
	struct fixture fx = { .model = waiting_model() };
	int32_t width, dx, differ = 0, all = 0;
	uint32_t *was = new_px(W, H), *now = new_px(W, H);
	struct ui *ui;
	int64_t t0;

	(void)state;
	ui = new_ui(&fx, W, H);
	command_run(ui, "range 1ms:2ms");
	command_run(ui, "links");
	command_run(ui, "zoom-out");
	frame(ui, was);
	t0 = ui->time.t0_mon_ns;
	width = ui->lanes.x1 - ui->lanes.x0;
	command_run(ui, "pan-right");
	frame(ui, now);
	dx = (int32_t)((ui->time.t0_mon_ns - t0) * width /
		       (ui->time.t1_mon_ns - ui->time.t0_mon_ns));
	assert_in_range(dx, 8, width / 2);
	assert_int_not_equal(dx % 7, 0);
	for (int32_t y = ui->lanes.y0; y < ui->lanes.y1; y++)
		for (int32_t x = ui->lanes.x0; x < ui->lanes.x1 - dx;
		     x++, all++)
			differ += now[y * (W + GUARD) + x] !=
				  was[y * (W + GUARD) + x + dx];
	assert_true(differ < all / 100);
	free(was);
	free(now);
	ui_free(ui);
	model_free(fx.model);
}

static void
random_item(struct scene *s, uint32_t *seed)
{
	static const enum item_type types[] = { ITEM_RECT, ITEM_HATCH,
		ITEM_LINE, ITEM_ARROW, ITEM_DASH, ITEM_DOT, ITEM_CIRCLE,
		ITEM_SQUARE, ITEM_SQUARE_OPEN, ITEM_DIAMOND, ITEM_TEXT };
	int32_t v[6];
	struct item *i;

	for (int k = 0; k < 6; k++) {
		*seed = *seed * 1664525u + 1013904223u;
		v[k] = (int32_t)(*seed >> 8);
	}
	if (v[4] % 11 == 10) {
		scene_text(s, v[0] % 16000 - 800, v[1] % 11000 - 600, 0,
		    v[5] % 3, 0x8899aa, "some text");
		return;
	}
	i = scene_add(s, types[v[4] % 11], (uint32_t)v[5]);
	i->alpha = (uint8_t)(v[5] % 200 + 56);
	i->x0 = v[0] % 16000 - 800;
	i->y0 = v[1] % 11000 - 600;
	i->x1 = v[2] % 2 ? v[2] % 16000 - 800 : i->x0 + v[2] % 400;
	i->y1 = v[3] % 2 ? v[3] % 11000 - 600 : i->y0 + v[3] % 400;
	i->w = v[4] % 90 + 8;
	if (i->type == ITEM_RECT || i->type == ITEM_HATCH) {
		i->x1 = i->x0 + v[2] % 400;
		i->y1 = i->y0 + v[3] % 300;
	}
}

/* What differs is painted, all of it, and comes out as if painted whole. */
static void
damage_paints_the_whole_picture(void **state)
{
	uint32_t *a = new_px(W, H), *b = new_px(W, H), seed = 7, same;
	struct scene was = { 0 }, now = { 0 };
	struct canvas ca, cb;
	int painted = 0;

	(void)state;
	canvas_init(&ca, a, W, H, W + GUARD);
	canvas_init(&cb, b, W, H, W + GUARD);
	for (int round = 0; round < 200; round++) {
		scene_clear(&was);
		scene_clear(&now);
		same = seed;
		for (int i = 0; i < 60; i++)
			random_item(&was, &seed);
		for (int i = 0; i < 60 - round % 3; i++)
			random_item(&now, &same);
		seed += 99;
		for (int i = 0; i < round % 4; i++)
			random_item(&now, &seed);
		canvas_fill(&ca, 0, 0, W, H, 0);
		paint_items(&ca, &was, 0, was.n);
		canvas_fill(&cb, 0, 0, W, H, 0);
		paint_items(&cb, &now, 0, now.n);
		if (!damage_paint(&ca, &was, &now, 0))
			continue;
		painted++;
		assert_memory_equal(a, b, (size_t)(W + GUARD) * H * 4);
	}
	assert_true(painted > 100);
	free(a);
	free(b);
	scene_free(&was);
	scene_free(&now);
}

/* A click on a task in one view selects it in the other. */
static void
both_views_share_the_selection(void **state)
{
	struct ui *ui = new_ui(*state, 1600, 1000);
	uint32_t *px = new_px(1600, 1000);
	int found = 0;

	command_run(ui, "links"); /* they lie above the boxes */
	frame(ui, px);
	for (size_t i = 0; i < ui->nodes.nnodes && found < 20; i += 7) {
		const struct radial_node n = ui->nodes.nodes[i];
		int32_t x = ui->tree_area.x0 + n.x / SCENE_ONE;
		int32_t y = ui->tree_area.y0 + n.y / SCENE_ONE;
		uint32_t task;

		if (n.task == TASK_NONE || !rect_has(&ui->tree_area, x, y))
			continue;
		mouse_down(ui, x, y, 1, 0, (int64_t)(i + 1) * 1000);
		mouse_up(ui, x, y, 1, 0);
		frame(ui, px);
		assert_true(ui->time.selected_task != 0);
		assert_true(ui->tree.selected_task == ui->time.selected_task);
		task = model_task_by_id(ui->model, ui->time.selected_task);
		assert_true(task < model_tasks(ui->model));
		found++;
		/* and its box, made wide enough to be hit, gives it back */
		assert_int_equal(command_run(ui, "fit"), 0);
		frame(ui, px);
		for (size_t r = 0; r < ui->rows.nrows; r++) {
			const struct timeline_row *row = &ui->rows.rows[r];
			const struct task *t = model_task(ui->model, task);
			int32_t rx = ui->lanes.x0 + timeline_x(&ui->time,
							t->begin_mon_ns + 1000),
				ry;

			if (row->shows !=
			    model_location_lane(ui->model, t->location))
				continue;
			ry = ui->lanes.y0 + row->y + row->height / 2;
			view_select_task(ui, TASK_NONE);
			mouse_down(ui, rx, ry, 1, 0, (int64_t)(i + 4) * 1000);
			mouse_up(ui, rx, ry, 1, 0);
			assert_true(ui->tree.selected_task == t->id);
		}
	}
	assert_int_equal(found, 20);
	free(px);
	ui_free(ui);
}

static uint32_t
next_random(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return (*s >> 8);
}

static const char *
random_key(uint32_t *s)
{
	const char *keys, *command, *what;
	static char key[32];
	unsigned i;

	do {
		i = next_random(s) % 128;
	} while (!keys_each(KEYMAP_ORRERY, i, &keys, &command, &what) ||
		 command == NULL || strcmp(command, "quit") == 0 ||
		 strcmp(command, "export") == 0);
	snprintf(key, sizeof(key), "%.*s", (int)strcspn(keys, " "), keys);
	return (key);
}

static void
operate(struct ui *ui, uint32_t *s, int64_t t_ms)
{
	int32_t x = (int32_t)(next_random(s) % (uint32_t)(ui->width + 40)) - 20;
	int32_t y =
	    (int32_t)(next_random(s) % (uint32_t)(ui->height + 40)) - 20;
	int button = 1 + (int)(next_random(s) % 3);
	unsigned mods = next_random(s) % 4;
	const char *key;

	switch (next_random(s) % 7) {
	case 0:
	case 1:
		key = random_key(s);
		keys_press(ui, key, strlen(key) == 1 ? key : "");
		break;
	case 2:
		mouse_move(ui, x, y);
		break;
	case 3:
		mouse_down(ui, x, y, button, mods, t_ms);
		break;
	case 4:
		mouse_up(ui, x, y, button, mods);
		break;
	case 5:
		mouse_wheel(ui, x, y, next_random(s) & 1 ? 1 : -1, mods);
		break;
	case 6:
		if (next_random(s) % 4 == 0)
			mouse_leave(ui);
		ui_advance(ui, (int64_t)(next_random(s) % 20) * 1000000);
		break;
	}
}

static void
random_operations_break_nothing(void **state)
{
	static const int32_t sizes[][2] = { { 900, 600 }, { 64, 64 },
		{ 200, 900 }, { 1200, 100 }, { 481, 321 } };
	struct fixture *fx = *state;
	char where[256];

	for (uint32_t k = 0; k < 5; k++) {
		int32_t w = sizes[k][0], h = sizes[k][1];
		struct ui *ui = new_ui(fx, w, h);
		uint32_t *px = new_px(w, h), s = k + 1;

		for (int i = 0; i < 2000; i++) {
			operate(ui, &s, i * 100);
			ui_refresh(ui, fx->model, &fx->feed);
			label_hit(ui, where, sizeof(where));
			if (i % 4 == 0)
				frame(ui, px);
			assert_true(ui->time.t0_mon_ns < ui->time.t1_mon_ns);
			assert_false(ui->quit);
		}
		free(px);
		ui_free(ui);
	}
}

static void
nothing_yet_is_no_trouble(void **state)
{
	struct fixture fx = { .model = model_new() };
	uint32_t s = 9, *px = new_px(W, H);
	struct ui *ui;

	(void)state;
	assert_non_null(fx.model);
	snprintf(fx.feed.message, sizeof(fx.feed.message), "waiting");
	fx.feed.live = true;
	ui = new_ui(&fx, W, H);
	for (int i = 0; i < 600; i++) {
		operate(ui, &s, i * 100);
		ui_refresh(ui, fx.model, &fx.feed);
		if (i % 8 == 0)
			frame(ui, px);
	}
	free(px);
	ui_free(ui);
	model_free(fx.model);
}

/* What counts is what the status says, not the bytes behind its texts. */
static void
only_news_is_drawn_again(void **state)
{
	struct fixture *fx = *state;
	struct ui *ui = new_ui(fx, W, H);
	struct feed_status st;
	uint32_t *px = new_px(W, H);

	frame(ui, px);
	frame(ui, px); /* what is made ready for later is ready */
	assert_false(ui->dirty);
	memset(&st, 0x5a, sizeof(st));
	st.live = fx->feed.live;
	st.connected = fx->feed.connected;
	st.reading = fx->feed.reading;
	st.fetching = fx->feed.fetching;
	st.finished = fx->feed.finished;
	st.summing = fx->feed.summing;
	st.have_pulse = fx->feed.have_pulse;
	st.bytes = st.bytes_total = st.damaged_bytes = st.lost = 0;
	st.lag_ns = st.error_ns = 0;
	st.nodes = st.pos = st.rate = st.left_s = st.state = 0;
	snprintf(st.source, sizeof(st.source), "%s", fx->feed.source);
	st.run[0] = st.run_name[0] = st.message[0] = st.log[0] = '\0';
	ui_refresh(ui, fx->model, &st);
	assert_false(ui->dirty);
	st.lost = 1;
	ui_refresh(ui, fx->model, &st);
	assert_true(ui->dirty);
	free(px);
	ui_free(ui);
}

/* Says yes when it has been asked so many times. */
static bool
stop_after_cb(void *arg)
{
	return ((*(int *)arg)-- == 0);
}

static void
a_frame_given_up_leaves_no_trace(void **state)
{
	struct fixture *fx = *state;
	struct ui *ui = new_ui(fx, W, H);
	uint32_t *px = new_px(W, H);
	uint64_t whole;
	int stops = 0;

	frame(ui, px);
	whole = hash(px, W, H);
	ui->stop_cb = stop_after_cb;
	for (int at = 0;; at++) {
		int left = at;

		layer_drop(&ui->time_layer);
		layer_drop(&ui->tree_layer);
		ui->dirty = true;
		ui->stop_arg = &left;
		ui->hasty = true; /* what the user waits for is not stopped */
		assert_true(ui_prepare(ui));
		ui->hasty = false;
		layer_drop(&ui->time_layer);
		layer_drop(&ui->tree_layer);
		if (ui_prepare(ui))
			break;
		stops++;
		assert_true(ui->dirty);
		frame(ui, px);
		assert_true(hash(px, W, H) == whole);
	}
	assert_true(stops > 4);
	free(px);
	ui_free(ui);
}

static void
tasks_are_counted_exactly(void **state)
{
	struct fixture *fx = *state;
	struct ui *ui = new_ui(fx, W, H);
	int64_t first = view_origin(ui), last = view_end(ui);
	int64_t step = (last - first) / 13 + 1;
	uint32_t n = model_tasks(fx->model);

	for (int64_t t0 = first - step; t0 < last; t0 += step)
		for (int64_t t1 = t0; t1 < last + 2 * step; t1 += step) {
			uint64_t want = 0;

			for (uint32_t i = 0; i < n; i++) {
				int64_t at =
				    model_task(fx->model, i)->begin_mon_ns;

				want += at >= t0 && at < t1;
			}
			assert_int_equal(tasks_in(ui, t0, t1), want);
		}
	ui_free(ui);
}

/* --describe says of a node what the picture says of it. */
static void
nodes_are_described(void **state)
{
	static const char *const lines[] = {
		"  n2: clock locked +-3 ns, not believed; lost 0, late 12, "
		"orphans 0, stalls 1, steps 1\n",
		"s: clock coarse +-50 ns\n",
		"0.000000300 s to 0.000000500 s: clock holdover +-90 ns\n",
		"0.000000500 s to 0.000000600 s: clock stepped +-800 ns\n",
		"0.000000610 s to 0.000000700 s: silent\n",
		"0.000000720 s to the end: clock wrong by 33 ns\n",
		"  n1: clock unsynced +-0 ns; lost 0, late 0, orphans 0, "
		"stalls 0, steps 0\n",
	};
	struct feed_status feed = { .connected = true, .finished = true };
	struct make_log log = { 0 };
	struct model *m;
	struct ui *ui;
	char *text = NULL;
	uint32_t monitor;
	size_t n;
	FILE *out;

	(void)state;
	make_log_head(&log, "clocks");
	monitor = make_log_trouble(&log);
	make_log_event(&log, monitor, EV_distrust, 720, 33, 3, 2);
	m = make_model(&log);
	ui = ui_new(&palette_dark);
	ui_resize(ui, W, H);
	ui_refresh(ui, m, &feed);
	out = open_memstream(&text, &n);
	assert_non_null(out);
	ui_describe(ui, out);
	fclose(out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strstr(text, lines[i]) == NULL)
			fail_msg("%s is missing in\n%s", lines[i], text);
	free(text);
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_described),
		cmocka_unit_test(times_are_understood),
		cmocka_unit_test(figures_read_well),
		cmocka_unit_test(every_key_is_a_command),
		cmocka_unit_test(commands_refuse_nonsense),
		cmocka_unit_test(there_and_back_is_the_same_picture),
		cmocka_unit_test(zooming_out_again_comes_back),
		cmocka_unit_test(what_moves_by_pixels_is_the_same),
		cmocka_unit_test(two_windows_draw_the_same),
		cmocka_unit_test(damage_paints_the_whole_picture),
		cmocka_unit_test(both_views_share_the_selection),
		cmocka_unit_test(random_operations_break_nothing),
		cmocka_unit_test(nothing_yet_is_no_trouble),
		cmocka_unit_test(only_news_is_drawn_again),
		cmocka_unit_test(a_frame_given_up_leaves_no_trace),
		cmocka_unit_test(tasks_are_counted_exactly),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
