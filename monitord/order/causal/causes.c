/*
 * Two hash tables with linear probing.  Several causes may have one id (bad
 * input, or numbers used again); they stay in the order in which they came,
 * because an entry is put at the end of its cluster, removal moves the first
 * that may move, and growing goes round from an empty place.
 */
#include "causes.h"

#include <stdlib.h>
#include <string.h>

#define CAUSES_MIN 1024u
#define TRACE_MIN  65536u

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
	for (unsigned i = 0; i < CAUSES_TRACES; i++)
		free(c->trace[i].upper);
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

/* Never 0, which is a free place. */
static uint32_t
trace_of(uint64_t id)
{
	return ((uint32_t)(id >> 32) | 1);
}

/* Where it is, or the free place where it would be. */
static uint32_t *
trace_find(const struct cause_trace *t, uint64_t id)
{
	size_t i = id & (t->size - 1);

	while (t->upper[i] != 0 && t->upper[i] != trace_of(id))
		i = (i + 1) & (t->size - 1);
	return (&t->upper[i]);
}

/* With room for n more; a new one takes the oldest's place.  NULL: ENOMEM. */
static struct cause_trace *
trace_for(struct causes *c, size_t n)
{
	struct cause_trace *t =
	    &c->trace[(c->traces + CAUSES_TRACES - 1) % CAUSES_TRACES];
	struct cause_trace fresh = { NULL, TRACE_MIN, 0 };

	if (2 * (t->n + n) <= t->size)
		return (t);
	t = &c->trace[c->traces % CAUSES_TRACES];
	while (fresh.size < 2 * n)
		fresh.size *= 2;
	fresh.upper = calloc(fresh.size, sizeof(*fresh.upper));
	if (fresh.upper == NULL)
		return (NULL);
	free(t->upper);
	*t = fresh;
	c->traces++;
	return (t);
}

static void
causes_forget(struct causes *c, struct cause_trace *t, const struct cause *gone)
{
	c->forgotten_n++;
	if (gone->t_mon_ns > c->forgotten_ns)
		c->forgotten_ns = gone->t_mon_ns;
	if (t == NULL || gone->known == 0) /* it was only waited for */
		return;
	*trace_find(t, gone->id) = trace_of(gone->id);
	t->n++;
}

/*
 * The young generation becomes the old one.  What is waited for is carried
 * over, as is room for it: the table keeps its size.
 */
static int
causes_turn(struct causes *c)
{
	struct cause_table fresh = { NULL, c->young.size, 0 };
	struct cause_trace *trace = NULL;

	if (c->traced && c->old.n > 0 &&
	    (trace = trace_for(c, c->old.n)) == NULL)
		return (-1);
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
			causes_forget(c, trace, e);
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

int
causes_begin(struct causes *c)
{
	return (c->young.size > 0 ? 0 : table_grow(&c->young));
}

/* Half of the places are left free while there is memory, or else an eighth. */
static bool
has_place(struct cause_table *t)
{
	return (t->n * 2 < t->size || table_grow(t) == 0 ||
		t->n < t->size - t->size / 8);
}

struct cause *
causes_add(struct causes *c, uint64_t id)
{
	struct cause *e;

	if ((c->young.n >= c->max && causes_turn(c) == -1) ||
	    !has_place(&c->young))
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
	for (unsigned i = 0; i < CAUSES_TRACES; i++)
		if (c->trace[i].upper != NULL && *trace_find(&c->trace[i], id))
			return (true);
	return (false);
}

size_t
causes_bytes(const struct causes *c)
{
	size_t n = (c->young.size + c->old.size) * sizeof(struct cause);

	for (unsigned i = 0; i < CAUSES_TRACES; i++)
		n += c->trace[i].size * sizeof(*c->trace[i].upper);
	return (n);
}

size_t
causes_count(const struct causes *c)
{
	return (c->young.n + c->old.n);
}
