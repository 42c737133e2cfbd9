/* Inside of lod: shared by lod.c (growing), lodleaf.c (packing), lodquery.c
 * and lodpixels.c (asking), lodforget.c (giving back). */
#ifndef VIEWER_LODTREE_H
#define VIEWER_LODTREE_H

#include "model/lod.h"

/*
 * A leaf is raw as long as it grows, then packed: behind its states come
 *	ns from each change to the next, of delta_bytes each
 *	place of each change's state in the list, a byte or half of one
 *	if it has numbers: the least of them less 1; of each that less this one,
 *	or, if they are few, of each that is not 0 its change and the same
 *	as many bytes as a read of four may go too far
 */
struct lod_leaf {
	uint8_t packed;
	uint8_t n;           /* packed: changes in it */
	uint8_t nstates;     /* different ones */
	uint8_t delta_bytes; /* 1 to 4 */
	uint8_t halves;      /* 1: places are half bytes, the low one first */
	uint8_t id_bytes;    /* 0: all its numbers are 0 */
	uint8_t few_ids;     /* so many are not; 0: each has a place */
	uint8_t zero;
	uint16_t state[]; /* the list */
};

struct lod_raw {
	uint8_t packed; /* 0, and in the same place */
	uint16_t cap;
	_Atomic uint16_t n;
	int64_t t0_ns;
	_Atomic(uint32_t *) ids; /* as many as cap; NULL: all 0 */
	uint32_t off[];          /* ns from t0; uint16_t state[cap] follows */
};

struct lod_node { /* ends where the next one begins */
	int64_t t0_ns;
	uint8_t share[LOD_PLACES - 1]; /* of places 1 to 8; 0 has the rest */
	uint16_t top;       /* a state with the name that has most time */
	uint16_t top_share; /* of the time, in 1/65535 */
	uint32_t begun;     /* spans, saturating */
};

/* What a lane has not in its leaves since it was copied from what was left. */
struct lod_before {
	int64_t until_ns;
	struct lod_sum sum;
};

#define LOD_SUM_PLACES 3

/* The same as it is kept: few places have something, 0 has the rest. */
struct lod_packed_sum {
	uint16_t mask; /* places from 1 on that have something */
	uint16_t zero;
	uint32_t begun; /* spans, saturating */
	union {
		uint64_t ns[LOD_SUM_PLACES]; /* in the order of the mask */
		struct lod_sum *full;        /* if those are too few */
	} of;
};

struct lod_level {
	_Atomic uint32_t n;
	uint32_t kids; /* writer: nodes below not yet in one of this level */
	struct chunk nodes, sums;
	/* writer: of the one being collected */
	struct lod_sum sum;
	int64_t t0_ns;
	uint16_t top[LOD_FAN];
	uint64_t top_ns[LOD_FAN];
};

/* The nodes and leaves that are in no higher node, from left to right. */
struct lod_tops {
	int top; /* levels top to 0: nodes from[] to to[] - 1 */
	uint32_t from[LOD_LEVELS], to[LOD_LEVELS];
	uint32_t leaf, nleaves; /* then leaves from here */
};
void lod_tops(const struct lod *, struct lod_tops *);

/* Which states a leaf has, and how long each. */
struct lod_digest {
	unsigned n, nstates;
	uint32_t most;            /* longest ns but for the last change */
	uint16_t state[LOD_LEAF]; /* in the order of their coming */
	uint16_t count[LOD_LEAF];
	uint64_t ns[LOD_LEAF];
	uint8_t place[LOD_LEAF]; /* of each change: in that list */
};

/* lod.c: of leaves that are not packed and not open any more: from i on */
void lod_raw_retire(struct lod *, const struct lod_env *, uint32_t i,
    uint32_t until);
/* lodforget.c: those that nodes with exact sums tell of are gone */
void lod_drop_told(struct lod *, const struct lod_env *);

