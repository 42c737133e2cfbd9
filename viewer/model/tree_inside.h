/*
 * Shared by the files of the task tree; writer only unless said otherwise.
 *
 * tree.c turns events into changes of tasks, tree_make.c makes and hangs them,
 * tree_count.c adds new ones up to their ancestors, tree_map.c finds a task by
 * its id, tree_ahead.c asks the memory in time, tree_read.c answers readers.
 */
#ifndef VIEWER_TREE_INSIDE_H
#define VIEWER_TREE_INSIDE_H

#include "model/inside.h"

static inline struct task *
task_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->tasks, i));
}

static inline struct task_side *
side_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->task_side, i));
}

/* tree_map.c */
uint32_t tree_find(const struct model *, uint64_t id); /* any thread */
void tree_map_put(struct model *, struct task_map *, uint32_t task);
int tree_map_reserve(struct model *); /* -1: ENOMEM */
/* Asks for the first of an id's slots. */
void tree_map_ahead(const struct task_map *, uint64_t id);
/* Most likely the task of this id; TASK_NONE: not that simple. */
uint32_t tree_map_guess(const struct model *, uint64_t id);

/* tree_count.c */
/* So much is to be added to the counters of a task and of all above it. */
void tree_count(struct model *, uint32_t task, uint32_t size, uint64_t sumlevel,
    uint32_t deep);

/* tree_make.c */
uint32_t tree_new(struct model *, uint64_t id, uint32_t parent);
uint32_t tree_task(struct model *, uint64_t id); /* made if it is not there */
void tree_adopt(struct model *, uint32_t task, uint32_t parent);
struct task_root *tree_root(struct model *, uint32_t task); /* NULL: none */

/* tree_ahead.c */
void tree_ahead_task(const struct model *, uint32_t task);

#endif
