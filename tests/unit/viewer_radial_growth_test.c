/*
 * The radial layout of a tree that grows, held against VISTA's two passes
 * over the trace at every frame: first the height, then the condensed tree,
 * its weights from the leaves up and its sectors from the root down.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "layout/radial/radial_inside.h"
#include "model/model.h"

#define TASKS_MAX 4096

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

/* VISTA's trace, and what its passes make of it.  Numbers from 1. */
static struct vista {
	uint32_t n, parent[TASKS_MAX];
	uint32_t level[TASKS_MAX], ring[TASKS_MAX], node[TASKS_MAX];
	uint32_t child[TASKS_MAX], last[TASKS_MAX], next[TASKS_MAX];
	uint32_t absorbed[TASKS_MAX];
	uint8_t kept[TASKS_MAX], valid[TASKS_MAX];
	double weight[TASKS_MAX], from[TASKS_MAX], arc[TASKS_MAX];
	uint32_t height, rings;
} v;

/* Levels from the root on; what is not below it is not valid. */
static void
first_pass(uint32_t root)
{
	v.height = 0;
	for (uint32_t i = 1; i <= v.n; i++) {
		v.valid[i] = i == root || (i > root && v.valid[v.parent[i]]);
		if (!v.valid[i])
			continue;
		v.level[i] = i == root ? 0 : v.level[v.parent[i]] + 1;
		if (v.level[i] + 1 > v.height)
			v.height = v.level[i] + 1;
	}
}

/* The strict form: levels below t at c0 : 1, the others at c0 + 1 : 1. */
static int
keep(uint32_t level, uint32_t h_max, uint32_t *ring)
{
	uint32_t c0 = v.height / h_max, t = c0 * (h_max - v.height % h_max);

	if (v.height <= h_max) {
		*ring = level;
		return (1);
	}
	if (level < t) {
		*ring = level / c0;
		return (level % c0 == 0);
	}
	*ring = (h_max - v.height % h_max) + (level - t) / (c0 + 1);
	return ((level - t) % (c0 + 1) == 0);
}

static void
second_pass(uint32_t root, uint32_t h_max)
{
	uint32_t up;

	v.rings = v.height < h_max ? v.height : h_max;
	memset(v.child, 0, sizeof(v.child));
	memset(v.last, 0, sizeof(v.last));
	memset(v.next, 0, sizeof(v.next));
	memset(v.absorbed, 0, sizeof(v.absorbed));
	for (uint32_t i = 1; i <= v.n; i++) {
		if (!v.valid[i])
			continue;
		v.kept[i] = (uint8_t)keep(v.level[i], h_max, &v.ring[i]);
		up = i == root ? 0 : v.node[v.parent[i]];
		v.node[i] = v.kept[i] ? i : up;
		if (!v.kept[i]) {
			v.absorbed[up]++;
			continue;
		}
		if (v.last[up] == 0)
			v.child[up] = i;
		else
			v.next[v.last[up]] = i;
		v.last[up] = i;
	}
}

static void
weigh_and_allocate(uint32_t root)
{
	double at, total;

	for (uint32_t i = v.n; i >= 1; i--) { /* children come later */
		if (!v.valid[i] || !v.kept[i])
			continue;
		v.weight[i] = v.rings - v.ring[i];
		for (uint32_t c = v.child[i]; c != 0; c = v.next[c])
			v.weight[i] += v.weight[c];
	}
	v.from[root] = 0;
	v.arc[root] = 2 * M_PI;
	for (uint32_t i = root; i <= v.n; i++) {
		if (!v.valid[i] || !v.kept[i])
			continue;
		at = v.from[i];
		total = v.weight[i] - (v.rings - v.ring[i]);
		for (uint32_t c = v.child[i]; c != 0; c = v.next[c]) {
			v.from[c] = at;
			v.arc[c] = v.weight[c] / total * v.arc[i];
			at += v.arc[c];
		}
	}
}

static void
two_passes(uint32_t root, uint32_t h_max)
{
	first_pass(root);
	second_pass(root, h_max);
	weigh_and_allocate(root);
}

static void
spawn(struct model *m, uint32_t parent)
{
	struct event e = { .t_mon_ns = ++v.n * 10,
		.a = v.n,
		.b = parent,
		.kind = EV_task_spawn,
		.location = 1 };

	assert_true(v.n < TASKS_MAX);
	v.parent[v.n] = parent;
	model_add_events(m, &e, 1);
}

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 2e-5)

