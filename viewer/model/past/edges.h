/*
 * Exact sums of a range that ends where single changes were given up.  What a
 * lane was in from t0 to t1 is what it was in up to t1 less what it was up to
 * t0; and up to an instant it is known exactly from the checkpoint before it
 * and the part of the log between the two, which is read once more.  So a range
 * of any length costs two short reads, and a sum is left of each for every
 * lane.
 *
 * The feed's thread makes it; the window's takes it over with model_set_edges()
 * and from then on model_lane_totals() is exact for this range, also when it
 * grows where all is in memory.
 */
#ifndef VIEWER_EDGES_H
#define VIEWER_EDGES_H

#include <stdbool.h>
#include <stdint.h>

struct detail_plan;
struct edges;
struct model;

/* Writer: of [t0, t1).  NULL: ENOMEM.  O(lanes). */
struct edges *edges_new(struct model *, int64_t t0, int64_t t1);
void edges_free(struct edges *); /* NULL is fine */

/*
 * Writer: what must be read next, events at most.  False: nothing, or it is too
 * much.
 */
bool edges_plan(struct edges *, uint64_t most, struct detail_plan *);
/* Writer: a model for it is begun (detail_new).  -1: ENOMEM. */
int edges_begin(struct edges *, const struct model *detail);
/* Writer: all of it has been fed, and detail_ready() said.  -1: ENOMEM. */
int edges_take(struct edges *, const struct model *detail);
/* Both ends are known. */
bool edges_whole(const struct edges *);

/* The only reader: takes it; the one before is freed. */
void model_set_edges(struct model *, struct edges *);

#endif
