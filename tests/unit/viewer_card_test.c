/* Details of several things at once: cards. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_pascal.h"
#include "tests/unit/viewer_ui.h"
#include "ui/out/out.h"
#include "ui/views/details/card.h"
#include "ui/whole/config.h"

#define W 1200
#define H 800

static struct feed_status feed;

static struct model *
make_run(void)
{
	struct pascal *p = calloc(1, sizeof(*p));
	struct make_log log = { 0 };
	struct model *m;

	assert_non_null(p);
	make_log_head(&log, "cards");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "pascal");
	make_pascal(p, &log, 12, 3, 1, 1, 1000000, 30000);
	for (int i = 0; i < 12; i++)
		make_log_event(&log, p->location[i % 3], EV_lost,
		    1500000 + i * 300000, 3, 3, LOST_RING_FULL);
	make_log_sort(&log);
	m = make_model(&log);
	free(p);
	return (m);
}

static int
setup(void **state)
{
	struct fixture *x;

	(void)open_on(state, make_run(), W, H);
	x = *state;
	feed = x->ui->feed;
	snprintf(feed.run, sizeof(feed.run), "run-one");
	ui_refresh(x->ui, x->m, &feed);
	ui_frame(x->ui, &x->c);
	return (0);
}

static const struct card *
top(const struct fixture *x)
{
	return (&x->ui->cards.card[x->ui->cards.n - 1]);
}

static bool
overlap(const struct rect *a, const struct rect *b)
{
	return (
	    a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1);
}

static void
several_are_open_at_once(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	char line[32];

	assert_int_equal(command_run(ui, "card"), -1); /* nothing selected */
	run(x, "card row 1");
	run(x, "select-task 7");
	run(x, "card");
	assert_int_equal(ui->cards.n, 2);
	assert_false(overlap(&ui->cards.card[0].at, &ui->cards.card[1].at));
	run(x, "card row 1"); /* comes to the top, not twice */
	assert_int_equal(ui->cards.n, 2);
	assert_int_equal(top(x)->of.kind, THING_ROW);
	for (int i = 0; i < CARDS_MAX - 2; i++) {
		snprintf(line, sizeof(line), "card task %d", 20 + i);
		run(x, line);
	}
	assert_int_equal(ui->cards.n, CARDS_MAX);
	assert_int_equal(command_run(ui, "card task 50"), -1);
	/* every title can be taken hold of */
	for (unsigned i = 0; i < CARDS_MAX; i++) {
		const struct rect *r = &ui->cards.card[i].at;

		assert_true(r->x0 >= 0 && r->x1 <= W);
		assert_true(r->y0 >= ui->places.pane[PANE_TOP].y1);
		assert_true(
		    r->y0 + CARD_TITLE_PX <= ui->places.pane[PANE_STATUS].y0);
	}
}

static void
escape_takes_the_topmost_then_the_selection(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;

	run(x, "card task 3");
	run(x, "card task 4");
	run(x, "select-task 7");
	keys_press(ui, "Escape", "");
	assert_int_equal(ui->cards.n, 1);
	assert_true(top(x)->of.id == model_task(x->m, 3)->id);
	keys_press(ui, "Escape", "");
	assert_int_equal(ui->cards.n, 0);
	assert_true(ui->time.selected_task != 0);
	keys_press(ui, "Escape", "");
	assert_true(ui->time.selected_task == 0);
}

