/*
 * Rows that are found by two numbers; they are many, all of one size, and go
 * all at once.  For heapsums.c.
 */
#ifndef VIEWER_HEAP_ROWS_INSIDE_H
#define VIEWER_HEAP_ROWS_INSIDE_H

#include <stddef.h>
#include <stdint.h>

/* By two numbers to a third, + 1; grows, and nothing is taken out. */
struct map {
	struct map_slot {
		uint64_t a;
		uint32_t b, value; /* value 0: empty */
	} * slot;
	uint32_t n, mask;
};

/* A table that grows. */
struct rows {
	void *p;
	uint32_t n, cap;
	size_t bytes;
};

void map_free(struct map *);
void map_empty(struct map *);
/* The row of these two, zeroed when it is new; NULL: ENOMEM. */
void *rows_at(struct rows *, struct map *, uint64_t a, uint32_t b);

#endif
