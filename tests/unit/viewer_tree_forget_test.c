/*
 * Finished subtrees that are given up under a cap: the cap holds, what stays
 * is where it is in the whole tree, to the last digit of its sector, and what
 * is gone is counted where it was.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial.h"
#include "model/model.h"

#define TASKS 60000
#define NAMES 5

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

/* The same program, seen by a model that may not grow and by one that may. */
struct world {
	struct model *whole, *small;
	uint32_t n, parent[TASKS + 1], kids[TASKS + 1];
	uint8_t done[TASKS + 1];
	int64_t now;
	struct event e[512];
	uint32_t ne;
	uint64_t most;
};

static void
flush(struct world *w)
{
	model_add_events(w->whole, w->e, w->ne);
	model_add_events(w->small, w->e, w->ne);
	w->ne = 0;
	if (model_bytes(w->small) > w->most)
		w->most = model_bytes(w->small);
}

static void
tell(struct world *w, uint16_t kind, uint64_t a, uint64_t b, uint32_t c)
{
	w->now += 50;
	w->e[w->ne++] = (struct event){ .t_mon_ns = w->now,
		.location = 1,
		.kind = kind,
		.a = a,
		.b = b,
		.c = c };
	if (w->ne == sizeof(w->e) / sizeof(w->e[0]))
		flush(w);
}

static uint32_t
spawn(struct world *w, uint32_t parent)
{
	uint32_t i = ++w->n;

	w->parent[i] = parent;
	w->done[i] = 0;
	tell(w, EV_task_spawn, i, parent, 1 + i % NAMES);
	tell(w, EV_task_begin, i, i % 7, 0);
	return (i);
}

static void
end(struct world *w, uint32_t i)
{
	w->done[i] = 1;
	tell(w, EV_task_end, i, 0, 0);
}

/* Depth first, as a program does: a task ends after all below it. */
static void
run(struct world *w, uint32_t parent, uint32_t depth, uint32_t wide)
{
	uint32_t i = spawn(w, parent), n = depth == 0 ? 0 : 1 + below(wide);

	if (below(40) == 0 && depth < 4)
		return; /* it never ends */
	for (; n > 0 && w->n < TASKS; n--)
		run(w, i, depth - 1, wide);
	end(w, i);
}

static struct world *
world_new(uint64_t cap)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->whole = model_new();
	w->small = model_new();
	assert_non_null(w->whole);
	assert_non_null(w->small);
	model_set_memory(w->small, cap);
	return (w);
}

static void
world_free(struct world *w)
{
	model_free(w->whole);
	model_free(w->small);
	free(w);
}

static const struct radial_view view = { .width = 400000,
	.height = 400000,
	.zoom = 1,
	.ring_px_min = 4,
	.root = TASK_NONE,
	.until_mon_ns = INT64_MAX };

struct drawn {
	struct radial_layout l;
	struct scene s;
	uint32_t *node_of; /* of task number, + 1 */
};

static void
draw(struct drawn *d, const struct model *m, const struct radial_view *v)
{
	radial_layout(m, &palette_dark, v, &d->l, &d->s);
	d->node_of = calloc(model_tasks(m) + 1, sizeof(*d->node_of));
	assert_non_null(d->node_of);
	for (size_t i = 0; i < d->l.nnodes; i++)
		if (d->l.nodes[i].task != TASK_NONE)
			d->node_of[d->l.nodes[i].task] = (uint32_t)i + 1;
}

static void
drawn_free(struct drawn *d)
{
	radial_layout_free(&d->l);
	scene_free(&d->s);
	free(d->node_of);
}

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 2e-5)

/* Tasks from t on, t included, that the small one has given up. */
static void
compare(const struct world *w, const struct radial_view *v)
{
	struct drawn whole = { 0 }, small = { 0 };
	const struct radial_node *a, *b;
	uint32_t hidden = 0;

	draw(&whole, w->whole, v);
	draw(&small, w->small, v);
	assert_int_equal(small.l.tasks, whole.l.tasks);
	assert_int_equal(small.l.levels, whole.l.levels);
	assert_int_equal(small.l.rings, whole.l.rings);
	assert_int_equal(small.l.condensed, whole.l.condensed);
	assert_int_equal(whole.l.pruned, 0);
	for (size_t i = 0; i < small.l.nnodes; i++) {
		b = &small.l.nodes[i];
		if (b->summary)
			hidden += b->pruned;
		if (b->summary || b->task == TASK_NONE)
			continue;
		assert_true(whole.node_of[b->task] != 0);
		a = &whole.l.nodes[whole.node_of[b->task] - 1];
		assert_int_equal(a->ring, b->ring);
		NEAR(a->from_rad, b->from_rad);
		NEAR(a->arc_rad, b->arc_rad);
		assert_int_equal(a->x, b->x);
		assert_int_equal(a->y, b->y);
	}
	assert_int_equal(small.l.drawn + small.l.pruned, whole.l.drawn);
	assert_int_equal(hidden, small.l.pruned);
	drawn_free(&whole);
	drawn_free(&small);
}

