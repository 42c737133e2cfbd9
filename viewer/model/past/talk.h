/*
 * Exact sums of the messages of a range, by processes, where links were given
 * up: those taken from t0 to t1 are those up to t1 less those up to t0.  Up to
 * a checkpoint (detail.h) they have been kept; from there to an end of the
 * range the log is read once more.
 *
 * A message whose cause cannot be found in what is read from any checkpoint,
 * since more than talk_apart causes lie between the two or the effect came
 * first, is noted by itself when it is taken.
 *
 * The feed's thread makes it; the window's takes it over with model_set_talk().
 */
#ifndef VIEWER_TALK_H
#define VIEWER_TALK_H

#include <stdbool.h>
#include <stdint.h>

struct detail_plan;
struct model;
struct talk;

/* Writer: of [t0, t1).  NULL: ENOMEM. */
struct talk *talk_new(struct model *, int64_t t0, int64_t t1);
void talk_free(struct talk *); /* NULL is fine */

/*
 * Writer: what must be read next, events at most.  False: nothing, or it is not
 * to be had.
 */
bool talk_plan(struct talk *, uint64_t most, struct detail_plan *);
/* Writer: a model for it is begun (detail_new).  0. */
int talk_begin(struct talk *, struct model *detail);
/* Writer: all of it has been fed.  -1: ENOMEM. */
int talk_take(struct talk *, const struct model *detail);
bool talk_whole(const struct talk *); /* both ends are known */

/* The only reader: takes it; the one before is freed. */
void model_set_talk(struct model *, struct talk *);

/*
 * Messages PO x PO taken in [t0, t1).  False: nobody knows; as long as no links
 * were given up (model_links_gone()), they can be counted.
 */
bool model_messages_in(const struct model *, int64_t t0, int64_t t1,
    uint32_t po0, uint32_t po1, uint64_t *count, uint64_t *bytes);

#endif
