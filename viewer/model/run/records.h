/*
 * What the lists of the run's part of a model are made of: a thread, a lane, an
 * object, a name, ...; see part.h, which has the lists.
 */
#ifndef VIEWER_RUN_RECORDS_H
#define VIEWER_RUN_RECORDS_H

#include "event.h"
#include "model/keep/chunk.h"
#include "model/keep/durations.h"
#include "model/keep/slowest.h"
#include "model/lod/lod.h"
#include "model/run/run.h"
#include "model/run/talksums.h"

#define NODES_MAX        65535u
#define NODES_RANKED     1024 /* more have their number instead */
#define NODES_LACKING    1024 /* definitions that a log may lack */
#define DEPTH_LANES      LANE_DEPTHS_DRAWN
#define DEPTH_DEEP       8     /* these are used seldom */
#define DEPTH_MAX        65535 /* deeper spans are not known */
#define STACK_MAX        (DEPTH_MAX + DEPTH_LANES) /* with waits */
#define LOCK_LANES_MAX   4096 /* and conditions, semaphores, ... */
#define LOCK_HOLDERS_MAX 64   /* of a lock at once, each with a lane */
#define OBJECT_COLOURS   (LANE_CLASSES - LANE_OBJECT_NODE)

struct function;

/* A span that a thread is in. */
struct slot {
	uint64_t id;      /* word a of its begin */
	int64_t t0_ns;    /* of this stretch */
	int64_t began_ns; /* of the first one */
	int64_t ran_ns;   /* before it was suspended, as the outermost */
	struct function *function; /* NULL: none, and in a detail */
	uint32_t name, number;     /* number: task number + 1, or 0 */
	uint32_t open;  /* place of its function in location.opened + 1 */
	uint32_t depth; /* of a wait: of the span that it lies over */
	uint32_t in;    /* slot + 1 of that one, or of this; 0: there is none */
	uint32_t chain; /* slot + 1 of the outer one at or below it; 0 */
	uint32_t nth;   /* its begin: see struct slow_call */
	uint8_t span;   /* enum event_span */
	uint8_t stale;  /* began before events were lost */
	uint8_t class;  /* enum lane_class */
	uint8_t outer;  /* the outermost of its function */
	uint8_t whole;  /* it was that when it ended, or made a pause */
};

/* How often a thread is in a function. */
struct opened {
	struct function *function;
	int64_t since_ns; /* of the outermost */
	uint32_t frames;
};

/* Has a thread a processor, as far as it has been told?  See cpu.h. */
struct cpu {
	uint8_t is;       /* enum cpu_is */
	uint32_t tid;     /* 0: not known */
	uint32_t sched;   /* its number in scheds + 1; 0; SEE and PUT */
	int64_t since_ns; /* with one: since when */
	int64_t from_ns;  /* told from then on; 0: not at all; SEE and PUT */
};

struct location {
	uint32_t known, node, po, thread;
	uint32_t lane;    /* of thread 0: its PO's; of PO 0: its node's */
	uint32_t runs;    /* has a lane of its own */
	uint32_t is_lost; /* what it does, since records of it are missing */
	uint32_t is_over; /* has ended, or its process has */
	uint32_t holds;   /* so many locks */
	uint32_t po_number, said;  /* said: name of its last EV_state */
	int64_t first_ns, last_ns; /* SEE and PUT; first: INT64_MAX before */
	int64_t waited_from_ns, waited_until_ns; /* its last for a lock */
	uint64_t last_block; /* id of the one that ended last; 0 */
	struct slot *stack;
	uint32_t top, cap, over;
	struct opened *opened; /* writer; functions that it has been in */
	uint32_t *opened_slot; /* by function: place + 1; 0: empty */
	uint32_t nopened, opened_mask;
	uint32_t depths; /* depth lanes made */
	uint32_t depth_lane[DEPTH_LANES];
	uint32_t *deep_lane;   /* those that are deeper */
	uint64_t spans, moved; /* begins and ends; see MOVES_FIRST; SEE */
	struct cpu cpu;
};

