/*
 * Making tasks and hanging them: behind their elder siblings, so positions
 * never change places.
 */
#include <errno.h>
#include <string.h>

#include "model/tree_inside.h"

struct task_root *
tree_root(struct model *m, uint32_t task)
{
	uint32_t i = idmap_find(&m->root_map, task);

	return (i == IDMAP_NONE ? NULL : chunk_known(&m->roots, i));
}

static void
root_add(struct model *m, uint32_t task)
{
	uint32_t n = m->nroots;
	struct task_root *r = chunk_make(&m->roots, n, &m->bytes);

	if (r == NULL ||
	    idmap_add(&m->root_map, task, n, &m->retired, &m->bytes) == -1) {
		m->failed = ENOMEM;
		return;
	}
	atomic_init(&r->task, task);
	atomic_init(&r->levels, 1);
	atomic_store_explicit(&m->nroots, n + 1, memory_order_release);
}

static void
hang(struct model *m, uint32_t task, uint32_t parent)
{
	struct task *p = task_at(m, parent);
	uint32_t elder = p->last_child;

	PUT(p->last_child, task);
	if (elder == TASK_NONE)
		__atomic_store_n(&p->first_child, task, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&task_at(m, elder)->next_sibling, task,
		    __ATOMIC_RELEASE);
}

uint32_t
tree_new(struct model *m, uint64_t id, uint32_t parent)
{
	uint32_t n = m->ntasks;
	struct task_side *side;
	struct task *t;

	if (n >= TASK_NONE - 1)
		return (TASK_NONE);
	t = chunk_make(&m->tasks, n, &m->bytes);
	side = chunk_make(&m->task_side, n, &m->bytes);
	if (t == NULL || side == NULL || tree_map_reserve(m) == -1) {
		m->failed = ENOMEM;
		return (TASK_NONE);
	}
	memset(t, 0, sizeof(*t));
	t->id = id;
	t->parent = parent;
	t->first_child = t->next_sibling = t->last_child = TASK_NONE;
	t->level = parent == TASK_NONE ? 0 : task_at(m, parent)->level + 1;
	t->size = 1;
	t->sumlevel = t->level;
	t->spawn_mon_ns = t->begin_mon_ns = t->end_mon_ns = INT64_MIN;
	side->lane = UINT32_MAX;
	side->slot = UINT32_MAX;
	/* whoever sees that it is there must find it by its id */
	tree_map_put(m, atomic_load(&m->task_map), n);
	atomic_store_explicit(&m->ntasks, n + 1, memory_order_release);
	if (parent == TASK_NONE) {
		root_add(m, n);
	} else {
		hang(m, n, parent);
		tree_count(m, parent, 1, t->level, t->level);
	}
	return (n);
}

uint32_t
tree_task(struct model *m, uint64_t id)
{
	uint32_t t = tree_find(m, id);

	return (t != TASK_NONE ? t : tree_new(m, id, TASK_NONE));
}

/* Next task of a subtree, depth first. */
static uint32_t
task_next(const struct model *m, uint32_t t, uint32_t root)
{
	if (task_at(m, t)->first_child != TASK_NONE)
		return (task_at(m, t)->first_child);
	while (t != root && task_at(m, t)->next_sibling == TASK_NONE)
		t = task_at(m, t)->parent;
	return (t == root ? TASK_NONE : task_at(m, t)->next_sibling);
}

/*
 * A task that was taken for a root gets its parent, because its spawn came
 * late.  A cycle, which only nonsense can make, is refused.
 */
void
tree_adopt(struct model *m, uint32_t task, uint32_t parent)
{
	struct task *t = task_at(m, task), *x;
	uint32_t up, deep = 0, by;

	for (up = parent; up != TASK_NONE; up = task_at(m, up)->parent)
		if (up == task)
			return;
	tree_settle(m);
	by = task_at(m, parent)->level + 1;
	for (up = task; up != TASK_NONE; up = task_next(m, up, task)) {
		x = task_at(m, up);
		PUT(x->level, x->level + by);
		PUT(x->sumlevel, x->sumlevel + (uint64_t)by * x->size);
		if (x->level > deep)
			deep = x->level;
	}
	__atomic_store_n(&t->parent, parent, __ATOMIC_RELEASE);
	hang(m, task, parent);
	tree_count(m, parent, t->size, t->sumlevel, deep);
	tree_settle(m);
	atomic_fetch_add(&m->generation, 1);
}
