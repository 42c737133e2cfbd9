/*
 * The way in: a frame of the log is a definition or a block; a block's events
 * go one by one to whoever keeps something of them.  Events of one thread
 * always come in order; those of a late block come after events of other
 * threads that are later in time, which only the structures that cross
 * threads can notice: links and marks are found by their times wherever they
 * stand, object lanes are made anew, tasks are re-hung.
 */
#include "model/model.h"
#include "model/keep/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "model/inside.h"
#include "model/measured/eventlist.h"
#include "model/tree/grow.h"

/* Kinds whose link is there from its cause on. */
static const uint16_t early_kinds[] = { EV_send, EV_rpc_call, EV_rpc_end,
	EV_object_request, EV_object_order, EV_object_depart };

static const uint16_t mark_kinds[] = { EV_thread_name, EV_note, EV_lost,
	EV_late, EV_orphan, EV_stall, EV_rejoin, EV_clock_step, EV_distrust,
	EV_trust, EV_stream_gap, EV_choice, EV_muted, EV_own, EV_own_more };

/*
 * A task that goes on where another thread is came from where it was suspended:
 * a link for us, while monitord need not order what one task does.
 */
static void
pauses_pair(struct kind_info *suspend, struct kind_info *resume)
{
	suspend->role = ROLE_CAUSE;
	suspend->partner = EV_task_resume;
	resume->role = ROLE_EFFECT;
	resume->partner = EV_task_suspend;
	suspend->match = resume->match = MATCH_many;
	suspend->keyed = resume->keyed = 1;
}

static void
kinds_init(struct model *m)
{
	const struct event_desc *d;
	struct kind_info *k;

	for (unsigned i = 0; i < EVENT_KINDS; i++) {
		d = event_desc(i);
		if (d == NULL)
			continue;
		k = &held_of(m)->kinds[i];
		k->known = 1;
		k->shape = d->shape;
		k->span = d->span;
		k->role = d->role;
		k->key = d->key;
		k->match = d->match;
		k->class = d->class;
		k->partner = d->partner;
		k->named = event_field_is(d->c, "name");
		k->keyed = d->role != ROLE_NONE && d->class != CLASS_task;
		if (i == EV_future_set || i == EV_future_get)
			k->keyed = 1;
	}
	pauses_pair(&held_of(m)->kinds[EV_task_suspend],
	    &held_of(m)->kinds[EV_task_resume]);
	for (size_t i = 0; i < sizeof(early_kinds) / sizeof(*early_kinds); i++)
		held_of(m)->kinds[early_kinds[i]].early = 1;
	for (size_t i = 0; i < sizeof(mark_kinds) / sizeof(*mark_kinds); i++)
		held_of(m)->kinds[mark_kinds[i]].mark = 1;
}

static _Atomic int models;

int
model_count(void)
{
	return (atomic_load(&models));
}

void
model_is_detail(void)
{
	atomic_fetch_sub(&models, 1);
}

/* What grows by chunks, empty. */
static void
chunks_init(struct model *m)
{
	chunk_init(&defs_of(m)->names, sizeof(struct name_data), 6);
	chunk_init(&defs_of(m)->nodes, sizeof(struct node_data), 3);
	chunk_init(&defs_of(m)->pos, sizeof(struct po_data), 3);
	chunk_init(&defs_of(m)->locations, sizeof(struct location), 3);
	chunk_init(&defs_of(m)->location_lane, sizeof(_Atomic uint32_t), 6);
	chunk_init(&lanes_of(m)->lanes, sizeof(struct lane_data), 4);
	chunk_init(&lanes_of(m)->threads, sizeof(uint32_t), 4);
	chunk_init(&defs_of(m)->functions, sizeof(struct function), 3);
	chunk_init(&defs_of(m)->called, sizeof(uint32_t), 4);
	chunk_init(&defs_of(m)->talks, sizeof(struct talk_cell), 4);
	chunk_init(&objects_of(m)->objects, sizeof(struct object), 4);
	chunk_init(&objects_of(m)->requests, sizeof(struct object_request), 4);
	chunk_init(&objects_of(m)->orders, sizeof(struct order_data), 4);
}

