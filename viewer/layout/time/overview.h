/*
 * What the threads did all along, of a run that grows: kept in buckets of
 * time, of which only what is new is asked for, a little in each frame.
 */
#ifndef VIEWER_OVERVIEW_H
#define VIEWER_OVERVIEW_H

#include <stdbool.h>

#include "model/model.h"

#define OVERVIEW_BUCKETS 8192 /* at least half of them are in use */

struct overview {
	const struct model *model; /* of which it is; NULL: of none */
	uint64_t *sum;             /* by bucket and class */
	int64_t t0_mon_ns;
	unsigned shift;   /* a bucket is 1 << shift ns */
	uint32_t known;   /* so many were asked for */
	uint32_t done;    /* and these since the past has changed */
	uint64_t version; /* of the past */
};

/*
 * Goes on up to the model's last event, by at most so many buckets.  False:
 * there are more (or memory is out).
 */
bool overview_grow(struct overview *, const struct model *, uint32_t most);
/* Shares in n pixels of [t0, t1), as of model_overview(). */
void overview_shares(const struct overview *, int64_t t0, int64_t t1,
    unsigned n, uint8_t *share);
/* Up to when they are known; INT64_MIN: nothing is. */
int64_t overview_end(const struct overview *);
void overview_clear(struct overview *);

#endif
