/*
 * A checkpoint is one piece of memory: the last change of each lane, what each
 * thread keeps between two events, all open spans, one thread after another,
 * the links that are under way, and what each lane was in so far, to the
 * integer: a mask of the sums that are not 0, then those, as varints.
 *
 * Applied, the open spans are opened again, each when it began, so that a wait
 * lies over the span in which it happens; then each lane gets its last change.
 */
#include "model/past/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "model/events/events.h"
#include "model/keep/memory.h"
#include "model/past/part.h"
#include "model/run/take.h"
#include "varint.h"

#define SUMS_BYTES_MAX ((LOD_PLACES + 2) * VARINT_BYTES_MAX) /* of a lane */
#define BEGUN          (1u << LOD_PLACES)                    /* in the mask */

struct thread_then {
	int64_t last_ns;
	uint64_t spans, moved;
	uint32_t said, over, top, depths, is_lost, is_over;
};

struct shelf_then {
	uint64_t task;
	uint64_t n; /* of its slots, which lie behind those of the threads */
};

struct checkpoint {
	uint32_t nlanes, nthreads, nwaiting, nshelves;
	uint32_t causes; /* so many that are early there had been */
	struct last_change *lane;
	struct thread_then *thread;
	struct slot *slot;
	struct shelf_then *shelf;
	struct link_waiting *waiting;
	uint8_t *sums, *sums_end;
};

static uint32_t
open_spans(const struct model *m, uint32_t threads)
{
	const struct location *l;
	uint32_t n = shelves_of(m)->slots;

	for (uint32_t i = 0; i < threads; i++) {
		l = chunk_at(&defs_of(m)->locations, i);
		n += l == NULL ? 0 : l->top;
	}
	return (n);
}

static struct checkpoint *
checkpoint_make(uint32_t lanes, uint32_t threads, uint32_t slots,
    uint32_t shelves, uint32_t waiting, size_t sums, uint64_t *bytes)
{
	struct checkpoint *c;

	*bytes = sizeof(*c) + (uint64_t)lanes * sizeof(*c->lane) +
		 (uint64_t)threads * sizeof(*c->thread) +
		 (uint64_t)slots * sizeof(*c->slot) +
		 (uint64_t)shelves * sizeof(*c->shelf) +
		 (uint64_t)waiting * sizeof(*c->waiting) + sums;
	c = memory_zero(1, *bytes);
	if (c == NULL)
		return (NULL);
	c->nlanes = lanes;
	c->nthreads = threads;
	c->nwaiting = waiting;
	c->nshelves = shelves;
	c->slot = (struct slot *)(c + 1);
	c->shelf = (struct shelf_then *)(c->slot + slots);
	c->waiting = (struct link_waiting *)(c->shelf + shelves);
	c->lane = (struct last_change *)(c->waiting + waiting);
	c->thread = (struct thread_then *)(c->lane + lanes);
	c->sums = (uint8_t *)(c->thread + threads);
	c->sums_end = c->sums + sums;
	return (c);
}

static void
lanes_take(const struct model *m, struct checkpoint *c)
{
	struct last_change *to;
	struct lod_cursor at;
	struct lod_piece p;
	struct lod *lod;

	for (uint32_t i = 0; i < c->nlanes; i++) {
		lod = atomic_load_explicit(&lane_at(m, i)->lod,
		    memory_order_relaxed);
		if (lod == NULL || lod_seek(lod, INT64_MAX, &at) != 1 ||
		    !lod_next(lod, &at, &p))
			continue;
		to = &c->lane[i];
		*to = (struct last_change){ p.t0_ns, p.id, p.state, 1,
			lane_at(m, i)->turn };
	}
	for (uint32_t i = 0; i < objects_of(m)->nobjects; i++) {
		const struct object *o =
		    chunk_known(&objects_of(m)->objects, i);

		if (o->lane < c->nlanes)
			c->lane[o->lane].turn = o->turn;
	}
}

static uint8_t *
sum_write(uint8_t *p, const struct lod_sum *s)
{
	unsigned mask = s->begun != 0 ? BEGUN : 0;

	for (int i = 0; i < LOD_PLACES; i++)
		mask |= s->ns[i] != 0 ? 1u << i : 0;
	p = varint_write(p, mask);
	if (s->begun != 0)
		p = varint_write(p, s->begun);
	for (int i = 0; i < LOD_PLACES; i++)
		if (s->ns[i] != 0)
			p = varint_write(p, s->ns[i]);
	return (p);
}

/* Of all lanes; returns where they end.  p has room for the longest. */
static uint8_t *
sums_write(const struct model *m, uint32_t lanes, uint8_t *p)
{
	const struct lod *lod;
	struct lod_sum sum;

	for (uint32_t i = 0; i < lanes; i++) {
		lod = atomic_load_explicit(&lane_at(m, i)->lod,
		    memory_order_relaxed);
		if (lod == NULL || lod_empty(lod))
			memset(&sum, 0, sizeof(sum));
		else
			lod_so_far(lod, lanes_of(m)->states, &sum);
		p = sum_write(p, &sum);
	}
	return (p);
}

void
checkpoint_sums(const struct checkpoint *c, struct checkpoint_sums *s)
{
	*s = (struct checkpoint_sums){ 0 };
	if (c != NULL)
		*s =
		    (struct checkpoint_sums){ c->sums, c->sums_end, c->nlanes };
}

