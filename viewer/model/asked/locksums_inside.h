/* Rows of locksums.c, by sort, lane, name and id; any number, none taken out.
 */
#ifndef VIEWER_LOCKSUMS_INSIDE_H
#define VIEWER_LOCKSUMS_INSIDE_H

#include "model/asked/locksums.h"

struct lock_rows {
	struct lock_sum *sum;
	size_t n, cap;
	uint32_t *slot, mask; /* sum + 1 */
	bool failed;          /* memory is out */
};

/* One of that sort, lane and name, of nothing yet. */
struct lock_sum lock_rows_key(unsigned sort, uint32_t lane, uint32_t name);
/* That of the same sort, lane, name and id; NULL: there is none. */
struct lock_sum *lock_rows_find(const struct lock_rows *,
    const struct lock_sum *key);
/* The same, made as the key is when it is new.  NULL: memory is out. */
struct lock_sum *lock_rows_of(struct lock_rows *, const struct lock_sum *key);
void lock_rows_empty(struct lock_rows *);
void lock_rows_free(struct lock_rows *);

#endif
