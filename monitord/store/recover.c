/*
 * Going on with a log after a crash.
 *
 * The log is read from its head.  Frames that are whole and make sense are
 * handed to the owner, who takes back definitions, clock maps and the last
 * sequence number of every thread; the first one that does not ends the good
 * part, and what follows is cut off (recover_end.c).
 *
 * Blocks far from the end are only looked over (skim.c), so that a monitord is
 * back at once however long its run has been.
 */
#include <errno.h>
#include <string.h>
#include <sysexits.h>

#include "store_inside.h"

/*
 * One frame of a log that is continued.  1: goes on; 0: the good part ends;
 * -1: out of memory, which says nothing of the log; STORE_WHOLE + 1: it was
 * skimmed, and all of it is wanted.
 */
static int
recover_frame(struct store *st, uint64_t offset, const struct frame *f,
    bool skimmed, store_restore *restore, void *arg)
{
	struct msg_block block;
	const struct msg_block *b = NULL;

	if (f->type >= MSG_TYPES || msg_table[f->type].name == NULL)
		return (0);
	if (f->type == MSG_synced)
		return (1);
	if (f->type == MSG_block) {
		if (msg_decode(f->type, f->body, f->body_bytes, &block) == -1)
			return (0);
		b = &block;
	}
	errno = 0;
	switch (restore(arg, f)) {
	case -1:
		return (errno == ENOMEM ? -1 : 0);
	case STORE_WHOLE:
		return (STORE_WHOLE + 1);
	}
	if (skimmed && store_skimmed(st, offset) == -1)
		return (-1);
	if (store_index(st, f->type, offset, f->frame_bytes, b) == -1)
		return (-1);
	return (1);
}

/*
 * Whether a loss of power has cut a log in its first moments.  Nothing is
 * written behind the run frame before that has been synced, so what holds no
 * more than part of one, or room for one, holds nothing.
 */
static bool
is_stillborn(const struct buf *b, const struct frame *f)
{
	static const struct msg_run none;
	size_t most =
	    FRAME_HEAD_BYTES + msg_size(MSG_run, &none) + (size_t)2 * 255;

	if (b->n == 0 || b->n > most)
		return (false);
	if (f->type == MSG_run && b->n <= f->frame_bytes)
		return (true);
	for (size_t i = 0; i < b->n; i++)
		if (b->p[i] != 0)
			return (false);
	return (true);
}

/* The head must be a run frame of ours, or the beginning of one. */
static int
recover_head(struct store *st, struct buf *b, uint64_t *offset,
    struct store_error *err)
{
	struct frame f;
	struct msg_run run;
	int got = store_frame_at(st, 0, b, &f);

	if (got == -1 && errno != EINVAL)
		return (store_fail(err, EX_IOERR, "cannot read %s: %s",
		    st->path, strerror(errno)));
	if ((got == 0 && (f.frame_bytes == 0 || f.type == MSG_run)) ||
	    (got == -1 && is_stillborn(b, &f))) {
		*offset = 0; /* cut within its first frame: it begins anew */
		return (0);
	}
	if (got != 1 || f.type != MSG_run ||
	    msg_decode(MSG_run, f.body, f.body_bytes, &run) == -1)
		return (store_fail(err, EX_CANTCREAT,
		    "%s is no log of orrery; it is left alone, name another "
		    "with --log",
		    st->path));
	if (run.version > TRACEFILE_VERSION)
		return (store_fail(err, EX_CANTCREAT,
		    "%s is of log version %u, this monitord writes %u; name "
		    "another with --log",
		    st->path, run.version, TRACEFILE_VERSION));
	store_keep_run(st, &run);
	*offset = f.frame_bytes;
	return (0);
}

/*
 * Whether the frame after the index is the receipt of a finished log.  1, 0,
 * or -1 with errno: unreadable.
 */
static int
is_finished(struct store *st, uint64_t offset, struct buf *b)
{
	struct frame f;
	int got = store_frame_at(st, offset, b, &f);

	if (got == -1 && errno != EINVAL)
		return (-1);
	return (got == 1 && f.type == MSG_receipt);
}

