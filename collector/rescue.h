/* Segments that only live processes still know. */
#ifndef COLLECTOR_RESCUE_H
#define COLLECTOR_RESCUE_H

#include "pass.h"

/*
 * Looks through /proc for processes that have a segment so tagged mapped,
 * and opens it by their mapping, which takes CAP_CHECKPOINT_RESTORE or root,
 * or by their descriptor.  found() takes fds.
 */
void rescue_scan(const char *tag,
    void (*found)(void *arg, const struct pass *, const int fds[PASS_FDS]),
    void *arg);

#endif
