/*
 * Barriers.  All parties of one turn have to say the same number, so arrivals
 * are counted: in a table, since nobody else counts them.  A barrier that finds
 * no line there is not told of.
 */
#include <errno.h>

#include "libprobe/auto/auto.h"

#define LINES 1024u
#define TRIES 16u

static struct barrier {
	const void *where; /* NULL: free */
	uint32_t parties;
	uint64_t first;    /* turns of those that were at this place before */
	uint64_t arrivals; /* since it was made */
} barriers[LINES];

static struct barrier *
find(const void *where)
{
	size_t at = ((uintptr_t)where >> 4) * 2654435761u;

	for (size_t i = 0; i < TRIES; i++) {
		struct barrier *b = &barriers[(at + i) % LINES];

		if (__atomic_load_n(&b->where, __ATOMIC_ACQUIRE) == where)
			return (b);
	}
	return (NULL);
}

static struct barrier *
claim(const void *where)
{
	size_t at = ((uintptr_t)where >> 4) * 2654435761u;

	for (size_t i = 0; i < TRIES; i++) {
		struct barrier *b = &barriers[(at + i) % LINES];
		const void *none = NULL;

		if (__atomic_compare_exchange_n(&b->where, &none, where, 0,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return (b);
	}
	return (NULL);
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
	if (b->parties > 0) /* somebody forgot to destroy one */
		b->first += b->arrivals / b->parties + 1;
	b->arrivals = 0;
	b->parties = parties;
	return (0);
}

WRAPPER int
pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	int error = CALL(pthread_barrier_destroy)(barrier);
	struct barrier *b = find(barrier);

	if (error == 0 && b != NULL) {
		b->first += b->arrivals / b->parties + 1;
		b->parties = 0;
		b->arrivals = 0;
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
