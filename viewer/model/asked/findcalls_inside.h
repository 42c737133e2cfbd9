/* Shared by the files that look for calls. */
#ifndef VIEWER_FINDCALLS_INSIDE_H
#define VIEWER_FINDCALLS_INSIDE_H

#include "model/asked/findcalls.h"
#include "model/asked/spanrow.h"

struct find_calls {
	struct span_source source;
	struct find_ask ask;
	uint8_t *name, *lane;
	/* where we are: thread, and the row in it */
	uint32_t at, lanes;
	bool in_thread, in_row, done, failed, about;
	bool jumps;       /* some can be left out */
	bool moved;       /* this thread's spans are in other rows, too */
	int64_t since_ns; /* what has begun before is done with */
	struct span_row row;
	uint32_t work;
	uint64_t looked;
	/* what there is */
	uint64_t n;
	int64_t sum_ns;
	struct found_life life;
	struct durations all;
	_Atomic uint64_t bytes;
	struct found_call *heap;
	size_t nheap, limit;
	bool
	    kept; /* the slowest are known; of rows only what is open is read */
};

/* It begins one that is looked for. */
bool find_is_meant(const struct find_calls *, const struct lod_state *);
/* What the piece at which the row is begins; end_ns INT64_MAX: it goes on. */
void find_took(struct find_calls *, const struct lod_state *, int64_t end_ns);

/* findkeep.c: if it is among the longest; longest first */
void find_keep(struct find_calls *, const struct found_call *);
void find_sort(struct find_calls *);

/* findslow.c: the model answers for what is over; it is in the heap then. */
bool find_kept(struct find_calls *);
void find_rows(struct find_calls *); /* of those in the heap */
/* What the row is in just now. */
void find_open(struct find_calls *);

#endif
