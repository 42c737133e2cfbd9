/*
 * Inside of the registry: shared by ident.c (the tables) and ident_journal.c
 * (the file), included by nobody else.
 */
#ifndef COLLECTOR_IDENT_INSIDE_H
#define COLLECTOR_IDENT_INSIDE_H

#include "ident.h"
#include "journal.h"

/* More POs than any node has; what comes from elsewhere may say more. */
#define PO_LAST (UINT32_MAX / 2)

#define IDENT_HASH_SIZE  1024u /* a power of two */
#define IDENT_PATH_BYTES 1024

/*
 * `known` of an account in the journal: 1 or 0 as in the protocol for a thread
 * that has ended.  SO_FAR: the counts of a live one whose losses have grown
 * (they cannot be had from anywhere else after a crash).  BEFORE: what one had
 * published when this run began.  The counts are of all runs.  END_TOLD: as
 * SO_FAR, of a PO whose po_end is in a batch.
 */
#define KNOWN_SO_FAR   2
#define KNOWN_BEFORE   3
#define KNOWN_END_TOLD 4

struct ident {
	struct env *env;
	char path[IDENT_PATH_BYTES];
	struct journal journal;
	struct buf unsaved;
	uint64_t rewritten_bytes; /* of the journal when it was last made */
	struct po **pos;
	size_t npos;
	struct stream **streams; /* in order of their numbers */
	size_t nstreams;
	struct stream **ended; /* threads, in the order of their ends */
	size_t nended;
	uint32_t next_stream, next_po;
	struct stream *hash[IDENT_HASH_SIZE];
};

/* Entries that the journal has already.  NULL or -1: ENOMEM. */
struct po *ident_po_enter(struct ident *, const struct msg_po *);
struct stream *ident_stream_enter(struct ident *, struct po *,
    const struct msg_thread *);
void ident_name_enter(struct po *, const struct msg_name *);
int ident_ended_enter(struct ident *, struct stream *);
void ident_hash_enter(struct ident *, struct stream *);

/* For the journal: all it has ever published, less some; `known` is 0. */
void ident_stream_total(const struct stream *, const struct counts *less,
    struct msg_account *);
/* SO_FAR or END_TOLD. */
uint8_t ident_known_so_far(const struct ident *, const struct stream *);
/* Writes the journal afresh from what is known now.  -1 with errno set. */
int ident_rewrite(struct ident *);

#endif
