/* Segments that only live processes still know. */
#ifndef COLLECTOR_RESCUE_H
#define COLLECTOR_RESCUE_H

#include <stdbool.h>

#include "pass.h"

/*
 * Looks through /proc for processes that have a segment so tagged mapped,
 * and opens it by their mapping, which takes CAP_CHECKPOINT_RESTORE or root,
 * or by their descriptor.  found() takes fds.
 */
void rescue_scan(const char *tag,
    void (*found)(void *arg, const struct pass *, const int fds[PASS_FDS]),
    void *arg);

/*
 * Looks for the segment of one PO: in its process m->pid, then wherever else
 * it may be mapped (children that have not noticed yet).  m->po and m->pid are
 * the caller's, clock and layout are filled in.  1: fds are the caller's, and
 * fds[1] is -1 when the process itself has let go; 0: nobody has it; -1: the
 * process has it mapped, but it cannot be opened now.
 */
int rescue_find(const char *tag, struct pass *m, int fds[PASS_FDS]);

#endif
