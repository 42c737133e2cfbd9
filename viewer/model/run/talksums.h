/* Messages and calls by who sent them to whom: processes by their numbers. */
#ifndef VIEWER_TALKSUMS_H
#define VIEWER_TALKSUMS_H

#include <stddef.h>
#include <stdint.h>

#include "model/run/run.h"

/*
 * All 0: empty.  Memory is the model's (memory.h), or, when that was set before
 * the first pair, the heap's.
 */
struct talk_sums {
	bool heap;
	struct talk_pair *pair;
	uint32_t n, cap;
	uint32_t *slot, mask; /* pair + 1, by from, to and what */
};

/* Adds to a pair.  -1: ENOMEM.  Some ns. */
int talk_sums_add(struct talk_sums *, const struct talk_pair *);
/* NULL: there was nothing from the one to the other. */
const struct talk_pair *talk_sums_find(const struct talk_sums *, uint32_t from,
    uint32_t to, enum talk);
void talk_sums_empty(struct talk_sums *);         /* keeps the memory */
void talk_sums_clear(struct talk_sums *);         /* frees it */
size_t talk_sums_bytes(const struct talk_sums *); /* held */

/*
 * As bytes, to be kept: the caller's; *n of them, NULL: ENOMEM.  And adds those
 * of such bytes.  -1: ENOMEM.
 */
uint8_t *talk_sums_pack(const struct talk_sums *, size_t *n);
int talk_sums_unpack(struct talk_sums *, const uint8_t *, size_t n);

/*
 * A message whose cause cannot be found in what is read again of the log, from
 * any checkpoint on, since more than so many causes lie between the two or the
 * effect came first, is noted by itself (odd) when it is taken; and bytes that
 * are kept, no more.  Tests change both: at most LAST_CAUSES.
 */
extern uint32_t talk_apart;
extern uint64_t talk_most_bytes;

#endif
