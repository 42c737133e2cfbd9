/*
 * Tasks with very many children, and very many roots: the sums over blocks of
 * them are those of the children, whatever comes late and whatever is given
 * up; and what is drawn and what is counted is what comes out when each child
 * is looked at in turn, as VISTA does.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial_inside.h"
#include "model/model.h"
#include "model/tree/tree_wide.h"

#define TASKS_MAX 60000

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

/* The trace; numbers from 1, parent 0: a root. */
static struct trace {
	struct model *m;
	uint32_t n, parent[TASKS_MAX + 1];
	uint32_t level[TASKS_MAX + 1], size[TASKS_MAX + 1];
	uint64_t depths[TASKS_MAX + 1];
	uint32_t child[TASKS_MAX + 1], next[TASKS_MAX + 1];
	uint32_t last[TASKS_MAX + 1], levels;
} t;

static void
begin_trace(void)
{
	memset(&t, 0, sizeof(t));
	t.m = model_new();
	assert_non_null(t.m);
}

static void
tell(uint16_t kind, uint64_t a, uint64_t b, int64_t at)
{
	struct event e = { .t_mon_ns = at,
		.a = a,
		.b = b,
		.kind = kind,
		.location = 1 };

	model_add_events(t.m, &e, 1);
}

/* So many, and then they are counted. */
static void
spawn(uint32_t n, uint32_t (*parent)(void))
{
	struct event e[1024];
	uint32_t k = 0;

	assert_true(n <= 1024 && t.n + n <= TASKS_MAX);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t up = parent();

		t.parent[++t.n] = up;
		e[k++] = (struct event){ .t_mon_ns = t.n * 10,
			.a = t.n,
			.b = up,
			.kind = EV_task_spawn,
			.location = 1 };
	}
	model_add_events(t.m, e, k);
}

/* From the leaves up; children in the order of their numbers. */
static void
two_passes(void)
{
	memset(t.child, 0, sizeof(t.child));
	memset(t.last, 0, sizeof(t.last));
	memset(t.next, 0, sizeof(t.next));
	t.levels = 0;
	for (uint32_t i = 1; i <= t.n; i++) {
		uint32_t up = t.parent[i];

		t.level[i] = up == 0 ? 0 : t.level[up] + 1;
		t.levels =
		    t.level[i] + 1 > t.levels ? t.level[i] + 1 : t.levels;
		t.size[i] = 1;
		t.depths[i] = 0;
		if (t.last[up] == 0)
			t.child[up] = i;
		else
			t.next[t.last[up]] = i;
		t.last[up] = i;
	}
	for (uint32_t i = t.n; i >= 1; i--)
		if (t.parent[i] != 0) {
			t.size[t.parent[i]] += t.size[i];
			t.depths[t.parent[i]] += t.depths[i] + t.size[i];
		}
}

/* One child after the other, down from the root. */
static void
compare(const struct radial_layout *l, const struct radial_view *v)
{
	size_t n = 1, at = 0;
	double rings = t.levels, total, given, from, arc, w, mid, seen;
	double d = l->ring_px;

	assert_int_equal(l->nodes[0].task, 0);
	for (; at < l->nnodes; at++) {
		const struct radial_node *x = &l->nodes[at];
		uint32_t i = x->task + 1, pruned = 0, last = 0;
		double wide = d * (x->ring + 1);

		assert_int_equal(x->kids, n);
		total = (rings - x->ring - 1) * (t.size[i] - 1) -
			(double)(t.depths[i] - (t.size[i] - 1));
		if (t.child[i] == 0 || wide * (double)x->arc_rad < 1) {
			assert_int_equal(x[1].kids, n);
			assert_true(x->pruned >= t.size[i] - 1);
			continue;
		}
		given = seen = 0;
		for (uint32_t c = t.child[i]; c != 0; c = t.next[c]) {
			w = (rings - t.level[c]) * t.size[c] -
			    (double)t.depths[c];
			from = x->from_rad + given / total * (double)x->arc_rad;
			arc = w / total * (double)x->arc_rad;
			given += w;
			if ((int64_t)c * 10 > v->until_mon_ns)
				continue;
			mid = (from + arc / 2 - x->from_rad) * wide;
			if (last != 0 && mid - seen < 0.5 &&
			    d * (x->ring + 2) * arc < 1) {
				pruned += t.size[c];
				continue;
			}
			/* of the one before, all that is not drawn below it */
			if (last != 0)
				assert_true(l->nodes[n - 1].pruned >= pruned);
			pruned = 0;
			assert_int_equal(l->nodes[n].task, c - 1);
			assert_true((double)l->nodes[n].from_rad ==
				    (double)(float)from);
			assert_true(
			    fabs((double)l->nodes[n].arc_rad - arc) < 1e-6);
			last = c;
			seen = mid;
			n++;
		}
		assert_true(last == 0 || l->nodes[n - 1].pruned >= pruned);
		assert_int_equal(x[1].kids, n);
	}
	assert_int_equal(n, l->nnodes);
	if (v->until_mon_ns == INT64_MAX)
		assert_int_equal(l->drawn + l->pruned, t.n);
}

