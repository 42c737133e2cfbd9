/* What the wrappers of locks, conditions, ... have in common. */
#ifndef LIBPROBE_AUTO_LOCKS_H
#define LIBPROBE_AUTO_LOCKS_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "libprobe/auto/locks/lock_count.h"
#include "libprobe/auto/locks/turns.h"
#include "libprobe/auto/wrap/auto.h"

/* mutex.c: of a mutex that a condition gives up and takes again */
void mutex_released(pthread_mutex_t *);

/* The calling thread begins to wait for what is at `what`. */
struct auto_wait {
	const void *what;
	uint64_t id;
	uint32_t before; /* turns_now() then */
};

static inline struct auto_wait
auto_wait(const void *what)
{
	return ((struct auto_wait){ what, turns_id(what), turns_now(what) });
}

/* One whose waits are counted is given up, and that is to be told. */
static inline bool
is_given_up(const void *what)
{
	bool heard = turns_given_up(what);

	return (heard || lock_level == LOCKS_ALL);
}

/* The C library refuses this before it looks whether there is a wait. */
static inline bool
is_refused(clockid_t clock, const struct timespec *until)
{
	return ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) ||
		until->tv_nsec < 0 || until->tv_nsec >= 1000000000);
}

#endif
