/* Asks the kernel for large pages, and does without. */
#include "model/keep/large.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LARGE ((size_t)2 << 20)

void *
large_alloc(size_t n)
{
	void *p;

	if (n < LARGE)
		return (malloc(n));
	n = (n + LARGE - 1) & ~(LARGE - 1);
	p = aligned_alloc(LARGE, n);
	if (p != NULL)
		madvise(p, n, MADV_HUGEPAGE); /* as well as it can */
	return (p);
}
