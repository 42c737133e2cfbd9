/*
 * Blocks of the log: up to BLOCK_EVENTS_MAX events in order of t_mon_ns, in
 * columns, with a summary per location.
 *
 * lanes (never compressed): per location, in order of first appearance,
 *	varint location, first seq, events, first and last t_mon_ns less the
 *	block's first, a set of classes (bit 1 << class), and for each class in
 *	it, from the lowest, how many events it has here
 *
 * columns: each one varint plain length, varint length as stored, bytes; when
 *	the two are the same it is stored plain, else it is a zstd frame
 *	1 t_mon_ns, varint differences	2 lane index, varint
 *	3 tags and new kinds (words.h)	4 a, 5 b, 6 c: words (words.h)
 *	7 flags, as runs: varint events, varint flags
 *	8 shift of the events flagged SHIFTED, varint
 *	9 raw time: r = t_node - (t_mon - shift), as zigzag of its difference
 *	  from the one before in the lane, which begins with 0
 *
 * Within a block the events of a location have consecutive sequence numbers.
 * Blocks whose `late` is set hold events that belong before blocks already
 * written; a finished log has none.
 */
#ifndef PROTO_BLOCK_H
#define PROTO_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"

#ifdef ORRERY_SMALL /* thousands of daemons a second, for fuzzing */
#define BLOCK_EVENTS_MAX 512
#else
#define BLOCK_EVENTS_MAX 65536
#endif
#define BLOCK_LEVEL_FAST (-2000)
#define BLOCK_PLAIN_MAX  (BLOCK_EVENTS_MAX * 64u) /* plain_bytes are no more */

struct block_lane {
	uint32_t location;
	uint32_t events;
	uint64_t first_seq;
	int64_t first_mon_ns, last_mon_ns;
	uint32_t class_events[EVENT_CLASSES];
};

/* Makes blocks.  Reused from one block to the next. */
struct block_writer;
struct block_writer *block_writer_new(void);
void block_writer_free(struct block_writer *);
/*
 * Takes n events.  Times must not fall and a location's seq must go up by one.
 * Returns how many it has taken: fewer, with errno EINVAL, up to where one does
 * not fit (the caller closes the block first), with ENOSPC when the block is
 * full, or with ENOMEM.  Kinds must have a descriptor, times must be within
 * TIME_NS_MAX; words without a meaning
 * are dropped, and so is a shift without EVENT_SHIFTED.
 */
size_t block_take(struct block_writer *, const struct event *, size_t n);
/* One of them: 0, or -1 with errno as above. */
int block_add(struct block_writer *, const struct event *);
/* Whether it has events of this location. */
bool block_holds(const struct block_writer *, uint32_t location);
uint32_t block_events(const struct block_writer *);
/*
 * Appends the block as a MSG_block frame to out and empties the writer.
 * level: of zstd, 0 for no compression.  BLOCK_LEVEL_FAST is for what cannot
 * wait: columns hold little that repeats, so entropy coding alone gives the
 * size of level 1 (within 2 %) in half its time; how far below zero the level
 * is says only how seldom matches are looked for.  Returns 0, or -1 with
 * ENOMEM.
 */
int block_finish(struct block_writer *, int late, int level, struct buf *out);

/*
 * Reads the summary only.  The array is to be freed.  -1: damaged, or ENOMEM.
 */
int block_read_lanes(const struct msg_block *, struct block_lane **, size_t *n);

/*
 * Reads the events into `out`, which has room for b->events.  Returns 0, or
 * -1 when it is damaged (out may be partly written).  scratch is grown as
 * needed and can be kept for the next block.
 */
int block_read(const struct msg_block *, struct event *out,
    struct buf *scratch);

#endif
