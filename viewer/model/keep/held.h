/*
 * What all rooms of a model share.
 *
 * A model is one piece of memory, laid out from the lowest room up: what is
 * shared, the tree, the run, the past, the way in.  Each room knows its own
 * part (its part.h) and those of the rooms below, and has them of a model by a
 * function like held_of(), which costs nothing.
 *
 * Fields are the writer's own unless they are atomic, in a chunk below a
 * published count, or said to be read.
 */
#ifndef VIEWER_HELD_H
#define VIEWER_HELD_H

#include <stdatomic.h>
#include <stdint.h>

#include "event.h"
#include "model/keep/retired.h"
#include "model/keep/slab.h"

struct model;

/* Relaxed access to fields that the writer changes in place. */
#define SEE(p)    __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define PUT(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#define ADD(p, v) PUT(p, SEE(p) + (v))

/* What the writer needs to know about a kind of event, from the table. */
struct kind_info {
	uint8_t known, shape, span, role, key, match, class;
	uint8_t named; /* word c is a name */
	uint8_t keyed; /* pairs through the table of open causes */
	uint8_t mark;
	uint8_t early; /* its link is shown before the effect has come */
	uint16_t partner;
};

struct held {
	_Atomic uint64_t bytes;
	int failed; /* errno of what could not be kept */
	struct retired retired;
	struct slab slab; /* what is looked up at random: tasks, their ids */
	struct kind_info kinds[EVENT_KINDS];
};

static inline struct held *
held_of(const struct model *m)
{
	return ((struct held *)m);
}

#endif
