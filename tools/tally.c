/*
 * Adding up a run.
 *
 * A handler for each kind that means something here, in a table; everything
 * else is only counted by its class, so a new kind costs nothing.
 */
#include "tally.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct task {
	struct task *parent;
	uint64_t level; /* from 1; 0: not yet known, it is found at the end */
	uint32_t procedure; /* index */
	uint32_t pe;        /* index, while it runs */
	int64_t since_mon_ns;
	bool seen, begun, running, suspended;
};

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

/* Memory that is given back all at once. */
struct chunk {
	struct chunk *next;
	size_t used;
	_Alignas(16) char bytes[65536];
};

struct tally_inside {
	const struct defs *defs;
	struct chunk *chunks;
	/* by id, or by a key made of indices; to a struct, or an index + 1 */
	struct intmap tasks, messages, objects;
	struct intmap po, procedure, pe, pair, class, way;
};

struct tally *
tally_new(const struct defs *defs)
{
	struct tally *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->nthreads = (size_t)defs_locations(defs) + 1;
	t->inside = calloc(1, sizeof(*t->inside));
	t->threads = calloc(t->nthreads, sizeof(*t->threads));
	if (t->inside == NULL || t->threads == NULL) {
		tally_free(t);
		return (NULL);
	}
	t->inside->defs = defs;
	for (size_t i = 0; i < t->nthreads; i++)
		t->threads[i].location = (uint32_t)i;
	return (t);
}

void
tally_free(struct tally *t)
{
	struct tally_inside *in;
	struct chunk *c;

	if (t == NULL)
		return;
	if ((in = t->inside) != NULL) {
		while ((c = in->chunks) != NULL) {
			in->chunks = c->next;
			free(c);
		}
		intmap_free(&in->tasks);
		intmap_free(&in->messages);
		intmap_free(&in->objects);
		intmap_free(&in->po);
		intmap_free(&in->procedure);
		intmap_free(&in->pe);
		intmap_free(&in->pair);
		intmap_free(&in->class);
		intmap_free(&in->way);
	}
	free(in);
	free(t->level);
	free(t->procedures);
	free(t->pes);
	free(t->pairs);
	free(t->classes);
	free(t->ways);
	free(t->pos);
	free(t->threads);
	free(t);
}

/* A zeroed thing with this id, new or old; NULL: ENOMEM. */
static void *
thing(struct tally_inside *in, struct intmap *m, uint64_t id, size_t bytes,
    bool *fresh)
{
	struct chunk *c = in->chunks;
	void *p = intmap_find(m, id);

	*fresh = p == NULL;
	if (p != NULL)
		return (p);
	if (intmap_reserve(m) == -1)
		return (NULL);
	bytes = (bytes + 15) & ~(size_t)15;
	if (c == NULL || sizeof(c->bytes) - c->used < bytes) {
		if ((c = calloc(1, sizeof(*c))) == NULL)
			return (NULL);
		c->next = in->chunks;
		in->chunks = c;
	}
	p = c->bytes + c->used;
	c->used += bytes;
	intmap_put(m, id, p);
	return (p);
}

/*
 * The row of a table for a key, made and zeroed if need be.  rows points to
 * the table, n to its length.  NULL: ENOMEM.
 */
static void *
row(struct intmap *m, uint64_t key, void *rows, size_t *n, size_t bytes,
    bool *fresh)
{
	char **table = rows, *more;
	uintptr_t i = (uintptr_t)intmap_find(m, key);

	*fresh = i == 0;
	if (i != 0)
		return (*table + (i - 1) * bytes);
	if (intmap_reserve(m) == -1)
		return (NULL);
	if ((*n & (*n - 1)) == 0) { /* grows at powers of two */
		more = realloc(*table, (*n == 0 ? 1 : *n * 2) * bytes);
		if (more == NULL)
			return (NULL);
		*table = more;
	}
	more = *table + *n * bytes;
	memset(more, 0, bytes);
	intmap_put(m, key, (void *)(uintptr_t)++ * n);
	return (more);
}

static uint64_t
two(uint32_t high, uint32_t low)
{
	return ((uint64_t)high << 32 | low);
}

/* Index of the process of a location; -1: ENOMEM. */
static int64_t
po_of(struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);
	struct tally_po *po;
	bool fresh;

	po = row(&t->inside->po, d == NULL ? 0 : two(d->node, d->po), &t->pos,
	    &t->npos, sizeof(*po), &fresh);
	if (po == NULL)
		return (-1);
	if (fresh && d != NULL)
		*po = (struct tally_po){ d->node, d->po };
	return (po - t->pos);
}

