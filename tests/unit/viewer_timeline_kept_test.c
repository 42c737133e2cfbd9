/*
 * However a picture of the process-time view is made, it is the same: from
 * columns that were kept, after a coarse one, or by two threads.
 */
#include "tests/unit/viewer_timeline.h"

#include <pthread.h>
#include <stdlib.h>

#include "tests/unit/make_feed.h"

/* Columns that were kept against those of a layout that keeps nothing. */
static int
kept_is_fresh(struct fixture *x, int near)
{
	const struct timeline_columns *k, *f;
	struct timeline_layout fresh = { 0 };
	int compared = 0;

	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	timeline_layout(x->m, &palette_dark, &x->v, &fresh, &x->s);
	for (int i = 0; i < TIMELINE_KEPT; i++) {
		k = x->l.kept[i];
		f = fresh.kept[i];
		if (f == NULL)
			continue;
		assert_non_null(k);
		assert_int_equal(k->lane, f->lane);
		compared++;
		for (int32_t c = 0; c < k->n * LANE_CLASSES; c++)
			assert_true(abs(k->share[c] - f->share[c]) <= near);
		assert_int_equal(k->named, x->v.colour == TIMELINE_BY_NAME);
		assert_int_equal(k->named, f->named);
		/* of two that have about as much either may be the one */
		for (int32_t c = 0; k->named && near == 0 && c < k->n; c++)
			assert_int_equal(k->name[c], f->name[c]);
	}
	timeline_layout_free(&fresh);
	return (compared);
}

/* Kept columns are those of now: growing, moved, with late events. */
static void
kept_columns_are_true(void **state)
{
	struct fixture x;
	struct event e[2];
	int64_t t = 1000 * US, px = 1000;
	uint32_t r = 5;
	int compared = 0;

	(void)state;
	start(&x);
	x.v.grows = true;
	x.v.links = false;
	x.v.t0_mon_ns = t;
	x.v.t1_mon_ns = t + x.v.width * px;
	for (int i = 0; i < 40000; i++) {
		r = r * 1664525u + 1013904223u;
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){
				.location =
				    x.at[i % 900 < 300 ? r >> 30 : r >> 31],
				.t_mon_ns = t + k * (int64_t)(r >> 12 & 63),
				.a = 1,
				.c = r >> 20 & 1 ? x.f : x.g,
				.kind = k == 0 ? EV_enter : EV_leave
			};
		t += r >> 12 & 63;
		model_add_events(x.m, e, 2);
		if (i % 900 == 800) { /* late, where nothing was for long */
			for (int k = 0; k < 2; k++) {
				e[k].location = x.at[3];
				e[k].t_mon_ns = t - (10 - 5 * k) * px;
			}
			model_add_events(x.m, e, 2);
		}
		if (i > 200 && i % 167 == 0) {
			x.v.colour =
			    r >> 8 & 1 ? TIMELINE_BY_NAME : TIMELINE_BY_STATE;
			compared += kept_is_fresh(&x, 3);
			x.v.t0_mon_ns += r >> 9 & 1 ? 7 * px : 0;
			x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * px;
		}
	}
	/* when it is over there is no rounding that tells how it was seen */
	assert_true(compared > 100);
	x.v.grows = false;
	x.v.colour = TIMELINE_BY_STATE;
	assert_true(kept_is_fresh(&x, 0) > 0);
	x.v.colour = TIMELINE_BY_NAME;
	kept_is_fresh(&x, 0);
	x.v.t0_mon_ns -= 7 * px;
	x.v.t1_mon_ns -= 7 * px;
	kept_is_fresh(&x, 0);
	x.v.t0_mon_ns += 100 * px;
	x.v.t1_mon_ns += 100 * px;
	kept_is_fresh(&x, 0);
	finish(&x);
}

/*
 * Views between which one zooms are kept side by side: true while the run
 * grows, and found again.
 */
static void
views_are_kept_side_by_side(void **state)
{
	struct fixture x = { .m = feed_model(6) };
	struct feed_made *made = calloc(1, sizeof(*made));
	struct event *e = calloc(20000, sizeof(*e));
	const struct timeline_columns *first;
	int64_t from, px;
	uint32_t r = 9;

	(void)state;
	made->lanes = 6;
	made->now = 1000;
	x.v = (struct timeline_view){ .width = 300,
		.height = 400,
		.lane_height = 22,
		.grows = true,
		.selected_lane = UINT32_MAX };
	for (int i = 0; i < 120; i++) {
		if (i % 10 == 0) {
			feed_fill(made, e, 20000);
			model_add_events(x.m, e, 20000);
		}
		r = r * 1664525u + 1013904223u;
		from = model_first_ns(x.m) + (int64_t)(r >> 28) * 40000;
		px = 1000 + (int64_t)(r >> 20 & 15) * 250;
		x.v.t0_mon_ns = from;
		x.v.t1_mon_ns = from + x.v.width * px;
		assert_int_equal(kept_is_fresh(&x, 3), 6);
	}
	x.v.grows = false;
	x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * 900;
	assert_int_equal(kept_is_fresh(&x, 0), 6);
	first = x.l.kept[x.l.rows[x.l.nrows - 1].shows];
	for (int i = 0; i < 8; i++) {
		x.v.t1_mon_ns += x.v.width * 100;
		assert_int_equal(kept_is_fresh(&x, 0), 6);
		assert_ptr_not_equal(first, x.l.kept[first->lane]);
	}
	x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * 900;
	assert_int_equal(kept_is_fresh(&x, 0), 6);
	assert_ptr_equal(first, x.l.kept[first->lane]);
	/* events come: none of them may be shown as they were */
	feed_fill(made, e, 20000);
	model_add_events(x.m, e, 20000);
	for (int i = 0; i < 8; i++) {
		x.v.t1_mon_ns += x.v.width * 100;
		assert_int_equal(kept_is_fresh(&x, 0), 6);
	}
	free(made);
	free(e);
	finish(&x);
}

