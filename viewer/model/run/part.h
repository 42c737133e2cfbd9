/* The part of a model that is the run's; see keep/held.h. */
#ifndef VIEWER_RUN_PART_H
#define VIEWER_RUN_PART_H

#include <pthread.h>

#include "event.h"
#include "model/keep/interval.h"
#include "model/lod/lod.h"
#include "model/lod/lodstore.h"
#include "model/run/records.h"
#include "model/run/run.h"
#include "model/tree/part.h"

struct hand;
struct sums;
struct sweep;

/* The run as a whole. */
struct facts {
	_Atomic uint64_t events, lost, rewritten;
	_Atomic int64_t first_ns, last_ns;
	_Atomic uint64_t memory;      /* most bytes; 0: as many as it takes */
	_Atomic int64_t detail_ns;    /* leaves that end before are gone */
	_Atomic int64_t gone_ns;      /* or links and marks */
	_Atomic int64_t marks_ns;     /* marks alone */
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

#define LINK_TAGS      254
#define LINK_TAG_SLOTS 512
struct links {
	struct interval links;   /* packed, see linkstore.c */
	struct chunk link_bases; /* of int64_t */
	struct chunk link_tags;  /* of uint8_t: place in tag + 1, 0: none */
	uint32_t tag[LINK_TAGS], ntags;
	uint8_t tag_slot[LINK_TAG_SLOTS]; /* place + 1, by a hash; 0: free */
	struct chunk link_origins;        /* of struct link_origin */
	struct chunk wide_links;          /* of struct link */
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

/* An event that is added up when it is asked for; eventlist.h. */
struct listed_event {
	int64_t t_mon_ns;
	uint64_t a, b;
	uint32_t c;
	uint32_t location : 24, kind : 8;
};
#define LISTED_LOCATION 0xffffffu
struct event_list {
	struct chunk events; /* of struct listed_event */
	_Atomic uint32_t n;
	_Atomic bool cut;
};

/* From where functions are called; sites.c. */
struct sites {
	struct chunk modules; /* of struct module */
	uint32_t nmodules;
	struct chunk found; /* of struct call_site */
	_Atomic uint32_t n;
	struct idmap map; /* of PO, function and address, to an index */
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
	struct sites sites;
	struct event_list heap;   /* of memory */
	struct event_list counts; /* of locks */
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

static inline struct event_list *
lock_counts_of(const struct model *m)
{
	return (&((struct run_part *)m)->counts);
}

static inline struct event_list *
heap_of(const struct model *m)
{
	return (&((struct run_part *)m)->heap);
}

static inline struct sites *
sites_of(const struct model *m)
{
	return (&((struct run_part *)m)->sites);
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
