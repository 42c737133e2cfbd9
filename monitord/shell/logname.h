/*
 * The name of the log when nobody has given one: run-1.orr, run-2.orr and so on
 * in this directory, with run.orr a link to the newest.
 */
#ifndef MONITORD_LOGNAME_H
#define MONITORD_LOGNAME_H

#include <stdbool.h>

#define LOGNAME_LINK  "run.orr"
#define LOGNAME_BYTES 32

/* The newest, which may be unfinished, or the first. */
void logname_newest(char name[LOGNAME_BYTES]);
/*
 * That one is finished: the next, which does not exist.  A file that is itself
 * called run.orr gets a number too.  -1 with errno set.
 */
int logname_next(char name[LOGNAME_BYTES]);
/* Makes run.orr a link to it; -1 with errno set. */
int logname_link(const char *name);

#endif
