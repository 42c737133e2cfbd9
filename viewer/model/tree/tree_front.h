/*
 * What is on its way up the tree while tasks are counted (tree_count.c): sums
 * that are to be added to tasks, worked off from the highest number to the
 * lowest, since parents come first.  They wait by windows of 16,384 tasks, and
 * those for the same task are put together when its window has its turn: what
 * is touched meanwhile lies in the cache.  No more of them wait than tasks are
 * new.
 */
#ifndef VIEWER_TREE_FRONT_H
#define VIEWER_TREE_FRONT_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/* So many tasks, the sum of whose depths below this one is that. */
struct task_sum {
	uint64_t depths;
	uint32_t size, deep; /* deep: the deepest is on that level */
};

struct tree_front;

struct tree_front *tree_front_new(void); /* NULL: no memory */
void tree_front_free(struct tree_front *);
/* Tasks from..to come first, whatever is added to them.  -1: no memory. */
int tree_front_begin(struct tree_front *, uint32_t from, uint32_t to);
/* To be added to a task below all that were taken.  -1: no memory. */
int tree_front_add(struct tree_front *, const struct model *, uint32_t task,
    const struct task_sum *);
/* The next window; false: nothing is left. */
bool tree_front_enter(struct tree_front *, const struct model *);
/* Its highest task that is left; false: there is none. */
bool tree_front_take(struct tree_front *, uint32_t *task, struct task_sum *);
/* Was that the last one, for the time being? */
bool tree_front_empty(const struct tree_front *);

#endif
