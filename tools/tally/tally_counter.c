/*
 * Figures of counters: the last value, the least and the greatest, and the
 * mean by how long each value held.
 */
#include <string.h>

#include "tally_inside.h"

static double
number(const struct tally_counter *c, uint64_t bits)
{
	return (c->real ? event_real(bits) : (double)(int64_t)bits);
}

/* Whose it is, as a key: the thread that says it, its process or its node. */
static int64_t
owner_of(struct tally *t, const struct event *e, unsigned measure, bool real)
{
	uint32_t kind = (measure & MEASURE_OF) | (real ? 4u : 0);
	uint32_t id = e->location;
	struct tally_owner *o;
	int64_t po;
	bool fresh;

	if ((measure & MEASURE_OF) == MEASURE_NODE) {
		id = tally_node(t, e->location);
	} else if ((measure & MEASURE_OF) == MEASURE_PROCESS) {
		if ((po = tally_po(t, e->location)) == -1)
			return (-1);
		id = (uint32_t)po;
	}
	o = tally_row(&t->inside->owner, tally_key(kind, id),
	    &t->inside->owners, &t->inside->nowners, sizeof(*o), &fresh);
	return (o == NULL ? -1 : o - t->inside->owners);
}

int
tally_counter(struct tally *t, const struct event *e)
{
	unsigned measure = e->kind == EV_measure ? (unsigned)e->b : 0;
	bool real = e->kind == EV_counter_real, fresh;
	int64_t owner = owner_of(t, e, measure, real);
	struct tally_counter *c;

	if (owner == -1)
		return (-1);
	c = tally_row(&t->inside->counter, tally_key((uint32_t)owner, e->c),
	    &t->counters, &t->ncounters, sizeof(*c), &fresh);
	if (c == NULL)
		return (-1);
	if (fresh) {
		c->name = e->c;
		c->location = e->location;
		c->measure = (uint8_t)measure;
		c->real = real;
		c->first_mon_ns = e->t_mon_ns;
		c->min = c->max = e->a;
	} else {
		c->area +=
		    number(c, c->last) * (double)(e->t_mon_ns - c->last_mon_ns);
	}
	c->values++;
	c->last = e->a;
	c->last_mon_ns = e->t_mon_ns;
	if (number(c, e->a) < number(c, c->min))
		c->min = e->a;
	if (number(c, e->a) > number(c, c->max))
		c->max = e->a;
	return (0);
}

/* With whose it is: that of a node lasts as long as the run. */
static int64_t
end_of(const struct tally *t, const struct tally_counter *c)
{
	unsigned of = c->measure & MEASURE_OF;
	const struct def_thread *d = defs_thread(t->inside->defs, c->location);
	int64_t end = t->last_mon_ns;
	uintptr_t row = 0;

	if (of == MEASURE_THREAD)
		row = (uintptr_t)intmap_find(&t->inside->thread, c->location);
	else if (of == MEASURE_PROCESS && d != NULL)
		row = (uintptr_t)intmap_find(&t->inside->po,
		    tally_key(d->node, d->po));
	if (row != 0 && of == MEASURE_THREAD)
		end = tally_thread_end(t, &t->threads[row - 1]);
	else if (row != 0 && t->pos[row - 1].ended)
		end = t->pos[row - 1].end_mon_ns;
	return (end > c->last_mon_ns ? end : c->last_mon_ns);
}

void
tally_counters_end(struct tally *t)
{
	for (size_t i = 0; i < t->ncounters; i++) {
		struct tally_counter *c = &t->counters[i];
		int64_t end = end_of(t, c);
		double held_ns = (double)(end - c->first_mon_ns);

		c->area += number(c, c->last) * (double)(end - c->last_mon_ns);
		c->mean = held_ns > 0 ? c->area / held_ns : number(c, c->last);
	}
}
