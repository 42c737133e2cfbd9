/*
 * The clock connection: answers monitord's pings, as fast as it can, on a
 * socket of its own, since behind a batch a ping would wait for milliseconds.
 */
#ifndef COLLECTOR_CLOCKLINK_H
#define COLLECTOR_CLOCKLINK_H

#include "env.h"

struct clocklink;
/* address and name are kept, not copied; start and since: see hello. */
struct clocklink *clocklink_new(struct env *, const char *address,
    const char *name, uint64_t start, uint64_t since);
void clocklink_free(struct clocklink *); /* NULL is fine */
/* There is a monitord: try at once rather than when the pause is over. */
void clocklink_poke(struct clocklink *);

#endif
