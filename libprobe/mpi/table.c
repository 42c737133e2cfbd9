/*
 * Numbers by number: open addressing, at most half full, what is dropped is
 * filled from behind.  And the lock of what this library remembers.
 */
#include <sched.h>
#include <stdlib.h>

#include "libprobe/mpi/inside.h"

#define ROOM_FIRST 64

void
table_hold(uint32_t *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
		sched_yield();
}

void
table_let_go(uint32_t *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* splitmix64 */
uint64_t
table_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (x ^ (x >> 31));
}

/* The key's entry, or the free one where it belongs.  room is not 0. */
static struct entry *
look(const struct table *t, uint64_t key)
{
	uint64_t i = table_mix(key) & (t->room - 1);

	while (t->entries[i].key != 0 && t->entries[i].key != key)
		i = (i + 1) & (t->room - 1);
	return (&t->entries[i]);
}

static bool
grow(struct table *t)
{
	struct table new = { .room = t->room == 0 ? ROOM_FIRST : t->room * 2,
		.n = t->n };

	new.entries = calloc(new.room, sizeof(*new.entries));
	if (new.entries == NULL)
		return (false);
	for (uint64_t i = 0; i < t->room; i++)
		if (t->entries[i].key != 0)
			*look(&new, t->entries[i].key) = t->entries[i];
	free(t->entries);
	*t = new;
	return (true);
}

uint64_t *
table_find(const struct table *t, uint64_t key)
{
	struct entry *e;

	if (t->room == 0)
		return (NULL);
	e = look(t, key);
	return (e->key == 0 ? NULL : &e->value);
}

uint64_t *
table_at(struct table *t, uint64_t key)
{
	struct entry *e;

	if (2 * t->n >= t->room && !grow(t))
		return (NULL);
	e = look(t, key);
	if (e->key == 0) {
		*e = (struct entry){ .key = key };
		t->n++;
	}
	return (&e->value);
}

void
table_drop(struct table *t, uint64_t key)
{
	struct entry *e = t->room == 0 ? NULL : look(t, key);
	uint64_t hole, i;

	if (e == NULL || e->key == 0)
		return;
	hole = i = (uint64_t)(e - t->entries);
	for (;;) {
		uint64_t home;

		i = (i + 1) & (t->room - 1);
		if (t->entries[i].key == 0)
			break;
		home = table_mix(t->entries[i].key) & (t->room - 1);
		/* is the hole between its home and where it is? */
		if (((i - home) & (t->room - 1)) >=
		    ((i - hole) & (t->room - 1))) {
			t->entries[hole] = t->entries[i];
			hole = i;
		}
	}
	t->entries[hole].key = 0;
	t->n--;
}
