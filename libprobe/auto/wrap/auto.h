/*
 * libprobe-auto.so is libprobe with wrappers for what the C library offers:
 * loaded before a program (LD_PRELOAD) that knows nothing of us, it tells of
 * its threads, and of locks, conditions, semaphores and barriers when somebody
 * has to wait; what is done without a wait is counted.  A wrapper does what it
 * wraps, with the same results, errno and points of cancellation; it prints
 * nothing, allocates nothing and starts no thread.
 *
 * It has the soname of libprobe, so that a program that is linked with it has
 * one of them.  Such a program tells of itself, and the wrappers say nothing.
 */
#ifndef LIBPROBE_AUTO_AUTO_H
#define LIBPROBE_AUTO_AUTO_H

#include <stdbool.h>

#include "libprobe/auto/wrap/real.h"
#include "probe.h"

#define WRAPPER __attribute__((visibility("default")))

extern bool auto_mute; /* the program tells of itself */

/* Somebody may listen to events of this class. */
static inline bool
auto_says(enum probe_class class_)
{
	return (probe_enabled(class_) && !auto_mute);
}

#endif
