/*
 * Reading a consolidated log, finished or still growing, whole or damaged.
 *
 * A log is a sequence of frames: run, kind..., then definitions, segments and
 * blocks as they came, and at the end of a finished one index and receipt.
 * Definitions precede the blocks that use them.  (Writing is
 * monitord/store/store.c: it only ever appends whole frames.)
 */
#ifndef PROTO_TRACEFILE_H
#define PROTO_TRACEFILE_H

#include <sys/types.h>

#include <stdint.h>

#include "block.h"
#include "event.h"
#include "frame.h"
#include "own.h"

#define TRACEFILE_VERSION 1

/*
 * One entry of the index.  There: varint offset less that of the entry before,
 * frame_bytes, type; and of a block varint events, late, zigzag first_mon_ns
 * less that of the block before, varint last_mon_ns less first_mon_ns.
 */
struct tracefile_entry {
	uint64_t offset;
	uint32_t frame_bytes, events;
	uint8_t type; /* MSG_block, or a definition or segment (events 0) */
	uint8_t late;
	int64_t first_mon_ns, last_mon_ns;
};

/* What a log says of a kind of event; its texts are those of the table. */
void tracefile_kind(const struct event_desc *, struct msg_kind *);

struct tracefile;

/*
 * Opens for reading.  Returns NULL with errno set; EINVAL: not a log of ours,
 * or one with nothing in it.  *why (static text) says what is wrong and what
 * to do.  The file is read through a window, never mapped, so that one that
 * shrinks under the reader only ends sooner.
 */
struct tracefile *tracefile_open(const char *path, const char **why);
void tracefile_close(struct tracefile *);

/* Looks for growth of a live file; returns 1 when there is more to read. */
int tracefile_refresh(struct tracefile *);

/*
 * Frame at *offset; moves *offset behind it.  1: got one, whose body is valid
 * until the next call with this tracefile; 0: end, with *offset at the end or
 * at a torn tail, where it can go on after tracefile_refresh; -1 with errno
 * set: the file cannot be read.  Damaged stretches are skipped and counted.
 */
int tracefile_next(struct tracefile *, uint64_t *offset, struct frame *);
uint64_t tracefile_bytes(const struct tracefile *);
uint64_t tracefile_damaged_bytes(const struct tracefile *);
/* The run frame at the head (zero when it is damaged); valid while open. */
/* Who may read the file: permissions as of chmod(2). */
mode_t tracefile_mode(const struct tracefile *);
const struct msg_run *tracefile_run(const struct tracefile *);

/*
 * All definitions, segments and blocks as they lie in the file, from the index
 * at the end or by scanning.  Borrowed; valid until refresh or close.  NULL
 * with errno set on failure; *n may be 0.
 */
const struct tracefile_entry *tracefile_index(struct tracefile *, size_t *n);
/*
 * 1 when the log is finished and its index is there, so that the above costs
 * next to nothing; 0: it would read the whole log; -1 with errno.
 */
int tracefile_has_index(struct tracefile *);
/*
 * The summary of the block that an entry of the index tells of, from its first
 * few KB: without its events, and without its checksum, but the index says the
 * same of it.  The array is to be freed.  -1: EINVAL, it does not, or is
 * damaged; or it cannot be read.
 */
int tracefile_lanes(struct tracefile *, const struct tracefile_entry *,
    struct block_lane **, size_t *n);
/* 1 and the receipt when the log is finished. */
int tracefile_receipt(struct tracefile *, struct msg_receipt *);

/*
 * What closes a log: index and receipt, behind log_bytes of it.  1: there are
 * more entries than one frame holds, so that only the receipt was appended and
 * readers go through the log; -1 with errno set.
 */
int tracefile_tail(const struct tracefile_entry *, size_t n, uint64_t log_bytes,
    uint64_t events, const struct msg_receipt *, struct buf *out);
/* Encodes / decodes the entries of an index frame; -1 with errno set. */
int tracefile_index_encode(const struct tracefile_entry *, size_t n,
    struct buf *out);
int tracefile_index_decode(struct bytes, struct tracefile_entry **, size_t *n);

/*
 * Every event of the log in time order, late blocks merged in place: what
 * dump, report, check and a viewer of a file use.  All definitions and
 * segments are handed over first: a late event may need one from the end.
 * Frames that make no sense are not handed over (they are damaged), so that a
 * sink finds whole definitions, and no number above tracefile_number_max();
 * but an event's location, and what a definition refers to, need not be
 * defined.
 */
struct trace_sink {
	int (*definition)(void *arg, const struct frame *); /* may be NULL */
	/* NULL: only the definitions are wanted */
	int (*event)(void *arg, const struct event *);
};
/*
 * from/to: only events with from <= t_mon_ns < to (INT64_MIN and INT64_MAX for
 * all).  Returns 0, -1 with errno on failure, or what the sink returned when
 * that was not 0.  Blocks that overlap are held at once, up to 2^24 events;
 * ENOMEM beyond.  Damaged blocks are skipped and counted.
 */
