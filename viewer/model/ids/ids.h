/*
 * Ids of tasks, which programs choose, to numbers, which are dense and in the
 * order in which tasks came; and back.  A task keeps a word of 32 bits, which
 * says where its id is.
 */
#ifndef VIEWER_IDS_H
#define VIEWER_IDS_H

#include <stdint.h>

struct model;

#define ID_NONE UINT32_MAX       /* no task has this id */
#define ID_GONE (UINT32_MAX - 1) /* its task was given up */

/* Any thread: the task of an id; ID_NONE, or ID_GONE. */
uint32_t ids_look(const struct model *, uint64_t id);
/* Any thread: the id that a task's word stands for. */
uint64_t ids_of_word(const struct model *, uint32_t word);

/* The rest is the writer's.  As ids_look(), in less time. */
uint32_t ids_look_own(struct model *, uint64_t id);
/* How a new task will keep its id; ID_NONE: ENOMEM. */
uint32_t ids_word(struct model *, uint64_t id);
/* The task that has this word can be found from now on. */
void ids_put(struct model *, uint32_t word, uint32_t task);
void ids_gone(struct model *, uint32_t word); /* it was given up */
/* Asks the memory for where an id is looked up. */
void ids_ahead(struct model *, uint64_t id);
/* Most likely the task of this id; ID_NONE: not that simple. */
uint32_t ids_guess(struct model *, uint64_t id);
void ids_init(struct model *);
void ids_clear(struct model *);

#endif