/* Of each wide task: its blocks, and those above them, are what they say. */
static uint32_t
check_blocks(uint32_t task)
{
	const struct model *m = t.m;
	struct wide_view w;
	uint32_t c, n = 0, size = 0, places;
	uint64_t depths = 0, one;

	if (!model_task_wide(m, task, &w))
		return (0);
	c = task == TASK_NONE ? 0 : model_task_first(m, task);
	places = task == TASK_NONE ? model_root_places(m) : UINT32_MAX;
	for (uint32_t b = 0; b < wide_blocks(&w, 0); b++) {
		size = 0;
		depths = 0;
		for (uint32_t i = 0; i < wide_kids(&w, 0, b); i++, n++) {
			if (task == TASK_NONE) {
				assert_true(n < places);
				c = model_task_root(m, n);
				if (c == TASK_NONE || model_is_single(m, c))
					continue; /* these count apart */
			}
			assert_true(c != TASK_NONE);
			if (i == 0 && task != TASK_NONE)
				assert_int_equal(w.block[0][b].first, c);
			assert_int_equal(model_wide_find(m, task, c), b);
			size += model_task_counts(m, c, &one);
			depths += one;
			if (task != TASK_NONE)
				c = model_task_next(m, c);
		}
		assert_int_equal(w.block[0][b].size, size);
		assert_int_equal(w.block[0][b].depths, depths);
	}
	assert_int_equal(n, w.kids);
	assert_true(task == TASK_NONE ? n == places : c == TASK_NONE);
	for (unsigned k = 1; k < w.levels; k++)
		for (uint32_t b = 0; b < wide_blocks(&w, k); b++) {
			size = 0;
			for (uint32_t i = b << WIDE_BITS;
			     i < (b + 1) << WIDE_BITS &&
			     i < wide_blocks(&w, k - 1);
			     i++)
				size += w.block[k - 1][i].size;
			assert_int_equal(w.block[k][b].size, size);
		}
	assert_true(wide_blocks(&w, w.levels - 1) <= WIDE_KIDS);
	return (1);
}

static uint32_t
check_all_blocks(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < model_tasks(t.m); i++)
		n += !model_task_gone(t.m, i) && check_blocks(i);
	return (n + check_blocks(TASK_NONE));
}

static uint32_t
flat(void)
{
	return (t.n > 0);
}

/* Three, side by side, below the root. */
static uint32_t
interleaved(void)
{
	return (t.n == 0 ? 0 : t.n < 4 ? 1 : 2 + below(3));
}

/* Half of the children have a tree of their own. */
static uint32_t
bushy(void)
{
	if (t.n < 4000)
		return (t.n > 0);
	return (below(2) == 0 ? 1 : 1 + below(t.n));
}

/* Few large ones among many small ones. */
static uint32_t
uneven(void)
{
	return (t.n == 0 ? 0 : below(10) > 0 ? 1 : t.n - below(3) % t.n);
}

static uint32_t
no_parent(void)
{
	return (0);
}

static uint32_t (*const shapes[])(void) = { flat, interleaved, bushy, uneven };

