/*
 * How tasks are kept: 38 bytes each, and what few have beside them.
 *
 * Pieces of 4096 tasks hold arrays: what a walk through the tree needs of one
 * task lies in 16 bytes, what drawing it needs in 16 more.  Children are a
 * ring: the parent knows the last, the last's next is the first.  Times are
 * offsets from a base of 64 tasks; numbers that are seldom large have their
 * upper halves elsewhere.  What does not fit at all, and what is known of
 * tasks that were ever suspended, is in a table (struct task_odd).
 *
 * The counters of a task are its size and the sum of the depths of its subtree
 * below it, so that nothing has to be told to a subtree that is hung deeper.
 *
 * Of a piece from which tasks were given up, those that stay are kept close
 * together (struct task_thin).
 */
#ifndef VIEWER_TREE_STORE_H
#define VIEWER_TREE_STORE_H

#include <errno.h>

#include "model/tree/part.h"

#define PIECE_BITS  12
#define PIECE_TASKS (1u << PIECE_BITS)
#define GROUP_BITS  6
#define GROUPS      (PIECE_TASKS >> GROUP_BITS)
#define DIR_BITS    10 /* pieces of a directory */

/* Sizes and sums that fit are in the word itself. */
#define COUNT_BIG      0x80000000u /* the rest is an index of bigs */
#define COUNT_SUM_BITS 19
#define COUNT_SUM_MAX  ((1u << COUNT_SUM_BITS) - 1)
#define COUNT_SIZE_MAX (1u << (31 - COUNT_SUM_BITS))

struct task_hot {
	uint32_t parent;
	uint32_t last; /* child */
	uint32_t next; /* sibling; of the last: the first */
	_Atomic uint32_t count;
};

#define OFF_NONE INT32_MIN       /* not yet */
#define OFF_ODD  (INT32_MIN + 1) /* in the table */

#define PLACE_BITS      14
#define PLACE_MASK      ((1u << PLACE_BITS) - 1)
#define PLACE_SUSPENDED (1u << PLACE_BITS) /* was ever, so it is odd */
#define PLACE_ODD       (1u << (PLACE_BITS + 1))

struct task_warm {
	int32_t spawn, begin; /* ns from the base of the group, or OFF_... */
	uint32_t id;          /* see ids.h */
	uint16_t name, place; /* lower parts */
};

/* Upper parts: as many of each as the piece has tasks. */
struct task_wide {
	uint16_t *level, *name, *place;
};

/* An end: 0 not yet, else a flag and ns from the begin + 1. */
#define END_RAN     0x80000000u /* it was busy all that time */
#define END_ODD     0x7fffffffu
#define END_SUMMARY 0x7ffffffeu /* of finished tasks, see tree_forget.h */
#define END_MAX     0x7ffffffcu

struct task_bases {
	int64_t spawn[GROUPS], begin[GROUPS]; /* INT64_MIN: not yet */
};

/* Which tasks of a piece are still there. */
struct task_rank {
	uint64_t bits[GROUPS];
	uint16_t before[GROUPS]; /* those of earlier words */
	uint16_t n;
};

/* The arrays of one that is whole have PIECE_TASKS elements, of a thin one
 * as many as there are, and one that stands for all that are gone. */
struct task_piece {
	struct task_hot *hot;
	struct task_warm *warm;
	uint16_t *level;
	const struct task_rank *rank; /* NULL: it is whole */
	_Atomic uint32_t first;       /* how many are there before its own */
	uint32_t level0;              /* levels count from here */
	_Atomic(uint32_t *) end;      /* NULL: none has ended */
	_Atomic(struct task_wide *) wide; /* NULL: all are small */
	struct task_bases *bases;
};

/* What does not fit.  INT64_MIN: it is where it always is. */
struct task_odd {
	int64_t spawn_ns, begin_ns, end_ns;
	int64_t suspended_ns, busy_ns, since_ns;
	uint32_t suspensions;
	uint32_t end_lane; /* UINT32_MAX: that of its place */
	int64_t ran_ns;    /* its span, which is put aside, so far */
};

struct task_big {
	uint64_t sum;
	uint32_t size;
	uint32_t kids; /* children, or which of wides; free: the next one */
};
#define KIDS_WIDE 0x80000000u

#define PLACE_NO_PE 0x10000u /* it has not begun: where it was spawned */
struct task_place {
	uint32_t location, pe;
};

static inline struct task_piece *
piece_of(const struct model *m, uint32_t i)
{
	_Atomic(struct task_piece *) *dir =
	    __atomic_load_n(&store_of(m)
				 ->task_dir[i >> (PIECE_BITS + DIR_BITS)],
		__ATOMIC_RELAXED);

	return (
	    atomic_load_explicit(&dir[i >> PIECE_BITS & ((1u << DIR_BITS) - 1)],
		memory_order_acquire));
}

