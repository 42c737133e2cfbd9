/*
 * Blocks of 64 KB for arrays that are looked up at random: beyond the first
 * few they lie in large pages, where the processor finds them sooner.  What is
 * given back is used again.  One writer.
 */
#ifndef VIEWER_SLAB_H
#define VIEWER_SLAB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SLAB_BLOCK 65536

struct slab {
	void **piece; /* all that was allocated */
	size_t n, cap;
	char *next; /* in the last one; NULL: it is used up */
	size_t left;
	void **free; /* those that were given back */
	size_t nfree, free_cap;
	size_t taken;
};

/* Not cleared; *bytes grows by what it takes.  NULL: ENOMEM. */
void *slab_take(struct slab *, _Atomic uint64_t *bytes);
/*
 * Nobody may look at it any more, and its SLAB_BLOCK bytes are not counted
 * any more: the system gets its memory.
 */
void slab_give(struct slab *, void *block);
void slab_clear(struct slab *); /* frees all */

#endif
