/*
 * Operations of locks and their like for which nobody has to wait.
 *
 * How they are told is chosen by ORRERY_LOCKS (monitorctl run --locks): by how
 * often a thread has done it with each lock, which is counted here; or each by
 * an event of its own; or not at all.
 */
#ifndef LIBPROBE_AUTO_LOCK_COUNT_H
#define LIBPROBE_AUTO_LOCK_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "libprobe/auto/wrap/auto.h"
#include "libprobe/auto/wrap/counts.h"

enum lock_level {
	LOCKS_UNKNOWN, /* not asked for yet */
	LOCKS_CONTENDED,
	LOCKS_COUNTS,
	LOCKS_ALL
};
extern enum lock_level lock_level;

/* What is done; what is at a multiple of 4, so this is the rest of its key. */
enum lock_done {
	LOCK_TAKEN, /* also one that readers share */
	SEM_PASSED,
	SEM_POSTED,    /* nobody waits for it */
	COND_SIGNALLED /* the same */
};

#define LOCK_SLOTS_BITS 6
#define LOCK_SLOTS      (1u << LOCK_SLOTS_BITS)

struct lock_counts {
	struct counts_line line;
	struct lock_slot {
		uint64_t key; /* 0: nobody's */
		uint64_t n;   /* since it was told */
	} slot[LOCK_SLOTS];
};

extern __thread struct lock_counts *lock_mine; /* NULL: lock_done_slow() */

/* After it has been done, or, of a post or a signal, just before. */
void lock_done_slow(uint64_t key);
/* The last word of this thread; and of all, of the one that ends the process.
 */
void lock_thread_ends(void);
void lock_ends(void);

static inline unsigned
lock_slot_of(uint64_t key)
{
	return ((unsigned)((key * UINT64_C(0x9e3779b97f4a7c15)) >>
			   (64 - LOCK_SLOTS_BITS)));
}

static inline void
lock_done(const void *what, enum lock_done done)
{
	uint64_t key = (uint64_t)(uintptr_t)what | done;
	struct lock_counts *c = lock_mine;
	struct lock_slot *s;

	if (PROBE_UNLIKELY(!auto_says(PROBE_CLASS_lock)))
		return;
	if (c != NULL) {
		s = &c->slot[lock_slot_of(key)];
		if (PROBE_LIKELY(s->key == key && --c->line.until >= 0)) {
			s->n++;
			return;
		}
	}
	lock_done_slow(key);
}

#endif
