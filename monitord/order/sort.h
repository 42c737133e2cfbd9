/*
 * Stable sorting of events by time without touching the events: of packed
 * keys, time above and index below, by radix; of anything else by merging.
 */
#ifndef MONITORD_SORT_H
#define MONITORD_SORT_H

#include <stddef.h>
#include <stdint.h>

/* One event waiting to be put out: its final time, and where it is. */
struct sort_item {
	int64_t t_mon_ns;
	uint32_t index, lane; /* lane: set for sort_items() only */
};

/*
 * Sorts by the upper 32 bits; equal ones keep their order.  span is the
 * greatest value of those bits.  tmp has room for n.  Returns where the result
 * is: keys or tmp.  About 3 ns a key in cache for spans of some ms.
 */
uint64_t *sort_packed(uint64_t *keys, uint64_t *tmp, size_t n, uint32_t span);

/* Items whose times are too far apart to pack: by time, then by lane. */
struct sort_item *sort_items(struct sort_item *, struct sort_item *tmp,
    size_t n);

#endif
