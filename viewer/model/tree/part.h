/* The part of a model that is the tree's; see keep/held.h. */
#ifndef VIEWER_TREE_PART_H
#define VIEWER_TREE_PART_H

#include <stdatomic.h>
#include <stdint.h>

#include "model/ids/part.h"
#include "model/tree/tree.h"

#define TASK_DIRS   1024 /* of 1024 pieces of 4096 tasks */
#define PLACE_CACHE 64
#define TREE_AHEAD  32

struct task_piece;
struct tree_front;

struct task_root {
	_Atomic uint32_t task, levels; /* task TASK_NONE: not a root any more */
};

/* What is still to be told to ancestors, see tree_count.c; writer. */
struct task_count {
	uint32_t told; /* tasks before are counted; SEE and PUT */
	struct tree_front *front;
	/* the path that was gone up last, by level: tasks and counters */
	uint32_t *path, *path_count, npath, path_cap;
	uint32_t *due, ndue, due_cap; /* tasks that have many children now */
};
#define WIDE_SEEN_BITS 14

/* See tree_thin.c; writer. */
struct task_marks {
	uint64_t *bits, *words;
	uint32_t n; /* words of bits */
};

/* Tasks as they are kept, see tree_store.h. */
struct task_store {
	_Atomic(struct task_piece *) *task_dir[TASK_DIRS];
	_Atomic uint32_t ntasks;
	_Atomic uint32_t hanging; /* the task that is being hung */
	struct chunk bigs;        /* of struct task_big */
	struct chunk odds;        /* of struct task_odd */
	struct chunk places;      /* of struct task_place */
	uint32_t nbigs, nodds, nplaces;
	uint32_t big_free, odd_free; /* lists; UINT32_MAX: none */
	uint32_t odds_gone;          /* of those in odd_map */
	struct idmap odd_map, place_map;
	uint64_t place_key[PLACE_CACHE];
	uint32_t place_value[PLACE_CACHE];
};

/* How they hang together, and how far that has been told. */
struct task_shape {
	struct chunk roots;                          /* of struct task_root */
	_Atomic uint32_t nroots, roots_left, levels; /* of the deepest */
	_Atomic uint32_t roots_joined; /* in a summary of several */
	struct idmap root_map;         /* task -> index in roots */
	_Atomic uint32_t npes, generation;
	_Atomic uint64_t tree_version;
	int tree_changed;           /* since it was counted up */
	uint32_t ahead[TREE_AHEAD]; /* see tree_ahead.c */
	struct task_count count;
	struct task_marks marked;
	int64_t spawn_ns;           /* of the last one */
	_Atomic uint32_t unordered; /* some were not told of in order */
};

/* Those with very many children, see tree_wide.c. */
struct task_wides {
	struct chunk wides; /* of struct tree_wide; the first: of the roots */
	uint32_t nwides;    /* SEE and PUT */
	uint32_t wide_free; /* list; UINT32_MAX: none */
	struct idmap wide_odd;
	uint64_t wide_seen[(1u << WIDE_SEEN_BITS) / 64]; /* by hash */
};

/* Trees of a single task, see tree_single.c. */
struct task_singles {
	struct chunk by_name; /* of struct task_single */
	struct chunk names;   /* of those that have had one */
	_Atomic uint32_t nnames, tasks, gone;
};

/* Those that were given up, see tree_forget.h. */
struct task_gone {
	struct chunk summaries;    /* of struct task_summary * */
	struct chunk summary_next; /* of uint32_t: list of free ones */
	uint32_t nsummaries, summary_free, forget_new, forget_piece, tasks_gone;
	uint32_t forget_below; /* younger ones stay */
	uint32_t forget_idle;  /* pieces looked at in vain */
	uint32_t tasks_ended, forget_ended;
	_Atomic uint32_t tree_epoch; /* odd while it happens */
};

struct tree_part {
	struct ids_part below;
	struct task_store store;
	struct task_shape shape;
	struct task_wides wides;
	struct task_singles singles;
	struct task_gone gone;
};

static inline struct task_store *
store_of(const struct model *m)
{
	return (&((struct tree_part *)m)->store);
}

static inline struct task_shape *
shape_of(const struct model *m)
{
	return (&((struct tree_part *)m)->shape);
}

static inline struct task_wides *
wides_of(const struct model *m)
{
	return (&((struct tree_part *)m)->wides);
}

static inline struct task_singles *
singles_of(const struct model *m)
{
	return (&((struct tree_part *)m)->singles);
}

static inline struct task_gone *
gone_of(const struct model *m)
{
	return (&((struct tree_part *)m)->gone);
}

#endif
