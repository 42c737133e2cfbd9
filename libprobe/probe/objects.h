/* Part of probe.h: objects and memory. */
#ifndef PROBE_OBJECTS_H
#define PROBE_OBJECTS_H

/*
 * Objects: what has an identity, lives on a node and may move.  Request and
 * order ids come from probe_id(); 0 if nobody asked.
 */

/* Asks for an object to be made; creator 0 is no object. */
PROBE_INLINE void
probe_object_request(uint64_t creator, uint64_t request, uint32_t class_name)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_request, class_name,
	    creator, request);
}

/* An object starts its life here. */
PROBE_INLINE void
probe_object_create(uint64_t object, uint64_t request, uint32_t class_name)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_create, class_name,
	    object, request);
}

/* Orders an object to move; destination is the name of a node. */
PROBE_INLINE void
probe_object_order(uint64_t object, uint64_t order, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_order, destination,
	    object, order);
}

/* An object takes an order to move. */
PROBE_INLINE void
probe_object_obey(uint64_t object, uint64_t order, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_obey, destination,
	    object, order);
}

/* An object leaves this node; hop counts its moves from 1, and goes along. */
PROBE_INLINE void
probe_object_depart(uint64_t object, uint64_t hop, uint32_t destination)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_depart, destination,
	    object, hop);
}

/* An object is on this node now; source is the name of a node. */
PROBE_INLINE void
probe_object_arrive(uint64_t object, uint64_t hop, uint32_t source)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_arrive, source, object,
	    hop);
}

/* An object's life is over. */
PROBE_INLINE void
probe_object_dispose(uint64_t object)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_dispose, 0, object, 0);
}

/* An object has a name of its own, beside that of its class. */
PROBE_INLINE void
probe_object_nickname(uint64_t object, uint32_t nickname)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_nickname, nickname,
	    object, 0);
}

/* It is this object that gives the order, with probe_object_order(). */
PROBE_INLINE void
probe_object_orders(uint64_t object, uint64_t order)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_orders, 0, object,
	    order);
}

/* An object waits, until it goes on, leaves or is disposed of. */
PROBE_INLINE void
probe_object_wait(uint64_t object, uint32_t reason)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_wait, reason, object,
	    0);
}

/* It goes on. */
PROBE_INLINE void
probe_object_go(uint64_t object)
{
	PROBE_EVENT(PROBE_CLASS_object, 0, PROBE_object_go, 0, object, 0);
}

/*
 * Memory.  place names where in the program, 0 if that does not matter.
 */

/* Just after memory has been given out. */
PROBE_INLINE void
probe_mem_alloc(const void *address, uint64_t size_bytes, uint32_t place)
{
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_alloc, place,
	    (uint64_t)(uintptr_t)address, size_bytes);
}

/* Just before it is taken back. */
PROBE_INLINE void
probe_mem_free(const void *address, uint32_t place)
{
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_free, place,
	    (uint64_t)(uintptr_t)address, 0);
}

#endif
