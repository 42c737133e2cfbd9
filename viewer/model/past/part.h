/*
 * The part of a model that is the past's, see keep/held.h: where the log has
 * what; and what the way in does with it.
 */
#ifndef VIEWER_PAST_PART_H
#define VIEWER_PAST_PART_H

#include "message.h"
#include "model/measured/part.h"

/* plan.c: where the log has a block */
struct log_block {
	uint64_t offset;
	uint64_t before; /* events in the blocks before */
	int64_t first_ns;
	int64_t reach_ns; /* latest event of all so far but late ones */
	uint32_t bytes, events;
	uint32_t late;
};

struct log_checkpoint {
	struct checkpoint *c;
	uint32_t
	    odd; /* messages noted by themselves before it, see talksums.h */
	uint32_t block; /* it stands before */
	int64_t last_ns;
};

struct log_places {
	struct chunk blocks, checkpoints;
	uint32_t nblocks;
	uint64_t events, kept; /* in it; at the last checkpoint */
	int64_t reach_ns;
};

struct past_part {
	struct measured_part below;
	struct log_places log;
};

static inline struct log_places *
log_of(const struct model *m)
{
	return (&((struct past_part *)m)->log);
}

static inline const struct log_block *
block_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&log_of(m)->blocks, i));
}

/* plan.c: writer.  A block is about to be taken; of it, the figures count. -1:
 * ENOMEM. */
int plan_note_block(struct model *, const struct msg_block *,
    size_t frame_bytes, uint64_t offset);
void plan_init(struct model *);
void plan_clear(struct model *);

/* range_ends.c: exact sums of a lane in [t0, t1); false: they are not known */
bool range_ends_sum(const struct model *, uint32_t lane, int64_t t0, int64_t t1,
    struct lod_sum *);

/* message_sums.c: a checkpoint has been added.  -1: ENOMEM. */
int talk_keep(struct model *);

/* forget.c: writer, after a batch of events */
void forget(struct model *);
/* For a model that is kept without single changes, see lod_keep_last(). */
int keep_last_leaves(struct model *);
void forget_leaves(struct model *);
/* below.c, writer: before leaves that end by t are given up. */
void below_keep(struct model *, int64_t t_ns);

#endif
