/* The strip of a run that grows, bucket by bucket, against asking for all. */
#include "tests/check.h"

#include <stdlib.h>

#include "layout/time/overview.h"
#include "tests/unit/make_feed.h"
#include "ui/whole/frame.h"

#define LANES  16
#define BATCH  8192
#define PIXELS 200

struct world {
	struct model *m;
	struct feed_made feed;
	struct overview o;
};

static struct world *
world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->m = feed_model(LANES);
	w->feed.lanes = LANES;
	w->feed.now = 1000;
	return (w);
}

static void
world_free(struct world *w)
{
	overview_clear(&w->o);
	model_free(w->m);
	free(w);
}

static void
grow(struct world *w)
{
	static struct event e[BATCH];

	feed_fill(&w->feed, e, BATCH);
	model_add_events(w->m, e, BATCH);
}

static void
same(struct world *w)
{
	uint8_t got[PIXELS * LANE_CLASSES], want[PIXELS * LANE_CLASSES];
	int64_t t0 = model_first_ns(w->m), t1 = model_last_ns(w->m);

	for (int calls = 0; !overview_grow(&w->o, w->m, 512); calls++)
		assert_true(calls < 2 * OVERVIEW_BUCKETS / 512);
	overview_shares(&w->o, t0, t1, PIXELS, got);
	model_overview(w->m, t0, t1, PIXELS, 0, PIXELS, want);
	for (int i = 0; i < PIXELS * LANE_CLASSES; i++)
		assert_in_range(got[i] + 5, want[i], want[i] + 10);
}

static void
it_grows_as_the_run_does(void **state)
{
	struct world *w = world_new();

	(void)state;
	for (int i = 0; i < 60; i++) {
		grow(w);
		if (i % 7 == 0 || i > 55)
			same(w);
		else /* a frame that has no time for all of it */
			overview_grow(&w->o, w->m, 16);
	}
	/* buckets were made one more than once */
	assert_true(w->o.shift > 11);
	world_free(w);
}

static void
what_comes_late_is_in_it(void **state)
{
	struct world *w = world_new();
	struct event e = { .kind = EV_enter, .location = LANES, .c = 1 };
	int64_t quiet;

	(void)state;
	grow(w);
	quiet = w->feed.now;
	w->feed.lanes = LANES - 1; /* the last one says nothing any more */
	for (int i = 0; i < 8; i++) {
		grow(w);
		same(w);
	}
	e.t_mon_ns = quiet + 1000; /* it has been busy all along */
	model_add_events(w->m, &e, 1);
	for (int i = 0; i < 2 * OVERVIEW_BUCKETS / 512; i++)
		overview_grow(&w->o, w->m, 512);
	same(w);
	world_free(w);
}

static bool
nobody(void *arg)
{
	(void)arg;
	return (false);
}

/* Of the strip alone: the dock's figures take the time they take. */
static uint32_t *
picture(struct ui *ui)
{
	size_t n = (size_t)ui->places.width * (size_t)ui->places.height;
	uint32_t *px = calloc(n, sizeof(*px));
	struct canvas c;

	canvas_init(&c, px, ui->places.width, ui->places.height,
	    ui->places.width);
	ui_show(ui, &c);
	return (px);
}

static struct ui *
ui_of(struct world *w, const struct feed_status *feed)
{
	struct ui *ui = ui_new(&palette_dark);

	ui->places.only = PANE_OVERVIEW;
	ui_resize(ui, 640, 60);
	ui_refresh(ui, w->m, feed);
	return (ui);
}

/* Frames as long as there is something to be drawn. */
static uint32_t *
settled(struct ui *ui)
{
	uint32_t *px = NULL;

	for (int frames = 0; px == NULL || picture_due(ui->picture); frames++) {
		assert_true(frames < 1000);
		free(px);
		assert_true(ui_prepare(ui));
		px = picture(ui);
	}
	return (px);
}

/* A program has ended and nothing more is heard, but the run goes on. */
static void
the_end_has_its_colours_when_nothing_comes_any_more(void **state)
{
	struct feed_status feed = { .connected = true, .live = true };
	struct world *w = world_new();
	struct ui *ui = ui_of(w, &feed);
	uint32_t *px, grey = 0;

	(void)state;
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 4; k++)
			grow(w);
		ui_refresh(ui, w->m, &feed);
		free(settled(ui));
	}
	grow(w);
	ui_refresh(ui, w->m, &feed);
	px = settled(ui);
	for (int i = 0; i < 640 * 60; i++)
		grey += px[i] == palette_dark.faint;
	assert_int_equal(grey, 0);
	free(px);
	ui_free(ui);
	world_free(w);
}

/* The first picture of a very long run has no colours, the next one all. */
static void
colours_come_a_frame_later(void **state)
{
	struct feed_status feed = { .connected = true, .finished = true };
	struct world *w = world_new();
	struct ui *soon, *whole;
	uint32_t *first, *second, *want;
	size_t n;

	(void)state;
	while (model_events(w->m) <= 10000000)
		grow(w);
	soon = ui_of(w, &feed);
	whole = ui_of(w, &feed);
	n = (size_t)soon->places.width * (size_t)soon->places.height;
	assert_true(ui_prepare(whole));
	want = picture(whole);
	soon->picture->stop_cb = nobody;
	assert_true(ui_prepare(soon));
	first = picture(soon);
	assert_true(picture_due(soon->picture));
	assert_true(memcmp(first, want, n * sizeof(*want)) != 0);
	assert_true(ui_prepare(soon));
	second = picture(soon);
	assert_memory_equal(second, want, n * sizeof(*want));
	free(first);
	free(second);
	free(want);
	ui_free(soon);
	ui_free(whole);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_grows_as_the_run_does),
		cmocka_unit_test(what_comes_late_is_in_it),
		cmocka_unit_test(
		    the_end_has_its_colours_when_nothing_comes_any_more),
		cmocka_unit_test(colours_come_a_frame_later),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