/* A task that lives is there, with all above it. */
static void
what_lives_is_there(const struct world *w)
{
	uint64_t depths, depths_small;
	uint32_t live = 0;

	for (uint32_t i = 1; i <= w->n; i++) {
		uint32_t t = model_task_by_id(w->small, i);

		if (w->done[i])
			continue;
		live++;
		assert_int_equal(t, i - 1);
		for (uint32_t up = i; up != 0; up = w->parent[up]) {
			assert_int_equal(model_task_by_id(w->small, up),
			    up - 1);
			assert_int_equal(model_task_counts(w->small, up - 1,
					     &depths_small),
			    model_task_counts(w->whole, up - 1, &depths));
			assert_true(depths == depths_small);
		}
	}
	assert_true(live > 20);
}

/* Numbers, procedures and levels of what is gone are still known. */
static void
nothing_is_lost(const struct world *w)
{
	uint64_t tasks = 0, names[NAMES + 2] = { 0 }, want, busy = 0, all = 0;
	uint32_t levels;
	struct task_sums sums;
	struct task t, s;
	int64_t end;

	for (uint32_t i = 0; i < model_tasks(w->small); i++) {
		model_task_get(w->small, i, &s);
		assert_int_equal(model_task_flags(w->small, i, &end), s.flags);
		assert_true(end == s.end_mon_ns);
		model_task_get(w->whole, i, &t);
		all += (uint64_t)t.busy_ns;
		if (s.flags & TASK_GONE_UP)
			continue;
		if (!(s.flags & TASK_SUMMARY)) {
			assert_int_equal(s.id, t.id);
			assert_int_equal(s.pe, t.pe);
			assert_int_equal(s.name, t.name);
			assert_int_equal(s.level, t.level);
			assert_int_equal(s.spawn_mon_ns, t.spawn_mon_ns);
			assert_int_equal(s.begin_mon_ns, t.begin_mon_ns);
			assert_int_equal(s.end_mon_ns, t.end_mon_ns);
			tasks++;
			names[s.name]++;
			busy += (uint64_t)s.busy_ns;
			continue;
		}
		assert_true(model_task_sums(w->small, i, &sums));
		assert_int_equal(sums.tasks, s.size);
		tasks += sums.tasks;
		busy += (uint64_t)sums.busy_ns;
		for (levels = 0, want = 0; levels < sums.levels; levels++)
			want += sums.level[levels];
		assert_int_equal(want, sums.tasks);
		for (uint32_t k = 0; k < sums.nnames; k++)
			names[sums.names[k].name] += sums.names[k].tasks;
	}
	assert_int_equal(tasks, w->n);
	assert_int_equal(busy, all);
	for (uint32_t k = 1; k <= NAMES; k++) {
		want = 0;
		for (uint32_t i = 1; i <= w->n; i++)
			want += 1 + i % NAMES == k;
		assert_int_equal(names[k], want);
	}
}

#define CAP ((uint64_t)600 << 10)

static void
sectors_stay_as_they_are(void **state)
{
	struct radial_view condensed = view;

	(void)state;
	for (seed = 1; seed <= 3; seed++) {
		uint64_t kept = seed;
		struct world *w = world_new(CAP);
		uint32_t root = spawn(w, 0), frames = 0;

		condensed.ring_px_min = 200000 / (int32_t)(3 + seed);
		while (w->n < TASKS / 2) {
			run(w, root, 2 + below(9), 3);
			if (frames++ % 500 != 0)
				continue;
			flush(w);
			compare(w, &view);
			compare(w, &condensed);
		}
		flush(w);
		assert_true(model_tasks_gone(w->small) > TASKS / 16);
		compare(w, &view);
		compare(w, &condensed);
		what_lives_is_there(w);
		nothing_is_lost(w);
		world_free(w);
		seed = kept;
	}
}

