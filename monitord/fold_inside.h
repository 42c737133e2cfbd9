/* What fold*.c share; nobody else includes this. */
#ifndef MONITORD_FOLD_INSIDE_H
#define MONITORD_FOLD_INSIDE_H

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
	/* open sources as a heap, the earliest event on top */
	struct source **heap;
	size_t nheap;
};

/* fold.c: the next event of the new log.  -1: errno. */
int fold_put(struct fold *, const struct event *);
/* fold_merge.c: puts all events of the old one, in order.  -1: errno. */
int fold_merge(struct fold *);

#endif
