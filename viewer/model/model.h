/*
 * What the viewer knows about a run: fed with the frames of the log, asked by
 * the layouts.  No pixels, no X, no sockets.
 *
 * One writer (the ingest thread) calls model_add_frame(); readers (the UI
 * thread) may call everything else at any time.  Arrays grow by chunks and
 * never move; a count is published after what it counts, so a reader needs no
 * lock and sees a consistent past.  The few structures that are rebuilt
 * (lane order, groups) carry a generation number.
 */
#ifndef VIEWER_MODEL_H
#define VIEWER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "frame.h"

/* What a lane is doing, as a class of colour.  0 is idle or not there. */
enum lane_class {
	LANE_idle,
	LANE_running,  /* in a task, function, block, phase or service */
	LANE_overhead, /* the runtime, the monitor's own */
	LANE_wait_message,
	LANE_wait_lock,
	LANE_wait_sync,
	LANE_wait_rpc,
	LANE_transit,     /* an object between departure and arrival */
	LANE_lost,        /* events are missing here */
	LANE_OBJECT_NODE, /* from here on: an object at rest on node n is
			   * LANE_OBJECT_NODE + (n - 1) % 7 while there are at
			   * most 7 nodes, else the first two by turns */
	LANE_CLASSES = 16
};
extern const char *const lane_class_name[LANE_CLASSES];

enum lane_kind {
	LANE_NODE,
	LANE_PO,
	LANE_THREAD,
	LANE_DEPTH, /* made when spans of a thread nest for the first time */
	LANE_OBJECT,
	LANE_LOCK,
	LANE_GROUP /* heading of the objects (thread 0) or locks (thread 1) */
};

/* One horizontal line of the process-time view. */
struct lane {
	uint32_t id;     /* dense, from 0, for ever */
	uint32_t parent; /* lane id; UINT32_MAX for none */
	uint8_t kind;    /* enum lane_kind */
	uint8_t depth;   /* of LANE_DEPTH: nesting, from 0 */
	uint32_t node, po, location;
	uint32_t thread; /* of an object: its ordinal in its class, from 0 */
	uint64_t object; /* object or lock id */
	uint32_t name;   /* run-wide name number, 0 for none */
};

/* A span or state of a lane: what is drawn as one box when it is wide. */
struct span {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX while open */
	uint32_t name; /* name number; node number on object lanes */
	uint8_t class; /* enum lane_class */
	uint8_t kind;  /* enum event_span */
	uint16_t depth;
	uint64_t id; /* task, call...: word a of its begin; 0 */
};