/* Every task that VISTA keeps is drawn, where VISTA has it. */
static void
compare(const struct radial_layout *l)
{
	uint32_t drawn = 0, condensed = 0;

	for (uint32_t i = 1; i <= v.n; i++) {
		drawn += v.valid[i] && v.kept[i];
		condensed += v.valid[i] && !v.kept[i];
	}
	assert_int_equal(l->drawn, drawn);
	assert_int_equal(l->condensed, condensed);
	assert_int_equal(l->pruned, 0);
	assert_int_equal(l->rings, v.rings);
	assert_int_equal(l->levels, v.height);
	for (size_t k = 0; k < l->nnodes; k++) {
		const struct radial_node *n = &l->nodes[k];
		uint32_t i = n->task + 1;

		assert_true(v.valid[i] && v.kept[i]);
		assert_int_equal(n->ring, v.ring[i]);
		assert_int_equal(n->condensed, v.absorbed[i]);
		NEAR(n->from_rad, v.from[i]);
		NEAR(n->arc_rad, v.arc[i]);
	}
}

/* A deep or a broad tree, by what the seed says. */
static uint32_t
some_parent(uint32_t kind)
{
	uint32_t back;

	if (v.n == 0)
		return (0);
	back = kind == 0 ? below(v.n) : kind == 1 ? below(3) : below(20);
	return (back >= v.n ? 1 : v.n - back);
}

static const struct radial_view view = { .width = 400000,
	.height = 400000,
	.zoom = 1,
	.until_mon_ns = INT64_MAX };

static void
grow(uint32_t kind, uint32_t h_max, int frames)
{
	struct radial_view whole = view, part = view;
	struct radial_layout lw = { 0 }, lp = { 0 };
	struct model *m = model_new();
	struct scene s = { 0 };

	memset(&v, 0, sizeof(v));
	whole.ring_px_min = (int32_t)(view.width / 2 / (int32_t)h_max);
	part.ring_px_min = 4;
	part.subtree = true;
	for (int f = 0; f < frames; f++) {
		for (uint32_t k = 1 + below(40); k > 0; k--)
			spawn(m, some_parent(kind));
		radial_layout(m, &palette_dark, &whole, &lw, &s);
		two_passes(1, h_max);
		compare(&lw);
		/* a subtree, now and then another one, is not condensed */
		if (f % 7 == 0)
			part.root = below(v.n);
		radial_layout(m, &palette_dark, &part, &lp, &s);
		two_passes(part.root + 1, UINT32_MAX);
		compare(&lp);
	}
	radial_layout_free(&lw);
	radial_layout_free(&lp);
	scene_free(&s);
	model_free(m);
}

static void
every_frame_is_vistas(void **state)
{
	(void)state;
	for (seed = 1; seed <= 12; seed++) {
		uint64_t kept = seed;

		grow((uint32_t)seed % 3, 1000, 60);
		seed = kept;
	}
}

static void
every_frame_is_vistas_condensed(void **state)
{
	static const uint32_t h_max[] = { 5, 13, 40, 2 };

	(void)state;
	for (seed = 1; seed <= 12; seed++) {
		uint64_t kept = seed;

		grow((uint32_t)seed % 3, h_max[seed % 4], 60);
		seed = kept;
	}
}

/* By path: the children of a task are in the order of a walk through what is
 * not kept between it and them. */
static void
walk(const struct radial_layout *l, uint32_t i, uint32_t *order, uint32_t *n)
{
	for (uint32_t c = 1; c <= v.n; c++) {
		if (v.parent[c] != i)
			continue;
		if (v.kept[c])
			order[(*n)++] = c;
		else
			walk(l, c, order, n);
	}
}

