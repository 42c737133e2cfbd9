/*
 * Memory that a program maps and unmaps by itself: sums only.  What libprobe
 * maps is none of the program's, and what the C library maps for malloc does
 * not come by here.
 */
#include "libprobe/auto/heap/heap.h"

#include <stdarg.h>
#include <sys/mman.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* Called by libprobe itself. */
#define IS_OURS()                                                              \
	((uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start <    \
	    (uintptr_t)_end - (uintptr_t)__ehdr_start)

static void
count(enum heap_sum sum, uint64_t n)
{
	struct heap_count *c;

	if (heap_level == HEAP_OFF)
		return;
	c = heap_count();
	heap_add(c, sum, n);
	heap_added(c, 0);
}

WRAPPER void *
mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	void *p = HEAP_CALL(mmap)(at, n, prot, flags, fd, offset);

	if (p != MAP_FAILED && !IS_OURS())
		count(HEAP_MAPPED, n);
	return (p);
}

/* On machines of 64 bits it is the same. */
WRAPPER void *mmap64(void *, size_t, int, int, int, off_t)
    __attribute__((alias("mmap")));

WRAPPER int
munmap(void *p, size_t n)
{
	int r = HEAP_CALL(munmap)(p, n);

	if (r == 0 && !IS_OURS())
		count(HEAP_UNMAPPED, n);
	return (r);
}

WRAPPER void *
mremap(void *p, size_t had, size_t n, int flags, ...)
{
	void *to = NULL, *q;
	va_list ap;

	va_start(ap, flags);
	if ((flags & MREMAP_FIXED) != 0)
		to = va_arg(ap, void *);
	va_end(ap);
	q = HEAP_CALL(mremap)(p, had, n, flags, to);
	if (q != MAP_FAILED && !IS_OURS()) {
		count(HEAP_UNMAPPED, had);
		count(HEAP_MAPPED, n);
	}
	return (q);
}
