/*
 * Memory that a reader may still be looking at.  The writer unhooks a piece,
 * retires it, and frees it when every reader who was inside has left: whoever
 * enters after that finds the new piece.
 *
 * Readers enter by one of two doors.  What was retired is freed when, since
 * then, nobody was seen inside behind the one and nobody behind the other; new
 * readers are sent to the door that has been found empty already, so that the
 * other one empties however many there are.
 */
#ifndef VIEWER_RETIRED_H
#define VIEWER_RETIRED_H

#include <stdatomic.h>
#include <stddef.h>

struct retired_list {
	void **pieces;
	size_t n, cap;
};

struct slab;

struct retired {
	_Atomic int inside[2]; /* readers, by door */
	_Atomic unsigned door; /* for who enters now */
	/* writer only */
	struct retired_list now, before; /* before: unhooked long enough */
	unsigned empty;                  /* doors seen empty since then */
	struct slab *slab;               /* whose blocks may be retired */
};

void retired_add(struct retired *, void *piece); /* takes it */
/* A block of the slab, which gets it back instead of being freed. */
void retired_add_block(struct retired *, void *block);
/* Writer, now and then: frees what nobody can be looking at any more. */
void retired_sweep(struct retired *);
void retired_clear(struct retired *);

/* Returns the door, for retired_leave(). */
static inline unsigned
retired_enter(struct retired *r)
{
	unsigned door = atomic_load(&r->door) & 1;

	atomic_fetch_add(&r->inside[door], 1);
	return (door);
}

static inline void
retired_leave(struct retired *r, unsigned door)
{
	atomic_fetch_sub(&r->inside[door], 1);
}

#endif
