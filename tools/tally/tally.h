/*
 * What a report says: figures of a run, added up event by event in order of
 * time.  Pure: definitions and events come in with the calls, the figures are
 * plain data.
 */
#ifndef TOOLS_TALLY_H
#define TOOLS_TALLY_H

#include <stdbool.h>

#include "intmap.h"
#include "log/tracefile.h"

/* A process that has said something worth a figure. */
struct tally_po {
	uint32_t node, po;
	bool ended;
	int64_t end_mon_ns;
	int64_t sched_mon_ns; /* its switches are told from then on */
	uint32_t sched_way;   /* the name of how they are known */
	uint64_t allocations, frees, live_bytes, peak_bytes;
	/* by its threads' sums, as given; a thread may free another's */
	int64_t heap_bytes, heap_peak_bytes;
};

/* How long it took each time; shortest first, when ended. */
struct tally_times {
	size_t n;
	int64_t *each_ns;
	uint64_t total_ns;
};

/*
 * A function of a program, or a phase or the like (span says which); of the
 * waits those in calls of the system, which have no more than times.  A call
 * within a call of the same function on the same thread counts as a call, its
 * time is in that of the outer one, and only outer ones are in times.  What is
 * open in a task that is suspended stands still until the task goes on,
 * wherever that is.
 */
struct tally_function {
	uint32_t name, program; /* index into programs */
	uint8_t span;
	uint64_t calls;
	uint32_t row;     /* for sorting */
	uint64_t self_ns; /* nothing was open within it */
	/* of both, with a processor; as far as that is known */
	uint64_t cpu_ns, self_cpu_ns;
	bool cpu_unknown; /* of some of its calls */
	struct tally_times times;
};

/*
 * A line of the program from which a function is called; of what is not known
 * all of a function is one.
 */
struct tally_site {
	uint32_t name, program; /* that is called; index into programs */
	uint32_t place;         /* name of the line; 0: not known */
	uint32_t po;            /* index into pos, of its first call */
	uint64_t address;       /* behind the call */
	uint64_t calls;
};

enum tally_lock_sort {
	TALLY_LOCK,
	TALLY_CONDITION,
	TALLY_SEMAPHORE
};

struct tally_use;
/*
 * A lock, condition or semaphore; id 0: several that were not told apart.
 * Contended: it had to be waited for.
 */
struct tally_lock {
	uint64_t id;
	uint32_t name;
	enum tally_lock_sort sort;
	uint64_t acquisitions, contended;
	uint64_t signals; /* of a condition; of a semaphore: posts */
	uint64_t wait_ns, longest_wait_ns, hold_ns, longest_hold_ns;
	uint32_t waiting, held;  /* at the end, by so many threads */
	uint32_t holder;         /* location that held it longest */
	int64_t holder_mon_ns;   /* since when */
	struct tally_use *holds; /* while it is added up: who does, in turn */
	uint32_t holder_in;      /* its function, index + 1; 0: none */
};

/* Remote calls of a procedure. */
struct tally_rpc {
	uint32_t name;
	uint64_t calls, served, returned;
	uint64_t sent_bytes, answered_bytes;
	uint64_t service_ns;      /* from begin to end at the callee */
	struct tally_times times; /* from call to return at the caller */
};

/* Memory given out at a place of a program. */
struct tally_place {
	uint32_t name, program;
	uint64_t allocations, bytes, frees, freed_bytes;
};

struct tally_memory {
	uint64_t allocations, bytes, frees, freed_bytes;
	uint64_t given_bytes;   /* at least as many as were asked for */
	uint64_t unknown_frees; /* of what was not seen to be given out */
	uint64_t null_frees, freed_elsewhere;
};

/* What a thread was given at a place and nobody has freed. */
struct tally_left {
	uint32_t location;
	uint32_t place; /* an index; when ended, its name */
	uint32_t program;
	uint64_t pieces, bytes, given_bytes;
};

/* Frees of NULL. */
struct tally_null {
	uint32_t location, name;
	uint64_t frees;
};

/* What one thread was given and another has freed. */
struct tally_handed {
	uint32_t from, to; /* locations */
	uint64_t pieces, bytes;
};

/* Sums as a thread has told them, the last ones. */
struct tally_heap {
	uint32_t location;
	uint64_t pieces, asked_bytes, given_bytes;
	uint64_t freed, freed_bytes, null_frees;
	uint64_t mapped_bytes, unmapped_bytes;
};

/* Pieces that were picked by chance, and what they stand for. */
struct tally_picked {
	uint32_t name, program;
	uint64_t picked, freed;
	double pieces, bytes, live_bytes;
};

/* A counter of a thread, a process or a node (measure: enum measure). */
struct tally_counter {
	uint32_t name, location; /* that told it first */
	uint8_t measure;
	bool real; /* values are the bits of doubles */
	uint64_t values, last, min, max;
	int64_t first_mon_ns, last_mon_ns;
	double area, mean; /* value times ns; by how long each held */
};