static void
what_it_is_of_is_selected_in_all_views(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	uint64_t id = model_task(x->m, 9)->id;
	const struct rect *r;

	run(x, "card task 9");
	run(x, "card row 2");
	run(x, "card-select 1");
	assert_true(ui->time.selected_task == id);
	assert_true(ui->tree.selected_task == id);
	assert_true(top(x)->of.id == id);
	run(x, "card-next");
	assert_int_equal(ui->time.selected_task, 0);
	assert_int_equal(ui->time.selected_lane, 2);
	/* by the mouse: a click on it, below its title */
	r = &ui->cards.card[0].at;
	mouse_down(ui, r->x0 + 40, r->y1 - 20, 1, 0, 1000);
	mouse_up(ui, r->x0 + 40, r->y1 - 20, 1, 0);
	assert_true(ui->time.selected_task == id);
	/* twice: to where it is */
	run(x, "range 0ns:1us");
	r = &top(x)->at;
	mouse_down(ui, r->x0 + 40, r->y1 - 20, 1, 0, 5000);
	mouse_up(ui, r->x0 + 40, r->y1 - 20, 1, 0);
	mouse_down(ui, r->x0 + 40, r->y1 - 20, 1, 0, 5100);
	mouse_up(ui, r->x0 + 40, r->y1 - 20, 1, 0);
	assert_true(ui->time.t0_mon_ns <= model_task(x->m, 9)->begin_mon_ns);
	assert_true(ui->time.t1_mon_ns > model_task(x->m, 9)->begin_mon_ns);
}

static void
the_mouse_moves_and_closes_it_and_stays_on_it(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	struct rect r;

	run(x, "card 200,200 task 9");
	r = top(x)->at;
	assert_int_equal(r.x0, 200);
	mouse_down(ui, r.x0 + 40, r.y0 + 8, 1, 0, 1000);
	mouse_move(ui, r.x0 + 80, r.y0 + 30);
	mouse_move(ui, r.x0 + 140, r.y0 + 58);
	mouse_up(ui, r.x0 + 140, r.y0 + 58, 1, 0);
	ui_frame(ui, &x->c);
	assert_int_equal(top(x)->at.x0, 300);
	assert_int_equal(top(x)->at.y0, 250);
	/* not out of the window */
	r = top(x)->at;
	mouse_down(ui, r.x0 + 40, r.y0 + 8, 1, 0, 3000);
	mouse_move(ui, 3 * W, -400);
	mouse_up(ui, 3 * W, -400, 1, 0);
	ui_frame(ui, &x->c);
	assert_in_range(top(x)->at.x1, W - 10, W);
	assert_int_equal(top(x)->at.y0, ui->places.pane[PANE_TOP].y1);
	run(x, "card-move -500 150");
	/* what lies below is not what the pointer is on */
	r = top(x)->at;
	for (int32_t y = r.y0; y < r.y1; y += 7) {
		mouse_move(ui, r.x0 + 100, y);
		ui_frame(ui, &x->c);
		assert_int_equal(ui->mouse.hit.of, OF_NOTHING);
		assert_true(ui->mouse.task == TASK_NONE);
	}
	mouse_down(ui, r.x0 + 100, r.y0 + 40, 3, 0, 9000);
	assert_true(ui->menu->open);
	keys_press(ui, "Escape", "");
	assert_int_equal(ui->cards.n, 1);
	mouse_down(ui, r.x1 - 8, r.y0 + 8, 1, 0, 19000);
	mouse_up(ui, r.x1 - 8, r.y0 + 8, 1, 0);
	assert_int_equal(ui->cards.n, 0);
	assert_int_equal(ui->drag.what, DRAG_NONE);
}

/* ctrl+click on all that is drawn; each is found again by its word. */
static void
all_that_is_drawn_has_one(void **state)
{
	struct fixture *x = *state;
	struct ui *ui = x->ui;
	unsigned seen[THING_MARK + 1] = { 0 };
	struct thing again;
	char word[80];
	int64_t ms = 1000;

	for (int32_t py = ui->places.ruler.y1;
	     py < ui->places.pane[PANE_DOCK].y0; py += 9) {
		for (int32_t at = 20; at < W; at += 23) {
			run(x, "card-close all");
			ms += 1000;
			mouse_down(ui, at, py, 1, MOD_CTRL, ms);
			mouse_up(ui, at, py, 1, MOD_CTRL);
			ui_frame(ui, &x->c);
			if (ui->cards.n == 0)
				continue;
			thing_spell(ui, &top(x)->of, word, sizeof(word));
			if (thing_parse(ui, word, &again) == -1 ||
			    !thing_same(&again, &top(x)->of))
				fail_msg("%s is not found again", word);
			seen[again.kind]++;
		}
	}
	assert_true(seen[THING_TASK] > 0);
	assert_true(seen[THING_ROW] > 0);
	assert_true(seen[THING_LINK] > 0);
	assert_true(seen[THING_MARK] > 0);
}

