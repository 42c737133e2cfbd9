/*
 * The shape of a run by the summaries of its blocks: what they say is all
 * there, however many there are, and the views show it until all is read.
 */
#include "tests/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "feed/feed_inside.h"
#include "feed/feed_sketch.h"
#include "layout/time/timeline.h"
#include "tests/unit/viewer_sketch.h"
#include "ui/desk/desk.h"
#include "ui/whole/frame.h"

static void
a_lane_is_there_while_it_has_events(void **state)
{
	struct world *w = *state;
	float sum[SKETCH_SUMS(PX)];
	int64_t t0 = round_ns(0), t1 = round_ns(ROUNDS);
	struct sketch *s = sketch_of(w, 0);
	uint32_t lane;

	assert_int_equal(sketch_events(s), w->log.written);
	assert_int_equal(sketch_first_ns(s), t0);
	assert_int_equal(sketch_last_ns(s),
	    round_ns(ROUNDS - 1) + (50 + LANES - 2) * US);
	assert_int_equal(sketch_lane(s, 99), SKETCH_NONE);
	for (int k = 0; k < LANES; k++) {
		lane = sketch_lane(s, w->at[k]);
		assert_true(lane != SKETCH_NONE && lane != SKETCH_ALL);
		pixels(s, lane, t0, t1, sum);
		for (int x = 0; x < PX; x++) {
			bool off = (k == LANES - 1 && x > PX / 2 + 1) ||
				   (k == LANES - 2 && x < PX / 2 - 1);
			int class = k == 1 ? LANE_wait_lock : LANE_running;

			assert_true(all_of(sum, x) < 1.001f);
			if (off)
				assert_true(all_of(sum, x) < .001f);
			else if (x != PX / 2 && x != PX / 2 + 1 &&
				 x != PX / 2 - 1)
				assert_true(
				    sum[x * LANE_CLASSES + class] > .4f);
		}
	}
	/* of the part in sight alone the same, but for its first pixel */
	pixels(s, sketch_lane(s, w->at[0]), round_ns(100), round_ns(200), sum);
	for (int x = 1; x < PX; x++)
		assert_true(all_of(sum, x) < 1.001f);
	pixels(s, sketch_lane(s, w->at[0]), t1, t1 + 1000, sum);
	for (int x = 0; x < PX; x++)
		assert_true(all_of(sum, x) < .001f);
	sketch_free(s);
}

/* However few cells there may be. */
static void
nothing_vanishes_when_blocks_are_merged(void **state)
{
	static const size_t cells[] = { 0, 400, 100, 30, 16 };
	struct world *w = *state;
	int64_t t0 = round_ns(0), t1 = round_ns(ROUNDS);
	float sum[SKETCH_SUMS(PX)];

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct sketch *s = sketch_of(w, cells[i]);
		uint32_t density[PX] = { 0 }, lane;
		uint64_t all = 0;

		assert_true(cells[i] == 0 || sketch_cells(s) <= cells[i]);
		assert_true(sketch_cells(s) > LANES);
		for (int k = 0; k < LANES; k++) {
			uint8_t alert[PX] = { 0 };
			float some = 0;

			lane = sketch_lane(s, w->at[k]);
			pixels(s, lane, t0, t1, sum);
			for (int x = 0; x < PX; x++)
				some += all_of(sum, x);
			assert_true(some > PX / 4.0f);
			sketch_alerts(s, lane, t0, t1, PX, alert);
			assert_int_equal(alert[300 * PX / ROUNDS], k == 2);
		}
		sketch_density(s, t0, t1, PX, density);
		for (int x = 0; x < PX; x++)
			all += density[x];
		assert_true(all * 10 > w->log.written * 9 &&
			    all * 10 < w->log.written * 11);
		sketch_free(s);
	}
}

/* One event in a million. */
static void
what_was_lost_is_seen_among_many(void **state)
{
	struct sketch *s = sketch_new(16);
	struct tracefile_entry e = { .type = MSG_block, .events = 50000 };
	struct block_lane l = { .location = 7, .events = 50000 };
	uint8_t alert[PX] = { 0 };

	(void)state;
	for (int i = 0; i < 2000; i++) {
		l.first_mon_ns = e.first_mon_ns = i * 1000;
		l.last_mon_ns = e.last_mon_ns = i * 1000 + 999;
		l.class_events[CLASS_call] = i == 700 ? 49999 : 50000;
		l.class_events[CLASS_monitor] = i == 700;
		assert_int_equal(sketch_add(s, &e, &l, 1), 0);
	}
	assert_true(sketch_cells(s) <= 16);
	sketch_alerts(s, sketch_lane(s, 7), 0, 2000000, PX, alert);
	assert_int_equal(alert[700 * PX / 2000], 1);
	assert_int_equal(alert[PX - 1], 0);
	sketch_free(s);
}

/* --- in the views --- */

/* Goes on with reading from *at, so many blocks. */
static void
read_on(struct world *w, struct model *m, uint64_t *at, size_t blocks)
{
	struct frame f;

	while (blocks > 0 && tracefile_next(w->file, at, &f) == 1) {
		blocks -= f.type == MSG_block;
		assert_int_equal(model_add_frame(m, &f), 0);
	}
}

static struct model *
read_until(struct world *w, size_t blocks)
{
	struct model *m = model_new();
	uint64_t at = 0;

	assert_non_null(m);
	read_on(w, m, &at, blocks);
	return (m);
}

