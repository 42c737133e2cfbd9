/* What tracefile.c, traceindex.c and traceeach.c share. */
#ifndef PROTO_TRACEFILE_INSIDE_H
#define PROTO_TRACEFILE_INSIDE_H

#include <stdbool.h>

#include "tracefile.h"

struct tracefile {
	int fd;
	uint64_t bytes; /* of the file, when last looked at */

	/* a stretch of the file in memory */
	struct buf window;
	uint64_t window_at;

	uint64_t damaged_bytes;
	uint64_t damaged_end; /* damage before this has been counted */

	struct buf head; /* body of the run frame */
	struct msg_run run;

	struct tracefile_entry *index;
	size_t index_n, index_cap;
	uint64_t scanned; /* the index covers the file up to here */
	bool finished;
	struct msg_receipt receipt;
};

/*
 * The file from offset on: at least `want` bytes, fewer only at its end.
 * NULL with errno set; *n is 0 at the end.
 */
const uint8_t *tracefile_window(struct tracefile *, uint64_t offset,
    size_t want, size_t *n);
void tracefile_damage(struct tracefile *, uint64_t from, uint64_t to);
/* 1: the frame is there and good; 0: it is not; -1 with errno. */
int tracefile_frame_at(struct tracefile *, uint64_t offset, size_t frame_bytes,
    struct frame *);

#endif
