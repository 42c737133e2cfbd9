/*
 * A map from numbers to pointers: open addressing, no removal.  For numbers
 * that come from outside and may be anything, so that nothing is ever
 * allocated by their size.  All zero is empty.
 */
#ifndef PROTO_INTMAP_H
#define PROTO_INTMAP_H

#include <stdint.h>
#include <stdlib.h>

struct intmap {
	struct intmap_slot {
		uint64_t key;
		void *p; /* NULL: free */
	} * slot;
	size_t n, mask; /* mask + 1 slots, or none */
};

static inline struct intmap_slot *
intmap_slot(const struct intmap *m, uint64_t key)
{
	uint64_t i = key * 0x9e3779b97f4a7c15u >> 32;

	for (;; i++) {
		struct intmap_slot *s = &m->slot[i & m->mask];

		if (s->p == NULL || s->key == key)
			return (s);
	}
}

/* NULL when it is not there. */
static inline void *
intmap_find(const struct intmap *m, uint64_t key)
{
	return (m->slot == NULL ? NULL : intmap_slot(m, key)->p);
}

/* Room for one more; -1 with ENOMEM. */
static inline int
intmap_reserve(struct intmap *m)
{
	struct intmap bigger = { .n = m->n };

	if (m->slot != NULL && m->n * 2 <= m->mask)
		return (0);
	bigger.mask = m->slot == NULL ? 63 : m->mask * 2 + 1;
	bigger.slot = calloc(bigger.mask + 1, sizeof(*bigger.slot));
	if (bigger.slot == NULL)
		return (-1);
	for (size_t i = 0; m->slot != NULL && i <= m->mask; i++) {
		if (m->slot[i].p != NULL)
			*intmap_slot(&bigger, m->slot[i].key) = m->slot[i];
	}
	free(m->slot);
	*m = bigger;
	return (0);
}

/* After intmap_reserve; p is not NULL.  Replaces what is there. */
static inline void
intmap_put(struct intmap *m, uint64_t key, void *p)
{
	struct intmap_slot *s = intmap_slot(m, key);

	m->n += s->p == NULL;
	s->key = key;
	s->p = p;
}

/* Frees the map, not what is in it. */
static inline void
intmap_free(struct intmap *m)
{
	free(m->slot);
	*m = (struct intmap){ 0 };
}

#endif
