/*
 * See detail.h: the way in where the log's places are known, and the models
 * that are fetched back.
 */
#include "model/detail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "model/calls/swept.h"
#include "model/inside.h"
#include "model/keep/memory.h"
#include "model/past/checkpoint.h"
#include "model/past/sums.h"

int
model_add_frame_at(struct model *m, const struct frame *f, uint64_t offset)
{
	struct msg_block d;

	facts_of(m)->log_bytes = offset; /* that which is before it */
	/* one that is damaged is not read either */
	if (f->type == MSG_block &&
	    msg_decode(MSG_block, f->body, f->body_bytes, &d) == 0 &&
	    d.events <= BLOCK_EVENTS_MAX && time_is_near(d.first_mon_ns) &&
	    time_is_near(d.last_mon_ns) &&
	    plan_note_block(m, &d, f->frame_bytes, offset) == -1)
		return (-1);
	return (model_add_frame(m, f));
}

int
model_add_block_at(struct model *m, const struct msg_block *d,
    const struct event *e, size_t frame_bytes, uint64_t offset)
{
	held_of(m)->failed = 0;
	facts_of(m)->log_bytes = offset + frame_bytes;
	facts_of(m)->frame_bytes = frame_bytes;
	if (!block_is_possible(m, d) ||
	    plan_note_block(m, d, frame_bytes, offset) == -1)
		return (-1);
	model_add_events(m, e, d->events);
	errno = held_of(m)->failed;
	return (held_of(m)->failed != 0 ? -1 : 0);
}

/* The same lanes, with the same numbers, and nothing in them. */
static int
lanes_copy(const struct model *m, struct model *d)
{
	struct lane_data *l;
	int64_t end;

	for (uint32_t i = 0; i < model_lanes(m); i++) {
		l = lane_at(m, i);
		if (lane_add(d, &l->pub, atomic_load(&l->lod) != NULL) != i)
			return (-1);
		end = atomic_load_explicit(&l->end_ns, memory_order_relaxed);
		atomic_store_explicit(&lane_at(d, i)->end_ns, end,
		    memory_order_relaxed);
	}
	return (0);
}

static int
threads_copy(const struct model *m, struct model *d)
{
	uint32_t n =
	    atomic_load_explicit(&defs_of(m)->nlocations, memory_order_relaxed);
	const struct location *from;
	struct location *to;

	for (uint32_t i = 0; i < n; i++) {
		from = chunk_at(&defs_of(m)->locations, i);
		if (from == NULL || !from->known)
			continue;
		to = chunk_make(&defs_of(d)->locations, i, &held_of(d)->bytes);
		if (to == NULL)
			return (-1);
		*to = *from;
		to->stack = NULL;
		to->deep_lane = NULL;
		to->opened = NULL;
		to->opened_slot = NULL;
		to->nopened = to->opened_mask = 0;
		to->top = to->cap = to->over = to->said = 0;
		to->spans = to->moved = 0;
		to->depths = 0; /* their lanes are there, but not in use */
		to->first_ns = INT64_MAX;
		to->last_ns = INT64_MIN;
		to->is_lost = to->is_over = to->holds = 0;
	}
	atomic_store(&defs_of(d)->nlocations, n);
	return (0);
}

