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
#ifndef VIEWER_SWEPT_H
#define VIEWER_SWEPT_H

#include <stdbool.h>
#include <stdint.h>

struct model;
struct sweep;

/* Writer: of [t0, t1).  NULL: ENOMEM. */
struct sweep *sweep_new(struct model *, int64_t t0, int64_t t1);
void sweep_free(struct sweep *); /* NULL is fine */

/*
 * Writer: the stretch that has still to be read from the log.  False: there is
 * none.  And that what is read next ends there.
 */
bool sweep_missing(const struct sweep *, int64_t *from_ns, int64_t *until_ns);
void sweep_part(struct sweep *, int64_t until_ns);
/* Writer: all of it has been fed, and detail_ready() said.  -1: ENOMEM. */
int sweep_take(struct sweep *, const struct model *detail);

/* The only reader: takes it; the one before is freed. */
void model_set_sweep(struct model *, struct sweep *);

#endif
