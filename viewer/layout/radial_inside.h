/* Shared by the files of the radial layout. */
#ifndef VIEWER_RADIAL_INSIDE_H
#define VIEWER_RADIAL_INSIDE_H

#include "layout/radial.h"

/* Fields of a task that grow while it is read. */
#define SEE(p)      __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define SEE_LINK(p) __atomic_load_n(&(p), __ATOMIC_ACQUIRE)

/* A task in the condensed tree; of those not kept only the first field. */
struct radial_kept {
	uint32_t kept; /* itself, or the nearest above it that is kept */
	uint32_t up;   /* the nearest kept one above it, TASK_NONE: none */
	uint32_t first, last, next; /* children and sibling, by number */
	uint32_t size, absorbed;
	uint64_t sumring;
};

/*
 * What must be counted over the tasks themselves, kept from one frame to the
 * next: the counters of a condensed tree, the height of a subtree.
 */
struct radial_cache {
	const struct model *model;
	uint32_t generation;
	/* condensed: by task, for those below ntasks */
	struct condense condense;
	uint32_t above; /* 1: levels count from a centre above the roots */
	uint32_t ntasks, cap;
	struct radial_kept *by;
	/* subtree */
	uint32_t root, seen, deepest;
};

/* The tree that is laid out, with its exact weights. */
struct radial_tree {
	const struct model *m;
	const struct radial_cache *cache; /* of a condensed tree, else NULL */
	struct condense condense;
	uint32_t root; /* TASK_NONE: the centre above all roots */
	uint32_t *roots, nroots;
	uint32_t level0; /* of the root */
	uint32_t above;
	uint32_t tasks;
};

/* radial_tree.c; -1 when memory is out or there is no task. */
int radial_tree_open(struct radial_tree *, const struct model *,
    const struct radial_view *, struct radial_layout *);
void radial_tree_close(struct radial_tree *);
/* Tasks kept in the subtree of t, itself included; TASK_NONE: of all. */
uint32_t radial_size(const struct radial_tree *, uint32_t t);
double radial_weight(const struct radial_tree *, uint32_t t);
uint32_t radial_absorbed(const struct radial_tree *, uint32_t t);
/*
 * Children of t that are kept, in order of spawn: pass TASK_NONE and *at = 0
 * first; TASK_NONE ends.
 */
uint32_t radial_child(const struct radial_tree *, uint32_t t, uint32_t last,
    uint32_t *at);

#endif
