/*
 * Chunks double until they have the size of a piece, so that a directory of
 * 30 pointers is enough for four thousand million elements and an empty array
 * costs next to nothing.
 */
#include "model/keep/chunk.h"

#include <errno.h>
#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/keep/retired.h"

#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define PIECE_BYTES 8192
#else
#define PIECE_BYTES 65536
#endif

void
chunk_init_pieces(struct chunk *c, size_t elem_bytes, unsigned base,
    unsigned most)
{
	for (unsigned i = 0; i < CHUNK_DIRS; i++)
		atomic_init(&c->dir[i], NULL);
	c->elem_bytes = (uint32_t)elem_bytes;
	c->base = (uint8_t)base;
	c->most = (uint8_t)(most > base ? most : base);
	c->dropped = 0;
}

void
chunk_init(struct chunk *c, size_t elem_bytes, unsigned base)
{
	unsigned most = base;

	while ((elem_bytes << (most + 1)) <= PIECE_BYTES)
		most++;
	chunk_init_pieces(c, elem_bytes, base, most);
}

/* Pieces of directory entry k; 0: it is one chunk. */
static size_t
pieces_of(const struct chunk *c, unsigned k)
{
	return (
	    c->base + k > c->most ? (size_t)1 << (c->base + k - c->most) : 0);
}

static _Atomic(char *) *
table_of(char *p)
{
	return ((_Atomic(char *) *)(void *)p);
}

void
chunk_clear(struct chunk *c)
{
	char *p;

	for (unsigned k = 0; k < CHUNK_DIRS; k++) {
		p = atomic_load_explicit(&c->dir[k], memory_order_relaxed);
		if (p == NULL)
			continue;
		for (size_t i = 0; i < pieces_of(c, k); i++)
			memory_free(atomic_load(&table_of(p)[i]));
		memory_free(p);
		atomic_store_explicit(&c->dir[k], NULL, memory_order_relaxed);
	}
	c->dropped = 0;
}

/* What *at points to, made if it is not there. */
static char *
made(_Atomic(char *) *at, size_t n, size_t each, _Atomic uint64_t *bytes)
{
	char *p = atomic_load_explicit(at, memory_order_relaxed);

	if (p != NULL)
		return (p);
	p = memory_zero(n, each);
	if (p == NULL)
		return (NULL);
	atomic_store_explicit(at, p, memory_order_release);
	if (bytes != NULL)
		atomic_fetch_add_explicit(bytes, n * each,
		    memory_order_relaxed);
	return (p);
}

void *
chunk_make(struct chunk *c, uint32_t i, _Atomic uint64_t *bytes)
{
	size_t offset;
	unsigned k = chunk_split(c, i, &offset);
	char *p;

	if (k >= CHUNK_DIRS) {
		errno = ENOMEM;
		return (NULL);
	}
	if (pieces_of(c, k) == 0) {
		p = made(&c->dir[k], (size_t)1 << (c->base + k), c->elem_bytes,
		    bytes);
	} else {
		p = made(&c->dir[k], pieces_of(c, k), sizeof(char *), bytes);
		if (p != NULL)
			p = made(&table_of(p)[offset >> c->most],
			    (size_t)1 << c->most, c->elem_bytes, bytes);
		offset &= ((size_t)1 << c->most) - 1;
	}
	return (p == NULL ? NULL : p + offset * c->elem_bytes);
}

static void
retire(char *p, size_t size, struct retired *r, _Atomic uint64_t *bytes)
{
	if (p != NULL)
		atomic_fetch_sub_explicit(bytes, size, memory_order_relaxed);
	retired_add(r, p);
}

/* How many elements the next piece to go has, and where it hangs; 0: none. */
static size_t
next_drop(struct chunk *c, uint32_t from, _Atomic(char *) **at)
{
	size_t offset;
	unsigned k = chunk_split(c, from, &offset);

	if (k >= CHUNK_DIRS || atomic_load(&c->dir[k]) == NULL)
		return (0);
	*at = &c->dir[k];
	if (pieces_of(c, k) == 0)
		return ((size_t)1 << (c->base + k));
	*at = table_of(atomic_load(*at)) + (offset >> c->most);
	return ((size_t)1 << c->most);
}

uint32_t
chunk_droppable(struct chunk *c, uint32_t n)
{
	_Atomic(char *) *at;
	uint32_t i = c->dropped;
	size_t size;

	while ((size = next_drop(c, i, &at)) != 0 && i + size <= n)
		i += (uint32_t)size;
	return (i);
}

void
chunk_drop(struct chunk *c, uint32_t n, struct retired *r,
    _Atomic uint64_t *bytes)
{
	_Atomic(char *) *at;
	size_t size;

	while ((size = next_drop(c, c->dropped, &at)) != 0 &&
	       c->dropped + size <= n) {
		retire(atomic_exchange(at, NULL), size * c->elem_bytes, r,
		    bytes);
		c->dropped += (uint32_t)size;
	}
}

void
chunk_retire(struct chunk *c, struct retired *r, _Atomic uint64_t *bytes)
{
	size_t n;
	char *p;

	for (unsigned k = 0; k < CHUNK_DIRS; k++) {
		p = atomic_load(&c->dir[k]);
		n = pieces_of(c, k);
		for (size_t i = 0; p != NULL && i < n; i++)
			retire(atomic_load(&table_of(p)[i]),
			    (size_t)c->elem_bytes << c->most, r, bytes);
		retire(p,
		    n > 0 ? n * sizeof(char *)
			  : (size_t)c->elem_bytes << (c->base + k),
		    r, bytes);
	}
}
