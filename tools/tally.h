/*
 * What a report says: figures of a run, added up event by event in order of
 * time.  Pure: definitions and events come in with the calls, the figures are
 * plain data.
 */
#ifndef TOOLS_TALLY_H
#define TOOLS_TALLY_H

#include "intmap.h"
#include "tracefile.h"

/* A process that has said something worth a figure. */
struct tally_po {
	uint32_t node, po;
};

struct tally_procedure {
	uint32_t name;
	uint64_t tasks, suspensions;
	int64_t run_ns;
};

/* A processing element. */
struct tally_pe {
	uint32_t po; /* index into pos */
	uint32_t pe;
	uint64_t tasks, resumed;
	int64_t run_ns;
};

/* Messages from one process to another. */
struct tally_pair {
	uint32_t from, to; /* indices into pos */
	uint64_t messages, bytes;
	int64_t way_ns; /* on the way, all together */
};

/* What a thread has spent in a kind of span; nested ones count once. */
struct tally_span {
	uint64_t count;
	int64_t total_ns;
	unsigned depth;
	int64_t since_mon_ns;
};

struct tally_thread {
	uint32_t location;
	uint64_t events;
	int64_t first_mon_ns, last_mon_ns;
	struct tally_span span[EVENT_SPANS];
};

/* Objects of a class. */
struct tally_class {
	uint32_t name; /* 0: not known */
	uint64_t created, departures, arrivals, disposed;
	int64_t way_ns;
};

/* Moves of objects from node to node. */
struct tally_way {
	uint32_t from, to; /* nodes */
	uint64_t moves;
};

/* What is missing, or not where it belongs. */
struct tally_faults {
	uint64_t lost, lost_by[LOST_REASONS];
	uint64_t late, orphans, shifted;
};

struct tally_tasks {
	uint64_t known, begun, ended;    /* known: spawned or begun unseen */
	uint64_t suspensions, suspended; /* how often; how many tasks */
	uint64_t *level;                 /* tasks by level, the root's is 0 */
	size_t levels;
};

struct tally {
	uint64_t events, by_class[EVENT_CLASSES];
	struct tally_faults faults;
	int64_t first_mon_ns, last_mon_ns; /* valid if events > 0 */

	struct tally_tasks tasks;
	struct tally_procedure *procedures; /* most tasks first, when sorted */
	size_t nprocedures;
	struct tally_pe *pes;
	size_t npes;

	uint64_t sent, received, unmatched, bytes;
	struct tally_pair *pairs;
	size_t npairs;

	uint64_t requests, orders, obeyed;
	struct tally_class *classes;
	size_t nclasses;
	struct tally_way *ways;
	size_t nways;

	struct tally_po *pos;
	size_t npos;
	struct tally_thread *threads; /* by name, when ended */
	size_t nthreads;

	struct tally_inside *inside;
};

/* defs: complete already, borrowed.  NULL with errno ENOMEM. */
struct tally *tally_new(const struct defs *);
void tally_free(struct tally *); /* NULL is fine */
/* About 50 ns and, for a task or message, some 50 bytes.  -1: ENOMEM. */
int tally_event(struct tally *, const struct event *);
/* Finds levels, closes what is open, sorts the tables.  -1: ENOMEM. */
int tally_end(struct tally *);

/* Sum over a table: of classes, all moves that have arrived, and so on. */
uint64_t tally_arrivals(const struct tally *);
uint64_t tally_departures(const struct tally *);
/* Messages between different nodes. */
uint64_t tally_between_nodes(const struct tally *);

#endif