static void
words_that_mean_nothing_are_told(void **state)
{
	static const char *const bad[] = { "card x", "card task", "card task x",
		"card task 99999999", "card row 9999", "card span 1",
		"card span 1 99s", "card mark 1 1ns", "card link 1 1ns",
		"card link 1 1ns 0x7", "card 99999,0 row 1", "card 1,2",
		"card run 1", "card path 0x1", "card-close", "card-close 0",
		"card-select 2", "card-move 1 1", "card-next", "card-show" };
	struct fixture *x = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		x->ui->told.message[0] = '\0';
		assert_int_equal(command_run(x->ui, bad[i]), -1);
		assert_true(x->ui->told.message[0] != '\0');
		assert_int_equal(x->ui->cards.n, 0);
	}
}

/* They come back with their run; those of another one wait for it. */
static void
they_are_kept_in_the_layout(void **state)
{
	struct fixture *x = *state;
	struct feed_status two = feed;
	struct config c = { 0 };
	struct model *m = make_run();
	char path[] = "/tmp/orrery-card.XXXXXX";
	struct ui *ui;
	int fd = mkstemp(path);

	assert_true(fd != -1);
	close(fd);
	snprintf(two.run, sizeof(two.run), "run-two");
	run(x, "card 300,200 task 9");
	run(x, "card 640,240 row 2");
	/* another run begins */
	ui_refresh(x->ui, m, &two);
	ui_frame(x->ui, &x->c);
	assert_int_equal(x->ui->cards.n, 0);
	run(x, "card 20,100 row 1");
	assert_int_equal(config_save(path, x->ui, &c), 0);

	ui = ui_new(&palette_dark);
	config_load(path, ui, &c);
	ui_resize(ui, W, H);
	ui_refresh(ui, m, &two);
	assert_int_equal(ui->cards.n, 1);
	assert_int_equal(ui->cards.card[0].of.lane, 1);
	assert_int_equal(ui->cards.card[0].x, 20);
	/* and those of the first one are not forgotten by that */
	assert_int_equal(config_save(path, ui, &c), 0);
	ui_free(ui);
	ui = ui_new(&palette_dark);
	config_load(path, ui, &c);
	ui_resize(ui, W, H);
	ui_refresh(ui, x->m, &feed);
	assert_int_equal(ui->cards.n, 2);
	assert_true(ui->cards.card[0].of.id == model_task(x->m, 9)->id);
	assert_int_equal(ui->cards.card[0].x, 300);
	assert_int_equal(ui->cards.card[0].y, 200);
	assert_int_equal(ui->cards.card[1].of.kind, THING_ROW);
	assert_int_equal(ui->cards.card[1].y, 240);
	ui_free(ui);
	ui_refresh(x->ui, x->m, &feed); /* the other model goes */
	model_free(m);
	unlink(path);
}

static char *
described(struct fixture *x)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	card_describe(x->ui, f);
	fclose(f);
	return (text);
}

static struct event
event_of(uint32_t location, unsigned kind, uint64_t seq, int64_t t, uint64_t a)
{
	struct event e = { .location = location,
		.kind = (uint16_t)kind,
		.seq = seq,
		.t_mon_ns = t,
		.a = a };

	return (e);
}