/* Rectangles of this colour, and where the leftmost begins. */
static unsigned
count(const struct scene *s, uint32_t rgb, int32_t *x0)
{
	unsigned n = 0;

	*x0 = INT32_MAX;
	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i].type != ITEM_RECT || s->items[i].rgb != rgb)
			continue;
		n++;
		if (s->items[i].x0 < *x0)
			*x0 = s->items[i].x0;
	}
	return (n);
}

static void
rows_show_it_behind_what_is_read(void **state)
{
	static const size_t read[] = { 1, 30, 60, 1000 };
	struct world *w = *state;
	struct sketch *s = sketch_of(w, 0);
	struct timeline_view v = { .t0_mon_ns = round_ns(0),
		.t1_mon_ns = round_ns(ROUNDS),
		.width = 800,
		.height = 400,
		.lane_height = 20,
		.selected_lane = UINT32_MAX,
		.sketch = s };
	const struct palette *p = &palette_dark;
	uint32_t faint = palette_faint(p, p->state[LANE_running]);
	uint32_t lock = palette_faint(p, p->state[LANE_wait_lock]);

	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		struct model *m = read_until(w, read[i]);
		struct timeline_layout l = { 0 };
		struct scene scene = { 0 };
		int32_t x, edge = -1;
		bool rest = read[i] < 1000;

		v.grows = true;
		timeline_layout(m, p, &v, &l, &scene);
		if (model_events(m) > 0)
			edge = timeline_x(&v, model_last_ns(m));
		assert_int_equal(count(&scene, faint, &x) > 0, rest);
		if (rest)
			assert_int_equal(x / SCENE_ONE, edge + 1);
		assert_int_equal(count(&scene, lock, &x) > 0, rest);
		assert_int_equal(count(&scene, p->error, &x) > 0, true);
		v.grows = false;
		timeline_layout(m, p, &v, &l, &scene);
		assert_int_equal(count(&scene, faint, &x), 0);
		timeline_layout_free(&l);
		scene_free(&scene);
		model_free(m);
	}
	sketch_free(s);
}

static void
the_window_knows_the_end_from_the_beginning(void **state)
{
	struct world *w = *state;
	struct model *m = model_new(), *whole = read_until(w, 1000);
	struct feed_status st = { .connected = true, .reading = true };
	struct ui *ui = ui_new(&palette_light);
	int64_t t0, t1, end = model_last_ns(whole);
	uint64_t at = 0;

	ui_refresh(ui, m, &st);
	ui_sketch(ui, sketch_of(w, 0));
	assert_true(ui->time.t1_mon_ns > end);
	assert_true(ui->time.t1_mon_ns - ui->time.t0_mon_ns < 2 * end);
	read_on(w, m, &at, 10);
	ui_sketch(ui, sketch_of(w, 0));
	ui_refresh(ui, m, &st);
	assert_true(ui->time.t0_mon_ns < model_first_ns(m));
	assert_true(ui->time.t1_mon_ns > end);
	t0 = ui->time.t0_mon_ns;
	t1 = ui->time.t1_mon_ns;
	/* what is counted ends with what is known */
	assert_int_equal(run_end(ui), model_last_ns(m));
	/* it goes when all is read, and the picture stays where it is */
	st.reading = false;
	read_on(w, m, &at, 1000);
	ui_refresh(ui, m, &st);
	assert_null(ui->sketch);
	assert_int_equal(ui->time.t0_mon_ns, t0);
	assert_int_equal(ui->time.t1_mon_ns, t1);
	/* too late */
	ui_sketch(ui, sketch_of(w, 0));
	assert_null(ui->sketch);
	ui_free(ui);
	model_free(m);
	model_free(whole);
}

static void
the_feed_makes_it(void **state)
{
	struct world *w = *state;
	struct feed f = { .file = w->file,
		.changed_fd = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER };
	struct sketch *s;
	const struct tracefile_entry *e;
	uint64_t least = feed_sketch_bytes;
	uint8_t zero[40] = { 0 };
	size_t n;

	feed_sketch_bytes = tracefile_bytes(w->file) + 1;
	feed_sketch_begin(&f);
	assert_null(f.sketching);
	assert_null(feed_sketch(&f));
	feed_sketch_bytes = 0;
	feed_sketch_begin(&f);
	for (int i = 0; f.sketching != NULL && i < 1000000; i++)
		feed_sketch_go_on(&f);
	s = feed_sketch(&f);
	assert_non_null(s);
	assert_null(feed_sketch(&f));
	assert_int_equal(sketch_events(s), w->log.written);
	sketch_free(s);
	/* a block that cannot be looked into leaves a hole */
	e = tracefile_index(w->file, &n);
	assert_int_equal(e[n - 1].type, MSG_block);
	assert_int_equal(pwrite(w->fd, zero, sizeof(zero),
			     (off_t)e[n - 2].offset),
	    sizeof(zero));
	feed_sketch_begin(&f);
	for (int i = 0; f.sketching != NULL && i < 1000000; i++)
		feed_sketch_go_on(&f);
	s = feed_sketch(&f);
	assert_non_null(s);
	assert_int_equal(sketch_events(s), w->log.written - e[n - 2].events);
	sketch_free(s);
	feed_sketch_bytes = least;
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)
	const struct CMUnitTest tests[] = {
		TEST(a_lane_is_there_while_it_has_events),
		TEST(nothing_vanishes_when_blocks_are_merged),
		TEST(what_was_lost_is_seen_among_many),
		TEST(rows_show_it_behind_what_is_read),
		TEST(the_window_knows_the_end_from_the_beginning),
		TEST(the_feed_makes_it),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
