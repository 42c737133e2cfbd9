/*
 * Who is who on this node: POs, their threads and names, the numbers of the
 * streams in batches, and what each thread has published.
 *
 * All of it is written to a journal beside the spool, so that a collector that
 * is started again gives no number twice, can define everything that a batch
 * in the spool refers to, and can account for threads that ended long ago.
 */
#ifndef COLLECTOR_IDENT_H
#define COLLECTOR_IDENT_H

#include <stdbool.h>

#include "batch.h"
#include "env.h"
#include "frame.h"

/* Names given by the collector, in the numbering of the PO. */
#define IDENT_NAME_PROGRAM 0x80000000u
#define IDENT_NAME_SCHED   0x80000100u /* the way in which that is known */
#define IDENT_NAME_SAMPLE  0x80000101u /* the way of sampling */
#define IDENT_NAME_MEASURE 0x80000001u /* and on: see measures.def */
#define IDENT_NAME_CHOICE  0x80000040u /* and on: what is recorded */
#define IDENT_NAME_CODE    NAME_PLACES /* and on: see places.h */

/* Of a stream: its records, and what those of EV_lost among them tell. */
struct counts {
	uint64_t records, lost, lost_records;
};

/* One thread, or (thread 0) the collector's word about its PO. */
struct stream {
	uint32_t number; /* in batches, from 1 */
	uint32_t po, thread, tid;
	uint64_t next_seq;
	uint64_t lost;         /* events, as told by EV_lost records */
	uint64_t lost_records; /* EV_lost records among next_seq */
	struct counts before;  /* belongs to earlier runs */
	/* while a run begins (ident_waits), else 0: of that run, and of it what
	 * is in no spool yet */
	struct counts waiting, unspooled;
	uint64_t journaled_lost; /* `lost` as the journal has it */
	uint64_t journaled_seq;  /* and next_seq, when that was written */
	bool attached;           /* a ring is its own */
	bool ended;              /* its final account has been made */
	bool unknown;            /* nobody knows the count, now or ever */
	char name[64];
	struct stream *chain; /* in the hash */
};

struct po {
	uint32_t number, parent, pid;
	bool end_told;   /* its po_end is in a batch */
	bool ended;      /* and its accounts are final */
	bool waiting;    /* something of it is of the run that begins */
	uint32_t names;  /* of the program: inherited ones, then its own */
	uint32_t places; /* of ours: so many from IDENT_NAME_CODE on */
	uint32_t names_po, inherited; /* from whom its first ones are */
	unsigned depth;               /* how often they have been inherited */
	int64_t t_node_ns;
	char program[64], command[256];
	struct stream *about; /* thread 0 */
	struct buf defs;      /* frames that define it, its threads and names */
};

struct ident;

/* Reads the journal in dir.  NULL with errno set. */
struct ident *ident_open(struct env *, const char *dir);
void ident_free(struct ident *); /* NULL is fine */

uint32_t ident_next_po(const struct ident *);
/* Numbers below this have been used elsewhere. */
void ident_skip_pos(struct ident *, uint32_t next_po);

/*
 * New entries.  NULL or -1: ENOMEM, or EEXIST for a thread that is there.
 * They count as told when the next ident_save() has succeeded.
 */
struct po *ident_po_new(struct ident *, const struct msg_po *);
struct stream *ident_stream_new(struct ident *, struct po *, uint32_t thread,
    uint32_t tid, const char *name);
int ident_name_new(struct ident *, struct po *, const struct msg_name *);
/* A module or a symbol. */
int ident_code_new(struct ident *, struct po *, enum msg_type, const void *msg);

/*
 * How many of the first names of such a process are those of a PO that we
 * know; 0 when that is not who is meant.
 */
uint32_t ident_inherited(const struct ident *, uint32_t po, int64_t t_node_ns,
    uint32_t names);

struct po *ident_po(const struct ident *, uint32_t number);
struct stream *ident_stream(const struct ident *, uint32_t po, uint32_t thread);
struct stream *ident_stream_by_number(const struct ident *, uint32_t number);
/* In the order in which they were made. */
size_t ident_pos(const struct ident *);
struct po *ident_po_at(const struct ident *, size_t i);
size_t ident_streams(const struct ident *);
struct stream *ident_stream_at(const struct ident *, size_t i);

/*
 * All definitions of now, for a new session: the next whole frames, some 64
 * KiB, borrowed until one is added; n is 0 when that was all.
 */
struct ident_told {
	size_t po, end, at;
};
void ident_tell_begin(const struct ident *, struct ident_told *);
struct bytes ident_tell(const struct ident *, struct ident_told *);
static inline bool
ident_told_all(const struct ident_told *t)
{
	return (t->po >= t->end);
}

/* Those whose accounts are final, in the order in which they became so. */
size_t ident_ended(const struct ident *);
const struct stream *ident_ended_at(const struct ident *, size_t i);

/* Of all threads in this run; walks them all. */
void ident_totals(const struct ident *, uint64_t *published, uint64_t *lost);

/* What a thread has published, ever. */
uint64_t stream_published(const struct stream *);
/*
 * In this run, in the words of the protocol.  When it goes on from a run
 * before, the records of that one are counted: their numbers are missing in
 * this one, and so monitord counts them as lost.
 */
void stream_account(const struct stream *, struct msg_account *);
/* The thread has ended and its last event is in a batch. */
int ident_stream_end(struct ident *, struct stream *, bool known);
/* Notes the counts of a live thread whose losses have grown. */
int ident_stream_note(struct ident *, struct stream *);
void ident_po_end(struct ident *, struct po *);
/* The counts of its live threads cannot be known now, or can be again. */
void ident_po_unknown(struct ident *, const struct po *, bool unknown);

/*
 * Writes what is new to the journal.  Definitions must be there before the
 * batch that uses them, accounts after the batch that completes them; so one
 * saves on both sides of an append.  -1 with errno set: to be tried again.
 */
int ident_save(struct ident *);
/*
 * The same when all that has been said of threads and POs is in the spool: a
 * journal that has grown long is written afresh, from what is known now.
 */
int ident_settle(struct ident *);

/*
 * After a crash: the streams are at least where this batch, the last of the
 * spool, leaves them.  That is noted for the journal, so that the next save
 * has it there before another batch becomes the last.
 */
int ident_catch_up(struct ident *, const struct msg_batch *);

/*
 * A new run begins.  What is of that run already is told by ident_waits: the
 * streams of a batch in the spool, or of what is on its way there.  Then
 * ident_new_run forgets what has ended, but for what has something waiting;
 * all that was published up to now is of the run before, but for what waits.
 * -1 with errno set.
 */
void ident_waits(struct ident *, struct bytes streams, bool spooled);
int ident_new_run(struct ident *);

#endif
