/*
 * The tree of the tasks on some levels only: each hangs below the nearest one
 * above it that is on one of them.  It is kept from one frame to the next, so
 * that only new tasks need be looked at; otherwise it is made anew at 3 ns a
 * task, or from the tasks of the kept levels when they are far apart
 * (tree_bands.h).  4 bytes a task, and 40 for each that is kept.
 */
#ifndef VIEWER_TREE_LEVELS_H
#define VIEWER_TREE_LEVELS_H

#include "model/tree/tree.h"

#define KEPT_NONE UINT32_MAX

/* Which levels, from the uppermost on; their values follow one another. */
struct kept_levels {
	const uint32_t *level;
	uint32_t n, value0; /* value0: of the first */
};

struct tree_bands;

struct kept_task {
	uint32_t task;
	uint32_t up;       /* number in kept, KEPT_NONE: the centre */
	uint32_t size;     /* kept tasks from it on, itself included */
	uint32_t absorbed; /* tasks not kept that count as part of it */
	uint32_t first, last, next; /* children by number, sibling */
	uint64_t sum;               /* of the values of those of size */
};

struct tree_levels {
	uint32_t ntasks; /* those before were looked at; 0: begin anew */
	uint32_t *near;  /* by place: the nearest that is kept, itself or
			  * above */
	uint32_t near_cap;
	struct kept_task *kept;
	uint32_t nkept, kept_cap;
	bool unsorted;        /* while it is made */
	uint32_t first, last; /* of those that hang below none */
	uint32_t size;        /* of all, as of a kept task */
	uint64_t sum;
	uint32_t *path, path_cap;
	uint32_t *value, value_cap; /* by level; UINT32_MAX: not kept */
	struct tree_bands *bands;   /* NULL: they were never far apart */
	bool by_bands;              /* kept is from them, and not in order */
};

/* Up to all tasks that there are.  Inside model_enter(); -1: no memory. */
int tree_levels_update(struct tree_levels *, const struct model *,
    const struct kept_levels *);
/* It will be other levels; other: of another model or after another epoch. */
void tree_levels_anew(struct tree_levels *, bool other);
void tree_levels_clear(struct tree_levels *);
/* A task, or the nearest above it that is kept; KEPT_NONE: none is, or it is
 * new. */
uint32_t tree_levels_near(const struct tree_levels *, const struct model *,
    const struct kept_levels *, uint32_t task);
const struct kept_task *tree_levels_find_banded(const struct tree_levels *,
    uint32_t task);

/* tree_deepest.c */
/*
 * The deepest level below root of the tasks from `from` to `to`, or *deepest if
 * they are all above that.  False: that takes looking at all of them.  For a
 * tree in which parents come first and no task was given up; 0.3 ns a task, and
 * 2 ms at most.
 */
bool model_subtree_deepest(const struct model *, uint32_t root, uint32_t from,
    uint32_t to, uint32_t *deepest);

/*
 * What is known of a place.  While tasks are given up places are not to be
 * relied on; what comes of that is not shown.
 */
static inline uint32_t
tree_levels_at(const struct tree_levels *l, uint32_t place)
{
	uint32_t i = place < l->near_cap ? l->near[place] : KEPT_NONE;

	return (i < l->nkept ? i : KEPT_NONE);
}

/* What a task is; NULL: it is not kept. */
static inline const struct kept_task *
tree_levels_find(const struct tree_levels *l, const struct model *m, uint32_t t)
{
	uint32_t i;

	if (t >= l->ntasks)
		return (NULL);
	if (l->by_bands)
		return (tree_levels_find_banded(l, t));
	i = tree_levels_at(l, model_task_place(m, t));
	return (i != KEPT_NONE && l->kept[i].task == t ? &l->kept[i] : NULL);
}

#endif
