/*
 * All trees of a log at once: which there are, and those of a single task by
 * name, are what going through all roots finds, while it grows, parents come
 * late and tasks are given up; and the picture has a place for each task.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial.h"
#include "model/model.h"

#define NAMES 7

static uint64_t seed;
static struct model *m;
static uint64_t ids;
static int64_t now_ns;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

static void
begin(void)
{
	m = model_new();
	assert_non_null(m);
	seed = 5;
	ids = 0;
	now_ns = 0;
}

static void
tell(uint16_t kind, uint64_t a, uint64_t b, uint32_t c)
{
	struct event e = { .t_mon_ns = now_ns += 10,
		.location = 1,
		.kind = kind,
		.a = a,
		.b = b,
		.c = c };

	model_add_events(m, &e, 1);
}

static void
spawn(uint64_t parent, uint32_t name)
{
	tell(EV_task_spawn, ++ids, parent, name);
}

/* What going through the roots finds. */
struct found {
	uint32_t roots, trees, singles, by_name[NAMES + 1], first[NAMES + 1];
};

static struct found
by_hand(void)
{
	struct found f = { 0 };
	uint32_t t, name;
	struct task_sums s;

	memset(f.first, 0xff, sizeof(f.first));
	for (uint32_t i = 0; i < model_root_places(m); i++) {
		t = model_task_root(m, i);
		if (t == TASK_NONE)
			continue;
		f.roots++;
		if (model_task_first(m, t) != TASK_NONE ||
		    model_task_sums(m, t, &s)) {
			f.trees++;
			assert_int_equal(model_tree_number(m, t), f.trees);
			assert_int_equal(model_tree_nth(m, f.trees), t);
			continue;
		}
		name = model_task_name(m, t);
		f.singles++;
		f.by_name[name]++;
		f.first[name] = t < f.first[name] ? t : f.first[name];
	}
	assert_int_equal(model_tree_nth(m, f.trees + 1), TASK_NONE);
	return (f);
}

static void
check(void)
{
	unsigned door = model_enter(m);
	struct found f = by_hand();
	struct single_tasks s;
	uint32_t seen = 0;

	assert_int_equal(model_task_roots(m, NULL, 0), f.roots);
	assert_int_equal(model_singles(m, NULL), f.singles);
	assert_int_equal(model_trees(m), f.trees);
	for (uint32_t i = 0; model_single(m, i, &s); i++) {
		assert_int_equal(s.tasks, f.by_name[s.name]);
		assert_int_equal(s.first, f.first[s.name]);
		seen += s.tasks;
	}
	assert_int_equal(seen, f.singles);
	model_leave(m, door);
}

/* Each task is somewhere: drawn, in a group, too small or condensed. */
static void
lay_out(int32_t px, enum radial_form form, enum radial_order order)
{
	struct radial_view v = { .width = px,
		.height = px,
		.zoom = 1,
		.ring_px_min = 4,
		.root = TASK_NONE,
		.sum_singles = true,
		.form = form,
		.order = order,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	const struct radial_node *n;
	double at = 0;
	uint32_t t;

	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, model_tasks(m) - model_tasks_gone(m));
	assert_int_equal(l.tasks,
	    l.drawn + l.singles.tasks + l.pruned + l.condensed + l.outside);
	assert_int_equal(l.singles.trees, model_singles(m, NULL));
	for (uint32_t i = l.ring_first[1]; i < l.ring_first[2]; i++) {
		assert_true((double)l.nodes[i].from_rad > at - 1e-5);
		at = (double)l.nodes[i].from_rad + (double)l.nodes[i].arc_rad;
		assert_true(at < 6.2833);
	}
	/* one that is alone is found where its name is */
	for (uint32_t i = 0; i < model_root_places(m); i++) {
		t = model_task_root(m, i);
		if (t == TASK_NONE || !model_is_single(m, t) ||
		    l.singles.groups == 0)
			continue;
		n = radial_find(&l, m, t);
		if (n == NULL)
			continue; /* its group is below a pixel */
		assert_true(n->group);
		assert_int_equal(model_task_name(m, n->task),
		    model_task_name(m, t));
	}
	radial_layout_free(&l);
	scene_free(&s);
}