/* What a note says, and how a process ended, as far as anybody knows. */
static void
marks_say_what_there_is(void **state)
{
	struct make_log l = { 0 };
	struct mark note = { .kind = EV_note, .a = (uint64_t)-7 };
	struct mark end = { .kind = EV_po_end };
	char words[320];
	struct model *m;
	uint32_t at, of[2];

	(void)state;
	make_log_head(&l, "marks");
	make_log_node(&l, 1, "n1");
	note.c = make_log_name(&l, "slow query");
	for (uint32_t po = 1; po <= 2; po++) {
		make_log_po(&l, 1, po, "p");
		of[po - 1] = make_log_thread(&l, 1, po, 0, "");
		at = make_log_thread(&l, 1, po, 1, "main");
		make_log_event(&l, at, EV_state, 100, 0, 0, 0);
		if (po == 2)
			make_log_event(&l, at, EV_lost, 200, 12, 12,
			    LOST_RING_FULL);
	}
	make_log_sort(&l);
	m = make_model(&l);
	label_mark(m, &note, words, sizeof(words));
	assert_string_equal(words, "slow query: -7");
	end.lane = model_location_lane(m, of[0]);
	label_mark(m, &end, words, sizeof(words));
	assert_non_null(strstr(words, "What it has told until then is here."));
	end.lane = model_location_lane(m, of[1]);
	label_mark(m, &end, words, sizeof(words));
	assert_non_null(strstr(words, "12 events of it are lost."));
	end.b = 1;
	label_mark(m, &end, words, sizeof(words));
	assert_non_null(strstr(words, "in good order"));
	model_free(m);
}

/* A task that has no end yet gets one while its card is open. */
static void
it_goes_on_with_the_run(void **state)
{
	struct fixture *x = *state;
	struct make_log log = { 0 };
	struct feed_status live = { .live = true, .connected = true };
	struct model *m;
	struct event e[2];
	uint32_t name, at;
	char *text, line[40];

	make_log_head(&log, "live");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "solver");
	at = make_log_thread(&log, 1, 1, 1, "worker 1");
	name = make_log_name(&log, "solve");
	m = model_new();
	for (size_t off = 0; off < log.out.n;) {
		struct frame f;

		assert_int_equal(frame_parse(log.out.p + off, log.out.n - off,
				     &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame(m, &f), 0);
		off += f.frame_bytes;
	}
	make_log_free(&log);
	e[0] = event_of(at, EV_task_spawn, 1, 1000, 77);
	e[0].c = name;
	e[1] = event_of(at, EV_task_begin, 2, 5000, 77);
	e[1].c = name;
	model_add_events(m, e, 2);
	snprintf(live.run, sizeof(live.run), "run-live");
	ui_refresh(x->ui, m, &live);
	ui_frame(x->ui, &x->c);
	run(x, "card task 0x4d");
	text = described(x);
	assert_non_null(strstr(text, "state: running"));
	assert_non_null(strstr(text, "ended: not yet"));
	free(text);
	e[0] = event_of(at, EV_task_end, 3, 9000, 77);
	model_add_events(m, e, 1);
	ui_refresh(x->ui, m, &live);
	assert_true(picture_due(x->ui->picture));
	ui_frame(x->ui, &x->c);
	text = described(x);
	assert_non_null(strstr(text, "state: done"));
	assert_non_null(strstr(text, "running: 4.00 µs"));
	free(text);
	/* and so does a function that has not been left yet */
	run(x, "card-close all");
	e[0] = event_of(at, EV_enter, 4, 10000, 1);
	e[0].c = name;
	model_add_events(m, e, 1);
	ui_refresh(x->ui, m, &live);
	ui_frame(x->ui, &x->c);
	snprintf(line, sizeof(line), "card span %u 10us",
	    model_location_lane(m, at));
	run(x, line);
	assert_int_equal(top(x)->of.kind, THING_SPAN);
	assert_true(top(x)->of.span.t1_mon_ns == INT64_MAX);
	e[0] = event_of(at, EV_leave, 5, 12500, 1);
	e[0].c = name;
	model_add_events(m, e, 1);
	ui_refresh(x->ui, m, &live);
	ui_frame(x->ui, &x->c);
	text = described(x);
	assert_non_null(strstr(text, "length: 2.50 µs"));
	free(text);
	ui_refresh(x->ui, x->m, &feed);
	model_free(m);
}

