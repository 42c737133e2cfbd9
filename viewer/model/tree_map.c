/*
 * Task numbers by id: open addressing.  Beside each slot is a byte of the id's
 * hash, so that the many that are passed by need not be looked up.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/tree_inside.h"

/* How many slots ahead memory is asked for. */
#define AHEAD_SLOT 30

struct task_map {
	uint32_t mask;
	_Atomic uint8_t *tag;    /* 0: free; told after the slot */
	_Atomic uint32_t slot[]; /* task number */
};

static uint8_t
tag_of(uint64_t hash)
{
	return ((uint8_t)(hash >> 56 != 0 ? hash >> 56 : 1));
}

uint32_t
tree_find(const struct model *m, uint64_t id)
{
	const struct task_map *map = atomic_load(&m->task_map);
	uint64_t hash = idmap_mix(id);
	uint32_t i, v;
	uint8_t tag;

	if (map == NULL)
		return (TASK_NONE);
	for (i = (uint32_t)hash & map->mask;; i = (i + 1) & map->mask) {
		tag = atomic_load_explicit(&map->tag[i], memory_order_acquire);
		if (tag == 0)
			return (TASK_NONE);
		if (tag != tag_of(hash))
			continue;
		v = atomic_load_explicit(&map->slot[i], memory_order_relaxed);
		if (task_at(m, v)->id == id)
			return (v);
	}
}

uint32_t
model_task_by_id(const struct model *m, uint64_t id)
{
	struct retired *r = (struct retired *)&m->retired;
	uint32_t found;
	unsigned door;

	door = retired_enter(r);
	found = tree_find(m, id);
	retired_leave(r, door);
	return (found);
}

void
tree_map_put(struct model *m, struct task_map *map, uint32_t task)
{
	uint64_t hash = idmap_mix(task_at(m, task)->id);
	uint32_t i = (uint32_t)hash & map->mask;

	while (atomic_load_explicit(&map->tag[i], memory_order_relaxed) != 0)
		i = (i + 1) & map->mask;
	atomic_store_explicit(&map->slot[i], task, memory_order_relaxed);
	atomic_store_explicit(&map->tag[i], tag_of(hash), memory_order_release);
}

/* Asks for the first of an id's slots. */
void
tree_map_ahead(const struct task_map *map, uint64_t id)
{
	uint32_t i = (uint32_t)idmap_mix(id) & map->mask;

	__builtin_prefetch(&map->tag[i]);
	__builtin_prefetch(&map->slot[i]);
}

int
tree_map_reserve(struct model *m)
{
	struct task_map *old = atomic_load(&m->task_map), *new;
	uint32_t n = m->ntasks, size;
	size_t each = sizeof(new->slot[0]) + sizeof(new->tag[0]);

	if (old != NULL && (uint64_t)n * 3 < ((uint64_t)old->mask + 1) * 2)
		return (0);
	size = old == NULL ? 1024 : (old->mask + 1) * 2;
	new = size == 0 ? NULL : calloc(1, sizeof(*new) + size * each);
	if (new == NULL)
		return (-1);
	new->mask = size - 1;
	new->tag = (_Atomic uint8_t *)(new->slot + size);
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD_SLOT < n)
			tree_map_ahead(new, task_at(m, i + AHEAD_SLOT)->id);
		tree_map_put(m, new, i);
	}
	atomic_store(&m->task_map, new);
	atomic_fetch_add(&m->bytes, size * each / 2);
	retired_add(&m->retired, old);
	return (0);
}

/* Most likely the task of this id; TASK_NONE: not that simple. */
uint32_t
tree_map_guess(const struct model *m, uint64_t id)
{
	const struct task_map *map =
	    atomic_load_explicit(&m->task_map, memory_order_relaxed);
	uint64_t hash = idmap_mix(id);
	uint32_t i;

	if (map == NULL)
		return (TASK_NONE);
	i = (uint32_t)hash & map->mask;
	for (int k = 0; k < 8; k++, i = (i + 1) & map->mask)
		if (atomic_load_explicit(&map->tag[i], memory_order_relaxed) ==
		    tag_of(hash))
			return (atomic_load_explicit(&map->slot[i],
			    memory_order_relaxed));
	return (TASK_NONE);
}
