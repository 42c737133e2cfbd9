/*
 * One lock for all that is not on the straight path.  Nothing in it but the
 * system call that every program with threads makes (futex), and that only
 * when it is fought for.
 */
#ifndef LIBPROBE_LOCK_H
#define LIBPROBE_LOCK_H

#include <sys/syscall.h>

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

struct lock {
	_Atomic uint32_t state; /* 0 free, 1 taken, 2 and somebody waits */
};

static inline void
lock_take(struct lock *l)
{
	uint32_t free = 0;

	if (atomic_compare_exchange_strong_explicit(&l->state, &free, 1,
		memory_order_acquire, memory_order_relaxed))
		return;
	while (
	    atomic_exchange_explicit(&l->state, 2, memory_order_acquire) != 0)
		(void)syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, 2, NULL,
		    NULL, 0);
}

static inline void
lock_give(struct lock *l)
{
	if (atomic_exchange_explicit(&l->state, 0, memory_order_release) == 2)
		(void)syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, NULL,
		    NULL, 0);
}

/* In a child, of which nobody else knows yet. */
static inline void
lock_reset(struct lock *l)
{
	atomic_store_explicit(&l->state, 0, memory_order_relaxed);
}

#endif
