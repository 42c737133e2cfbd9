/*
 * Chunks double, so that a directory of 30 pointers is enough for four
 * thousand million elements and an empty array costs next to nothing.  Big
 * chunks come from calloc() untouched and take memory only as they fill.
 */
#include "chunk.h"

#include <errno.h>
#include <stdlib.h>

void
chunk_init(struct chunk *c, size_t elem_bytes, unsigned base)
{
	for (unsigned i = 0; i < CHUNK_DIRS; i++)
		atomic_init(&c->dir[i], NULL);
	c->elem_bytes = (uint32_t)elem_bytes;
	c->base = base;
}

void
chunk_clear(struct chunk *c)
{
	for (unsigned i = 0; i < CHUNK_DIRS; i++) {
		free(atomic_load(&c->dir[i]));
		atomic_store(&c->dir[i], NULL);
	}
}

void *
chunk_make(struct chunk *c, uint32_t i, _Atomic uint64_t *bytes)
{
	size_t offset, n;
	unsigned k = chunk_split(c, i, &offset);
	char *p;

	if (k >= CHUNK_DIRS) {
		errno = ENOMEM;
		return (NULL);
	}
	p = atomic_load_explicit(&c->dir[k], memory_order_relaxed);
	if (p == NULL) {
		n = (size_t)1 << (c->base + k);
		p = calloc(n, c->elem_bytes);
		if (p == NULL)
			return (NULL);
		atomic_store_explicit(&c->dir[k], p, memory_order_release);
		if (bytes != NULL)
			atomic_fetch_add_explicit(bytes, n * c->elem_bytes,
			    memory_order_relaxed);
	}
	return (p + offset * c->elem_bytes);
}
