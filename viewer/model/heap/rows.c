/*
 * A table of rows, and an index of them by open addressing that is never more
 * than half full.
 */
#include "model/heap/rows_inside.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 1024u /* at first */

void
map_free(struct map *m)
{
	free(m->slot);
	memset(m, 0, sizeof(*m));
}

void
map_empty(struct map *m)
{
	if (m->slot != NULL)
		memset(m->slot, 0, (m->mask + 1) * sizeof(*m->slot));
	m->n = 0;
}

static struct map_slot *
slot_of(const struct map *m, uint64_t a, uint32_t b)
{
	uint64_t i = (a ^ (uint64_t)b << 40) * UINT64_C(0x9e3779b97f4a7c15);

	for (i >>= 32;; i++) {
		struct map_slot *x = &m->slot[i & m->mask];

		if (x->value == 0 || (x->a == a && x->b == b))
			return (x);
	}
}

static int
map_grow(struct map *m)
{
	struct map next = { .mask =
				m->slot == NULL ? SLOTS - 1 : m->mask * 2 + 1 };

	next.n = m->n;
	next.slot = calloc((size_t)next.mask + 1, sizeof(*next.slot));
	if (next.slot == NULL)
		return (-1);
	for (uint32_t i = 0; m->slot != NULL && i <= m->mask; i++)
		if (m->slot[i].value != 0)
			*slot_of(&next, m->slot[i].a, m->slot[i].b) =
			    m->slot[i];
	free(m->slot);
	*m = next;
	return (0);
}

void *
rows_at(struct rows *r, struct map *m, uint64_t a, uint32_t b)
{
	struct map_slot *x;
	void *p;

	if ((m->slot == NULL || m->n * 2 > m->mask) && map_grow(m) == -1)
		return (NULL);
	x = slot_of(m, a, b);
	if (x->value != 0)
		return ((char *)r->p + (size_t)(x->value - 1) * r->bytes);
	if (r->n == r->cap) {
		p = realloc(r->p, (size_t)(r->cap * 2 + 64) * r->bytes);
		if (p == NULL)
			return (NULL);
		r->p = p;
		r->cap = r->cap * 2 + 64;
	}
	*x = (struct map_slot){ a, b, ++r->n };
	m->n++;
	p = (char *)r->p + (size_t)(r->n - 1) * r->bytes;
	return (memset(p, 0, r->bytes));
}
