/* Messages and phases of calls of a range, counted from the links, in steps. */
#ifndef VIEWER_TALKCOUNT_H
#define VIEWER_TALKCOUNT_H

#include "model/model.h"
#include "model/run/talksums.h"
#include "underway.h"

struct talk_count {
	const struct model *model;
	int64_t t0, t1;          /* of the range */
	int64_t at_ns, step_ns;  /* counted up to here */
	int64_t back_ns;         /* calls that began before, sought down to */
	uint32_t lanes, *place;  /* PO or lane, of each lane; UINT32_MAX */
	struct talk_sums sums;   /* what was found */
	struct underway calls;   /* that have begun in the range */
	struct underway lacking; /* that came back; they began before it */
	bool failed;             /* memory is out */
};

/*
 * Of each of so many lanes the number of its PO, or the lane of its thread;
 * UINT32_MAX: it has none.  False: ENOMEM.
 */
bool talk_places(const struct model *, uint32_t lanes, bool threads,
    uint32_t *out);

/* All of it is 0, or was used before.  false: ENOMEM. */
bool talk_count_begin(struct talk_count *, const struct model *, int64_t t0,
    int64_t t1, bool threads);
bool talk_count_step(struct talk_count *); /* true: all is counted */
void talk_count_clear(struct talk_count *);

#endif
