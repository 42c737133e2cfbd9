/*
 * The geometry of a segment: head, rings, names, records, all page-aligned so
 * that what is never touched never takes memory.
 */
#include "segment.h"

#include <errno.h>
#include <string.h>

#define PAGE 4096u

static uint64_t
page_round(uint64_t n)
{
	return ((n + PAGE - 1) / PAGE * PAGE);
}

int
segment_layout(struct segment_layout *l, uint64_t first_bytes,
    uint64_t ring_bytes, uint32_t nrings, uint64_t names_bytes)
{
	const uint64_t record = sizeof(struct ring_record);

	if (nrings == 0 || nrings > SEGMENT_RINGS_MAX ||
	    ring_bytes < SEGMENT_RING_BYTES_MIN ||
	    ring_bytes > SEGMENT_RING_BYTES_MAX || names_bytes > 1u << 30) {
		errno = EINVAL;
		return (-1);
	}
	memset(l, 0, sizeof(*l));
	l->ring_records = 1;
	while (l->ring_records * 2 * record <= ring_bytes)
		l->ring_records *= 2;
	l->ring_first = (uint32_t)l->ring_records;
	l->generations = 1;
	while (l->generations < RING_GENERATIONS && l->ring_first >= 4 &&
	       l->ring_first / 4 * record >= first_bytes) {
		l->ring_first /= 4;
		l->generations++;
	}
	/* a sixteenth keeps the structure of the run together when it is full
	 */
	l->reserve_records = (uint32_t)l->ring_records / 16;
	l->nrings = nrings;
	l->rings_offset = page_round(sizeof(struct ring_segment));
	l->choice_offset =
	    l->rings_offset + page_round(nrings * sizeof(struct ring));
	l->names_offset =
	    l->choice_offset + page_round(sizeof(struct ring_choice));
	l->names_bytes = page_round(names_bytes);
	l->records_offset = l->names_offset + l->names_bytes;
	l->ring_bytes =
	    page_round(ring_before(l->ring_first, l->generations) * record);
	l->segment_bytes = l->records_offset + l->ring_bytes * nrings;
	return (0);
}

void
segment_format(struct ring_segment *s, const struct segment_layout *l,
    uint32_t node, uint32_t po, uint32_t names_before, uint32_t mask,
    uint32_t wait_ms)
{
	s->layout = RING_LAYOUT;
	s->segment_bytes = l->segment_bytes;
	s->node = node;
	s->po = po;
	s->nrings = l->nrings;
	s->ring_first = l->ring_first;
	s->generations = l->generations;
	s->reserve_records = l->reserve_records;
	s->rings_offset = l->rings_offset;
	s->records_offset = l->records_offset;
	s->ring_bytes = l->ring_bytes;
	s->names_offset = l->names_offset;
	s->names_bytes = l->names_bytes;
	s->names_before = names_before;
	s->choice_offset = l->choice_offset;
	atomic_store(&s->mask, mask);
	atomic_store(&s->wait_ms, wait_ms);
	s->magic = RING_MAGIC;
}