void
checkpoint_sums_next(struct checkpoint_sums *s, struct lod_sum *sum)
{
	uint64_t mask = 0;

	memset(sum, 0, sizeof(*sum));
	if (s->left == 0)
		return;
	s->left--;
	s->at = varint_get(s->at, s->end, &mask);
	if (mask & BEGUN)
		s->at = varint_get(s->at, s->end, &sum->begun);
	for (int i = 0; i < LOD_PLACES; i++)
		if (mask & 1u << i)
			s->at = varint_get(s->at, s->end, &sum->ns[i]);
}

static struct checkpoint *
checkpoint_with(const struct model *m, uint32_t lanes, uint32_t threads,
    const uint8_t *sums, size_t n, uint64_t *bytes)
{
	struct link_waiting *waiting = malloc(LAST_CAUSES * sizeof(*waiting));
	uint32_t under_way = waiting == NULL ? 0 : links_waiting(m, waiting);
	struct checkpoint *c =
	    waiting == NULL
		? NULL
		: checkpoint_make(lanes, threads, open_spans(m, threads),
		      shelves_of(m)->n, under_way, n, bytes);

	if (c != NULL && under_way > 0)
		memcpy(c->waiting, waiting, under_way * sizeof(*waiting));
	if (c != NULL)
		memcpy(c->sums, sums, n);
	if (c != NULL)
		c->causes = links_of(m)->open.nlast;
	free(waiting);
	return (c);
}

/* What suspended tasks have taken along; slot: where that begins. */
static void
shelves_take(const struct model *m, struct checkpoint *c, struct slot *slot)
{
	const struct shelves *s = shelves_of(m);
	uint32_t n = 0;

	for (uint32_t i = 0; s->shelf != NULL && i <= s->mask; i++) {
		const struct shelf *f = &s->shelf[i];

		if (f->n == 0)
			continue;
		c->shelf[n++] = (struct shelf_then){ f->task, f->n };
		for (uint32_t k = 0; k < f->n; k++, slot++) {
			*slot = f->slot[k];
			slot->function = NULL;
		}
	}
}

struct checkpoint *
checkpoint_take(const struct model *m, uint64_t *bytes)
{
	uint32_t lanes = model_lanes(m), n = 0;
	uint32_t threads =
	    atomic_load_explicit(&defs_of(m)->nlocations, memory_order_relaxed);
	uint8_t *sums = malloc((size_t)lanes * SUMS_BYTES_MAX + 1);
	struct checkpoint *c =
	    sums == NULL
		? NULL
		: checkpoint_with(m, lanes, threads, sums,
		      (size_t)(sums_write(m, lanes, sums) - sums), bytes);
	const struct location *l;

	free(sums);
	if (c == NULL)
		return (NULL);
	lanes_take(m, c);
	for (uint32_t i = 0; i < threads; i++) {
		l = chunk_at(&defs_of(m)->locations, i);
		if (l == NULL || !l->known)
			continue;
		c->thread[i] = (struct thread_then){ l->last_ns, l->spans,
			l->moved, l->said, l->over, l->top, l->depths,
			l->is_lost, l->is_over };
		if (l->top > 0)
			memcpy(&c->slot[n], l->stack,
			    l->top * sizeof(*c->slot));
		n += l->top;
	}
	shelves_take(m, c, &c->slot[n]);
	return (c);
}

static int
thread_apply(const struct checkpoint *c, struct model *m, struct location *l,
    const struct thread_then *th, const struct slot *slot)
{
	if (th->top > 0) {
		l->stack = memory_alloc(th->top * sizeof(*slot));
		if (l->stack == NULL)
			return (-1);
		memcpy(l->stack, slot, th->top * sizeof(*slot));
		for (uint32_t i = 0; i < th->top; i++)
			l->stack[i].function = NULL; /* they are counted */
	}
	l->top = l->cap = th->top;
	l->said = th->said;
	l->over = th->over;
	l->spans = th->spans;
	l->moved = th->moved;
	l->last_ns = th->last_ns;
	l->is_lost = th->is_lost;
	l->is_over = th->is_over;
	if (l->runs)
		thread_reopen(m, l, th->depths, c->lane, c->nlanes);
	return (0);
}

static int
shelves_apply(const struct checkpoint *c, struct model *m,
    const struct slot *slot)
{
	for (uint32_t i = 0; i < c->nshelves; i++) {
		if (shelf_put(m, c->shelf[i].task, slot,
			(uint32_t)c->shelf[i].n) == -1)
			return (-1);
		slot += c->shelf[i].n;
	}
	return (0);
}

int
checkpoint_apply(const struct checkpoint *c, struct model *m)
{
	const struct last_change *last;
	const struct slot *slot = c->slot;
	struct location *l;

	for (uint32_t i = 0; i < c->nthreads; i++) {
		l = chunk_at(&defs_of(m)->locations, i);
		if (l == NULL || !l->known)
			continue;
		if (thread_apply(c, m, l, &c->thread[i], slot) == -1)
			return (-1);
		slot += c->thread[i].top;
	}
	if (shelves_apply(c, m, slot) == -1)
		return (-1);
	for (uint32_t i = 0; i < c->nlanes; i++) {
		last = &c->lane[i];
		if (last->any)
			lane_change(m, i, last->t0_ns, last->state, last->id);
		lane_at(m, i)->turn = last->turn;
		lane_at(m, i)->holder = last->id - 1;
		lane_at(m, i)->held_ns = last->t0_ns;
		lock_is_held(m, i);
	}
	links_of(m)->open.nlast = c->causes;
	return (links_await(m, c->waiting, c->nwaiting));
}
