/* What fold*.c share; nobody else includes this. */
#ifndef MONITORD_FOLD_INSIDE_H
#define MONITORD_FOLD_INSIDE_H

#include "monitord/order/mend.h"
#include "store_inside.h"

struct source;

struct fold {
	struct store *st;
	struct env_file *file;
	struct buf in, scratch, out;
	uint64_t bytes; /* written */
	struct block_writer *writer;
	struct tracefile_entry *entries;
	size_t nentries, cap;
	uint64_t events;
	struct mend *mend; /* NULL: every event stays where it is */
	int failed;        /* errno of what went wrong while it emitted */
	/* open sources as a heap, the earliest event on top */
	struct source **heap;
	size_t nheap;
};

/* fold.c: the next event of the old log.  -1: errno. */
int fold_event(struct fold *, const struct event *);
/*
 * fold_merge.c: a block of the old log.  The array is grown as is needed.
 * -1: errno.
 */
int fold_read(struct store *, const struct tracefile_entry *, struct buf *in,
    struct buf *scratch, struct event **, size_t *cap);
/* Puts all events of the old log, in order.  -1: errno. */
int fold_merge(struct fold *);

#endif
