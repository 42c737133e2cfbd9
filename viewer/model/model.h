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
	LANE_running,	   /* in a task, function, block, phase or service */
	LANE_overhead,	   /* the runtime, the monitor's own */
	LANE_wait_message,
	LANE_wait_lock,
	LANE_wait_sync,
	LANE_wait_rpc,
	LANE_transit,	   /* an object between departure and arrival */
	LANE_lost,	   /* events are missing here */
	LANE_CLASSES = 16  /* classes from 9 on: by node of an object lane */
};

enum lane_kind { LANE_NODE, LANE_PO, LANE_THREAD, LANE_DEPTH, LANE_OBJECT,
	LANE_LOCK };

/* One horizontal line of the process-time view. */
struct lane {
	uint32_t id;	 /* dense, from 0, for ever */
	uint32_t parent; /* lane id; UINT32_MAX for none */
	uint8_t kind;	 /* enum lane_kind */
	uint8_t depth;	 /* of LANE_DEPTH: nesting, from 0 */
	uint32_t node, po, thread, location;
	uint64_t object; /* object or lock id */
	uint32_t name;	 /* run-wide name number, 0 for none */
};

/* A span or state of a lane: what is drawn as one box when it is wide. */
struct span {
	int64_t t0_mon_ns, t1_mon_ns; /* t1 INT64_MAX while open */
	uint32_t name;	 /* name number; node number on object lanes */
	uint8_t class;	 /* enum lane_class */
	uint8_t kind;	 /* enum event_span */
	uint16_t depth;
	uint64_t id;	 /* task, call...: word a of its begin; 0 */
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
};

/* A node of the reduction tree. */
#define TASK_NONE UINT32_MAX
struct task {
	uint64_t id;
	uint32_t parent, first_child, next_sibling, last_child;
	uint32_t level;	   /* root 0 */
	uint32_t size;	   /* tasks in its subtree, itself included */
	uint64_t sumlevel; /* of the levels of those */
	uint32_t name;	   /* procedure */
	uint32_t location; /* thread that began it, 0 before */
	uint16_t pe, flags;
	uint32_t suspensions;
	int64_t spawn_mon_ns, begin_mon_ns, end_mon_ns; /* INT64_MIN: not yet */
	int64_t suspended_ns, busy_ns;
};
#define TASK_BEGUN     1
#define TASK_ENDED     2
#define TASK_SUSPENDED 4 /* now */

struct model;

struct model *model_new(void);
void model_free(struct model *);

/*
 * Writer: takes one frame of the log (others are ignored).  Returns 0, -1
 * with errno when it is damaged or memory is out.
 */
int model_add_frame(struct model *, const struct frame *);

/* Readers from here on.  Times are monitor ns. */
int64_t model_first_ns(const struct model *); /* INT64_MAX when empty */
int64_t model_last_ns(const struct model *);
uint64_t model_events(const struct model *);
uint64_t model_lost(const struct model *);
uint64_t model_bytes(const struct model *); /* memory held */
bool model_finished(const struct model *);  /* the receipt has come */

/* Definitions; NULL or "" where not defined. */
const char *model_name(const struct model *, uint32_t name);
const char *model_name_place(const struct model *, uint32_t name, uint32_t *line);
const char *model_node_name(const struct model *, uint32_t node);
const char *model_program(const struct model *, uint32_t node, uint32_t po);
uint32_t model_nodes(const struct model *); /* numbers are below this + 1 */
uint32_t model_names(const struct model *);
uint32_t model_pos(const struct model *);   /* how many POs */
int64_t model_clock_error(const struct model *, uint32_t node);

uint32_t model_lanes(const struct model *); /* published count */
const struct lane *model_lane(const struct model *, uint32_t id);
uint32_t model_location_lane(const struct model *, uint32_t location);

/*
 * Shares of the classes in n equal pixels of [t0, t1) of a lane or, for
 * nodes, POs and threads, of all below: share[i * LANE_CLASSES + class] in
 * 1/255.  dominant_name[i] (may be NULL): name with most time in that pixel.
 * O(n log events); never slower than that, at any zoom.
 */
void model_lane_pixels(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, unsigned n, uint8_t *share, uint32_t *dominant_name);
/*
 * Spans of a lane that touch [t0, t1), in order; at most max are written.
 * Returns how many there are, or max + 1 when more.
 */
size_t model_lane_spans(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, struct span *out, size_t max);
/* Exact ns by class in [t0, t1) of a lane, and how many spans began there. */
void model_lane_totals(const struct model *, uint32_t lane, int64_t t0,
    int64_t t1, int64_t by_class[LANE_CLASSES], uint64_t *spans);

/* Links that touch [t0, t1), as above. */
size_t model_links(const struct model *, int64_t t0, int64_t t1,
    struct link *out, size_t max);
size_t model_marks(const struct model *, int64_t t0, int64_t t1,
    struct mark *out, size_t max);

/* The reduction tree.  Task numbers are dense, from 0; parents come first. */
uint32_t model_tasks(const struct model *);
const struct task *model_task(const struct model *, uint32_t task);
uint32_t model_task_by_id(const struct model *, uint64_t id);
uint32_t model_task_roots(const struct model *, uint32_t *out, uint32_t max);
uint32_t model_task_levels(const struct model *, uint32_t root); /* levels */
uint32_t model_pes(const struct model *); /* PE numbers are below this */

/* Whole run, events per pixel: [i * LANE_CLASSES + class] in 1/255 of the
 * lanes' time, and density[i] in events. */
void model_overview(const struct model *, int64_t t0, int64_t t1, unsigned n,
    uint8_t *share, uint32_t *density);

/* By name: for the functions table. */
struct name_stats {
	uint32_t name;
	uint64_t calls, suspensions;
	int64_t total_ns, max_ns, blocked_ns;
	uint64_t by_pe[16];
};
size_t model_name_stats(const struct model *, struct name_stats *, size_t max);
/* Messages PO x PO (index by order of definition): count and bytes. */
uint64_t model_messages(const struct model *, uint32_t po0, uint32_t po1,
    uint64_t *bytes);

#endif
