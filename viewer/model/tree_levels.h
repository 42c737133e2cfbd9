/*
 * The tree of the tasks on some levels only: each hangs below the nearest one
 * above it that is on one of them.  It is kept from one frame to the next, so
 * that only new tasks need be looked at; otherwise it is made anew at 3 ns a
 * task.  4 bytes a task, and 40 for each that is kept.
 */
#ifndef VIEWER_TREE_LEVELS_H
#define VIEWER_TREE_LEVELS_H

#include "model/model.h"

#define KEPT_NONE UINT32_MAX

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
};

/*
 * Up to all tasks that there are.  value: by level, UINT32_MAX: not kept.
 * Inside model_enter(); -1: no memory.
 */
int tree_levels_update(struct tree_levels *, const struct model *,
    const uint32_t *value, uint32_t nvalues);
void tree_levels_clear(struct tree_levels *);

/* What a task is; NULL: it is not kept. */
static inline const struct kept_task *
tree_levels_find(const struct tree_levels *l, const struct model *m, uint32_t t)
{
	uint32_t i;

	if (t >= l->ntasks)
		return (NULL);
	i = l->near[model_task_place(m, t)];
	return (i != KEPT_NONE && l->kept[i].task == t ? &l->kept[i] : NULL);
}

#endif
