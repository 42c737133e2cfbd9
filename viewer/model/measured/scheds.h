/*
 * What the scheduler did with threads: when each was running, ready or blocked,
 * where that was recorded (collector(8), --sched).  Numbers are dense, in the
 * order in which threads were first told of.
 */
#ifndef VIEWER_SCHEDS_H
#define VIEWER_SCHEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

enum sched_state {
	SCHED_NONE, /* not there yet, or no more, or not known */
	SCHED_RUNNING,
	SCHED_READY, /* preempted, or made and not run yet */
	SCHED_BLOCKED,
	SCHED_STATES
};

struct sched_thread {
	uint32_t tid, po_lane;
	uint32_t lane; /* of the thread; UINT32_MAX: it has told nothing */
};

struct series_reader;

uint32_t model_scheds(const struct model *);
/* False: there is no such. */
bool model_sched(const struct model *, uint32_t i, struct sched_thread *);
/* Of a thread's lane; UINT32_MAX: it was not recorded. */
uint32_t model_sched_of(const struct model *, uint32_t lane);

/* Was it there in [t0, t1), for however short a time? */
bool model_sched_there(const struct model *, uint32_t i, int64_t t0,
    int64_t t1);

/* How long it had been in each state up to an instant. */
struct sched_then {
	int64_t in_ns[SCHED_STATES];
	uint8_t state; /* enum sched_state, from then on */
};
/*
 * At n instants, best in order: what lies between two of them is their
 * difference.  Exact whatever was given up.
 */
void model_sched_then(const struct model *, uint32_t i, const int64_t *t_mon_ns,
    size_t n, struct sched_then *);

/* On which processor a thread was, and how often that was another one. */
#define SCHED_NO_CPU UINT32_MAX
struct sched_on {
	uint32_t cpu;   /* it has it, or had it last; SCHED_NO_CPU: none yet */
	uint32_t moves; /* up to then and at it */
	int64_t until_mon_ns; /* the next one; INT64_MAX: not so far */
};
void model_sched_on(const struct model *, uint32_t i, int64_t t_mon_ns,
    struct sched_on *);

/* The one that it came to with a move, of so many, from 1 on. */
uint32_t model_sched_moved(const struct model *, uint32_t i, uint32_t move);

/* How long a lane's thread had had a processor by then; -1: nobody knows. */
int64_t cpu_then(const struct model *, uint32_t lane, struct series_reader *,
    int64_t t_mon_ns);

/*
 * How often a thread was in each state from t0 on, and how long each time, as
 * far as it is known: until at.  Zero but for t0 and at, which are the same, at
 * first.
 */
struct sched_stays {
	int64_t t0_mon_ns, at_mon_ns;
	struct sched_stay {
		uint64_t n;
		int64_t min_ns, max_ns;
	} over[SCHED_STATES];
	int64_t since_mon_ns; /* of the one that goes on */
	uint8_t state;        /* enum sched_state */
};
/* Goes on, some thousand changes; true: until t1, or the thread's end. */
bool model_sched_stays(const struct model *, uint32_t i, int64_t t1_mon_ns,
    struct sched_stays *);
/* With the one that goes on, as far as it has. */
struct sched_stay sched_stays_in(const struct sched_stays *, enum sched_state);

#endif