/* How much of all rows is running, in 1/1000. */
static int
busy_part(const struct fixture *x)
{
	int64_t busy = 0, all = 0;

	for (size_t i = 0; i < x->s.n; i++) {
		const struct item *it = &x->s.items[i];

		if (it->type == ITEM_RECT &&
		    it->rgb == palette_dark.state[LANE_running])
			busy += (int64_t)(it->x1 - it->x0) * (it->y1 - it->y0);
	}
	for (size_t i = 0; i < x->l.nrows; i++)
		if (x->l.rows[i].shows != UINT32_MAX)
			all += (int64_t)x->v.width * x->l.rows[i].height *
			       SCENE_ONE * SCENE_ONE;
	return ((int)(busy * 1000 / all));
}

/* A coarse picture shows about the same, and the next one is exact again. */
static void
coarse_pictures_pass(void **state)
{
	static const struct {
		double t0, t1; /* parts of the run */
	} views[] = { { 0.1, 0.9 }, { 0.2, 0.8 }, { 0, 1 }, { 0.3, 0.5 },
		{ 0.25, 0.45 }, { 0.6, 0.9 } };
	struct fixture x = { .m = feed_model(8) };
	struct feed_made *made = calloc(1, sizeof(*made));
	struct event *e = calloc(400000, sizeof(*e));
	int64_t first, run;
	int exact, coarse;

	(void)state;
	made->lanes = 8;
	made->now = 1000;
	feed_fill(made, e, 400000);
	model_add_events(x.m, e, 400000);
	first = model_first_ns(x.m);
	run = model_last_ns(x.m) - first;
	x.v = (struct timeline_view){ .width = 500,
		.height = 400,
		.lane_height = 22,
		.selected_lane = UINT32_MAX };
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		x.v.t0_mon_ns = first + (int64_t)((double)run * views[i].t0);
		x.v.t1_mon_ns = first + (int64_t)((double)run * views[i].t1);
		x.v.coarse = i > 0;
		timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
		coarse = busy_part(&x);
		x.v.coarse = false;
		assert_int_equal(kept_is_fresh(&x, 0), 8);
		exact = busy_part(&x);
		if (exact <= 20 || abs(coarse - exact) >= 5)
			fail_msg("view %zu: %d, not %d", i, coarse, exact);
	}
	free(made);
	free(e);
	finish(&x);
}

struct job {
	void (*run)(void *, int);
	void *arg;
};

static void *
second(void *arg)
{
	struct job *j = arg;

	j->run(j->arg, 1);
	return (NULL);
}

static void
two_threads(void (*run)(void *, int), void *arg)
{
	struct job j = { run, arg };
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, second, &j), 0);
	run(arg, 0);
	assert_int_equal(pthread_join(t, NULL), 0);
}

static void
second_alone(void (*run)(void *, int), void *arg)
{
	run(arg, 1);
}

static char *
scene_of(struct fixture *x, void (*how)(void (*)(void *, int), void *))
{
	struct timeline_layout l = { .both = how };
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	timeline_layout(x->m, &palette_dark, &x->v, &l, &x->s);
	scene_print(&x->s, f);
	fprintf(f, "%u %u\n", l.spans_drawn, l.pixels_drawn);
	fclose(f);
	timeline_layout_free(&l);
	return (text);
}

/* Who draws a row makes no difference; 300 rows, more than are kept. */
static void
threads_make_no_difference(void **state)
{
	struct fixture x;
	struct event e[2];
	uint32_t at[300];
	char *one, *two;

	(void)state;
	start(&x);
	for (uint32_t i = 0; i < 300; i++)
		at[i] = make_log_thread(&x.log, 2, 1, 2 + i, "");
	feed(&x);
	for (int i = 0; i < 120000; i++) {
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){ .location = at[i % 300],
				.t_mon_ns =
				    1000 * US + i * 10 + k * (900 + i % 1999),
				.a = 1,
				.c = i % 7 == 0 ? x.f : x.g,
				.kind = k == 0 ? EV_enter : EV_leave };
		model_add_events(x.m, e, 2);
	}
	x.v.height = 320 * x.v.lane_height;
	for (int near = 0; near < 2;
	     near++) { /* shares, and boxes with names */
		x.v.t0_mon_ns = near ? 1100 * US : 0;
		x.v.t1_mon_ns = near ? 1110 * US : 2200 * US;
		one = scene_of(&x, NULL);
		assert_true(strlen(one) > 100000);
		for (int i = 0; i < 10; i++) {
			two = scene_of(&x, i == 0 ? second_alone : two_threads);
			assert_string_equal(one, two);
			free(two);
		}
		free(one);
	}
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_columns_are_true),
		cmocka_unit_test(views_are_kept_side_by_side),
		cmocka_unit_test(coarse_pictures_pass),
		cmocka_unit_test(threads_make_no_difference),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
