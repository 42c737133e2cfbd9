/*
 * What happened in a run: nodes, processes, threads and objects as lanes,
 * spans, links and marks, definitions, and sums by name and by pair.  Times are
 * monitor ns.
 */
#ifndef VIEWER_RUN_H
#define VIEWER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct durations;
struct own_event;
struct own_kind;

/* What a lane is doing, as a class of colour.  0 is idle or not there. */
enum lane_class {
	LANE_idle,
	LANE_running,  /* in a task, function, block, phase or service */
	LANE_overhead, /* the runtime, the monitor's own */
	LANE_wait_message,
	LANE_wait_lock,
	LANE_wait_sync,
	LANE_wait_rpc,
	LANE_wait_cond,   /* a condition; see thread_wait_class() */
	LANE_lost,        /* events are missing here */
	LANE_transit,     /* an object between departure and arrival */
	LANE_OBJECT_NODE, /* from here on: an object at rest on node n is
			   * LANE_OBJECT_NODE + (n - 1) % 6 while there are at
			   * most 6 nodes, else the first two by turns */
	LANE_CLASSES = 16
};
extern const char *const lane_class_name[LANE_CLASSES];

/* A thread that is in such a state waits. */
static inline bool
lane_waits(unsigned class)
{
	return (class >= LANE_wait_message && class <= LANE_wait_cond);
}

enum lane_kind {
	LANE_NODE,
	LANE_PO,
	LANE_THREAD,
	LANE_DEPTH, /* made when spans of a thread nest for the first time */
	LANE_OBJECT,
	LANE_LOCK,
	LANE_SYNC, /* what else is waited for: how many wait there */
	LANE_GROUP /* heading of the objects (thread 0) or locks (thread 1) */
};

/* Of LANE_SYNC. */
enum sync_sort {
	SYNC_condition,
	SYNC_semaphore,
	SYNC_barrier,
	SYNC_collective, /* an operation of several processes */
	SYNC_SORTS
};
extern const char *const sync_sort_name[SYNC_SORTS];

#define LANE_DEPTHS_DRAWN 64 /* of a thread; deeper ones are only known */

/* One horizontal line of the process-time view. */
struct lane {
	uint32_t id;     /* dense, from 0, for ever */
	uint32_t parent; /* lane id; UINT32_MAX for none */
	uint8_t kind;    /* enum lane_kind */
	/* of LANE_DEPTH: nesting, from 0; of LANE_SYNC: enum sync_sort; of
	 * LANE_LOCK: 0, and below that a lane for each that holds it, too */
	uint16_t depth;
	uint32_t node, po, location;
	/* of an object: its ordinal in its class, of LANE_SYNC in its sort,
	 * from 0 */
	uint32_t thread;
	uint64_t object; /* id of an object, lock or the like */
	uint32_t name;   /* run-wide name number, 0 for none */
};

/* A span or state of a lane: what is drawn as one box when it is wide. */
struct span {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX while open */
	uint32_t name; /* name number; node number on object lanes */
	uint8_t class; /* enum lane_class */
	uint8_t kind;  /* enum event_span */
	uint16_t depth;
	/* of a task its id; of a wait for what has a lane that lane + 1; of a
	 * lock's being held the holder's lane + 1; of LANE_SYNC how many wait;
	 * of an object the number of the hop
	 * that it is on, or that has brought it here; 0 */
	uint64_t id;
	/* its begin is so many of the lane's changes at t0, from 1 on; 0: that
	 * is not known, and of some that are alike it may be any */
	uint32_t nth;
};

#define LINK_FREE 0x10 /* of a lock's release: its taker had not waited */

/* An edge between lanes: message, spawn, join, rpc, order, migration... */
#define LINK_TAG_OTHER UINT32_MAX /* one of more than 254 */
struct link {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX: effect not seen yet */
	uint32_t lane0, lane1;
	uint16_t kind0; /* event kind of the cause */
	uint16_t flags; /* EVENT_ORPHAN ... of the effect; LINK_FREE */
	uint32_t tag;   /* of a message; of one of many tags LINK_TAG_OTHER */
	uint64_t id, bytes;
};

