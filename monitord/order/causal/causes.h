/*
 * What has been caused and what is waited for: a table from the key that pairs
 * a cause with its effects to the cause's time, or to those who wait for it.
 *
 * It is bounded.  There are two generations; when the young one is full the
 * old one is forgotten, but for what is waited for.  What was forgotten leaves
 * a trace (half of its id, and the newest time of all), so that its effect is
 * not taken for an orphan.  The last CAUSES_TRACES generations do, at least;
 * the effect of an older one is marked as an orphan, which is put right when
 * the run is finished.  The other way round it would not be.
 */
#ifndef MONITORD_CAUSES_H
#define MONITORD_CAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

#define CAUSE_NODE_NONE UINT32_MAX /* several nodes, or not known */
#define CAUSE_LANE_NONE UINT32_MAX

struct cause {
	uint64_t id;      /* 0: free */
	int64_t t_mon_ns; /* corrected; the latest, if there are several */
	uint32_t node;
	uint32_t known;  /* causes seen; 0: only waited for */
	uint32_t waiter; /* first waiting lane, or CAUSE_LANE_NONE */
	union {
		uint32_t
		    shift_ns;     /* t_mon_ns less the mapped time; saturates */
		uint32_t missing; /* of orphans: causes that they lack */
	};
};

struct cause_table {
	struct cause *slot;
	size_t size, n; /* size: a power of two, or 0 */
};

/* Open addressing by the lower half of the id; 0: free. */
#define CAUSES_TRACES 16u
struct cause_trace {
	uint32_t *upper;
	size_t size, n;
};

struct causes {
	struct cause_table young, old;
	size_t max;  /* of one generation */
	bool traced; /* of what is forgotten there shall be a trace */
	struct cause_trace trace[CAUSES_TRACES];
	unsigned traces;      /* made so far */
	int64_t forgotten_ns; /* newest time of what was forgotten */
	uint64_t forgotten_n;
};

void causes_init(struct causes *, size_t max);
/* Room for the first ones, so that no lack of memory can forget them.  -1:
 * ENOMEM. */
int causes_begin(struct causes *);
void causes_clear(struct causes *);

/*
 * What pairs this event with its partner: a hash of the cause's kind and the
 * key; 0 when it pairs with nothing.
 */
uint64_t causes_id(const struct event_desc *, const struct event *);

/* The oldest entry of this id, or NULL.  Valid until the next add or remove. */
struct cause *causes_find(struct causes *, uint64_t id);
/* One more entry, behind others of its id; t is used by nobody yet.  NULL
 * with ENOMEM. */
struct cause *causes_add(struct causes *, uint64_t id);
void causes_remove(struct causes *, struct cause *);
/*
 * True of one that never was once in many millions of times, false of one that
 * was when so many have been forgotten since.
 */
bool causes_forgotten(const struct causes *, uint64_t id);
/* Brings near where this id would be. */
static inline void
causes_fetch(const struct causes *c, uint64_t id)
{
	if (c->young.size > 0)
		__builtin_prefetch(&c->young.slot[id & (c->young.size - 1)], 1);
}
size_t causes_bytes(const struct causes *); /* of the system */
size_t causes_count(const struct causes *);

#endif
