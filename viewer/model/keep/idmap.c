/*
 * The value of a slot is published after its key (value 0 is empty, so what
 * is kept is the number plus one).  At two thirds full the table is copied
 * into one twice as large.
 */
#include "model/keep/idmap.h"

#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/keep/retired.h"

struct idmap_table {
	uint32_t mask;
	uint32_t zero;
	struct idmap_slot {
		uint64_t key;
		_Atomic uint32_t value;
		uint32_t zero;
	} slot[];
};

static int
idmap_grow(struct idmap *m, struct retired *retired, _Atomic uint64_t *bytes)
{
	struct idmap_table *old, *new;
	uint64_t n, size, j;
	uint32_t v;

	old = atomic_load_explicit(&m->table, memory_order_relaxed);
	n = old == NULL ? 16 : ((uint64_t)old->mask + 1) * 2;
	if (n > UINT32_MAX)
		return (-1);
	size = sizeof(*new) + n * sizeof(new->slot[0]);
	new = memory_zero(1, size);
	if (new == NULL)
		return (-1);
	new->mask = (uint32_t)(n - 1);
	for (uint64_t i = 0; old != NULL && i <= old->mask; i++) {
		v = atomic_load_explicit(&old->slot[i].value,
		    memory_order_relaxed);
		if (v == 0)
			continue;
		j = idmap_mix(old->slot[i].key) & new->mask;
		while (atomic_load_explicit(&new->slot[j].value,
			   memory_order_relaxed) != 0)
			j = (j + 1) & new->mask;
		new->slot[j].key = old->slot[i].key;
		atomic_init(&new->slot[j].value, v);
	}
	atomic_store(&m->table, new);
	if (bytes != NULL)
		atomic_fetch_add_explicit(bytes, size / 2,
		    memory_order_relaxed);
	retired_add(retired, old);
	return (0);
}

uint32_t
idmap_find(const struct idmap *m, uint64_t key)
{
	const struct idmap_table *t;
	uint64_t i;
	uint32_t v;

	t = atomic_load(&m->table);
	if (t == NULL)
		return (IDMAP_NONE);
	for (i = idmap_mix(key) & t->mask;; i = (i + 1) & t->mask) {
		v = atomic_load_explicit(&t->slot[i].value,
		    memory_order_acquire);
		if (v == 0)
			return (IDMAP_NONE);
		if (t->slot[i].key == key)
			return (v - 1);
	}
}

int
idmap_add(struct idmap *m, uint64_t key, uint32_t value,
    struct retired *retired, _Atomic uint64_t *bytes)
{
	struct idmap_table *t;
	uint64_t i;

	t = atomic_load_explicit(&m->table, memory_order_relaxed);
	if (t == NULL || (uint64_t)m->n * 3 >= ((uint64_t)t->mask + 1) * 2) {
		if (idmap_grow(m, retired, bytes) == -1)
			return (-1);
		t = atomic_load_explicit(&m->table, memory_order_relaxed);
	}
	i = idmap_mix(key) & t->mask;
	while (
	    atomic_load_explicit(&t->slot[i].value, memory_order_relaxed) != 0)
		i = (i + 1) & t->mask;
	t->slot[i].key = key;
	atomic_store_explicit(&t->slot[i].value, value + 1,
	    memory_order_release);
	m->n++;
	return (0);
}

void
idmap_set(struct idmap *m, uint64_t key, uint32_t value)
{
	struct idmap_table *t = atomic_load(&m->table);
	uint64_t i = idmap_mix(key) & t->mask;

	while (t->slot[i].key != key || atomic_load(&t->slot[i].value) == 0)
		i = (i + 1) & t->mask;
	atomic_store_explicit(&t->slot[i].value, value + 1,
	    memory_order_release);
}

void
idmap_clear(struct idmap *m)
{
	memory_free(atomic_load(&m->table));
	atomic_store(&m->table, NULL);
	m->n = 0;
}

/* What it has grown by is what idmap_grow() has added, time by time. */
void
idmap_renew(struct idmap *m, struct retired *retired, _Atomic uint64_t *bytes)
{
	struct idmap_table *t = atomic_load(&m->table);
	uint64_t grown = 0;

	if (t == NULL)
		return;
	for (uint64_t n = 16; n <= (uint64_t)t->mask + 1; n *= 2)
		grown += (sizeof(*t) + n * sizeof(t->slot[0])) / 2;
	atomic_store(&m->table, NULL);
	m->n = 0;
	retired_add(retired, t);
	if (bytes != NULL)
		atomic_fetch_sub_explicit(bytes, grown, memory_order_relaxed);
}
