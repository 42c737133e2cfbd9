/*
 * The shape of a run that has not been read yet: what the summaries of its
 * blocks say of each location.  A block knows when a location was heard of
 * first and last, and how many events of which class it has; not how long
 * anything took.  So this is to be looked at, and never to be counted with.
 *
 * Made by one thread, then given to another; nothing in it is shared.
 */
#ifndef VIEWER_SKETCH_H
#define VIEWER_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#include "log/block.h"
#include "log/tracefile.h"

/* Cells of 32 bytes, unless told otherwise. */
#define SKETCH_CELLS 524288
#define SKETCH_LANES 262144 /* locations; of more there is nothing */
#define SKETCH_ALL   0      /* the lane of all locations together */
#define SKETCH_NONE  UINT32_MAX

struct sketch;

/*
 * When there would be more than so many cells (at least 16), neighbouring
 * blocks become one; 0: SKETCH_CELLS.  NULL: ENOMEM.
 */
struct sketch *sketch_new(size_t cells_max);
void sketch_free(struct sketch *); /* NULL is fine */

/*
 * Takes the summary of the next block in order of time.  -1: EINVAL, it
 * contradicts itself or those before, and nothing has changed; or ENOMEM.
 * O(lanes), on the average.
 */
int sketch_add(struct sketch *, const struct tracefile_entry *,
    const struct block_lane *, size_t n);

/* Of all that was taken; first > last: nothing was. */
int64_t sketch_first_ns(const struct sketch *);
int64_t sketch_last_ns(const struct sketch *);
uint64_t sketch_events(const struct sketch *);
size_t sketch_cells(const struct sketch *);
/* SKETCH_NONE: nothing is known of that location. */
uint32_t sketch_lane(const struct sketch *, uint32_t location);

/*
 * What a lane did in n equal pixels of [t0, t1), as far as there are events of
 * it: added to sum[i * LANE_CLASSES + class], as steps.  From those of so many
 * lanes (1 or more) sketch_sums() makes shares of the pixels, 0 to 1, together
 * no more than 1; then it is done.  There must be room for SKETCH_SUMS(n).
 * O(cells in sight), and O(n).
 */
#define SKETCH_SUMS(n) (((size_t)(n) + 2) * LANE_CLASSES)
void sketch_spread(const struct sketch *, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, float *sum);
void sketch_sums(unsigned n, unsigned lanes, float *sum);
/*
 * Sets to 1 those of n pixels in which monitor events of this lane may lie:
 * something was lost, or is in doubt.  None of them is too short.
 */
void sketch_alerts(const struct sketch *, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, uint8_t *alert);
/* About so many events of all lanes are added to each of n pixels. */
void sketch_density(const struct sketch *, int64_t t0, int64_t t1, unsigned n,
    uint32_t *density);

#endif
