/*
 * Names with ranges: n[01-16], n[1,3,5-7], r[1-2]n[1-4].
 */
#ifndef MONITORD_HOSTRANGE_H
#define MONITORD_HOSTRANGE_H

#include <stddef.h>

#define HOSTRANGE_MAX 4096 /* names that one text may stand for */

/*
 * Calls back with each name in turn.  Returns how many there were, or -1 with
 * *why (static text) and *at, the place in text where it goes wrong; or -1
 * and *why NULL when the call-back returned non-zero.
 */
int hostrange_each(const char *text, int (*cb)(void *arg, const char *name),
    void *arg, const char **why, size_t *at);

#endif