/* An edge between lanes: message, spawn, join, rpc, order, migration... */
struct link {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX: effect not seen yet */
	uint32_t lane0, lane1;
	uint16_t kind0; /* event kind of the cause */
	uint16_t flags; /* EVENT_ORPHAN ... of the effect */
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

/* A node of the reduction tree. */
#define TASK_NONE UINT32_MAX
struct task {
	uint64_t id;
	uint32_t parent, first_child, next_sibling, last_child;
	uint32_t level;    /* root 0 */
	uint32_t size;     /* tasks in its subtree, itself included */
	uint64_t sumlevel; /* of the levels of those */
	uint32_t name;     /* procedure */
	uint32_t location; /* thread that began it, 0 before */
	uint16_t pe, flags;
	uint32_t suspensions;
	int64_t spawn_mon_ns, begin_mon_ns, end_mon_ns; /* INT64_MIN: not yet */
	int64_t suspended_ns, busy_ns; /* whole, of what is over */
};
#define TASK_BEGUN     1
#define TASK_ENDED     2
#define TASK_SUSPENDED 4  /* now */
#define TASK_SUMMARY   8  /* of tasks that were given up */
#define TASK_GONE_UP   16 /* given up: nothing is known of it */

struct model;

struct model *model_new(void);
void model_free(struct model *);

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

/*
 * Writer: takes one frame of the log (others are ignored).  Returns 0, -1
 * with errno when it is damaged or memory is out.
 */
int model_add_frame(struct model *, const struct frame *);
/* Writer, for tests and benches: events as a block of the log has them. */
void model_add_events(struct model *, const struct event *, size_t n);

/* Readers from here on.  Times are monitor ns. */
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

/* Definitions; NULL or "" where not defined. */
const char *model_name(const struct model *, uint32_t name);
const char *model_name_place(const struct model *, uint32_t name,
    uint32_t *line);
const char *model_node_name(const struct model *, uint32_t node);
const char *model_program(const struct model *, uint32_t node, uint32_t po);
uint32_t model_nodes(const struct model *); /* numbers are below this + 1 */
/* Has anything been said of it?  In a damaged log numbers are left out. */
bool model_node_told(const struct model *, uint32_t node);
uint32_t model_names(const struct model *);
uint32_t model_pos(const struct model *); /* how many POs */
/* Node and PO of the number-th PO; -1: there is no such. */
int model_po(const struct model *, uint32_t number, uint32_t *node,
    uint32_t *po);
int64_t model_clock_error(const struct model *, uint32_t node);

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
/* Has this thread ended, and when?  With its process at the latest. */
bool model_lane_ended(const struct model *, uint32_t lane, int64_t *t);
/*
 * The object that speaks through a thread: the only one which that thread
 * made and which has never moved.  UINT32_MAX: there is none, or it cannot be
 * told.
 */
uint32_t model_lane_resident(const struct model *, uint32_t lane);

/*
 * Shares of the classes in pixels first to until - 1 of n equal ones of [t0,
 * t1) of a lane or, for nodes, POs and threads, of all below: share[i *
 * LANE_CLASSES + class] in 1/255.  dominant_name[i] (may be NULL): name with
 * most time in that pixel. O(n log events); never slower than that, at any
 * zoom.
 */
void model_lane_pixels(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, uint8_t *share,
    uint32_t *dominant_name);
/*
 * list.c: how many spans begin on a lane, or the only thread below it; false:
 * it has none of its own.  O(log spans).
 */
bool model_lane_listed(const struct model *, uint32_t lane, uint64_t *n);
/*
 * So many of them from the one with this number on, from 0; an end is where
 * something else begins on the lane.  O(log spans + max).  max + 1: they have
 * been given up for want of memory.
 */
size_t model_lane_list(const struct model *, uint32_t lane, uint64_t from,
    struct span *out, size_t max);
/*
 * Spans of a lane that touch [t0, t1), in order; at most max are written.
 * Returns how many there are, or max + 1 when more.  out may be NULL: they are
 * only counted.
 */
size_t model_lane_spans(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, struct span *out, size_t max);
/*
 * What a thread is in at an instant, outermost first, a wait last: at most max
 * are written; returns how many.  All events up to and at that time count.
 */
size_t model_stack(const struct model *, uint32_t lane, int64_t t_mon_ns,
    struct span *out, size_t max);
/*
 * The instant that is n events (n < 0: back) from t_mon_ns, of those that can
 * be seen on a lane or below it, UINT32_MAX: on any; all at one time are one.
 * As far as there are any; t_mon_ns when there is none.  O(lanes log events).
 */
int64_t model_step(const struct model *, uint32_t lane, int64_t t_mon_ns,
    long n);
/*
 * Exact ns by class in [t0, t1) of a lane, and how many spans began there.
 * False: single changes at t0 or t1 were given up, and the figures are as good
 * as the shares of what is left; edges.h makes them exact.
 */
bool model_lane_totals(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, int64_t by_class[LANE_CLASSES], uint64_t *spans);

/* Links that touch [t0, t1), as above. */
size_t model_links(const struct model *, int64_t t0, int64_t t1,
    struct link *out, size_t max);
size_t model_marks(const struct model *, int64_t t0, int64_t t1,
    struct mark *out, size_t max);
/* Of the marks those that tell of loss or doubt: lost late orphan found
 * stall rejoin clock_step and POs that did not end in good order. */
size_t model_alerts(const struct model *, int64_t t0, int64_t t1,
    struct mark *out, size_t max);
/* As model_links(), but when there are more than max, max of them evenly
 * chosen; *total is how many there are about. */
size_t model_links_sample(const struct model *, int64_t t0, int64_t t1,
    struct link *out, size_t max, uint64_t *total);

/*
 * The reduction tree.  Task numbers are dense, from 0.  Parents come first,
 * but for a task whose spawn came late.
 */
uint32_t model_tasks(const struct model *);
/* What is known of a task now; returns out. */
struct task *model_task_get(const struct model *, uint32_t task,
    struct task *out);
/* The same, in memory that lasts as long as the block where it is asked. */
#define model_task(m, i)                                                       \
	((const struct task *)model_task_get(m, i, &(struct task){ 0 }))
/*
 * Single things, for who looks at many tasks: between model_enter() and
 * model_leave(), which is given what the other returned.  A few ns each.
 */
unsigned model_enter(const struct model *);
void model_leave(const struct model *, unsigned);
uint32_t model_task_parent(const struct model *, uint32_t task);
uint32_t model_task_first(const struct model *, uint32_t task); /* child */
uint32_t model_task_next(const struct model *, uint32_t task);  /* sibling */
/* The children of these, 16 at most, will be looked at soon. */
void model_task_ahead(const struct model *, const uint32_t *task, unsigned n);
/* What is asked of one that is drawn will be asked of this one. */
void model_task_ahead_drawn(const struct model *, uint32_t task);
uint32_t model_task_level(const struct model *, uint32_t task);
/*
 * Sets in `in`, a bit a task, those from `from` to `to` whose parents are in
 * it; returns the deepest of their levels, or deepest.  For a tree in which
 * parents come first and no task was given up.
 */
uint32_t model_subtree_mark(const struct model *, uint64_t *in, uint32_t from,
    uint32_t to, uint32_t deepest);
/*
 * The deepest level below root of the tasks from `from` to `to`, or *deepest if
 * they are all above that.  False: that takes looking at all of them.  For such
 * a tree, too; 0.3 ns a task, and 2 ms at most.
 */
bool model_subtree_deepest(const struct model *, uint32_t root, uint32_t from,
    uint32_t to, uint32_t *deepest);
uint32_t model_task_name(const struct model *, uint32_t task);
/* Size of its subtree, and the sum of the depths in it, its own being 0. */
uint32_t model_task_counts(const struct model *, uint32_t task,
    uint64_t *depths);
int64_t model_task_spawn(const struct model *, uint32_t task);
int64_t model_task_begin(const struct model *, uint32_t task);
bool model_task_ended(const struct model *, uint32_t task);
uint32_t model_task_pe(const struct model *, uint32_t); /* UINT32_MAX: none */
bool model_task_suspended(const struct model *, uint32_t task); /* ever */
/* As task.flags, and when it ended; INT64_MIN: it has not. */
unsigned model_task_flags(const struct model *, uint32_t task,
    int64_t *end_mon_ns);
struct task_face {
	int64_t at_mon_ns; /* begin, or else spawn; INT64_MIN: neither */
	uint32_t name, pe; /* pe: UINT32_MAX: none */
	bool suspended;    /* ever */
};
void model_task_face(const struct model *, uint32_t task, struct task_face *);
/*
 * Under a memory cap finished subtrees are given up: their numbers have
 * TASK_GONE_UP.  Summaries stay where they were, one for neighbours among
 * siblings; their size, depths and levels are those of what was given up, so
 * that the layout of the others stays as it is.
 */
struct summary_name {
	uint32_t name, tasks;
	int64_t busy_ns;
};
struct task_sums {
	uint32_t tasks, suspended;             /* suspended: ever */
	int64_t t0_mon_ns, t1_mon_ns, busy_ns; /* t0 of the first begin */
	uint32_t levels;
	/* tasks by depth, the deepest first; procedures.  To be read inside */
	const uint32_t *level;
	const struct summary_name *names;
	uint32_t nnames;
};
/* False: it is no summary.  Inside model_enter(). */
bool model_task_sums(const struct model *, uint32_t task, struct task_sums *);
/* The i-th of its names, as it is now: they may be growing. */
struct summary_name model_task_sums_name(const struct task_sums *, uint32_t i);
bool model_task_gone(const struct model *, uint32_t task);
uint32_t model_tasks_gone(const struct model *); /* how many */
/* Odd while tasks are given up, another number afterwards. */
uint32_t model_tree_epoch(const struct model *);
/*
 * Tasks that are there have places from 0 on without gaps, in the order of
 * their numbers, as long as the epoch stays the same.
 */
uint32_t model_task_place(const struct model *, uint32_t task);
uint32_t model_task_places(const struct model *);
uint32_t model_task_by_id(const struct model *, uint64_t id);
/* At most max of them; returns how many there are. */
uint32_t model_task_roots(const struct model *, uint32_t *out, uint32_t max);
/* One by one, by places below model_root_places(); TASK_NONE: that one has
 * found its parent. */
uint32_t model_root_places(const struct model *);
uint32_t model_task_root(const struct model *, uint32_t place);
/* Of a root's tree; TASK_NONE: of the deepest. */
uint32_t model_task_levels(const struct model *, uint32_t root);
/* Numbers are in the order of times, and no task was given up. */
bool model_tree_in_order(const struct model *);
/* Grows after tasks have come, or have begun, stopped, gone on or ended. */
uint64_t model_tree_version(const struct model *);
/* Grows when a task that was taken for a root is hung below its parent. */
uint32_t model_tree_generation(const struct model *);
uint32_t model_pes(const struct model *); /* PE numbers are below this */

/*
 * Of pixels first to until - 1 of n equal ones of [t0, t1) the shares of the
 * classes, [i * LANE_CLASSES + class] in 1/255, of the time of all threads, of
 * many threads of some that are evenly chosen; or their sums, which are added,
 * MODEL_PIXEL for all of a pixel of one thread.
 */
#define MODEL_PIXEL 65280u
void model_overview(const struct model *, int64_t t0, int64_t t1, unsigned n,
    unsigned first, unsigned until, uint8_t *share);
void model_overview_sums(const struct model *, int64_t t0, int64_t t1,
    unsigned n, unsigned first, unsigned until, uint64_t *sum);
/* Events in each of n equal pixels. */
void model_density(const struct model *, int64_t t0, int64_t t1, unsigned n,
    uint32_t *density);

/* By name: for the functions table. */
struct name_stats {
	uint32_t name;
	uint64_t calls, suspensions;
	int64_t total_ns, max_ns; /* running (tasks), from begin to end */
	int64_t blocked_ns;       /* suspended, or waiting inside */
	uint64_t by_pe[16];       /* ns of tasks; the last: PE 15 and above */
};
/* Names that were called, in order of their numbers; returns how many. */
size_t model_name_stats(const struct model *, struct name_stats *, size_t max);
/* Messages PO x PO (index by order of definition): count and bytes. */
uint64_t model_messages(const struct model *, uint32_t po0, uint32_t po1,
    uint64_t *bytes);
/*
 * talk.h: those taken in [t0, t1).  False: nobody knows; as long as no links
 * were given up (model_links_gone()), they can be counted.
 */
bool model_messages_in(const struct model *, int64_t t0, int64_t t1,
    uint32_t po0, uint32_t po1, uint64_t *count, uint64_t *bytes);
bool model_links_gone(const struct model *);

#endif
