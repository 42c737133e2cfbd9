/*
 * What is drawn again: only what is news, and however little of it is painted,
 * the picture is the one that would have been painted whole.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/viewer_window.h"
#include "ui/draw/layer.h"
#include "ui/input/input.h"
#include "ui/panes/panes.h"
#include "ui/whole/frame.h"

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
		b->timepane.layer.key++;
		b->treepane.layer.key++;
		b->strip->layer.key++;
		frame(b, pb);
		assert_memory_equal(pa, pb, (size_t)(W + GUARD) * H * 4);
	}
	free(pa);
	free(pb);
	ui_free(a);
	ui_free(b);
}

/* What asks for all of it anew may do so twice before a frame. */
static void
dropped_twice_is_drawn_anew(void **state)
{
	struct ui *ui = new_ui(*state, W, H);
	uint32_t *px = new_px(W, H), *of;

	frame(ui, px);
	frame(ui, px);
	of = ui->timepane.layer.px;
	frame(ui, px);
	assert_ptr_equal(ui->timepane.layer.px, of); /* nothing is new */
	ui_redo(ui);
	ui_redo(ui);
	frame(ui, px);
	assert_ptr_not_equal(ui->timepane.layer.px, of);
	free(px);
	ui_free(ui);
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
	width = ui->places.lanes.x1 - ui->places.lanes.x0;
	command_run(ui, "pan-right");
	frame(ui, now);
	dx = (int32_t)((ui->time.t0_mon_ns - t0) * width /
		       (ui->time.t1_mon_ns - ui->time.t0_mon_ns));
	assert_in_range(dx, 8, width / 2);
	assert_int_not_equal(dx % 7, 0);
	for (int32_t y = ui->places.lanes.y0; y < ui->places.lanes.y1; y++)
		for (int32_t x = ui->places.lanes.x0;
		     x < ui->places.lanes.x1 - dx; x++, all++)
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
	assert_false(picture_due(ui->picture));
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
	st.start_mon_ns = st.start_real_ns = 0;
	st.nodes = st.pos = st.rate = st.left_s = st.state = st.answers = 0;
	snprintf(st.source, sizeof(st.source), "%s", fx->feed.source);
	st.run[0] = st.run_name[0] = st.message[0] = st.log[0] = '\0';
	st.answer[0] = '\0';
	ui_refresh(ui, fx->model, &st);
	assert_false(picture_due(ui->picture));
	st.lost = 1;
	ui_refresh(ui, fx->model, &st);
	assert_true(picture_due(ui->picture));
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
	ui->picture->stop_cb = stop_after_cb;
	for (int at = 0;; at++) {
		int left = at;

		layer_drop(&ui->timepane.layer);
		layer_drop(&ui->treepane.layer);
		picture_changed(ui->picture);
		ui->picture->stop_arg = &left;
		/* what the user waits for is not stopped */
		picture_begin(ui->picture, PICTURE_HASTY);
		assert_true(ui_prepare(ui));
		picture_begin(ui->picture, PICTURE_FULL);
		layer_drop(&ui->timepane.layer);
		layer_drop(&ui->treepane.layer);
		if (ui_prepare(ui))
			break;
		stops++;
		assert_true(picture_due(ui->picture));
		frame(ui, px);
		assert_true(hash(px, W, H) == whole);
	}
	assert_true(stops > 4);
	free(px);
	ui_free(ui);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_windows_draw_the_same),
		cmocka_unit_test(dropped_twice_is_drawn_anew),
		cmocka_unit_test(what_moves_by_pixels_is_the_same),
		cmocka_unit_test(damage_paints_the_whole_picture),
		cmocka_unit_test(only_news_is_drawn_again),
		cmocka_unit_test(a_frame_given_up_leaves_no_trace),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
