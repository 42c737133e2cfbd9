/*
 * Rings as far apart as the window has room: of a subtree that is taller than
 * it, of a tree whose outer levels are too small to be drawn, and of one that
 * grows; and which level a circle is of.
 */
#include "tests/check.h"

#include <math.h>

#include "layout/radial/radial.h"
#include "model/model.h"

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

static void
spawn(struct model *m, uint64_t id, uint64_t parent)
{
	struct event e = { .t_mon_ns = (int64_t)id * 10,
		.a = id,
		.b = parent,
		.kind = EV_task_spawn,
		.location = 1 };

	model_add_events(m, &e, 1);
}

static struct radial_view
window(int32_t width, int32_t height)
{
	return ((struct radial_view){ .width = width,
	    .height = height,
	    .zoom = 1,
	    .ring_px_min = 4,
	    .root = TASK_NONE,
	    .sum_singles = true,
	    .fit = true,
	    .until_mon_ns = INT64_MAX });
}

/* From the middle to what is drawn farthest away, px. */
static double
reach(const struct radial_layout *l, const struct radial_view *v,
    const struct scene *s)
{
	double far = 0, d;

	for (size_t i = 0; i < l->nnodes; i++) {
		d = hypot(l->nodes[i].x - v->width * SCENE_ONE / 2.0,
			l->nodes[i].y - v->height * SCENE_ONE / 2.0) /
		    SCENE_ONE;
		far = d > far ? d : far;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].type == ITEM_LINE) {
			d = hypot(s->items[i].x1 - v->width * SCENE_ONE / 2.0,
				s->items[i].y1 - v->height * SCENE_ONE / 2.0) /
			    SCENE_ONE;
			far = d > far ? d : far;
		}
	return (far);
}

/* A stem with a leaf at each of its levels. */
static struct model *
stem(uint32_t levels)
{
	struct model *m = model_new();
	uint64_t id = 1, at = 1;

	spawn(m, id++, 0);
	for (uint32_t i = 1; i < levels; i++) {
		spawn(m, id, at);
		at = id++;
		spawn(m, id++, at);
	}
	return (m);
}

static void
a_tall_subtree_is_in_the_window(void **state)
{
	static const struct {
		uint32_t levels;
		int32_t px;
		bool kept; /* each level is */
	} cases[] = { { 100, 900, true }, { 318, 700, true },
		{ 318, 400, false }, { 3000, 500, false } };

	(void)state;
	for (int order = 0; order < RADIAL_ORDERS; order++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct model *m = stem(cases[i].levels + 10);
			struct radial_view v =
			    window(cases[i].px * 2, cases[i].px);
			struct radial_layout l = { 0 };
			struct scene s = { 0 };
			const struct radial_node *n;

			v.root = 19; /* ten levels down */
			v.subtree = true;
			v.order = (enum radial_order)order;
			radial_layout(m, &palette_dark, &v, &l, &s);
			assert_true(l.levels >= cases[i].levels);
			assert_int_equal(l.levels == l.rings, cases[i].kept);
			assert_true(l.ring_px >= 1);
			assert_int_equal(l.tasks,
			    l.drawn + l.pruned + l.condensed + l.outside);
			assert_int_equal(l.outside, 0);
			assert_true(reach(&l, &v, &s) <= cases[i].px / 2.0 + 1);
			assert_true(reach(&l, &v, &s) > cases[i].px * 0.4);
			/* what is at its end is found in it, what is above
			 * its root is not */
			n = radial_find(&l, m, model_tasks(m) - 1);
			assert_non_null(n);
			assert_true(n->ring + 2 >= l.rings);
			radial_layout_free(&l);
			scene_free(&s);
			model_free(m);
		}
}

