/*
 * Room for events that are held: queues of chunks, one queue a lane, all from
 * one pool.  An event is known by a 32-bit index as long as it is held, so
 * that sorting moves indices and the event itself is copied in and out once.
 */
#ifndef MONITORD_EVENTPOOL_H
#define MONITORD_EVENTPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

#define CHUNK_EVENTS 16u /* 1 KiB: thousands of streams have one each */
#ifdef ORRERY_SMALL      /* as in block.h */
#define SLAB_CHUNKS 32u
#else
#define SLAB_CHUNKS 2048u /* what is asked of the system at a time: 2 MB */
#endif
#define SLAB_EVENTS (CHUNK_EVENTS * SLAB_CHUNKS)
#define CHUNK_NONE  UINT32_MAX

/* A cache line for each, so that one met alone costs one miss and not two. */
struct event_slot {
	_Alignas(64) struct event ev;
	uint64_t cause_id; /* pairs it with its partner; 0: with nothing */
};

struct chunk {
	uint32_t next; /* of the lane, or of the free list */
	uint32_t lane;
	uint32_t out; /* how many of it have been released */
};

/* All zero is empty. */
struct eventpool {
	struct event_slot **slab;
	struct chunk *chunk;
	size_t slabs;
	uint32_t free, used; /* chunks; free: first of the list + 1 */
};

size_t eventpool_bytes(const struct eventpool *); /* of the system */
void eventpool_clear(struct eventpool *);         /* frees */
/* So many chunks can be taken without asking the system.  -1 with ENOMEM. */
int eventpool_reserve(struct eventpool *, size_t chunks);
uint32_t eventpool_take(struct eventpool *, uint32_t lane);
void eventpool_give(struct eventpool *, uint32_t chunk);

/* Those of a chunk lie in a row. */
static inline struct event_slot *
eventpool_slot(const struct eventpool *p, uint32_t index)
{
	return (&p->slab[index / SLAB_EVENTS][index % SLAB_EVENTS]);
}

static inline struct event *
eventpool_at(const struct eventpool *p, uint32_t index)
{
	return (&eventpool_slot(p, index)->ev);
}

#endif
