/*
 * Models of finished logs, kept where the user's caches are, so that a large
 * run is there at once when it is opened again.
 */
#ifndef VIEWER_CACHE_H
#define VIEWER_CACHE_H

#include "model/model.h"

/* Logs with fewer events are read in no time. */
#define CACHE_EVENTS_MIN 2000000u

/* Why a log has no model kept, and an exit code of sysexits for it. */
struct cache_trouble {
	int code;
	char why[640];
};

/*
 * The model of a log that was read before, whole; else NULL, and what is made
 * next can be kept.  To be called before there is any model.
 */
struct model *cache_open(const char *log);
/* There is no log yet, but the model that is made next can be kept. */
void cache_ready(void);
/*
 * Whether the model of a log is kept: 1, 0, or -1: it cannot be, and why.  Its
 * beginning is looked at only.
 */
int cache_look(const char *log, struct cache_trouble *);
/*
 * Keeps the model of a finished log, and throws away those whose logs are gone
 * and, when all take too much, those that were not used for longest.  -1, and
 * why.
 */
int cache_keep(struct model *, const char *log, struct cache_trouble *);

#endif
