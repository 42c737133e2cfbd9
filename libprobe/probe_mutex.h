/*
 * A pthread mutex that tells who waits for it, who holds it and whom it was
 * taken over from.  An uncontended lock and unlock costs two events; a wait
 * is said only when there is one.  Works, silently, with -DPROBE_OFF.
 *
 *	static struct probe_mutex m = PROBE_MUTEX_INITIALIZER;
 *
 *	probe_mutex_lock(&m);
 *	...
 *	probe_mutex_unlock(&m);
 */
#ifndef PROBE_MUTEX_H
#define PROBE_MUTEX_H

#include <errno.h>
#include <pthread.h>

#include "probe.h"

struct probe_mutex {
	pthread_mutex_t mutex;
	uint64_t id;   /* written once, by the first who holds it */
	uint64_t turn; /* releases so far; its holder's */
	uint32_t name;
};

#define PROBE_MUTEX_INITIALIZER                                                \
	{                                                                      \
		PTHREAD_MUTEX_INITIALIZER, 0, 0, 0                             \
	}

/* Name 0 is no name.  Returns 0 or an error number, as pthread_mutex_init. */
PROBE_INLINE int
probe_mutex_init(struct probe_mutex *m, uint32_t name)
{
	m->id = probe_id();
	m->turn = 0;
	m->name = name;
	return (pthread_mutex_init(&m->mutex, NULL));
}

PROBE_INLINE int
probe_mutex_destroy(struct probe_mutex *m)
{
	return (pthread_mutex_destroy(&m->mutex));
}

PROBE_INLINE uint64_t
probe_mutex_id_(struct probe_mutex *m)
{
	uint64_t none = 0, id = __atomic_load_n(&m->id, __ATOMIC_RELAXED);

	if (id != 0)
		return (id);
	id = probe_id();
	if (__atomic_compare_exchange_n(&m->id, &none, id, 0, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED))
		return (id);
	return (none);
}

/* 0 when the lock is held now, else EBUSY. */
PROBE_INLINE int
probe_mutex_trylock(struct probe_mutex *m)
{
	int error = pthread_mutex_trylock(&m->mutex);

	if (error == 0)
		probe_lock_acquire(probe_mutex_id_(m), m->turn, m->name);
	return (error);
}

/* Returns 0 or an error number, as pthread_mutex_lock. */
PROBE_INLINE int
probe_mutex_lock(struct probe_mutex *m)
{
	int error = probe_mutex_trylock(m);

	if (error != EBUSY)
		return (error);
	probe_lock_wait(probe_mutex_id_(m), m->name);
	error = pthread_mutex_lock(&m->mutex);
	if (error == 0)
		probe_lock_acquire(probe_mutex_id_(m), m->turn, m->name);
	return (error);
}

PROBE_INLINE int
probe_mutex_unlock(struct probe_mutex *m)
{
	probe_lock_release(probe_mutex_id_(m), ++m->turn, m->name);
	return (pthread_mutex_unlock(&m->mutex));
}

#endif
