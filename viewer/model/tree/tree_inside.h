/*
 * Shared by the files of the task tree; writer only unless said otherwise.
 *
 * tree_make.c makes tasks and hangs them, and has those that hang nowhere,
 * tree_count.c adds new ones up to their ancestors with what tree_front.c has
 * waiting, tree_ahead.c asks the memory in time, tree_read.c answers readers,
 * tree_store.c keeps what a task is, tree_wide.c adds up the children of those
 * that have very many, tree_single.c counts those that stand alone.
 */
#ifndef VIEWER_TREE_INSIDE_H
#define VIEWER_TREE_INSIDE_H

#include "model/ids/ids.h"
#include "model/tree/grow.h"

/* tree_count.c */
/*
 * A subtree of so many tasks is hung below this one, whose depths below it
 * sum up to so much; the deepest is on that level.  All is settled.
 */
void tree_count(struct model *, uint32_t task, uint32_t size, uint64_t depths,
    uint32_t deep);
void tree_count_forget(struct model *); /* levels or parents have changed */
void tree_count_clear(struct model *);

/* tree_thin.c: marks of tasks; -1: ENOMEM */
int tree_marks_reserve(struct model *);
void tree_mark(struct model *, uint32_t task);
bool tree_marked(const struct model *, uint32_t task);
void tree_marks_clear(struct model *);
void tree_marks_free(struct model *);

/* tree_wide.c */
#define WIDE_LEAST 512 /* children */
/* A task has been hung behind the children of one that is big. */
void tree_wide_hung(struct model *, uint32_t parent, uint32_t child);
void tree_wide_root(struct model *, uint32_t task); /* it is one */
/* The counters of a child, TASK_NONE: of a root, have grown by so much. */
void tree_wide_told(struct model *, uint32_t parent, uint32_t child,
    uint32_t size, uint64_t depths);
/* Children of one that becomes big: it is wide when all is settled. */
uint32_t tree_wide_kids(struct model *, const struct task_hot *);
void tree_wide_settle(struct model *);
/* Its children are others, as they stand and as they are counted. */
void tree_wide_again(struct model *, uint32_t task);
void tree_wide_free(struct model *, uint32_t n); /* which of wides */
void tree_wide_init(struct model *);
void tree_wide_clear(struct model *);

static inline unsigned
wide_bit(uint32_t task)
{
	return (task * 0x9e3779b1u >> (32 - WIDE_SEEN_BITS));
}

static inline void
tree_wide_note(struct model *m, uint32_t task)
{
	unsigned bit = wide_bit(task);

	wides_of(m)->wide_seen[bit / 64] |= 1ull << bit % 64;
}

/* False: it is not. */
static inline bool
tree_wide_maybe(const struct model *m, uint32_t task)
{
	unsigned bit = wide_bit(task);

	return ((wides_of(m)->wide_seen[bit / 64] >> bit % 64 & 1) != 0);
}

/* tree_single.c: trees of a single task */
bool tree_is_single(const struct model *, uint32_t task); /* it is counted */
void tree_single_enter(struct model *, uint32_t task); /* all is told of it */
/* It will have a child, or a parent; it will be given up. */
void tree_single_leave(struct model *, uint32_t task);
void tree_single_gone(struct model *, uint32_t task);
void tree_single_init(struct model *);
void tree_single_clear(struct model *);

/* tree_make.c */
struct task_root *tree_root(struct model *, uint32_t task); /* NULL: none */
void tree_root_add(struct model *, uint32_t task);
/* The task at a place among roots; TASK_NONE: it was given up, or has found a
 * parent. */
uint32_t tree_root_at(const struct model *, uint32_t place);
/* The first place of a root with this number or a later one. */
uint32_t tree_roots_from(const struct model *, uint32_t task);
/* One root is part of another one, and is to be given up. */
void tree_root_joins(struct model *, uint32_t into, uint32_t task,
    uint32_t size, uint64_t depths);
/* Places of roots that are none any more are given back, once they are the
 * larger part; between two epochs. */
void tree_roots_close_up(struct model *);

#endif
