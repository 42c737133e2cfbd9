/*
 * Single pieces of memory as events, with where they were asked for.
 */
#ifndef LIBPROBE_AUTO_HEAP_BLOCK_H
#define LIBPROBE_AUTO_HEAP_BLOCK_H

#include <stddef.h>

/* After it was given out; frame: of the wrapper. */
void heap_block_made(const void *, size_t asked, size_t given, void *frame);
/* Before it is given back; NULL is told, too. */
void heap_block_freed(const void *, void *frame);

#endif
