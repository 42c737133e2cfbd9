/*
 * The depth of a subtree by its deepest task: what is found is what looking at
 * all tasks finds, for trees of all shapes and roots anywhere.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/levels/tree_levels.h"
#include "model/model.h"

#define TASKS 40000

static uint32_t
below(uint32_t n)
{
	static uint64_t seed = 5;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

/* Any, a heap, one of the last forty, and mostly one of the first. */
static uint32_t
parent_of(int shape, uint32_t i)
{
	switch (shape) {
	case 0:
		return (below(i));
	case 1:
		return ((i - 1) / 2);
	case 2:
		return (i - 1 - below(i < 40 ? i : 40));
	default:
		return (below(i < 9 || below(50) == 0 ? i : 9));
	}
}

static struct model *
grow(int shape, uint32_t *parent)
{
	struct model *m = model_new();
	struct event *e = calloc(TASKS, sizeof(*e));

	assert_non_null(m);
	assert_non_null(e);
	for (uint32_t i = 0; i < TASKS; i++) {
		parent[i] = i == 0 ? TASK_NONE : parent_of(shape, i);
		e[i] = (struct event){ .t_mon_ns = i,
			.location = 1,
			.a = i + 1,
			.b = i == 0 ? 0 : parent[i] + 1,
			.kind = EV_task_spawn };
	}
	model_add_events(m, e, TASKS);
	free(e);
	assert_int_equal(model_tasks(m), TASKS);
	return (m);
}

/* Of the first n tasks, by a pass over them. */
static uint32_t
deepest_of(const struct model *m, const uint32_t *parent, uint32_t root,
    uint32_t n)
{
	uint8_t *in = calloc(n, 1);
	uint32_t deepest = model_task_level(m, root), level;

	assert_non_null(in);
	in[root] = 1;
	for (uint32_t i = root + 1; i < n; i++) {
		in[i] = in[parent[i]];
		level = in[i] ? model_task_level(m, i) : 0;
		deepest = level > deepest ? level : deepest;
	}
	free(in);
	return (deepest);
}

static void
what_is_found_is_right(void **state)
{
	uint32_t *parent = calloc(TASKS, sizeof(*parent)), found = 0;

	(void)state;
	assert_non_null(parent);
	for (int shape = 0; shape < 4; shape++) {
		struct model *m = grow(shape, parent);

		for (int i = 0; i < 200; i++) {
			uint32_t root = below(i % 2 ? 20 : TASKS);
			uint32_t part = root + 1 + below(TASKS - root);
			uint32_t deepest = model_task_level(m, root);

			/* some of them first, then the others */
			if (!model_subtree_deepest(m, root, root + 1, part,
				&deepest))
				continue;
			assert_int_equal(deepest,
			    deepest_of(m, parent, root, part));
			if (!model_subtree_deepest(m, root, part, TASKS,
				&deepest))
				continue;
			assert_int_equal(deepest,
			    deepest_of(m, parent, root, TASKS));
			found++;
		}
		model_free(m);
	}
	assert_true(found > 300); /* it is worth asking */
	free(parent);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_found_is_right),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
