/* Tasks of a range, of very many: counted over some frames, then exactly. */
#include "tests/check.h"

#include <stdlib.h>

#include "tests/unit/make_feed.h"
#include "ui/desk/desk.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

#define BATCH 8192
#define TASKS 1200000 /* two frames are needed */

static bool
nobody(void *arg)
{
	(void)arg;
	return (false);
}

static struct model *
model_of_tasks(void)
{
	static struct event e[BATCH];
	struct feed_made *f = calloc(1, sizeof(*f));
	struct model *m = feed_model(4);

	assert_non_null(f);
	f->mix = (struct feed_mix){ 0, 0, 100 };
	f->lanes = 4;
	f->now = 1000;
	while (model_tasks(m) < TASKS) {
		feed_fill(f, e, BATCH);
		model_add_events(m, e, BATCH);
	}
	free(f);
	return (m);
}

static struct ui *
ui_of(struct model *m)
{
	struct feed_status feed = { .connected = true, .finished = true };
	struct ui *ui = ui_new(&palette_dark);

	assert_non_null(ui);
	ui_refresh(ui, m, &feed);
	return (ui);
}

static uint64_t
brute(const struct model *m, int64_t t0, int64_t t1)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < model_tasks(m); i++)
		n +=
		    model_task_begin(m, i) >= t0 && model_task_begin(m, i) < t1;
	return (n);
}

static void
more_are_told_in_each_frame(void **state)
{
	struct model *m = model_of_tasks();
	struct ui *ui = ui_of(m), *whole = ui_of(m);
	int64_t first = model_first_ns(m), run = model_last_ns(m) - first;
	uint64_t n, before = 0, want = brute(m, first, first + run + 1);

	(void)state;
	assert_int_equal(want, model_tasks(m));
	assert_int_equal(tasks_in(whole, first, first + run + 1), want);
	assert_false(whole->figures.tasks.busy);
	ui->picture->stop_cb = nobody;
	for (int frame = 0; frame < 2; frame++) {
		n = tasks_in(ui, first, first + run + 1);
		assert_true(n > before && n <= want);
		assert_int_equal(!ui->figures.tasks.busy, n == want);
		assert_int_equal(ui->figures.tasks.busy, frame == 0);
		before = n;
	}
	for (int i = 0; i < 3; i++) {
		int64_t t0 = first + run / 9 * i + i * 77;
		int64_t t1 = t0 + run / (2 + 3 * i);

		assert_int_equal(tasks_in(ui, t0, t1), brute(m, t0, t1));
		assert_false(ui->figures.tasks.busy);
	}
	ui_free(ui);
	ui_free(whole);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_are_told_in_each_frame),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
