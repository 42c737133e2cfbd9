/*
 * Logical time: what may have caused an event, and what it may have affected.
 * Everything else is concurrent with it, however early or late it seems.
 *
 * UI thread only; the log is read once more for it, part by part while nothing
 * else is to be done.
 */
#ifndef VIEWER_CONE_H
#define VIEWER_CONE_H

#include "ui/ui.h"

struct cone;

/* Of a log; NULL with a sentence in why. */
struct cone *cone_open(const char *path, char *why, size_t n);
void cone_close(struct cone *);

/*
 * Of what happened on a thread up to t, and from t on.  Answered when all of
 * the log, as far as it is there, has been read.  max_bytes: the most that may
 * be kept of it.
 */
void cone_ask(struct cone *, uint32_t location, int64_t t_mon_ns,
    uint64_t max_bytes);
/* Goes on by a block.  False: there is nothing to do. */
bool cone_step(struct cone *);
bool cone_busy(const struct cone *);
/* 0 to 100; a sentence in why when it could not be told, else "". */
unsigned cone_percent(const struct cone *);
const char *cone_why(const struct cone *);

/*
 * The last instant of a thread that may have caused it, INT64_MIN: there is
 * none; the first that it may have affected, INT64_MAX.  Of one that is asked
 * about, t itself.
 */
void cone_cut(const struct cone *, uint32_t location, int64_t *past,
    int64_t *future);

#endif
