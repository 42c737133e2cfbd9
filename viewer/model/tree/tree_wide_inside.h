/*
 * Blocks of children, inside (tree_wide.h): tree_wide_blocks.c keeps the blocks
 * of one task, tree_wide.c says which tasks have some, and answers readers.
 */
#ifndef VIEWER_TREE_WIDE_INSIDE_H
#define VIEWER_TREE_WIDE_INSIDE_H

#include "model/tree/tree_store.h"
#include "model/tree/tree_wide.h"

struct tree_wide {
	uint32_t task; /* TASK_NONE: of roots; free: the next free one */
	_Atomic uint32_t kids;
	uint32_t after; /* the highest number so far */
	uint32_t guess; /* the block that was told of last */
	_Atomic(struct wide_block *) block[WIDE_LEVELS];
	uint32_t cap[WIDE_LEVELS];
	/* NULL while all are in order; else by block: the highest number
	 * before it */
	_Atomic(uint32_t *) before;
};

static inline struct tree_wide *
wide_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&wides_of(m)->wides, i));
}

/* NULL: it is not. */
static inline struct task_big *
big_of(const struct model *m, const struct task_hot *t)
{
	uint32_t v = atomic_load_explicit(&t->count, memory_order_acquire);

	return (v & COUNT_BIG ? chunk_at(&store_of(m)->bigs, v & ~COUNT_BIG)
			      : NULL);
}

/* tree_wide.c; any thread.  NULL: it is not wide. */
struct tree_wide *wide_of_task(const struct model *, uint32_t task);
/* The lowest block in which a child is. */
uint32_t wide_place(const struct model *, const struct tree_wide *,
    uint32_t child);

/* tree_wide_blocks.c; writer only */
/* One more child, of which nothing is told yet.  -1: ENOMEM. */
int wide_append(struct model *, struct tree_wide *, uint32_t child);
/* To the sums of a lowest block, and of those above it. */
void wide_add(struct tree_wide *, uint32_t block, uint32_t size,
    uint64_t depths);
/* The same by child: tasks are counted from the last one on. */
void wide_told(struct model *, struct tree_wide *, uint32_t child,
    uint32_t size, uint64_t depths);
void wide_empty(struct model *, struct tree_wide *);

#endif
