/*
 * Barriers.  All parties of one turn have to say the same number, so arrivals
 * are counted: in a table, since nobody else counts them.  A barrier that finds
 * no line there is not told of.
 */
#include <errno.h>

#include "libprobe/auto/locks/locks.h"
#include "libprobe/meet/bulk.h"

#define LINES 1024u
#define TRIES 16u

static struct barrier {
	const void *where; /* NULL: free */
	uint32_t parties;
	uint64_t first;    /* turns of those that were at this place before */
	uint64_t arrivals; /* since it was made */
} barriers[LINES] BULK;

/* The i-th place where a barrier may stand in the table. */
static struct barrier *
place_of(const void *where, size_t i)
{
	return (&barriers[(((uintptr_t)where >> 4) * 2654435761u + i) % LINES]);
}

static struct barrier *
find(const void *where)
{
	for (size_t i = 0; i < TRIES; i++) {
		struct barrier *b = place_of(where, i);

		if (__atomic_load_n(&b->where, __ATOMIC_ACQUIRE) == where)
			return (b);
	}
	return (NULL);
}

static struct barrier *
claim(const void *where)
{
	for (size_t i = 0; i < TRIES; i++) {
		const void *none = NULL;

		if (__atomic_compare_exchange_n(&place_of(where, i)->where,
			&none, where, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return (place_of(where, i));
	}
	return (NULL);
}

/* What follows at this place goes on with higher turns. */
static void
turns_over(struct barrier *b)
{
	if (b->parties > 0)
		b->first += b->arrivals / b->parties + 1;
	b->arrivals = 0;
	b->parties = 0;
}

WRAPPER int
pthread_barrier_init(pthread_barrier_t *barrier,
    const pthread_barrierattr_t *attr, unsigned parties)
{
	int error = CALL(pthread_barrier_init)(barrier, attr, parties);
	struct barrier *b;

	if (error != 0 || auto_mute)
		return (error);
	b = find(barrier);
	if (b == NULL)
		b = claim(barrier);
	if (b == NULL)
		return (0);
	turns_over(b); /* of one that was not destroyed */
	b->parties = parties;
	return (0);
}

WRAPPER int
pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	int error = CALL(pthread_barrier_destroy)(barrier);
	struct barrier *b = find(barrier);

	if (error == 0 && b != NULL) {
		turns_over(b);
		__atomic_store_n(&b->where, NULL, __ATOMIC_RELEASE);
	}
	return (error);
}

WRAPPER int
pthread_barrier_wait(pthread_barrier_t *barrier)
{
	struct barrier *b = auto_says(PROBE_CLASS_lock) ? find(barrier) : NULL;
	uint64_t id, turn;
	uint32_t parties;
	int rc;

	if (b == NULL || b->parties == 0)
		return (CALL(pthread_barrier_wait)(barrier));
	parties = b->parties;
	turn = b->first + 1 +
	       __atomic_fetch_add(&b->arrivals, 1, __ATOMIC_RELAXED) / parties;
	id = turns_id(barrier);
	probe_barrier_enter(id, turn, parties);
	rc = CALL(pthread_barrier_wait)(barrier);
	probe_barrier_leave(id, turn, parties);
	return (rc);
}
