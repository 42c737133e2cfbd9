/*
 * What was waited for in a range of time: locks, conditions, semaphores,
 * barriers and collective operations, each by itself, and joins; who held a
 * lock while others waited for it; of what has no holder how many waited at
 * once; and in which function it was waited.  Looked for in the rows of the
 * threads' depths and of what is waited for when it is asked, in parts.
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
	LOCK_LOCK,      /* held by one at a time, or by many */
	LOCK_CONDITION, /* within work; in the order of enum sync_sort */
	LOCK_SEMAPHORE, /* the same */
	LOCK_BARRIER,
	LOCK_COLLECTIVE,
	LOCK_TOGETHER, /* joins, sleeps, barriers of blocks */
	LOCK_IDLE,     /* a condition or semaphore by which work comes */
	LOCK_PLACE,    /* a function in which any of the others was, not idle */
	LOCK_SORTS
};

/* In the range; of what goes over its ends the part within. */
struct lock_sum {
	uint8_t sort;
	uint32_t lane;    /* of a lock and the like; UINT32_MAX: it has none */
	uint32_t name;    /* 0: none was told */
	uint64_t id;      /* of one that has no lane as nobody waited; else 0 */
	uint64_t taken;   /* of a lock: how often, begun in the range; of a
			   * semaphore: without a wait, as counted */
	uint64_t unheard; /* posts, or signals, while nobody waited; as counted
			   */
	uint64_t waited;  /* begun in the range */
	int64_t wait_ns, wait_max_ns;
	int64_t held_ns, held_max_ns; /* by each that held it */
	int64_t used_ns;              /* by any of them */
	/* between these it was waited for, or held, or a count of it was told
	 */
	int64_t first_mon_ns, last_mon_ns;
	/* most of its wait_ns one thread held it; when it took it for the hold
	 * that cost the most of that */
	uint32_t holder; /* lane; UINT32_MAX: nobody did */
	int64_t holder_ns, hold_mon_ns;
	/* of the others with a lane: in this function was most of its wait_ns;
	 * so many waited at once, idle ones too */
	uint32_t place; /* name; 0: outside of all */
	int64_t place_ns;
	uint32_t most;
};

struct lock_sums;

/* Counts are of locks that are not told apart: no id, no lane. */
static inline bool
lock_sum_is_rest(const struct lock_sum *s)
{
	return (s->lane == UINT32_MAX && s->id == 0 && s->waited == 0 &&
		(s->taken > 0 || s->unheard > 0));
}

struct lock_sums *lock_sums_new(void);   /* NULL: ENOMEM */
void lock_sums_free(struct lock_sums *); /* NULL is fine */
void lock_sums_begin(struct lock_sums *, const struct model *, int64_t t0,
    int64_t t1);
/* About 4096 pieces more; true: all is done, or memory is out. */
bool lock_sums_step(struct lock_sums *);
/* Signals of conditions for which nobody waited, when it is done, those that
 * were counted with them; not exact: some of them may have been given up. */
uint64_t lock_sums_vain(const struct lock_sums *, bool *exact);
/* False: some was given up for want of memory. */
bool lock_sums_exact(const struct lock_sums *);
/* What has any of it, the longest waits of a sort first; when it is done. */
size_t lock_sums_list(const struct lock_sums *, const struct lock_sum **);

#endif
