/*
 * In which order the rows of a thread have changed at one instant.
 *
 * At one instant many spans may begin and end, of no time, one within the other
 * or one after the other: of a clock that ticks seldom, most do.  A row tells
 * in which order its own did, but not what was within which of the row before.
 * The thread's own lane has them all in their order, and nothing of depths;
 * this puts the two together.
 *
 * Readers, within retired_enter() of the model.
 */
#ifndef VIEWER_INSTANT_H
#define VIEWER_INSTANT_H

#include "model/run/take.h"

struct instant_row {
	const struct lod *lod;
	uint64_t read;     /* at which instant this is so */
	uint32_t first, n; /* its changes then */
	uint32_t next;     /* those before have been met */
	uint32_t lane;
	uint16_t state; /* that it is in, so far */
};
struct instant_change {
	struct lod_piece piece;
	uint64_t order;
};
struct instant {
	const struct model *m;
	uint32_t thread;
	int64_t t_ns;
	uint64_t number; /* of instants so far; 0: none */
	struct instant_row *row;
	uint32_t rows, row_cap;
	struct instant_change *change;
	uint32_t changes, cap;
	uint64_t rest; /* when a row changed with none of the thread's own */
	int64_t depth; /* row of the innermost that is no wait; -1: none */
};

/* Another thread; those before, or all 0, are forgotten.  -1: ENOMEM. */
int instant_thread(struct instant *, const struct model *, uint32_t thread);
void instant_clear(struct instant *);
/*
 * When change k, from 0 on, of so many at t in a row of this depth came: what
 * is more came later, also in other rows.  0: not known.  O(changes at t) where
 * it is asked for the first time.
 */
uint64_t instant_order(struct instant *, int64_t t_ns, uint32_t depth,
    uint32_t k);
/*
 * The piece of the row before that change k of a row was made within, of what
 * waits lie over what that is; false: not known.
 */
bool instant_outer(struct instant *, int64_t t_ns, uint32_t depth, uint32_t k,
    struct lod_piece *);
/*
 * Which change of which row came with change k of the thread's own lane; false:
 * none did.
 */
bool instant_row(struct instant *, int64_t t_ns, uint32_t k, uint32_t *depth,
    uint32_t *of_row);

#endif