struct left {
	uint64_t size, events; /* of the file */
};

/* As above: the frame at offset, if it is an old block, without its events. */
static int
recover_old(struct store *st, uint64_t offset, uint64_t *next,
    store_restore *restore, void *arg)
{
	struct buf b = { 0 };
	struct frame f;
	int got = STORE_WHOLE + 1;

	if (store_skim_at(st, offset, &b, &f)) {
		got = recover_frame(st, offset, &f, true, restore, arg);
		if (got == 0)
			got = STORE_WHOLE + 1;
		*next = offset + f.frame_bytes;
	}
	buf_free(&b);
	return (got);
}

/*
 * The frame at offset; *next is behind it.  1: goes on; 0: the good part ends;
 * -1: errno; AT_INDEX: it is the index, AT_RECEIPT: the receipt of a log
 * without.
 */
#define AT_INDEX   3
#define AT_RECEIPT 4
static int
recover_next(struct store *st, uint64_t offset, const struct left *left,
    struct buf *b, uint64_t *next, store_restore *restore, void *arg)
{
	bool old = st->events + store_whole_events < left->events;
	bool checked = offset >= st->marked; /* what a crash may tear */
	struct frame f;
	int got = STORE_WHOLE + 1;

	if (old && !checked)
		got = recover_old(st, offset, next, restore, arg);
	if (got == STORE_WHOLE + 1) {
		got = store_frame_at(st, offset, b, &f);
		if (got != 1)
			return (got);
		*next = offset + f.frame_bytes;
		if (f.type == MSG_index)
			return (AT_INDEX);
		if (f.type == MSG_receipt)
			return (AT_RECEIPT);
		got = STORE_WHOLE + 1;
		if (old && checked && f.type == MSG_block)
			got = recover_old(st, offset, next, restore, arg);
		if (got == STORE_WHOLE + 1)
			got =
			    recover_frame(st, offset, &f, false, restore, arg);
	}
	if (got == -1)
		errno = ENOMEM;
	return (got);
}

int
store_recover(struct store *st, store_restore *restore, void *arg,
    struct store_error *err)
{
	uint64_t offset = 0, next = 0;
	uint64_t size = (uint64_t)st->env->ops->size(st->file);
	struct left left = { .size = size };
	struct buf b = { 0 };
	int rv = -1, got = 1, finished = 0;

	if (recover_head(st, &b, &offset, err) == -1)
		goto out;
	left.events = store_look_over(st, offset, size);
	while (got == 1 && offset > 0 && offset < size) {
		got = recover_next(st, offset, &left, &b, &next, restore, arg);
		if (got == 1)
			offset = next;
	}
	if (got == AT_INDEX)
		finished = is_finished(st, next, &b);
	else if (got == AT_RECEIPT)
		finished = 1;
	if (finished == 1) {
		store_fail(err, EX_CANTCREAT,
		    "%s is a finished log; "
		    "name another with --log",
		    st->path);
		err->finished = true;
		goto out;
	}
	if ((got == -1 && errno != EINVAL) || finished == -1) {
		store_fail(err, EX_IOERR,
		    "cannot read %s: %s; nothing is cut off, try again",
		    st->path, strerror(errno));
		goto out;
	}
	st->cut_bytes = size - offset;
	if (st->cut_bytes > 0 &&
	    recover_cut_off(st, offset, size, &b, err) == -1)
		goto out;
	if (offset > 0 && recover_secure_end(st, offset, &b) == -1) {
		store_fail(err, EX_IOERR,
		    "cannot write the end of %s again: %s; nothing is lost, "
		    "make room or see to the disk, and try again",
		    st->path, strerror(errno));
		goto out;
	}
	/* nor is it known whether the one before has come to this */
	if (offset > 0 && store_sync_dir(st, err) == -1)
		goto out;
	st->synced = st->written = offset;
	rv = 0;
out:
	buf_free(&b);
	buf_free(&st->window);
	return (rv);
}
