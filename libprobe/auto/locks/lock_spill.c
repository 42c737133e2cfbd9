/*
 * See lock_spill.h.  A key stands in one bucket of so many slots, which is held
 * for some instructions by who adds to it or empties it.  What was not added to
 * between two times that the table is told makes room.
 */
#include "libprobe/auto/locks/lock_spill.h"

#include <sys/syscall.h>

#include <string.h>
#include <unistd.h>

#include "libprobe/meet/bulk.h"
#include "probe.h"

#define BUCKETS_BITS 9
#define BUCKETS      (1u << BUCKETS_BITS)
#define SLOTS        8u
#define TRIES        1000 /* to get hold of a bucket */
#define APART_NS     INT64_C(1000000000)

static BULK struct bucket {
	uint64_t key[SLOTS]; /* 0: nobody's */
	uint64_t n[SLOTS];   /* since it was told */
	bool held;
} buckets[BUCKETS];
static bool used;
static int64_t told_ns;

static bool
hold(struct bucket *b)
{
	for (int i = 0; i < TRIES; i++) {
		if (!__atomic_exchange_n(&b->held, true, __ATOMIC_ACQUIRE))
			return (true);
		if (i % 100 == 99)
			(void)syscall(SYS_sched_yield);
	}
	return (false);
}

static void
let_go(struct bucket *b)
{
	__atomic_store_n(&b->held, false, __ATOMIC_RELEASE);
}

/* SLOTS: it has no slot, and there is none for it. */
static unsigned
slot_of(struct bucket *b, uint64_t key)
{
	unsigned none = SLOTS;

	for (unsigned i = 0; i < SLOTS; i++) {
		if (b->key[i] == key)
			return (i);
		if (b->key[i] == 0 && none == SLOTS)
			none = i;
	}
	if (none < SLOTS)
		b->key[none] = key;
	return (none);
}

bool
lock_spill(uint64_t key, uint64_t n)
{
	struct bucket *b = &buckets[(key * UINT64_C(0xbf58476d1ce4e5b9)) >>
				    (64 - BUCKETS_BITS)];
	unsigned at;

	if (!hold(b))
		return (false);
	PROBE_STORE(&used, true);
	at = slot_of(b, key);
	if (at < SLOTS)
		b->n[at] += n;
	let_go(b);
	return (at < SLOTS);
}

/* Empties it into a copy. */
static bool
take(struct bucket *b, struct bucket *copy)
{
	bool any = false;

	if (!hold(b))
		return (false);
	memcpy(copy, b, sizeof(*copy));
	for (unsigned i = 0; i < SLOTS; i++) {
		if (b->n[i] == 0)
			b->key[i] = 0;
		any |= b->n[i] != 0;
		b->n[i] = 0;
	}
	let_go(b);
	return (any);
}

void
lock_spill_tell(int64_t now_ns, bool now,
    void (*tell)(uint64_t key, uint64_t n))
{
	int64_t was = PROBE_LOAD(&told_ns);
	struct bucket copy;

	/* of two that come at a time one tells; who is the last does so anyway
	 */
	if (!PROBE_LOAD(&used) ||
	    (!now && (now_ns - was < APART_NS ||
			 !__atomic_compare_exchange_n(&told_ns, &was, now_ns,
			     false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))))
		return;
	for (unsigned k = 0; k < BUCKETS; k++) {
		if (!take(&buckets[k], &copy))
			continue;
		for (unsigned i = 0; i < SLOTS; i++)
			if (copy.n[i] != 0)
				tell(copy.key[i], copy.n[i]);
	}
}

void
lock_spill_after_fork(void)
{
	if (used)
		memset(buckets, 0, sizeof(buckets));
	used = false;
}
