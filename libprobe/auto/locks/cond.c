/*
 * Conditions: each wait is told, and each signal that somebody waits for.
 *
 * The mutex is given up inside of a wait and taken again; both are told where
 * somebody else wants it.  A wait may also end by a cancellation.
 */
#include "libprobe/auto/locks/locks.h"

/* Whose waiting is to be told of, if it ends in any way. */
struct waiting {
	pthread_mutex_t *m;
	struct auto_wait condition, mutex;
};

static void
begin(struct waiting *w, const void *condition, void *mutex)
{
	w->m = mutex;
	w->condition = auto_wait(condition);
	mutex_released(w->m);
	w->mutex = auto_wait(mutex);
	probe_cond_wait(w->condition.id, 0);
}

/* The mutex is ours again; if it had to be waited for, that was in here. */
static void
end(struct waiting *w, bool woken)
{
	uint32_t turn = turns_now(w->condition.what);

	if (!woken || turn == w->condition.before)
		turn = 0;
	probe_cond_wake(w->condition.id, turn, 0);
	turn = turns_take(w->m, w->mutex.before);
	if (turn != 0)
		probe_lock_acquire(w->mutex.id, turn, 0);
	else
		lock_done(w->m, LOCK_TAKEN);
}

static void
cancelled_cb(void *waiting)
{
	end(waiting, false);
}

/* What the C library calls after begin(): its error. */
#define TOLD(condition, mutex, call)                                           \
	do {                                                                   \
		struct waiting waiting_;                                       \
		int error_;                                                    \
		if (!auto_says(PROBE_CLASS_lock))                              \
			return (call);                                         \
		begin(&waiting_, condition, mutex);                            \
		pthread_cleanup_push(cancelled_cb, &waiting_);                 \
		error_ = (call);                                               \
		pthread_cleanup_pop(0);                                        \
		end(&waiting_, error_ == 0);                                   \
		return (error_);                                               \
	} while (0)

WRAPPER int
pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	TOLD(c, m, CALL(pthread_cond_wait)(c, m));
}

WRAPPER int
pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
    const struct timespec *until)
{
	TOLD(c, m, CALL(pthread_cond_timedwait)(c, m, until));
}

WRAPPER int
pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
    const struct timespec *until)
{
	TOLD(c, m, CALL(pthread_cond_clockwait)(c, m, clock, until));
}

WRAPPER int
cnd_wait(cnd_t *c, mtx_t *m)
{
	TOLD(c, m, CALL(cnd_wait)(c, m));
}

WRAPPER int
cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
	TOLD(c, m, CALL(cnd_timedwait)(c, m, until));
}

/* glibc counts who waits, in steps of 8. */
static void
signalled(const void *condition)
{
	const pthread_cond_t *c = condition;

	if (__atomic_load_n(&c->__data.__wrefs, __ATOMIC_RELAXED) >> 3 == 0)
		lock_done(c, COND_SIGNALLED);
	else if (auto_says(PROBE_CLASS_lock))
		probe_cond_signal(turns_id(c), turns_next(c), 0);
}

WRAPPER int
pthread_cond_signal(pthread_cond_t *c)
{
	signalled(c);
	return (CALL(pthread_cond_signal)(c));
}

WRAPPER int
pthread_cond_broadcast(pthread_cond_t *c)
{
	signalled(c);
	return (CALL(pthread_cond_broadcast)(c));
}

WRAPPER int
cnd_signal(cnd_t *c)
{
	signalled(c);
	return (CALL(cnd_signal)(c));
}

WRAPPER int
cnd_broadcast(cnd_t *c)
{
	signalled(c);
	return (CALL(cnd_broadcast)(c));
}
