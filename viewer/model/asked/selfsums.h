/*
 * How long each thread was in each function itself, without what that called
 * and without waits, in a range of time.  Looked for in the threads' rows when
 * it is asked, in parts.
 *
 * All calls by one thread; the model may grow meanwhile.
 */
#ifndef VIEWER_SELFSUMS_H
#define VIEWER_SELFSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct self_sums;

struct self_sum {
	uint32_t lane; /* of the thread */
	uint32_t name;
	uint8_t kind; /* enum event_span */
	int64_t ns;
};

struct self_sums *self_sums_new(void);   /* NULL: ENOMEM */
void self_sums_free(struct self_sums *); /* NULL is fine */
void self_sums_begin(struct self_sums *, const struct model *, int64_t t0,
    int64_t t1);
/* About 4096 pieces more; true: all is done, or memory is out. */
bool self_sums_step(struct self_sums *);
/* False: some was given up for want of memory. */
bool self_sums_exact(const struct self_sums *);
/* By lane; when it is done. */
size_t self_sums_list(const struct self_sums *, const struct self_sum **);

#endif
