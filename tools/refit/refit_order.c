/*
 * The controlled logical clock in one pass over a log.
 *
 * A thread's events never fall behind each other; an effect comes after its
 * cause; the shift that this makes decays (lanetime.h).  Causes are kept in a
 * hash by what pairs them with their effects.  It is bounded: when it is full
 * the older half of the time it spans is forgotten.
 */
#include "refit_order.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock/lanetime.h"

#define CAUSES_MAX ((size_t)1 << 22)
#define L_MIN_NS   500 /* an effect on another node comes so much later */
#define NODE_NONE  UINT32_MAX

struct cause {
	uint64_t id;                             /* 0: free */
	int64_t corrected_ns, mapped_ns, was_ns; /* of the latest */
	uint32_t node, count;
};

struct refit_order {
	struct cause *slot;
	size_t size, n; /* a power of two, or 0 */
	struct lanetime *lanes;
	size_t nlanes;
};

struct refit_order *
refit_order_new(void)
{
	return (calloc(1, sizeof(struct refit_order)));
}

void
refit_order_free(struct refit_order *o)
{
	if (o == NULL)
		return;
	free(o->slot);
	free(o->lanes);
	free(o);
}

/* --- causes --- */

static uint64_t
mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31);
}

/* What pairs causes and effects; 0: nothing. */
static uint64_t
id_of(const struct event_desc *d, const struct event *e)
{
	uint64_t kind = d->role == ROLE_CAUSE ? d->kind : d->partner;
	uint64_t last = d->key == KEY_A ? e->a : e->b, id;

	if (last == 0)
		return (0);
	id = mix(last + kind * 0x9e3779b97f4a7c15u);
	if (d->key == KEY_AB)
		id = mix(id ^ (e->a + 0x2545f4914f6cdd1du));
	return (id != 0 ? id : 1);
}

/* Its place, or the free one where it would be. */
static struct cause *
slot_of(struct refit_order *o, uint64_t id)
{
	size_t i = id & (o->size - 1);

	while (o->slot[i].id != 0 && o->slot[i].id != id)
		i = (i + 1) & (o->size - 1);
	return (&o->slot[i]);
}

/* Moves what is younger than `after` into a table of this size. */
static int
rebuild(struct refit_order *o, size_t size, int64_t after)
{
	struct cause *old = o->slot, *slot;
	size_t n = o->size;

	slot = calloc(size + 1, sizeof(*slot)); /* one never used */
	if (slot == NULL)
		return (-1);
	o->slot = slot;
	o->size = size;
	o->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (old[i].id == 0 || old[i].corrected_ns < after)
			continue;
		*slot_of(o, old[i].id) = old[i];
		o->n++;
	}
	free(old);
	return (0);
}

static int
make_room(struct refit_order *o)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	if (o->n * 2 < o->size)
		return (0);
	if (o->n < CAUSES_MAX)
		return (
		    rebuild(o, o->size == 0 ? 1024 : o->size * 2, INT64_MIN));
	for (size_t i = 0; i < o->size; i++) {
		if (o->slot[i].id == 0)
			continue;
		if (o->slot[i].corrected_ns < first)
			first = o->slot[i].corrected_ns;
		if (o->slot[i].corrected_ns > last)
			last = o->slot[i].corrected_ns;
	}
	return (rebuild(o, o->size, first / 2 + last / 2));
}

static void
forget(struct refit_order *o, struct cause *c)
{
	size_t mask = o->size - 1, hole = (size_t)(c - o->slot);

	o->n--;
	for (size_t i = (hole + 1) & mask; o->slot[i].id != 0;
	     i = (i + 1) & mask) {
		size_t home = o->slot[i].id & mask;

		if (((i - home) & mask) < ((i - hole) & mask))
			continue; /* would come before its home */
		o->slot[hole] = o->slot[i];
		hole = i;
	}
	o->slot[hole].id = 0;
}

static int
take_cause(struct refit_order *o, const struct event_desc *d, uint64_t id,
    const struct cause *now)
{
	struct cause *c;

	if (make_room(o) == -1)
		return (-1);
	c = slot_of(o, id);
	if (c->id == 0) {
		*c = *now;
		c->id = id;
		c->count = 1;
		o->n++;
		return (0);
	}
	c->count++;
	if (d->match == MATCH_many)
		return (0); /* the first one counts */
	if (c->node != now->node)
		c->node = NODE_NONE;
	if (c->corrected_ns < now->corrected_ns) {
		c->corrected_ns = now->corrected_ns;
		c->mapped_ns = now->mapped_ns;
		c->was_ns = now->was_ns;
	}
	return (0);
}

static void
take_effect(struct refit_order *o, const struct event_desc *d, uint64_t id,
    uint32_t node, int64_t *corrected_ns, struct refit_met *met)
{
	struct cause *c = o->size == 0 ? NULL : slot_of(o, id);
	int64_t after;

	if (c == NULL || c->id == 0)
		return;
	after = c->corrected_ns + (c->node == node ? 1 : L_MIN_NS);
	if (*corrected_ns < after)
		*corrected_ns = after;
	/* of several with one key nobody knows which it was */
	if (c->node != NODE_NONE && c->node != node &&
	    (d->match != MATCH_one || c->count == 1))
		*met = (struct refit_met){ true, c->node, c->mapped_ns,
			c->was_ns };
	if (d->match == MATCH_one && --c->count == 0)
		forget(o, c);
}

/* --- threads --- */

static struct lanetime *
lane_of(struct refit_order *o, uint32_t location)
{
	size_t n = o->nlanes == 0 ? 64 : o->nlanes;
	struct lanetime *p;

	if (location < o->nlanes)
		return (&o->lanes[location]);
	while (n <= location)
		n *= 2;
	p = reallocarray(o->lanes, n, sizeof(*p));
	if (p == NULL)
		return (NULL);
	for (size_t i = o->nlanes; i < n; i++)
		p[i] = (struct lanetime){ .corr_ns = INT64_MIN };
	o->lanes = p;
	o->nlanes = n;
	return (&p[location]);
}

int
refit_order_next(struct refit_order *o, const struct event *e,
    const struct event_desc *d, uint32_t node, int64_t mapped_ns,
    int64_t was_ns, int64_t *corrected_ns, struct refit_met *met)
{
	struct lanetime *l = lane_of(o, e->location);
	int64_t low, corrected;
	uint64_t id;

	met->met = false;
	if (l == NULL)
		return (-1);
	corrected = low = lanetime_low(l, mapped_ns);
	id = d == NULL || d->role == ROLE_NONE ? 0 : id_of(d, e);
	if (id != 0 && d->role == ROLE_EFFECT)
		take_effect(o, d, id, node, &corrected, met);
	lanetime_commit(l, mapped_ns, low, corrected);
	*corrected_ns = corrected;
	if (id == 0 || d->role != ROLE_CAUSE)
		return (0);
	return (take_cause(o, d, id,
	    &(struct cause){ .corrected_ns = corrected,
		.mapped_ns = mapped_ns,
		.was_ns = was_ns,
		.node = node }));
}
