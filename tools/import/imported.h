/*
 * What an import makes, in memory: places, names and events; and its order,
 * which is one of causes before effects.
 *
 * Memory: 64 bytes an event, about 60 a message or task.
 */
#ifndef TOOLS_IMPORT_IMPORTED_H
#define TOOLS_IMPORT_IMPORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

#ifdef ORRERY_SMALL /* for fuzzing */
#define IMPORTED_PLACES_MAX 256
#else
#define IMPORTED_PLACES_MAX ((uint32_t)1 << 20)
#endif

struct imported_span {
	uint64_t a;
	uint16_t kind;
};

/* A node with one process of one thread; its location is its index + 1. */
struct imported_place {
	int64_t number;
	int64_t last_ns; /* of its records */
	uint64_t last_line;
	uint64_t next_seq;
	struct event held; /* until its next record; kind 0: none */
	struct imported_open {
		struct imported_span *at; /* the innermost last */
		size_t n, cap;
	} open[EVENT_SPANS];
};

/* A channel of messages, or what has an id: up to three values. */
struct imported_tuple {
	int64_t value[3];
	uint32_t space;
	uint32_t puts, takes;
	uint32_t place; /* where it is; with noted */
	int64_t t_ns;
	bool noted;
};

struct imported_index {
	uint32_t *slot; /* number + 1; 0: free */
	size_t n, mask;
};

struct imported {
	struct event *events; /* t_node_ns, location, kind, words */
	size_t n, cap;
	struct imported_place *places;
	uint32_t nplaces, places_cap;
	char **names; /* names[0] is number 1 */
	uint32_t nnames, names_cap;
	struct imported_tuple *tuples;
	uint32_t ntuples, tuples_cap;
	struct imported_index by_place, by_name, by_tuple;
	int64_t unit_ns; /* of its times: the finest */
	/* by imported_each() */
	uint64_t orphans, shifted, unpaired;
};

struct imported *imported_new(void); /* NULL: ENOMEM */
void imported_free(struct imported *);
/*
 * Numbers, made when they are new.  -1: ENOMEM, of places also EOVERFLOW.
 * Pointers to places and tuples hold until the next one is made.
 */
int64_t imported_place(struct imported *, int64_t number);
int64_t imported_name(struct imported *, const char *text, size_t n);
int64_t imported_tuple(struct imported *, uint32_t space,
    const int64_t value[3]);
/* Takes t_node_ns, location, kind and words.  -1: ENOMEM. */
int imported_add(struct imported *, const struct event *);

/*
 * All events in order of time, effects behind their causes: one that came too
 * early by its time is moved, as the monitor does, and flagged so, and what
 * its place does afterwards with it.  An effect whose cause is not there is an
 * orphan; causes that wait for each other in a circle are left without a
 * partner.  Events are used up.  -1: ENOMEM; or what cb returned, if not 0.
 */
int imported_each(struct imported *, int (*cb)(void *, const struct event *),
    void *arg);

/*
 * An event of a place: what it opens or closes.  One that ends another thing
 * than what is open names none from here on (word a is 0).  -1: ENOMEM.
 */
int ends_close(struct imported_place *, struct event *,
    const struct event_desc *);

#endif
