/*
 * viewer --index: reads finished logs and keeps their models (cache.h), so that
 * the first look at each is at once, too.  No window, no X server.
 */
#ifndef VIEWER_INDEXING_H
#define VIEWER_INDEXING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One log after another; what is kept already is left as it is.  memory: as
 * model_set_memory().  A line about each on stdout, how far it is on a terminal
 * on stderr.  Returns 0, or a code of sysexits of one that failed.
 *
 * In the background another process does it, with the least priority there is
 * and without a word; only what is wrong with the names of logs is told.
 */
int indexing(char *const *logs, int n, uint64_t memory, bool background);

#endif
