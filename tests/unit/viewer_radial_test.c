/* The radial layout against brute force. */
#include "tests/check.h"

#include "tests/unit/golden.h"
#include "tests/unit/viewer_radial.h"

/* Sectors of children touch, in order, within the parent's. */
static void
sectors_fill_their_parent(void **state)
{
	struct make_log log;
	struct model *m = pascal_model(&log, 35);
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(40000); /* nothing is too small */
	struct task t;
	double at;

	(void)state;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.pruned, 0);
	for (size_t i = 0; i < l.nnodes; i++) {
		model_task_get(m, l.nodes[i].task, &t);
		if (t.first_child == TASK_NONE)
			continue;
		at = l.nodes[i].from_rad;
		for (uint32_t c = t.first_child; c != TASK_NONE;) {
			const struct radial_node *n = node_of(&l, c);

			NEAR(n->from_rad, at, 1e-5);
			at += n->arc_rad;
			model_task_get(m, c, &t);
			c = t.next_sibling;
		}
		NEAR(at, l.nodes[i].from_rad + l.nodes[i].arc_rad, 1e-5);
	}
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
	make_log_free(&log);
}

/* What lies beyond the window is not counted as too small to be drawn. */
static void
out_of_sight_is_not_too_small(void **state)
{
	struct make_log log;
	struct model *m = pascal_model(&log, 35);
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(850);
	char text[2048] = "";
	FILE *f;

	(void)state;
	v.zoom = 32;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 2235);
	assert_int_equal(l.pruned, 0);
	assert_true(l.outside > 2000);
	assert_int_equal(l.drawn + l.outside, l.tasks);
	f = fmemopen(text, sizeof(text), "w");
	describe_radial(f, m, &v, &l);
	fclose(f);
	assert_non_null(strstr(text, "beside the window: "));
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
	make_log_free(&log);
}

static void
nearest_equals_looking_at_all(void **state)
{
	struct make_log log;
	struct model *m = pascal_model(&log, 35);
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(700);
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 3; round++) {
		v.zoom = 1 + round * 0.7;
		v.centre_x = round * 31;
		v.rotate_rad = round;
		radial_layout(m, &palette_dark, &v, &l, &s);
		for (int i = 0; i < 400; i++) {
			int32_t x, y;
			double best = INFINITY, d;
			const struct radial_node *n;

			seed = seed * 1664525 + 1013904223;
			x = (int32_t)(seed >> 8) % 900 - 100;
			seed = seed * 1664525 + 1013904223;
			y = (int32_t)(seed >> 8) % 900 - 100;
			for (size_t k = 0; k < l.nnodes; k++) {
				d = hypot(l.nodes[k].x / 16.0 - x,
				    l.nodes[k].y / 16.0 - y);
				best = d < best ? d : best;
			}
			n = radial_nearest(&l, &v, x, y, 1e9);
			assert_non_null(n);
			NEAR(hypot(n->x / 16.0 - x, n->y / 16.0 - y), best,
			    1e-9);
		}
	}
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
	make_log_free(&log);
}

static void
a_subtree_stands_for_itself(void **state)
{
	struct model *m = quicksort_model();
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(400);

	(void)state;
	v.root = 6; /* E */
	v.subtree = true;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 12);
	assert_int_equal(l.levels, 4);
	assert_int_equal(l.drawn, 12);
	assert_int_equal(l.t0_mon_ns, 75);
	assert_int_equal(l.t1_mon_ns, 235);
	NEAR(node_of(&l, 6)->arc_rad, 2 * M_PI, 1e-5);
	spawn(m, 50, 16); /* one deeper, while it is looked at */
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 13);
	assert_int_equal(l.levels, 5);
	v.subtree = false; /* the whole tree in which E is */
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 24);
	assert_int_equal(l.levels, 7);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

static void
several_trees_share_a_centre(void **state)
{
	struct model *m = model_new();
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(400);

	(void)state;
	for (uint64_t i = 1; i <= 30; i++)
		spawn(m, i, i <= 3 ? 0 : i - 3);
	v.root = TASK_NONE;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 30);
	assert_int_equal(l.drawn, 30);
	assert_int_equal(l.levels, 10);
	assert_int_equal(l.rings, 11);
	assert_int_equal(node_of(&l, 0)->ring, 1);
	NEAR(node_of(&l, 1)->arc_rad, 2 * M_PI / 3, 1e-5);
	v.root = 0;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, 10);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* Counters of a condensed tree, grown frame by frame, equal a fresh count. */
static void
condensed_growth_stays_exact(void **state)
{
	struct model *m = model_new();
	struct radial_layout live = { 0 }, fresh;
	struct scene s = { 0 };
	struct radial_view v = square(100); /* 12 rings */
	uint64_t seed = 9, id = 0;

	(void)state;
	for (int frame = 0; frame < 60; frame++) {
		for (int i = 0; i < 25; i++) {
			uint64_t back;

			seed = seed * 6364136223846793005ull + 99991;
			back = (seed >> 33) % 6;
			id++;
			spawn(m, id,
			    id == 1         ? 0
			    : id - 1 > back ? id - 1 - back
					    : 1);
		}
		radial_layout(m, &palette_dark, &v, &live, &s);
		memset(&fresh, 0, sizeof(fresh));
		radial_layout(m, &palette_dark, &v, &fresh, &s);
		assert_int_equal(live.nnodes, fresh.nnodes);
		assert_memory_equal(live.nodes, fresh.nodes,
		    live.nnodes * sizeof(*live.nodes));
		assert_int_equal(live.drawn + live.pruned + live.condensed,
		    live.tasks);
		if (frame > 20)
			assert_int_equal(live.rings, 12);
		radial_layout_free(&fresh);
	}
	radial_layout_free(&live);
	scene_free(&s);
	model_free(m);
}

