/*
 * probe.h - what a program says about itself while it runs.
 *
 * Link with `pkg-config --cflags --libs probe` and call the functions below
 * where things happen.  What they all have in common:
 *
 *  Cost      About 10 ns when recorded (one read of the cycle counter and one
 *            store of 32 bytes), half a nanosecond when nobody listens,
 *            nothing at all with -DPROBE_OFF.  No call, lock, allocation or
 *            system call, but for the first event of a thread.
 *  Errors    None.  When there is no room, the event is counted as lost, and
 *            the count and its place are in the log.  errno is kept.
 *  Signals   Everything that is not marked "not in signal handlers" may be
 *            called in one, also in one that has interrupted a probe.
 *  Threads   Everything may be called by any thread at any time.
 *  Fork      A child is a process of its own from its first event on.
 *
 * Ids (of tasks, messages, locks, ...) are any 64-bit numbers that are unique
 * in the whole run; take them from probe_id(), and those of messages from
 * probe_message_id().  A pair is made where two sides use the same id.  Id 0
 * is "none" and pairs with nothing.
 *
 * Names are 32-bit numbers of strings: PROBE_NAME("text") for a literal, else
 * probe_name().  0 is "no name".  A string in the place of a name, and a
 * fraction in the place of a whole number, do not compile.
 *
 * Other languages find all functions of this file and of those that it includes
 * in the library, as they stand there (with a call, so 2 ns more each); the
 * macros are C and C++ only.
 *
 * Environment, read once at the start (see probe(3)):
 *
 *	ORRERY=off		nothing is recorded, ever
 *	ORRERY_DIR, ORRERY_NODE	which collector
 *	ORRERY_FULL=wait[:ms]	wait for room rather than lose events
 */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In this order: each needs what is before it. */
#include "probe/kinds.h"

#ifndef PROBE_OFF
#include "probe/record.h"

#include "probe/names.h"
#else
#include "probe/off.h"
#endif

/* What can be told. */
#include "probe/locks.h"
#include "probe/messages.h"
#include "probe/notes.h"
#include "probe/objects.h"
#include "probe/own.h"
#include "probe/work.h"

/* In terms of these. */
#include "probe/handle.h"

/*
 * enter here and leave at the end of the enclosing scope, however it ends
 * (but for longjmp and exit).  PROBE_SCOPE() is called like the function,
 * PROBE_SCOPE_NAMED(PROBE_NAME("...")) as you like.  C++ has probe.hpp.
 */
#define PROBE_SCOPE() PROBE_SCOPE_NAMED(PROBE_FUNCTION())
#define PROBE_SCOPE_NAMED(name_)                                               \
	uint32_t PROBE_JOIN(probe_scope_, __LINE__)                            \
	    __attribute__((cleanup(probe_scope_end), unused)) = (name_) | 0;   \
	probe_enter(NULL, PROBE_JOIN(probe_scope_, __LINE__))
#define PROBE_JOIN(a, b)  PROBE_JOIN_(a, b)
#define PROBE_JOIN_(a, b) a##b

PROBE_INSIDE void
probe_scope_end(const uint32_t *name)
{
	probe_leave(NULL, *name);
	(void)name;
}

#include "probe/strict.h"

#ifdef __cplusplus
}
#endif

#endif
