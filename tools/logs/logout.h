/*
 * Writes a log: frames as they are, events in blocks, at the end index and
 * receipt.  The file appears under its name when it is whole, not before.
 */
#ifndef TOOLS_LOGOUT_H
#define TOOLS_LOGOUT_H

#include <sys/types.h>

#include "log/tracefile.h"

struct logout;

/*
 * Begins a log of this name, which must not be there, with its head; whoever
 * may read the log it is made of may read this one.  NULL with errno set;
 * EEXIST: it is there.
 */
struct logout *logout_open(const char *path, mode_t mode,
    const struct msg_run *);
/* All that follow: 0, or -1 with errno set, after which only free() helps. */
int logout_frame(struct logout *, const struct frame *);
int logout_message(struct logout *, enum msg_type, const void *msg);
/* In order of t_mon_ns. */
int logout_event(struct logout *, const struct event *);
/* On disk and under its name.  receipt NULL: an unfinished log. */
int logout_finish(struct logout *, const struct msg_receipt *);
/* What is not finished is gone.  NULL is fine. */
void logout_free(struct logout *);

#endif
