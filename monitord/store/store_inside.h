/* What store*.c, recover.c, skim.c and fold.c share; for nobody else. */
#ifndef MONITORD_STORE_INSIDE_H
#define MONITORD_STORE_INSIDE_H

#include "store.h"

/* So much of a log is read at a time. */
#ifdef ORRERY_SMALL /* as in block.h */
#define STORE_CHUNK_BYTES ((size_t)32 << 10)
#else
#define STORE_CHUNK_BYTES ((size_t)1 << 20)
#endif

/* Events that wait for a late block. */
struct store_late {
	struct event *event; /* room for LATE_EVENTS, once there was one */
	size_t n;
	/*
	 * Amid of moving them to blocks, for want of memory: the store's block
	 * is of late ones, and so many of these are in it or in those before.
	 */
	bool open;
	size_t done;
	/*
	 * A location's events must reach the file in their order, or else a
	 * torn tail could leave a hole: whether one of it waits here.
	 */
	uint64_t *of; /* by location: generation when so */
	size_t of_cap;
	uint64_t generation;
};

/* The index, as it is so far. */
struct store_entries {
	struct tracefile_entry *entry;
	size_t n, cap;
};

struct store {
	struct env *env;
	struct env_file *file;
	char *path;
	struct msg_run run; /* its name and program point into run_text */
	char run_text[600];
	bool continued;
	uint64_t cut_bytes;

	/*
	 * out holds the bytes from `synced` on: kept until they are synced, so
	 * that a failed fdatasync, after which the kernel forgets what it could
	 * not write, can be made good.
	 */
	struct buf out;
	uint64_t synced, written;
	uint64_t marked; /* a continued log was on disk up to here at least */
	bool failed;
	char why[200];

	struct block_writer *block;
	struct store_late late;

	struct store_entries entries;
	uint64_t events, late_events;
	size_t late_blocks, blocks;
	int64_t last_mon_ns;

	struct buf window; /* of what is read one frame after another */
	uint64_t window_at;

	uint64_t *skimmed; /* offsets of blocks that were only looked over */
	size_t nskimmed, skimmed_cap;

	/* while the run is closed: events that have been read, of so many */
	store_closing *closing;
	void *closing_arg;
	uint64_t closed, to_close;
};

/*
 * When a log is continued: so many events at its end are seen, which is a
 * generation of causes (causes.h) if every fourth event is one.  Tests change
 * it.
 */
extern uint64_t store_whole_events;
/*
 * Events of all blocks from offset on, by the heads; stops where it errs.
 * Finds st->marked.
 */
uint64_t store_look_over(struct store *, uint64_t offset, uint64_t size);
/*
 * The block at offset without its events: true, and *f, valid until b changes,
 * has no columns.  false: it has to be read as a whole.
 */
bool store_skim_at(struct store *, uint64_t offset, struct buf *b,
    struct frame *f);
/* Remembers that a block was only looked over.  -1: ENOMEM. */
int store_skimmed(struct store *, uint64_t offset);

/* Remembers the run frame, whose strings are somebody else's. */
void store_keep_run(struct store *, const struct msg_run *);

/*
 * store_write.c: writes what has not been written; it is kept until a sync.
 * -1: errno, which store_write_failed() tells of.
 */
int store_write_out(struct store *);
/* Says the first failure, remembers why.  false. */
bool store_write_failed(struct store *);
/* Writes and syncs.  false: it has been said, and will be tried again. */
bool store_sync_out(struct store *);
/*
 * store_again.c: the log is where it should be, maybe only now, written anew
 * from the file that is still open.  false: it has been said, and will be tried
 * again.
 */
bool store_in_place(struct store *);
/* The directory part of a path; "." when it has none. */
void store_dir_of(const char *path, char *dir, size_t n);
/* The names in the log's directory survive a loss of power.  -1: *err. */
int store_sync_dir(struct store *, struct store_error *);

/* store_finish.c: room for one more entry of the index.  -1: ENOMEM. */
int store_index_room(struct store *);
/* Takes note of a frame at this offset for the index.  -1: ENOMEM. */
int store_index(struct store *, unsigned type, uint64_t offset,
    size_t frame_bytes, const struct msg_block *);
/*
 * store_read.c: reads the frame at offset into a buffer that is grown.  1; 0 at
 * the end or when it is cut; -1 damaged (errno EINVAL: it reads the same
 * thrice) or unreadable.  *f is valid until b changes.
 */
int store_frame_at(struct store *, uint64_t offset, struct buf *b,
    struct frame *f);
/* As env's read_at; what lies behind it is at hand then. */
ssize_t store_read_near(struct store *, void *, size_t n, uint64_t offset);

/*
 * recover.c: reads an existing log; leaves st->synced behind its last whole
 * frame.
 */
int store_recover(struct store *, store_restore *, void *arg,
    struct store_error *);
/*
 * recover_end.c: cuts the file, which has this size, at `offset`; nothing that
 * is whole is thrown away.  -1: *err.
 */
int recover_cut_off(struct store *, uint64_t offset, uint64_t size,
    struct buf *, struct store_error *);
/* Puts what may not be on the disk there, up to `end`.  -1: errno. */
int recover_secure_end(struct store *, uint64_t end, struct buf *);
/*
 * fold_look.c: what was let go without a cause that is in the log; *mend is
 * NULL when there is none.  -1: errno.
 */
struct mend;
int store_look(struct store *, struct mend **);
/*
 * fold.c: writes the whole log again in order to another file, receipt
 * included; mend may be NULL.  Returns its descriptor, and what has become of
 * the orphans is in the receipt; or NULL with errno set.
 */
struct env_file *store_fold(struct store *, const char *path, struct mend *,
    struct msg_receipt *);

#endif
