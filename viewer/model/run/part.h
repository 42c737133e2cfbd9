/* The part of a model that is the run's; see keep/held.h. */
#ifndef VIEWER_RUN_PART_H
#define VIEWER_RUN_PART_H

#include <pthread.h>

#include "event.h"
#include "model/keep/durations.h"
#include "model/keep/interval.h"
#include "model/keep/slowest.h"
#include "model/lod/lod.h"
#include "model/lod/lodstore.h"
#include "model/run/run.h"
#include "model/run/talksums.h"
#include "model/tree/part.h"

#define NODES_MAX      65535u
#define NODES_RANKED   1024 /* more have their number instead */
#define NODES_LACKING  1024 /* definitions that a log may lack */
#define DEPTH_LANES    LANE_DEPTHS_DRAWN
#define DEPTH_DEEP     8     /* these are used seldom */
#define DEPTH_MAX      65535 /* deeper spans are not known */
#define STACK_MAX      (DEPTH_MAX + DEPTH_LANES) /* with waits */
#define LOCK_LANES_MAX 4096 /* and conditions, semaphores, ... */
#define OBJECT_COLOURS (LANE_CLASSES - LANE_OBJECT_NODE)

struct function;
struct hand;
struct sums;
struct sweep;

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
	uint32_t lane; /* of thread 0: its PO's; of PO 0: its node's */
	uint32_t runs; /* has a lane of its own */
	uint32_t po_number, said;  /* said: name of its last EV_state */
	int64_t first_ns, last_ns; /* SEE and PUT; first: INT64_MAX before */
	int64_t lost_ns;           /* its last loss; INT64_MIN: none */
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

