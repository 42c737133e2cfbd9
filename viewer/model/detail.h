/*
 * What was given up to keep within the memory allowed, fetched back.  The
 * model remembers where each block of the log lies, and now and then what every
 * lane was in (a checkpoint).  From the checkpoint before a stretch of time on
 * the log is read once more, into a model of its own that has the same lanes;
 * questions that lie wholly within the stretch are answered by that one.
 *
 * The feed's thread makes such a model and fills it; the window's thread takes
 * it over with model_set_detail() and is the only one to look into it.
 */
#ifndef VIEWER_DETAIL_H
#define VIEWER_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"
#include "message.h"
#include "model/past/plan.h"

struct model;

/*
 * Writer: as model_add_frame(), of a frame that lies at this offset of the log.
 * Without the offset nothing can be fetched back.
 */
int model_add_frame_at(struct model *, const struct frame *, uint64_t offset);
/* The same of a block whose events are at hand; of block, the figures count. */
int model_add_block_at(struct model *, const struct msg_block *block,
    const struct event *, size_t frame_bytes, uint64_t offset);

/*
 * Writer: the model for it, to be fed with the frames of that part of the log
 * by model_add_frame(), in their order.  To be given to the whole model, or
 * freed, before that is.  NULL: ENOMEM.  O(lanes).
 */
struct model *detail_new(struct model *, const struct detail_plan *);
/*
 * Writer: all up to plan.until has been fed; effects of what is in it are still
 * to come, so that some more should be, up to plan.later.
 */
bool detail_lacks(const struct model *detail);
/* Writer: all of it has been fed. */
void detail_ready(struct model *detail);

/* One that no model has been given. */
void detail_free(struct model *detail);

/*
 * The only reader: from now on this one answers for its stretch (NULL: none
 * does); the one before is freed.
 */
void model_set_detail(struct model *, struct model *detail);
/* Grows with each of them. */
uint64_t model_details(const struct model *);
/* [t0, t1) is known one by one. */
bool model_known(const struct model *, int64_t t0, int64_t t1);

/*
 * Whether what is left of [t0, t1), drawn n pixels wide, shows: on the average
 * a summary of a thread is wider than a pixel.
 */
bool model_coarse(const struct model *, int64_t t0, int64_t t1, unsigned n);

#endif
