/* What the parts of tally share; nobody else includes this. */
#ifndef TOOLS_TALLY_INSIDE_H
#define TOOLS_TALLY_INSIDE_H

#include <stdbool.h>

#include "tally.h"

/* Memory that is given back all at once. */
struct chunk {
	struct chunk *next;
	size_t used;
	_Alignas(16) char bytes[65536];
};

struct tally_inside {
	const struct defs *defs;
	struct chunk *chunks;
	/* by id, or by a key made of indices; to a struct, or an index + 1 */
	struct intmap tasks, messages, objects;
	struct intmap po, procedure, pe, pair, class, way, thread;
	size_t last_thread; /* index; events come in runs of one thread */
};

/* A zeroed thing with this id, new or old; NULL: ENOMEM. */
void *tally_thing(struct tally_inside *, struct intmap *, uint64_t id,
    size_t bytes, bool *fresh);
/*
 * The row of a table for a key, made and zeroed if need be.  rows points to
 * the table, n to its length.  NULL: ENOMEM.
 */
void *tally_row(struct intmap *, uint64_t key, void *rows, size_t *n,
    size_t bytes, bool *fresh);
uint64_t tally_key(uint32_t high, uint32_t low);
/* Index of the process of a location; -1: ENOMEM. */
int64_t tally_po(struct tally *, uint32_t location);
uint32_t tally_node(const struct tally *, uint32_t location);

/* Handlers of kinds of events; -1: ENOMEM. */
typedef int tally_handler(struct tally *, const struct event *);
tally_handler tally_spawn, tally_begin, tally_stop, tally_send, tally_receive,
    tally_request, tally_create, tally_order, tally_obey, tally_depart,
    tally_arrive, tally_dispose;
/* Counts tasks by level, when all are known. */
int tally_levels(struct tally *);

#endif
