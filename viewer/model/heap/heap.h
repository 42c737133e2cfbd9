/*
 * Memory of the program: what its threads were given and gave back.
 *
 * The model keeps each event of it, in the order in which they came, up to a
 * part of the memory allowed; of a range they are added up when somebody asks,
 * some at a time.
 */
#ifndef VIEWER_HEAP_H
#define VIEWER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct event;

#define HEAP_COLUMNS 256 /* of a process' curve */
#define HEAP_SPARK   48  /* of a place's */
#define HEAP_OWNERS  4   /* of a place that are kept */

/* Between the parts of a stack, innermost first, in a place's name. */
#define HEAP_CALLER " < "

/* Events of memory so far. */
uint32_t model_heap_events(const struct model *);
/* There were more, which are not kept. */
bool model_heap_cut(const struct model *);

/*
 * What was given out at a place: the innermost part of a stack, or what the
 * program has named so.  Of picked pieces
 * (mem_sample) all numbers are about, each counts for as many as it stands for.
 */
struct heap_place {
	uint32_t name;   /* of the first stack */
	uint32_t stacks; /* how many there are */
	bool picked;
	bool shrank;                 /* some of it was given back */
	double made, asked, given;   /* in the range: pieces, bytes */
	double freed;                /* in the range: pieces */
	double live, live_bytes;     /* at its end; bytes as given */
	uint32_t owner[HEAP_OWNERS]; /* lanes of those who have live ones */
	uint32_t owners;             /* so many are known, at most those */
	float spark[HEAP_SPARK];     /* live bytes */
};

/* What was given out at a place by one and the same stack, or name. */
struct heap_stack {
	uint32_t name;
	double asked;      /* in the range, bytes */
	double live_bytes; /* at its end, as given */
};

/* What one thread was given and another has freed, in the range; lanes. */
struct heap_pair {
	uint32_t from, to;
	uint64_t pieces, bytes;
};

/* A process: bytes in use, by its threads' sums, or of the pieces. */
struct heap_process {
	uint32_t lane;
	int64_t live_bytes, most_bytes; /* at the end; in the whole run */
	int64_t column[HEAP_COLUMNS];   /* the most in each */
};

struct heap_totals {
	double made, asked, given, freed; /* of pieces, in the range */
	double live, live_bytes;          /* at its end */
	uint64_t nulls, elsewhere;
	/* what threads have counted, in the range */
	uint64_t counted, counted_asked, counted_given;
	uint64_t counted_freed, counted_back, counted_nulls;
	int64_t in_use, most;         /* at its end, in the run up to then */
	int64_t column[HEAP_COLUMNS]; /* the most of all in each */
	bool has_pieces, has_picked, has_counts;
};

struct heap_sums;
struct heap_sums *heap_sums_new(void);   /* NULL: ENOMEM */
void heap_sums_free(struct heap_sums *); /* NULL is fine */
/*
 * Begins to add up [t0, t1); curves are over [from, to].  What was added up
 * before is forgotten.
 */
void heap_sums_begin(struct heap_sums *, const struct model *, int64_t t0,
    int64_t t1, int64_t from, int64_t to);
/* Some more events; true: those were the last.  About 50 ns each. */
bool heap_sums_step(struct heap_sums *, uint32_t n);

/* When the last step was made.  Places: most live bytes first. */
const struct heap_totals *heap_sums_totals(const struct heap_sums *);
size_t heap_sums_places(const struct heap_sums *, const struct heap_place **);
/* In no order. */
size_t heap_sums_stacks(const struct heap_sums *, const struct heap_stack **);
size_t heap_sums_pairs(const struct heap_sums *, const struct heap_pair **);
size_t heap_sums_processes(const struct heap_sums *,
    const struct heap_process **);

#endif
