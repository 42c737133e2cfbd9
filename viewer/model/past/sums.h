/*
 * Exact sums of a range of which single changes were given up: what they need
 * of the log is read once more, part by part, each into a small model of its
 * own (detail.h).
 *
 * What lanes were in, and messages by who sent them to whom, from t0 to t1 are
 * those up to t1 less those up to t0; and up to an instant they are known from
 * the checkpoint before it and the part of the log between the two.  So a range
 * of any length costs two short reads.  Call paths are added up from all that
 * was given up of the range (swept.h).
 *
 * The feed's thread makes them; the window's takes them over with
 * model_set_sums(), and from then on what is asked of this range is exact, also
 * when it grows where all is in memory.
 */
#ifndef VIEWER_SUMS_H
#define VIEWER_SUMS_H

#include <stdbool.h>
#include <stdint.h>

struct detail_plan;
struct model;
struct sums;
struct talk_sums;

enum sums_kind {
	SUMS_LANES,    /* range_ends.c: model_lane_totals() */
	SUMS_MESSAGES, /* message_sums.c: model_talks_in() */
	SUMS_CALLS,    /* call_sums.c: calls.h; last, since it takes longest */
	SUMS_KINDS
};

/* Writer: of [t0, t1).  NULL: ENOMEM.  O(lanes). */
struct sums *sums_new(struct model *, enum sums_kind, int64_t t0, int64_t t1);
void sums_free(struct sums *); /* NULL is fine */

/*
 * Writer: what must be read next, events at most.  False: nothing, or it is too
 * much, or it is not to be had.
 */
bool sums_plan(struct sums *, uint64_t most, struct detail_plan *);
/* Writer: a model for it is begun (detail_new).  -1: ENOMEM. */
int sums_begin(struct sums *, struct model *detail);
/* Writer: all of it has been fed, and detail_ready() said.  -1: ENOMEM. */
int sums_take(struct sums *, const struct model *detail);
bool sums_whole(const struct sums *); /* there is nothing left to read */

/* The only reader: takes them; those before of this kind are freed. */
void model_set_sums(struct model *, struct sums *);

/*
 * Adds the messages that were taken and the phases of calls that were over in
 * [t0, t1); some pairs of a count of 0 as well.  out NULL: only asks.  False:
 * nobody knows; as long as no links were given up (model_links_gone()), they
 * can be counted.  O(pairs).
 */
bool model_talks_in(const struct model *, int64_t t0, int64_t t1,
    struct talk_sums *out);

#endif