struct model *
model_new(void)
{
	struct model *m = memory_zero(1, sizeof(*m));

	if (m == NULL)
		return (NULL);
	lanes_of(m)->states =
	    memory_zero(STATES_MAX, sizeof(*lanes_of(m)->states));
	lanes_of(m)->state_function =
	    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
	    memory_zero(STATES_MAX, sizeof(*lanes_of(m)->state_function));
	if (lanes_of(m)->states == NULL ||
	    lanes_of(m)->state_function == NULL) {
		memory_free(lanes_of(m)->states);
		memory_free(m);
		return (NULL);
	}
	atomic_fetch_add(&models, 1);
	atomic_init(&held_of(m)->bytes, sizeof(*m));
	atomic_init(&facts_of(m)->first_ns, INT64_MAX);
	atomic_init(&facts_of(m)->last_ns, INT64_MIN);
	atomic_init(&facts_of(m)->detail_ns, INT64_MIN);
	atomic_init(&facts_of(m)->gone_ns, INT64_MIN);
	atomic_init(&facts_of(m)->marks_ns, INT64_MIN);
	for (int k = 0; k < LOD_LEVELS; k++)
		facts_of(m)->nodes_ns[k] = INT64_MIN;
	objects_of(m)->objects_lane = objects_of(m)->locks_lane = UINT32_MAX;
	chunks_init(m);
	links_init(m);
	counters_init(m);
	scheds_init(m);
	samples_init(m);
	sites_init(m);
	phases_init(m);
	event_list_init(heap_of(m));
	event_list_init(lock_counts_of(m));
	plan_init(m);
	talklog_init(m);
	interval_init(&marks_of(m)->marks, sizeof(struct mark));
	interval_init(&marks_of(m)->alerts, sizeof(struct mark));
	interval_init(&marks_of(m)->losses, sizeof(struct loss));
	tree_init(m);
	pthread_mutex_init(&density_of(m)->density_lock, NULL);
	kinds_init(m);
	for (unsigned c = 0; c < LANE_CLASSES; c++)
		for (int fresh = 0; fresh < 2; fresh++)
			lane_state(m, (uint8_t)c, 0, 0, fresh);
	if (held_of(m)->failed || lanes_of(m)->nstates != LANE_CLASSES * 2) {
		model_free(m);
		errno = ENOMEM;
		return (NULL);
	}
	return (m);
}

static void
lanes_clear(struct model *m)
{
	struct lane_data *l;
	struct lod *lod;

	for (uint32_t i = 0; i < lanes_of(m)->nlanes; i++) {
		l = lane_at(m, i);
		memory_free(atomic_load(&l->label));
		lod = atomic_load(&l->lod);
		if (lod != NULL)
			lod_clear(lod);
		memory_free(lod);
	}
	lod_store_clear(&lanes_of(m)->store);
}

