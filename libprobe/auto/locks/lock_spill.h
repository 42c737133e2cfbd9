/*
 * Counts of locks for which a thread has no room of its own, in one table for
 * all threads.  It is told by any of them, each second.
 */
#ifndef LIBPROBE_AUTO_LOCK_SPILL_H
#define LIBPROBE_AUTO_LOCK_SPILL_H

#include <stdbool.h>
#include <stdint.h>

/* n more of this key, which is not 0; false: there is no room.  About 10 ns. */
bool lock_spill(uint64_t key, uint64_t n);
/*
 * Tells all that is new by calling tell(key, n), if it is a second since that
 * was done last, at this time, or now.
 */
void lock_spill_tell(int64_t now_ns, bool now,
    void (*tell)(uint64_t key, uint64_t n));
/* In a child: there is nothing. */
void lock_spill_after_fork(void);

#endif
