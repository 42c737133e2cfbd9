/* The inside of the way in: what a model is, from the lowest room up. */
#ifndef VIEWER_INSIDE_H
#define VIEWER_INSIDE_H

#include "message.h"
#include "model/model.h"
#include "model/run/talksums.h"

#define NODES_MAX      65535u
#define NODES_LACKING  1024 /* definitions that a log may lack */
#define DEPTH_LANES    64   /* deeper spans have no row of their own */
#define STACK_MAX      4096 /* deeper spans are not shown */
#define LOCK_LANES_MAX 4096
#define OBJECT_COLOURS (LANE_CLASSES - LANE_OBJECT_NODE)

/* Relaxed access to fields that the writer changes in place. */
#define SEE(p)    __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define PUT(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#define ADD(p, v) PUT(p, SEE(p) + (v))

struct detail_plan;
struct edges;
struct sweep;
struct talk;

/* What the writer needs to know about a kind of event, from the table. */
struct kind_info {
	uint8_t known, shape, span, role, key, match, class;
	uint8_t named; /* word c is a name */
	uint8_t keyed; /* pairs through the table of open causes */
	uint8_t mark;
	uint8_t early; /* its link is shown before the effect has come */
	uint16_t partner;
};

/* A span that a thread is in. */
struct slot {
	uint64_t id; /* word a of its begin */
	int64_t t0_ns;
	uint32_t name, number; /* number: task number + 1, or 0 */
	uint16_t depth;
	uint8_t span;  /* enum event_span, SPAN_none: already over */
	uint8_t stale; /* began before events were lost */
};

struct location {
	uint32_t known, node, po, thread;
	uint32_t lane; /* of thread 0: its PO's; of PO 0: its node's */
	uint32_t runs; /* has a lane of its own */
	uint32_t po_number, said;  /* said: name of its last EV_state */
	int64_t first_ns, last_ns; /* SEE and PUT; first: INT64_MAX before */
	struct slot *stack;
	uint32_t top, cap, over;
	uint32_t depths; /* depth lanes made */
	uint32_t depth_lane[DEPTH_LANES];
};

struct lane_data {
	struct lane pub;
	_Atomic(char *) label;     /* name of a thread */
	_Atomic(struct lod *) lod; /* NULL: only what is below it */
	_Atomic uint32_t first_child, next_sibling;
	uint32_t last_child;
	_Atomic int64_t end_ns; /* of its thread; INT64_MAX: not yet */
	uint8_t turn;           /* writer, in a detail: of an object */
	uint32_t remade; /* writer: of an object: checkpoints before, + 1 */
	_Atomic uint32_t maker; /* lane + 1 of who started it; 0: nobody */
	/* objects that the thread made and that have never moved: how many
	 * << 32 | all their lanes, xored: one alone can be told */
	_Atomic uint64_t resident;
};

struct object {
	uint64_t id;
	uint32_t lane;
	uint32_t maker; /* lane of the thread, until it moves */
	uint8_t turn, dirty;
	int64_t last_ns;
};

struct node_data {
	_Atomic(char *) name;
	_Atomic uint32_t lane;
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
	struct chunk messages; /* of struct message_cell, by receiving PO */
};

struct message_cell {
	_Atomic uint64_t count, bytes;
};

struct name_data {
	_Atomic(char *) text, file;
	uint32_t line, objects;  /* objects: of this class so far */
	struct name_stats stats; /* SEE and PUT */
};