void
model_free(struct model *m)
{
	if (m == NULL)
		return;
	lanes_clear(m);
	detail_clear(m);
	plan_clear(m);
	talklog_clear(m);
	if (fetched_of(m)->whole == NULL)
		atomic_fetch_sub(&models, 1);
	define_clear(m);
	tree_clear(m);
	if (fetched_of(m)->whole == NULL) /* else they are its */
		memory_free(lanes_of(m)->states);
	memory_free(lanes_of(m)->state_function);
	chunk_clear(&lanes_of(m)->lanes);
	chunk_clear(&lanes_of(m)->threads);
	chunk_clear(&defs_of(m)->called);
	chunk_clear(&defs_of(m)->talks);
	functions_clear(m);
	idmap_clear(&defs_of(m)->function_map);
	shelves_clear(m);
	chunk_clear(&objects_of(m)->objects);
	chunk_clear(&objects_of(m)->requests);
	chunk_clear(&objects_of(m)->orders);
	idmap_clear(&lanes_of(m)->state_map);
	idmap_clear(&objects_of(m)->object_map);
	idmap_clear(&objects_of(m)->request_map);
	idmap_clear(&objects_of(m)->order_map);
	idmap_clear(&objects_of(m)->move_map);
	idmap_clear(&objects_of(m)->lock_map);
	for (int i = 0; i < SYNC_SORTS; i++)
		idmap_clear(&objects_of(m)->sync_map[i]);
	links_clear(m);
	scheds_clear(m);
	samples_clear(m);
	sites_clear(m);
	phases_clear(m);
	counters_clear(m);
	event_list_clear(heap_of(m));
	event_list_clear(lock_counts_of(m));
	interval_clear(&marks_of(m)->marks);
	interval_clear(&marks_of(m)->alerts);
	interval_clear(&marks_of(m)->losses);
	memory_free(links_of(m)->open.now);
	memory_free(links_of(m)->open.before);
	memory_free(links_of(m)->open.last);
	pthread_mutex_destroy(&density_of(m)->density_lock);
	free(m->batch);
	buf_free(&m->scratch);
	retired_clear(&held_of(m)->retired);
	memory_free(m);
}

/* Marks that belong to a thread, a PO or a node. */
static void
model_mark(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t lane = l->lane, node = l->node;

	if (e->kind == EV_orphan && node == 0)
		return; /* the effect itself is marked, at its place */
	if (e->kind == EV_lost)
		atomic_fetch_add_explicit(&facts_of(m)->lost, e->a,
		    memory_order_relaxed);
	else if (held_of(m)->kinds[e->kind].class == CLASS_monitor &&
		 node == 0 && e->c != 0) {
		if (node_defined(whole_of(m), e->c) == NULL) {
			odd_note(m, ODD_NODE, e->c);
			return;
		}
		lane = lane_of_node(whole_of(m), e->c);
		node = e->c;
	}
	if (held_of(m)->kinds[e->kind].class == CLASS_monitor &&
	    fetched_of(m)->whole == NULL)
		health_event(m, node, e);
	mark_add(m, lane, e);
}

/* An effect that was let go without its cause: the flag is the truth. */
static void
model_orphan(struct model *m, const struct location *l, const struct event *e)
{
	struct event mark = *e;

	mark.kind = EV_orphan;
	mark.a = event_table[e->kind].key == KEY_B ? e->b : e->a;
	mark.c = e->kind;
	if (fetched_of(m)->whole == NULL)
		health_event(m, l->node, &mark);
	mark_add(m, l->lane, &mark);
}

static void
model_event(struct model *m, const struct event *e)
{
	const struct kind_info *k = &held_of(m)->kinds[e->kind];
	struct location *l = define_location(m, e->location);
	uint32_t task = TASK_NONE;

	if (l == NULL || !k->known)
		return;
	/* each structure takes the event before the time of the thread moves */
	if (k->class == CLASS_task &&
	    !(e->kind == EV_future_set || e->kind == EV_future_get))
		task = fetched_of(m)->whole == NULL
			   ? task_event(m, l, e)
			   : model_task_by_id(fetched_of(m)->whole, e->a);
	if (l->runs)
		thread_event(m, l, e, task);
	else if (e->kind == EV_po_end && l->po != 0)
		thread_process_over(m, l->lane, e->t_mon_ns);
	if (k->class == CLASS_object)
		object_event(m, l, e);
	else if (k->class == CLASS_lock)
		lock_event(m, l, e);
	else if (e->kind == EV_choice || e->kind == EV_muted)
		locks_untold(m, l, e);
	if (k->keyed)
		link_event(m, l, e);
	if (k->mark || (e->kind == EV_po_end && e->b == 0))
		model_mark(m, l, e);
	if (k->class == CLASS_memory)
		event_list_add(m, heap_of(m), e);
	if (e->kind == EV_enter && e->b != 0)
		site_event(m, l, e);
	if (e->kind == EV_counter || e->kind == EV_counter_real ||
	    e->kind == EV_measure)
		counter_event(m, l, e);
	else if (e->kind == EV_own || e->kind == EV_own_more ||
		 e->kind == EV_lost)
		counter_own(m, l, e);
	else if (e->kind >= EV_sched_in && e->kind <= EV_sched_from)
		sched_event(m, l, e);
	else if (e->kind >= EV_sample_from && e->kind <= EV_sample_found)
		sample_event(m, l, e);
	else if (e->kind == EV_po_end && fetched_of(m)->whole == NULL)
		scheds_process_over(m, l->lane, e->t_mon_ns);
	if ((e->kind == EV_po_begin || e->kind == EV_po_end) &&
	    fetched_of(m)->whole == NULL)
		define_po_life(m, l, e);
	if (e->flags & EVENT_ORPHAN)
		model_orphan(m, l, e);
	if (e->t_mon_ns < l->first_ns)
		PUT(l->first_ns, e->t_mon_ns);
	PUT(l->last_ns, e->t_mon_ns);
	if (fetched_of(m)->whole == NULL)
		density_add(m, e->t_mon_ns);
}

