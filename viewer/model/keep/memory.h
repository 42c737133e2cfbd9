/*
 * Memory of what the model keeps.  As a rule the heap's; after memory_region()
 * it comes from one region at a fixed address, which can be written to a file
 * as it is and mapped again by another process (image.h).
 *
 * Only for what belongs to a model: scratch is the heap's.
 */
#ifndef VIEWER_MEMORY_H
#define VIEWER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* As malloc, calloc, realloc and free; any thread. */
void *memory_alloc(size_t);
void *memory_zero(size_t n, size_t size);
void *memory_grow(void *, size_t);
void memory_free(void *);
/* As aligned_alloc; in the region, aligned as all others. */
void *memory_aligned(size_t align, size_t);

/*
 * All that is allocated from now on comes from the region.  False: its address
 * is taken; the heap serves.  To be called once, before there is a model.
 */
bool memory_region(void);
/*
 * Clears pages of the region so far ahead of what is in use, for a thread that
 * has time: the others then need not when they come there.
 */
void memory_clear_ahead(size_t bytes);
/* The region so far: its first byte and its length.  0: there is none. */
size_t memory_extent(char **base);
/*
 * Maps a file's bytes from offset on as the first of the region, copied when
 * they are written to; what is allocated from now on lies behind.  The region
 * must be empty.
 */
bool memory_map(int fd, size_t offset, size_t bytes);
/* Undoes that: the region is empty. */
void memory_unmap(void);

#endif
