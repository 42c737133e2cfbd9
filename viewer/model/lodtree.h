/* Inside of lod: shared by lod.c (growing) and lodquery.c (asking). */
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
