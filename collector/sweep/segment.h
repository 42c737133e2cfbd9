/*
 * Where things are in a PO's segment (ring.h), worked out once and never read
 * back from the shared memory.
 */
#ifndef COLLECTOR_SEGMENT_H
#define COLLECTOR_SEGMENT_H

#include "ring.h"

struct segment_layout {
	uint64_t segment_bytes;
	uint64_t rings_offset, choice_offset;
	uint64_t names_offset, names_bytes;
	uint64_t records_offset, ring_bytes;
	uint64_t ring_records; /* of the last generation */
	uint32_t nrings, ring_first, generations, reserve_records;
};

#define SEGMENT_RINGS_MAX      65536u
#define SEGMENT_RING_BYTES_MIN 4096u
#define SEGMENT_RING_BYTES_MAX (1u << 30)
#define SEGMENT_FIRST_BYTES    (32u << 10) /* what a ring begins with */

/*
 * Lays out nrings rings that grow to about ring_bytes of records each (rounded
 * down to a power of two), from first_bytes or somewhat more, and names_bytes
 * of names.  Returns 0, or -1 with EINVAL.
 */
int segment_layout(struct segment_layout *, uint64_t first_bytes,
    uint64_t ring_bytes, uint32_t nrings, uint64_t names_bytes);

/* Writes the head of a fresh, zeroed segment. */
void segment_format(struct ring_segment *, const struct segment_layout *,
    uint32_t node, uint32_t po, uint32_t names_before, uint32_t mask,
    uint32_t wait_ms);

static inline struct ring *
segment_ring(struct ring_segment *seg, const struct segment_layout *l,
    uint32_t i)
{
	return (ring_at(seg, l->rings_offset, i));
}

/* What is recorded by name. */
static inline struct ring_choice *
segment_choice(struct ring_segment *seg, const struct segment_layout *l)
{
	return ((struct ring_choice *)(void *)((char *)seg + l->choice_offset));
}

/* The memory of the records of ring i. */
static inline struct ring_record *
segment_records(struct ring_segment *seg, const struct segment_layout *l,
    uint32_t i)
{
	return ((struct ring_record *)(void *)((char *)seg + l->records_offset +
					       l->ring_bytes * i));
}

#endif
