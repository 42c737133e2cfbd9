/*
 * Chunks come from slabs and go back to a list, last in first out, so that
 * what is used again is warm.  Slabs are kept until the end: what was needed
 * once in a stall will be needed again.  A slab fills a huge page, if the
 * system has them to give: thousands of streams, each in a page of its own,
 * are more than address translation can remember.
 */
#include "eventpool.h"

#include <sys/mman.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
eventpool_clear(struct eventpool *p)
{
	for (size_t i = 0; i < p->slabs; i++)
		free(p->slab[i]);
	free(p->slab);
	free(p->chunk);
	memset(p, 0, sizeof(*p));
}

#define HUGE_BYTES ((size_t)SLAB_CHUNKS << 10)
_Static_assert(SLAB_EVENTS * sizeof(struct event_slot) == HUGE_BYTES, "slab");

size_t
eventpool_bytes(const struct eventpool *p)
{
	return (p->slabs * (HUGE_BYTES + SLAB_CHUNKS * sizeof(struct chunk)));
}

static int
eventpool_grow(struct eventpool *p)
{
	struct event_slot **slab;
	struct chunk *chunk;
	uint32_t first = (uint32_t)(p->slabs * SLAB_CHUNKS);

	if (p->slabs >= UINT32_MAX / SLAB_EVENTS) {
		errno = ENOMEM;
		return (-1);
	}
	slab = realloc(p->slab, (p->slabs + 1) * sizeof(void *));
	if (slab == NULL)
		return (-1);
	p->slab = slab;
	chunk =
	    realloc(p->chunk, (p->slabs + 1) * SLAB_CHUNKS * sizeof(*chunk));
	if (chunk == NULL)
		return (-1);
	p->chunk = chunk;
	p->slab[p->slabs] = aligned_alloc(HUGE_BYTES, HUGE_BYTES);
	if (p->slab[p->slabs] == NULL)
		return (-1);
	madvise(p->slab[p->slabs], HUGE_BYTES, MADV_HUGEPAGE);
	p->slabs++;
	for (uint32_t i = SLAB_CHUNKS; i-- > 0;) {
		p->chunk[first + i].next = p->free;
		p->free = first + i + 1;
	}
	return (0);
}

int
eventpool_reserve(struct eventpool *p, size_t chunks)
{
	while (p->slabs * SLAB_CHUNKS - p->used < chunks) {
		if (eventpool_grow(p) == -1)
			return (-1);
	}
	return (0);
}

uint32_t
eventpool_take(struct eventpool *p, uint32_t lane)
{
	uint32_t i = p->free - 1;

	p->free = p->chunk[i].next;
	p->chunk[i].next = CHUNK_NONE;
	p->chunk[i].lane = lane;
	p->chunk[i].out = 0;
	p->used++;
	return (i);
}

void
eventpool_give(struct eventpool *p, uint32_t i)
{
	p->chunk[i].next = p->free;
	p->free = i + 1;
	p->used--;
}