/* What a field of a declared kind was in its events, as its type says. */
struct tally_own_field {
	uint64_t known;         /* in so many it was not lost */
	uint64_t sum, min, max; /* of a real the bits of a double; of names 0 */
	bool over;              /* the sum is more than 64 bits: about is not */
	double about;
};

/* Events of a kind that a program has declared (own.h). */
struct tally_own {
	uint32_t name;
	const struct own_kind *kind;
	uint64_t events;
	struct tally_own_field field[OWN_FIELDS];
};

enum tally_sched_state {
	TALLY_RUNNING,
	TALLY_READY,   /* preempted, or made and not run yet */
	TALLY_BLOCKED, /* and woken, but not run yet */
	TALLY_SCHED_STATES
};

/* What the scheduler did with a thread of a process. */
struct tally_sched {
	uint32_t po; /* index into pos */
	uint32_t tid;
	bool gone;
	uint8_t state; /* enum tally_sched_state, since then */
	int64_t since_mon_ns, first_mon_ns, last_mon_ns;
	uint64_t in_ns[TALLY_SCHED_STATES];
	uint64_t switches, preempted;
	uint64_t cpu, moves; /* where it was last; how often that changed */
	bool cpu_known;
};

/*
 * Where threads of a program were found by a sampler: in a function that is
 * called so, in that file of code; or in one of which no symbol is known, which
 * is then called by its file, in brackets.  Total is also what it called.
 */
struct tally_sampled {
	const char *function, *code; /* borrowed of the definitions, or ours */
	uint32_t program;            /* index into programs */
	uint32_t name;               /* of the first place that was seen */
	uint64_t samples, self_ns;
	uint64_t in_samples, total_ns;
	uint64_t last; /* sample that has counted */
};

/* How a process was sampled. */
struct tally_sampling {
	uint32_t po; /* index into pos */
	uint32_t way;
	uint64_t rate_hz; /* at last that was not 0 */
	bool kernel;
	uint64_t samples, unknown, cpu_ns;
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
	uint32_t name;    /* that it was begun with; 0: none */
	uint32_t renamed; /* as it was called last; 0: as at first */
	uint32_t program; /* index into programs */
	uint64_t events;
	bool ended;
	int64_t end_mon_ns;
	struct tally_stack *stack; /* what is open */
	struct tally_use *uses;    /* of locks */
	uint32_t waits_in;         /* call of the system, index + 1; 0: none */
	int64_t waits_since_mon_ns;
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

	const char **programs; /* "" is one, too */
	size_t nprograms;
	struct tally_function *functions; /* longest first, when ended */
	size_t nfunctions;
	struct tally_site *sites; /* most calls first, when ended */
	size_t nsites;
	struct tally_lock *locks; /* most waited for first */
	size_t nlocks;
	struct tally_rpc *rpcs; /* longest first */
	size_t nrpcs;
	struct tally_counter *counters; /* as they were told first */
	size_t ncounters;
	struct tally_own *owns; /* as they were told first */
	size_t nowns;
	struct tally_sched *scheds; /* as they were told of first */
	size_t nscheds;
	struct tally_sampled *sampled; /* most self time first */
	size_t nsampled;
	struct tally_sampling *samplings;
	size_t nsamplings;
	struct tally_memory memory;
	struct tally_place *places; /* most bytes first */
	size_t nplaces;
	struct tally_left *left; /* most bytes first; some have none */
	size_t nleft;
	struct tally_null *nulls;
	size_t nnulls;
	struct tally_handed *handed;
	size_t nhanded;
	struct tally_heap *heaps;
	size_t nheaps;
	struct tally_picked *picked;
	size_t npicked;

	struct tally_po *pos;
	size_t npos;
	struct tally_thread *threads; /* by name, when ended */
	size_t nthreads;

	struct tally_inside *inside;
};

/* defs: complete already, borrowed.  NULL with errno ENOMEM. */
struct tally *tally_new(const struct defs *);
void tally_free(struct tally *); /* NULL is fine */
/*
 * About 50 ns and, for a task, message, remote call or piece of memory, some
 * 50 bytes, for a call 8 to 16.  -1: ENOMEM.
 */
int tally_event(struct tally *, const struct event *);
/* Finds levels, closes what is open, sorts the tables.  -1: ENOMEM. */
int tally_end(struct tally *);

/* Sum over a table: of classes, all moves that have arrived, and so on. */
uint64_t tally_arrivals(const struct tally *);
uint64_t tally_departures(const struct tally *);
/* The shortest time that so many percent did not exceed; 0 when there is none.
 */
int64_t tally_percentile(const struct tally_times *, unsigned percent);
/* Messages between different nodes. */
uint64_t tally_between_nodes(const struct tally *);

/* It has ended, or its process has. */
bool tally_thread_ended(const struct tally *, const struct tally_thread *);

#endif
