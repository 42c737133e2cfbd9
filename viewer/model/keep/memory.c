/*
 * See memory.h.  The region is handed out from its start; what is given back is
 * kept in lists by size, eight sizes from one power of two to the next.  Pieces
 * of memory carry their size in the 16 bytes before them.
 */
#include "model/keep/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define REGION_AT    ((char *)UINT64_C(0x2a0000000000))
#define REGION_BYTES (UINT64_C(1) << 38) /* of addresses, not of memory */
#define HUGE_PAGE    ((size_t)2 << 20)
#define ALIGN        16u
#define STEPS        8u /* sizes from 2^k to 2^(k + 1) */
#define SIZES        (STEPS * 40u)

struct piece {          /* what stands before it */
	uint64_t bytes; /* with this */
	struct piece *next;
};
_Static_assert(sizeof(struct piece) == ALIGN, "pieces are aligned");

static struct {
	pthread_mutex_t lock;
	char *top;     /* NULL: no region */
	char *cleared; /* up to here; one thread's */
	bool open;
	struct piece *given_back[SIZES];
} region = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool
is_ours(const void *p)
{
	return ((uintptr_t)p - (uintptr_t)REGION_AT < REGION_BYTES);
}

/* The number of the least size that holds n bytes, and that size. */
static unsigned
size_of(uint64_t n, uint64_t *bytes)
{
	unsigned k, i;

	n = n < STEPS * ALIGN ? STEPS * ALIGN : n;
	k = 63u - (unsigned)__builtin_clzll(n);
	i = (unsigned)((n - 1 - (UINT64_C(1) << k)) >> (k - 3)) + 1;
	i = n == UINT64_C(1) << k ? 0 : i;
	*bytes = (UINT64_C(1) << k) + ((uint64_t)i << (k - 3));
	return ((k - 7) * STEPS + i);
}

/* *fresh: nobody has ever written to it. */
static void *
take(size_t n, bool *fresh)
{
	struct piece *p = NULL;
	uint64_t bytes;
	unsigned i = size_of((uint64_t)n + sizeof(*p), &bytes);

	*fresh = false;
	if (i >= SIZES)
		return (NULL);
	pthread_mutex_lock(&region.lock);
	if (region.given_back[i] != NULL) {
		p = region.given_back[i];
		region.given_back[i] = p->next;
	} else if (bytes <= (uint64_t)(REGION_AT + REGION_BYTES - region.top)) {
		p = (struct piece *)(void *)region.top;
		region.top += bytes;
		p->bytes = bytes;
		*fresh = true;
	}
	pthread_mutex_unlock(&region.lock);
	return (p == NULL ? NULL : p + 1);
}

static void
give_back(void *of)
{
	struct piece *p = (struct piece *)of - 1;
	uint64_t bytes;
	unsigned i = size_of(p->bytes, &bytes);

	pthread_mutex_lock(&region.lock);
	p->next = region.given_back[i];
	region.given_back[i] = p;
	pthread_mutex_unlock(&region.lock);
}

void *
memory_alloc(size_t n)
{
	bool fresh;

	return (region.open ? take(n, &fresh) : malloc(n));
}

void *
memory_aligned(size_t align, size_t n)
{
	bool fresh;

	return (region.open ? take(n, &fresh) : aligned_alloc(align, n));
}

void *
memory_zero(size_t n, size_t size)
{
	bool fresh;
	void *p;

	if (!region.open)
		return (calloc(n, size));
	if (size != 0 && n > SIZE_MAX / size)
		return (NULL);
	p = take(n * size, &fresh);
	if (p != NULL && !fresh)
		memset(p, 0, n * size);
	return (p);
}

void *
memory_grow(void *of, size_t n)
{
	struct piece *p;
	void *to;

	if (of == NULL)
		return (memory_alloc(n));
	if (!is_ours(of))
		return (realloc(of, n));
	p = (struct piece *)of - 1;
	if (p->bytes - sizeof(*p) >= n)
		return (of);
	to = memory_alloc(n);
	if (to != NULL) {
		memcpy(to, of, p->bytes - sizeof(*p));
		give_back(of);
	}
	return (to);
}

void
memory_free(void *p)
{
	if (p != NULL && is_ours(p))
		give_back(p);
	else
		free(p);
}

bool
memory_region(void)
{
	char *p;

	if (region.top != NULL)
		return (false);
	p = mmap(REGION_AT, REGION_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
	    -1, 0);
	if (p == MAP_FAILED)
		return (false);
	if (p != REGION_AT) { /* an old kernel does not know the flag */
		munmap(p, REGION_BYTES);
		return (false);
	}
	/* as well as it can; a short run needs less than one */
	madvise(p + HUGE_PAGE, REGION_BYTES - HUGE_PAGE, MADV_HUGEPAGE);
	region.top = p;
	region.open = true;
	return (true);
}

void
memory_clear_ahead(size_t bytes)
{
	char *top, *to;

	pthread_mutex_lock(&region.lock);
	top = region.open ? region.top : NULL;
	pthread_mutex_unlock(&region.lock);
	if (top == NULL || region.cleared >= top + bytes / 2 ||
	    top + bytes > REGION_AT + REGION_BYTES)
		return;
	to = REGION_AT +
	     (((size_t)(top - REGION_AT) + bytes) & ~(size_t)(HUGE_PAGE - 1));
	if (region.cleared < top)
		region.cleared = REGION_AT + ((size_t)(top - REGION_AT) &
						 ~(size_t)(HUGE_PAGE - 1));
	if (madvise(region.cleared, (size_t)(to - region.cleared),
		MADV_POPULATE_WRITE) == 0)
		region.cleared = to;
	else
		region.cleared = REGION_AT + REGION_BYTES; /* no more */
}

size_t
memory_extent(char **base)
{
	*base = REGION_AT;
	return (region.top == NULL ? 0 : (size_t)(region.top - REGION_AT));
}

bool
memory_map(int fd, size_t offset, size_t bytes)
{
	if (region.top != REGION_AT || bytes > REGION_BYTES / 2 ||
	    mmap(REGION_AT, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_FIXED, fd, (off_t)offset) == MAP_FAILED)
		return (false);
	region.top = REGION_AT + ((bytes + 4095) & ~(size_t)4095);
	return (true);
}

void
memory_unmap(void)
{
	if (mmap(REGION_AT, REGION_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		0) == MAP_FAILED)
		region.open = false; /* the heap serves */
	region.top = region.cleared = REGION_AT;
}
