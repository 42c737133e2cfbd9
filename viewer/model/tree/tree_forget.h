/*
 * What is left of tasks that were given up: finished subtrees become
 * summaries.  A summary stands among the children of a task that stays, where
 * its tasks were, and counts them: neighbours become one.  Its counters are
 * those of a task, so that the layout of what stays does not change.
 */
#ifndef VIEWER_TREE_FORGET_H
#define VIEWER_TREE_FORGET_H

#include "model/tree/tree_store.h"

#define SUMMARY_NAMES 64 /* procedures that are told apart */

/* A reader may be looking while it is merged into another one: SEE and PUT. */
struct task_summary {
	uint32_t tasks, suspended; /* suspended: ever */
	int64_t t0_ns, t1_ns, busy_ns;
	uint32_t *level; /* tasks by depth, the deepest first */
	uint32_t nlevels;
	struct summary_name *names;
	uint32_t nnames;
};

static inline bool
is_summary(const struct model *m, uint32_t task)
{
	const struct task_piece *p = piece_of(m, task);
	const uint32_t *end = atomic_load(&p->end);

	return (end != NULL && SEE(end[rank_in(p, task)]) == END_SUMMARY);
}

/* NULL: it is none. */
static inline struct task_summary *
summary_of(const struct model *m, uint32_t task)
{
	struct task_summary **at;

	if (!is_summary(m, task))
		return (NULL);
	at = chunk_at(&gone_of(m)->summaries, SEE(warm_at(m, task)->id));
	return (at == NULL ? NULL : __atomic_load_n(at, __ATOMIC_ACQUIRE));
}

/* tree_summary.c; -1 or NULL: ENOMEM, m->failed is set */
struct task_summary *summary_new(struct model *);
/* Any thread, inside model_enter(): what can be read of it. */
void summary_read(const struct task_summary *, struct task_sums *);
/* Adds a task, on the uppermost level. */
int summary_add_task(struct model *, struct task_summary *, uint32_t task);
/* Puts a level above all that is there. */
int summary_raise(struct model *, struct task_summary *);
/* Adds and frees another one; both begin on the same level. */
int summary_merge(struct model *, struct task_summary *, struct task_summary *);
/* The task stands for what it is from now on. */
int summary_put(struct model *, uint32_t task, struct task_summary *);
/* Its summary, which it does not have any more. */
struct task_summary *summary_take(struct model *, uint32_t task);
void summaries_clear(struct model *);

/* tree_thin.c: gives up the tasks that are marked in m->count. */
int tree_thin(struct model *);

#endif
