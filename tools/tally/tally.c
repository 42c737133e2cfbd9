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
	if ((t->inside->own = defs_own(defs)) == NULL) {
		tally_free(t);
		return (NULL);
	}
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
		struct intmap *const maps[] = { TALLY_MAPS(in) };

		tally_memory_free(t);
		while ((c = in->chunks) != NULL) {
			in->chunks = c->next;
			free(c);
		}
		for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
			intmap_free(maps[i]);
	}
	for (size_t i = 0; i < t->nfunctions; i++)
		free(t->functions[i].times.each_ns);
	for (size_t i = 0; i < t->nrpcs; i++)
		free(t->rpcs[i].times.each_ns);
	if (in != NULL) {
		free(in->owners);
		own_free(in->own);
	}
	free(t->owns);
	free(t->counters);
	free(t->scheds);
	free(t->sampled);
	free(t->samplings);
	free(in);
	free(t->tasks.level);
	free(t->procedures);
	free(t->pes);
	free(t->pairs);
	free(t->classes);
	free(t->ways);
	free(t->programs);
	free(t->functions);
	free(t->sites);
	free(t->locks);
	free(t->rpcs);
	free(t->places);
	free(t->pos);
	free(t->threads);
	free(t);
}

static int
on_lost(struct tally *t, const struct event *e)
{
	t->faults.lost += e->a;
	t->faults.lost_by[e->c < LOST_REASONS ? e->c : 0] += e->a;
	return (tally_own(t, e));
}

static int
on_thread_begin(struct tally *t, const struct event *e)
{
	tally_this(t)->name = e->c;
	return (0);
}

static int
on_thread_name(struct tally *t, const struct event *e)
{
	tally_this(t)->renamed = e->c;
	return (0);
}

static int
on_thread_end(struct tally *t, const struct event *e)
{
	struct tally_thread *th = tally_this(t);

	th->ended = true;
	th->end_mon_ns = e->t_mon_ns;
	return (0);
}

static int
on_po_end(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);

	if (po == -1)
		return (-1);
	t->pos[po].ended = true;
	t->pos[po].end_mon_ns = e->t_mon_ns;
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
	[EV_thread_begin] = on_thread_begin,
	[EV_thread_name] = on_thread_name,
	[EV_thread_end] = on_thread_end,
	[EV_po_end] = on_po_end,
	[EV_io_wait] = tally_waits,
	[EV_io_done] = tally_waited,
	[EV_system_wait] = tally_waits,
	[EV_system_done] = tally_waited,
	[EV_stream_gap] = tally_gap,
	[EV_enter] = tally_enter,
	[EV_lock_wait] = tally_lock_wait,
	[EV_lock_acquire] = tally_lock_acquire,
	[EV_lock_release] = tally_lock_release,
	[EV_lock_giveup] = tally_lock_giveup,
	[EV_choice] = tally_lock_untold,
	[EV_muted] = tally_lock_untold,
	[EV_cond_wait] = tally_lock_wait,
	[EV_cond_wake] = tally_lock_acquire,
	[EV_sem_wait] = tally_lock_wait,
	[EV_sem_acquire] = tally_lock_acquire,
	[EV_cond_signal] = tally_lock_signal,
	[EV_sem_post] = tally_lock_signal,
	[EV_lock_taken] = tally_lock_counted,
	[EV_sem_passed] = tally_lock_counted,
	[EV_sem_posted] = tally_lock_counted,
	[EV_cond_signalled] = tally_lock_counted,
	[EV_rpc_call] = tally_rpc_call,
	[EV_rpc_begin] = tally_rpc_begin,
	[EV_rpc_end] = tally_rpc_end,
	[EV_rpc_return] = tally_rpc_return,
	[EV_counter] = tally_counter,
	[EV_counter_real] = tally_counter,
	[EV_measure] = tally_counter,
	[EV_own] = tally_own,
	[EV_own_more] = tally_own,
	[EV_sched_in] = tally_sched,
	[EV_sched_out] = tally_sched,
	[EV_sched_new] = tally_sched,
	[EV_sched_gone] = tally_sched,
	[EV_sched_from] = tally_sched,
	[EV_sample_from] = tally_sample_from,
	[EV_sample_stack] = tally_sample_stack,
	[EV_sample_found] = tally_sample_found,
	[EV_mem_alloc] = tally_mem_alloc,
	[EV_mem_free] = tally_mem_free,
	[EV_mem_given] = tally_mem_given,
	[EV_mem_sample] = tally_mem_sample,
	[EV_heap_made] = tally_heap_made,
	[EV_heap_asked] = tally_heap_asked,
	[EV_heap_freed] = tally_heap_freed,
	[EV_heap_mapped] = tally_heap_mapped,
};

struct tally_thread *
tally_this(struct tally *t)
{
	return (&t->threads[t->inside->last_thread]);
}

