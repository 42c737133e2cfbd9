/*
 * See lock_count.h.  A thread has slots for so many locks; a lock may stand in
 * one of a few.  While these are taken by others of which something has not
 * been told, it is counted in a table of all threads; when there is no room
 * either, with all that have none, as one lock, of which the id is 0.
 */
#include "libprobe/auto/locks/lock_count.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "libprobe/auto/locks/lock_spill.h"
#include "libprobe/auto/locks/turns.h"
#include "libprobe/meet/bulk.h"

#define APART_NS (100 * INT64_C(1000000))
#define WAYS     4u /* slots in which a lock may stand */
#define DONE     3u /* of a key, what was done */

enum lock_level lock_level;
__thread struct lock_counts *lock_mine;
static __thread bool inside; /* what is done in here is not told */
static __thread bool ended;  /* this thread has had its last word */

static BULK struct lock_counts line_first;
static BULK struct lock_counts lines[COUNTS_LINES - 1];
static uint64_t rest[DONE + 1]; /* of those that have no room */

static void
add_rest(unsigned done, uint64_t n)
{
	__atomic_fetch_add(&rest[done], n, __ATOMIC_RELAXED);
}

static void
spill(uint64_t key, uint64_t n)
{
	if (n > 0 && !lock_spill(key, n))
		add_rest(key & DONE, n);
}

static void
bequeath(struct counts_line *l)
{
	struct lock_counts *c = (struct lock_counts *)l;

	for (unsigned i = 0; i < LOCK_SLOTS; i++)
		spill(c->slot[i].key, c->slot[i].n);
}

static struct counts counts = { sizeof(struct lock_counts), &line_first, lines,
	bequeath, 0, 0 };

static enum lock_level
wanted(void)
{
	const char *s = getenv("ORRERY_LOCKS");

	if (s != NULL && strcmp(s, "all") == 0)
		return (LOCKS_ALL);
	if (s != NULL && strcmp(s, "contended") == 0)
		return (LOCKS_CONTENDED);
	return (LOCKS_COUNTS);
}

static void
begin(struct lock_counts *c)
{
	memset(c->slot, 0, sizeof(c->slot));
	counts_begin(&c->line);
}

static struct lock_counts *
claim(void)
{
	struct lock_counts *c = ended ? NULL : counts_take(&counts);

	if (c != NULL) {
		begin(c);
		lock_mine = c;
	}
	return (c);
}

/* --- telling --- */

static const void *
what_of(uint64_t key)
{
	return ((const void *)(uintptr_t)(key & ~(uint64_t)DONE));
}

/* So many times more; of nothing: of others that have no room. */
static void
tell(uint64_t key, uint64_t n)
{
	static const uint16_t kind[DONE + 1] = { PROBE_lock_taken,
		PROBE_sem_passed, PROBE_sem_posted, PROBE_cond_signalled };
	const void *what = what_of(key);

	PROBE_EVENT(PROBE_CLASS_lock, 0, kind[key & DONE], 0,
	    what == NULL ? 0 : turns_id(what), n);
}

/* A handler that interrupts this adds to what is told next time. */
static void
tell_line(struct lock_counts *c)
{
	for (unsigned i = 0; i < LOCK_SLOTS; i++) {
		uint64_t n = c->slot[i].n;

		if (n == 0)
			continue;
		tell(c->slot[i].key, n);
		c->slot[i].n -= n;
	}
}

static void
tell_rest(int64_t now_ns, bool now)
{
	uint64_t n;

	lock_spill_tell(now_ns, now, tell);
	for (unsigned i = 0; i <= DONE; i++)
		if (PROBE_LOAD(&rest[i]) != 0 &&
		    (n = __atomic_exchange_n(&rest[i], 0, __ATOMIC_RELAXED)) !=
			0)
			tell(i, n);
}

/* Counts alone are no reason to attach. */
static bool
may_tell(void)
{
	return (auto_says(PROBE_CLASS_lock) && probe_po() != 0);
}

static void
look(struct lock_counts *c)
{
	if (!may_tell())
		c->line.until = COUNTS_CALLS;
	else if (counts_due(&c->line, APART_NS, false)) {
		tell_line(c);
		tell_rest(c->line.told_ns, false);
	}
}

/* Where this is counted; NULL: not here. */
static struct lock_slot *
slot_for(struct lock_counts *c, uint64_t key)
{
	unsigned at = lock_slot_of(key);
	struct lock_slot *s, *idle = NULL;

	/* all are looked at first: it has only one */
	for (unsigned i = 0; i < WAYS; i++) {
		s = &c->slot[(at + i) % LOCK_SLOTS];
		if (s->key == key)
			return (s);
		if (idle == NULL && s->n == 0)
			idle = s;
	}
	if (idle != NULL)
		idle->key = key;
	return (idle);
}

static void
count(uint64_t key)
{
	struct lock_counts *c = lock_mine;
	struct lock_slot *s;

	if (c == NULL && (c = claim()) == NULL) {
		spill(key, 1);
		return;
	}
	if ((s = slot_for(c, key)) != NULL)
		s->n++;
	else
		spill(key, 1);
	if (--c->line.until < 0)
		look(c);
}

/* By an event of its own. */
static void
say(const void *what, unsigned done)
{
	uint64_t id = turns_id(what);

	switch (done) {
	case LOCK_TAKEN:
		probe_lock_acquire(id, turns_take(what, 0), 0);
		break;
	case SEM_PASSED:
		probe_sem_acquire(id, turns_take(what, 0), 0);
		break;
	case SEM_POSTED:
		probe_sem_post(id, turns_next(what), 0);
		break;
	default:
		probe_cond_signal(id, turns_next(what), 0);
	}
}

void
lock_done_slow(uint64_t key)
{
	if (lock_level == LOCKS_UNKNOWN)
		lock_level = wanted();
	if (lock_level == LOCKS_CONTENDED)
		return;
	if (inside) { /* by a handler, or what we call */
		if (lock_level == LOCKS_COUNTS)
			add_rest(key & DONE, 1);
		return;
	}
	inside = true;
	if (lock_level == LOCKS_ALL)
		say(what_of(key), key & DONE);
	else
		count(key);
	inside = false;
}

/* --- the end --- */

void
lock_thread_ends(void)
{
	struct lock_counts *c = lock_mine;

	ended = true;
	if (c == NULL)
		return;
	lock_mine = NULL;
	inside = true;
	if (may_tell())
		tell_line(c);
	inside = false;
	bequeath(&c->line);
	counts_give(&c->line);
}

void
lock_ends(void)
{
	struct counts_line *l;

	if (!may_tell())
		return;
	inside = true;
	for (uint32_t i = 0; (l = counts_line(&counts, i)) != NULL; i++)
		if (PROBE_LOAD(&l->owner) != 0)
			tell_line((struct lock_counts *)l);
	tell_rest(0, true);
	inside = false;
}

/* A child begins at nothing, with one thread. */
static void
after_fork_child(void)
{
	counts_after_fork(&counts, NULL);
	lock_spill_after_fork();
	lock_mine = NULL;
	inside = false;
	for (unsigned i = 0; i <= DONE; i++)
		if (rest[i] != 0) /* a page that is not written is not copied */
			rest[i] = 0;
}

__attribute__((constructor)) static void
count_constructor(void)
{
	pthread_atfork(NULL, NULL, after_fork_child);
}
