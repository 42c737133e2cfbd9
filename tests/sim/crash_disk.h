/*
 * A disk that remembers everything that was done to it, and can show every
 * state that a crash may have left.
 *
 * What a sync has returned for lasts.  Of what came after it any part may have
 * happened, in pages of 4 KiB and, within one, up to a sector or to a byte; or
 * the file may have grown and hold zeros.  Names are independent of contents
 * until their directory is synced.  What was written before a sync that failed
 * may be gone for ever, whatever a later sync says: kernels forget it.
 *
 * When only processes die, everything is there but for a part of the last
 * write.
 */
#ifndef TESTS_SIM_CRASH_DISK_H
#define TESTS_SIM_CRASH_DISK_H

#include <stdbool.h>
#include <stddef.h>

#include "env.h"
#include "tests/sim/model.h"

struct crash_disk;

struct crash_disk *crash_disk_new(uint64_t seed);
void crash_disk_free(struct crash_disk *);
struct env *crash_disk_env(struct crash_disk *);
/* From now on one in n writes and syncs fails, half of the former half-way. */
void crash_disk_trouble(struct crash_disk *, unsigned one_in);
/* How many operations there have been: a place to crash at. */
size_t crash_disk_ops(const struct crash_disk *);
/* How many of those before `at` may or may not have happened. */
size_t crash_disk_open(const struct crash_disk *, size_t at);

enum crash_kind {
	CRASH_KILL,   /* the last operation is cut by tear bytes */
	CRASH_PREFIX, /* the first `keep` open ones, tear sectors of the next */
	CRASH_RANDOM, /* any part of any */
	CRASH_KINDS
};
struct crash {
	enum crash_kind kind;
	size_t at;   /* operations that there have been */
	size_t keep; /* PREFIX: of those that are open */
	size_t tear; /* KILL: bytes lost; PREFIX: sectors of the next */
};
/* The disk after that, all of it lasting. */
struct crash_disk *crash_disk_image(const struct crash_disk *,
    const struct crash *, struct chance *);

/*
 * Images can be made of what is done to an image, too: it has to be settled
 * first.  Returns the first place to crash at.
 */
size_t crash_disk_settle(struct crash_disk *);

/* Contents of a file; NULL when there is none. */
const void *crash_disk_file(const struct crash_disk *, const char *path,
    size_t *n);

#endif
