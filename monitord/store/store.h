/*
 * The consolidated log: whole frames appended to one file (tracefile.h).
 *
 * Events are gathered into blocks; store_commit() closes these, writes and
 * syncs.  What was added before a commit that returned true is on disk.  A
 * disk that takes no more stops the writing and loses nothing: everything
 * since the last good commit is kept and tried again, and nobody is told
 * meanwhile that it was stored.
 */
#ifndef MONITORD_STORE_H
#define MONITORD_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "env.h"
#include "event.h"
#include "frame.h"
#include "log/tracefile.h"

struct store;

struct store_error {
	int code;      /* of sysexits.h */
	bool finished; /* the log that was to be opened is */
	char text[400];
};

/* Fill it in; -1. */
int store_no_memory(struct store_error *);
int store_fail(struct store_error *, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A frame that was found in a log that is continued.  -1: it makes no sense.
 * Old blocks come without their events (columns.n is 0): STORE_WHOLE, with
 * nothing done, asks for the same one whole.
 */
typedef int store_restore(void *arg, const struct frame *);
#define STORE_WHOLE 1

/*
 * Opens the log, made if need be, and locks it.  An unfinished one is
 * continued: what is whole is handed to restore, a torn tail is cut off.  A
 * new one begins with the run frame given.  NULL with *err set.
 */
struct store *store_open(struct env *, const char *path,
    const struct msg_run *fresh, store_restore *, void *arg,
    struct store_error *err);
void store_close(struct store *); /* NULL is fine; what is not written is not */

/* Appends a definition, segment or kind.  -1: ENOMEM. */
int store_frame(struct store *, enum msg_type, const void *msg);
/*
 * Appends an event.  One whose time has been passed goes to a late block and
 * gets EVENT_LATE.  Returns 1 when it is late, else 0; -1: ENOMEM.
 */
int store_event(struct store *, const struct event *);
/*
 * Appends those of n events that need no care: up to the first that is late, or
 * that closes a block.  Returns how many, maybe none; store_event() takes the
 * next one.
 */
size_t store_events_take(struct store *, const struct event *, size_t n);
/* Everything so far is on disk: true.  The first failure is said in the log. */
bool store_commit(struct store *);

/*
 * Its file is not where it should be: removed, moved, or another is there.  The
 * next commit puts it there again, and is not good before that.
 */
bool store_is_gone(const struct store *);
/* There is something that no commit has covered yet. */
bool store_dirty(const struct store *);
/* The last attempt to write has failed; why is a sentence. */
bool store_failed(const struct store *, const char **why);
/* Memory that waits to be written. */
size_t store_waiting_bytes(const struct store *);

/* Bytes that can be read back (whole frames); and reading them: -1 errno. */
uint64_t store_bytes(const struct store *);
ssize_t store_read(struct store *, void *, size_t n, uint64_t offset);
uint64_t store_events(const struct store *);
uint64_t store_late(const struct store *);
/* Time of the last event that is not late; INT64_MIN when there is none. */
int64_t store_last_mon_ns(const struct store *);
/* The run frame; borrowed. */
const struct msg_run *store_run(const struct store *);
const char *store_path(const struct store *);
/* It was begun by an earlier monitord. */
bool store_continued(const struct store *);
/*
 * Once, at the end of the run: blocks that came without their events, as a
 * whole.  -1: each() has said so, or one cannot be read.
 */
int store_each_skimmed(struct store *, store_restore *each, void *arg);
/* Damaged bytes that were cut off when it was opened. */
uint64_t store_cut_bytes(const struct store *);

/*
 * Told of each block that store_finish() has read, in percent of all that it
 * may have to read: with 10^9 events that takes minutes.
 */
typedef void store_closing(void *arg, unsigned percent);
void store_tell_closing(struct store *, store_closing *, void *arg);
/*
 * Closes the run: folds late events into their places, effects that were let
 * go behind their causes and small blocks together (into a new file that takes
 * the old one's name), appends index and receipt.  The receipt comes with the
 * orphans of the growing log and has those of the finished one then.
 * Everything must be committed.  Returns 0, or -1 with *err set: then the log
 * is as good as before and can be continued.
 */
int store_finish(struct store *, struct msg_receipt *, struct store_error *err);

#endif
