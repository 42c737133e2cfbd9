/*
 * Memory that a reader may still be looking at.  The writer unhooks a piece,
 * retires it, and frees it at a later moment at which no reader is inside:
 * whoever enters after that finds the new piece.
 */
#ifndef VIEWER_RETIRED_H
#define VIEWER_RETIRED_H

#include <stdatomic.h>
#include <stddef.h>

struct retired {
	_Atomic int readers; /* inside now */
	void **pieces;
	size_t n, cap;
};

void retired_add(struct retired *, void *piece); /* takes it */
/* Writer, now and then: frees if nobody is inside. */
void retired_sweep(struct retired *);
void retired_clear(struct retired *);

static inline void
retired_enter(struct retired *r)
{
	atomic_fetch_add(&r->readers, 1);
}

static inline void
retired_leave(struct retired *r)
{
	atomic_fetch_sub(&r->readers, 1);
}

#endif
