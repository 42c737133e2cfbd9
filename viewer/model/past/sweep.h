/* Sums of call paths (swept.h): what of the log is to be read for them. */
#ifndef VIEWER_SWEEP_H
#define VIEWER_SWEEP_H

#include "model/calls/swept.h"

struct detail_plan;

/*
 * Writer: what must be read next, events at most.  False: nothing, or it is too
 * much.
 */
bool sweep_plan(struct sweep *, uint64_t most, struct detail_plan *);

#endif
