/*
 * Mutexes and spinlocks.
 *
 * A mutex of glibc is a word: 0 is free, 1 held, 2 held and perhaps waited
 * for; with priority inheritance, and if it is robust, it is the holder's
 * number, and a bit for waiters.  A thread that finds 0 does not wait, and
 * giving up a 1 lets nobody in: this costs a look at the word, and is counted
 * (lock_count.h) or, if that is wanted, told.  After a wait the word stays 2
 * once, so that of two threads that have waited for one lock each is let in by
 * a release of its own.  Who finds it held, and free a moment later, has told
 * of a wait and of the end of it, but nobody waits: that it gives the lock up
 * is told because it is remembered.
 */
#include <linux/futex.h>
#include <sys/syscall.h>

#include <errno.h>
#include <unistd.h>

#include "libprobe/auto/locks/locks.h"

#define KIND_TYPE    3 /* normal, recursive, errorcheck, adaptive */
#define KIND_ROBUST  16
#define KIND_INHERIT 32
#define KIND_CEILING 64

static inline int
word_of(const pthread_mutex_t *m)
{
	return (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED));
}

/*
 * What the C library says of one with a ceiling depends on which of its
 * functions is called first, so only the program's own calls are made.
 */
static inline bool
is_left_alone(const pthread_mutex_t *m)
{
	return ((m->__data.__kind & KIND_CEILING) != 0);
}

/* It may be given up by us. */
static bool
is_ours(const pthread_mutex_t *m)
{
	int type = m->__data.__kind & KIND_TYPE;

	return ((type != PTHREAD_MUTEX_RECURSIVE_NP &&
		    type != PTHREAD_MUTEX_ERRORCHECK_NP) ||
		m->__data.__owner == (int)syscall(SYS_gettid));
}

/* We have taken it again, and do not give it up yet. */
static bool
is_kept(const pthread_mutex_t *m)
{
	return ((m->__data.__kind & KIND_TYPE) == PTHREAD_MUTEX_RECURSIVE_NP &&
		m->__data.__count > 1);
}

static inline bool
is_waited_for(const pthread_mutex_t *m)
{
	unsigned word = (unsigned)word_of(m);

	if ((m->__data.__kind & (KIND_INHERIT | KIND_ROBUST)) != 0)
		return ((word & FUTEX_WAITERS) != 0);
	return (word > 1 && !is_left_alone(m));
}

/* Those of which this thread has told that it holds them, while nobody waits.
 */
#define OWED_MAX 8 /* one within the other; of further ones no end is told */
static __thread struct {
	unsigned n;
	const pthread_mutex_t *what[OWED_MAX];
} owed;

static void
owe(const pthread_mutex_t *m)
{
	if (lock_level != LOCKS_ALL && !is_waited_for(m) && owed.n < OWED_MAX)
		owed.what[owed.n++] = m;
}

/* Is it one of those?  Then it is no longer. */
static bool
paid(const pthread_mutex_t *m)
{
	for (unsigned i = 0; i < owed.n; i++)
		if (owed.what[i] == m) {
			owed.what[i] = owed.what[--owed.n];
			return (true);
		}
	return (false);
}

/* Giving it up may have to be told. */
static inline bool
is_heard(const pthread_mutex_t *m)
{
	return ((word_of(m) != 1 ||
		    PROBE_UNLIKELY(owed.n != 0 || lock_level == LOCKS_ALL)) &&
		auto_says(PROBE_CLASS_lock));
}

/* Each end of each hold; to those who wait only the last one means something.
 */
static void
each_released(pthread_mutex_t *m)
{
	if (!is_left_alone(m) && is_ours(m))
		probe_lock_release(turns_id(m), is_kept(m) ? 0 : turns_next(m),
		    0);
}

void
mutex_released(pthread_mutex_t *m)
{
	bool waited = is_waited_for(m);

	if (lock_level == LOCKS_ALL)
		each_released(m);
	else if ((waited || owed.n != 0) && is_ours(m) && !is_kept(m) &&
		 (paid(m) || waited))
		probe_lock_release(turns_id(m), turns_next(m), 0);
}

/* How somebody waits for a mutex; 0, or an error of the C library's. */
struct way {
	int (*lock)(void *, const struct way *);
	const struct timespec *until;
	clockid_t clock;
};

/* The call that had not to wait has said so. */
static inline int
taken(pthread_mutex_t *m, int error)
{
	if (PROBE_UNLIKELY(error != 0 && error != EOWNERDEAD))
		return (error);
	lock_done(m, LOCK_TAKEN);
	return (error);
}

/*
 * Somebody has it.  If that is us, or no longer so, there is no wait; if its
 * holder has died, it is ours by that.
 */
