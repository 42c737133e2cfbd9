/* See slab.h.  Memory is counted by what was allocated. */
#include "model/keep/slab.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "model/keep/memory.h"

#define SINGLE       16 /* blocks that are allocated one by one */
#define LARGE        ((size_t)2 << 20)
#define LARGE_BLOCKS (LARGE / SLAB_BLOCK)

static void *
allocate(struct slab *s, size_t size, _Atomic uint64_t *bytes)
{
	size_t cap = s->cap == 0 ? 64 : s->cap * 2;
	void **piece, *p;

	if (s->n == s->cap) {
		piece = memory_grow(s->piece, cap * sizeof(*piece));
		if (piece == NULL)
			return (NULL);
		s->piece = piece;
		s->cap = cap;
	}
	p = size == LARGE ? memory_aligned(LARGE, LARGE) : memory_alloc(size);
	if (p == NULL)
		return (NULL);
#ifdef MADV_HUGEPAGE
	if (size == LARGE)
		madvise(p, size, MADV_HUGEPAGE); /* as well as it can */
#endif
	s->piece[s->n++] = p;
	atomic_fetch_add_explicit(bytes, size, memory_order_relaxed);
	return (p);
}

void *
slab_take(struct slab *s, _Atomic uint64_t *bytes)
{
	void *p;

	if (s->nfree > 0) {
		atomic_fetch_add_explicit(bytes, SLAB_BLOCK,
		    memory_order_relaxed);
		return (s->free[--s->nfree]);
	}
	if (s->taken < SINGLE) {
		p = allocate(s, SLAB_BLOCK, bytes);
		s->taken += p != NULL;
		return (p);
	}
	if (s->left == 0) {
		s->next = allocate(s, LARGE, bytes);
		if (s->next == NULL)
			return (NULL);
		s->left = LARGE_BLOCKS;
	}
	p = s->next;
	s->next += SLAB_BLOCK;
	s->left--;
	return (p);
}

void
slab_give(struct slab *s, void *block)
{
	size_t cap = s->free_cap == 0 ? 64 : s->free_cap * 2;
	void **list;

	if (s->nfree == s->free_cap) {
		list = memory_grow(s->free, cap * sizeof(*list));
		if (list == NULL)
			return; /* it stays unused */
		s->free = list;
		s->free_cap = cap;
	}
	if ((uintptr_t)block % SLAB_BLOCK == 0)
		madvise(block, SLAB_BLOCK, MADV_DONTNEED);
	s->free[s->nfree++] = block;
}

void
slab_clear(struct slab *s)
{
	for (size_t i = 0; i < s->n; i++)
		memory_free(s->piece[i]);
	memory_free(s->piece);
	memory_free(s->free);
	*s = (struct slab){ 0 };
}
