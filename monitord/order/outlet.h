/*
 * The way out: events with their final time, which need only be sorted once
 * more and handed on when no earlier one can come.
 */
#ifndef MONITORD_OUTLET_H
#define MONITORD_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "monitord/order/causal/eventpool.h"
#include "sort.h"

#define OUTLET_EVENTS 256 /* handed on at a time: 14 KiB */

struct outlet {
	struct eventpool *pool;
	void (*emit)(void *arg, const struct event *, size_t n);
	/* all events of a chunk are out, or all that its lane has put in */
	void (*emptied)(void *owner, uint32_t chunk);
	void *arg, *owner;

	struct sort_item *items; /* not out yet, in order of processing */
	size_t items_n, items_cap;
	size_t looked_n;  /* the first so many are known: */
	int64_t least_ns; /* none of them is before this */
	uint64_t *keys, *tmp;
	size_t keys_cap;
	int64_t passed_ns; /* everything before is out; what comes is late */
	uint64_t out, late;
	size_t batch_n;
	struct event batch[OUTLET_EVENTS];
};

/* Room for n more items.  -1 with ENOMEM. */
int outlet_reserve(struct outlet *, size_t n);
static inline void
outlet_put(struct outlet *o, int64_t t_mon_ns, uint32_t index)
{
	struct sort_item *it = &o->items[o->items_n++];

	it->t_mon_ns = t_mon_ns;
	it->index = index;
}
/* Everything before `before` is final.  -1 with ENOMEM: nothing was done. */
int outlet_emit(struct outlet *, int64_t before_ns);
size_t outlet_bytes(const struct outlet *); /* of the system */
void outlet_clear(struct outlet *);         /* frees */

#endif