static uint32_t
node_of(const struct tally *t, uint32_t location)
{
	const struct def_thread *d = defs_thread(t->inside->defs, location);

	return (d == NULL ? 0 : d->node);
}

/* Tasks. */

static int
count_level(struct tally *t, uint64_t level)
{
	uint64_t *more;
	size_t levels = t->levels;

	while (levels <= level)
		levels = levels == 0 ? 64 : levels * 2;
	if (levels != t->levels) {
		more = realloc(t->level, levels * sizeof(*more));
		if (more == NULL)
			return (-1);
		memset(more + t->levels, 0,
		    (levels - t->levels) * sizeof(*more));
		t->level = more;
		t->levels = levels;
	}
	t->level[level]++;
	return (0);
}

/*
 * The task of an event.  A task that was only heard of, as somebody's parent,
 * is there but not seen.
 */
static struct task *
task_of(struct tally *t, const struct event *e, uint64_t parent_id)
{
	struct tally_procedure *procedure;
	struct task *task;
	bool fresh;

	task = thing(t->inside, &t->inside->tasks, e->a, sizeof(*task), &fresh);
	if (task == NULL)
		return (NULL);
	if (parent_id != 0 && task->parent == NULL &&
	    (task->parent = thing(t->inside, &t->inside->tasks, parent_id,
		 sizeof(*task), &fresh)) == NULL)
		return (NULL);
	if (task->seen)
		return (task);
	task->seen = true;
	procedure = row(&t->inside->procedure, e->c, &t->procedures,
	    &t->nprocedures, sizeof(*procedure), &fresh);
	if (procedure == NULL)
		return (NULL);
	procedure->name = e->c;
	procedure->tasks++;
	task->procedure = (uint32_t)(procedure - t->procedures);
	t->tasks++;
	return (task);
}

/*
 * Goes up until the level is known, turning the way round, then back down.
 * Parents that go round in a circle make one of them a root.
 */
static void
find_level(struct task *task)
{
	struct task *up, *below = NULL;
	uint64_t level;

	while (task != NULL && task->level == 0) {
		task->level = UINT64_MAX; /* being looked at */
		up = task->parent;
		task->parent = below;
		below = task;
		task = up;
	}
	level = task == NULL || task->level == UINT64_MAX ? 0 : task->level;
	while (below != NULL) {
		up = task == below ? NULL : task;
		below->level = ++level;
		task = below;
		below = task->parent;
		task->parent = up;
	}
}

static int
count_levels(struct tally *t)
{
	const struct intmap *m = &t->inside->tasks;
	struct task *task;

	for (size_t i = 0; m->n > 0 && i <= m->mask; i++)
		if ((task = m->slot[i].p) != NULL && task->seen) {
			find_level(task);
			if (count_level(t, task->level - 1) == -1)
				return (-1);
		}
	return (0);
}

static int
on_spawn(struct tally *t, const struct event *e)
{
	return (task_of(t, e, e->b) == NULL ? -1 : 0);
}

static int
on_run(struct tally *t, const struct event *e)
{
	struct task *task = task_of(t, e, 0);
	struct tally_pe *pe;
	int64_t po;
	bool fresh;

	if (task == NULL || (po = po_of(t, e->location)) == -1)
		return (-1);
	pe = row(&t->inside->pe, two((uint32_t)po, (uint32_t)e->b), &t->pes,
	    &t->npes, sizeof(*pe), &fresh);
	if (pe == NULL)
		return (-1);
	pe->po = (uint32_t)po;
	pe->pe = (uint32_t)e->b;
	if (e->kind == EV_task_begin) {
		pe->tasks++;
		t->begun += !task->begun;
		task->begun = true;
	} else {
		pe->resumed++;
	}
	task->pe = (uint32_t)(pe - t->pes);
	task->running = true;
	task->since_mon_ns = e->t_mon_ns;
	return (0);
}

static int
on_stop(struct tally *t, const struct event *e)
{
	struct task *task = intmap_find(&t->inside->tasks, e->a);
	int64_t ns;

	if (task == NULL)
		return (0); /* its begin was lost */
	if (task->running) {
		ns = e->t_mon_ns - task->since_mon_ns;
		t->procedures[task->procedure].run_ns += ns;
		t->pes[task->pe].run_ns += ns;
	}
	task->running = false;
	if (e->kind == EV_task_end) {
		t->ended++;
		return (0);
	}
	t->suspensions++;
	t->procedures[task->procedure].suspensions++;
	t->suspended += !task->suspended;
	task->suspended = true;
	return (0);
}