static void
by_path(uint64_t first_seed, uint32_t h_max, uint32_t kind)
{
	struct radial_view whole = view;
	struct radial_layout l = { 0 };
	struct model *m = model_new();
	struct scene s = { 0 };
	uint32_t order[TASKS_MAX], n, several = 0;

	memset(&v, 0, sizeof(v));
	seed = first_seed;
	for (int i = 0; i < (kind == 1 ? 600 : 4000); i++)
		spawn(m, some_parent(kind));
	whole.order = RADIAL_BY_PATH;
	whole.ring_px_min = view.width / 2 / (int32_t)h_max;
	radial_layout(m, &palette_dark, &whole, &l, &s);
	two_passes(1, h_max);
	for (size_t k = 0; k < l.nnodes; k++) {
		const struct radial_node *x = &l.nodes[k];

		n = 0;
		walk(&l, x->task + 1, order, &n);
		assert_int_equal(x[1].kids - x->kids, n);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(l.nodes[x->kids + i].task + 1,
			    order[i]);
		several += n > 1;
	}
	assert_true(several > (kind == 1 ? 20 : 4));
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* Rings of a few levels, then of so many that bands are used. */
static void
siblings_by_path(void **state)
{
	(void)state;
	by_path(3, 50, 1);
	for (uint64_t i = 3; i < 9; i++)
		by_path(i, 8, 2);
}

static double
place(uint32_t i, double ring_px, const struct radial_view *w,
    double (*of)(double))
{
	return (ring_px * v.ring[i] *
		of(v.from[i] + v.arc[i] / 2 - M_PI / 2 + w->rotate_rad));
}

/*
 * Zoomed in somewhere, whatever lies in the window is there, with the sector
 * that it has; and what is not drawn is counted, to the last one.
 */
static void
nothing_in_the_window_is_left_out(void **state)
{
	struct radial_view w = { .width = 300,
		.height = 200,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct model *m = model_new();
	struct scene s = { 0 };
	static uint8_t there[TASKS_MAX];
	uint32_t inside = 0, beside = 0;

	(void)state;
	memset(&v, 0, sizeof(v));
	seed = 5;
	for (int i = 0; i < 400; i++)
		spawn(m, some_parent(2));
	for (int round = 0; round < 300; round++) {
		uint32_t some = 1 + below(v.n);

		/* somewhere at one of them */
		two_passes(1, 200 / 8);
		some = v.node[some];
		w.zoom = 300 * (1 + below(20));
		w.rotate_rad = below(7);
		w.centre_x = w.centre_y = 0;
		radial_layout(m, &palette_dark, &w, &l, &s);
		w.centre_x = below(150) - place(some, l.ring_px, &w, cos);
		w.centre_y = below(100) - place(some, l.ring_px, &w, sin);
		radial_layout(m, &palette_dark, &w, &l, &s);
		assert_int_equal(l.drawn + l.pruned + l.condensed + l.outside,
		    l.tasks);
		beside += l.outside;
		memset(there, 0, sizeof(there));
		for (size_t k = 0; k < l.nnodes; k++) {
			uint32_t i = l.nodes[k].task + 1;

			there[i] = 1;
			NEAR(l.nodes[k].from_rad, v.from[i]);
		}
		for (uint32_t i = 1; i <= v.n; i++) {
			double x =
			    150 + w.centre_x + place(i, l.ring_px, &w, cos);
			double y =
			    100 + w.centre_y + place(i, l.ring_px, &w, sin);

			if (!v.kept[i] || x < 0 || x > 300 || y < 0 || y > 200)
				continue;
			assert_true(there[i]);
			inside++;
		}
	}
	assert_true(inside >= 300);
	assert_true(beside > 10000);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* The three forms have the same sectors; each task is where it is drawn. */
static void
forms_agree(void **state)
{
	struct radial_view w = { .width = 700,
		.height = 600,
		.zoom = 1.3,
		.centre_x = 20,
		.rotate_rad = 1,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct model *m = model_new();
	struct scene s = { 0 };
	const struct radial_node *n, *found;

	(void)state;
	memset(&v, 0, sizeof(v));
	seed = 8;
	for (int i = 0; i < 500; i++)
		spawn(m, some_parent(2));
	two_passes(1, 600 / 4);
	for (int form = 0; form < RADIAL_FORMS; form++) {
		w.form = (enum radial_form)form;
		radial_layout(m, &palette_dark, &w, &l, &s);
		assert_true(l.drawn > 300);
		assert_int_equal(l.drawn + l.pruned + l.condensed + l.outside,
		    500);
		for (size_t k = 0; k < l.nnodes; k++) {
			n = &l.nodes[k];
			NEAR(n->from_rad, v.from[n->task + 1]);
			assert_ptr_equal(radial_find(&l, m, n->task), n);
			if (n->x < 0 || n->y < 0 ||
			    n->arc_rad * (form == RADIAL_ICICLE
						 ? 700 * 1.3 / 2 / M_PI
						 : l.ring_px * n->ring) <
				4 ||
			    n->x > w.width * SCENE_ONE ||
			    n->y > w.height * SCENE_ONE || n->ring == 0)
				continue;
			found = radial_nearest(&l, &w, n->x / SCENE_ONE,
			    n->y / SCENE_ONE, 3);
			assert_non_null(found);
			if (form == RADIAL_POLYGONS)
				assert_true(
				    abs(found->x - n->x) <= 3 * SCENE_ONE &&
				    abs(found->y - n->y) <= 3 * SCENE_ONE);
			else
				assert_ptr_equal(found, n);
		}
	}
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* What is hidden is told where it is hidden. */
static void
hidden_tasks_are_counted_where_they_are(void **state)
{
	struct radial_view w = { .width = 300,
		.height = 300,
		.zoom = 1,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct model *m = model_new();
	struct scene s = { 0 };
	uint64_t told = 0;
	unsigned v1, rays = 0;
	char unit;

	(void)state;
	memset(&v, 0, sizeof(v));
	seed = 4;
	for (int i = 0; i < 4000; i++)
		spawn(m, some_parent(0));
	radial_layout(m, &palette_dark, &w, &l, &s);
	assert_true(l.pruned > 1000);
	for (size_t i = 0; i < s.n; i++) {
		rays += s.items[i].type == ITEM_LINE && s.items[i].alpha < 255;
		if (s.items[i].type != ITEM_TEXT)
			continue;
		unit = ' ';
		assert_true(sscanf(s.text + s.items[i].first, "+%u%c", &v1,
				&unit) >= 1);
		told += unit == 'k' ? 1000 * v1 : v1;
	}
	assert_true(rays > 50);
	assert_true(told > l.pruned * 9 / 10 && told < l.pruned * 11 / 10);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

/* Spawns that come after the begin, the parent's after the child's. */
static void
spawn_late(struct model *m, uint32_t from, uint32_t to)
{
	struct event e = { .location = 1 };

	for (uint32_t i = to; i >= from; i--) {
		e.kind = EV_task_begin;
		e.a = i;
		e.b = 0;
		e.t_mon_ns = i * 10 + 1;
		model_add_events(m, &e, 1);
	}
	for (uint32_t i = from; i <= to; i++) {
		e.kind = EV_task_spawn;
		e.a = i;
		e.b = v.parent[i];
		e.t_mon_ns = i * 10;
		model_add_events(m, &e, 1);
	}
}

/* What came late weighs what it weighs, condensed or not. */
static void
late_parents_weigh_the_same(void **state)
{
	struct radial_view w = { .width = 2000,
		.height = 2000,
		.zoom = 1,
		.until_mon_ns = INT64_MAX };

	(void)state;
	for (seed = 1; seed <= 6; seed++) {
		struct model *m = model_new(), *late = model_new();
		struct radial_layout l = { 0 }, ll = { 0 };
		struct radial_tree t, tl;
		uint64_t kept = seed;

		memset(&v, 0, sizeof(v));
		for (uint32_t n = 1; v.n < 500; n = v.n + 1) {
			while (v.n < n + 30)
				spawn(m, some_parent((uint32_t)kept % 3));
			spawn_late(late, n, v.n);
			w.ring_px_min = n % 4 == 0 ? 4 : (int32_t)(n % 4) * 80;
			w.root = 0;
			assert_int_equal(radial_tree_open(&t, m, &w, &l), 0);
			w.root = model_task_by_id(late, 1);
			assert_int_equal(radial_tree_open(&tl, late, &w, &ll),
			    0);
			for (uint32_t i = 1; i <= v.n; i++) {
				uint32_t k = model_task_by_id(late, i);

				assert_true(radial_weight(&t, i - 1) ==
					    radial_weight(&tl, k));
				assert_int_equal(radial_absorbed(&t, i - 1),
				    radial_absorbed(&tl, k));
			}
		}
		assert_true(model_tree_generation(late) > 100);
		radial_layout_free(&l);
		radial_layout_free(&ll);
		model_free(m);
		model_free(late);
		seed = kept;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_frame_is_vistas),
		cmocka_unit_test(every_frame_is_vistas_condensed),
		cmocka_unit_test(siblings_by_path),
		cmocka_unit_test(late_parents_weigh_the_same),
		cmocka_unit_test(nothing_in_the_window_is_left_out),
		cmocka_unit_test(forms_agree),
		cmocka_unit_test(hidden_tasks_are_counted_where_they_are),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
