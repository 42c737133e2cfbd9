/*
 * A log that is there, read ahead of the model: a thread of its own finds the
 * frames, checks and unpacks them, while the model takes those before.
 */
#ifndef VIEWER_FEED_AHEAD_H
#define VIEWER_FEED_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"
#include "message.h"

/* A frame, and if it is a block its events. */
struct ahead_frame {
	struct frame frame; /* a block's body is not there */
	uint64_t offset;    /* in the log */
	struct msg_block block;
	const struct event *events; /* NULL: no block, or a damaged one */
};

struct ahead;

/*
 * Begins to read the file from this offset on.  NULL: with one processor, or
 * without memory, the caller reads as well itself.
 */
struct ahead *ahead_start(const char *file, uint64_t offset);
/*
 * The next one, valid until the next call; false: the end of what is there.
 * Waits for the reader.
 */
bool ahead_next(struct ahead *, struct ahead_frame *);
/* Where the next frame would be, for who goes on alone. */
uint64_t ahead_offset(const struct ahead *);
/* Stretches that were no frames, so far; as tracefile_damaged_bytes(). */
uint64_t ahead_damaged_bytes(const struct ahead *);
/* Also when there is more.  NULL is fine. */
void ahead_stop(struct ahead *);

#endif