/* Messages. */

static int
on_send(struct tally *t, const struct event *e)
{
	struct message *m;
	int64_t po;
	bool fresh;

	t->sent++;
	t->bytes += e->b;
	if (e->a == 0)
		return (0);
	m = thing(t->inside, &t->inside->messages, e->a, sizeof(*m), &fresh);
	if (m == NULL || (po = po_of(t, e->location)) == -1)
		return (-1);
	*m = (struct message){ e->b, e->t_mon_ns, (uint32_t)po };
	return (0);
}

static int
on_receive(struct tally *t, const struct event *e)
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
	if ((to = po_of(t, e->location)) == -1)
		return (-1);
	pair = row(&t->inside->pair, two(m->from, (uint32_t)to), &t->pairs,
	    &t->npairs, sizeof(*pair), &fresh);
	if (pair == NULL)
		return (-1);
	pair->from = m->from;
	pair->to = (uint32_t)to;
	pair->messages++;
	pair->bytes += m->bytes;
	pair->way_ns += e->t_mon_ns - m->sent_mon_ns;
	return (0);
}

/* Objects. */

static struct tally_class *
class_of(struct tally *t, uint32_t name)
{
	struct tally_class *class;
	bool fresh;

	class = row(&t->inside->class, name, &t->classes, &t->nclasses,
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

	o = thing(t->inside, &t->inside->objects, e->a, sizeof(*o), &fresh);
	if (o == NULL || !fresh)
		return (o);
	if ((class = class_of(t, class_name)) == NULL)
		return (NULL);
	o->class = (uint32_t)(class - t->classes);
	o->departed_mon_ns = INT64_MIN;
	return (o);
}

static int
on_create(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, e->c);

	if (o == NULL)
		return (-1);
	t->classes[o->class].created++;
	return (0);
}

static int
on_depart(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);

	if (o == NULL)
		return (-1);
	t->classes[o->class].departures++;
	o->node = node_of(t, e->location);
	o->departed_mon_ns = e->t_mon_ns;
	return (0);
}

static int
on_arrive(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);
	uint32_t node = node_of(t, e->location);
	struct tally_way *way;
	bool fresh;

	if (o == NULL)
		return (-1);
	t->classes[o->class].arrivals++;
	if (o->departed_mon_ns == INT64_MIN)
		return (0);
	way = row(&t->inside->way, two(o->node, node), &t->ways, &t->nways,
	    sizeof(*way), &fresh);
	if (way == NULL)
		return (-1);
	*way = (struct tally_way){ o->node, node, way->moves + 1 };
	t->classes[o->class].way_ns += e->t_mon_ns - o->departed_mon_ns;
	o->departed_mon_ns = INT64_MIN;
	return (0);
}

static int
on_dispose(struct tally *t, const struct event *e)
{
	struct object *o = object_of(t, e, 0);

	if (o == NULL)
		return (-1);
	t->classes[o->class].disposed++;
	return (0);
}

static int
on_request(struct tally *t, const struct event *e)
{
	(void)e;
	t->requests++;
	return (0);
}

static int
on_order(struct tally *t, const struct event *e)
{
	(void)e;
	t->orders++;
	return (0);
}

static int
on_obey(struct tally *t, const struct event *e)
{
	(void)e;
	t->obeyed++;
	return (0);
}

static int
on_lost(struct tally *t, const struct event *e)
{
	t->lost += e->a;
	t->lost_by[e->c < LOST_REASONS ? e->c : 0] += e->a;
	return (0);
}

static int (*const handlers[EVENT_KINDS])(struct tally *,
    const struct event *) = {
	[EV_task_spawn] = on_spawn,
	[EV_task_begin] = on_run,
	[EV_task_resume] = on_run,
	[EV_task_suspend] = on_stop,
	[EV_task_end] = on_stop,
	[EV_send] = on_send,
	[EV_receive] = on_receive,
	[EV_object_request] = on_request,
	[EV_object_create] = on_create,
	[EV_object_order] = on_order,
	[EV_object_obey] = on_obey,
	[EV_object_depart] = on_depart,
	[EV_object_arrive] = on_arrive,
	[EV_object_dispose] = on_dispose,
	[EV_lost] = on_lost,
};

