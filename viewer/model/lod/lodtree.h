/* Inside of lod: shared by lod.c (growing), lodpack.c (packing), lodleaf.c
 * (unpacking), lodquery.c and lodpixels.c (asking), lodforget.c (giving
 * back). */
#ifndef VIEWER_LODTREE_H
#define VIEWER_LODTREE_H

#include "model/lod/lod.h"

/*
 * A leaf is raw as long as it grows, then packed: behind its states come
 *	bit by bit, of each change in turn, its state's place in the list and
 *	the ns to the next change, which take few bits or many
 *	which of them take many, bit by bit: LOD_LEAF / 8 bytes
 *	if it has numbers: the least of them less 1; of each that less this one,
 *	or, if they are few, of each that is not 0 its change and the same
 *	as many bytes as a read of four may go too far
 * Even changes and odd ones have their own bits for the place: where calls and
 * pauses take turns, those of the pauses take none.
 */
struct lod_leaf {
	uint8_t packed;
	uint8_t n;             /* packed: changes in it */
	uint8_t nstates;       /* its own list has; 0: see the lane's */
	uint8_t nlong;         /* changes whose ns take many bits */
	uint8_t delta_bits[2]; /* few and many, up to 32 */
	uint8_t place_bits[2]; /* of even changes and odd ones */
	uint8_t place0[2];     /* to be added */
	uint8_t id_bytes;      /* 0: all its numbers are 0 */
	uint8_t few_ids;       /* so many are not; 0: each has a place */
	uint16_t state[];      /* the list */
};

/*
 * States that leaves of one lane have.  It grows, and what is there stays.
 * Behind them, for the writer: where to look for a state, twice as many.
 */
#define LOD_LIST LOD_LEAF
struct lod_list {
	_Atomic uint16_t n;
	uint16_t cap;
	uint16_t state[];
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
	unsigned n;
	const uint16_t *state; /* the lane's list, or when that is full: own */
	uint64_t has[2];       /* bit by bit: those of even changes, of odd */
	uint16_t count[LOD_LIST];
	uint64_t ns[LOD_LIST];
	uint8_t place[LOD_LEAF]; /* of each change: in the list */
	uint8_t bits[33];        /* changes whose ns take so many bits */
	uint16_t own[LOD_LIST];
};

/* lodstates.c, writer */
/* Of one that ends at t1; its states are in the lane's list then. */
void lod_leaf_digest(struct lod *, const struct lod_env *,
    const struct lod_raw *, int64_t t1, struct lod_digest *);
size_t lod_list_bytes(const struct lod_list *); /* NULL: 0 */

/* lod.c: of leaves that are not packed and not open any more: from i on */
void lod_raw_retire(struct lod *, const struct lod_env *, uint32_t i,
    uint32_t until);
/* lodforget.c: those that nodes with exact sums tell of are gone */
void lod_drop_told(struct lod *, const struct lod_env *);

/* lodpack.c: packs it.  NULL: ENOMEM. */
struct lod_leaf *lod_leaf_pack(const struct lod_raw *,
    const struct lod_digest *, int64_t t1, const struct lod_env *);

/* lodleaf.c */
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

/* Eight bytes. */
static inline uint64_t
lod_word(const uint8_t *p)
{
	return ((uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
		(uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
		(uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
		(uint64_t)p[7] << 56);
}

/* Bits in which the places and the ns of a packed leaf are told. */
static inline uint32_t
lod_leaf_bits(const struct lod_leaf *l)
{
	return ((l->n + 1u) / 2 * l->place_bits[0] +
		l->n / 2 * l->place_bits[1] +
		(l->n - 1u - l->nlong) * l->delta_bits[0] +
		l->nlong * l->delta_bits[1]);
}

/* What is behind the list of states, and behind the bits. */
static inline const uint8_t *
lod_leaf_data(const struct lod_leaf *l)
{
	return ((const uint8_t *)(l->state + l->nstates));
}

static inline const uint8_t *
lod_leaf_longs(const struct lod_leaf *l)
{
	return (lod_leaf_data(l) + (lod_leaf_bits(l) + 7) / 8);
}

/* The states that its places are of; *n: how many. */
static inline const uint16_t *
lod_leaf_states(const struct lod *l, const struct lod_leaf *leaf, unsigned *n)
{
	const struct lod_list *list;

	*n = leaf->nstates;
	if (*n > 0)
		return (leaf->state);
	list = atomic_load_explicit(&l->list, memory_order_acquire);
	*n = atomic_load_explicit(&list->n, memory_order_acquire);
	return (list->state);
}

/* How a change is told. */
struct lod_code {
	uint32_t delta_mask;
	uint8_t place_bits, place_mask, place0;
	uint8_t bits; /* all of it */
};

/* Of a packed leaf, change by change. */
struct lod_reader {
	const uint8_t *data;
	uint64_t longs;          /* lowest bit: of the next one */
	uint32_t bit;            /* where that is */
	struct lod_code code[4]; /* odd ones: + 1, long ones: + 2 */
};

static inline void
lod_reader_init(struct lod_reader *r, const struct lod_leaf *l)
{
	r->data = lod_leaf_data(l);
	r->longs = lod_word(lod_leaf_longs(l));
	r->bit = 0;
	for (unsigned i = 0; i < 4; i++) {
		unsigned delta = l->delta_bits[i >> 1];
		unsigned place = l->place_bits[i & 1];

		r->code[i].delta_mask = (uint32_t)((1ull << delta) - 1);
		r->code[i].place_bits = (uint8_t)place;
		r->code[i].place_mask = (uint8_t)((1u << place) - 1);
		r->code[i].place0 = l->place0[i & 1];
		r->code[i].bits = (uint8_t)(place + delta);
	}
}

/*
 * The place of the state of change i, which must be the next one, in the list,
 * and the ns to the one after it; of the last one, those are anything.
 */
static inline unsigned
lod_reader_see(const struct lod_reader *r, unsigned i, uint32_t *ns)
{
	const struct lod_code *c = &r->code[(i & 1) + (r->longs & 1) * 2];
	uint64_t v = lod_word(r->data + (r->bit >> 3)) >> (r->bit & 7);

	*ns = (uint32_t)(v >> c->place_bits) & c->delta_mask;
	return (c->place0 + ((unsigned)v & c->place_mask));
}

/* Goes on behind it. */
static inline void
lod_reader_pass(struct lod_reader *r, unsigned i)
{
	r->bit += r->code[(i & 1) + (r->longs & 1) * 2].bits;
	r->longs >>= 1;
}

static inline unsigned
lod_reader_next(struct lod_reader *r, unsigned i, uint32_t *ns)
{
	unsigned k = lod_reader_see(r, i, ns);

	lod_reader_pass(r, i);
	return (k);
}

static inline struct lod_leaf *
lod_leaf_at(const struct lod *l, uint32_t i)
{
	_Atomic(struct lod_leaf *) *p = chunk_at(&l->leaves, i);

	return (
	    p == NULL ? NULL : atomic_load_explicit(p, memory_order_acquire));
}

/* Bits that are needed for numbers up to v. */
static inline unsigned
lod_bits_for(uint32_t v)
{
	return (v == 0 ? 0 : 32u - (unsigned)__builtin_clz(v));
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
	return (class < LOD_PLACES ? 0 : class - LOD_PLACES + 1);
}

static inline unsigned
lod_class(uint8_t kind, unsigned place)
{
	if (kind == LOD_OF_THREAD)
		return (place);
	/* no class of objects is at the last place: nothing is there */
	return (
	    place == 0 || place == LOD_PLACES - 1 ? 0 : place + LOD_PLACES - 1);
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