/* An instant worth a mark: create, depart, lost, stall, step, note... */
struct mark {
	int64_t t_mon_ns;
	uint32_t lane;
	uint16_t kind; /* event kind */
	uint16_t flags;
	uint64_t a, b;
	uint32_t c;
	uint32_t node; /* where it happened */
};

/* --- the run as a whole --- */

/*
 * At most so many bytes; 0, as it is at first: as many as it takes.  What is
 * over is given up where it is oldest: of lanes single changes go before
 * summaries, coarse summaries stay; links and marks go; finished subtrees
 * become summaries.  Tasks that live, alerts, names and sums stay, so that a
 * cap can be too small.
 */
void model_set_memory(struct model *, uint64_t bytes);
uint64_t model_memory(const struct model *);
/*
 * Single changes of lanes are given up as soon as there are exact sums of them:
 * for a model that is only made to be kept (image.h).  Before the first event.
 */
void model_set_no_leaves(struct model *);

int64_t model_first_ns(const struct model *); /* INT64_MAX when empty */
int64_t model_last_ns(const struct model *);
/*
 * Grows when an event from before model_last_ns() has come.  As long as it
 * stays the same, what lanes did before then stays as it is.
 */
uint64_t model_rewritten(const struct model *);
uint64_t model_events(const struct model *);
uint64_t model_lost(const struct model *);
uint64_t model_bytes(const struct model *); /* memory held */
/* Before this time lanes are known by summaries only; INT64_MIN: nowhere. */
int64_t model_detail_ns(const struct model *);
bool model_finished(const struct model *); /* the receipt has come */
/* "makes no sense in 3 places, which are left out; ..."; false: it does. */
bool model_odd(const struct model *, char *buf, size_t n);

/*
 * Definitions; NULL or "" where not defined.  What the user has called a
 * function, node or program (hand.h) comes before what was recorded.
 */
const char *model_name(const struct model *, uint32_t name);
const char *model_name_recorded(const struct model *, uint32_t name);
/* What others have that are called like this one: then that tells no more. */
enum name_shared {
	NAME_ALONE,
	NAME_TEXT_SHARED,
	NAME_PLACE_SHARED /* text and place */
};
enum name_shared model_name_shared(const struct model *, uint32_t name);
const char *model_name_program(const struct model *, uint32_t name);
const char *model_name_place(const struct model *, uint32_t name,
    uint32_t *line);
/* Of a place in the code the line of its function's name; else that of the
 * name; 0: not known. */
uint32_t model_name_declared(const struct model *, uint32_t name);
/* "libm.so.6+0x1139" of a place in the code whose function is known; or NULL */
const char *model_name_code(const struct model *, uint32_t name);
/* The functions that what is there was compiled into, a line each, from within;
 * NULL: none. */
const char *model_name_into(const struct model *, uint32_t name);
const char *model_node_name(const struct model *, uint32_t node);
const char *model_node_name_recorded(const struct model *, uint32_t node);
const char *model_program(const struct model *, uint32_t node, uint32_t po);
uint32_t model_nodes(const struct model *); /* numbers are below this + 1 */
/*
 * Its place in the order of names (node9 before node10), from 0: what its
 * colour goes by, so that two runs of a cluster agree.
 */
uint32_t model_node_rank(const struct model *, uint32_t node);
/* Has anything been said of it?  In a damaged log numbers are left out. */
bool model_node_told(const struct model *, uint32_t node);
uint32_t model_names(const struct model *);
/*
 * Names of functions, tasks and the like in the order in which they first ran
 * in the log; they stay where they are.
 */
uint32_t model_called(const struct model *);
uint32_t model_called_name(const struct model *, uint32_t i);
uint32_t model_pos(const struct model *); /* how many POs */
/* Node and PO of the number-th PO; -1: there is no such. */
int model_po(const struct model *, uint32_t number, uint32_t *node,
    uint32_t *po);