/* Causes that still wait for their effect, and the other way round. */
struct open_pair {
	uint64_t key; /* 0: empty */
	int64_t t_ns;
	uint64_t bytes;
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
#ifdef ORRERY_SMALL /* as in proto/block.h */
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

struct task_root {
	_Atomic uint32_t task, levels; /* task TASK_NONE: not a root any more */
};

/* What is still to be told to ancestors, see tree_count.c; writer. */
struct task_count {
	uint32_t told; /* tasks before are counted */
	struct tree_front *front;
	/* the path that was gone up last, by level: tasks and counters */
	uint32_t *path, *path_count, npath, path_cap;
	uint32_t *due, ndue, due_cap; /* tasks that have many children now */
};
#define WIDE_SEEN_BITS 14

/* See tree_marks.c; writer. */
struct task_marks {
	uint64_t *bits, *words;
	uint32_t n; /* words of bits */
};

/* Messages from one checkpoint to the next, packed. */
struct talk_kept {
	uint8_t *p;
	size_t n;
};

/* A message that is noted by itself. */
struct talk_odd {
	int64_t t_ns; /* when it was taken */
	uint64_t bytes;
	uint32_t from, to;
};

#define DENSITY_BUCKETS 8192
#define TASK_DIRS       1024 /* of 1024 pieces of 4096 tasks */
#define PLACE_CACHE     64
#define ID_RECENT       16
#define TREE_AHEAD      32

struct model {
	_Atomic uint64_t bytes, events, lost, rewritten;
	_Atomic int64_t first_ns, last_ns;
	_Atomic uint64_t memory;      /* most bytes; 0: as many as it takes */
	_Atomic int64_t detail_ns;    /* leaves that end before are gone */
	_Atomic int64_t gone_ns;      /* or links and marks */
	int64_t nodes_ns[LOD_LEVELS]; /* SEE, PUT: nodes of a level before */
	_Atomic int finished;
	uint64_t log_bytes, frame_bytes; /* read so far; of the last frame */
	struct {
		_Atomic uint64_t n;
		uint64_t offset; /* of the first, as are those below */
		uint32_t number;
		uint8_t what; /* enum odd */
	} odd;
	int failed;    /* errno of what could not be kept */
	int no_leaves; /* see model_set_no_leaves() */
	struct retired retired;
	struct lod_store store; /* writer: packed leaves of all lanes */
	struct kind_info kinds[EVENT_KINDS];

	/* definitions */
	struct chunk names; /* of struct name_data */
	_Atomic uint32_t nnames;
	struct chunk nodes; /* of struct node_data */
	_Atomic uint32_t nnodes;
	struct chunk pos; /* of struct po_data, by order of definition */
	_Atomic uint32_t npos;
	struct idmap po_map; /* node << 32 | po */
	struct chunk locations;
	_Atomic uint32_t nlocations;
	struct chunk location_lane; /* of _Atomic uint32_t, lane + 1 */

	/* lanes */
	struct lod_state *states; /* STATES_MAX; untouched ones cost nothing */
	uint32_t nstates;
	struct idmap state_map;
	uint64_t state_key[256]; /* cache in front of it */
	uint16_t state_value[256];
	struct chunk lanes; /* of struct lane_data */
	_Atomic uint32_t nlanes;
	struct chunk threads; /* of uint32_t: lanes of threads */
	_Atomic uint32_t nthreads;
	struct chunk objects; /* of struct object */
	uint32_t nobjects, dirty_objects;
	struct idmap object_map;
	struct idmap lock_map;
	uint32_t nlocks;
	uint32_t objects_lane, locks_lane; /* groups; UINT32_MAX before */

	/* links and marks */
	struct interval links;     /* packed, see linkstore.c */
	struct chunk link_bases;   /* of int64_t */
	struct chunk link_origins; /* of struct link_origin */
	struct chunk wide_links;   /* of struct link */
	uint32_t nlink_origins, nwide_links;
	struct idmap link_origin_map;
	struct link_origin_cache link_origin_cache[LINK_ORIGINS_KEPT];
	struct interval marks;   /* of struct mark */
	struct interval alerts;  /* of struct mark: loss and doubt */
	struct interval losses;  /* of struct loss */
	_Atomic uint64_t remade; /* how often the past was told anew */
	struct open_table open;