struct lane_data {
	struct lane pub;
	_Atomic(char *) label;     /* name of a thread */
	_Atomic uint32_t renamed;  /* name of a later one, or its own; 0 */
	int64_t renamed_ns;        /* writer: when */
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
struct function {
	_Atomic uint32_t turn;   /* odd while sums are changed */
	struct going_on open;    /* threads that are in it */
	struct name_stats stats; /* of what is over; SEE and PUT */
	struct going_on asleep;  /* suspended tasks */
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

/* The run as a whole. */
struct facts {
	_Atomic uint64_t events, lost, rewritten;
	_Atomic int64_t first_ns, last_ns;
	_Atomic uint64_t memory;      /* most bytes; 0: as many as it takes */
	_Atomic int64_t detail_ns;    /* leaves that end before are gone */
	_Atomic int64_t gone_ns;      /* or links and marks */
	int64_t nodes_ns[LOD_LEVELS]; /* SEE, PUT: nodes of a level before */
	_Atomic int finished;
	_Atomic uint64_t remade;         /* how often the past was told anew */
	uint32_t ncheckpoints;           /* taken so far */
	uint64_t log_bytes, frame_bytes; /* read so far; of the last frame */
	struct {
		_Atomic uint64_t n;
		uint64_t offset; /* of the first, as are those below */
		uint32_t number;
		uint8_t what; /* enum odd */
	} odd;
	int no_leaves; /* see model_set_no_leaves() */
};

/* Definitions; define.c. */
struct defs {
	struct chunk names; /* of struct name_data */
	_Atomic uint32_t nnames;
	struct chunk functions; /* of struct function */
	_Atomic uint32_t nfunctions;
	struct idmap function_map; /* by kind and name */
	struct chunk called; /* of uint32_t: names, as they were first run */
	_Atomic uint32_t ncalled;
	struct chunk nodes; /* of struct node_data */
	_Atomic uint32_t nnodes;
	struct chunk pos; /* of struct po_data, by order of definition */
	_Atomic uint32_t npos;
	struct chunk talks; /* of struct talk_cell */
	_Atomic uint32_t ntalks;
	struct idmap po_map;   /* node << 32 | po */
	struct idmap text_map; /* hash of a text, and of a text and its place */
	struct chunk locations;
	_Atomic uint32_t nlocations;
	struct chunk location_lane; /* of _Atomic uint32_t, lane + 1 */
	struct hand *hand; /* of the user, and his; UI thread only; NULL */
};

struct lanes {
	struct lod_store store;   /* writer: packed leaves of all lanes */
	struct lod_state *states; /* STATES_MAX; untouched ones cost nothing */
	struct function **state_function; /* of as many; NULL: not known */
	uint32_t nstates;                 /* SEE and PUT */
	struct idmap state_map;
	uint64_t state_key[256]; /* cache in front of it */
	uint16_t state_value[256];
	struct chunk lanes; /* of struct lane_data */
	_Atomic uint32_t nlanes;
	struct chunk threads; /* of uint32_t: lanes of threads */
	_Atomic uint32_t nthreads;
	uint32_t ndeep;   /* depth lanes from DEPTH_DEEP on, and those */
	uint32_t nhidden; /* that are not drawn */
};

struct objects {
	struct chunk objects; /* of struct object */
	uint32_t nobjects, dirty_objects;
	struct idmap object_map;
	struct chunk requests; /* of struct object_request */
	uint32_t nrequests;
	struct idmap request_map;
	struct chunk orders; /* of struct order_data */
	uint32_t norders;
	struct idmap order_map, move_map; /* by id; by object and hop */
	struct idmap lock_map, sync_map[SYNC_SORTS];
	uint32_t nlocks, nsyncs[SYNC_SORTS];
	uint32_t objects_lane, locks_lane; /* groups; UINT32_MAX before */
};

struct links {
	struct interval links;     /* packed, see linkstore.c */
	struct chunk link_bases;   /* of int64_t */
	struct chunk link_origins; /* of struct link_origin */
	struct chunk wide_links;   /* of struct link */
	uint32_t nlink_origins, nwide_links;
	struct idmap link_origin_map;
	struct link_origin_cache link_origin_cache[LINK_ORIGINS_KEPT];
	struct open_table open;
};

/* Before it was told of: nobody knows what a thread did from then to then. */
struct loss {
	int64_t t0_ns, t1_ns;
};

struct marks {
	struct interval marks;  /* of struct mark */
	struct interval alerts; /* of struct mark: loss and doubt */
	struct interval losses; /* of struct loss */
};

#define DENSITY_BUCKETS 8192
/* Events per time. */
struct density {
	pthread_mutex_t density_lock; /* while buckets are folded or read */
	int64_t density_t0;
	unsigned density_shift; /* a bucket is 1 << this ns; 0: none yet */
	_Atomic uint32_t density[DENSITY_BUCKETS];
};

/* An event of memory; heap.c. */
struct heap_event {
	int64_t t_mon_ns;
	uint64_t a, b;
	uint32_t c;
	uint32_t location : 24, kind : 8;
};
#define HEAP_LOCATION 0xffffffu
struct heap {
	struct chunk events; /* of struct heap_event */
	_Atomic uint32_t n;
	_Atomic bool cut;
};

/* Counters; counters.c. */
struct counters {
	pthread_mutex_t lock; /* of all series */
	struct chunk data;    /* of struct counter_data */
	/* lane << 32 | name; [1]: of real ones; [2]: of declared kinds the
	 * first of those of an event */
	struct idmap map[3];
	struct own *own; /* the writer's */
	_Atomic uint32_t n;
};

/* Threads as the scheduler saw them; scheds.c; locked as counters are. */
struct scheds {
	struct chunk data;     /* of struct sched_data */
	struct chunk from;     /* of int64_t, by number of the PO */
	struct idmap map;      /* number of the PO << 32 | tid */
	struct idmap tid_map;  /* the same, to lanes */
	struct idmap lane_map; /* from a lane to the last of its threads */
	_Atomic uint32_t n;
};

/* What samplers have found; samples.c. */
struct samples {
	struct chunk found;  /* of struct sample */
	struct chunk stacks; /* of struct sample_stack */
	struct idmap map;    /* number of the PO << 32 | stack's, to an index */
	_Atomic uint32_t n, nstacks;
};

/* From where functions are called; sites.c. */
struct sites {
	struct chunk modules; /* of struct module */
	uint32_t nmodules;
	struct chunk found; /* of struct call_site */
	_Atomic uint32_t n;
	struct idmap map; /* of PO, function and address, to an index */
};

/* Phases that have ended; phases.c. */
struct phases {
	struct chunk found; /* of struct phase */
	_Atomic uint32_t n;
	_Atomic uint64_t left; /* more than those: left out */
};

/* Messages taken, by processes; talklog.c. */
struct talk_log {
	struct talk_sums now; /* since the last that is kept */
	struct chunk kept;    /* of struct talk_kept */
	struct chunk odd;     /* of struct talk_odd */
	uint32_t nkept, nodd;
	uint32_t grain;   /* checkpoints from one to the next */
	uint64_t bytes;   /* of what is kept */
	bool lost;        /* nothing is kept any more */
	int64_t until_ns; /* in a detail: those taken before count */
};

/* What was fetched back, and of a model that was, what it is part of. */
struct fetched {
	/* a stretch, and sums of ranges: the one reader's */
	struct model *detail;
	struct sums *range_ends, *messages;
	struct sweep *sweep;
	uint64_t details;              /* so far */
	_Atomic uint64_t detail_bytes; /* of it, and of what is fetched now */
	/* this is one: of the writer of `whole`, until it is ready */
	struct model *whole; /* NULL: it is none */
	int64_t known0_ns, known1_ns;
	uint64_t reserved; /* of the whole's detail_bytes */
};

struct run_part {
	struct tree_part below;
	struct facts facts;
	struct defs defs;
	struct lanes lanes;
	struct shelves shelves;
	struct objects objects;
	struct links links;
	struct marks marks;
	struct density density;
	struct counters counters;
	struct scheds scheds;
	struct samples samples;
	struct sites sites;
	struct phases phases;
	struct heap heap;
	struct talk_log talklog;
	struct fetched fetched;
};

static inline struct facts *
facts_of(const struct model *m)
{
	return (&((struct run_part *)m)->facts);
}

static inline struct defs *
defs_of(const struct model *m)
{
	return (&((struct run_part *)m)->defs);
}

static inline struct lanes *
lanes_of(const struct model *m)
{
	return (&((struct run_part *)m)->lanes);
}

static inline struct shelves *
shelves_of(const struct model *m)
{
	return (&((struct run_part *)m)->shelves);
}

static inline struct objects *
objects_of(const struct model *m)
{
	return (&((struct run_part *)m)->objects);
}

static inline struct links *
links_of(const struct model *m)
{
	return (&((struct run_part *)m)->links);
}

static inline struct marks *
marks_of(const struct model *m)
{
	return (&((struct run_part *)m)->marks);
}

static inline struct density *
density_of(const struct model *m)
{
	return (&((struct run_part *)m)->density);
}

static inline struct heap *
heap_of(const struct model *m)
{
	return (&((struct run_part *)m)->heap);
}

static inline struct counters *
counters_of(const struct model *m)
{
	return (&((struct run_part *)m)->counters);
}

static inline struct samples *
samples_of(const struct model *m)
{
	return (&((struct run_part *)m)->samples);
}

static inline struct sites *
sites_of(const struct model *m)
{
	return (&((struct run_part *)m)->sites);
}

static inline struct phases *
phases_of(const struct model *m)
{
	return (&((struct run_part *)m)->phases);
}

static inline struct scheds *
scheds_of(const struct model *m)
{
	return (&((struct run_part *)m)->scheds);
}

static inline struct talk_log *
talklog_of(const struct model *m)
{
	return (&((struct run_part *)m)->talklog);
}

static inline struct fetched *
fetched_of(const struct model *m)
{
	return (&((struct run_part *)m)->fetched);
}

static inline struct lod_env
lane_env(struct model *m)
{
	return ((struct lod_env){ lanes_of(m)->states, &held_of(m)->bytes,
	    &held_of(m)->retired,
	    facts_of(m)->no_leaves ? NULL : &lanes_of(m)->store });
}

/* Of a detail the model that knows names, tasks and numbers. */
static inline struct model *
whole_of(const struct model *m)
{
	return (fetched_of(m)->whole != NULL ? fetched_of(m)->whole
					     : (struct model *)m);
}

/* Reader: the model that answers for [t0, t1), of a lane. */
static inline const struct model *
detail_for(const struct model *m, int64_t t0, int64_t t1)
{
	const struct model *d = fetched_of(m)->detail;

	return (d != NULL && t0 >= fetched_of(d)->known0_ns &&
			t1 <= fetched_of(d)->known1_ns
		    ? d
		    : m);
}

static inline const struct model *
detail_of_lane(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	const struct model *d = detail_for(m, t0, t1);

	return (lane < model_lanes(d) ? d : m);
}
#endif