/* What a suspended task has taken along; see shelf.c. */
struct shelf {
	uint64_t task;
	struct slot *slot;
	uint32_t n; /* 0: empty */
};
struct shelves {
	struct shelf *shelf;
	uint32_t n, mask;
	uint32_t slots; /* of all of them */
};

/* Of a lane, when a checkpoint is taken. */
struct last_change {
	int64_t t0_ns;
	uint32_t id;
	uint16_t state;
	uint8_t any;
	uint8_t turn; /* of an object: of two colours; holds of a lock */
};

static inline bool
state_waits(const struct lod_state *s)
{
	return (s->kind >= SPAN_wait_message || lane_waits(s->class));
}

/* It lies over the span in which it happens. */
static inline bool
state_is_over(const struct lod_state *s)
{
	return (state_waits(s) || s->class == LANE_lost);
}

struct lane_data {
	struct lane pub;
	_Atomic(char *) label;     /* name of a thread */
	_Atomic uint32_t renamed;  /* name of a later one, or its own; 0 */
	int64_t renamed_ns;        /* writer: when */
	_Atomic uint32_t begun;    /* name of what a thread has begun as; 0 */
	_Atomic(struct lod *) lod; /* NULL: only what is below it */
	_Atomic uint32_t first_child, next_sibling;
	uint32_t last_child;
	_Atomic int64_t end_ns; /* of its thread; INT64_MAX: not yet */
	uint8_t turn; /* writer: of an object, in a detail; holds of a lock */
	uint32_t holder; /* writer: of a lock, its thread's lane */
	int64_t held_ns; /* writer: since when */
	uint32_t remade; /* writer: of an object: checkpoints before, + 1 */
	_Atomic uint32_t maker; /* lane + 1 of who started it; 0: nobody */
	/* objects that the thread made and that have never moved: how many
	 * << 32 | all their lanes, xored: one alone can be told */
	_Atomic uint64_t resident;
	/* what the piece lies over with which its leaves begin now: state + 1
	 * << 32 | id; 0: over nothing, or that is there, too */
	_Atomic uint64_t below;
};

struct object {
	uint64_t id;
	uint32_t lane;
	uint32_t maker; /* lane of the thread, until it moves */
	uint8_t turn, dirty;
	int64_t last_ns;
	/* SEE and PUT; see struct object_made */
	uint64_t creator;
	uint32_t home, by; /* by: lane + 1 of a thread */
	uint32_t follows;  /* writer: order that it has obeyed; number + 1 */
};

/* A request for an object; the object that was made for it may be known first.
 */
struct object_request {
	uint64_t creator;
	uint32_t by;     /* lane + 1 of the thread that asks; 0: not told yet */
	uint32_t object; /* number + 1; 0: not yet */
};

/* An order to move; see struct object_order */
struct order_data {
	uint64_t id, object;
	uint32_t by; /* lane + 1; 0: not told yet */
};

struct node_data {
	_Atomic(char *) name;
	_Atomic uint32_t lane;
	_Atomic uint32_t rank; /* by name, from 0 */
	_Atomic int64_t error_ns;
	_Atomic uint32_t known;
	_Atomic uint32_t clock_state; /* enum clock_state */
	/* SEE and PUT */
	uint64_t lost, late, orphans, early;
	uint32_t stalls, steps;
	struct chunk doubts; /* of struct doubt */
	_Atomic uint32_t ndoubts;
	uint32_t doubt_open[DOUBTS]; /* number + 1 of the one that lasts */
};

struct po_data {
	uint32_t node, po, lane;
	_Atomic(char *) program;
	_Atomic(char *) file, build_id; /* that it is run from */
	struct po_life life;            /* SEE and PUT */
	uint32_t pid, module;           /* the last module, index + 1 */
	struct chunk talks; /* of struct talk_places, by receiving PO */
};

