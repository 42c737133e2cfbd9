/*
 * Locks that readers share.  Threads that wait are counted, so that one that
 * gives the lock up knows whether to make an event.  Of several readers that
 * one writer lets in the first has its number; for the others it is not known.
 */
#include <errno.h>

#include "libprobe/auto/locks/locks.h"

/* How somebody waits for it, and how one tries. */
struct way {
	int (*lock)(pthread_rwlock_t *, const struct way *);
	int (*try)(pthread_rwlock_t *);
	const struct timespec *until;
	clockid_t clock;
};

static int
lock(pthread_rwlock_t *l, const struct way *way)
{
	struct auto_wait w;
	int error;

	if (!auto_says(PROBE_CLASS_lock) ||
	    (way->until != NULL && is_refused(way->clock, way->until)))
		return (way->lock(l, way));
	error = way->try(l);
	if (error == 0)
		lock_done(l, LOCK_TAKEN);
	if (error != EBUSY)
		return (error == 0 ? 0 : way->lock(l, way));
	w = auto_wait(l);
	turns_wait_begin(l);
	probe_lock_wait(w.id, 0);
	error = way->lock(l, way);
	turns_wait_end(l, error == 0);
	if (error == 0)
		probe_lock_acquire(w.id, turns_take(l, w.before), 0);
	else
		probe_lock_giveup(w.id, 0);
	return (error);
}

static int
try_read(pthread_rwlock_t *l)
{
	return (CALL(pthread_rwlock_tryrdlock)(l));
}

static int
try_write(pthread_rwlock_t *l)
{
	return (CALL(pthread_rwlock_trywrlock)(l));
}

static int
read_plain(pthread_rwlock_t *l, const struct way *way)
{
	(void)way;
	return (CALL(pthread_rwlock_rdlock)(l));
}

WRAPPER int
pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	static const struct way way = { .lock = read_plain, .try = try_read };

	return (lock(l, &way));
}

static int
write_plain(pthread_rwlock_t *l, const struct way *way)
{
	(void)way;
	return (CALL(pthread_rwlock_wrlock)(l));
}

WRAPPER int
pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	static const struct way way = { .lock = write_plain, .try = try_write };

	return (lock(l, &way));
}

static int
read_timed(pthread_rwlock_t *l, const struct way *way)
{
	return (CALL(pthread_rwlock_timedrdlock)(l, way->until));
}

WRAPPER int
pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return (lock(l, &(const struct way){ read_timed, try_read, until, 0 }));
}

static int
write_timed(pthread_rwlock_t *l, const struct way *way)
{
	return (CALL(pthread_rwlock_timedwrlock)(l, way->until));
}

WRAPPER int
pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return (
	    lock(l, &(const struct way){ write_timed, try_write, until, 0 }));
}

static int
read_clocked(pthread_rwlock_t *l, const struct way *way)
{
	return (CALL(pthread_rwlock_clockrdlock)(l, way->clock, way->until));
}

WRAPPER int
pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
    const struct timespec *until)
{
	return (lock(l,
	    &(const struct way){ read_clocked, try_read, until, clock }));
}

static int
write_clocked(pthread_rwlock_t *l, const struct way *way)
{
	return (CALL(pthread_rwlock_clockwrlock)(l, way->clock, way->until));
}

WRAPPER int
pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
    const struct timespec *until)
{
	return (lock(l,
	    &(const struct way){ write_clocked, try_write, until, clock }));
}

static int
tried(const pthread_rwlock_t *l, int error)
{
	if (error == 0)
		lock_done(l, LOCK_TAKEN);
	return (error);
}

WRAPPER int
pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return (tried(l, CALL(pthread_rwlock_tryrdlock)(l)));
}

WRAPPER int
pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return (tried(l, CALL(pthread_rwlock_trywrlock)(l)));
}

WRAPPER int
pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	if (auto_says(PROBE_CLASS_lock) && is_given_up(l))
		probe_lock_release(turns_id(l), turns_next(l), 0);
	return (CALL(pthread_rwlock_unlock)(l));
}