/* A million children of one, a chain, nothing at all. */
static void
extremes_are_bounded(void **state)
{
	struct model *m = model_new();
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(800);

	(void)state;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.nnodes, 0);
	assert_null(radial_nearest(&l, &v, 3, 3, 1e9));
	for (uint64_t i = 1; i <= 100000; i++)
		spawn(m, i, i > 1 ? 1 : 0);
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.drawn + l.pruned, 100000);
	assert_true(l.drawn < 6000);
	v.width = v.height = 0;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.nnodes, 0);
	radial_layout_free(&l);
	model_free(m);
	m = model_new();
	for (uint64_t i = 1; i <= 20000; i++)
		spawn(m, i, i - 1);
	v = square(800);
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.rings, 100);
	assert_int_equal(l.drawn, 100);
	assert_int_equal(l.condensed, 19900);
	v.until_mon_ns = 1000; /* the first hundred */
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.drawn, 1);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/*
 * A value that one task makes and another takes: an edge, and one that was
 * waited for when the taker had begun and stopped before it was there.
 */
static void
values_link_their_tasks(void **state)
{
	struct make_log log;
	struct model *m = model_new();
	struct radial_view v = square(400);
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_edge e[4];
	struct frame f;
	uint32_t one, two;
	size_t at = 0, arrows = 0;

	(void)state;
	memset(&log, 0, sizeof(log));
	make_log_head(&log, "values");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "values");
	one = make_log_thread(&log, 1, 1, 1, "PE 0");
	two = make_log_thread(&log, 1, 1, 2, "PE 1");
	make_log_event(&log, one, EV_task_spawn, 10, 1, 0, 0);
	make_log_event(&log, one, EV_task_begin, 20, 1, 0, 0);
	make_log_event(&log, one, EV_task_spawn, 30, 2, 1, 0);
	make_log_event(&log, one, EV_task_spawn, 35, 3, 1, 0);
	make_log_event(&log, two, EV_task_begin, 40, 2, 1, 0);
	make_log_event(&log, two, EV_task_suspend, 50, 2, 77, 0);
	make_log_event(&log, one, EV_task_end, 55, 1, 0, 0);
	make_log_event(&log, one, EV_task_begin, 60, 3, 0, 0);
	make_log_event(&log, one, EV_future_set, 70, 77, 3, 0);
	make_log_event(&log, two, EV_task_resume, 80, 2, 1, 0);
	make_log_event(&log, two, EV_future_get, 85, 77, 2, 0);
	make_log_event(&log, two, EV_task_end, 90, 2, 0, 0);
	make_log_event(&log, one, EV_task_end, 95, 3, 0, 0);
	make_log_blocks(&log, 0);
	while (frame_parse(log.out.p + at, log.out.n - at, &f) == FRAME_OK) {
		assert_int_equal(model_add_frame(m, &f), 0);
		at += f.frame_bytes;
	}
	assert_int_equal(radial_edges_of(m, 0, e, 4), 0);
	assert_int_equal(radial_edges_of(m, 1, e, 4), 1);
	assert_int_equal(e[0].from, 2);
	assert_int_equal(e[0].to, 1);
	assert_true(e[0].waited);
	assert_int_equal(radial_edges_of(m, 2, e, 4), 1);
	assert_int_equal(e[0].from, 2);
	v.edges = true;
	v.selected_task = 3;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.values.in, 0);
	assert_int_equal(l.values.out, 1);
	assert_int_equal(l.values.waited, 1);
	for (size_t i = 0; i < s.n; i++)
		arrows += s.items[i].type == ITEM_ARROW;
	assert_int_equal(arrows, 1);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
	make_log_free(&log);
}

static void
the_scene_is_as_it_was(void **state)
{
	struct model *m = quicksort_model();
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	struct radial_view v = square(300);
	char *got = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&got, &n);

	(void)state;
	v.colour = RADIAL_PE_TIME;
	v.selected_task = 9;
	radial_layout(m, &palette_dark, &v, &l, &s);
	scene_print(&s, f);
	fclose(f);
	golden("tests/golden/radial-quicksort.scene", got, n);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sectors_fill_their_parent),
		cmocka_unit_test(out_of_sight_is_not_too_small),
		cmocka_unit_test(nearest_equals_looking_at_all),
		cmocka_unit_test(a_subtree_stands_for_itself),
		cmocka_unit_test(several_trees_share_a_centre),
		cmocka_unit_test(condensed_growth_stays_exact),
		cmocka_unit_test(extremes_are_bounded),
		cmocka_unit_test(values_link_their_tasks),
		cmocka_unit_test(the_scene_is_as_it_was),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
