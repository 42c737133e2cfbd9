/*
 * Models of finished logs, kept where the user's caches are, so that a large
 * run is there at once when it is opened again.
 */
#ifndef VIEWER_CACHE_H
#define VIEWER_CACHE_H

#include "model/model.h"

/*
 * The model of a log that was read before, whole; else NULL, and what is made
 * next can be kept.  To be called before there is any model.
 */
struct model *cache_open(const char *log);
/*
 * Keeps the model of a finished log that took long enough to read, and throws
 * away the oldest ones when they take too much.  Failing is no matter.
 */
void cache_keep(struct model *, const char *log);

#endif
