/*
 * Hash tables with linear probing.  Those of one key stay in the order in
 * which they came: a new one goes to the end of its cluster, a removal moves
 * back the first that may move, and growing starts behind a free slot.
 */
#include "pending.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 64u

void
pending_clear(struct pending *p)
{
	free(p->young.slot);
	free(p->old.slot);
	memset(p, 0, sizeof(*p));
}

static size_t
home(const struct pending_table *t, uint32_t kind, uint64_t a, uint64_t b)
{
	uint64_t h = (a + kind) * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 29 ^ b) * 0xbf58476d1ce4e5b9u;
	return ((size_t)(h ^ h >> 32) & t->mask);
}

static struct pending_cause *
find(const struct pending_table *t, uint32_t kind, uint64_t a, uint64_t b)
{
	if (t->n == 0)
		return (NULL);
	for (size_t i = home(t, kind, a, b);; i = (i + 1) & t->mask) {
		struct pending_cause *c = &t->slot[i];

		if (c->kind == 0)
			return (NULL);
		if (c->a == a && c->b == b && c->kind == kind)
			return (c);
	}
}

/* There is room. */
static struct pending_cause *
put(struct pending_table *t, const struct pending_cause *c)
{
	size_t i = home(t, c->kind, c->a, c->b);

	while (t->slot[i].kind != 0)
		i = (i + 1) & t->mask;
	t->slot[i] = *c;
	t->n++;
	return (&t->slot[i]);
}

static int
grow(struct pending_table *t)
{
	struct pending_table to = { 0 };
	size_t start = 0;

	to.mask = t->slot == NULL ? SLOTS_MIN - 1 : t->mask * 2 + 1;
	to.slot = calloc(to.mask + 1, sizeof(*to.slot));
	if (to.slot == NULL)
		return (-1);
	while (t->slot != NULL && t->slot[start].kind != 0)
		start++;
	for (size_t i = 0; t->slot != NULL && i <= t->mask; i++) {
		const struct pending_cause *c = &t->slot[(start + i) & t->mask];

		if (c->kind != 0)
			put(&to, c);
	}
	free(t->slot);
	*t = to;
	return (0);
}

struct pending_cause *
pending_find(struct pending *p, uint32_t kind, uint64_t a, uint64_t b)
{
	struct pending_cause *c = find(&p->old, kind, a, b);

	return (c != NULL ? c : find(&p->young, kind, a, b));
}

struct pending_cause *
pending_add(struct pending *p, uint32_t kind, uint64_t a, uint64_t b)
{
	struct pending_cause c = { .a = a, .b = b, .kind = kind };

	if (p->young.n >= PENDING_MAX) {
		free(p->old.slot);
		p->old = p->young;
		memset(&p->young, 0, sizeof(p->young));
	}
	if ((p->young.slot == NULL || p->young.n * 2 > p->young.mask) &&
	    grow(&p->young) == -1)
		return (NULL);
	return (put(&p->young, &c));
}

void
pending_remove(struct pending *p, struct pending_cause *c)
{
	struct pending_table *t = &p->young;
	size_t hole, i;

	if (t->slot == NULL || c < t->slot || c > t->slot + t->mask)
		t = &p->old;
	hole = (size_t)(c - t->slot);
	for (i = (hole + 1) & t->mask; t->slot[i].kind != 0;
	     i = (i + 1) & t->mask) {
		size_t h = home(t, t->slot[i].kind, t->slot[i].a, t->slot[i].b);

		/* it may move back only to between its home and here */
		if (((i - h) & t->mask) < ((i - hole) & t->mask))
			continue;
		t->slot[hole] = t->slot[i];
		hole = i;
	}
	memset(&t->slot[hole], 0, sizeof(t->slot[hole]));
	t->n--;
}

static size_t
table_bytes(const struct pending_table *t)
{
	return (t->slot == NULL ? 0 : (t->mask + 1) * sizeof(*t->slot));
}

size_t
pending_bytes(const struct pending *p)
{
	return (table_bytes(&p->young) + table_bytes(&p->old));
}