/* Where in the arrays of its piece a task is. */
static inline uint32_t
rank_in(const struct task_piece *p, uint32_t i)
{
	uint64_t word;
	uint32_t g;

	i &= PIECE_TASKS - 1;
	if (__builtin_expect(p->rank == NULL, 1))
		return (i);
	g = i >> GROUP_BITS;
	word = p->rank->bits[g] >> (i & 63);
	if ((word & 1) == 0)
		return (p->rank->n);
	word = p->rank->bits[g] & ((1ull << (i & 63)) - 1);
	return (p->rank->before[g] + (uint32_t)__builtin_popcountll(word));
}

static inline bool
task_is_gone(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);

	return (p->rank != NULL && rank_in(p, i) == p->rank->n);
}

static inline struct task_hot *
hot_at(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);

	return (&p->hot[rank_in(p, i)]);
}

static inline struct task_warm *
warm_at(const struct model *m, uint32_t i)
{
	const struct task_piece *p = piece_of(m, i);

	return (&p->warm[rank_in(p, i)]);
}

static inline uint32_t *
end_at(const struct task_piece *p, uint32_t i)
{
	uint32_t *end = atomic_load_explicit(&p->end, memory_order_acquire);

	return (end == NULL ? NULL : &end[rank_in(p, i)]);
}

static inline struct task_wide *
wide_of(const struct task_piece *p)
{
	return (atomic_load_explicit(&p->wide, memory_order_acquire));
}

/* 0: not yet; see END_... */
static inline uint32_t
task_end(const struct model *m, uint32_t i)
{
	const uint32_t *end = end_at(piece_of(m, i), i);

	return (end == NULL ? 0 : __atomic_load_n(end, __ATOMIC_ACQUIRE));
}

/* Of the k-th in its arrays. */
static inline uint32_t
task_level_in(const struct task_piece *p, uint32_t k)
{
	const struct task_wide *w =
	    atomic_load_explicit(&p->wide, memory_order_acquire);
	uint32_t level = SEE(p->level[k]);

	if (w != NULL)
		level |= (uint32_t)SEE(w->level[k]) << 16;
	return (p->level0 + level);
}

static inline void *
out_of_memory(struct model *m)
{
	held_of(m)->failed = ENOMEM;
	return (NULL);
}

/* tree_value.c: readers and writer */
uint32_t task_level(const struct model *, uint32_t);
uint32_t task_name(const struct model *, uint32_t);
struct task_place task_place(const struct model *, uint32_t);
int64_t task_spawn_ns(const struct model *, uint32_t); /* INT64_MIN: not yet */
int64_t task_begin_ns(const struct model *, uint32_t);
int64_t task_end_ns(const struct model *, uint32_t);
int64_t task_busy_ns(const struct model *, uint32_t);
/* Size of its subtree, and the sum of the depths in it, its own being 0. */
uint32_t task_counts(const struct model *, uint32_t, uint64_t *sum);
/* NULL: nothing about it is odd. */
struct task_odd *task_odd(const struct model *, uint32_t);

/* tree_store.c: writer; -1 or NULL: m->failed is set. */
int task_make(struct model *, uint32_t, uint32_t parent, uint32_t id);
void task_first_level(struct model *, uint32_t, uint32_t level); /* new */
void task_set_level(struct model *, uint32_t, uint32_t level);
void task_set_name(struct model *, uint32_t, uint32_t name);
void task_set_place(struct model *, uint32_t, uint32_t location, uint32_t pe);
void task_set_spawn(struct model *, uint32_t, int64_t t_ns);
void task_set_begin(struct model *, uint32_t, int64_t t_ns);
void task_set_end(struct model *, uint32_t, int64_t t_ns);
/* It was busy for another ns. */
void task_add_busy(struct model *, uint32_t, int64_t ns);
void task_add_counts(struct model *, struct task_hot *, uint32_t size,
    uint64_t sum);
bool task_has_ended(const struct model *, uint32_t);
uint32_t *task_end_at(struct model *, uint32_t); /* made if it is not there */
/* What it had beside it can be used again. */
void task_free_odd(struct model *, uint32_t);
void task_free_big(struct model *, uint32_t);

/* tree_piece.c: the piece of a task that is to be made */
struct task_piece *task_piece_reserve(struct model *, uint32_t);
/* Of a piece: the arrays that few have, made if they are not there. */
uint32_t *task_end_make(struct model *, struct task_piece *);
struct task_wide *task_wide_make(struct model *, struct task_piece *);
/* Places of their tasks, after some have gone. */
void task_pieces_number(struct model *);
size_t task_piece_bytes(const struct task_piece *); /* but for its blocks */
void task_piece_free(struct task_piece *);
/* Made if it is not there. */
struct task_odd *task_make_odd(struct model *, uint32_t);
void task_store_init(struct model *);
void task_store_clear(struct model *);

#endif
