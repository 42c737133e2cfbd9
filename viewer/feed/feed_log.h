/*
 * The log of a run that is watched live: where it lies, if that is on this
 * machine, and what is kept of it when the run ends.
 */
#ifndef VIEWER_FEED_LOG_H
#define VIEWER_FEED_LOG_H

#include <limits.h>
#include <stdbool.h>

#include "message.h"

struct feed;

/*
 * The log that monitord at this address is writing, which must be of this run.
 * False: monitord is elsewhere, or is not ours to look into.
 */
bool log_find(const char *address, const struct uuid *run, char path[PATH_MAX]);
/*
 * Feed's thread, when the run has ended: keeps the model for who opens the log
 * (cache.h).  One that the finished log has in another order, since late events
 * were put into their places, is made anew from it by another process.
 */
void log_keep(struct feed *, const char *path);

#endif
