/*
 * Memory of packed leaves, of all lanes together.  It is handed out in the
 * order of the leaves' ends, in blocks, and given back in that order.
 */
#ifndef VIEWER_LODSTORE_H
#define VIEWER_LODSTORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct retired;
struct lod_block;

struct lod_store {
	struct lod_block *oldest, *newest;
	uint64_t bytes; /* held */
};

/* Memory for a leaf that ends at t_ns, aligned to 4.  NULL: ENOMEM. */
void *lod_store_take(struct lod_store *, size_t size, int64_t t_ns,
    _Atomic uint64_t *bytes);
/* All leaves that end before t_ns are gone. */
void lod_store_forget(struct lod_store *, int64_t t_ns, struct retired *,
    _Atomic uint64_t *bytes);
/* The end of the oldest leaves that fill so many bytes. */
int64_t lod_store_time(const struct lod_store *, uint64_t bytes);
void lod_store_clear(struct lod_store *);

#endif
