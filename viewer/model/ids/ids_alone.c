/*
 * Ids that stand alone, by a table of hashes: open addressing.  Beside each
 * slot is a byte of the id's hash, so that the many that are passed by need
 * not be looked up.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/ids/ids_inside.h"
#include "model/keep/memory.h"

/* How many slots ahead memory is asked for. */
#define AHEAD_SLOT 30

struct id_table {
	uint32_t mask;
	_Atomic uint8_t *tag;    /* 0: free; told after the slot */
	_Atomic uint32_t slot[]; /* number of the id */
};

static uint8_t
tag_of(uint64_t hash)
{
	return ((uint8_t)(hash >> 56 != 0 ? hash >> 56 : 1));
}

static const uint64_t *
id_at(const struct model *m, uint32_t n)
{
	return (chunk_known(&ids_of(m)->alone, n));
}

static _Atomic uint32_t *
task_of(const struct model *m, uint32_t n)
{
	return (chunk_known(&ids_of(m)->alone_task, n));
}

uint32_t
alone_find(const struct model *m, uint64_t id)
{
	const struct id_table *map = atomic_load(&ids_of(m)->id_table);
	uint64_t hash = idmap_mix(id);
	uint32_t i, n;
	uint8_t tag;

	if (map == NULL)
		return (ID_NONE);
	for (i = (uint32_t)hash & map->mask;; i = (i + 1) & map->mask) {
		tag = atomic_load_explicit(&map->tag[i], memory_order_acquire);
		if (tag == 0)
			return (ID_NONE);
		if (tag != tag_of(hash))
			continue;
		n = atomic_load_explicit(&map->slot[i], memory_order_relaxed);
		if (*id_at(m, n) == id)
			return (atomic_load_explicit(task_of(m, n),
			    memory_order_acquire));
	}
}

static void
map_put(struct id_table *map, uint64_t id, uint32_t n)
{
	uint64_t hash = idmap_mix(id);
	uint32_t i = (uint32_t)hash & map->mask;

	while (atomic_load_explicit(&map->tag[i], memory_order_relaxed) != 0)
		i = (i + 1) & map->mask;
	atomic_store_explicit(&map->slot[i], n, memory_order_relaxed);
	atomic_store_explicit(&map->tag[i], tag_of(hash), memory_order_release);
}

static void
map_ahead(const struct id_table *map, uint64_t id)
{
	uint32_t i = (uint32_t)idmap_mix(id) & map->mask;

	__builtin_prefetch(&map->tag[i]);
	__builtin_prefetch(&map->slot[i]);
}

static int
map_reserve(struct model *m)
{
	struct id_table *old = atomic_load(&ids_of(m)->id_table), *new;
	uint32_t n = ids_of(m)->nalone, size;
	size_t each = sizeof(new->slot[0]) + sizeof(new->tag[0]);

	if (old != NULL && (uint64_t)n * 3 < ((uint64_t)old->mask + 1) * 2)
		return (0);
	size = old == NULL ? 1024 : (old->mask + 1) * 2;
	new = size == 0 ? NULL : memory_zero(1, sizeof(*new) + size * each);
	if (new == NULL)
		return (-1);
	new->mask = size - 1;
	new->tag = (_Atomic uint8_t *)(new->slot + size);
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD_SLOT < n)
			map_ahead(new, *id_at(m, i + AHEAD_SLOT));
		map_put(new, *id_at(m, i), i);
	}
	atomic_store(&ids_of(m)->id_table, new);
	atomic_fetch_add(&held_of(m)->bytes,
	    size * each / (old == NULL ? 1 : 2));
	retired_add(&held_of(m)->retired, old);
	return (0);
}

int
alone_reserve(struct model *m, uint64_t id)
{
	uint64_t *alone = chunk_make(&ids_of(m)->alone, ids_of(m)->nalone,
	    &held_of(m)->bytes);
	uint32_t *task = chunk_make(&ids_of(m)->alone_task, ids_of(m)->nalone,
	    &held_of(m)->bytes);

	if (alone == NULL || task == NULL || map_reserve(m) == -1) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	*alone = id;
	*task = ID_NONE;
	ids_of(m)->nalone++;
	return (0);
}

void
alone_put(struct model *m, uint32_t n, uint32_t task)
{
	atomic_store_explicit(task_of(m, n), task, memory_order_release);
	map_put(atomic_load(&ids_of(m)->id_table), *id_at(m, n), n);
}

void
alone_gone(struct model *m, uint32_t n)
{
	atomic_store_explicit(task_of(m, n), ID_GONE, memory_order_release);
}

void
alone_ahead(const struct model *m, uint64_t id)
{
	const struct id_table *map =
	    atomic_load_explicit(&ids_of(m)->id_table, memory_order_relaxed);

	if (map != NULL)
		map_ahead(map, id);
}

uint32_t
alone_guess(const struct model *m, uint64_t id)
{
	const struct id_table *map =
	    atomic_load_explicit(&ids_of(m)->id_table, memory_order_relaxed);
	uint64_t hash = idmap_mix(id);
	uint32_t i;

	if (map == NULL)
		return (ID_NONE);
	i = (uint32_t)hash & map->mask;
	for (int k = 0; k < 8; k++, i = (i + 1) & map->mask) {
		if (atomic_load_explicit(&map->tag[i], memory_order_relaxed) !=
		    tag_of(hash))
			continue;
		i = atomic_load_explicit(&map->slot[i], memory_order_relaxed);
		i = atomic_load_explicit(task_of(m, i), memory_order_relaxed);
		return (i == ID_GONE ? ID_NONE : i);
	}
	return (ID_NONE);
}

void
alone_clear(struct model *m)
{
	memory_free(atomic_load(&ids_of(m)->id_table));
	chunk_clear(&ids_of(m)->alone);
	chunk_clear(&ids_of(m)->alone_task);
}
