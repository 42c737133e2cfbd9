/*
 * The memory of a ring.
 *
 * A ring that has grown goes on in new memory (ring.h).  What its earlier
 * generations had is given back when all of it is in the spool, and what all
 * but the first had when its thread has ended: the program pays for what it
 * uses, not for what it once used.
 */
#include "drain_in.h"

static uint32_t
slot_number(const struct drain_po *dp, const struct slot *s)
{
	return ((uint32_t)(s - dp->slots));
}

static struct ring *
slot_ring(const struct drain_po *dp, const struct slot *s)
{
	return (segment_ring(dp->source.seg, &dp->source.layout,
	    slot_number(dp, s)));
}

/*
 * What the ring has grown by, from one generation up to another, it may grow by
 * again.  Of one that has not begun nothing has been taken.
 */
static void
give_back(struct drain_po *dp, struct ring *r, uint32_t from, uint32_t to)
{
	uint32_t first = dp->source.layout.ring_first;

	atomic_store(&r->emptied, to); /* a successor does not do it again */
	for (uint32_t g = from == 0 ? 1 : from; g < to; g++)
		if (atomic_load(&r->start[g]) != 0)
			atomic_fetch_add(&dp->source.seg->growth.given_back,
			    ring_size(first, g));
}

uint32_t
drain_ring_emptied(const struct drain_po *dp, const struct ring *r)
{
	uint32_t n = atomic_load(&r->emptied);

	return (n < dp->source.layout.generations
		    ? n
		    : dp->source.layout.generations - 1);
}

const struct ring_record *
drain_ring_records(struct drain_po *dp, struct slot *s)
{
	return (segment_records(dp->source.seg, &dp->source.layout,
	    slot_number(dp, s)));
}

/* From one generation up to another. */
static void
ring_empty(struct drain_po *dp, struct slot *s, uint32_t from, uint32_t to)
{
	const struct segment_layout *l = &dp->source.layout;
	uint64_t at = ring_before(l->ring_first, from);
	uint64_t end = ring_before(l->ring_first, to);

	if (end > at)
		dp->source.ops->empty(dp->source.arg,
		    segment_records(dp->source.seg, l, slot_number(dp, s)) + at,
		    (end - at) * sizeof(struct ring_record));
}

void
drain_ring_passed(struct drain_po *dp, struct slot *s)
{
	struct ring *r = slot_ring(dp, s);
	uint64_t start;

	while (s->emptied + 1 < dp->source.layout.generations) {
		start = atomic_load(&r->start[s->emptied + 1]);
		if (start == 0 || start > s->tail)
			return;
		ring_empty(dp, s, s->emptied, s->emptied + 1);
		give_back(dp, r, s->emptied, s->emptied + 1);
		s->emptied++;
	}
}

void
drain_ring_reclaim(struct drain_po *dp, struct slot *s)
{
	struct ring *r = slot_ring(dp, s);

	atomic_store(&r->state, RING_RECLAIM);
	ring_empty(dp, s, 1, dp->source.layout.generations);
	give_back(dp, r, drain_ring_emptied(dp, r),
	    dp->source.layout.generations);
	atomic_store(&r->emptied, 0);
	for (uint32_t g = 1; g < RING_GENERATIONS; g++)
		atomic_store(&r->start[g], 0);
	atomic_store(&r->head, 0);
	atomic_store(&r->active, 0);
	atomic_store(&r->lost_total, 0);
	atomic_store(&r->lost_records, 0);
	atomic_store(&r->tail, 0);
	atomic_store(&r->thread, 0);
	atomic_store_explicit(&r->state, RING_FREE, memory_order_release);
}