static void
rings_without_anything_take_no_room(void **state)
{
	struct model *m = model_new();
	struct radial_view v = window(800, 800);
	struct radial_layout l = { 0 }, other = { 0 };
	struct scene s = { 0 };
	double all, fit;
	uint32_t drawn;

	(void)state;
	seed = 3;
	for (uint64_t id = 1; id <= 100000; id++)
		spawn(m, id, id == 1 ? 0 : 1 + below((uint32_t)id - 1));
	v.fit = false;
	radial_layout(m, &palette_dark, &v, &l, &s);
	all = l.ring_px;
	drawn = l.drawn;
	v.fit = true;
	radial_layout(m, &palette_dark, &v, &l, &s);
	fit = l.ring_px;
	assert_true(fit > 1.2 * all);
	assert_true(l.drawn > drawn);
	assert_int_equal(l.drawn + l.pruned + l.outside, 100000);
	assert_int_equal(l.outside, 0);
	assert_true(reach(&l, &v, &s) <= 401);
	assert_true(reach(&l, &v, &s) > 320);
	/* the same picture is the same, whoever drew it before what */
	radial_layout(m, &palette_dark, &v, &other, &s);
	assert_true(other.ring_px == fit);
	v.zoom = 3;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_true(fabs(l.ring_px - 3 * fit) < 1e-9);
	v.zoom = 1;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_true(l.ring_px == fit);

	/* while it grows it stays as it is, as long as there is room */
	v.growing = true;
	radial_layout(m, &palette_dark, &v, &l, &s);
	fit = l.ring_px;
	for (uint64_t id = 100001; id <= 100100; id++)
		spawn(m, id, 1 + below((uint32_t)id - 1));
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_true(l.ring_px == fit);
	radial_layout_free(&l);
	radial_layout_free(&other);
	scene_free(&s);
	model_free(m);
}

static void
a_circle_has_the_level_of_its_tasks(void **state)
{
	struct model *m = stem(300);
	struct radial_view v = window(600, 600);
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	uint32_t told = 0, level;

	(void)state;
	for (int more = 0; more < 2; more++) {
		radial_layout(m, &palette_dark, &v, &l, &s);
		assert_true(l.rings < l.levels);
		for (size_t i = 0; i < l.nnodes; i++) {
			level = radial_ring_level(&l, l.nodes[i].ring);
			if (level == UINT32_MAX)
				continue;
			told++;
			assert_int_equal(level,
			    model_task_level(m, l.nodes[i].task));
		}
		assert_true(told > 5);
		spawn(m, 5000, 0); /* a second tree: the centre is no task */
		spawn(m, 5001, 5000);
	}
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* When rings change while it grows nothing is elsewhere at once; then all is
 * where it would have been, and the same is drawn by who has not looked. */
static void
what_grows_goes_to_its_place(void **state)
{
	struct model *m = stem(120);
	struct radial_view v = window(600, 600);
	struct radial_layout l = { 0 }, fresh = { 0 };
	struct scene s = { 0 };
	uint32_t levels, jumps = 0, n = 239, at, steps = 0, task;
	int32_t x, y;

	(void)state;
	v.growing = v.glides = true;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_false(l.jumped);
	levels = l.levels;
	for (at = n - 1; levels < 260; levels++) {
		task = l.nodes[l.nnodes / 2].task;
		x = l.nodes[l.nnodes / 2].x;
		y = l.nodes[l.nnodes / 2].y;
		spawn(m, ++n, at + 1);
		at = n - 1;
		radial_layout(m, &palette_dark, &v, &l, &s);
		steps++;
		if (!l.jumped)
			continue;
		jumps++;
		for (size_t i = 0; i < l.nnodes; i++)
			if (l.nodes[i].task == task) {
				assert_int_equal(l.nodes[i].x, x);
				assert_int_equal(l.nodes[i].y, y);
			}
		v.glide = 0.5;
		radial_layout(m, &palette_dark, &v, &l, &s);
		assert_false(l.jumped);
		v.glide = 0;
		radial_layout(m, &palette_dark, &v, &l, &s);
		assert_false(l.jumped);
	}
	/* not with each level, but with one in eight or so */
	assert_true(jumps > 5 && jumps < steps / 4);
	v.growing = false;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.levels, levels);
	radial_layout(m, &palette_dark, &v, &fresh, &s);
	assert_int_equal(l.nnodes, fresh.nnodes);
	for (size_t i = 0; i < l.nnodes; i++) {
		assert_int_equal(l.nodes[i].task, fresh.nodes[i].task);
		assert_int_equal(l.nodes[i].x, fresh.nodes[i].x);
		assert_int_equal(l.nodes[i].y, fresh.nodes[i].y);
	}
	radial_layout_free(&l);
	radial_layout_free(&fresh);
	scene_free(&s);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tall_subtree_is_in_the_window),
		cmocka_unit_test(rings_without_anything_take_no_room),
		cmocka_unit_test(a_circle_has_the_level_of_its_tasks),
		cmocka_unit_test(what_grows_goes_to_its_place),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
