/*
 * One node: its collector's two connections, its clock, and what it has sent
 * that is not acknowledged yet.
 */
#ifndef MONITORD_NODES_H
#define MONITORD_NODES_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "monitord/clock/clocksync.h"
#include "monitord/run/nodehost.h"

struct monitord_core;
struct guest;

enum node_state {
	NODE_NEW,     /* expected, has not come yet */
	NODE_SYNCING, /* is here, but its times cannot be mapped yet */
	NODE_RUNNING,
	NODE_GONE, /* was here */
	NODE_STATES
};

/*
 * The end of a run, in three steps: first everything is sent and acknowledged,
 * however long that takes, then the collector is asked to stop, which may have
 * it say some more, and when that is on disk it is let go.  It stays until
 * then: when the connection is lost on the way it comes back, and all begins
 * again.
 */
enum node_end {
	NODE_GOES_ON,
	NODE_ASKED,    /* to tell everything */
	NODE_TOLD,     /* everything, but not all of it is on disk */
	NODE_STOPPING, /* asked to stop */
	NODE_FINISHED
};

/* A batch that is not acknowledged: the last event of each stream in it. */
struct node_batch {
	STAILQ_ENTRY(node_batch) entry;
	uint64_t number;
	size_t nlast;
	struct node_last {
		uint32_t location;
		uint64_t next_seq; /* stored when the location is this far */
	} last[];
};

/* Numbers of a collector to numbers of the run: a hash. */
struct node_map {
	struct {
		uint64_t key;
		uint32_t to; /* REGISTRY_NONE: free */
	} * slots;
	size_t n, cap;
};

/* Names of a PO by their number, 1 to n - 1, to those of the run. */
struct node_names {
	uint32_t *to;
	uint32_t n, cap;
	/* of those that its collector has given: of places in the code */
	uint32_t *places, nplaces, places_cap;
	char *program; /* the PO's; NULL: not told */
};

/* A clock that the node had; batches of its time may still come. */
struct node_past {
	struct node_past *before;
	struct clocksync *sync;
	uint64_t from; /* first start of the collector with this clock */
};

/*
 * A connection whose hello names an older start than one that was here: of a
 * spool that was made anew, or the last word of a collector that is dead.
 */
struct node_older {
	struct guest *guest; /* NULL: none */
	uint64_t epoch, since;
	uint32_t pid;
	char machine[160];
};

/* The clock of a node's machine, and for which starts of the collector. */
struct node_clocks {
	struct clocksync *sync;
	struct env_timer *ping;
	struct node_past *past;
	/* starts of the collector: the newest; the newest and the first that
	 * the present clock is known to hold for; that of the connection */
	uint64_t start, sync_start, sync_from, clock_start;
	uint64_t since; /* the first of this boot of its machine; 0: unknown */
};

/* What its numbers are in the run. */
struct node_numbers {
	struct node_map streams; /* to locations */
	struct node_map pos;     /* to places in names */
	struct node_names *names;
	size_t npos;
	struct node_map odd_names; /* out of turn: by PO and number */
};

/* What is told of it when somebody asks, and at the end. */
struct node_counts {
	/* could not attach: as the collectors before this one said, as it says
	 */
	uint64_t unattached_before, unattached;
	uint64_t unrecorded_before, unrecorded;
	char unattached_why[200];
	uint32_t beyond; /* threads in this session that the run cannot hold */
	uint64_t gone;   /* lost with its spool, since we were started */
	uint64_t events, events_before; /* received, new ones only */
	uint32_t rate, connects, gaps;
	uint32_t gap_connects; /* `connects` when a gap last closed it */
	uint64_t late, bad_names, futures;
	int64_t late_by_ns;
	uint64_t late_now; /* not yet said in the log */
};

struct node {
	TAILQ_ENTRY(node) entry;
	struct monitord_core *core;
	enum node_state state;
	char name[64];
	uint32_t number; /* 0: not yet in the log */
	uint64_t epoch;  /* of the spool */
	char machine[160];
	uint32_t pid;

	struct guest *data, *clock;
	struct node_older older;
	bool paused; /* for back-pressure */
	struct node_clocks clocks;

	STAILQ_HEAD(, node_batch) batches;
	struct node_numbers numbers;
	uint8_t *parked; /* frames that wait for the clock */
	size_t parked_bytes;

	uint64_t last_batch, acked; /* numbers */
	uint64_t due;        /* the batch that comes next; 0: it has not said */
	bool says_due;       /* it has, in this session or before */
	int64_t mark_mon_ns; /* INT64_MIN: none yet */
	int64_t heard_ns;    /* monitor clock; gone: since when */
	int64_t batch_ns;    /* when its last batch came */
	int64_t moved_ns;    /* when it last told what had not been told */
	struct msg_heartbeat told;  /* the last one */
	enum node_end end, end_top; /* now, and as far as it ever came */
	bool let_go;
	bool given_up;

	uint64_t chosen;  /* the change of the choice that is in force there */
	uint32_t classes; /* recorded without any; 0: has not said */

	struct node_counts counts;
	struct nodehost host;
	char note[700]; /* of its launcher */
};

#endif
