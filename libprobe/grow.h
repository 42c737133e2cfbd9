/* A ring that is full goes on in four times the memory; see ring.h. */
#ifndef LIBPROBE_GROW_H
#define LIBPROBE_GROW_H

#include "internal.h"

/* It has not got its full size yet, and there is memory for more. */
bool grow_may(const struct thread *);

/*
 * The next event is the first of the next generation, if there is one.  Only
 * when the ring has been found full.
 */
void grow(struct thread *);
/* Ends what an event has begun that was interrupted: before a limit is raised.
 */
void grow_finish(struct thread *);

#endif
