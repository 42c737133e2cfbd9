/*
 * Logical time: what may have caused an event, and what it may have affected.
 * Everything else is concurrent with it, however early or late it seems.
 *
 * UI thread only; the log is read once more for it, part by part while nothing
 * else is to be done: its file, or, when that is not on this machine, what
 * monitord sends of it again.
 */
#ifndef VIEWER_CONE_H
#define VIEWER_CONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/feed.h"

struct buf;
struct cone;

/* Of a log; path NULL: of what is brought.  NULL: a sentence in why. */
struct cone *cone_open(const char *path, char *why, size_t n);
void cone_close(struct cone *);

/*
 * Of what happened on a thread up to t, and from t on.  Answered when all of
 * the log, as far as it is there, has been read.  max_bytes: the most that may
 * be kept of it.
 */
void cone_ask(struct cone *, uint32_t location, int64_t t_mon_ns,
    uint64_t max_bytes);
/* Goes on by a block.  False: there is nothing to do, or nothing is there. */
bool cone_step(struct cone *);
bool cone_busy(const struct cone *);
/* 0 to 100; a sentence in why when it could not be told, else "". */
unsigned cone_percent(const struct cone *);
const char *cone_why(const struct cone *);

/* Says once that the log's frames are to be brought, from *from on. */
bool cone_wants(struct cone *, uint64_t *from);
bool cone_hungry(const struct cone *); /* all that was brought is read */
/*
 * Takes the memory of some of them; all end before until, and got says whether
 * these are the last.
 */
void cone_bring(struct cone *, struct buf *, uint64_t until,
    enum feed_frames got);

/*
 * The last instant of a thread that may have caused it, INT64_MIN: there is
 * none; the first that it may have affected, INT64_MAX.  Of one that is asked
 * about, t itself.
 */
void cone_cut(const struct cone *, uint32_t location, int64_t *past,
    int64_t *future);

#endif
