/*
 * What a child says on stderr: lines, printed with the node's name before them,
 * and the last one kept, since it says why the child has ended.
 */
#ifndef MONITORD_LAUNCH_WORDS_H
#define MONITORD_LAUNCH_WORDS_H

#include <stddef.h>

struct event_base;
struct launch_words;

/* *end is for the child, to be closed here.  NULL with errno set. */
struct launch_words *launch_words_new(struct event_base *, const char *node,
    int *end);
void launch_words_free(struct launch_words *); /* NULL is fine */
/* Reads what is there; the last line with a hint to it, "" if there is none. */
const char *launch_words_last(struct launch_words *);

/* What to do about a line of ssh; "" when that is not known. */
const char *launch_words_hint(const char *line);

#endif
