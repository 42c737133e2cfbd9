/*
 * What every lane and thread was in at one place of the log, so that the log
 * can be read again from there.  Taken by the writer between two blocks.
 */
#ifndef VIEWER_CHECKPOINT_H
#define VIEWER_CHECKPOINT_H

#include <stdint.h>

#include "model/lod/lod.h"

struct model;
struct checkpoint;

/* NULL: ENOMEM.  O(lanes + spans that are open). */
struct checkpoint *checkpoint_take(const struct model *, uint64_t *bytes);
/*
 * Puts a model that has the same lanes, and is empty, into that state.  -1:
 * ENOMEM.
 */
int checkpoint_apply(const struct checkpoint *, struct model *);

/*
 * The exact sums of all lanes up to the last change of each, one lane after
 * another.  NULL: all are 0.
 */
struct checkpoint_sums {
	const uint8_t *at, *end;
	uint32_t left; /* lanes */
};
void checkpoint_sums(const struct checkpoint *, struct checkpoint_sums *);
/* Of a lane that was not there yet they are 0. */
void checkpoint_sums_next(struct checkpoint_sums *, struct lod_sum *);

#endif
