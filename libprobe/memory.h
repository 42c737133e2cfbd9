/* The mappings of a segment: its head, rings in use, names being written. */
#ifndef LIBPROBE_MEMORY_H
#define LIBPROBE_MEMORY_H

#include "internal.h"

/*
 * Maps the head of the segment that fd is, and takes over its sizes; the
 * caller closes fd.  false: it is none, or the program's limits forbid it.
 */
bool memory_open(struct attachment *, int fd);
void memory_close(struct attachment *); /* one that was never used */

/* The records of a ring, mapped if need be; NULL: that cannot be. */
struct probe_record *memory_ring(struct attachment *, uint32_t i);
void memory_ring_drop(struct attachment *, uint32_t i);

/*
 * Where byte `at` of the names is written, and how many from there on; until
 * the next call.  NULL: it cannot be mapped.
 */
uint8_t *memory_names(struct attachment *, uint64_t at, size_t *n);

/*
 * In a child: what is the parent's is out of reach.  own is where the thread
 * that has forked may still write, or NULL.
 */
void memory_forked(struct attachment *, const struct probe_record *own);
/* Of a segment that has been given up: mapped still, but without memory. */
void memory_give_up(struct attachment *);

#endif
