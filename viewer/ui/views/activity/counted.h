/*
 * How many threads were in which state over time, in columns of a range: at
 * once in some wide ones, then, part by part, in as many as are wanted.
 */
#ifndef VIEWER_COUNTED_H
#define VIEWER_COUNTED_H

#include "model/model.h"

#define COUNT_COLUMNS 1024 /* at most */
#define COUNT_STATES  8

/* States from below, as they lie above each other. */
extern const struct count_row {
	uint8_t class;
	const char *word;
} count_rows[COUNT_STATES];

struct counted_of {
	const struct model *model;
	int64_t t0, t1;
	uint64_t events;
	unsigned columns;
};

/* All of it is 0 at first. */
struct counted {
	struct counted_of of, next; /* what is there; what is being made */
	unsigned columns;           /* what is there has; more may follow */
	uint32_t each;              /* of so many threads one was looked at */
	double mean[COUNT_STATES][COUNT_COLUMNS]; /* threads in each column */
	bool busy;                                /* next is being made */
	unsigned at;                              /* its columns so far */
	uint64_t sum[COUNT_COLUMNS * LANE_CLASSES];
};

/* It is just that already. */
bool counted_is(const struct counted *, const struct counted_of *);
/*
 * Another range.  Coarse: a first figure of it is there at once; else what
 * was there before stays until the next is whole.
 */
void counted_begin(struct counted *, const struct counted_of *, bool coarse);
/* Some ms of work; true: it is whole. */
bool counted_step(struct counted *);

#endif
