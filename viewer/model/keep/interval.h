/*
 * Intervals of time in the order in which they became known, nearly sorted by
 * their start: links and marks.  Groups of 16 keep the earliest start and the
 * latest end of what is in them, groups of groups too, so that a question
 * about a range looks only where there may be something.
 *
 * One writer; readers see what was published.  An interval may be lengthened
 * in place (a link whose effect has come).
 */
#ifndef VIEWER_INTERVAL_H
#define VIEWER_INTERVAL_H

#include <stdatomic.h>
#include <stdint.h>

#include "model/keep/chunk.h"

#define INTERVAL_FAN    16
#define INTERVAL_LEVELS 7

struct interval {
	struct chunk items;
	struct chunk levels[INTERVAL_LEVELS]; /* of struct interval_group */
	_Atomic uint32_t n;
	_Atomic uint32_t gone;                        /* items before are */
	struct interval_group *last[INTERVAL_LEVELS]; /* writer */
};

struct retired;
struct interval_group {
	_Atomic int64_t t0_ns, t1_ns;
};

void interval_init(struct interval *, size_t item_bytes);
void interval_clear(struct interval *);
/* Writer: where the next item goes, to be filled; NULL: ENOMEM. */
void *interval_next(struct interval *, _Atomic uint64_t *bytes);
/* Writer: publishes it as [t0, t1]. */
void interval_publish(struct interval *, int64_t t0, int64_t t1);
/* Writer: item i reaches until t1 now. */
void interval_extend(struct interval *, uint32_t i, int64_t t1);

/*
 * Writer: the oldest items that hold so many bytes are gone, as far as whole
 * pieces become free.  Returns how many are gone in all.
 */
uint32_t interval_forget(struct interval *, uint64_t bytes, struct retired *,
    _Atomic uint64_t *total);
uint64_t interval_bytes(const struct interval *); /* writer: held */

/*
 * First item from `from` on in a group of 16 that touches [t0, t1); the
 * caller looks at the item itself.  UINT32_MAX: no more.  Never one that is
 * gone, but it may be gone when the caller looks: then chunk_at() is NULL.
 */
uint32_t interval_find(const struct interval *, uint32_t from, int64_t t0,
    int64_t t1);

static inline uint32_t
interval_count(const struct interval *v)
{
	return (atomic_load_explicit(&v->n, memory_order_acquire));
}

/* NULL when it is gone. */
static inline void *
interval_at(const struct interval *v, uint32_t i)
{
	return (chunk_at(&v->items, i));
}

#endif