/* Its row; of a collector that of its node. */
uint32_t model_po_lane(const struct model *, uint32_t number);
/* What its collector has told of it. */
struct po_life {
	int64_t begin_mon_ns, end_mon_ns; /* INT64_MAX: not told, not so far */
	uint64_t pid;                     /* 0: not told */
	uint32_t ending; /* enum ending and a number: its end */
	uint32_t clean;  /* it has left in good order */
};
void model_po_life(const struct model *, uint32_t number, struct po_life *);
/* The file that it is run from, on its node; NULL: not told. */
const char *model_po_file(const struct model *, uint32_t number,
    const char **build_id);

/* A time in which a node was not as it should be. */
enum doubt_of {
	DOUBT_CLOCK,  /* its clock was not locked: state */
	DOUBT_SILENT, /* it said nothing and was not waited for */
	DOUBT_WRONG,  /* its clock was wrong by more than its bound */
	DOUBTS
};
struct doubt {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX: it lasts */
	int64_t error_ns; /* CLOCK: largest bound; WRONG: how wrong */
	uint8_t of;       /* enum doubt_of */
	uint8_t state;    /* enum clock_state of clockmap.h */
};
/* Those of a node that touch [t0, t1), at most max; returns how many. */
size_t model_node_doubts(const struct model *, uint32_t node, int64_t t0,
    int64_t t1, struct doubt *, size_t max);

/* How a node is by the last that was heard, and its sums. */
struct node_health {
	uint8_t clock_state; /* enum clock_state */
	bool silent, wrong;  /* as in enum doubt_of */
	int64_t silent_since_ns;
	int64_t error_ns;    /* of its clock, half-width; 0: never measured */
	uint64_t lost, late; /* events */
	uint64_t orphans;    /* effects without a cause, or not so far */
	uint64_t
	    early; /* of those let go: before their cause, which is there */
	uint32_t stalls, steps; /* how often */
};
void model_node_health(const struct model *, uint32_t node,
    struct node_health *);

uint32_t model_lanes(const struct model *); /* published count */
const struct lane *model_lane(const struct model *, uint32_t id);
uint32_t model_location_lane(const struct model *, uint32_t location);
/* "node n0", "pascal 35  PO 3", "worker 2", "drone 4": as snprintf. */
int model_lane_label(const struct model *, uint32_t lane, char *, size_t);
int model_lane_label_recorded(const struct model *, uint32_t lane, char *,
    size_t);
/* Children in order of making; UINT32_MAX ends. */
uint32_t model_lane_first_child(const struct model *, uint32_t lane);
uint32_t model_lane_next_sibling(const struct model *, uint32_t lane);
/* The thread that started a thread, the PO that forked a PO; UINT32_MAX: not
 * known. */
uint32_t model_lane_maker(const struct model *, uint32_t lane);
/* The one thread below a node or PO; UINT32_MAX when there are more or none. */
uint32_t model_lane_only_thread(const struct model *, uint32_t lane);
/*
 * First and last event of a thread, or of all threads below a PO or node.
 * False: there was none.
 */
bool model_lane_life(const struct model *, uint32_t lane, int64_t *t0,
    int64_t *t1);
/* Has this thread or process ended, and when?  With its process at the latest.
 */
bool model_lane_ended(const struct model *, uint32_t lane, int64_t *t);
/*
 * The object that speaks through a thread: the only one which that thread
 * made and which has never moved.  UINT32_MAX: there is none, or it cannot be
 * told.
 */
uint32_t model_lane_resident(const struct model *, uint32_t lane);

/*
 * Where an object was made, and for whom.  False: the lane is of no object.
 * Where it is, and was, its lane says.
 */
struct object_made {
	uint64_t id;
	uint64_t creator; /* object that asked for it; 0: none, or not told */
	uint32_t by;      /* lane of the thread that asked for it, else made it;
			   * UINT32_MAX: not told */
	uint32_t home;    /* node; 0: not told */
	uint32_t nickname; /* name number; 0: none */
};
bool model_object_made(const struct model *, uint32_t lane,
    struct object_made *);
/* The order that a move of an object has followed.  False: none, or not told.
 */
