/*
 * The log of a run that is watched live: where it lies, if that is on this
 * machine, and what is done with it when the run ends.
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
 * Feed's thread, when the run has ended: has the finished log read by another
 * process, which keeps an image of it for who opens it (cache.h).
 */
void log_keep(struct feed *, const char *path);

#endif
