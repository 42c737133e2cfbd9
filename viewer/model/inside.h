/*
 * The inside of the model.  Fields are the writer's own unless they are
 * atomic, in a chunk below a published count, or said to be read.
 */
#ifndef VIEWER_INSIDE_H
#define VIEWER_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "message.h"
#include "model/keep/chunk.h"
#include "model/keep/idmap.h"
#include "model/keep/interval.h"
#include "model/keep/retired.h"
#include "model/keep/slab.h"
#include "model/lod/lod.h"
#include "model/lod/lodstore.h"
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

static inline struct lod_env
lane_env(struct model *m)
{
	return ((struct lod_env){ m->states, &m->bytes, &m->retired,
	    m->no_leaves ? NULL : &m->store });
}

/* Of a detail the model that knows names, tasks and numbers. */
static inline struct model *
whole_of(const struct model *m)
{
	return (m->whole != NULL ? m->whole : (struct model *)m);
}

/* Reader: the model that answers for [t0, t1), of a lane. */
static inline const struct model *
detail_for(const struct model *m, int64_t t0, int64_t t1)
{
	const struct model *d = m->detail;

	return (d != NULL && t0 >= d->known0_ns && t1 <= d->known1_ns ? d : m);
}

static inline const struct model *
detail_of_lane(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	const struct model *d = detail_for(m, t0, t1);

	return (lane < model_lanes(d) ? d : m);
}

/* Before it was told of: nobody knows what a thread did from then to then. */
struct loss {
	int64_t t0_ns, t1_ns;
};
/* marks.c: writer */
void loss_add(struct model *, int64_t t0_ns, int64_t t1_ns);

/* laneread.c: how long the last state of a lane holds */
int64_t lane_until(const struct model *, uint32_t lane);

/* edges.c: exact sums of a lane in [t0, t1); false: they are not known */
bool edges_sum(const struct model *, uint32_t lane, int64_t t0, int64_t t1,
    struct lod_sum *);

/* laneread.c: the task's id that a piece's number stands for. */
uint64_t span_id(const struct model *, uint32_t number);

/* odd.c: writer; what makes no sense is left out, and noted */
enum odd {
	ODD_FRAME,    /* cannot be read: number is its type */
	ODD_NUMBER,   /* of a definition, or a location: see tracefile.h */
	ODD_KIND,     /* described as none can be */
	ODD_TIME,     /* too far from all others: number is the frame's type */
	ODD_SEGMENT,  /* of the clock of a node without a definition */
	ODD_NODE,     /* in what monitord tells of one */
	ODD_LOCATION, /* without a definition; if it can be, it is shown */
	ODDS
};
void odd_note(struct model *, enum odd, uint32_t number);
/* As far as the log has been read, see tracefile_number_max(). */
bool number_is_possible(const struct model *, uint32_t number);
/* The same of a node: each frame walks over all that there may be. */
bool node_is_possible(const struct model *, uint32_t node);
/*
 * Monitor times lie within 18 years of the start of that clock: there is room
 * for margins and for several times a range in sight.
 */
#define NEAR_NS ((int64_t)1 << 59)
static inline bool
time_is_near(int64_t t_ns)
{
	return (t_ns >= -NEAR_NS && t_ns <= NEAR_NS);
}
/* A duration that an event tells of. */
static inline int64_t
word_ns(uint64_t word)
{
	return (word < (uint64_t)NEAR_NS ? (int64_t)word : NEAR_NS);
}
/* As many events as a block may have, at such times; else that is noted. */
bool block_is_possible(struct model *, const struct msg_block *);

/* model.c: how many there are, but for details; one of them is a detail */
int model_count(void);
void model_is_detail(void);

/* define.c */
int define_frame(struct model *, const struct frame *);
struct location *define_location(struct model *, uint32_t location);
void define_clear(struct model *);

/* lanes.c: writer */
struct lane_data *lane_at(const struct model *, uint32_t id);
/* UINT32_MAX: memory is out. */
uint32_t lane_add(struct model *, const struct lane *, int with_lod);
uint16_t lane_state(struct model *, uint8_t class, uint8_t kind, uint32_t name,
    int fresh);
void lane_change(struct model *, uint32_t lane, int64_t t, uint16_t state,
    uint32_t id);
/* Made when it is new; UINT32_MAX: there cannot be such a node. */
uint32_t lane_of_node(struct model *, uint32_t node);
/* Reader, too: NULL, nothing has been said of this node. */
struct node_data *node_defined(const struct model *, uint32_t node);

/* threads.c, objects.c: writer, one event each */
void thread_event(struct model *, struct location *, const struct event *,
    uint32_t task);
void thread_process_over(struct model *, uint32_t po_lane, int64_t t_ns);
/* Its lanes show the spans that it is in, each from when it began. */
void thread_reopen(struct model *, struct location *);
/* In a detail that ends before its spans have nested, but later they do. */
void thread_flat(struct model *, struct location *);
void object_event(struct model *, struct location *, const struct event *);
void lock_event(struct model *, struct location *, const struct event *);
void objects_rebuild(struct model *); /* those that late events have touched */

