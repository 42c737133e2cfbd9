/*
 * After the end: the finished log is read once by a viewer in the background
 * (viewer --index), so that whoever opens it first need not wait.
 */
#ifndef MONITORD_INDEXER_H
#define MONITORD_INDEXER_H

#include <stdbool.h>
#include <stdint.h>

#define INDEXER_DEFAULT "yes"

/*
 * "no", "yes" (from ten million events on), or a number of events.  False: none
 * of these.  *events: UINT64_MAX for never.
 */
bool indexer_when(const char *, uint64_t *events);

/*
 * Starts it for this log; returns when it goes on alone.  It needs nothing of
 * ours and ends by itself; without a viewer nothing happens.  Says what it has
 * done in one line.
 */
void indexer_start(const char *log);

#endif