/* The same in a window of finer dots, and in the other theme. */
static void
it_is_drawn_in_both_themes(void **state)
{
	struct fixture *x = *state;
	size_t n = (size_t)W * H;
	uint32_t *dark = malloc(n * sizeof(*dark));
	struct rect r;
	size_t same = 0;

	assert_non_null(dark);
	run(x, "card 300,200 task 9");
	memcpy(dark, x->px, n * sizeof(*dark));
	run(x, "theme light");
	r = top(x)->at;
	for (int32_t y = r.y0; y < r.y1; y++)
		for (int32_t k = r.x0 + 6; k < r.x1; k++)
			same += dark[y * W + k] == x->px[y * W + k];
	assert_in_range(same, 0, (size_t)(r.x1 - r.x0) * 8);
	assert_int_equal(x->px[(r.y1 - 3) * W + r.x1 - 3], palette_light.panel);
	free(dark);
}

static bool
same_pixels(const struct fixture *x, const uint32_t *was, const struct rect *r)
{
	for (int32_t y = r->y0; y < r->y1; y++)
		if (memcmp(x->px + (size_t)y * W + r->x0,
			was + (size_t)y * W + r->x0,
			(size_t)(r->x1 - r->x0) * sizeof(*was)) != 0)
			return (false);
	return (true);
}

/* What no card touches looks as it does without them. */
static void
untouched_panes_are_as_without(void **state)
{
	static const char *const cards[] = { "card 300,300 row 2",
		"card 900,300 row 2", "card 300,300 task 40",
		"card 300,60 task 9", "card 300,700 mark 3" };
	struct fixture *x = *state;
	uint32_t *was = malloc(sizeof(*was) * W * H);
	unsigned touched = 0, free_of = 0;

	assert_non_null(was);
	for (unsigned k = 0; k < 2 * sizeof(cards) / sizeof(*cards); k++) {
		run(x, "card-close all");
		memcpy(was, x->px, sizeof(*was) * W * H);
		if (command_run(x->ui, cards[k / 2]) == -1)
			continue;
		ui_frame(x->ui, &x->c);
		if (k % 2 == 1)
			run(x, "card-move 150 -90");
		for (int i = 0; i < PANES; i++) {
			const struct rect *r = &x->ui->places.pane[i];

			if (card_touches(x->ui, r)) {
				touched++;
				continue;
			}
			assert_true(same_pixels(x, was, r));
			free_of++;
		}
	}
	assert_true(touched > 8 && free_of > 20);
	free(was);
}

/* In a picture for paper, with the line to where it is; of one view, none. */
static void
an_svg_has_them(void **state)
{
	static char text[1 << 20];
	struct fixture *x = *state;
	char path[] = "/tmp/orrery-cards.XXXXXX";
	int fd = mkstemp(path);
	FILE *f;

	assert_true(fd != -1);
	close(fd);
	run(x, "card 300,60 task 9");
	for (int whole = 1; whole >= 0; whole--) {
		assert_int_equal(svg_write(x->ui, path,
				     whole ? "all" : "process-time"),
		    0);
		f = fopen(path, "re");
		assert_non_null(f);
		text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
		fclose(f);
		assert_int_equal(strstr(text, ">spawned</text>") != NULL,
		    whole);
		assert_int_equal(strstr(text, ">subtree</text>") != NULL,
		    whole);
		/* the ring at its end */
		assert_int_equal(strstr(text, "r=\"7\" fill=\"none\"") != NULL,
		    whole);
	}
	unlink(path);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(several_are_open_at_once),
		T(escape_takes_the_topmost_then_the_selection),
		T(what_it_is_of_is_selected_in_all_views),
		T(the_mouse_moves_and_closes_it_and_stays_on_it),
		T(all_that_is_drawn_has_one),
		T(words_that_mean_nothing_are_told),
		T(they_are_kept_in_the_layout),
		cmocka_unit_test(marks_say_what_there_is),
		T(it_goes_on_with_the_run),
		T(it_is_drawn_in_both_themes),
		T(untouched_panes_are_as_without),
		T(an_svg_has_them),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
