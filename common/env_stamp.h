/*
 * When bytes came, by the kernel.
 *
 * A clock probe wants to know when it reached this machine, not when this
 * process was woken up for it and given a processor: on a busy machine these
 * are many microseconds, sometimes milliseconds apart, and never the same on
 * both ends.  Linux stamps packets as they are received (SO_TIMESTAMPNS), but
 * with the time of day, which is set and slewed at will; here the stamp is
 * brought over to the raw clock.
 */
#ifndef COMMON_ENV_STAMP_H
#define COMMON_ENV_STAMP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The two clocks read together; ns. */
struct env_stamp_pair {
	int64_t raw_ns; /* just after real_ns was read; 0: never yet */
	int64_t real_ns;
};

/* Has what comes on this socket stamped, if the system can. */
void env_stamp_open(int fd);
/*
 * read(), and the raw clock when the last of these bytes had come: not before
 * they had, not after they were read.  *last is of the read before on this
 * connection, and brought up to date.  About 100 ns more than a read().
 */
ssize_t env_stamp_read(int fd, void *p, size_t n, struct env_stamp_pair *last,
    int64_t *at_raw_ns);

/*
 * The instant of a stamp on the raw clock, from the pair read after it and the
 * one before.  `read` when the stamp cannot be relied on: the time of day has
 * been set meanwhile, or nobody knows whether it has.  Pure.
 */
int64_t env_stamp_raw(int64_t stamp_real_ns, const struct env_stamp_pair *last,
    const struct env_stamp_pair *read);

#endif
