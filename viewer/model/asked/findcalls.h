/*
 * Calls of some names, of some length, on some threads, in a range of time: how
 * many, how long, and the longest one by one.  They are looked for in the rows
 * of the threads' depths when it is asked, in parts, so that whoever draws in
 * between is not held up.
 *
 * All calls by one thread; the model may grow meanwhile: what it has then may
 * be found or not.
 */
#ifndef VIEWER_FINDCALLS_H
#define VIEWER_FINDCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/keep/durations.h"

#define FOUND_MOST 10000 /* that are kept one by one, the longest */

struct model;

/*
 * One call, or wait.  It is as long as it took, of a task without what it was
 * suspended; one that was not over at head_ns has lasted until then.
 */
struct found_call {
	int64_t t0_mon_ns, t1_mon_ns, ns;
	uint32_t lane; /* of the thread */
	uint32_t row;  /* of its depth, or the thread's */
	uint32_t name;
	uint8_t kind; /* enum event_span */
	uint8_t class;
	bool open;   /* it goes on */
	uint64_t id; /* as of a span in its row */
	uint32_t nth;
};

/* What is looked for.  Names and lanes are copied. */
struct find_ask {
	const uint8_t *name; /* by number: 1, it is meant */
	uint32_t nnames;
	const uint8_t *lane; /* of a thread: 1; NULL: all are meant */
	uint32_t nlanes;
	unsigned kinds;            /* 1 << enum event_span */
	int64_t least_ns, most_ns; /* both included */
	int64_t t0, t1;            /* they begin in [t0, t1) */
	int64_t head_ns;           /* the run is as it was then */
	bool now; /* [t0, t1) is all of the run, and head_ns the last event */
	/* only so many, the slowest: count and sum are of them; 0: all */
	uint32_t slowest;
};

struct find_calls;

struct find_calls *find_new(void);   /* NULL: ENOMEM */
void find_free(struct find_calls *); /* NULL is fine */
/* Begins anew.  -1: ENOMEM. */
int find_begin(struct find_calls *, const struct model *,
    const struct find_ask *);
/* About 4096 pieces of a row more; true: all is done, or memory is out. */
bool find_step(struct find_calls *);
double find_done(const struct find_calls *); /* about, 0 to 1 */

/* So far; what was given up for want of memory is not in it: then false. */
bool find_exact(const struct find_calls *);
uint64_t find_count(const struct find_calls *);
int64_t find_sum_ns(const struct find_calls *);
/* From the first begin to the last end of them, one that goes on until it was
 * asked; of the slowest alone, and of none, both are 0. */
struct found_life {
	int64_t first_mon_ns, last_mon_ns;
	uint64_t open; /* so many go on */
};
struct found_life find_life(const struct find_calls *);
/* Pieces that were looked at one by one; others cannot be long enough. */
uint64_t find_looked(const struct find_calls *);
const struct durations *find_durations(const struct find_calls *);
/*
 * How long the ceil(n mille / 1000)-th shortest took, mille from 1 to 1000;
 * exact if there are at most FOUND_MOST, else up to 3.1 % more.  When it is
 * done.
 */
int64_t find_quantile(const struct find_calls *, unsigned mille);
/* The longest first, of equal ones the earliest; complete when it is done. */
size_t find_list(const struct find_calls *, const struct found_call **);
/*
 * The longest of those that have been found so far, at most max, the longest
 * first; returns how many, 0 without memory.  O(FOUND_MOST log FOUND_MOST).
 */
size_t find_so_far(const struct find_calls *, struct found_call *, size_t max);

#endif