static struct tally_thread *
thread_of(struct tally *t, const struct event *e)
{
	size_t last = t->inside->last_thread;
	struct tally_thread *th;
	int64_t program;
	bool fresh;

	if (last < t->nthreads && t->threads[last].location == e->location)
		return (&t->threads[last]);
	if ((program = tally_program(t, e->location)) == -1)
		return (NULL);
	th = tally_row(&t->inside->thread, e->location, &t->threads,
	    &t->nthreads, sizeof(*th), &fresh);
	if (th == NULL)
		return (NULL);
	if (fresh) {
		th->location = e->location;
		th->program = (uint32_t)program;
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
	if (e->kind == EV_lost && tally_scope_lost(t, th) == -1)
		return (-1);
	if (e->kind == EV_lost)
		tally_locks_lost(t, th);
	th->events++;
	th->last_mon_ns = e->t_mon_ns;
	if (d->span != SPAN_none && tally_scope(t, th, d, e) == -1)
		return (-1);
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

static int
longer_function(const void *a, const void *b)
{
	const struct tally_function *x = a, *y = b;

	return ((x->times.total_ns < y->times.total_ns) -
		(x->times.total_ns > y->times.total_ns));
}

static int
longer_rpc(const void *a, const void *b)
{
	const struct tally_rpc *x = a, *y = b;

	return ((x->times.total_ns < y->times.total_ns) -
		(x->times.total_ns > y->times.total_ns));
}

static int
longer_wait(const void *a, const void *b)
{
	const struct tally_lock *x = a, *y = b;
	int c = (x->wait_ns < y->wait_ns) - (x->wait_ns > y->wait_ns);

	if (c == 0)
		c = (x->acquisitions < y->acquisitions) -
		    (x->acquisitions > y->acquisitions);
	return (c != 0 ? c : (x->id > y->id) - (x->id < y->id));
}

bool
tally_thread_ended(const struct tally *t, const struct tally_thread *th)
{
	const struct def_thread *d = defs_thread(t->inside->defs, th->location);
	uint64_t key = d == NULL ? 0 : tally_key(d->node, d->po);
	uintptr_t po = (uintptr_t)intmap_find(&t->inside->po, key);

	return (th->ended || (d != NULL && po != 0 && t->pos[po - 1].ended));
}

int64_t
tally_thread_end(const struct tally *t, const struct tally_thread *th)
{
	const struct def_thread *d = defs_thread(t->inside->defs, th->location);
	uint64_t key = d == NULL ? 0 : tally_key(d->node, d->po);
	uintptr_t po = (uintptr_t)intmap_find(&t->inside->po, key);
	int64_t end = t->last_mon_ns;

	if (th->ended)
		end = th->end_mon_ns;
	else if (d != NULL && po != 0 && t->pos[po - 1].ended)
		end = t->pos[po - 1].end_mon_ns;
	return (end > th->last_mon_ns ? end : th->last_mon_ns);
}

/* What is open when a thread has ended has lasted until then. */
static int
close_thread(struct tally *t, struct tally_thread *th)
{
	int64_t end = tally_thread_end(t, th);
	bool open = false;

	for (size_t j = 0; j < EVENT_SPANS; j++)
		open |= th->span[j].depth > 0;
	if (tally_scope_end(t, th, end) == -1)
		return (-1);
	if (open)
		th->last_mon_ns = end;
	return (0);
}

static int
close_all(struct tally *t)
{
	tally_locks_end(t); /* asks what is open */
	tally_counters_end(t);
	tally_scheds_end(t);
	for (size_t i = 0; i < t->nthreads; i++)
		if (close_thread(t, &t->threads[i]) == -1)
			return (-1);
	if (tally_shelves_end(t) == -1 || tally_levels(t) == -1)
		return (-1);
	for (size_t i = 0; i < t->nfunctions; i++)
		tally_times_sort(&t->functions[i].times);
	for (size_t i = 0; i < t->nrpcs; i++)
		tally_times_sort(&t->rpcs[i].times);
	return (0);
}

/*
 * Locks name functions by index, so functions stay where they are until the
 * locks know where that is now.
 */
static int
sort_functions(struct tally *t)
{
	uint32_t *now = calloc(t->nfunctions + 1, sizeof(*now));

	if (now == NULL)
		return (-1);
	for (size_t i = 0; i < t->nfunctions; i++)
		t->functions[i].row = (uint32_t)i;
	sort(t->functions, t->nfunctions, sizeof(*t->functions),
	    longer_function);
	for (size_t i = 0; i < t->nfunctions; i++)
		now[t->functions[i].row + 1] = (uint32_t)i + 1;
	for (size_t i = 0; i < t->nlocks; i++)
		t->locks[i].holder_in = now[t->locks[i].holder_in];
	free(now);
	return (0);
}

int
tally_end(struct tally *t)
{
	if (close_all(t) == -1 || sort_functions(t) == -1 ||
	    tally_sites_end(t) == -1)
		return (-1);
	if (t->nthreads > 1)
		qsort_r(t->threads, t->nthreads, sizeof(*t->threads),
		    thread_order, t->inside);
	while (t->tasks.levels > 0 && t->tasks.level[t->tasks.levels - 1] == 0)
		t->tasks.levels--;
	sort(t->procedures, t->nprocedures, sizeof(*t->procedures), more_tasks);
	sort(t->pairs, t->npairs, sizeof(*t->pairs), more_messages);
	sort(t->pes, t->npes, sizeof(*t->pes), pe_order);
	sort(t->ways, t->nways, sizeof(*t->ways), way_order);
	sort(t->locks, t->nlocks, sizeof(*t->locks), longer_wait);
	sort(t->rpcs, t->nrpcs, sizeof(*t->rpcs), longer_rpc);
	tally_memory_sort(t);
	tally_sampled_sort(t);
	return (0);
}
