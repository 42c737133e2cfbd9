/*
 * Two hash tables with linear probing.  Several causes may have one id (bad
 * input, or numbers used again); they stay in the order in which they came,
 * because an entry is put at the end of its cluster, removal moves the first
 * that may move, and growing goes round from an empty place.
 */
#include "causes.h"

#include <stdlib.h>
#include <string.h>

#define CAUSES_MIN  1024u
#define BLOOM_BITS  ((uint64_t)1 << 23)
#define BLOOM_BYTES (BLOOM_BITS / 8)

void
causes_init(struct causes *c, size_t max)
{
	memset(c, 0, sizeof(*c));
	c->max = max / 2 > 16 ? max / 2 : 16;
	c->forgotten_ns = INT64_MIN;
}

void
causes_clear(struct causes *c)
{
	free(c->young.slot);
	free(c->old.slot);
	free(c->forgotten);
	memset(c, 0, sizeof(*c));
}

static uint64_t
causes_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return (x);
}

uint64_t
causes_id(const struct event_desc *d, const struct event *ev)
{
	uint64_t kind = d->role == ROLE_CAUSE ? d->kind : d->partner;
	uint64_t last = d->key == KEY_A ? ev->a : ev->b;
	uint64_t first = d->key == KEY_AB ? ev->a : 0;
	uint64_t id;

	if (last == 0)
		return (0);
	id = causes_mix(last + kind * 0x9e3779b97f4a7c15u);
	if (d->key == KEY_AB)
		id = causes_mix(id ^ (first + 0x2545f4914f6cdd1du));
	return (id != 0 ? id : 1);
}

static struct cause *
table_find(const struct cause_table *t, uint64_t id)
{
	if (t->n == 0)
		return (NULL);
	for (size_t i = id & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
		if (t->slot[i].id == id)
			return (&t->slot[i]);
		if (t->slot[i].id == 0)
			return (NULL);
	}
}

/* There must be room. */
static struct cause *
table_put(struct cause_table *t, uint64_t id)
{
	size_t i = id & (t->size - 1);

	while (t->slot[i].id != 0)
		i = (i + 1) & (t->size - 1);
	t->n++;
	t->slot[i].id = id;
	return (&t->slot[i]);
}

static void
table_remove(struct cause_table *t, size_t hole)
{
	size_t mask = t->size - 1;

	t->n--;
	for (size_t i = (hole + 1) & mask; t->slot[i].id != 0;
	     i = (i + 1) & mask) {
		size_t home = t->slot[i].id & mask;

		if (((i - home) & mask) < ((i - hole) & mask))
			continue; /* would come before its home */
		t->slot[hole] = t->slot[i];
		hole = i;
	}
	t->slot[hole].id = 0;
}

/* Calls put for every entry, in order within each id. */
static int
table_grow(struct cause_table *t)
{
	struct cause_table to = { NULL, t->size * 2, 0 };
	size_t start = 0;

	if (to.size < CAUSES_MIN)
		to.size = CAUSES_MIN;
	to.slot = calloc(to.size, sizeof(*to.slot));
	if (to.slot == NULL)
		return (-1);
	while (start < t->size && t->slot[start].id != 0)
		start++;
	for (size_t n = 0; n < t->size; n++) {
		const struct cause *from =
		    &t->slot[(start + n) & (t->size - 1)];

		if (from->id != 0)
			*table_put(&to, from->id) = *from;
	}
	free(t->slot);
	*t = to;
	return (0);
}

static void
causes_forget(struct causes *c, const struct cause *gone)
{
	c->forgotten_n++;
	if (gone->t_mon_ns > c->forgotten_ns)
		c->forgotten_ns = gone->t_mon_ns;
	if (c->forgotten == NULL)
		return;
	for (unsigned k = 0; k < 3; k++) {
		uint64_t bit = gone->id >> (k * 20) & (BLOOM_BITS - 1);

		c->forgotten[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

/*
 * The young generation becomes the old one.  What is waited for is carried
 * over, as is room for it: the table keeps its size.
 */
static int
causes_turn(struct causes *c)
{
	struct cause_table fresh = { NULL, c->young.size, 0 };

	if (c->forgotten == NULL && c->old.n > 0) {
		c->forgotten = calloc(1, BLOOM_BYTES);
		if (c->forgotten == NULL)
			return (-1);
	}
	fresh.slot = calloc(fresh.size, sizeof(*fresh.slot));
	if (fresh.slot == NULL)
		return (-1);
	for (size_t i = 0; i < c->old.size; i++) {
		const struct cause *e = &c->old.slot[i];

		if (e->id == 0)
			continue;
		if (e->waiter != CAUSE_LANE_NONE && fresh.n < fresh.size / 2)
			*table_put(&fresh, e->id) = *e;
		else
			causes_forget(c, e);
	}
	free(c->old.slot);
	c->old = c->young;
	c->young = fresh;
	return (0);
}

struct cause *
causes_find(struct causes *c, uint64_t id)
{
	struct cause *e = table_find(&c->old, id);

	return (e != NULL ? e : table_find(&c->young, id));
}

struct cause *
causes_add(struct causes *c, uint64_t id)
{
	struct cause *e;

	if (c->young.n >= c->max && causes_turn(c) == -1)
		return (NULL);
	if (c->young.n * 2 >= c->young.size && table_grow(&c->young) == -1)
		return (NULL);
	e = table_put(&c->young, id);
	e->t_mon_ns = INT64_MIN;
	e->shift_ns = 0;
	e->node = CAUSE_NODE_NONE;
	e->known = 0;
	e->waiter = CAUSE_LANE_NONE;
	return (e);
}

void
causes_remove(struct causes *c, struct cause *e)
{
	struct cause_table *t = &c->young;

	if (e < t->slot || e >= t->slot + t->size)
		t = &c->old;
	table_remove(t, (size_t)(e - t->slot));
}

bool
causes_forgotten(const struct causes *c, uint64_t id)
{
	if (c->forgotten == NULL)
		return (false);
	for (unsigned k = 0; k < 3; k++) {
		uint64_t bit = id >> (k * 20) & (BLOOM_BITS - 1);

		if ((c->forgotten[bit / 64] >> bit % 64 & 1) == 0)
			return (false);
	}
	return (true);
}

size_t
causes_bytes(const struct causes *c)
{
	return ((c->young.size + c->old.size) * sizeof(struct cause) +
		(c->forgotten != NULL ? BLOOM_BYTES : 0));
}

size_t
causes_count(const struct causes *c)
{
	return (c->young.n + c->old.n);
}