/* A tree that comes to its end is one summary. */
static void
a_finished_tree_is_one_node(void **state)
{
	struct world *w = world_new(1 << 10);
	struct radial_layout l = { 0 };
	struct radial_view v = view;
	struct scene s = { 0 };
	uint32_t root = spawn(w, 0);

	(void)state;
	for (int i = 0; i < 5000; i++)
		end(w, spawn(w, i % 3 == 0 ? root : w->n));
	end(w, root);
	for (int i = 0; i < 300; i++) /* so that the pieces are full */
		for (int k = 0; k < 64; k++)
			end(w, spawn(w, 0));
	flush(w);
	radial_layout(w->small, &palette_dark, &v, &l, &s);
	assert_int_equal(l.tasks, w->n);
	assert_int_equal(l.drawn + l.pruned, w->n);
	assert_int_equal(model_task_by_id(w->small, 1), TASK_NONE);
	radial_layout_free(&l);
	scene_free(&s);
	world_free(w);
}

/* What is told of a task that is gone is not taken for one that has come into
 * its place. */
static void
ids_are_not_mixed_up(void **state)
{
	struct world *w = world_new(1 << 10);
	uint32_t root = spawn(w, 0), gone;

	(void)state;
	for (int i = 0; i < TASKS / 2; i++)
		end(w, spawn(w, i % 3 == 0 ? root : w->n));
	end(w, root);
	flush(w);
	gone = model_tasks_gone(w->small);
	assert_true(gone > TASKS / 4);
	for (int i = 0; i < TASKS / 4; i++)
		spawn(w, 0);
	for (uint32_t i = 1; i < TASKS / 2; i++)
		if (model_task_by_id(w->small, i) == TASK_NONE)
			tell(w, EV_task_suspend, i, 0, 0);
	flush(w);
	for (uint32_t i = 0; i < model_tasks(w->small); i++)
		assert_false(model_task_suspended(w->small, i));
	world_free(w);
}

/*
 * A program whose tasks are trees of one or few each: those go, too, and one
 * that lives is where it would be.  Their places among roots are given back.
 */
static void
lone_roots_go(void **state)
{
	struct world *w = world_new(CAP);
	uint32_t from = 0, frames = 0;

	(void)state;
	seed = 5;
	while (w->n < TASKS / 2) {
		uint32_t root = spawn(w, 0);

		if (below(8) == 0)
			run(w, root, 1 + below(3), 3);
		if (below(60) != 0)
			end(w, root);
		else if (from == 0)
			from = root;
		if (frames++ % 4000 != 0)
			continue;
		flush(w);
		compare(w, &view);
	}
	flush(w);
	compare(w, &view);
	what_lives_is_there(w);
	nothing_is_lost(w);
	assert_true(model_tasks_gone(w->small) > TASKS / 3);
	assert_in_range(model_task_roots(w->small, NULL, 0), 100, TASKS / 8);
	assert_in_range(model_root_places(w->small), 100, TASKS / 5);
	for (uint32_t i = 0; i < model_root_places(w->small); i++) {
		uint32_t t = model_task_root(w->small, i);
		struct task_sums sums;

		if (t != TASK_NONE && model_task_sums(w->small, t, &sums))
			assert_int_equal(model_task_levels(w->small, t),
			    sums.levels);
	}
	for (uint32_t i = from; i < w->n; i++) /* as roots, and their trees */
		if (w->parent[i] == 0 && !w->done[i])
			assert_int_equal(model_task_levels(w->small, i - 1),
			    model_task_levels(w->whole, i - 1));
	world_free(w);
}

/* What is told of tasks that are gone does not make them again. */
static void
what_is_gone_stays_gone(void **state)
{
	struct world *w = world_new(CAP);
	uint32_t root, n, gone;

	(void)state;
	seed = 3;
	root = spawn(w, 0);
	while (w->n < TASKS / 2)
		run(w, root, 8, 3);
	flush(w);
	for (gone = 1; gone < w->n; gone++)
		if (model_task_gone(w->small, gone))
			break;
	assert_true(gone < w->n);
	assert_int_equal(model_task_by_id(w->small, gone + 1), TASK_NONE);
	n = model_tasks(w->small);
	tell(w, EV_task_join, gone + 1, 0, 0);
	tell(w, EV_task_begin, gone + 1, 0, 0);
	tell(w, EV_task_end, gone + 1, 0, 0);
	tell(w, EV_task_spawn, gone + 1, root, 1);
	flush(w);
	assert_int_equal(model_tasks(w->small), n);
	/* a late child of it is there, as a tree of its own */
	tell(w, EV_task_spawn, TASKS + 5, gone + 1, 1);
	flush(w);
	assert_int_equal(model_tasks(w->small), n + 1);
	assert_int_equal(model_task_by_id(w->small, TASKS + 5), n);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sectors_stay_as_they_are),
		cmocka_unit_test(a_finished_tree_is_one_node),
		cmocka_unit_test(ids_are_not_mixed_up),
		cmocka_unit_test(lone_roots_go),
		cmocka_unit_test(what_is_gone_stays_gone),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
