/*
 * What was waited for in a range of time: locks, conditions and semaphores,
 * barriers and joins; who held a lock while others waited for it; and in which
 * function it was waited.  Looked for in the rows of the threads' depths and of
 * the locks when it is asked, in parts.
 *
 * All calls by one thread; the model may grow meanwhile.
 */
#ifndef VIEWER_LOCKSUMS_H
#define VIEWER_LOCKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

enum lock_sort {
	LOCK_LOCK,     /* held by one at a time; it has a row */
	LOCK_SIGNAL,   /* a condition or semaphore, within work */
	LOCK_TOGETHER, /* barriers, joins, the ends of blocks */
	LOCK_IDLE,     /* a condition or semaphore by which work comes */
	LOCK_PLACE,    /* a function in which any of the first three was */
	LOCK_SORTS
};

/* In the range; of what goes over its ends the part within. */
struct lock_sum {
	uint8_t sort;
	uint32_t lane;   /* of a lock; UINT32_MAX */
	uint32_t name;   /* 0: none was told */
	uint64_t taken;  /* of a lock: how often, begun in the range */
	uint64_t waited; /* begun in the range */
	int64_t wait_ns, wait_max_ns;
	int64_t held_ns, held_max_ns;
	/* most of its wait_ns one thread held it; when it took it for the hold
	 * that cost the most of that */
	uint32_t holder; /* lane; UINT32_MAX: nobody did */
	int64_t holder_ns, hold_mon_ns;
};

struct lock_sums;

struct lock_sums *lock_sums_new(void);   /* NULL: ENOMEM */
void lock_sums_free(struct lock_sums *); /* NULL is fine */
void lock_sums_begin(struct lock_sums *, const struct model *, int64_t t0,
    int64_t t1);
/* About 4096 pieces more; true: all is done, or memory is out. */
bool lock_sums_step(struct lock_sums *);
/* False: some was given up for want of memory. */
bool lock_sums_exact(const struct lock_sums *);
/* What has any of it, the longest waits of a sort first; when it is done. */
size_t lock_sums_list(const struct lock_sums *, const struct lock_sum **);

#endif
