/*
 * Call paths of an interval: which procedure ran within which, how often and
 * how long, added up over threads.  Made from the lanes when it is asked for,
 * in parts, so that whoever draws in between is not held up; nothing of it is
 * kept up while events come in.
 *
 * All calls by one thread; the model may grow meanwhile.
 */
#ifndef VIEWER_CALLS_H
#define VIEWER_CALLS_H

#include <stdbool.h>

#include "model/run/run.h"

#define CALL_NONE UINT32_MAX

/* A path: a procedure as it was called from its parent. */
struct call {
	uint32_t parent; /* number of the path; CALL_NONE: outermost */
	uint32_t name;
	uint8_t kind;       /* enum event_span: task call block serve phase */
	bool again;         /* the same is further out, too */
	uint32_t function;  /* of model_name_stats(), from 1; 0: none */
	uint32_t other;     /* the nearest further out that is another */
	uint32_t threads;   /* how many have been there */
	uint32_t lane;      /* the thread that was there longest */
	uint64_t calls;     /* begun in the interval */
	int64_t total_ns;   /* from begin to end, as far as in the interval */
	int64_t self_ns;    /* of that not in a path below */
	int64_t blocked_ns; /* of that in waits, not of paths below */
	int64_t longest_ns; /* of one call, as far as in the interval */
	/* of one in it that is over; INT64_MAX: none is */
	int64_t shortest_ns;
	int64_t cpu_ns;     /* of total_ns, with a processor */
	bool cpu_unknown;   /* of some of it nobody has told that */
	int64_t first_ns, last_ns; /* monitor ns: first begin, last end */
	int64_t lane_ns;           /* of that thread */
};

struct calls;

struct calls *calls_new(void);
void calls_free(struct calls *); /* NULL is fine */

/*
 * Begins anew: [t0, t1) of a thread, of all below a PO or node or in a group, or
 * of all (UINT32_MAX).
 */
void calls_begin(struct calls *, const struct model *, int64_t t0, int64_t t1,
    uint32_t lane);
/*
 * Adds up one more part, about 4096 changes of one thread (some 0.2 ms); true
 * when there is none left, or memory is out.
 */
bool calls_step(struct calls *);
/* Who answers for [t0, t1): another one may know more, so ask again. */
const void *calls_source(const struct model *, int64_t t0, int64_t t1);
double calls_done(const struct calls *); /* about, 0 to 1 */
/* All of it is exact: nothing that was given up would be needed. */
bool calls_exact(const struct calls *);

/* So far; parents come before their children.  Until the next call. */
size_t calls_paths(const struct calls *, const struct call **);
/*
 * By kind and name, as model_name_stats() has it for the whole run, in the same
 * order; calls are those begun in the interval.  At most max are written,
 * returns how many there are.
 */
size_t calls_names(const struct calls *, struct name_stats *, size_t max);
/*
 * How long the outermost calls of a function took that begin and end in the
 * interval; what was suspended meanwhile is several.  NULL: there are none.
 */
const struct durations *calls_durations(const struct calls *, uint32_t number);

#endif
