/*
 * Shared by the files of the task tree; writer only unless said otherwise.
 *
 * tree.c turns events into changes of tasks, tree_make.c makes and hangs them,
 * tree_count.c adds new ones up to their ancestors, tree_id.c and tree_map.c
 * find a task by its id, tree_ahead.c asks the memory in time, tree_read.c
 * answers readers, tree_store.c keeps what a task is.
 */
#ifndef VIEWER_TREE_INSIDE_H
#define VIEWER_TREE_INSIDE_H

#include "model/tree_store.h"

#define TASK_GONE (TASK_NONE - 1) /* an id whose task was given up */
#define PAGE_GONE (IDMAP_NONE - 1)

/* tree_id.c */
/* Any thread: the task of an id; TASK_NONE, or TASK_GONE. */
uint32_t tree_look(const struct model *, uint64_t id);
uint32_t tree_find(const struct model *, uint64_t id); /* or TASK_NONE */
uint64_t task_id(const struct model *, uint32_t task);
/* How a new task will keep its id; TASK_NONE: ENOMEM. */
uint32_t tree_id_word(struct model *, uint64_t id);
void tree_id_put(struct model *, uint32_t task);  /* can be found from now on */
void tree_id_gone(struct model *, uint32_t task); /* its task is */
void tree_id_ahead(const struct model *, uint64_t id);
uint32_t tree_id_guess(const struct model *, uint64_t id);
void tree_id_init(struct model *);
void tree_id_clear(struct model *);

/* tree_map.c: ids that stand alone */
uint32_t tree_map_find(const struct model *, uint64_t id); /* any thread */
int tree_map_reserve(struct model *, uint64_t id);
void tree_map_put(struct model *, uint32_t n, uint32_t task);
void tree_map_gone(struct model *, uint32_t n);
void tree_map_ahead(const struct model *, uint64_t id);
uint32_t tree_map_guess(const struct model *, uint64_t id);
void tree_map_clear(struct model *);

/* tree_count.c */
/*
 * A subtree of so many tasks is hung below this one, whose depths below it
 * sum up to so much; the deepest is on that level.  All is settled.
 */
void tree_count(struct model *, uint32_t task, uint32_t size, uint64_t depths,
    uint32_t deep);
void tree_count_forget(struct model *); /* levels or parents have changed */
/* Marks of tasks, while nothing is being counted; -1: ENOMEM. */
int tree_marks_reserve(struct model *);
void tree_mark(struct model *, uint32_t task);
bool tree_marked(const struct model *, uint32_t task);
void tree_marks_clear(struct model *);
void tree_count_clear(struct model *);

/* tree_make.c */
uint32_t tree_new(struct model *, uint64_t id, uint32_t parent);
/* Made if it is not there; TASK_NONE: it was given up, or ENOMEM. */
uint32_t tree_task(struct model *, uint64_t id);
void tree_adopt(struct model *, uint32_t task, uint32_t parent);
struct task_root *tree_root(struct model *, uint32_t task); /* NULL: none */

#endif
