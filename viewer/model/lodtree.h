/* Inside of lod: shared by lod.c (growing), lodquery.c and
 * lodpixels.c (asking). */
#ifndef VIEWER_LODTREE_H
#define VIEWER_LODTREE_H

#include "model/lod.h"

struct lod_leaf {
	int64_t t0_ns;
	_Atomic(uint32_t *) ids; /* as many as cap; NULL: all 0 */
	uint16_t cap;
	_Atomic uint16_t n;
	uint32_t zero;
	uint32_t off[]; /* ns from t0; uint16_t state[cap] follows */
};

#define LOD_LEAF_BYTES                                                         \
	(sizeof(struct lod_leaf) +                                             \
	    LOD_LEAF * (sizeof(uint32_t) + sizeof(uint16_t)))

struct lod_node { /* ends where the next one begins */
	int64_t t0_ns;
	uint8_t share[LOD_CLASSES];
	uint16_t top;       /* a state with the name that has most time */
	uint16_t top_share; /* of the time, in 1/65535 */
	uint32_t begun;     /* spans, saturating */
};

struct lod_sum {
	uint64_t ns[LOD_CLASSES];
	uint64_t begun;
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

static inline uint16_t *
leaf_states(const struct lod_leaf *l)
{
	return ((uint16_t *)(uintptr_t)(l->off + l->cap));
}

static inline struct lod_leaf *
lod_leaf_at(const struct lod *l, uint32_t i)
{
	return (*(struct lod_leaf **)chunk_known(&l->leaves, i));
}

static inline uint32_t
leaf_n(const struct lod_leaf *l)
{
	return (atomic_load_explicit(&l->n, memory_order_acquire));
}

#endif
