/*
 * Calls between their first event and their last, by their ids: what is needed
 * of one when it comes back.  Any order; no time passes in here.
 */
#ifndef VIEWER_UNDERWAY_H
#define VIEWER_UNDERWAY_H

#include <stdbool.h>
#include <stdint.h>

struct underway_call {
	uint64_t id;
	int64_t call_ns, begin_ns; /* begin INT64_MIN: nobody knows */
	int64_t end_ns, return_ns; /* INT64_MIN: not asked for */
	uint32_t from, to;
	bool used; /* the place is taken */
};

/* All 0: none. */
struct underway {
	struct underway_call *call;
	uint32_t n, mask;
};

struct underway_call *underway_find(struct underway *, uint64_t id);
/* Copies it; one of this id is replaced.  -1: ENOMEM. */
int underway_add(struct underway *, const struct underway_call *);
void underway_drop(struct underway *, struct underway_call *);
void underway_clear(struct underway *);

#endif
