/*
 * Tasks with very many children, and a log with very many roots: sums over
 * them by blocks, blocks of blocks and so on, so that whoever looks for a
 * place among ten million children need not walk past all of them.  Kept exact
 * with the counters of the tasks while the tree grows: a new child costs the
 * last block, a change below a child a bisection.  0.5 bytes a child.
 */
#ifndef VIEWER_TREE_WIDE_H
#define VIEWER_TREE_WIDE_H

#include "model/tree/tree.h"

#define WIDE_BITS   5 /* a block: so many children, or blocks */
#define WIDE_KIDS   (1u << WIDE_BITS)
#define WIDE_LEVELS 6

struct wide_block {      /* of its children, to be read with WIDE_SEE() */
	uint64_t depths; /* sum of the sums below each, its own depth being 0 */
	uint32_t size;   /* tasks in their subtrees, themselves included */
	uint32_t first;  /* of the lowest level: its first child */
};
#define WIDE_SEE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)

/* What a reader sees of them: good between model_enter() and model_leave(). */
struct wide_view {
	const struct wide_block *block[WIDE_LEVELS];
	uint32_t kids;
	unsigned levels; /* the uppermost has WIDE_KIDS blocks at most */
	bool in_order;   /* children have higher numbers than elder ones */
};

/* Children of a task; TASK_NONE: roots, of which those without children count
 * as nothing (model_single()).  False: it has too few for that. */
bool model_task_wide(const struct model *, uint32_t task, struct wide_view *);
/* Of all children; returns their size. */
uint32_t wide_total(const struct wide_view *, uint64_t *depths);
/* The lowest block in which a child of the task is. */
uint32_t model_wide_find(const struct model *, uint32_t task, uint32_t child);

/* Blocks of a level. */
static inline uint32_t
wide_blocks(const struct wide_view *w, unsigned level)
{
	unsigned bits = WIDE_BITS * (level + 1);

	return ((uint32_t)(((uint64_t)w->kids + (1ull << bits) - 1) >> bits));
}

/* How many children block b of a level has. */
static inline uint32_t
wide_kids(const struct wide_view *w, unsigned level, uint32_t b)
{
	uint64_t at = (uint64_t)b << WIDE_BITS * (level + 1);
	uint64_t most = 1ull << WIDE_BITS * (level + 1);

	return ((uint32_t)(w->kids - at < most ? w->kids - at : most));
}

#endif
