/*
 * What a window asks of a log that does not fit into memory: what is in sight
 * and some on either side; where there is no room for that, what is in sight
 * alone; and then nothing, as it is known as well as it will ever be.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/detail.h"
#include "tests/unit/make_feed.h"
#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"

#define LANES   4
#define BATCH   10000
#define BATCHES 100
#define CAP     ((uint64_t)1 << 20)

struct world {
	struct model *m;
	struct ui *ui;
	uint32_t *px;
	struct canvas c;
	int64_t first, end;
};

static void
world_begin(struct world *w)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct event *e = calloc(BATCH, sizeof(*e));

	assert_non_null(f);
	assert_non_null(e);
	w->m = feed_model(LANES);
	model_set_memory(w->m, CAP);
	f->lanes = LANES;
	f->now = 1000;
	for (int i = 0; i < BATCHES; i++) {
		feed_fill(f, e, BATCH);
		model_add_events(w->m, e, BATCH);
	}
	free(e);
	free(f);
	w->ui = make_ui(w->m, &w->c, &w->px, 1200, 800);
	w->first = model_first_ns(w->m);
	w->end = model_last_ns(w->m);
}

static void
world_end(struct world *w)
{
	ui_free(w->ui);
	model_free(w->m);
	free(w->px);
}

static void
look(struct world *w, int64_t t0, int64_t t1)
{
	w->ui->time.t0_mon_ns = t0;
	w->ui->time.t1_mon_ns = t1;
}

/* The feed has looked, and there is no room. */
static void
refuse(struct world *w)
{
	assert_true(w->ui->feed.wanting);
	assert_false(ui_known(w->ui));
	w->ui->feed.wanting = false;
}

static void
less_is_asked_for_and_then_nothing(void **state)
{
	struct world w;
	int64_t t0, t1, v0, v1;

	(void)state;
	world_begin(&w);
	v0 = w.first + (w.end - w.first) / 8;
	v1 = v0 + (w.end - w.first) / 16;
	look(&w, v0, v1);
	assert_false(model_known(w.m, v0, v1));
	assert_false(ui_known(w.ui)); /* it has not been asked for */
	assert_true(ui_wants(w.ui, &t0, &t1));
	assert_int_equal(t0, v0 - (v1 - v0) / 2);
	assert_int_equal(t1, v1 + (v1 - v0) / 2);
	assert_false(ui_wants(w.ui, &t0, &t1));
	refuse(&w);
	assert_true(ui_wants(w.ui, &t0, &t1));
	assert_int_equal(t0, v0);
	assert_int_equal(t1, v1);
	refuse(&w);
	assert_false(ui_wants(w.ui, &t0, &t1));
	assert_true(ui_known(w.ui));
	/* elsewhere it begins anew, and all of it has no margins */
	look(&w, w.first, w.end + 1);
	assert_false(ui_known(w.ui));
	assert_true(ui_wants(w.ui, &t0, &t1));
	refuse(&w);
	assert_false(ui_wants(w.ui, &t0, &t1));
	assert_true(ui_known(w.ui));
	world_end(&w);
}

static void
what_is_being_read_is_waited_for(void **state)
{
	struct world w;
	int64_t t0, t1, v0;

	(void)state;
	world_begin(&w);
	v0 = w.first + (w.end - w.first) / 8;
	look(&w, v0, v0 + 1000);
	assert_true(ui_wants(w.ui, &t0, &t1));
	w.ui->feed.wanting = false;
	w.ui->feed.fetching = true;
	assert_false(ui_known(w.ui));
	assert_false(ui_wants(w.ui, &t0, &t1));
	/* within that nothing else is wanted */
	look(&w, v0 + 10, v0 + 990);
	assert_false(ui_wants(w.ui, &t0, &t1));
	assert_false(ui_known(w.ui));
	/* what is in memory is known at once */
	look(&w, w.end - 1000, w.end);
	assert_true(ui_known(w.ui));
	world_end(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(less_is_asked_for_and_then_nothing),
		cmocka_unit_test(what_is_being_read_is_waited_for),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