static int
model_block(struct model *m, const struct frame *f)
{
	struct msg_block b;
	struct event *p;

	if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1) {
		odd_note(m, ODD_FRAME, MSG_block);
		errno = EINVAL;
		return (-1);
	}
	if (!block_is_possible(m, &b))
		return (-1);
	if (b.events > m->batch_cap) {
		p = realloc(m->batch, b.events * sizeof(*p));
		if (p == NULL)
			return (-1);
		m->batch = p;
		m->batch_cap = b.events;
	}
	if (block_read(&b, m->batch, &m->scratch) == -1) {
		odd_note(m, ODD_FRAME, MSG_block);
		errno = EINVAL;
		return (-1);
	}
	model_add_events(m, m->batch, b.events);
	return (0);
}

void
model_add_events(struct model *m, const struct event *e, size_t n)
{
	int64_t first =
	    atomic_load_explicit(&facts_of(m)->first_ns, memory_order_relaxed);
	int64_t last =
	    atomic_load_explicit(&facts_of(m)->last_ns, memory_order_relaxed);
	int64_t known = last;
	int late = 0;

	for (size_t i = 0; i < n; i++) {
		if (fetched_of(m)->whole == NULL)
			ahead(m, &e[i], n - i);
		if (e[i].kind >= EVENT_KINDS)
			continue;
		model_event(m, &e[i]);
		late |= e[i].t_mon_ns < known;
		if (e[i].t_mon_ns < first)
			first = e[i].t_mon_ns;
		if (e[i].t_mon_ns > last)
			last = e[i].t_mon_ns;
	}
	tree_settle(m);
	objects_rebuild(m);
	forget(m);
	retired_sweep(&held_of(m)->retired);
	atomic_store_explicit(&facts_of(m)->first_ns, first,
	    memory_order_relaxed);
	if (late)
		atomic_fetch_add_explicit(&facts_of(m)->rewritten, 1,
		    memory_order_release);
	atomic_store_explicit(&facts_of(m)->last_ns, last,
	    memory_order_release);
	atomic_fetch_add_explicit(&facts_of(m)->events, n,
	    memory_order_release);
}

int
model_add_frame(struct model *m, const struct frame *f)
{
	int r;

	held_of(m)->failed = 0;
	facts_of(m)->frame_bytes = f->frame_bytes;
	facts_of(m)->log_bytes += f->frame_bytes;
	r = f->type == MSG_block ? model_block(m, f) : define_frame(m, f);
	if (r == 0 && f->type == MSG_thread)
		r = scheds_thread(m, f);
	if (r == 0 && held_of(m)->failed != 0) {
		errno = held_of(m)->failed;
		r = -1;
	}
	return (r);
}