int tracefile_each(struct tracefile *, int64_t from_mon_ns, int64_t to_mon_ns,
    const struct trace_sink *, void *arg);

/*
 * The same, asked for one after the other.  NULL, or -1, with errno; 0: there
 * are no more.  An event is valid until the next call; others may read the
 * log meanwhile.
 */
struct tracefile_walk;
struct tracefile_walk *tracefile_walk_new(struct tracefile *,
    int64_t from_mon_ns, int64_t to_mon_ns);
int tracefile_walk_next(struct tracefile_walk *, const struct event **);
void tracefile_walk_free(struct tracefile_walk *); /* NULL is fine */

/*
 * No node, location or name of a log has a number above this when so much of
 * it has been read: they are numbered in a row, and the shortest definition
 * takes 16 bytes.  (65,536 more are for a log that lacks its beginning.)  What
 * is above is damage, so arrays by number are no longer than the log.
 */
#define DEFS_NUMBER_MAX ((uint32_t)1 << 24)
static inline uint32_t
tracefile_number_max(uint64_t log_bytes)
{
	uint64_t n = log_bytes / 16 + 65536;

	return (n < DEFS_NUMBER_MAX ? (uint32_t)n : DEFS_NUMBER_MAX);
}

/*
 * The definitions of a run, by number: what every reader needs to say names.
 * Strings are copied and belong to the table.
 */
struct def_node {
	uint32_t node;
	char *name, *machine;
};
struct def_po {
	uint32_t node, po, parent_po, pid;
	int64_t t_node_ns;
	char *program, *command;
};
struct def_thread {
	uint32_t location, node, po, thread, tid;
	char *name;
};
/*
 * What is at a place in the code: a function, compiled into the next one or
 * not; see MSG_symbol.
 */
struct def_symbol {
	struct def_symbol *into; /* NULL: it is nobody's part */
	char *function, *file;
	uint32_t line, first;
};
struct def_name {
	uint32_t name, line;
	char *text, *file, *program; /* the latter "" without a place */
	/* a place in the code: what stands above is this, once it is known */
	struct def_symbol *symbol;
	char *place; /* what it was called before; NULL: it is no place */
};
/* Code of a file in the memory of a PO; in the order in which they came. */
struct def_module {
	struct def_module *next;
	uint32_t node, po;
	uint64_t start, end, base;
	char *build_id, *path;
};

struct defs;
struct defs *defs_new(void);
void defs_free(struct defs *);
/*
 * Takes note of a definition frame; others are ignored.  -1: ENOMEM, or
 * EINVAL: damaged, or a number above DEFS_NUMBER_MAX.
 */
int defs_add(struct defs *, const struct frame *);
/*
 * NULL when not defined.  Entries stay where they are until defs_free; one
 * that is defined again changes in place.
 */
const struct def_node *defs_node(const struct defs *, uint32_t node);
const struct def_po *defs_po(const struct defs *, uint32_t node, uint32_t po);
const struct def_thread *defs_thread(const struct defs *, uint32_t location);
const struct def_name *defs_name(const struct defs *, uint32_t name);
const struct def_module *defs_modules(const struct defs *);
/* The one that was at this address at last; NULL: none that is known. */
const struct def_module *defs_module(const struct defs *, uint32_t node,
    uint32_t po, uint64_t address);
/* As the log describes it, else as events.def does. */
const struct event_desc *defs_kind(const struct defs *, unsigned kind);
/* Highest number defined. */
uint32_t defs_nodes(const struct defs *);
uint32_t defs_locations(const struct defs *);
uint32_t defs_names(const struct defs *);
/* "bigp", "" for 0, or "?17" when not defined; static or table storage. */
const char *defs_name_text(const struct defs *, uint32_t name);
/* For events of kinds that these names declare (own.h).  NULL: ENOMEM. */
struct own *defs_own(const struct defs *);

/*
 * One line of text for an event, as `monitorctl dump` prints it:
 * "12.400312345 n1/3.1 task_begin task=0x.. pe=2 procedure=bigp".
 * Times are relative to origin_mon_ns.  Returns the length (snprintf's way).
 * Names that hold blanks or control characters are in quotes.
 */
int event_print(char *buf, size_t n, const struct event *, const struct defs *,
    int64_t origin_mon_ns);
/* The same with the event's name in the place of its location: "n1/3.1:17". */
int event_print_named(char *buf, size_t n, const struct event *,
    const struct defs *, int64_t origin_mon_ns);
/*
 * One of a declared kind, with its fields: "12.400312345 n1/3.1 order number=7
 * price=9.5EUR"; a field that is lost is "?".
 */
int event_print_own(char *buf, size_t n, const struct event *,
    const struct own_event *, const struct defs *, int64_t origin_mon_ns,
    bool named);
/* Its kind and its fields alone; a name may be longer than there is room. */
#define OWN_PRINT_BYTES 2048
int own_print(char *buf, size_t n, const struct own_event *,
    const struct defs *);
/* "n1/3.1", "monitord", or "?17" when it is not defined. */
int location_print(char *buf, size_t n, uint32_t location, const struct defs *);

#endif