	/* tasks, see tree_store.h */
	_Atomic(struct task_piece *) *task_dir[TASK_DIRS];
	_Atomic uint32_t ntasks;
	_Atomic uint32_t hanging; /* the task that is being hung */
	struct slab task_slab;
	struct chunk bigs;   /* of struct task_big */
	struct chunk odds;   /* of struct task_odd */
	struct chunk places; /* of struct task_place */
	uint32_t nbigs, nodds, nplaces;
	uint32_t big_free, odd_free; /* lists; UINT32_MAX: none */
	uint32_t odds_gone;          /* of those in odd_map */
	struct idmap odd_map, place_map;
	uint64_t place_key[PLACE_CACHE];
	uint32_t place_value[PLACE_CACHE];
	/* their ids, see tree_id.c */
	struct idmap id_pages;        /* upper part of an id -> page */
	struct chunk id_page;         /* of struct id_page */
	_Atomic uint32_t **id_blocks; /* slots of 16 pages each */
	uint32_t *id_low;             /* page + 1, where this part is low */
	uint32_t id_blocks_cap, id_low_cap;
	uint32_t nid_pages, nid_paged, id_page_free;
	struct id_recent {      /* pages that the writer used last */
		uint64_t key_1; /* key + 1; 0: none */
		uint32_t page;
	} id_recent[ID_RECENT];
	_Atomic(struct task_map *) task_map;
	struct chunk alone;      /* of uint64_t */
	struct chunk alone_task; /* of _Atomic uint32_t */
	_Atomic uint32_t nalone;
	struct chunk roots;                          /* of struct task_root */
	_Atomic uint32_t nroots, roots_left, levels; /* of the deepest */
	struct idmap root_map; /* task -> index in roots */
	/* tasks with very many children, see tree_wide.c */
	struct chunk wides; /* of struct tree_wide; the first: of the roots */
	uint32_t nwides;    /* SEE and PUT */
	uint32_t wide_free; /* list; UINT32_MAX: none */
	struct idmap wide_odd;
	uint64_t wide_seen[(1u << WIDE_SEEN_BITS) / 64]; /* by hash */
	_Atomic uint32_t npes, generation;
	_Atomic uint64_t tree_version;
	int tree_changed;           /* since it was counted up */
	uint32_t ahead[TREE_AHEAD]; /* see tree_ahead.c */
	struct task_count count;
	struct task_marks marked;
	int64_t spawn_ns;           /* of the last one */
	_Atomic uint32_t unordered; /* some were not told of in order */
	/* those that were given up, see tree_forget.h */
	struct chunk summaries;    /* of struct task_summary * */
	struct chunk summary_next; /* of uint32_t: list of free ones */
	uint32_t nsummaries, summary_free, forget_new, forget_piece, tasks_gone;
	uint32_t forget_below; /* younger ones stay */
	uint32_t forget_idle;  /* pieces looked at in vain */
	uint32_t tasks_ended, forget_ended;
	_Atomic uint32_t tree_epoch; /* odd while it happens */

	/* events per time */
	pthread_mutex_t density_lock; /* while buckets are folded or read */
	int64_t density_t0;
	unsigned density_shift; /* a bucket is 1 << this ns; 0: none yet */
	_Atomic uint32_t density[DENSITY_BUCKETS];

	/* plan.c: where the log has what */
	struct {
		struct chunk blocks, checkpoints;
		uint32_t nblocks, ncheckpoints;
		uint64_t events, kept; /* in it; at the last checkpoint */
		int64_t reach_ns;
	} log;
	/* talklog.c: messages taken, by processes */
	struct talk_log {
		struct talk_sums now; /* since the last that is kept */
		struct chunk kept;    /* of struct talk_kept */
		struct chunk odd;     /* of struct talk_odd */
		uint32_t nkept, nodd;
		uint32_t grain;   /* checkpoints from one to the next */
		uint64_t bytes;   /* of what is kept */
		bool lost;        /* nothing is kept any more */
		int64_t until_ns; /* in a detail: those taken before count */
	} talk_log;
	/* a stretch fetched back, and sums at ends: the one reader's */
	struct model *detail;
	struct edges *edges;
	struct sweep *sweep;
	struct talk *talk;
	uint64_t details;              /* so far */
	_Atomic uint64_t detail_bytes; /* of it, and of what is fetched now */
	/* this is one: of the writer of `whole`, until it is ready */
	struct model *whole; /* NULL: it is none */
	int64_t known0_ns, known1_ns;
	uint32_t skip;     /* events of the next block that are known */
	uint64_t reserved; /* of the whole's detail_bytes */

	/* scratch of model_add_frame */
	struct event *batch;
	size_t batch_cap;
	struct buf scratch;
};

/* model.c: how many there are, but for details; one of them is a detail */
int model_count(void);
void model_is_detail(void);

/* ahead.c: writer; asks for the memory of e[0] and those behind it, of which
 * `left` are there */
void ahead(struct model *, const struct event *, size_t left);

/* detail.c */
void detail_clear(struct model *);

#endif
