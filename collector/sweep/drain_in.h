/* What drain*.c and their helpers share; for nobody else. */
#ifndef COLLECTOR_DRAIN_IN_H
#define COLLECTOR_DRAIN_IN_H

#include "collector/sweep/code/places.h"
#include "drain.h"
#include "event.h"

#define DRAIN_CHUNK 1024u /* records copied at a time */

/* A collector's own state of a ring, between CLOSED and FREE. */
#define RING_RECLAIM 4u

/* Our side of one ring. */
struct slot {
	struct stream *st; /* NULL: no thread has it */
	uint64_t tail;     /* in the spool: what the shared tail says */
	uint64_t taken;    /* in the batch */
	uint64_t head;     /* at the last look */
	uint64_t checked;  /* head at the last check of its thread */
	uint64_t invalid;  /* records that made no sense */
	int64_t bound_ns;  /* every event before this has been taken */
	int64_t last_ns;   /* of what was taken, the latest */
	int64_t held_ns;   /* since when it is TAKEN but not LIVE */
	uint32_t emptied;  /* generations whose memory has been given back */
	uint32_t open[EVENT_CLASSES]; /* begun and not ended, as taken */
	bool active;                  /* at the last look */
	bool closing;                 /* no more will come */
	bool rest;    /* losses after the last record have been told */
	bool done;    /* its account is made; to be given back */
	bool hostile; /* not looked at any more */
	bool unread;  /* has a thread, for which there is no memory */
};

/* What is recorded of a PO (drain_choice.c). */
struct po_choice {
	bool begun, full;
	uint32_t serial; /* of the rules in its memory */
	uint32_t n;      /* of these */
	/* in its mask, when events are taken at all; of these unwanted; of
	 * these some, by name */
	uint32_t mask, unwanted, some;
	unsigned calm;            /* looks at which nothing unwanted was open */
	uint32_t classes, before; /* to be told, and told last */
	char *text, *told;        /* the same in words; text NULL: is told */
	uint32_t cap;
	bool capped;       /* it had one, ever */
	uint64_t *counted; /* calls beyond it, by slot, as told */
};

struct drain_po {
	struct drain *d;
	struct po *po;
	struct source source;
	struct slot *slots;
	struct places *places;        /* NULL: nothing is known of its code */
	uint32_t used;                /* slots ever looked at */
	uint64_t names_at;            /* bytes of names read */
	uint64_t no_ring;             /* events without a ring, as told */
	int64_t floor_ns;             /* it was not attached before */
	int64_t begun_ns;             /* attached or adopted */
	int64_t said_ns;              /* the time of our last word about it */
	int64_t left_ns;              /* when it was detached */
	int64_t code_looked_ns;       /* when somebody looked for its code */
	uint32_t ending;              /* how its process has ended */
	uint64_t published, lost;     /* by threads that have ended */
	struct po_measures *measures; /* NULL: none was told */
	struct sampled *sampled;      /* NULL: it never was */
	struct po_choice choice;
	bool loss_told; /* somebody has been warned */
	bool names_bad;
	bool names_behind; /* the last take has left some */
	bool names_full;   /* it has more than there is room for: said */
	bool detached, clean, warned, recovered;
	bool looked; /* at its rings, since it was detached */
	bool fresh;  /* its begin is told, but in no batch yet */
	bool buried; /* its memory is gone */
	bool ended;  /* its po_end has been told */
	bool done;   /* its accounts are made; to be given back */
};

struct drain {
	struct ident *ident;
	struct batch_writer *writer;
	const struct drain_ops *ops;
	void *arg;
	struct drain_po **pos;
	size_t npos, threads;
	struct nodeclock *clocks, own[DRAIN_CLOCKS];
	int64_t now_ns[DRAIN_CLOCKS];    /* as read last, on each clock */
	int64_t latest_ns[DRAIN_CLOCKS]; /* the latest that was ever read */
	int64_t vouch_ns[DRAIN_CLOCKS];  /* of an earlier one: see drain.c */
	int64_t mark_ns[DRAIN_CLOCKS];   /* becomes vouch_ns */
	int64_t watermark_ns;
	bool urgent, active, holding, resumed;
	bool unready;               /* some rings could not be looked at */
	uint8_t kinds[EVENT_KINDS]; /* KIND_... */
	uint8_t spans[EVENT_KINDS]; /* class << 2 | SPAN_BEGINS or _ENDS; 0 */
	uint64_t names_taken;       /* bytes of names read in this take */
	struct ring_record records[DRAIN_CHUNK];
	struct node_event events[DRAIN_CHUNK];
};

/* What a program may say. */
enum {
	KIND_OK = 1,
	KIND_NAMED = 2, /* word c is a name */
	KIND_LOST = 4,
	KIND_CODE = 8, /* word a is an address of code, and c its name */
};

void drain_kinds(uint8_t kinds[EVENT_KINDS]);

enum {
	SPAN_BEGINS = 1,
	SPAN_ENDS = 2,
};
void drain_spans(uint8_t spans[EVENT_KINDS]);

/*
 * Copies n records into events on the node's clock, with the times that their
 * program has stamped; what makes no sense becomes an EV_lost.  Counts losses
 * in slot->st.
 */
void drain_convert(struct drain_po *, struct slot *, const struct ring_record *,
    struct node_event *, size_t n);

/*
 * Defines the names that the program has interned since.  1: not all of them,
 * its events have to wait; -1: ENOMEM, or full() did.
 */
int drain_names(struct drain_po *);
void drain_names_skip(struct drain_po *);

/* An address of code gets its name. */
void drain_places_convert(struct drain_po *, struct node_event *);
/* Defines those that are new.  -1: ENOMEM. */
int drain_places_tell(struct drain_po *);
/* Says what has no name. */
void drain_places_end(const struct drain_po *);
/* What the journal knows of the code of one that is adopted.  -1: ENOMEM. */
int drain_places_again(struct drain_po *);

void drain_watermark_advance(struct drain *);

/* drain_ring.c: the memory of a slot's ring */
const struct ring_record *drain_ring_records(struct drain_po *, struct slot *);
/* Generations of it that are given back: the process may say what it likes. */
uint32_t drain_ring_emptied(const struct drain_po *, const struct ring *);
/* What the tail has passed for good is not needed any more. */
void drain_ring_passed(struct drain_po *, struct slot *);
/* For the next thread.  A crash in here leaves it RECLAIM: begun again. */
void drain_ring_reclaim(struct drain_po *, struct slot *);

void drain_po_free(struct drain_po *);

/*
 * There is room in the batch for one definition or one chunk more: what is
 * added without this being asked first would make a batch that fits no frame.
 */
static inline bool
drain_fits(const struct drain *d)
{
	return (batch_bytes(d->writer).n < DRAIN_BATCH_BYTES);
}

/* An event of ours about this PO.  -1: ENOMEM. */
int drain_say(struct drain_po *, unsigned kind, uint64_t a, uint64_t b,
    uint32_t c, int64_t now_node_ns);

#endif
