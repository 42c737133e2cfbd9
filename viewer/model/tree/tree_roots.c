/*
 * Tasks that hang nowhere: each has a place among the roots, in the order of
 * their numbers, and how deep its tree is.  A place stays empty when its root
 * finds a parent or is given up, and is given back when most are empty.
 */
#include <errno.h>

#include "model/tree/tree_inside.h"

#define EMPTY_LEAST 1024 /* places that are worth it */

struct task_root *
tree_root(struct model *m, uint32_t task)
{
	uint32_t i = idmap_find(&shape_of(m)->root_map, task);

	return (i == IDMAP_NONE ? NULL : chunk_known(&shape_of(m)->roots, i));
}

static struct task_root *
place_make(struct model *m, uint32_t n, uint32_t task, uint32_t levels)
{
	struct task_root *r =
	    chunk_make(&shape_of(m)->roots, n, &held_of(m)->bytes);

	if (r == NULL || idmap_add(&shape_of(m)->root_map, task, n,
			     &held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	atomic_store(&r->task, task);
	atomic_store(&r->levels, levels);
	return (r);
}

void
tree_root_add(struct model *m, uint32_t task)
{
	uint32_t n = shape_of(m)->nroots;

	if (place_make(m, n, task, 1) == NULL)
		return;
	atomic_store_explicit(&shape_of(m)->nroots, n + 1,
	    memory_order_release);
	atomic_fetch_add_explicit(&shape_of(m)->roots_left, 1,
	    memory_order_relaxed);
	if (atomic_load_explicit(&shape_of(m)->levels, memory_order_relaxed) ==
	    0)
		atomic_store(&shape_of(m)->levels, 1);
	tree_wide_root(m, task);
}

uint32_t
tree_root_at(const struct model *m, uint32_t place)
{
	const struct task_root *r = chunk_known(&shape_of(m)->roots, place);
	uint32_t task = atomic_load_explicit(&r->task, memory_order_relaxed);

	if (task_is_gone(m, task) || model_task_parent(m, task) != TASK_NONE)
		return (TASK_NONE);
	return (task);
}

uint32_t
tree_roots_from(const struct model *m, uint32_t task)
{
	uint32_t lo = 0, hi = shape_of(m)->nroots, mid;
	const struct task_root *r;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		r = chunk_known(&shape_of(m)->roots, mid);
		if (atomic_load_explicit(&r->task, memory_order_relaxed) < task)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

void
tree_root_joins(struct model *m, uint32_t into, uint32_t task, uint32_t size,
    uint64_t depths)
{
	struct task_root *a = tree_root(m, into), *b = tree_root(m, task);

	if (a != NULL && b != NULL && b->levels > a->levels)
		atomic_store(&a->levels, b->levels);
	tree_wide_told(m, TASK_NONE, into, size, depths);
	tree_wide_told(m, TASK_NONE, task, -size, -depths);
	atomic_fetch_sub_explicit(&shape_of(m)->roots_left, 1,
	    memory_order_relaxed);
}

void
tree_roots_close_up(struct model *m)
{
	uint32_t left = atomic_load(&shape_of(m)->roots_left), n = 0, task,
		 levels;

	if (shape_of(m)->nroots < 2 * left + EMPTY_LEAST)
		return;
	idmap_renew(&shape_of(m)->root_map, &held_of(m)->retired,
	    &held_of(m)->bytes);
	for (uint32_t i = 0; i < shape_of(m)->nroots; i++) {
		task = tree_root_at(m, i);
		if (task == TASK_NONE)
			continue;
		levels =
		    ((struct task_root *)chunk_known(&shape_of(m)->roots, i))
			->levels;
		if (place_make(m, n, task, levels) == NULL)
			return;
		n++;
	}
	atomic_store_explicit(&shape_of(m)->nroots, n, memory_order_release);
	tree_wide_again(m, TASK_NONE);
}
