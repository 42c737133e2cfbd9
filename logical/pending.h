/*
 * Causes whose effects are still to come, by kind and key.
 *
 * Bounded as every memory of the past must be: two generations of
 * PENDING_MAX, of which the older is dropped when the younger is full.  A
 * cause that is taken (a message that was received) is gone at once.
 */
#ifndef LOGICAL_PENDING_H
#define LOGICAL_PENDING_H

#include <stddef.h>
#include <stdint.h>

#define PENDING_MAX ((size_t)1 << 19)

struct pending_cause {
	uint64_t a, b;
	uint32_t kind; /* 0: free */
	/* where it was; of a join its number, causes, and effects so far */
	uint32_t stream, seq, edges;
};

struct pending_table {
	struct pending_cause *slot;
	size_t n, mask;
};

/* All zero is empty. */
struct pending {
	struct pending_table young, old;
};

void pending_clear(struct pending *);
/* The one that came first of this key, or NULL.  Valid until the next call. */
struct pending_cause *pending_find(struct pending *, uint32_t kind, uint64_t a,
    uint64_t b);
/* One more, behind those of its key; NULL with ENOMEM. */
struct pending_cause *pending_add(struct pending *, uint32_t kind, uint64_t a,
    uint64_t b);
void pending_remove(struct pending *, struct pending_cause *);
size_t pending_bytes(const struct pending *);

#endif