static void
every_child_in_turn(void **state)
{
	struct radial_layout l = { 0 };
	struct scene s = { 0 };

	(void)state;
	for (seed = 1; seed <= 8; seed++) {
		uint64_t kept = seed;
		struct radial_view v = { .width = 900,
			.height = 900,
			.zoom = 1 + (double)(seed % 3) * 10,
			.ring_px_min = 4,
			.until_mon_ns = INT64_MAX };

		begin_trace();
		for (int f = 0; f < 40; f++) {
			spawn(1 + below(900), shapes[kept % 4]);
			two_passes();
			v.until_mon_ns = INT64_MAX;
			v.width = v.height = 600000; /* all is in sight */
			v.ring_px_min = 300;
			radial_layout(t.m, &palette_dark, &v, &l, &s);
			if (l.nnodes == 0)
				continue;
			if (v.zoom < 2 && l.levels == l.rings)
				compare(&l, &v);
			v.width = v.height = 1000;
			v.ring_px_min = 4;
			v.zoom = 1;
			radial_layout(t.m, &palette_dark, &v, &l, &s);
			if (l.levels == l.rings) {
				compare(&l, &v);
				v.until_mon_ns = below(t.n * 10);
				radial_layout(t.m, &palette_dark, &v, &l, &s);
				compare(&l, &v);
			}
			v.zoom = 1 + (double)(kept % 3) * 10;
		}
		assert_true(check_all_blocks() >= 1);
		assert_true(t.n > 10000);
		model_free(t.m);
		seed = kept;
	}
	radial_layout_free(&l);
	scene_free(&s);
}

/* Zoomed in, what lies beside the window is counted as well. */
static void
nothing_is_lost_beside_the_window(void **state)
{
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	uint32_t beside = 0, task;
	struct radial_node n;

	(void)state;
	seed = 3;
	begin_trace();
	for (int f = 0; f < 40; f++)
		spawn(900, shapes[2]);
	two_passes();
	for (int i = 0; i < 200; i++) {
		struct radial_view v = { .width = 300,
			.height = 200,
			.zoom = 1 + below(3000),
			.rotate_rad = below(7),
			.ring_px_min = 4,
			.until_mon_ns = INT64_MAX };
		struct radial_drawing r = { .v = &v, .l = &l };
		const struct radial_node *there;

		radial_layout(t.m, &palette_dark, &v, &l, &s);
		task = below(t.n);
		memset(&n, 0, sizeof(n));
		assert_int_equal(radial_tree_open(&r.tree, t.m, &v, &l), 0);
		r.d = l.ring_px;
		assert_true(radial_locate(&r, task, &n));
		v.centre_x = -(double)n.x / SCENE_ONE + below(100);
		v.centre_y = -(double)n.y / SCENE_ONE + below(60);
		radial_layout(t.m, &palette_dark, &v, &l, &s);
		assert_int_equal(l.drawn + l.pruned + l.outside, t.n);
		there = radial_find(&l, t.m, task);
		assert_true(there != NULL);
		if (there->task == task)
			assert_true(fabs((double)there->from_rad -
					 (double)n.from_rad) < 1e-5);
		beside += l.outside;
	}
	assert_true(beside > 100000);
	model_free(t.m);
	radial_layout_free(&l);
	scene_free(&s);
}

