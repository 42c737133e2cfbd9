/*
 * malloc and its relatives.
 *
 * What is given back is told before it is, what is given out afterwards: nobody
 * is told to have a piece that another one has.  realloc() does both, even
 * where the piece stays; if it fails, the piece is given out once more.
 */
#include "libprobe/auto/heap/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "libprobe/auto/heap/heap_block.h"

#define FRAME() __builtin_frame_address(0)

static inline size_t
size_of(void *p)
{
	return (PROBE_LIKELY(heap_sized) ? heap_size_before(p)
					 : HEAP_CALL(malloc_usable_size)(p));
}

PROBE_INSIDE void *
made(void *p, size_t asked, void *frame)
{
	struct heap_count *c;
	size_t given;

	if (p == NULL || PROBE_UNLIKELY(heap_level == HEAP_OFF) ||
	    PROBE_UNLIKELY(heap_is_early(p)))
		return (p);
	c = heap_count();
	given = size_of(p);
	heap_add(c, HEAP_MADE, 1);
	heap_add(c, HEAP_ASKED, asked);
	heap_add(c, HEAP_GIVEN, given);
	heap_added(c, given);
	if (PROBE_UNLIKELY(heap_level > HEAP_COUNTS))
		heap_block_made(p, asked, given, frame);
	return (p);
}

PROBE_INSIDE void
freed(void *p, void *frame)
{
	struct heap_count *c;
	size_t had;

	if (PROBE_UNLIKELY(heap_level == HEAP_OFF))
		return;
	if (PROBE_UNLIKELY(heap_level > HEAP_COUNTS))
		heap_block_freed(p, frame);
	c = heap_count();
	if (p == NULL) {
		heap_add(c, HEAP_NULLS, 1);
		return;
	}
	had = size_of(p);
	heap_add(c, HEAP_FREED, 1);
	heap_add(c, HEAP_BACK, had);
	heap_added(c, had);
}

void *
heap_made(void *p, size_t asked, void *frame)
{
	return (made(p, asked, frame));
}

void
heap_freed(void *p, void *frame)
{
	freed(p, frame);
}

WRAPPER void *
malloc(size_t n)
{
	return (made(HEAP_CALL(malloc)(n), n, FRAME()));
}

WRAPPER void *
calloc(size_t n, size_t size)
{
	return (made(HEAP_CALL(calloc)(n, size), n * size, FRAME()));
}

WRAPPER void
free(void *p)
{
	if (PROBE_UNLIKELY(heap_is_early(p)))
		return;
	freed(p, FRAME());
	HEAP_CALL(free)(p);
}

/* The piece that realloc() has not moved after all. */
static void
kept(void *p, size_t given, void *frame)
{
	if (heap_level > HEAP_COUNTS)
		heap_block_made(p, given, given, frame);
}

/* What was before is given back, unless there was no memory. */
static void *
remade(void *p, size_t had, void *q, size_t n, void *frame)
{
	struct heap_count *c = heap_count();

	if (q == NULL && n != 0) {
		kept(p, had, frame);
		return (NULL);
	}
	heap_add(c, HEAP_FREED, 1);
	heap_add(c, HEAP_BACK, had);
	if (q == NULL)
		heap_added(c, had);
	else if (c != NULL)
		c->left -= (int64_t)had; /* looked at with what is made */
	return (made(q, n, frame));
}

WRAPPER void *
realloc(void *p, size_t n)
{
	void *frame = FRAME();
	size_t had;

	if (PROBE_UNLIKELY(heap_is_early(p)))
		return (made(heap_leave_early(p, n), n, frame));
	if (p == NULL)
		return (made(HEAP_CALL(realloc)(NULL, n), n, frame));
	if (PROBE_UNLIKELY(heap_level == HEAP_OFF))
		return (HEAP_CALL(realloc)(p, n));
	had = size_of(p);
	if (PROBE_UNLIKELY(heap_level > HEAP_COUNTS))
		heap_block_freed(p, frame);
	return (remade(p, had, HEAP_CALL(realloc)(p, n), n, frame));
}

/* The same, but for a product that is too large. */
WRAPPER void *
reallocarray(void *p, size_t n, size_t size)
{
	void *frame = FRAME();
	size_t had, all;

	if (__builtin_mul_overflow(n, size, &all))
		return (HEAP_CALL(reallocarray)(p, n, size));
	if (PROBE_UNLIKELY(heap_is_early(p)))
		return (made(heap_leave_early(p, all), all, frame));
	if (p == NULL)
		return (made(HEAP_CALL(realloc)(NULL, all), all, frame));
	if (PROBE_UNLIKELY(heap_level == HEAP_OFF))
		return (HEAP_CALL(realloc)(p, all));
	had = size_of(p);
	if (PROBE_UNLIKELY(heap_level > HEAP_COUNTS))
		heap_block_freed(p, frame);
	return (remade(p, had, HEAP_CALL(realloc)(p, all), all, frame));
}

WRAPPER void *
aligned_alloc(size_t alignment, size_t n)
{
	void *p = HEAP_CALL(aligned_alloc)(alignment, n);

	return (heap_own.aligned_alloc ? made(p, n, FRAME()) : p);
}

WRAPPER void *
memalign(size_t alignment, size_t n)
{
	void *p = HEAP_CALL(memalign)(alignment, n);

	return (heap_own.memalign ? made(p, n, FRAME()) : p);
}

WRAPPER void *
valloc(size_t n)
{
	void *p = HEAP_CALL(valloc)(n);

	return (heap_own.valloc ? made(p, n, FRAME()) : p);
}

WRAPPER void *
pvalloc(size_t n)
{
	void *p = HEAP_CALL(pvalloc)(n);

	return (heap_own.pvalloc ? made(p, n, FRAME()) : p);
}

WRAPPER int
posix_memalign(void **p, size_t alignment, size_t n)
{
	int error = HEAP_CALL(posix_memalign)(p, alignment, n);

	if (error == 0 && heap_own.posix_memalign)
		(void)made(*p, n, FRAME());
	return (error);
}
