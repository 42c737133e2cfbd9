/*
 * The events of a lane: a queue of chunks in a pool.  Each stays where it is
 * from when it comes until it is out, and is known by its index.
 */
#ifndef MONITORD_LANEQUEUE_H
#define MONITORD_LANEQUEUE_H

#include "monitord/order/causal/eventpool.h"
#include "monitord/order/causal/lane.h"

/* The place of a lane's next event; there is a chunk in the pool. */
static inline uint32_t
lanequeue_place(struct lane *l, struct eventpool *pool, uint32_t lane)
{
	uint32_t chunk;

	if (l->tail == CHUNK_NONE || l->fill == CHUNK_EVENTS) {
		chunk = eventpool_take(pool, lane);
		if (l->tail != CHUNK_NONE)
			pool->chunk[l->tail].next = chunk;
		l->tail = chunk;
		l->fill = 0;
	}
	return (l->tail * CHUNK_EVENTS + l->fill);
}

/* The one behind it, if there is any. */
static inline uint32_t
lanequeue_next(const struct eventpool *pool, uint32_t index)
{
	if (index % CHUNK_EVENTS < CHUNK_EVENTS - 1)
		return (index + 1);
	return (pool->chunk[index / CHUNK_EVENTS].next * CHUNK_EVENTS);
}

/* All events of a chunk are out. */
static inline void
lanequeue_give(struct lane *lanes, struct eventpool *pool, uint32_t chunk)
{
	const struct chunk *c = &pool->chunk[chunk];

	if (c->next == CHUNK_NONE) /* the last one of its lane */
		lanes[c->lane].tail = CHUNK_NONE;
	eventpool_give(pool, chunk);
}

#endif
