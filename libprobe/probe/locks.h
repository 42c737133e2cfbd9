/* Part of probe.h: locks and their like. */
#ifndef PROBE_LOCKS_H
#define PROBE_LOCKS_H

/*
 * Locks, conditions, semaphores.  A turn numbers what one side lets the other
 * do: keep a counter in the lock, add one to it when releasing, say it when
 * releasing and when acquiring next.  Turn 0 is "not known".  A wait is said
 * only when there is one.  probe_mutex.h does all this for a pthread mutex.
 */
PROBE_INLINE void
probe_lock_wait(uint64_t lock, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_wait, name, lock, 0);
}

/* Just after it has been taken; ends the wait, if there was one. */
PROBE_INLINE void
probe_lock_acquire(uint64_t lock, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_acquire, name, lock, turn);
}

/* Just before it is given up. */
PROBE_INLINE void
probe_lock_release(uint64_t lock, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_release, name, lock, turn);
}

/* The wait is over, for a lock or anything below, and it was not got. */
PROBE_INLINE void
probe_lock_giveup(uint64_t lock, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_lock_giveup, name, lock, 0);
}

PROBE_INLINE void
probe_cond_wait(uint64_t condition, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_wait, name, condition, 0);
}

PROBE_INLINE void
probe_cond_wake(uint64_t condition, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_wake, name, condition,
	    turn);
}

/* Just before one is, or all are, signalled. */
PROBE_INLINE void
probe_cond_signal(uint64_t condition, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_cond_signal, name, condition,
	    turn);
}

PROBE_INLINE void
probe_sem_wait(uint64_t semaphore, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_wait, name, semaphore, 0);
}

PROBE_INLINE void
probe_sem_acquire(uint64_t semaphore, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_acquire, name, semaphore,
	    turn);
}

/* Just before it is posted. */
PROBE_INLINE void
probe_sem_post(uint64_t semaphore, uint64_t turn, uint32_t name)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_sem_post, name, semaphore, turn);
}

/* The n-th time that a barrier is passed is turn n, from 1, for everybody. */
PROBE_INLINE void
probe_barrier_enter(uint64_t barrier, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_barrier_enter, parties, barrier,
	    turn);
}

PROBE_INLINE void
probe_barrier_leave(uint64_t barrier, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_barrier_leave, parties, barrier,
	    turn);
}

#endif