/* What it has sent to one PO: numbers + 1 of cells in the list of defs. */
struct talk_places {
	_Atomic uint32_t cell[TALKS];
};

struct talk_cell {
	uint32_t from, to, what;
	uint64_t count, bytes; /* SEE and PUT, as ns */
	int64_t ns;
};

struct name_data {
	_Atomic(char *) text, file, program;
	char *place, *place_file; /* of code: text and file before a symbol */
	/* functions that it has been compiled into, a line each, from within */
	_Atomic(char *) into;
	uint32_t levels;        /* writer: how many they are */
	uint32_t shared;        /* enum name_shared; SEE and PUT */
	uint32_t line, objects; /* objects: of this class so far */
	uint32_t called;        /* writer: 1, it is in the list of defs */
	uint32_t kinds;         /* that have run, 1 << each; SEE and PUT */
	uint32_t first;         /* line of the function that it is in; 0 */
};

/* What runs under a name; see functions.c. */
struct going_on {
	uint32_t n;       /* how many do; SEE and PUT */
	int64_t since_ns; /* the sum of since when */
};
/* Of a function what readers must see together. */
struct function_sums {
	struct going_on open, asleep, on_cpu;
	int64_t total_ns, suspended_ns, cpu_ns;
};
struct function {
	/* the newest that readers see is told[turn % 2] */
	_Atomic uint32_t turn;
	struct function_sums told[2]; /* SEE and PUT */
	struct going_on open;         /* threads that are in it */
	struct name_stats stats;      /* of what is over; SEE and PUT */
	struct going_on asleep;       /* suspended tasks */
	struct going_on
	    on_cpu;     /* threads that are in it and have a processor */
	uint32_t blind; /* of which that is not known; SEE and PUT */
	struct durations lasted; /* of outermost calls that are over */
	_Atomic(struct slowest *) slowest; /* of all that are over */
	uint32_t parted; /* writer: 1, some made a pause; SEE and PUT */
};

/* Causes that still wait for their effect, and the other way round. */
struct open_pair {
	uint64_t key; /* 0: empty */
	int64_t t_ns;
	uint64_t bytes; /* of an effect: waited_since() */
	uint32_t lane, link, po;
	uint32_t location; /* of an effect */
	uint16_t kind, flags;
	uint8_t effect;
	/*
	 * Of an early cause, see nlast; of those that are needed all, so many
	 * there have been; of an effect that waits for them, so many are
	 * missing.
	 */
	uint32_t number;
};
struct open_table {
	struct open_pair *now, *before; /* two generations */
	uint32_t n, mask, before_mask;
	uint32_t waiting; /* effects that were let go, and share their causes */
	/* keys of the last causes whose links are shown at once, by turns */
	uint64_t *last;
	uint32_t nlast; /* so many there have been */
};
#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define LAST_CAUSES 256u
#define STATES_MAX  1024u
#else
#define LAST_CAUSES 8192u
#define STATES_MAX  65536u /* what a uint16_t can say */
#endif

/* A link that is under way when a checkpoint is taken. */
struct link_waiting {
	uint64_t key;
	struct link link; /* lane0 UINT32_MAX: it was given up */
	uint32_t po, number;
};

/* Where the links of a lane came from last; writer only. */
#define LINK_ORIGINS_KEPT 1024
struct link_origin_cache {
	uint64_t key; /* and one; 0: empty */
	uint32_t origin;
};

/* Messages from one checkpoint to the next, packed. */
struct talk_kept {
	uint8_t *p;
	size_t n;
};

/* A message that is noted by itself. */
struct talk_odd {
	int64_t t_ns, ns; /* when it was over; so long it took */
	uint64_t bytes;
	uint32_t from, to; /* from: times TALKS, and what */
};

#endif