struct object_order {
	uint64_t id;
	uint64_t object; /* that gives it; 0: none, or not told */
	uint32_t by;     /* lane of the thread; UINT32_MAX: not told */
};
bool model_object_ordered(const struct model *, uint32_t lane, uint64_t hop,
    struct object_order *);
/* The object that gives an order; 0: none, or not told. */
uint64_t model_order_by(const struct model *, uint64_t order);
/* The lane of an object; UINT32_MAX: there is none. */
uint32_t model_object_lane(const struct model *, uint64_t id);

/* Links that touch [t0, t1), at most max are written; returns how many there
 * are, or max + 1 when more. */
size_t model_links(const struct model *, int64_t t0, int64_t t1,
    struct link *out, size_t max);
size_t model_marks(const struct model *, int64_t t0, int64_t t1,
    struct mark *out, size_t max);
/* How many there are of a kind. */
uint64_t model_marks_count(const struct model *, uint16_t kind, int64_t t0,
    int64_t t1);
/*
 * What an EV_own says, by its declaration, which is put into kind; false: its
 * name declares nothing.  About as much as there are marks around it.
 */
bool model_own(const struct model *, const struct mark *, struct own_event *,
    struct own_kind *kind);
/* Of the marks those that tell of loss or doubt: lost late orphan found
 * stall rejoin clock_step and POs that did not end in good order. */
size_t model_alerts(const struct model *, int64_t t0, int64_t t1,
    struct mark *out, size_t max);
/* As model_links(), but when there are more than max, max of them evenly
 * chosen; *total is how many there are about. */
size_t model_links_sample(const struct model *, int64_t t0, int64_t t1,
    struct link *out, size_t max, uint64_t *total);

uint32_t model_functions(const struct model *); /* how many of those */
/* Which sorts of things have run under a name: 1 << enum event_span. */
unsigned model_name_kinds(const struct model *, uint32_t name);
/* By kind and name: for the functions table. */
struct name_stats {
	uint32_t name;
	uint8_t kind; /* enum event_span: task call block serve phase */
	uint64_t calls, suspensions;
	uint64_t outer; /* of the calls, those not within another of it */
	/* from begin to end, without pauses; of one that calls itself of the
	 * outermost call; so far, if it goes on */
	int64_t total_ns, max_ns;
	int64_t blocked_ns;   /* of that in waits, not of what it called */
	int64_t self_ns;      /* of a range: in it alone, without waits */
	int64_t waits_ns;     /* in all waits, as total_ns is of all */
	int64_t suspended_ns; /* tasks: beside that */
	uint64_t by_pe[16];   /* ns of tasks; the last: PE 15 and above */
	int64_t cpu_ns;       /* of total_ns, with a processor */
	bool cpu_unknown;     /* of some of it nobody has told that */
	uint32_t number;      /* of the function, from 1 */
};
/*
 * How long the outermost calls of a function took that are over, without
 * pauses; by its number.  NULL: there is no such.
 */
const struct durations *model_durations(const struct model *, uint32_t number);
/*
 * What passes between two POs.  A remote call is told in its phases, each from
 * the caller to the callee, and each is counted when it is over.
 */
enum talk {
	TALK_MESSAGE, /* from send to receive; bytes: that were sent */
	TALK_SETUP,   /* from rpc_call to rpc_begin; bytes: of the call */
	TALK_REMOTE,  /* from rpc_begin to rpc_end; no bytes */
	TALK_RETURN,  /* from rpc_end to rpc_return; bytes: of the answer */
	TALK_WHOLE,   /* from rpc_call to rpc_return; no bytes */
	TALKS
};
struct talk_pair {
	uint32_t from, to; /* POs, by order of definition */
	uint32_t what;     /* enum talk */
	uint64_t count, bytes;
	int64_t ns; /* how long they took, in all */
};
/* Of the whole run so far: pairs of which there has been something. */
uint32_t model_talks(const struct model *);
void model_talk_at(const struct model *, uint32_t i, struct talk_pair *);
/* Of one pair; all 0: there has been nothing. */
void model_talk(const struct model *, uint32_t from, uint32_t to, enum talk,
    struct talk_pair *);
bool model_links_gone(const struct model *);

#endif
