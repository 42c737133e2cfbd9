/*
 * Where things are in a PO's segment (ring.h), worked out once and never read
 * back from the shared memory.
 */
#ifndef COLLECTOR_SEGMENT_H
#define COLLECTOR_SEGMENT_H

#include "ring.h"

struct segment_layout {
	uint64_t segment_bytes;
	uint64_t rings_offset, ring_bytes;
	uint64_t names_offset, names_bytes;
	uint32_t nrings, ring_records, reserve_records;
};

#define SEGMENT_RINGS_MAX      65536u
#define SEGMENT_RING_BYTES_MIN 4096u
#define SEGMENT_RING_BYTES_MAX (1u << 30)

/*
 * Lays out nrings rings of about ring_bytes of records each (rounded down to
 * a power of two) and names_bytes of names.  Returns 0, or -1 with EINVAL.
 */
int segment_layout(struct segment_layout *, uint64_t ring_bytes,
    uint32_t nrings, uint64_t names_bytes);

/* Writes the head of a fresh, zeroed segment. */
void segment_format(struct ring_segment *, const struct segment_layout *,
    uint32_t node, uint32_t po, uint32_t mask, uint32_t wait_ms);

static inline struct ring *
segment_ring(struct ring_segment *seg, const struct segment_layout *l,
    uint32_t i)
{
	return (ring_at(seg, l->rings_offset, l->ring_bytes, i));
}

#endif
