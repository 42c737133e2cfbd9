/*
 * Semaphores: who has to wait tells so, and so does who posts while somebody
 * waits.  A wait may also end by a signal, the time or a cancellation.
 */
#include <errno.h>

#include "libprobe/auto/locks/locks.h"

/* true: there was no need to wait, but one could have been cancelled. */
static bool
begin(struct auto_wait *w, sem_t *s)
{
	int saved_errno = errno;

	pthread_testcancel();
	if (CALL(sem_trywait)(s) == 0) {
		lock_done(s, SEM_PASSED);
		return (true);
	}
	errno = saved_errno;
	*w = auto_wait(s);
	turns_wait_begin(s);
	probe_sem_wait(w->id, 0);
	return (false);
}

static void
end(struct auto_wait *w, bool got)
{
	turns_wait_end(w->what, false); /* nobody holds a semaphore */
	if (got)
		probe_sem_acquire(w->id, turns_take(w->what, w->before), 0);
	else
		probe_lock_giveup(w->id, 0);
}

static void
cancelled_cb(void *wait)
{
	end(wait, false);
}

#define TOLD(s, refused, call)                                                 \
	do {                                                                   \
		struct auto_wait wait_;                                        \
		int rc_;                                                       \
		if ((refused) || !auto_says(PROBE_CLASS_lock))                 \
			return (call);                                         \
		if (begin(&wait_, s))                                          \
			return (0);                                            \
		pthread_cleanup_push(cancelled_cb, &wait_);                    \
		rc_ = (call);                                                  \
		pthread_cleanup_pop(0);                                        \
		end(&wait_, rc_ == 0);                                         \
		return (rc_);                                                  \
	} while (0)

WRAPPER int
sem_wait(sem_t *s)
{
	TOLD(s, false, CALL(sem_wait)(s));
}

WRAPPER int
sem_timedwait(sem_t *s, const struct timespec *until)
{
	TOLD(s, is_refused(CLOCK_REALTIME, until),
	    CALL(sem_timedwait)(s, until));
}

WRAPPER int
sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	TOLD(s, is_refused(clock, until), CALL(sem_clockwait)(s, clock, until));
}

WRAPPER int
sem_trywait(sem_t *s)
{
	int rc = CALL(sem_trywait)(s);

	if (rc == 0)
		lock_done(s, SEM_PASSED);
	return (rc);
}

/* Also in signal handlers. */
WRAPPER int
sem_post(sem_t *s)
{
	if (!turns_waited(s))
		lock_done(s, SEM_POSTED);
	else if (auto_says(PROBE_CLASS_lock))
		probe_sem_post(turns_id(s), turns_next(s), 0);
	return (CALL(sem_post)(s));
}