/* An end closes the innermost span of its sort, or nothing. */
static void
count_span(struct tally_thread *th, const struct event_desc *d,
    const struct event *e)
{
	struct tally_span *s = &th->span[d->span];

	if (d->shape == SHAPE_BEGIN) {
		s->count++;
		if (s->depth++ == 0)
			s->since_mon_ns = e->t_mon_ns;
	} else if (d->shape == SHAPE_END && s->depth > 0) {
		if (--s->depth == 0)
			s->total_ns += e->t_mon_ns - s->since_mon_ns;
	}
}

int
tally_event(struct tally *t, const struct event *e)
{
	const struct event_desc *d = defs_kind(t->inside->defs, e->kind);
	struct tally_thread *th;

	if (t->events++ == 0)
		t->first_mon_ns = e->t_mon_ns;
	t->last_mon_ns = e->t_mon_ns;
	t->late += (e->flags & EVENT_LATE) != 0;
	t->orphans += (e->flags & EVENT_ORPHAN) != 0;
	t->shifted += (e->flags & EVENT_SHIFTED) != 0;
	if (d == NULL || d->class >= EVENT_CLASSES || d->span >= EVENT_SPANS)
		return (0);
	t->by_class[d->class]++;
	if (e->location < t->nthreads) {
		th = &t->threads[e->location];
		if (th->events++ == 0)
			th->first_mon_ns = e->t_mon_ns;
		th->last_mon_ns = e->t_mon_ns;
		if (d->span != SPAN_none)
			count_span(th, d, e);
	}
	if (e->kind < EVENT_KINDS && handlers[e->kind] != NULL)
		return (handlers[e->kind](t, e));
	return (0);
}

static int
more_tasks(const void *a, const void *b)
{
	const struct tally_procedure *x = a, *y = b;

	return ((x->tasks < y->tasks) - (x->tasks > y->tasks));
}

static int
more_messages(const void *a, const void *b)
{
	const struct tally_pair *x = a, *y = b;

	return ((x->messages < y->messages) - (x->messages > y->messages));
}

static int
pe_order(const void *a, const void *b)
{
	const struct tally_pe *x = a, *y = b;
	uint64_t p = two(x->po, x->pe), q = two(y->po, y->pe);

	return ((p > q) - (p < q));
}

static int
way_order(const void *a, const void *b)
{
	const struct tally_way *x = a, *y = b;
	uint64_t p = two(x->from, x->to), q = two(y->from, y->to);

	return ((p > q) - (p < q));
}

/* As people look for them: by node's name, process, thread. */
static int
thread_order(const void *a, const void *b, void *defs)
{
	const struct def_thread *x, *y;
	const struct def_node *n, *m;
	int c;

	x = defs_thread(defs, ((const struct tally_thread *)a)->location);
	y = defs_thread(defs, ((const struct tally_thread *)b)->location);
	if (x == NULL || y == NULL)
		return ((x != NULL) - (y != NULL));
	n = defs_node(defs, x->node);
	m = defs_node(defs, y->node);
	c = strcmp(n != NULL ? n->name : "", m != NULL ? m->name : "");
	if (c == 0)
		c = (x->po > y->po) - (x->po < y->po);
	return (c != 0 ? c : (x->thread > y->thread) - (x->thread < y->thread));
}

static void
sort(void *table, size_t n, size_t bytes,
    int (*order)(const void *, const void *))
{
	if (n > 1)
		qsort(table, n, bytes, order);
}

int
tally_end(struct tally *t)
{
	if (count_levels(t) == -1)
		return (-1);
	for (size_t i = 0; i < t->nthreads; i++)
		for (size_t j = 0; j < EVENT_SPANS; j++) {
			struct tally_span *s = &t->threads[i].span[j];

			if (s->depth > 0)
				s->total_ns += t->last_mon_ns - s->since_mon_ns;
			s->depth = 0;
		}
	qsort_r(t->threads, t->nthreads, sizeof(*t->threads), thread_order,
	    (void *)(uintptr_t)t->inside->defs);
	while (t->levels > 0 && t->level[t->levels - 1] == 0)
		t->levels--;
	sort(t->procedures, t->nprocedures, sizeof(*t->procedures), more_tasks);
	sort(t->pairs, t->npairs, sizeof(*t->pairs), more_messages);
	sort(t->pes, t->npes, sizeof(*t->pes), pe_order);
	sort(t->ways, t->nways, sizeof(*t->ways), way_order);
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