static void
lay_out_all(void)
{
	for (int i = 0; i < RADIAL_FORMS * RADIAL_ORDERS; i++) {
		lay_out(800, (enum radial_form)(i % RADIAL_FORMS),
		    (enum radial_order)(i / RADIAL_FORMS));
		lay_out(60, (enum radial_form)(i % RADIAL_FORMS),
		    (enum radial_order)(i / RADIAL_FORMS));
	}
}

static void
a_first_root_without_children_hides_nothing(void **state)
{
	(void)state;
	begin();
	spawn(0, 1);
	check();
	spawn(0, 2);
	for (int i = 0; i < 200; i++)
		spawn(2 + below((uint32_t)ids - 1), 3);
	check();
	assert_int_equal(model_trees(m), 1);
	assert_int_equal(model_singles(m, NULL), 1);
	lay_out_all();
	model_free(m);
}

static void
trees_and_single_tasks_are_counted(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 3000; i++) {
		switch (below(6)) {
		case 0: /* a child of any, also of one that was alone */
			spawn(1 + below((uint32_t)ids + 1), below(NAMES + 1));
			break;
		case 1: /* a parent that comes late */
			tell(EV_task_begin, ids + 2, 0, below(NAMES + 1));
			spawn(0, below(NAMES + 1));
			tell(EV_task_spawn, ids + 1,
			    below(2) == 0 ? ids : 1 + below((uint32_t)ids),
			    below(NAMES + 1));
			ids++;
			break;
		case 2: /* its name comes late */
			spawn(0, 0);
			tell(EV_task_begin, ids, 0, 1 + below(NAMES));
			break;
		default:
			spawn(0, below(NAMES + 1));
		}
		if (i % 50 == 0)
			check();
	}
	check();
	assert_true(model_trees(m) > 100 && model_singles(m, NULL) > 500);
	lay_out_all();
	model_free(m);
}

/* Deeper than there is room for: levels are condensed. */
static void
a_deep_tree_beside_single_tasks(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 400; i++)
		spawn(ids, 1);
	for (int i = 0; i < 40; i++)
		spawn(0, 1 + below(NAMES));
	for (int i = 0; i < 300; i++)
		spawn(1 + below(400), 2);
	check();
	lay_out_all();
	model_free(m);
}

static void
what_is_given_up_is_counted_still(void **state)
{
	uint32_t all = 0, trees = 0, gone, n, big = 0;

	(void)state;
	begin();
	model_set_memory(m, 3 << 20);
	for (int i = 0; i < 120000; i++) {
		spawn(0, 1 + below(NAMES));
		tell(EV_task_begin, ids, 0, 0);
		all++;
		if (below(10) == 0) {
			uint64_t root = ids;

			spawn(root, 1);
			tell(EV_task_begin, ids, 0, 0);
			tell(EV_task_end, ids, 0, 0);
			tell(EV_task_end, root, 0, 0);
			trees++;
		} else {
			tell(EV_task_end, ids, 0, 0);
		}
		if (i % 20000 == 0)
			check();
	}
	check();
	n = model_singles(m, &gone);
	assert_true(gone > 1000);
	assert_int_equal(n + gone, all - trees);
	assert_int_equal(model_trees_all(m), all);
	for (uint32_t i = 0; i < model_tasks(m); i++)
		big += !model_task_gone(m, i) && model_is_single(m, i);
	assert_int_equal(big, n);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_first_root_without_children_hides_nothing),
		cmocka_unit_test(trees_and_single_tasks_are_counted),
		cmocka_unit_test(a_deep_tree_beside_single_tasks),
		cmocka_unit_test(what_is_given_up_is_counted_still),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
