/*
 * Making tasks and hanging them: behind their elder siblings, so positions
 * never change places.
 *
 * Tasks that hang nowhere: each has a place among the roots, in the order of
 * their numbers, and how deep its tree is.  A place stays empty when its root
 * finds a parent or is given up, and is given back when most are empty.
 */
#include <errno.h>

#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

/*
 * Behind the last child.  A reader who is at the last one goes on only when
 * it is not the parent's last any more; see also model_task_first().
 */
static void
hang(struct model *m, uint32_t task, uint32_t parent)
{
	struct task_hot *p = hot_at(m, parent), *t = hot_at(m, task), *elder;

	if (p->last == TASK_NONE && p->parent == TASK_NONE &&
	    tree_is_single(m, parent))
		tree_single_leave(m, parent);
	atomic_store_explicit(&store_of(m)->hanging, task,
	    memory_order_release);
	if (p->last != TASK_NONE) {
		elder = hot_at(m, p->last);
		PUT(t->next, elder->next);
		__atomic_store_n(&elder->next, task, __ATOMIC_RELEASE);
	} else {
		PUT(t->next, task);
	}
	__atomic_store_n(&p->last, task, __ATOMIC_RELEASE);
	if (atomic_load_explicit(&p->count, memory_order_relaxed) & COUNT_BIG)
		tree_wide_hung(m, parent, task);
}

uint32_t
tree_new(struct model *m, uint64_t id, uint32_t parent)
{
	uint32_t n = store_of(m)->ntasks, level, word;

	if (n >= ID_GONE - 1)
		return (TASK_NONE);
	word = ids_word(m, id);
	if (word == TASK_NONE || task_make(m, n, parent, word) == -1)
		return (TASK_NONE);
	level = parent == TASK_NONE ? 0 : task_level(m, parent) + 1;
	task_first_level(m, n, level);
	/* whoever sees that it is there must find it by its id */
	ids_put(m, word, n);
	atomic_store_explicit(&store_of(m)->ntasks, n + 1,
	    memory_order_release);
	if (parent == TASK_NONE) {
		tree_root_add(m, n);
	} else {
		hang(m, n, parent);
	}
	return (n);
}

uint32_t
tree_task(struct model *m, uint64_t id)
{
	uint32_t t = ids_look_own(m, id);

	if (t == ID_GONE)
		return (TASK_NONE);
	if (t != TASK_NONE)
		return (t);
	atomic_store(&shape_of(m)->unordered,
	    1); /* its spawn comes later, if at all */
	return (tree_new(m, id, TASK_NONE));
}

/* Next task of a subtree, depth first. */
static uint32_t
next_below(const struct model *m, uint32_t t, uint32_t root)
{
	uint32_t next = model_task_first(m, t);

	while (next == TASK_NONE && t != root) {
		next = model_task_next(m, t);
		t = hot_at(m, t)->parent;
	}
	return (next);
}

static bool
is_below(const struct model *m, uint32_t t, uint32_t root)
{
	while (t != TASK_NONE && t != root)
		t = hot_at(m, t)->parent;
	return (t == root);
}

/*
 * A task that was taken for a root gets its parent, because its spawn came
 * late.  A cycle, which only nonsense can make, is refused.
 */
void
tree_adopt(struct model *m, uint32_t task, uint32_t parent)
{
	uint32_t deep = 0, level, size, by;
	uint64_t sum;

	if (is_below(m, parent, task))
		return;
	tree_settle(m);
	by = task_level(m, parent) + 1;
	for (uint32_t t = task; t != TASK_NONE; t = next_below(m, t, task)) {
		level = task_level(m, t) + by;
		task_set_level(m, t, level);
		deep = level > deep ? level : deep;
	}
	if (tree_is_single(m, task))
		tree_single_leave(m, task);
	size = task_counts(m, task, &sum);
	tree_wide_told(m, TASK_NONE, task, -size, -sum);
	__atomic_store_n(&hot_at(m, task)->parent, parent, __ATOMIC_RELEASE);
	atomic_fetch_sub_explicit(&shape_of(m)->roots_left, 1,
	    memory_order_relaxed);
	hang(m, task, parent);
	tree_wide_told(m, parent, task, size, sum);
	tree_count_forget(m);
	tree_count(m, parent, size, sum + size, deep);
	atomic_fetch_add(&shape_of(m)->generation, 1);
}

void
tree_init(struct model *m)
{
	task_store_init(m);
	chunk_init(&gone_of(m)->summaries, sizeof(struct task_summary *), 4);
	chunk_init(&gone_of(m)->summary_next, sizeof(uint32_t), 4);
	held_of(m)->retired.slab = &held_of(m)->slab;
	ids_init(m);
	tree_wide_init(m);
	tree_single_init(m);
	shape_of(m)->spawn_ns = INT64_MIN;
	chunk_init(&shape_of(m)->roots, sizeof(struct task_root), 2);
}

void
tree_clear(struct model *m)
{
	tree_count_clear(m);
	tree_marks_free(m);
	tree_wide_clear(m);
	tree_single_clear(m);
	ids_clear(m);
	task_store_clear(m);
	idmap_clear(&shape_of(m)->root_map);
	summaries_clear(m);
	chunk_clear(&shape_of(m)->roots);
}

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
	atomic_fetch_add_explicit(&shape_of(m)->roots_joined, 1,
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
