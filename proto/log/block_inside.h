/* What block.c and block_finish.c share; nobody else includes this. */
#ifndef PROTO_BLOCK_INSIDE_H
#define PROTO_BLOCK_INSIDE_H

#include <zstd.h>

#include "block_format.h"
#include "words.h"

/*
 * A summary and what the next event is told from, in one line of the cache.
 * Numbers of 16 bits suffice since the first event is not in them.
 */
struct lane {
	uint64_t next_seq;
	uint64_t raw; /* t_node - mapped time of its last event */
	int64_t first_mon_ns, last_mon_ns;
	uint32_t location;
	uint8_t first_class;
	uint16_t class_more[EVENT_CLASSES]; /* after the first */
};
#define LINE_BYTES 64

_Static_assert(sizeof(struct lane) == LINE_BYTES, "a lane is a line");
_Static_assert(BLOCK_EVENTS_MAX - 1 <= UINT16_MAX, "all can be of one lane");

struct column {
	uint8_t *start, *p;
};

struct block_writer {
	uint32_t events;
	int64_t first_mon_ns, last_mon_ns;
	unsigned flags; /* of the run of events that is open */
	uint32_t flags_run;
	struct column column[BLOCK_COLUMNS];
	uint8_t *memory; /* of all columns */

	struct lane *lane;
	size_t nlanes, lanes_cap;
	uint32_t *lane_of; /* by hash of the location: lane + 1, 0 empty */
	size_t lane_of_mask;

	struct words words;
	struct words_stack *stack; /* BLOCK_STACKS of them */
	ZSTD_CCtx *zstd;
	int level; /* that it is set to */
	struct buf lanes, packed;
};

/* The run of events with the same flags is over. */
void block_close_flags(struct block_writer *);
/* Begins the next block. */
void block_empty(struct block_writer *);

#endif
