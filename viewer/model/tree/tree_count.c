/*
 * The radial layout needs size and sum of depths of every subtree.  A new
 * task adds to all its ancestors.  This is done once per frame of the log, for
 * all its new tasks at once: from the last number to the first (parents come
 * first), so that what many of them add to the same ancestor is added once
 * (tree_front.h).
 *
 * As soon as all that is left goes the same way up, it is carried there
 * without looking; this path is remembered, since the next one is much the
 * same, and a chain of a million tasks need not be looked up again.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/tree/tree_front.h"
#include "model/tree/tree_inside.h"

static void *
grow(struct model *m, void *p, size_t n, size_t each)
{
	void *q = memory_grow(p, n * each);

	if (q == NULL)
		held_of(m)->failed = ENOMEM;
	return (q);
}

static void
root_deepen(struct model *m, uint32_t root, uint32_t deep)
{
	struct task_root *r = tree_root(m, root);

	if (r != NULL && deep + 1 > r->levels)
		atomic_store(&r->levels, deep + 1);
	if (deep + 1 >
	    atomic_load_explicit(&shape_of(m)->levels, memory_order_relaxed))
		atomic_store(&shape_of(m)->levels, deep + 1);
}

static int
path_reserve(struct model *m, uint32_t level)
{
	struct task_count *c = &shape_of(m)->count;
	uint32_t cap = level + level / 2 + 64, *path, *count;

	if (level < c->path_cap)
		return (0);
	path = grow(m, c->path, cap, sizeof(*path));
	c->path = path != NULL ? path : c->path;
	count = grow(m, c->path_count, cap, sizeof(*count));
	c->path_count = count != NULL ? count : c->path_count;
	if (path == NULL || count == NULL)
		return (-1);
	c->path_cap = cap;
	return (0);
}

/* Adds to a task of the path, whose counters mostly are big ones. */
static void
path_add(struct model *m, uint32_t level, uint32_t size, uint64_t depths)
{
	struct task_count *c = &shape_of(m)->count;
	struct task_big *b;
	struct task_hot *t;

	if (c->path_count[level] & COUNT_BIG) {
		b = chunk_known(&store_of(m)->bigs,
		    c->path_count[level] & ~COUNT_BIG);
		ADD(b->size, size);
		ADD(b->sum, depths);
		return;
	}
	t = hot_at(m, c->path[level]);
	task_add_counts(m, t, size, depths);
	c->path_count[level] = atomic_load(&t->count);
}

/* The same for those of the path that have very many children. */
static void
path_tell(struct model *m, uint32_t level, struct task_sum s)
{
	const uint32_t *path = shape_of(m)->count.path;

	for (uint32_t l = level; l > 0; l--, s.depths += s.size)
		if (tree_wide_maybe(m, path[l - 1]))
			tree_wide_told(m, path[l - 1], path[l], s.size,
			    s.depths);
	tree_wide_told(m, TASK_NONE, path[0], s.size, s.depths);
}

/* To a task and all above it. */
static void
carry(struct model *m, uint32_t task, struct task_sum s)
{
	struct task_count *c = &shape_of(m)->count;
	uint32_t level = task_level(m, task), l = level + 1;

	if (path_reserve(m, level) == -1)
		return;
	while (l > 0 && task != TASK_NONE) {
		l--;
		if (l < c->npath && c->path[l] == task)
			break; /* and so are all above it */
		c->path[l] = task;
		c->path_count[l] = 0;
		task = hot_at(m, task)->parent;
	}
	c->npath = level + 1;
	if (wides_of(m)->nwides > 0)
		path_tell(m, level, s);
	for (l = level + 1; l-- > 0; s.depths += s.size)
		path_add(m, l, s.size, s.depths);
	root_deepen(m, c->path[0], s.deep);
}

/* A new root that has no child so far: see tree_single.c. */
static bool
is_new_single(const struct model *m, uint32_t i)
{
	return (
	    i >= shape_of(m)->count.told && hot_at(m, i)->last == TASK_NONE);
}

/* What is to be added to task i, its own part being added, goes to its
 * parent. */
static void
pass_up(struct model *m, uint32_t i, uint32_t up, const struct task_sum *s)
{
	struct task_sum above = { s->depths + s->size, s->size, s->deep };

	if (wides_of(m)->nwides > 0 &&
	    (up == TASK_NONE ? !is_new_single(m, i) : tree_wide_maybe(m, up)))
		tree_wide_told(m, up, i, s->size, s->depths);
	if (up == TASK_NONE)
		root_deepen(m, i, s->deep);
	else if (up > i || /* it came late, and has had its turn */
		 tree_front_add(shape_of(m)->count.front, m, up, &above) == -1)
		carry(m, up, above);
}

/* To one task, and if it is new the task itself to those above it. */
static void
settle_one(struct model *m, uint32_t i, struct task_sum *s)
{
	struct task_piece *p = piece_of(m, i);
	uint32_t k = rank_in(p, i), level;

	if (s->size > 0)
		task_add_counts(m, &p->hot[k], s->size, s->depths);
	if (i >= shape_of(m)->count.told) {
		level = task_level_in(p, k);
		s->size++;
		s->deep = level > s->deep ? level : s->deep;
	}
	pass_up(m, i, p->hot[k].parent, s);
}

static void
settle(struct model *m)
{
	struct task_count *c = &shape_of(m)->count;
	struct task_sum s;
	uint32_t i, root, told;

	if (c->front == NULL)
		c->front = tree_front_new();
	if (c->front == NULL ||
	    tree_front_begin(c->front, c->told, store_of(m)->ntasks) == -1) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	while (tree_front_enter(c->front, m))
		while (tree_front_take(c->front, &i, &s)) {
			if (i < c->told && tree_front_empty(c->front))
				carry(m, i, s);
			else
				settle_one(m, i, &s);
		}
	told = c->told;
	PUT(c->told, store_of(m)->ntasks);
	for (i = tree_roots_from(m, told); i < shape_of(m)->nroots; i++)
		if ((root = tree_root_at(m, i)) != TASK_NONE &&
		    tree_is_single(m, root))
			tree_single_enter(m, root);
}

void
tree_count(struct model *m, uint32_t task, uint32_t size, uint64_t depths,
    uint32_t deep)
{
	carry(m, task, (struct task_sum){ depths, size, deep });
}

void
tree_count_forget(struct model *m)
{
	shape_of(m)->count.npath = 0;
}

void
tree_settle(struct model *m)
{
	if (shape_of(m)->count.told < store_of(m)->ntasks)
		settle(m);
	tree_wide_settle(m);
	if (shape_of(m)->tree_changed)
		atomic_fetch_add_explicit(&shape_of(m)->tree_version, 1,
		    memory_order_release);
	shape_of(m)->tree_changed = 0;
}

void
tree_count_clear(struct model *m)
{
	struct task_count *c = &shape_of(m)->count;

	tree_front_free(c->front);
	memory_free(c->path);
	memory_free(c->path_count);
}
