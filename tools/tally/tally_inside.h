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

/* Whose counters are: see tally_counter.c. */
struct tally_owner {
	uint32_t unused;
};

struct tally_inside {
	const struct defs *defs;
	struct chunk *chunks;
	/* by id, or by a key made of indices; to a struct, or an index + 1 */
	struct intmap tasks, messages, objects;
	struct intmap po, procedure, pe, pair, class, way, thread;
	struct intmap program, function, lock, rpc, place;
	struct intmap callee, address, site; /* tally_site.c */
	uint32_t ncallees, naddresses;
	struct intmap open;    /* of a function on a thread */
	struct intmap shelved; /* of a suspended task: what is open in it */
	struct intmap uses;    /* of a lock by a thread */
	struct intmap calls;   /* remote ones, by id */
	struct intmap memory;  /* by process: maps by address */
	struct intmap owner, counter, sched;
	struct tally_owner *owners;
	size_t nowners;
	struct intmap samples; /* the same */
	struct intmap stack, sampled, sampling, places_of;
	struct intmap left, null, handed, heap, picked;
	struct own *own; /* puts events of declared kinds together */
	struct intmap owns;
	struct scope *spare;
	size_t last_thread; /* index; events come in runs of one thread */
};

/* Every table that is found by a key, for who frees them. */
#define TALLY_MAPS(in)                                                         \
	&(in)->tasks, &(in)->messages, &(in)->objects, &(in)->po,              \
	    &(in)->procedure, &(in)->pe, &(in)->pair, &(in)->class,            \
	    &(in)->way, &(in)->thread, &(in)->program, &(in)->function,        \
	    &(in)->lock, &(in)->rpc, &(in)->place, &(in)->open,                \
	    &(in)->shelved, &(in)->uses, &(in)->calls, &(in)->memory,          \
	    &(in)->owner, &(in)->counter, &(in)->sched, &(in)->left,           \
	    &(in)->null, &(in)->handed, &(in)->heap, &(in)->picked,            \
	    &(in)->samples, &(in)->stack, &(in)->sampled, &(in)->sampling,     \
	    &(in)->places_of, &(in)->owns, &(in)->callee, &(in)->address,      \
	    &(in)->site

/* Zeroed, until all is given back; NULL: ENOMEM. */
void *tally_space(struct tally_inside *, size_t bytes);
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
/* Index of the program of a location; -1: ENOMEM. */
int64_t tally_program(struct tally *, uint32_t location);

/* -1: ENOMEM. */
int tally_times_add(struct tally_times *, int64_t ns);
void tally_times_sort(struct tally_times *);
/* From one time to another, never negative. */
uint64_t tally_span_ns(int64_t from_mon_ns, int64_t to_mon_ns);

/* The thread whose event is being counted; what it is in. */
struct tally_thread *tally_this(struct tally *);
/*
 * tally_sched.c: how long a thread has had a processor, in all, at this time;
 * -1: that is not known.
 */
int64_t tally_cpu_ns(const struct tally *, const struct tally_thread *,
    int64_t t_mon_ns);
/* A span that is no wait begins or ends.  -1: ENOMEM. */
int tally_scope(struct tally *, struct tally_thread *,
    const struct event_desc *, const struct event *);
/*
 * Records of it are missing since its last event: tasks and waits are taken to
 * have ended then, of calls ends that are missing will not come.  -1: ENOMEM.
 */
int tally_scope_lost(struct tally *, struct tally_thread *);
/* The innermost function, index + 1; 0: none. */
uint32_t tally_scope_function(const struct tally_thread *);
/* Closes all that is open, when the thread has ended.  -1: ENOMEM. */
int tally_scope_end(struct tally *, struct tally_thread *, int64_t end_mon_ns);
int tally_shelves_end(struct tally *); /* the same of tasks */
/* When a thread or its process, or the run, has ended. */
int64_t tally_thread_end(const struct tally *, const struct tally_thread *);
void tally_locks_end(struct tally *);
/* tally_lock.c: what the thread waits for, or holds, it does no longer */
void tally_locks_lost(struct tally *, const struct tally_thread *);
void tally_counters_end(struct tally *);
void tally_scheds_end(struct tally *);
void tally_memory_free(struct tally *);
void tally_memory_sort(struct tally *);
void tally_sampled_sort(struct tally *);
int tally_sites_end(struct tally *); /* lines of them.  -1: ENOMEM */
/*
 * tally_heap.c: a piece that was picked is freed; 1: it was one, 0: it was not.
 * -1: ENOMEM.
 */
int tally_picked_free(struct tally *, const struct event *, int64_t po);

/* Handlers of kinds of events; -1: ENOMEM. */
typedef int tally_handler(struct tally *, const struct event *);

/* tally_scope.c: waits in calls of the system; streams that are given up */
/* Of a declared kind, and what comes between its parts. */
tally_handler tally_own, tally_enter;
tally_handler tally_waits, tally_waited, tally_gap;
tally_handler tally_spawn, tally_begin, tally_stop, tally_send, tally_receive,
    tally_request, tally_create, tally_order, tally_obey, tally_depart,
    tally_arrive, tally_dispose, tally_lock_wait, tally_lock_acquire,
    tally_lock_release, tally_lock_counted, tally_lock_signal,
    tally_lock_giveup, tally_lock_untold, tally_rpc_call, tally_rpc_begin,
    tally_rpc_end, tally_rpc_return, tally_mem_alloc, tally_mem_free,
    tally_counter, tally_sched, tally_mem_given, tally_mem_sample,
    tally_heap_made, tally_heap_asked, tally_heap_freed, tally_heap_mapped,
    tally_sample_from, tally_sample_stack, tally_sample_found;
/* Counts tasks by level, when all are known. */
int tally_levels(struct tally *);

#endif
