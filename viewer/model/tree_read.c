/* What readers are told of the task tree. */
#include "model/tree_inside.h"

uint32_t
model_tasks(const struct model *m)
{
	return (atomic_load_explicit(&m->ntasks, memory_order_acquire));
}

const struct task *
model_task(const struct model *m, uint32_t task)
{
	return (task_at(m, task));
}

void
model_task_get(const struct model *m, uint32_t task, struct task *out)
{
	const struct task *t = task_at(m, task);

	out->id = t->id;
	out->parent = __atomic_load_n(&t->parent, __ATOMIC_ACQUIRE);
	out->first_child = __atomic_load_n(&t->first_child, __ATOMIC_ACQUIRE);
	out->next_sibling = __atomic_load_n(&t->next_sibling, __ATOMIC_ACQUIRE);
	out->last_child = SEE(t->last_child);
	out->level = SEE(t->level);
	out->size = SEE(t->size);
	out->sumlevel = SEE(t->sumlevel);
	out->name = SEE(t->name);
	out->location = SEE(t->location);
	out->pe = SEE(t->pe);
	out->flags = SEE(t->flags);
	out->suspensions = SEE(t->suspensions);
	out->spawn_mon_ns = SEE(t->spawn_mon_ns);
	out->begin_mon_ns = SEE(t->begin_mon_ns);
	out->end_mon_ns = SEE(t->end_mon_ns);
	out->suspended_ns = SEE(t->suspended_ns);
	out->busy_ns = SEE(t->busy_ns);
}

uint32_t
model_task_roots(const struct model *m, uint32_t *out, uint32_t max)
{
	uint32_t n = 0, task, all;
	const struct task_root *r;

	all = atomic_load_explicit(&m->nroots, memory_order_acquire);
	for (uint32_t i = 0; i < all; i++) {
		r = chunk_known(&m->roots, i);
		task = atomic_load_explicit(&r->task, memory_order_relaxed);
		if (__atomic_load_n(&task_at(m, task)->parent,
			__ATOMIC_ACQUIRE) != TASK_NONE)
			continue; /* has found its parent */
		if (n < max)
			out[n] = task;
		n++;
	}
	return (n);
}

uint32_t
model_task_levels(const struct model *m, uint32_t root)
{
	const struct task_root *r;
	uint32_t i, levels = 0;
	struct retired *ret = (struct retired *)&m->retired;
	unsigned door;

	door = retired_enter(ret);
	i = idmap_find(&m->root_map, root);
	if (i != IDMAP_NONE) {
		r = chunk_known(&m->roots, i);
		levels = atomic_load_explicit(&r->levels, memory_order_relaxed);
	}
	retired_leave(ret, door);
	return (levels);
}

uint32_t
model_pes(const struct model *m)
{
	return (atomic_load_explicit(&m->npes, memory_order_relaxed));
}

uint64_t
model_tree_version(const struct model *m)
{
	return (atomic_load_explicit(&m->tree_version, memory_order_acquire));
}

uint32_t
model_tree_generation(const struct model *m)
{
	return (atomic_load(&m->generation));
}
