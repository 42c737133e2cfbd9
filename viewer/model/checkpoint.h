/*
 * What every lane and thread was in at one place of the log, so that the log
 * can be read again from there.  Taken by the writer between two blocks.
 */
#ifndef VIEWER_CHECKPOINT_H
#define VIEWER_CHECKPOINT_H

#include <stdint.h>

struct model;
struct checkpoint;

/* NULL: ENOMEM.  O(lanes + spans that are open). */
struct checkpoint *checkpoint_take(const struct model *, uint64_t *bytes);
/*
 * Puts a model that has the same lanes, and is empty, into that state.  -1:
 * ENOMEM.
 */
int checkpoint_apply(const struct checkpoint *, struct model *);

#endif
