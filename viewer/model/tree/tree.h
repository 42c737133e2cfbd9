/*
 * The tasks of a run: who spawned whom, when each was spawned, began and ended,
 * and the counters that keep a layout exact while the tree grows.
 */
#ifndef VIEWER_TREE_H
#define VIEWER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

/* A node of the reduction tree. */
#define TASK_NONE UINT32_MAX
struct task {
	uint64_t id;
	uint32_t parent, first_child, next_sibling, last_child;
	uint32_t level;    /* root 0 */
	uint32_t size;     /* tasks in its subtree, itself included */
	uint64_t sumlevel; /* of the levels of those */
	uint32_t name;     /* procedure */
	uint32_t location; /* thread that began it, 0 before */
	uint16_t pe, flags;
	uint32_t suspensions;
	int64_t spawn_mon_ns, begin_mon_ns, end_mon_ns; /* INT64_MIN: not yet */
	int64_t suspended_ns, busy_ns; /* whole, of what is over */
	int64_t since_mon_ns; /* suspended since; INT64_MIN: it is not */
};
#define TASK_BEGUN     1
#define TASK_ENDED     2
#define TASK_SUSPENDED 4  /* now */
#define TASK_SUMMARY   8  /* of tasks that were given up */
#define TASK_GONE_UP   16 /* given up: nothing is known of it */

/*
 * The reduction tree.  Task numbers are dense, from 0.  Parents come first,
 * but for a task whose spawn came late.
 */
uint32_t model_tasks(const struct model *);
/* What is known of a task now; returns out. */
struct task *model_task_get(const struct model *, uint32_t task,
    struct task *out);
/* The same, in memory that lasts as long as the block where it is asked. */
#define model_task(m, i)                                                       \
	((const struct task *)model_task_get(m, i, &(struct task){ 0 }))
/*
 * Single things, for who looks at many tasks: between model_enter() and
 * model_leave(), which is given what the other returned.  A few ns each.
 */
unsigned model_enter(const struct model *);
void model_leave(const struct model *, unsigned);
uint32_t model_task_parent(const struct model *, uint32_t task);
uint32_t model_task_first(const struct model *, uint32_t task); /* child */
uint32_t model_task_next(const struct model *, uint32_t task);  /* sibling */
/* The children of these, 16 at most, will be looked at soon. */
void model_task_ahead(const struct model *, const uint32_t *task, unsigned n);
/* What is asked of one that is drawn will be asked of this one. */
void model_task_ahead_drawn(const struct model *, uint32_t task);
uint32_t model_task_level(const struct model *, uint32_t task);
/*
 * Sets in `in`, a bit a task, those from `from` to `to` whose parents are in
 * it; returns the deepest of their levels, or deepest.  For a tree in which
 * parents come first and no task was given up.
 */
uint32_t model_subtree_mark(const struct model *, uint64_t *in, uint32_t from,
    uint32_t to, uint32_t deepest);
uint32_t model_task_name(const struct model *, uint32_t task);
/* Size of its subtree, and the sum of the depths in it, its own being 0. */
uint32_t model_task_counts(const struct model *, uint32_t task,
    uint64_t *depths);
int64_t model_task_spawn(const struct model *, uint32_t task);
int64_t model_task_begin(const struct model *, uint32_t task);
bool model_task_ended(const struct model *, uint32_t task);
uint32_t model_task_pe(const struct model *, uint32_t); /* UINT32_MAX: none */
bool model_task_suspended(const struct model *, uint32_t task); /* ever */
/* As task.flags, and when it ended; INT64_MIN: it has not. */
unsigned model_task_flags(const struct model *, uint32_t task,
    int64_t *end_mon_ns);
struct task_face {
	int64_t at_mon_ns; /* begin, or else spawn; INT64_MIN: neither */
	uint32_t name, pe; /* pe: UINT32_MAX: none */
	bool suspended;    /* ever */
};
void model_task_face(const struct model *, uint32_t task, struct task_face *);
/*
 * Under a memory cap finished subtrees are given up: their numbers have
 * TASK_GONE_UP.  Summaries stay where they were, one for neighbours among
 * siblings; their size, depths and levels are those of what was given up, so
 * that the layout of the others stays as it is.
 */
struct summary_name {
	uint32_t name, tasks;
	int64_t busy_ns;
};
struct task_sums {
	uint32_t tasks, suspended;             /* suspended: ever */
	int64_t t0_mon_ns, t1_mon_ns, busy_ns; /* t0 of the first begin */
	uint32_t levels;
	/* tasks by depth, the deepest first; procedures.  To be read inside */
	const uint32_t *level;
	const struct summary_name *names;
	uint32_t nnames;
};
/* False: it is no summary.  Inside model_enter(). */
bool model_task_sums(const struct model *, uint32_t task, struct task_sums *);
/* The i-th of its names, as it is now: they may be growing. */
struct summary_name model_task_sums_name(const struct task_sums *, uint32_t i);
bool model_task_gone(const struct model *, uint32_t task);
uint32_t model_tasks_gone(const struct model *); /* how many */
/* Odd while tasks are given up, another number afterwards. */
uint32_t model_tree_epoch(const struct model *);
/*
 * Tasks that are there have places from 0 on without gaps, in the order of
 * their numbers, as long as the epoch stays the same.
 */
uint32_t model_task_place(const struct model *, uint32_t task);
uint32_t model_task_places(const struct model *);
uint32_t model_task_by_id(const struct model *, uint64_t id);
/* At most max of them; returns how many there are, which may be more. */
uint32_t model_task_roots(const struct model *, uint32_t *out, uint32_t max);
/* One by one, by places below model_root_places(); TASK_NONE: that one has
 * found its parent. */
uint32_t model_root_places(const struct model *);
uint32_t model_task_root(const struct model *, uint32_t place);
/*
 * Trees of a single task, which has neither parent nor child, are counted by
 * name; the others, which have several or stand for some that were given up,
 * are trees.
 */
struct single_tasks {
	uint32_t name, tasks; /* that are there */
	uint32_t gone;        /* others that were given up */
	uint32_t first;       /* of those that are there; TASK_NONE: none is */
};
/* Of the i-th name that has had any.  False: there are no more. */
bool model_single(const struct model *, uint32_t i, struct single_tasks *);
/* All that are there; gone (may be NULL): how many were given up. */
uint32_t model_singles(const struct model *, uint32_t *gone);
bool model_is_single(const struct model *, uint32_t task);
uint32_t model_trees(const struct model *); /* of several that are there */
/* All that there ever were, of one task or several. */
uint32_t model_trees_all(const struct model *);
/* The first place from `place` on at which such a tree has its root;
 * UINT32_MAX: none. */
uint32_t model_tree_from(const struct model *, uint32_t place);
/* Of the trees that are there, which this root's is, from 1 on; 0: none.  And
 * the root of the n-th; TASK_NONE: there are fewer.  O(those before). */
uint32_t model_tree_number(const struct model *, uint32_t root);
uint32_t model_tree_nth(const struct model *, uint32_t n);
/* Of a root's tree; TASK_NONE: of the deepest. */
uint32_t model_task_levels(const struct model *, uint32_t root);
/* Numbers are in the order of times, and no task was given up. */
bool model_tree_in_order(const struct model *);
/* Grows after tasks have come, or have begun, stopped, gone on or ended. */
uint64_t model_tree_version(const struct model *);
/* Grows when a task that was taken for a root is hung below its parent. */
uint32_t model_tree_generation(const struct model *);
uint32_t model_pes(const struct model *); /* PE numbers are below this */

#endif
