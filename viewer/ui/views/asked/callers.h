/*
 * Who called whom in the panels' range (the view Callers): the pairs, and of
 * which threads and in which order they are shown.  UI thread only.
 */
#ifndef VIEWER_CALLERS_H
#define VIEWER_CALLERS_H

#include "ui/desk/desk.h"

/* From 0: from outside of all calls. */
struct edge {
	uint32_t from_name, to_name;
	uint8_t from_kind, to_kind;
	uint32_t to; /* number of the function */
	/* outer, total: without what is within another call of the same
	 * function; shortest: that is over, INT64_MAX: none is */
	uint64_t calls, outer;
	int64_t total_ns, self_ns, waits_ns, longest_ns, shortest_ns;
	int64_t cpu_ns;   /* of total_ns, with a processor */
	bool cpu_unknown; /* of some of it nobody has told that */
	uint32_t circle;  /* from 1; 0: none */
};

struct edges {
	struct edge *edge;
	size_t n;
	uint32_t *circle; /* by function: another one of it, or itself; 0 */
	uint32_t functions, circles;
};

/* By total time; false: nothing is known, or no memory. */
bool edges_make(struct ui *, struct edges *);
void edges_clear(struct edges *);
int edge_by_total(const void *, const void *); /* the longest first */

struct callers_own {
	bool of_row; /* of the threads of the selected row only */
	uint8_t by;  /* column + 1 by which it is sorted; 0: total */
};
struct callers_own *callers_own(struct ui *);       /* NULL: no memory */
bool callers_may(const struct ui *, uint32_t lane); /* it can be of that row */
/* The row that it is of; UINT32_MAX: of all threads. */
uint32_t callers_row(struct ui *);
struct sums *callers_sums(struct ui *);
/* "all", "row", or a column to sort by; -1: it is said which there are. */
int callers_command(struct ui *, const char *word);
/* The i-th of these words; NULL: no more. */
const char *callers_word(const struct ui *, unsigned i);

#endif
