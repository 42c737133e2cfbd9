/*
 * What a collector calls things, and what the run calls them.
 *
 * A collector numbers its streams and POs, and a PO its names; the run has
 * numbers of its own (registry.c).  Streams and POs are found by a hash.  Names
 * count from 1 in each PO, so that a table has them; what is out of turn is
 * found by its hash.
 */
#include "node_map.h"

#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "log.h"
#include "run.h"

#define MAP_MAX   (16u << 20)
#define NAMES_MIN 64
#define ODD_NAMES (1u << 20)

static int
map_grow(struct node_map *m)
{
	struct node_map bigger = { .cap = m->cap == 0 ? 64 : m->cap * 2 };
	size_t at;

	bigger.slots = malloc(bigger.cap * sizeof(*bigger.slots));
	if (bigger.slots == NULL)
		return (-1);
	memset(bigger.slots, 0xff, bigger.cap * sizeof(*bigger.slots));
	for (size_t i = 0; i < m->cap; i++) {
		if (m->slots[i].to == REGISTRY_NONE)
			continue;
		at = node_map_slot(&bigger, m->slots[i].key);
		bigger.slots[at] = m->slots[i];
	}
	bigger.n = m->n;
	free(m->slots);
	*m = bigger;
	return (0);
}

/* -1: out of memory, or of patience with this node. */
static int
map_put(struct node_map *m, uint64_t key, uint32_t to)
{
	size_t at;

	if (m->n * 2 >= m->cap && (m->n >= MAP_MAX || map_grow(m) == -1))
		return (-1);
	at = node_map_slot(m, key);
	m->n += m->slots[at].to == REGISTRY_NONE;
	m->slots[at].key = key;
	m->slots[at].to = to;
	return (0);
}

void
node_map_free(struct node *n)
{
	free(n->numbers.streams.slots);
	free(n->numbers.odd_names.slots);
	for (size_t i = 0; i < n->numbers.npos; i++) {
		free(n->numbers.names[i].to);
		free(n->numbers.names[i].places);
		free(n->numbers.names[i].program);
	}
	free(n->numbers.names);
	free(n->numbers.pos.slots);
	n->numbers.streams = n->numbers.odd_names = n->numbers.pos =
	    (struct node_map){ 0 };
	n->numbers.names = NULL;
	n->numbers.npos = 0;
}

/*
 * Names are numbered by PO.  They count from 1, so that a table has them; what
 * is out of turn is found by its hash.
 */
static uint64_t
name_key(uint32_t po, uint32_t name)
{
	return ((uint64_t)po << 32 | name);
}

/*
 * More threads than a run, or this table, can hold: the node goes on without
 * what they say, and the receipt is not good.
 */
static int
define_thread(struct node *n, struct msg_thread *t)
{
	uint32_t i, was = node_map_find(&n->numbers.streams, t->location);

	t->node = n->number;
	i = registry_thread(n->core->registry, t);
	if (i == REGISTRY_NONE)
		return (-1);
	if (i == REGISTRY_BEYOND && was == REGISTRY_NONE &&
	    n->counts.beyond++ == 0)
		log_warnx("node %s: thread %u.%u is one more than a run can "
			  "hold; events of such threads are not in the log",
		    n->name, t->po, t->thread);
	return (map_put(&n->numbers.streams, t->location, i));
}

/* The table of a PO, begun if need be; NULL: out of memory, or of patience. */
static struct node_names *
names_of(struct node *n, uint32_t po)
{
	uint32_t i = node_map_find(&n->numbers.pos, po);
	struct node_names *p;

	if (i != REGISTRY_NONE)
		return (&n->numbers.names[i]);
	if ((n->numbers.npos & (n->numbers.npos - 1)) ==
	    0) { /* a power of two is full */
		p = reallocarray(n->numbers.names,
		    n->numbers.npos == 0 ? 1 : n->numbers.npos * 2, sizeof(*p));
		if (p == NULL)
			return (NULL);
		n->numbers.names = p;
	}
	p = &n->numbers.names[n->numbers.npos];
	*p = (struct node_names){ .to = calloc(NAMES_MIN, sizeof(*p->to)),
		.n = 1,
		.cap = NAMES_MIN };
	if (p->to == NULL ||
	    map_put(&n->numbers.pos, po, (uint32_t)n->numbers.npos) == -1) {
		free(p->to);
		return (NULL);
	}
	n->numbers.npos++;
	return (p);
}

/* Those of the collector count in the same way, from a number of their own. */
static int
places_put(struct node_names *names, uint32_t i, uint32_t to)
{
	uint32_t cap =
	    names->places_cap == 0 ? NAMES_MIN : names->places_cap * 2;
	uint32_t *p;

	if (i == names->places_cap) {
		p = reallocarray(names->places, cap, sizeof(*p));
		if (p == NULL)
			return (-1);
		names->places = p;
		names->places_cap = cap;
	}
	names->places[i] = to;
	names->nplaces += i == names->nplaces;
	return (0);
}

