/*
 * Trees of thousands of levels, of which few are kept (tree_levels.h).  Which
 * levels those are changes with each level that the tree grows by, and most
 * tasks are on none of them.  So what is kept from one frame to the next is
 * only which tasks are on every 16th level and which of those they hang below:
 * from there the tasks of any level are found, and who is above them.
 *
 * 5.5 bytes a task.  A new task costs some ns; an update what the kept levels
 * have of tasks, and of those up to 15 levels above them.  (Making the levels
 * anew for each frame of a tree that grows costs 5 ms instead of 1.4 at 10^6
 * tasks, and 48 instead of 2.6 at 10^7.)
 */
#ifndef VIEWER_TREE_BANDS_H
#define VIEWER_TREE_BANDS_H

#include "model/levels/tree_levels.h"

#define BAND_LEVELS 16u /* kept levels must be as far apart */

struct band_task {
	uint32_t task;
	uint32_t up;          /* the one a band above, KEPT_NONE: none */
	uint32_t far;         /* the nearest above it of every 16th band */
	uint32_t next;        /* in its band */
	uint32_t asked, kept; /* when it was asked what is above it, and that */
};

struct tree_bands {
	uint32_t ntasks; /* those before were looked at; 0: begin anew */
	uint32_t *near;  /* by task: the nearest of a band, itself or above */
	uint32_t near_cap;
	struct band_task *of;
	uint32_t n, cap;
	struct band {
		uint32_t first, last; /* of its tasks; KEPT_NONE: none */
		uint32_t end;         /* behind all on its levels */
	} * band;
	uint32_t bands_cap;
	uint32_t *count; /* tasks by level */
	uint32_t nlevels, levels_cap;
	uint32_t asked;
	/* kept tasks by number: index and one, 0: empty */
	uint32_t *table, mask;
};

/*
 * Makes l->kept anew, but for children and what adding up gives.  1; 0: that
 * would take longer than to go through all tasks; -1: no memory.  No task was
 * given up and no parent came late.
 */
int tree_bands_keep(struct tree_bands *, struct tree_levels *,
    const struct model *, uint32_t ntasks, const struct kept_levels *);
/* The kept one of a task; KEPT_NONE: it is not kept. */
uint32_t tree_bands_find(const struct tree_bands *, const struct tree_levels *,
    uint32_t task);
/* Who on this level is a task, or is above it.  TASK_NONE: nobody. */
uint32_t tree_bands_above(const struct tree_bands *, const struct model *,
    uint32_t task, uint32_t level);
/* Does a come before b when the tree is walked depth first?  Neither is above
 * the other, both are on one level.  O(levels to where they part). */
bool tree_bands_before(const struct tree_bands *, const struct model *,
    uint32_t a, uint32_t b);
void tree_bands_clear(struct tree_bands *);

#endif
