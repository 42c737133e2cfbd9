/*
 * The arrows of the values that a task had and gave: the same line at every
 * zoom, also when one of its ends, or both, lie beside the window.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "layout/radial/radial.h"
#include "tests/unit/make_model.h"

#define WIDE 5 /* children of a task */

struct fixture {
	struct model *m;
	struct radial_layout l;
	struct scene s;
	struct radial_view v;
};

/* Three levels; the last task on one thread has a value from the first. */
static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct make_log log = { 0 };
	uint32_t one, two, name;
	uint64_t id = 2;

	assert_non_null(f);
	make_log_head(&log, "values");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "values");
	one = make_log_thread(&log, 1, 1, 1, "");
	two = make_log_thread(&log, 1, 1, 2, "");
	name = make_log_name(&log, "work");
	make_log_event(&log, one, EV_task_spawn, 1, 1, 0, name);
	for (uint64_t i = 0; i < WIDE; i++) {
		uint64_t up = id++;

		make_log_event(&log, one, EV_task_spawn, 2, up, 1, name);
		for (uint64_t k = 0; k < WIDE; k++, id++)
			make_log_event(&log, one, EV_task_spawn, 3, id, up,
			    name);
	}
	/* 3: the first leaf; id - 1: the last one */
	make_log_event(&log, one, EV_task_begin, 10, 3, 0, name);
	make_log_event(&log, two, EV_task_begin, 20, id - 1, 1, name);
	make_log_event(&log, one, EV_future_set, 30, 77, 3, 0);
	make_log_event(&log, two, EV_future_get, 40, 77, id - 1, 0);
	make_log_event(&log, one, EV_task_end, 50, 3, 0, 0);
	make_log_event(&log, two, EV_task_end, 60, id - 1, 0, 0);
	f->m = make_model(&log);
	f->v = (struct radial_view){ .width = 500,
		.height = 400,
		.zoom = 1,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX,
		.edges = true,
		.selected_task = id - 1 };
	*state = f;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	radial_layout_free(&f->l);
	scene_free(&f->s);
	model_free(f->m);
	free(f);
	return (0);
}

static const struct item *
arrow(struct fixture *f)
{
	radial_layout(f->m, &palette_dark, &f->v, &f->l, &f->s);
	for (size_t i = 0; i < f->s.n; i++)
		if (f->s.items[i].type == ITEM_ARROW)
			return (&f->s.items[i]);
	return (NULL);
}

/* From the root, in units of the zoom. */
static double
plain(const struct fixture *f, int32_t at, int vertical)
{
	double middle = vertical ? f->v.height / 2.0 + f->v.centre_y
				 : f->v.width / 2.0 + f->v.centre_x;

	return (((double)at / SCENE_ONE - middle) / f->v.zoom);
}

static double
away(double x, double y, const double p[4])
{
	double dx = p[2] - p[0], dy = p[3] - p[1];

	return (fabs((x - p[0]) * dy - (y - p[1]) * dx) / hypot(dx, dy));
}

static void
an_arrow_is_the_same_line_at_every_zoom(void **state)
{
	static const double places[][4] = { /* zoom, centre, turned */
		{ 1, 0, 0, 0 }, { 3, 100, 350, 0 }, { 8, 0, 1060, 0 },
		{ 8, 200, 1060, 0 }, { 40, 0, 5290, 0 },
		{ 900, 5000, 119055, 0 }, { 2, -2000, 0, 0 }
	};
	struct fixture *f = *state;
	const struct item *it = arrow(f);
	unsigned seen = 0;
	double p[4];

	assert_non_null(it);
	assert_int_equal(f->l.values.in, 1);
	p[0] = plain(f, it->x0, 0);
	p[1] = plain(f, it->y0, 1);
	p[2] = plain(f, it->x1, 0);
	p[3] = plain(f, it->y1, 1);
	/* from the one leaf to the other */
	for (size_t i = 0; i < f->l.nnodes; i++) {
		struct task t;

		model_task_get(f->m, f->l.nodes[i].task, &t);
		if (t.id == 3)
			assert_int_equal(f->l.nodes[i].x, it->x0);
		if (t.id == f->v.selected_task)
			assert_int_equal(f->l.nodes[i].y, it->y1);
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		f->v.zoom = places[i][0];
		f->v.centre_x = places[i][1];
		f->v.centre_y = places[i][2];
		it = arrow(f);
		assert_int_equal(f->l.values.in, 1); /* drawn or not */
		if (it == NULL)
			continue;
		seen++;
		assert_true(
		    away(plain(f, it->x0, 0), plain(f, it->y0, 1), p) < 0.1);
		assert_true(
		    away(plain(f, it->x1, 0), plain(f, it->y1, 1), p) < 0.1);
		assert_true(it->x0 > -100 * SCENE_ONE);
		assert_true(it->x0 < 600 * SCENE_ONE);
	}
	assert_int_equal(seen, 6);
}

/* Also where the tree is turned, unrolled, a subtree, or condensed. */
static void
both_ends_are_where_their_tasks_are(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 24; i++) {
		const struct item *it;
		unsigned found = 0;

		f->v.form = (enum radial_form)(i % RADIAL_FORMS);
		f->v.order = (enum radial_order)(i / 3 % RADIAL_ORDERS);
		f->v.rotate_rad = i * 0.7;
		f->v.ring_px_min = i < 12 ? 4 : 150; /* two rings only */
		it = arrow(f);
		if (it == NULL) { /* both are in one that is kept */
			assert_true(i >= 12);
			continue;
		}
		for (size_t k = 0; k < f->l.nnodes; k++) {
			const struct radial_node *n = &f->l.nodes[k];

			found += (n->x == it->x0 && n->y == it->y0) ||
				 (n->x == it->x1 && n->y == it->y1);
		}
		assert_int_equal(found, 2);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    an_arrow_is_the_same_line_at_every_zoom, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    both_ends_are_where_their_tasks_are, setup, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