static int
contended(pthread_mutex_t *m, const struct way *way)
{
	struct auto_wait w;
	int error;

	if (is_left_alone(m) ||
	    (way->until != NULL && is_refused(way->clock, way->until)))
		return (way->lock(m, way));
	error = CALL(pthread_mutex_trylock)(m);
	if (error == 0 || error == EOWNERDEAD)
		return (taken(m, error));
	if (error != EBUSY)
		return (way->lock(m, way));
	w = auto_wait(m);
	probe_lock_wait(w.id, 0);
	error = way->lock(m, way);
	if (error == 0 || error == EOWNERDEAD) {
		probe_lock_acquire(w.id, turns_take(m, w.before), 0);
		owe(m);
	} else
		probe_lock_giveup(w.id, 0);
	return (error);
}

static inline int
lock(pthread_mutex_t *m, const struct way *way)
{
	if (word_of(m) == 0)
		return (taken(m, way->lock(m, way)));
	if (!auto_says(PROBE_CLASS_lock))
		return (way->lock(m, way));
	return (contended(m, way));
}

static int
plain(void *m, const struct way *way)
{
	(void)way;
	return (CALL(pthread_mutex_lock)(m));
}

WRAPPER int
pthread_mutex_lock(pthread_mutex_t *m)
{
	static const struct way way = { .lock = plain };

	if (word_of(m) == 0) /* the shortest way */
		return (taken(m, CALL(pthread_mutex_lock)(m)));
	return (lock(m, &way));
}

/* Left alone is not counted either. */
static int
tried(pthread_mutex_t *m, int error)
{
	return (is_left_alone(m) ? error : taken(m, error));
}

WRAPPER int
pthread_mutex_trylock(pthread_mutex_t *m)
{
	return (tried(m, CALL(pthread_mutex_trylock)(m)));
}

static int
timed(void *m, const struct way *way)
{
	return (CALL(pthread_mutex_timedlock)(m, way->until));
}

WRAPPER int
pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return (lock(m, &(const struct way){ timed, until, 0 }));
}

static int
clocked(void *m, const struct way *way)
{
	return (CALL(pthread_mutex_clocklock)(m, way->clock, way->until));
}

WRAPPER int
pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
    const struct timespec *until)
{
	return (lock(m, &(const struct way){ clocked, until, clock }));
}

WRAPPER int
pthread_mutex_unlock(pthread_mutex_t *m)
{
	if (is_heard(m))
		mutex_released(m);
	return (CALL(pthread_mutex_unlock)(m));
}

/* Those of C11 are the same, but do not call the others. */
static int
c11(void *m, const struct way *way)
{
	(void)way;
	return (CALL(mtx_lock)(m));
}

WRAPPER int
mtx_lock(mtx_t *m)
{
	static const struct way way = { .lock = c11 };

	return (lock((pthread_mutex_t *)(void *)m, &way));
}

static int
c11_timed(void *m, const struct way *way)
{
	return (CALL(mtx_timedlock)(m, way->until));
}

WRAPPER int
mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	return (lock((pthread_mutex_t *)(void *)m,
	    &(const struct way){ c11_timed, until, 0 }));
}

WRAPPER int
mtx_trylock(mtx_t *mtx)
{
	int result = CALL(mtx_trylock)(mtx);

	if (result == thrd_success)
		lock_done(mtx, LOCK_TAKEN);
	return (result);
}

WRAPPER int
mtx_unlock(mtx_t *mtx)
{
	pthread_mutex_t *m = (pthread_mutex_t *)(void *)mtx;

	if (is_heard(m))
		mutex_released(m);
	return (CALL(mtx_unlock)(mtx));
}

/*
 * The word of a spinlock does not tell of those who wait, so they are counted.
 */
WRAPPER int
pthread_spin_lock(pthread_spinlock_t *l)
{
	struct auto_wait w;
	int error;

	if (!auto_says(PROBE_CLASS_lock))
		return (CALL(pthread_spin_lock)(l));
	if (CALL(pthread_spin_trylock)(l) == 0) {
		lock_done((const void *)l, LOCK_TAKEN);
		return (0);
	}
	w = auto_wait((const void *)l);
	turns_wait_begin(w.what);
	probe_lock_wait(w.id, 0);
	error = CALL(pthread_spin_lock)(l);
	turns_wait_end(w.what, true);
	probe_lock_acquire(w.id, turns_take(w.what, w.before), 0);
	return (error);
}

WRAPPER int
pthread_spin_trylock(pthread_spinlock_t *l)
{
	int error = CALL(pthread_spin_trylock)(l);

	if (error == 0)
		lock_done((const void *)l, LOCK_TAKEN);
	return (error);
}

WRAPPER int
pthread_spin_unlock(pthread_spinlock_t *l)
{
	const void *what = (const void *)l;

	if (auto_says(PROBE_CLASS_lock) && is_given_up(what))
		probe_lock_release(turns_id(what), turns_next(what), 0);
	return (CALL(pthread_spin_unlock)(l));
}
