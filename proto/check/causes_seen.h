/*
 * validate.c's memory of causes that effects may come for, and of effects that
 * stand before all causes of theirs; see causes_seen.c.
 */
#ifndef PROTO_CAUSES_SEEN_H
#define PROTO_CAUSES_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cause {
	uint64_t a, b;
	int64_t t_mon_ns; /* this and what follows: validate_cause.c's */
	/*
	 * How many there have been; 0 causes: free.  Of those that stand before
	 * theirs: how many these are, and how many are marked as orphans.
	 */
	uint32_t causes, effects;
	uint32_t location, need; /* of one that stands before its causes */
};

struct causes_generation {
	struct cause *slot;
	size_t n, mask;
};

/* All zero is empty. */
struct causes_seen {
	struct causes_generation young, old;
	bool forgotten; /* some that still had something to expect */
};

void seen_clear(struct causes_seen *);
/* NULL when it is not there.  Valid until the next call. */
struct cause *seen_find(struct causes_seen *, uint64_t a, uint64_t b);
/* Finds or makes it; NULL: ENOMEM.  A new one has causes 0: set it. */
struct cause *seen_take(struct causes_seen *, uint64_t a, uint64_t b);
/* Forgets one that seen_find or seen_take has returned. */
void seen_remove(struct causes_seen *, struct cause *);

#endif
