/* What the rooms above do to the tree: writer only. */
#ifndef VIEWER_GROW_H
#define VIEWER_GROW_H

#include "event.h"
#include "model/tree/tree_store.h"

/* tree_read.c: the task of an id, or TASK_NONE */
uint32_t tree_find(const struct model *, uint64_t id);

/* tree_make.c */
uint32_t tree_new(struct model *, uint64_t id, uint32_t parent);
/* Made if it is not there; TASK_NONE: it was given up, or ENOMEM. */
uint32_t tree_task(struct model *, uint64_t id);
void tree_adopt(struct model *, uint32_t task, uint32_t parent);

/* tree_single.c: as task_set_name(), for one that may stand alone */
void tree_name(struct model *, uint32_t task, uint32_t name);

void tree_init(struct model *);
void tree_settle(struct model *); /* counters of the ancestors */
/* Asks the memory for what the event ahead[0], and those behind it, will
 * need; left of them are there. */
void tree_ahead(struct model *, const struct event *ahead, size_t left);
void tree_clear(struct model *);
/* Finished tasks of some of the pieces become summaries. */
void tree_forget(struct model *);
uint64_t tree_bytes(const struct model *);

#endif