static int
names_put(struct node *n, uint32_t po, uint32_t name, uint32_t to)
{
	struct node_names *names = names_of(n, po);
	uint32_t *p;

	if (names == NULL)
		return (-1);
	if (name >= NAME_PLACES && name - NAME_PLACES <= names->nplaces)
		return (places_put(names, name - NAME_PLACES, to));
	if (name == 0 || name > names->n) {
		if (n->numbers.odd_names.n <
		    ODD_NAMES) /* else it is not known */
			return (map_put(&n->numbers.odd_names,
			    name_key(po, name), to));
		return (0);
	}
	if (name == names->n && names->n == names->cap) {
		p = reallocarray(names->to, (size_t)names->cap * 2, sizeof(*p));
		if (p == NULL)
			return (-1);
		names->to = p;
		names->cap *= 2;
	}
	names->to[name] = to;
	names->n += name == names->n;
	return (0);
}

static int
define_name(struct node *n, const struct msg_name *m)
{
	const struct node_names *names = names_of(n, m->po);
	struct msg_name placed = *m;
	uint32_t i;

	if (names == NULL)
		return (-1);
	placed.program =
	    BYTES_STR(names->program != NULL ? names->program : "");
	i = registry_name(n->core->registry, &placed);
	return (i == REGISTRY_NONE ? -1 : names_put(n, m->po, m->name, i));
}

/* The run's name of what a PO calls so; REGISTRY_NONE: it has not told it. */
static uint32_t
names_get(const struct node *n, uint32_t po, uint32_t name)
{
	uint32_t i = node_map_find(&n->numbers.pos, po);
	const struct node_names *names;

	if (i == REGISTRY_NONE)
		return (i);
	names = &n->numbers.names[i];
	if (name != 0 && name < names->n)
		return (names->to[name]);
	if (name >= NAME_PLACES && name - NAME_PLACES < names->nplaces)
		return (names->places[name - NAME_PLACES]);
	return (node_map_find(&n->numbers.odd_names, name_key(po, name)));
}

/* One that means nothing here is of no use, and does no harm. */
static int
define_symbol(struct node *n, const struct msg_symbol *m)
{
	struct msg_symbol of_run = *m;

	of_run.name = names_get(n, m->po, m->name);
	of_run.po = 0;
	if (of_run.name != REGISTRY_NONE && of_run.name != 0)
		registry_symbol(n->core->registry, &of_run);
	return (0);
}

static int
define_module(struct node *n, const struct msg_module *m)
{
	struct msg_module of_run = *m;

	of_run.node = n->number;
	return (registry_module(n->core->registry, &of_run));
}

/* A place in the source is one of this program. */
static int
define_program(struct node *n, const struct msg_po *m)
{
	struct node_names *names = names_of(n, m->po);

	if (names == NULL)
		return (-1);
	if (names->program == NULL)
		names->program = strndup(m->program.p, m->program.n);
	return (names->program == NULL ? -1 : 0);
}

/* A PO's names begin with those of another, which have been told. */
static int
inherit_names(struct node *n, const struct msg_po *m)
{
	uint32_t from = node_map_find(&n->numbers.pos, m->names_po);

	if (from == REGISTRY_NONE)
		return (0);
	for (uint32_t i = 1; i <= m->names && i < n->numbers.names[from].n;
	     i++) {
		if (names_put(n, m->po, i, n->numbers.names[from].to[i]) == -1)
			return (-1);
	}
	return (0);
}

int
node_define(struct node *n, unsigned type, const void *msg)
{
	struct msg_po po;
	struct msg_thread thread;
	int rv = -1;

	switch (type) {
	case MSG_po:
		po = *(const struct msg_po *)msg;
		po.node = n->number;
		rv = define_program(n, &po);
		if (rv == 0)
			rv = inherit_names(n, &po);
		po.names_po = po.names = 0; /* a run has names of its own */
		if (rv == 0)
			rv = registry_po(n->core->registry, &po);
		break;
	case MSG_thread:
		thread = *(const struct msg_thread *)msg;
		rv = define_thread(n, &thread);
		break;
	case MSG_name:
		rv = define_name(n, msg);
		break;
	case MSG_module:
		rv = define_module(n, msg);
		break;
	case MSG_symbol:
		rv = define_symbol(n, msg);
		break;
	}
	if (rv == -1)
		log_warnx("node %s: definition of a %s makes no sense; closing",
		    n->name, msg_name(type));
	return (rv);
}

/* The run's name of a PO's name that is in no table; 0: it has told none. */
uint32_t
node_odd_name(struct node *n, uint32_t po, uint32_t name)
{
	uint32_t i;

	if (name == 0)
		return (0);
	i = node_map_find(&n->numbers.odd_names, name_key(po, name));
	if (i != REGISTRY_NONE)
		return (i);
	if (n->counts.bad_names++ == 0)
		log_warnx("node %s: PO %u uses name %u, which it has not "
			  "told",
		    n->name, po, name);
	return (0);
}