/* links.c, for early.c: by key; NULL: it is not there; NULL: ENOMEM. */
struct open_pair *open_find(struct open_table *, uint64_t key);
struct open_pair *open_add(struct model *, struct open_table *, uint64_t key);
/* early.c: this cause is the last that the effect has lacked */
void early_found(struct model *, const struct open_pair *, const struct event *,
    const struct kind_info *);
/* One of several that share their causes, some of which are not there yet. */
void early_waits(struct model *, const struct event *, const struct kind_info *,
    uint64_t key);
/* Another cause of theirs: it may have been the last that they lacked. */
void early_others(struct model *, const struct event *,
    const struct kind_info *, uint64_t key);

/* links.c: writer; objects.c the lane of an object */
void link_event(struct model *, struct location *, const struct event *);
void link_ahead(const struct model *, const struct event *); /* its memory */
uint32_t object_lane(struct model *, uint64_t id);

/* linkstore.c: writer */
void links_init(struct model *);
void links_clear(struct model *);
void link_add(struct model *, const struct link *);
/* The effect of link i has come. */
void link_finish(struct model *, uint32_t i, int64_t t_ns, uint32_t lane,
    uint16_t flags);

/* In a detail: link i has an effect, but it is not known. */
void link_drop(struct model *, uint32_t i);
/* In a detail that is ready: drops those that only seem to have no effect. */
void links_check(struct model *);
/* In a detail: some that began before t_ns have an effect still to come. */
bool links_lack(const struct model *, int64_t t_ns);
/* Links under way, of the last LAST_CAUSES causes; how many. */
uint32_t links_waiting(const struct model *, struct link_waiting *);
/* They are under way in this model, too.  -1: ENOMEM. */
int links_await(struct model *, const struct link_waiting *, uint32_t n);
/* linkstore.c: false: it is gone. */
bool link_get(const struct model *, uint32_t i, struct link *);

/* Gives up the oldest that hold so many bytes; those before this are gone. */
int64_t links_forget(struct model *, uint64_t bytes);

/* marks.c: writer */
void mark_add(struct model *, uint32_t lane, const struct event *);
uint32_t object_lane(struct model *, uint64_t id);

/* tasks.c: writer; returns the number of the task */
uint32_t task_event(struct model *, struct location *, const struct event *);
void task_ran(struct model *, uint32_t task, int64_t ns); /* one stretch */

/* tree_make.c: writer */
void tree_init(struct model *);
void tree_settle(struct model *); /* counters of the ancestors */
/* Asks the memory for what the event ahead[0], and those behind it, will
 * need; left of them are there. */
void tree_ahead(struct model *, const struct event *ahead, size_t left);
void tree_clear(struct model *);
/* Finished tasks of some of the pieces become summaries. */
void tree_forget(struct model *);
uint64_t tree_bytes(const struct model *);

/* tables.c: writer */
struct name_stats *stats_of(struct model *, uint32_t name);
void stats_message(struct model *, uint32_t po0, uint32_t po1, uint64_t bytes);
void density_add(struct model *, int64_t t);
void density_read(const struct model *, int64_t t0, int64_t t1, unsigned n,
    uint32_t *out);

/* talklog.c: writer.  A message is taken; odd: see talk.h */
void talklog_note(struct model *, uint32_t from, uint32_t to, uint64_t bytes,
    int64_t t_ns, bool odd);
/* The sums since the last ones are put away; of less, when that is much.  -1:
 * ENOMEM. */
int talklog_keep(struct model *);
/* From now on they are not to be had. */
void talklog_give_up(struct model *);
/* Adds the i-th of those that are kept.  -1: ENOMEM. */
int talklog_add(const struct model *, uint32_t i, struct talk_sums *to);
void talklog_init(struct model *);
void talklog_clear(struct model *);
/* talk.c: a checkpoint has been added.  -1: ENOMEM. */
int talk_keep(struct model *);

/* ahead.c: writer; asks for the memory of e[0] and those behind it, of which
 * `left` are there */
void ahead(struct model *, const struct event *, size_t left);

/* forget.c: writer, after a batch of events */
void forget(struct model *);
/* For a model that is kept without single changes, see lod_keep_last(). */
int keep_last_leaves(struct model *);
void forget_leaves(struct model *);

/* plan.c: where the log has a block */
struct log_block {
	uint64_t offset;
	uint64_t before; /* events in the blocks before */
	int64_t first_ns;
	int64_t reach_ns; /* latest event of all so far but late ones */
	uint32_t bytes, events;
	uint32_t late;
};

struct log_checkpoint {
	struct checkpoint *c;
	uint32_t odd;   /* messages noted by themselves before it, see talk.h */
	uint32_t block; /* it stands before, or within */
	uint32_t skip;  /* events of that block that are before */
	int64_t last_ns;
};

static inline const struct log_block *
block_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->log.blocks, i));
}

/* plan.c: writer.  A block is about to be taken; of it, the figures count. -1:
 * ENOMEM. */
int plan_note_block(struct model *, const struct msg_block *,
    size_t frame_bytes, uint64_t offset);
void plan_init(struct model *);
void plan_clear(struct model *);

/* detail.c */
void detail_clear(struct model *);

/* health.c */
void health_init(struct node_data *);
void health_clear(struct node_data *);
void health_segment(struct model *, struct node_data *,
    const struct msg_segment *);
void health_event(struct model *, uint32_t node, const struct event *);

#endif
