/* Rows of locksums.c, and how they are found. */
#include <stdlib.h>
#include <string.h>

#include "model/asked/locksums_inside.h"
#include "model/run/take.h"

static uint32_t
hash(const struct lock_sum *s)
{
	return ((uint32_t)idmap_mix(
	    (((uint64_t)s->lane << 32 | s->name) ^ s->id) * 31 + s->sort));
}

static int
grow(struct lock_rows *k)
{
	size_t cap = k->cap == 0 ? 64 : k->cap * 2;
	struct lock_sum *v = realloc(k->sum, cap * sizeof(*v));
	uint32_t *slot = v == NULL ? NULL : calloc(cap * 2, sizeof(*slot)), i;

	if (v != NULL)
		k->sum = v;
	if (slot == NULL)
		return (-1);
	free(k->slot);
	k->slot = slot;
	k->mask = (uint32_t)cap * 2 - 1;
	k->cap = cap;
	for (size_t j = 0; j < k->n; j++) {
		for (i = hash(&v[j]); slot[i & k->mask] != 0; i++)
			continue;
		slot[i & k->mask] = (uint32_t)j + 1;
	}
	return (0);
}

struct lock_sum *
lock_rows_find(const struct lock_rows *k, const struct lock_sum *key)
{
	struct lock_sum *s;

	if (k->n == 0)
		return (NULL);
	for (uint32_t i = hash(key); k->slot[i & k->mask] != 0; i++) {
		s = &k->sum[k->slot[i & k->mask] - 1];
		if (s->sort == key->sort && s->lane == key->lane &&
		    s->name == key->name && s->id == key->id)
			return (s);
	}
	return (NULL);
}

struct lock_sum
lock_rows_key(unsigned sort, uint32_t lane, uint32_t name)
{
	return ((struct lock_sum){ .sort = (uint8_t)sort,
	    .lane = lane,
	    .name = name,
	    .holder = UINT32_MAX,
	    .first_mon_ns = INT64_MAX,
	    .last_mon_ns = INT64_MIN });
}

struct lock_sum *
lock_rows_of(struct lock_rows *k, const struct lock_sum *key)
{
	struct lock_sum *s = lock_rows_find(k, key);
	uint32_t i;

	if (s != NULL)
		return (s);
	if (k->n == k->cap && grow(k) == -1) {
		k->failed = true;
		return (NULL);
	}
	s = &k->sum[k->n++];
	*s = *key;
	for (i = hash(s); k->slot[i & k->mask] != 0; i++)
		continue;
	k->slot[i & k->mask] = (uint32_t)k->n;
	return (s);
}

void
lock_rows_empty(struct lock_rows *k)
{
	k->n = 0;
	k->failed = false;
	if (k->slot != NULL)
		memset(k->slot, 0, (k->mask + 1u) * sizeof(*k->slot));
}

void
lock_rows_free(struct lock_rows *k)
{
	free(k->sum);
	free(k->slot);
}
