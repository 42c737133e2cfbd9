/*
 * Adding up a run.
 *
 * A handler for each kind that means something here, in a table; everything
 * else is only counted by its class, so a new kind costs nothing.
 */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "tally_inside.h"

struct tally *
tally_new(const struct defs *defs)
{
	struct tally *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->inside = calloc(1, sizeof(*t->inside));
	if (t->inside == NULL) {
		tally_free(t);
		return (NULL);
	}
	t->inside->defs = defs;
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
		intmap_free(&in->thread);
	}
	free(in);
	free(t->tasks.level);
	free(t->procedures);
	free(t->pes);
	free(t->pairs);
	free(t->classes);
	free(t->ways);
	free(t->pos);
	free(t->threads);
	free(t);
}

static int
on_lost(struct tally *t, const struct event *e)
{
	t->faults.lost += e->a;
	t->faults.lost_by[e->c < LOST_REASONS ? e->c : 0] += e->a;
	return (0);
}

static tally_handler *const handlers[EVENT_KINDS] = {
	[EV_task_spawn] = tally_spawn,
	[EV_task_begin] = tally_begin,
	[EV_task_resume] = tally_begin,
	[EV_task_suspend] = tally_stop,
	[EV_task_end] = tally_stop,
	[EV_send] = tally_send,
	[EV_receive] = tally_receive,
	[EV_object_request] = tally_request,
	[EV_object_create] = tally_create,
	[EV_object_order] = tally_order,
	[EV_object_obey] = tally_obey,
	[EV_object_depart] = tally_depart,
	[EV_object_arrive] = tally_arrive,
	[EV_object_dispose] = tally_dispose,
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

static struct tally_thread *
thread_of(struct tally *t, const struct event *e)
{
	size_t last = t->inside->last_thread;
	struct tally_thread *th;
	bool fresh;

	if (last < t->nthreads && t->threads[last].location == e->location)
		return (&t->threads[last]);
	th = tally_row(&t->inside->thread, e->location, &t->threads,
	    &t->nthreads, sizeof(*th), &fresh);
	if (th == NULL)
		return (NULL);
	if (fresh) {
		th->location = e->location;
		th->first_mon_ns = e->t_mon_ns;
	}
	t->inside->last_thread = (size_t)(th - t->threads);
	return (th);
}

int
tally_event(struct tally *t, const struct event *e)
{
	const struct event_desc *d = defs_kind(t->inside->defs, e->kind);
	struct tally_thread *th;

	if (t->events++ == 0)
		t->first_mon_ns = e->t_mon_ns;
	t->last_mon_ns = e->t_mon_ns;
	t->faults.late += (e->flags & EVENT_LATE) != 0;
	t->faults.orphans += (e->flags & EVENT_ORPHAN) != 0;
	t->faults.shifted += (e->flags & EVENT_SHIFTED) != 0;
	if (d == NULL || d->class >= EVENT_CLASSES || d->span >= EVENT_SPANS)
		return (0);
	t->by_class[d->class]++;
	if ((th = thread_of(t, e)) == NULL)
		return (-1);
	th->events++;
	th->last_mon_ns = e->t_mon_ns;
	if (d->span != SPAN_none)
		count_span(th, d, e);
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
	uint64_t p = tally_key(x->po, x->pe), q = tally_key(y->po, y->pe);

	return ((p > q) - (p < q));
}

static int
way_order(const void *a, const void *b)
{
	const struct tally_way *x = a, *y = b;
	uint64_t p = tally_key(x->from, x->to), q = tally_key(y->from, y->to);

	return ((p > q) - (p < q));
}

/* As people look for them: by node's name, process, thread. */
static int
thread_order(const void *a, const void *b, void *arg)
{
	const struct defs *defs = ((struct tally_inside *)arg)->defs;
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
	if (tally_levels(t) == -1)
		return (-1);
	for (size_t i = 0; i < t->nthreads; i++)
		for (size_t j = 0; j < EVENT_SPANS; j++) {
			struct tally_span *s = &t->threads[i].span[j];

			if (s->depth > 0)
				s->total_ns += t->last_mon_ns - s->since_mon_ns;
			s->depth = 0;
		}
	if (t->nthreads > 1)
		qsort_r(t->threads, t->nthreads, sizeof(*t->threads),
		    thread_order, t->inside);
	while (t->tasks.levels > 0 && t->tasks.level[t->tasks.levels - 1] == 0)
		t->tasks.levels--;
	sort(t->procedures, t->nprocedures, sizeof(*t->procedures), more_tasks);
	sort(t->pairs, t->npairs, sizeof(*t->pairs), more_messages);
	sort(t->pes, t->npes, sizeof(*t->pes), pe_order);
	sort(t->ways, t->nways, sizeof(*t->ways), way_order);
	return (0);
}
