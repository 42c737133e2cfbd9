/*
 * Exact sums of call paths of a range whose beginning was given up.  The log is
 * read once more from there on, part by part, each into a small model of its
 * own (detail.h); what every thread did in a part is added to what it did
 * before, path by path.  Where all is in memory again it ends: the rest is
 * added up from the lanes by whoever asks (calls.h), as ever.
 *
 * The feed's thread makes it; the window's takes it over with
 * model_set_sweep(), and from then on calls of that range are exact.
 */
#ifndef VIEWER_SWEEP_H
#define VIEWER_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

struct detail_plan;
struct model;
struct sweep;

/* Writer: of [t0, t1).  NULL: ENOMEM. */
struct sweep *sweep_new(struct model *, int64_t t0, int64_t t1);
void sweep_free(struct sweep *); /* NULL is fine */

/*
 * Writer: what must be read next, events at most.  False: nothing, or it is too
 * much.
 */
bool sweep_plan(struct sweep *, uint64_t most, struct detail_plan *);
/* Writer: all of it has been fed, and detail_ready() said.  -1: ENOMEM. */
int sweep_take(struct sweep *, const struct model *detail);
bool sweep_whole(const struct sweep *); /* there is nothing left to read */

/* The only reader: takes it; the one before is freed. */
void model_set_sweep(struct model *, struct sweep *);

#endif