struct model *
detail_new(struct model *m, const struct detail_plan *p)
{
	const struct log_checkpoint *k;
	struct model *d = model_new();

	if (d == NULL)
		return (NULL);
	memory_free(lanes_of(d)->states);
	memory_free(lanes_of(d)->state_function);
	lanes_of(d)->states = lanes_of(m)->states;
	lanes_of(d)->state_function = NULL;
	fetched_of(d)->whole = m;
	model_is_detail();
	fetched_of(d)->reserved = DETAIL_BASE_B + p->events * DETAIL_EVENT_B;
	atomic_fetch_add_explicit(&fetched_of(m)->detail_bytes,
	    fetched_of(d)->reserved, memory_order_relaxed);
	forget(m); /* makes room for it first */
	fetched_of(d)->known0_ns = p->t0_ns;
	fetched_of(d)->known1_ns = p->t1_ns;
	memcpy(held_of(d)->kinds, held_of(m)->kinds, sizeof(held_of(d)->kinds));
	for (unsigned i = 0; i < EVENT_KINDS; i++) /* see model_event() */
		if (held_of(d)->kinds[i].class == CLASS_task &&
		    held_of(d)->kinds[i].role != ROLE_NONE)
			held_of(d)->kinds[i].keyed = 1;
	if (lanes_copy(m, d) == -1 || threads_copy(m, d) == -1)
		goto fail;
	if (p->checkpoint > 0) {
		k = chunk_known(&log_of(m)->checkpoints, p->checkpoint - 1);
		if (checkpoint_apply(k->c, d) == -1)
			goto fail;
	}
	return (d);
fail:
	detail_free(d);
	errno = ENOMEM;
	return (NULL);
}

bool
detail_lacks(const struct model *d)
{
	return (links_lack(d, fetched_of(d)->known1_ns));
}

void
detail_ready(struct model *d)
{
	uint32_t n =
	    atomic_load_explicit(&defs_of(d)->nlocations, memory_order_relaxed);
	struct location *l;

	for (uint32_t i = 0; i < n; i++)
		if ((l = chunk_at(&defs_of(d)->locations, i)) != NULL &&
		    l->known)
			thread_flat(d, l);
	links_check(d);
	atomic_store(&facts_of(d)->last_ns,
	    model_last_ns(fetched_of(d)->whole));
}

void
detail_free(struct model *d)
{
	if (d == NULL)
		return;
	atomic_fetch_sub_explicit(&fetched_of(fetched_of(d)->whole)
				       ->detail_bytes,
	    fetched_of(d)->reserved, memory_order_relaxed);
	model_free(d);
}

uint64_t
model_details(const struct model *m)
{
	return (fetched_of(m)->details);
}

void
model_set_detail(struct model *m, struct model *d)
{
	struct model *old = fetched_of(m)->detail;
	uint64_t bytes = d == NULL ? 0 : model_bytes(d);

	fetched_of(m)->detail = d;
	fetched_of(m)->details++;
	atomic_fetch_add_explicit(&facts_of(m)->rewritten, 1,
	    memory_order_release);
	if (d != NULL) {
		atomic_fetch_add_explicit(&fetched_of(m)->detail_bytes,
		    bytes - fetched_of(d)->reserved, memory_order_relaxed);
		fetched_of(d)->reserved = bytes;
	}
	detail_free(old);
}

bool
model_known(const struct model *m, int64_t t0, int64_t t1)
{
	return (t0 >= atomic_load(&facts_of(m)->gone_ns) ||
		t1 <= model_first_ns(m) || detail_for(m, t0, t1) != m);
}

bool
model_coarse(const struct model *m, int64_t t0, int64_t t1, unsigned n)
{
	uint32_t events = 0,
		 threads = atomic_load_explicit(&lanes_of(m)->nthreads,
		     memory_order_relaxed);
	double summaries;
	uint64_t grain = LOD_LEAF;

	if (t1 <= t0 || model_known(m, t0, t1))
		return (false);
	for (int k = 0; k < LOD_LEVELS && SEE(facts_of(m)->nodes_ns[k]) > t0;
	     k++)
		grain *= LOD_FAN;
	density_read(m, t0, t1, 1, &events);
	summaries = (double)events / (double)grain / (threads + 1);
	return (summaries < n);
}

void
detail_clear(struct model *m)
{
	sums_free(fetched_of(m)->range_ends);
	sweep_free(fetched_of(m)->sweep);
	sums_free(fetched_of(m)->messages);
	model_free(fetched_of(m)->detail);
}
