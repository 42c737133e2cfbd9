/*
 * Giving back what is old, from below.  A leaf may go when it has a node, a
 * node when it is in a higher one; pieces of the arrays that held them go when
 * nothing is left in them.  Readers who come later find NULL and take the
 * shares of what is above.
 */
#include "model/lod/lod.h"

#include <string.h>

#include "model/keep/memory.h"
#include "model/keep/retired.h"
#include "model/lod/lodtree.h"

/* How many of the n nodes of level k begin before t. */
static uint32_t
nodes_before(const struct lod *l, int k, uint32_t n, int64_t t)
{
	const struct lod_level *v = lod_level_at(l, k);
	const struct lod_node *node;
	uint32_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		node = chunk_at(&v->nodes, mid);
		if (node == NULL || node->t0_ns < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

/* Those before `until` are gone. */
static void
leaves_drop(struct lod *l, const struct lod_env *env, uint32_t until)
{
	uint32_t i = atomic_load_explicit(&l->gone, memory_order_relaxed);
	_Atomic(struct lod_leaf *) *at;

	if (i >= until)
		return;
	/* readers start behind these before they find them gone */
	atomic_store_explicit(&l->gone, until, memory_order_release);
	for (; i < until; i++) {
		at = chunk_known(&l->leaves, i);
		atomic_store_explicit(at, NULL, memory_order_release);
	}
	chunk_drop(&l->leaves, until, env->retired, env->bytes);
}

static void
leaves_forget(struct lod *l, const struct lod_env *env, int64_t t)
{
	uint32_t n = lod_level_n(l, 0), until;

	if (n == 0)
		return;
	until = nodes_before(l, 0, n, t);
	if (until > 0 && lod_leaf_t0(l, until) >= t)
		until--; /* that one begins before and ends behind */
	leaves_drop(l, env, until);
}

/* The first leaf that no node with exact sums tells of. */
static uint32_t
last_leaves(const struct lod *l)
{
	return (lod_level_n(l, LOD_EXACT) * LOD_FAN);
}

void
lod_drop_told(struct lod *l, const struct lod_env *env)
{
	uint32_t until = last_leaves(l);

	/* freed only when readers have gone */
	lod_raw_retire(l, env,
	    atomic_load_explicit(&l->gone, memory_order_relaxed), until);
	leaves_drop(l, env, until);
}

int
lod_keep_last(struct lod *l)
{
	uint32_t n = atomic_load_explicit(&l->nleaves, memory_order_relaxed);
	struct lod_leaf *leaf, *copy;
	size_t bytes;

	for (uint32_t i = last_leaves(l); i < n; i++) {
		leaf = lod_leaf_at(l, i);
		if (leaf == NULL || !leaf->packed)
			continue;
		bytes = lod_leaf_bytes(leaf);
		copy = memory_alloc(bytes);
		if (copy == NULL)
			return (-1);
		memcpy(copy, leaf, bytes);
		atomic_store_explicit((_Atomic(struct lod_leaf *) *)
					  chunk_known(&l->leaves, i),
		    copy, memory_order_release);
	}
	return (0);
}

void
lod_only_last(struct lod *l, const struct lod_env *env)
{
	leaves_drop(l, env, last_leaves(l));
}

/* Those before n that are kept outside of the array. */
static void
sums_forget(struct lod_level *v, const struct lod_env *env, uint32_t n)
{
	struct lod_packed_sum *s;

	for (uint32_t i = v->sums.dropped; i < n; i++) {
		s = chunk_known(&v->sums, i);
		if (__builtin_popcount(s->mask) <= LOD_SUM_PLACES)
			continue;
		retired_add(env->retired, s->of.full);
		atomic_fetch_sub(env->bytes, sizeof(struct lod_sum));
	}
}

void
lod_forget(struct lod *l, const struct lod_env *env, int level, int64_t t)
{
	struct lod_level *v;
	uint32_t n, below;

	if (level < 0) {
		leaves_forget(l, env, t);
		return;
	}
	if (level + 1 >= LOD_LEVELS || lod_level_n(l, level + 1) == 0)
		return;
	n = lod_level_n(l, level + 1) * LOD_FAN;
	below = level == 0
		    ? atomic_load_explicit(&l->gone, memory_order_relaxed)
		    : lod_level_at(l, level - 1)->nodes.dropped;
	below = level == 0 ? below : below / LOD_FAN;
	v = atomic_load_explicit(&l->level[level], memory_order_relaxed);
	n = n < below ? n : below;
	below = nodes_before(l, level, lod_level_n(l, level), t);
	n = n < below ? n : below;
	if (level >= LOD_EXACT)
		sums_forget(v, env, chunk_droppable(&v->sums, n));
	chunk_drop(&v->nodes, n, env->retired, env->bytes);
	chunk_drop(&v->sums, n, env->retired, env->bytes);
}

uint64_t
lod_level_bytes(const struct lod *l, int level)
{
	const struct lod_level *v = lod_level_at(l, level);
	uint32_t n = lod_level_n(l, level);

	if (v == NULL)
		return (0);
	return ((uint64_t)(n - v->nodes.dropped) * sizeof(struct lod_node) +
		(level < LOD_EXACT ? 0
				   : (uint64_t)(n - v->sums.dropped) *
					 sizeof(struct lod_packed_sum)));
}
