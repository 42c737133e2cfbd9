/*
 * Memory of a program that knows nothing of us: what its threads are given and
 * give back.
 *
 * How much of it is told is chosen by ORRERY_MEMORY (monitorctl run --memory):
 * sums of each thread only; and of pieces as well, some that are picked by
 * chance, or all.  Nothing at all is counted of a program that has its own
 * malloc, that is sanitized, or that tells of itself.
 */
#ifndef LIBPROBE_AUTO_HEAP_H
#define LIBPROBE_AUTO_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libprobe/auto/wrap/auto.h"
#include "libprobe/auto/wrap/counts.h"

enum heap_level {
	HEAP_OFF, /* also: not known yet */
	HEAP_COUNTS,
	HEAP_SAMPLE,
	HEAP_ALL
};

struct heap_real {
#define HEAP(type, name, arguments) type(*name) arguments;
#include "libprobe/auto/heap/heap.def"
#undef HEAP
};

/* NULL until somebody wants one of them. */
extern struct heap_real heap_real;
extern enum heap_level heap_level;

/*
 * Finds them, and the level.  Called by a thread that is just doing so (the
 * loader wants memory for its messages) it returns functions that have a little
 * memory of their own, which is never given back.
 */
const struct heap_real *heap_find(void);
#define HEAP_CALL(name)                                                        \
	(PROBE_UNLIKELY(PROBE_LOAD(&heap_real.name) == NULL)                   \
		? heap_find()->name                                            \
		: heap_real.name)

/* These belong to the allocator, too, so that it knows their pieces. */
struct heap_own {
	bool aligned_alloc, posix_memalign, memalign, valloc, pvalloc;
};
extern struct heap_own heap_own;

/* It comes from that little memory. */
#define HEAP_EARLY_BYTES 65536u
extern char heap_early_bytes[HEAP_EARLY_BYTES];
static inline bool
heap_is_early(const void *p)
{
	return ((uintptr_t)p - (uintptr_t)heap_early_bytes < HEAP_EARLY_BYTES);
}
/* The allocator is the C library's, which has a piece's size before it. */
extern bool heap_sized;
#define HEAP_SIZE_MAPPED 2u /* flags in that size */
#define HEAP_SIZE_FLAGS  7u
/* What malloc_usable_size() would say of such a piece. */
static inline size_t
heap_size_before(const void *p)
{
	size_t n = ((const size_t *)p)[-1];

	return ((n & ~(size_t)HEAP_SIZE_FLAGS) -
		((n & HEAP_SIZE_MAPPED) != 0 ? 2 : 1) * sizeof(n));
}
/* realloc() of such a piece, which goes on elsewhere. */
void *heap_leave_early(void *, size_t);
/* One number for all that is in one library; 0: nobody knows. */
uintptr_t heap_library(const void *function);
/* The program tells of itself: from now on nothing is counted. */
void heap_mute(void);

/*
 * heap.c: after something was given out, if it is not NULL, which is returned,
 * and before it is given back; frame: of the wrapper.
 */
void *heap_made(void *, size_t asked, void *frame);
void heap_freed(void *, void *frame);

/*
 * The frame of an operator of C++ that calls malloc or free: what these tell
 * is where that one was called.  They take it.
 */
extern __thread void *heap_from;

/* heap_count.c: sums of the calling thread */
enum heap_sum {
	HEAP_MADE,
	HEAP_GIVEN,
	HEAP_ASKED,
	HEAP_FREED,
	HEAP_BACK, /* bytes of what was freed */
	HEAP_NULLS,
	HEAP_MAPPED,
	HEAP_UNMAPPED,
	HEAP_SUMS
};

struct heap_count {
	struct counts_line line;
	uint64_t now[HEAP_SUMS]; /* a plain add is one instruction */
	uint64_t told[HEAP_SUMS];
	int64_t left; /* bytes, given out or back, until somebody looks, too */
};

extern __thread struct heap_count *heap_mine; /* NULL: see heap_claim() */
/* This thread is in here already: what it does now is not told. */
extern __thread bool heap_inside;
/* It has had its last word; what the C library frees of it comes after. */
extern __thread bool heap_ended;

/* Gives the thread its sums.  NULL: it has ended, or there are too many. */
struct heap_count *heap_claim(void);
/* For those: adds to sums that are told by whoever is the last. */
void heap_add_rest(enum heap_sum, uint64_t);
/* The last word of this thread, before that it has ended is told; and of all
 * threads, of the one that ends the process. */
void heap_thread_ends(void);
void heap_ends(void);
/* Tells what is new, if a thread that is attached has not done so just now. */
void heap_look(struct heap_count *);

static inline void
heap_add(struct heap_count *c, enum heap_sum sum, uint64_t n)
{
	if (PROBE_UNLIKELY(c == NULL))
		heap_add_rest(sum, n);
	else
		c->now[sum] += n;
}

#define HEAP_TELL_BYTES (1u << 20)

/* After some of heap_add(): of so many bytes that were given out or back. */
static inline void
heap_added(struct heap_count *c, size_t bytes)
{
	if (PROBE_UNLIKELY(c == NULL))
		return;
	c->left -= (int64_t)bytes;
	if (PROBE_UNLIKELY(--c->line.until < 0 || c->left < 0))
		heap_look(c);
}

static inline struct heap_count *
heap_count(void)
{
	struct heap_count *c = heap_mine;

	return (PROBE_UNLIKELY(c == NULL) ? heap_claim() : c);
}

#endif
