/*
 * From a 64-bit key to a number: open addressing, never deleted from.  One
 * writer; idmap_find() may run in another thread at the same time, between
 * model_enter() and model_leave() of the model that owns it, because tables
 * that were outgrown are retired, not freed.
 */
#ifndef VIEWER_IDMAP_H
#define VIEWER_IDMAP_H

#include <stdatomic.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct retired;
struct idmap_table;

struct idmap {
	_Atomic(struct idmap_table *) table;
	uint32_t n;
};

static inline uint64_t
idmap_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return (x ^ (x >> 31));
}

uint32_t idmap_find(const struct idmap *, uint64_t key);
/* The key must not be there.  -1: ENOMEM. */
int idmap_add(struct idmap *, uint64_t key, uint32_t value, struct retired *,
    _Atomic uint64_t *bytes);
/* Another value for a key that is there. */
void idmap_set(struct idmap *, uint64_t key, uint32_t value);
void idmap_clear(struct idmap *);
/* Begins anew, with nothing in it; readers may still be inside. */
void idmap_renew(struct idmap *, struct retired *, _Atomic uint64_t *bytes);

#endif