static void
many_roots_are_wide_as_well(void **state)
{
	struct radial_view v = { .width = 1000,
		.height = 1000,
		.zoom = 1,
		.ring_px_min = 4,
		.root = TASK_NONE,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	double at = 0;

	(void)state;
	begin_trace();
	for (int f = 0; f < 40; f++)
		spawn(500, no_parent);
	for (int f = 0; f < 4; f++)
		spawn(1000, bushy);
	assert_true(check_all_blocks() >= 1);
	radial_layout(t.m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, t.n);
	assert_int_equal(l.drawn + l.pruned, t.n);
	assert_true(l.drawn > 500);
	v.sum_singles = true; /* by blocks */
	radial_layout(t.m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, t.n);
	assert_int_equal(l.drawn + l.pruned + l.singles.tasks, t.n);
	assert_int_equal(l.singles.tasks, model_singles(t.m, NULL));
	assert_int_equal(model_task_roots(t.m, NULL, 0), 20000);
	for (uint32_t i = 1; i < l.nodes[1].kids; i++) {
		assert_true((double)l.nodes[i].from_rad >= at);
		at = (double)l.nodes[i].from_rad;
	}
	model_free(t.m);
	radial_layout_free(&l);
	scene_free(&s);
}

/* Parents that come to be known late, children that are then out of order. */
static void
late_children_are_found(void **state)
{
	int64_t now = 0;
	uint64_t id = 1;

	(void)state;
	for (seed = 1; seed <= 4; seed++) {
		uint64_t kept = seed;

		begin_trace();
		tell(EV_task_spawn, 1, 0, 0);
		for (id = 2, now = 10; id < 20000; now += 10) {
			if (kept % 2 == 0 || below(4) > 0) {
				tell(EV_task_spawn, id++, 1, now);
				if (below(3) == 0) {
					tell(EV_task_spawn, id, id - 1, now);
					id++;
				}
				continue;
			}
			/* a few of them, the last one first */
			for (uint64_t k = 5; k-- > 0;)
				tell(EV_task_begin, id + k, 0, now);
			for (uint64_t k = 0; k < 5; k++)
				tell(EV_task_spawn, id + (k * 2) % 5,
				    k == 3 ? 2 : 1, now);
			id += 5;
		}
		assert_true(check_all_blocks() >= 1);
		assert_int_equal(model_task_roots(t.m, NULL, 0), 1);
		model_free(t.m);
		seed = kept;
	}
}

/* Finished children are given up; the others are found among what is left. */
static void
blocks_outlive_what_is_given_up(void **state)
{
	int64_t now = 0;
	uint32_t checked = 0;

	(void)state;
	seed = 7;
	begin_trace();
	model_set_memory(t.m, 3 << 20);
	tell(EV_task_spawn, 1, 0, now);
	for (uint64_t id = 2; id < 60000; id++) {
		now += 10;
		tell(EV_task_spawn, id,
		    id > 3000 && below(3) == 0 ? id - 1 - below(1000) : 1, now);
		tell(EV_task_begin, id, 1, now + 1);
		if (below(500) > 0)
			tell(EV_task_end, id, 1, now + 2);
		if (id % 8192 == 0)
			checked += check_all_blocks();
	}
	assert_true(model_tasks_gone(t.m) > 10000);
	assert_true(check_all_blocks() >= 1);
	assert_true(checked > 2);
	model_free(t.m);
}

/* Sectors that are far narrower than a pixel stand for those beside them. */
static void
slivers_can_be_seen(void **state)
{
	struct radial_view v = { .width = 500,
		.height = 500,
		.zoom = 1,
		.form = RADIAL_SUNBURST,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	uint32_t slivers = 0;

	(void)state;
	seed = 9;
	begin_trace();
	while (t.n < 40000)
		spawn(1000, flat);
	radial_layout(t.m, &palette_dark, &v, &l, &s);
	for (size_t i = 0; i < s.n; i++) {
		if (s.items[i].of != OF_TASK || s.items[i].id == 0)
			continue;
		assert_int_equal(s.items[i].type, ITEM_LINE);
		assert_true(s.items[i].w >= SCENE_ONE / 2);
		slivers++;
	}
	assert_in_range(slivers, 1000, 3500); /* half a pixel apart */
	radial_layout_free(&l);
	scene_free(&s);
	model_free(t.m);
}

/* Below one of two tasks, whose subtrees become large. */
static uint32_t
halves(void)
{
	if (t.n < 3)
		return (t.n > 0);
	/* even numbers below even ones, odd below odd */
	return (2 + 2 * below((t.n - 1) / 2) + (t.n + 1) % 2);
}

static uint32_t
deepest_below(uint32_t root)
{
	static bool in[TASKS_MAX + 1];
	uint32_t deepest = 0;

	for (uint32_t i = 1; i <= t.n; i++) {
		in[i] = i == root || (i > root && in[t.parent[i]]);
		if (in[i] && t.level[i] > deepest)
			deepest = t.level[i];
	}
	return (deepest);
}

/* Walked through while it is small, then marked, as new tasks come. */
static void
a_subtree_is_as_deep_as_its_deepest(void **state)
{
	struct radial_cache cache = { 0 };
	uint32_t root, levels[2] = { 0, 0 };

	(void)state;
	seed = 11;
	begin_trace();
	while (t.n < 50000) {
		spawn(1000, halves);
		two_passes();
		for (root = 2; root <= 3; root++) {
			levels[root - 2] = deepest_below(root);
			assert_int_equal(radial_cache_deepest(&cache, t.m,
					     root - 1),
			    levels[root - 2]);
		}
		/* and once more, with nothing new */
		assert_int_equal(radial_cache_deepest(&cache, t.m, 2),
		    levels[1]);
	}
	assert_int_not_equal(levels[0], levels[1]);
	tell(EV_task_spawn, ++t.n, 2, 0);
	t.parent[t.n] = 2;
	two_passes();
	assert_true(t.size[2] > 12000 && t.size[3] > 12000);
	free(cache.in);
	model_free(t.m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_child_in_turn),
		cmocka_unit_test(nothing_is_lost_beside_the_window),
		cmocka_unit_test(many_roots_are_wide_as_well),
		cmocka_unit_test(slivers_can_be_seen),
		cmocka_unit_test(a_subtree_is_as_deep_as_its_deepest),
		cmocka_unit_test(late_children_are_found),
		cmocka_unit_test(blocks_outlive_what_is_given_up),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
