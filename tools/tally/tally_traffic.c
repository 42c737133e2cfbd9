/*
 * Figures of what is under way: messages between processes, objects between
 * nodes.
 */
#include "tally_inside.h"

struct message {
	uint64_t bytes;
	int64_t sent_mon_ns;
	uint32_t from; /* index of the process */
};

struct object {
	uint32_t class; /* index */
	uint32_t node;
	int64_t departed_mon_ns;
};

/* The sum of how long; what a log says of times may be anything. */
static int64_t
way_add(int64_t sum_ns, int64_t from_ns, int64_t to_ns)
{
	int64_t way_ns;

	if (__builtin_sub_overflow(to_ns, from_ns, &way_ns) ||
	    __builtin_add_overflow(sum_ns, way_ns, &sum_ns))
		return (INT64_MAX);
	return (sum_ns);
}

/* Messages. */

int
tally_send(struct tally *t, const struct event *e)
{
	struct message *m;
	int64_t po;
	bool fresh;

	t->sent++;
	t->bytes += e->b;
	if (e->a == 0)
		return (0);
	m = tally_thing(t->inside, &t->inside->messages, e->a, sizeof(*m),
	    &fresh);
	if (m == NULL || (po = tally_po(t, e->location)) == -1)
		return (-1);
	*m = (struct message){ e->b, e->t_mon_ns, (uint32_t)po };
	return (0);
}

int
tally_receive(struct tally *t, const struct event *e)
{
	struct message *m = intmap_find(&t->inside->messages, e->a);
	struct tally_pair *pair;
	int64_t to;
	bool fresh;

	t->received++;
	if (m == NULL || e->a == 0) {
		t->unmatched++;
		return (0);
	}
	if ((to = tally_po(t, e->location)) == -1)
		return (-1);
	pair = tally_row(&t->inside->pair, tally_key(m->from, (uint32_t)to),
	    &t->pairs, &t->npairs, sizeof(*pair), &fresh);
	if (pair == NULL)
		return (-1);
	pair->from = m->from;
	pair->to = (uint32_t)to;
	pair->messages++;
	pair->bytes += m->bytes;
	pair->way_ns = way_add(pair->way_ns, m->sent_mon_ns, e->t_mon_ns);
	return (0);
}

/* Objects. */

static struct tally_class *
class_of(struct tally *t, uint32_t name)
{
	struct tally_class *class;
	bool fresh;

	class = tally_row(&t->inside->class, name, &t->classes, &t->nclasses,
	    sizeof(*class), &fresh);
	if (class != NULL)
		class->name = name;
	return (class);
}

/* An object, whose class is not known unless its creation was seen. */
static struct object *
object_of(struct tally *t, const struct event *e, uint32_t class_name)
{
	struct tally_class *class;
	struct object *o;
	bool fresh;

	o = tally_thing(t->inside, &t->inside->objects, e->a, sizeof(*o),
	    &fresh);
	if (o == NULL || !fresh)
		return (o);
	if ((class = class_of(t, class_name)) == NULL)
		return (NULL);
	o->class = (uint32_t)(class - t->classes);
	o->departed_mon_ns = INT64_MIN;
	return (o);
}

int
tally_create(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, e->c);

	if (o == NULL)
		return (-1);
	t->classes[o->class].created++;
	return (0);
}

int
tally_depart(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);

	if (o == NULL)
		return (-1);
	t->classes[o->class].departures++;
	o->node = tally_node(t, e->location);
	o->departed_mon_ns = e->t_mon_ns;
	return (0);
}

int
tally_arrive(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);
	uint32_t node = tally_node(t, e->location);
	struct tally_way *way;
	bool fresh;

	if (o == NULL)
		return (-1);
	t->classes[o->class].arrivals++;
	if (o->departed_mon_ns == INT64_MIN)
		return (0);
	way = tally_row(&t->inside->way, tally_key(o->node, node), &t->ways,
	    &t->nways, sizeof(*way), &fresh);
	if (way == NULL)
		return (-1);
	*way = (struct tally_way){ o->node, node, way->moves + 1 };
	t->classes[o->class].way_ns = way_add(t->classes[o->class].way_ns,
	    o->departed_mon_ns, e->t_mon_ns);
	o->departed_mon_ns = INT64_MIN;
	return (0);
}

int
tally_dispose(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);

	if (o == NULL)
		return (-1);
	t->classes[o->class].disposed++;
	return (0);
}

int
tally_request(struct tally *t, const struct event *e)
{
	(void)e;
	t->requests++;
	return (0);
}

int
tally_order(struct tally *t, const struct event *e)
{
	(void)e;
	t->orders++;
	return (0);
}

int
tally_obey(struct tally *t, const struct event *e)
{
	(void)e;
	t->obeyed++;
	return (0);
}

uint64_t
tally_departures(const struct tally *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->nclasses; i++)
		n += t->classes[i].departures;
	return (n);
}

uint64_t
tally_arrivals(const struct tally *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->nclasses; i++)
		n += t->classes[i].arrivals;
	return (n);
}

uint64_t
tally_between_nodes(const struct tally *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->npairs; i++)
		if (t->pos[t->pairs[i].from].node !=
		    t->pos[t->pairs[i].to].node)
			n += t->pairs[i].messages;
	return (n);
}
