/*
 * Arrays that grow and never move: chunk k holds 2^(base + k) elements, so a
 * pointer into one stays good and a reader in another thread needs no lock.
 * Beyond 2^most a chunk is a table of pieces of 2^most elements, so that
 * little is allocated in advance and what is old can be given back.  The owner
 * publishes his own count after what it counts.
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
	uint8_t base;     /* the first chunk holds 1 << base */
	uint8_t most;     /* pieces hold 1 << most */
	uint32_t dropped; /* writer: elements before are gone */
};

struct retired;

/* Pieces of 64 KB; of 1 << most elements. */
void chunk_init(struct chunk *, size_t elem_bytes, unsigned base);
void chunk_init_pieces(struct chunk *, size_t elem_bytes, unsigned base,
    unsigned most);
void chunk_clear(struct chunk *); /* frees */
/*
 * Writer only: element i, zeroed when it is new.  *bytes (may be NULL) grows
 * by what was allocated.  NULL: ENOMEM.
 */
void *chunk_make(struct chunk *, uint32_t i, _Atomic uint64_t *bytes);
/*
 * Writer only: gives back what holds nothing but elements before n.  Readers
 * find NULL there.  c->dropped says how many are gone then, which
 * chunk_droppable() tells beforehand.
 */
void chunk_drop(struct chunk *, uint32_t n, struct retired *,
    _Atomic uint64_t *bytes);
uint32_t chunk_droppable(struct chunk *, uint32_t n);
/* Hands all its memory to be freed when no reader is inside; until then they
 * find it there.  Nobody may find the array any more. */
void chunk_retire(struct chunk *, struct retired *, _Atomic uint64_t *bytes);

static inline unsigned
chunk_split(const struct chunk *c, uint32_t i, size_t *offset)
{
	uint64_t j = ((uint64_t)i >> c->base) + 1;
	unsigned k = 63u - (unsigned)__builtin_clzll(j);

	*offset = i - (((1ull << k) - 1) << c->base);
	return (k);
}

/* NULL when its chunk was never made, or is gone. */
static inline void *
chunk_at(const struct chunk *c, uint32_t i)
{
	size_t offset;
	unsigned k = chunk_split(c, i, &offset);
	char *p;

	if (k >= CHUNK_DIRS)
		return (NULL);
	p = atomic_load_explicit(&c->dir[k], memory_order_acquire);
	if (p != NULL && c->base + k > c->most) {
		p = atomic_load_explicit((_Atomic(char *) *)(void *)p +
					     (offset >> c->most),
		    memory_order_acquire);
		offset &= ((size_t)1 << c->most) - 1;
	}
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
