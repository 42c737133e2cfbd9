/*
 * What can be wrong with a log, counted; the first few of each are printed.
 */
#ifndef TESTS_OUTSIDE_WRONG_H
#define TESTS_OUTSIDE_WRONG_H

#include <stdint.h>

#include "tests/outside/rows.h"

enum wrong {
	WRONG_ORDER,        /* of the log */
	WRONG_SEQUENCE,     /* of a thread */
	WRONG_TIME,         /* of a thread, falls */
	WRONG_NODE_TIME,    /* of a thread, falls */
	WRONG_EARLY,        /* before a reading made before the event */
	WRONG_LATER,        /* after a reading made after the event */
	WRONG_BEFORE_CAUSE, /* in order or in time */
	WRONG_WITHOUT_CAUSE,
	WRONG_ORPHAN,    /* flagged, but its cause is in the log */
	WRONG_NO_ORPHAN, /* not flagged, but its cause is not in the log */
	WRONG_NOT_FOUND, /* a viewer was not told, or told wrongly */
	WRONG_TWICE,
	WRONG_UNKNOWN, /* no process did this */
	WRONG_COUNT,   /* of a pair or thread */
	WRONG_HASH,    /* of a thread */
	WRONGS
};

/* An event is wrong. */
void wrong_row(enum wrong, const struct row *);
/* Something else is; a sentence. */
void wrong_say(enum wrong, const char *, ...)
    __attribute__((format(printf, 2, 3)));
uint64_t wrong_count(enum wrong);
/* Prints how many of each; returns how many in all. */
uint64_t wrong_sum(void);
/* Begins anew. */
void wrong_forget(void);

#endif
