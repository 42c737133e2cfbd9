/*
 * Arrays that grow and never move: chunk k holds 2^(base + k) elements, so a
 * pointer into one stays good for ever and a reader in another thread needs
 * no lock.  The owner publishes his own count after what it counts.
 */
#ifndef VIEWER_CHUNK_H
#define VIEWER_CHUNK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_DIRS 30

struct chunk {
	_Atomic(char *) dir[CHUNK_DIRS];
	uint32_t elem_bytes;
	uint32_t base; /* the first chunk holds 1 << base */
};

void chunk_init(struct chunk *, size_t elem_bytes, unsigned base);
void chunk_clear(struct chunk *); /* frees */
/*
 * Writer only: element i, zeroed when it is new.  *bytes (may be NULL) grows
 * by what was allocated.  NULL: ENOMEM.
 */
void *chunk_make(struct chunk *, uint32_t i, _Atomic uint64_t *bytes);

static inline unsigned
chunk_split(const struct chunk *c, uint32_t i, size_t *offset)
{
	uint64_t j = ((uint64_t)i >> c->base) + 1;
	unsigned k = 63u - (unsigned)__builtin_clzll(j);

	*offset = i - (((1ull << k) - 1) << c->base);
	return (k);
}

/* NULL when its chunk was never made. */
static inline void *
chunk_at(const struct chunk *c, uint32_t i)
{
	size_t offset;
	unsigned k = chunk_split(c, i, &offset);
	char *p;

	if (k >= CHUNK_DIRS)
		return (NULL);
	p = atomic_load_explicit(&c->dir[k], memory_order_acquire);
	return (p == NULL ? NULL : p + offset * c->elem_bytes);
}

/* The same for an element that is known to be there. */
static inline void *
chunk_known(const struct chunk *c, uint32_t i)
{
	void *p = chunk_at(c, i);

	if (p == NULL)
		__builtin_unreachable();
	return (p);
}

#endif
