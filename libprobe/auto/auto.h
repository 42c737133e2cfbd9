/*
 * libprobe-auto.so is libprobe with wrappers for what the C library offers:
 * loaded before a program (LD_PRELOAD) that knows nothing of us, it tells of
 * its threads, and of locks, conditions, semaphores and barriers when somebody
 * has to wait.  A wrapper does what it wraps, with the same results, errno and
 * points of cancellation; it prints nothing, allocates nothing and starts no
 * thread.
 *
 * It has the soname of libprobe, so that a program that is linked with it has
 * one of them.  Such a program tells of itself, and the wrappers say nothing.
 */
#ifndef LIBPROBE_AUTO_AUTO_H
#define LIBPROBE_AUTO_AUTO_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "libprobe/auto/real.h"
#include "libprobe/auto/turns.h"
#include "probe.h"

#define WRAPPER __attribute__((visibility("default")))

extern bool auto_mute; /* the program tells of itself */

/* Somebody may listen to events of this class. */
static inline bool
auto_says(enum probe_class class_)
{
	return (probe_enabled(class_) && !auto_mute);
}

/* Attaches if that was put off: then this process has a number, and ids. */
void auto_attach(void);

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

#endif