/* lodleaf.c */
/* Of one that ends at t1. */
void lod_leaf_digest(const struct lod_raw *, int64_t t1, struct lod_digest *);
/* Packs it.  NULL: ENOMEM. */
struct lod_leaf *lod_leaf_pack(const struct lod_raw *,
    const struct lod_digest *, int64_t t1, const struct lod_env *);
size_t lod_leaf_bytes(const struct lod_leaf *); /* of a packed one */
/* False when it is gone: only its node is left. */
bool lod_leaf_open(const struct lod *, uint32_t i, bool ids,
    struct lod_opened *);
/* Where leaf i begins; it must not be gone, or be the first of a node. */
int64_t lod_leaf_t0(const struct lod *, uint32_t i);

/* So many of the four bytes at p, the first one lowest. */
static inline uint32_t
lod_bytes(const uint8_t *p, uint32_t mask)
{
	uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 |
		     (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	return (v & mask);
}

/* Of a packed leaf, change by change. */
struct lod_reader {
	const uint8_t *delta, *place;
	uint32_t delta_mask, place_mask;
	unsigned delta_bytes, halves;
};

static inline struct lod_reader
lod_reader(const struct lod_leaf *leaf)
{
	const uint8_t *p = (const uint8_t *)(leaf->state + leaf->nstates);

	return ((struct lod_reader){ .delta = p,
	    .place = p + (leaf->n - 1u) * leaf->delta_bytes,
	    .delta_mask = UINT32_MAX >> (32 - 8 * leaf->delta_bytes),
	    .place_mask = leaf->halves ? 0x0f : 0xff,
	    .delta_bytes = leaf->delta_bytes,
	    .halves = leaf->halves });
}

/* Where the numbers are. */
static inline const uint8_t *
lod_reader_ids(const struct lod_reader *r, unsigned n)
{
	return (r->place + (r->halves ? (n + 1) / 2 : n));
}

/* The state of change i, in the list. */
static inline unsigned
lod_reader_place(const struct lod_reader *r, unsigned i)
{
	return (
	    r->place[i >> r->halves] >> 4 * (i & r->halves) & r->place_mask);
}

/* ns from change i to the one after it; not of the last one. */
static inline uint32_t
lod_reader_delta(const struct lod_reader *r, unsigned i)
{
	return (lod_bytes(r->delta + i * r->delta_bytes, r->delta_mask));
}

static inline struct lod_leaf *
lod_leaf_at(const struct lod *l, uint32_t i)
{
	_Atomic(struct lod_leaf *) *p = chunk_at(&l->leaves, i);

	return (
	    p == NULL ? NULL : atomic_load_explicit(p, memory_order_acquire));
}

static inline uint16_t *
raw_states(const struct lod_raw *r)
{
	return ((uint16_t *)(uintptr_t)(r->off + r->cap));
}

static inline const struct lod_level *
lod_level_at(const struct lod *l, int k)
{
	return (atomic_load_explicit(&l->level[k], memory_order_acquire));
}

static inline uint32_t
lod_level_n(const struct lod *l, int k)
{
	const struct lod_level *v = lod_level_at(l, k);

	return (
	    v == NULL ? 0 : atomic_load_explicit(&v->n, memory_order_acquire));
}

/* Places of the classes, by what a lane is. */
static inline unsigned
lod_place(uint8_t kind, unsigned class)
{
	if (kind == LOD_OF_THREAD)
		return (class < LOD_PLACES ? class : 1);
	return (class == 0 ? 0 : class < 9 ? 1 : class - 7);
}

static inline unsigned
lod_class(uint8_t kind, unsigned place)
{
	if (kind == LOD_OF_THREAD)
		return (place);
	return (place < 2 ? place * 7 : place + 7);
}

/* Last change at or before t, or the first. */
static inline uint32_t
lod_entry_at(const struct lod_opened *o, int64_t t)
{
	uint32_t j = 0, mid;

	if (t <= o->t0_ns)
		return (0);
	for (uint32_t hi = o->n; hi - j > 1;) {
		mid = (j + hi) / 2;
		if (o->t0_ns + o->off[mid] <= t)
			j = mid;
		else
			hi = mid;
	}
	return (j);
}

#endif
