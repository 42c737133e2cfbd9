/*
 * Going on with a log after a crash.
 *
 * The log is read from its head.  Frames that are whole and make sense are
 * handed to the owner, who takes back definitions, clock maps and the last
 * sequence number of every thread; the first one that does not ends the good
 * part, and what follows is cut off.  After a crash that loses nothing: it had
 * not been synced, so it had not been acknowledged, and its collector sends it
 * again.  But a disk may also have damaged what it had promised to keep, and
 * the two look the same; so where whole frames lie behind the cut, they go to
 * a file of their own, which every reader of logs can read.
 *
 * Blocks far from the end are only looked over (skim.c), so that a monitord is
 * back at once however long its run has been.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <zlib.h>

#include "block.h"
#include "log.h"
#include "store_inside.h"

#define CHUNK_BYTES  ((size_t)1 << 20)
#define WINDOW_BYTES ((size_t)32 << 10)
#define READ_TRIES   16
#define READ_ALIKE   3 /* times in turn, before it is believed */

ssize_t
store_read_near(struct store *st, void *p, size_t n, uint64_t offset)
{
	struct buf *w = &st->window;
	ssize_t got;

	if (n > WINDOW_BYTES || (w->cap == 0 && buf_reserve(w, WINDOW_BYTES)))
		return (st->env->ops->read_at(st->file, p, n, offset));
	if (offset < st->window_at || offset + n > st->window_at + w->n) {
		got =
		    st->env->ops->read_at(st->file, w->p, WINDOW_BYTES, offset);
		w->n = got > 0 ? (size_t)got : 0;
		st->window_at = offset;
		if (got <= 0)
			return (got);
		if (n > w->n)
			n = w->n;
	}
	memcpy(p, w->p + (offset - st->window_at), n);
	return ((ssize_t)n);
}

/* Once.  b->n is how much was read; b->p holds it. */
static int
frame_at(struct store *st, uint64_t offset, struct buf *b, struct frame *f)
{
	enum frame_status s;
	size_t want;
	ssize_t n;

	*f = (struct frame){ 0 };
	if (buf_reserve(b, CHUNK_BYTES) == -1)
		return (-1);
	b->n = 0;
	errno = 0;
	want = FRAME_HEAD_BYTES + 1024;
	for (;;) {
		n = store_read_near(st, b->p, want, offset);
		b->n = n > 0 ? (size_t)n : 0;
		if (n <= 0)
			return (n == 0 ? 0 : -1);
		s = frame_parse(b->p, (size_t)n, f);
		if (s == FRAME_OK)
			return (1);
		if (s != FRAME_SHORT) {
			errno = EINVAL;
			return (-1);
		}
		if ((size_t)n < want || f->frame_bytes <= want)
			return (0); /* the file ends here */
		want = f->frame_bytes;
		if (buf_reserve(b, want) == -1)
			return (-1);
	}
}

/*
 * A disk that errs for a moment must not cost what follows: what makes no
 * sense is taken for the end only when it reads the same again and again.
 */
int
store_frame_at(struct store *st, uint64_t offset, struct buf *b,
    struct frame *f)
{
	uLong crc = 0, was;
	int got = -1, alike = 0;

	for (int i = 0; i < READ_TRIES; i++) {
		got = frame_at(st, offset, b, f);
		if (got == 1 || (got == -1 && errno == ENOMEM))
			return (got);
		st->window.n = 0; /* read anew */
		if (got == -1 && errno != EINVAL)
			continue;
		was = crc;
		crc = crc32(0, b->p, (uInt)b->n);
		alike = alike > 0 && crc == was ? alike + 1 : 1;
		if (alike == READ_ALIKE)
			return (got);
	}
	if (got == 0 || errno == EINVAL)
		errno = EIO;
	return (-1);
}

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

/* Whether a good frame lies in [from, size).  1, 0, or -1 with errno. */
static int
frame_behind(struct store *st, uint64_t from, uint64_t size, struct buf *b)
{
	struct buf chunk = { 0 };
	struct frame f;
	size_t at;
	ssize_t n;
	int rv = -1;

	if (buf_reserve(&chunk, CHUNK_BYTES) == -1)
		return (-1);
	for (from++; from < size; from += (uint64_t)n - 3) {
		n = st->env->ops->read_at(st->file, chunk.p, CHUNK_BYTES, from);
		if (n < FRAME_HEAD_BYTES) {
			rv = n == -1 ? -1 : 0;
			goto out;
		}
		for (at = 0; at < (size_t)n; at++) {
			at = frame_resync(chunk.p, (size_t)n, at);
			if (at + 4 > (size_t)n)
				break;
			rv = store_frame_at(st, from + at, b, &f);
			if (rv == 1 || (rv == -1 && errno != EINVAL))
				goto out;
		}
	}
	rv = 0;
out:
	buf_free(&chunk);
	return (rv);
}

/* The run frame and then what is cut off, as a log of its own. */
static int
copy_cut(struct store *st, uint64_t from, uint64_t size, const char *path)
{
	const struct env_ops *ops = st->env->ops;
	struct env_file *to =
	    ops->open(st->env, path, ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	struct buf b = { 0 };
	uint64_t at = 0;
	ssize_t n = 0;
	int rv = -1;

	if (to == NULL)
		return (-1);
	if (frame_append(&b, MSG_run, &st->run) == -1 ||
	    buf_reserve(&b, CHUNK_BYTES) == -1)
		goto out;
	for (;;) {
		if (ops->write_at(to, b.p, b.n, at) != (ssize_t)b.n)
			goto out;
		at += b.n;
		if (from == size)
			break;
		n = ops->read_at(st->file, b.p,
		    size - from < CHUNK_BYTES ? (size_t)(size - from)
					      : CHUNK_BYTES,
		    from);
		if (n <= 0)
			goto out;
		from += (uint64_t)n;
		b.n = (size_t)n;
	}
	rv = ops->sync(to);
out:
	ops->file_close(to);
	buf_free(&b);
	return (rv);
}

/* Cuts the file at `offset`; nothing that is whole is thrown away. */
static int
cut_off(struct store *st, uint64_t offset, uint64_t size, struct buf *b,
    struct store_error *err)
{
	char path[4200];
	int behind = offset > 0 ? frame_behind(st, offset, size, b) : 0;

	if (behind == 1) {
		snprintf(path, sizeof(path), "%s.cut-%llu", st->path,
		    (unsigned long long)offset);
		if (copy_cut(st, offset, size, path) == -1)
			return (store_fail(err, EX_IOERR,
			    "%s is damaged at byte %llu; what lies behind "
			    "cannot be saved to %s: %s; make room, or move the "
			    "log away",
			    st->path, (unsigned long long)offset, path,
			    strerror(errno)));
		if (store_sync_dir(st, err) == -1)
			return (-1);
		log_warnx("%s is damaged at byte %llu; what is whole behind "
			  "it is kept in %s",
		    st->path, (unsigned long long)offset, path);
	}
	if (behind == -1 || st->env->ops->truncate(st->file, offset) == -1)
		return (store_fail(err, EX_IOERR,
		    "cannot cut the torn end off %s: %s", st->path,
		    strerror(errno)));
	return (0);
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
 * -1: errno; AT_INDEX: it is the index.
 */
#define AT_INDEX 3
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

/*
 * The whole frames from `from` on, as many as b holds at a time; how many
 * bytes that is.  0 with errno: none, though they were whole just now.
 */
static size_t
frames_at(struct store *st, uint64_t from, uint64_t end, struct buf *b)
{
	size_t want =
	    end - from < CHUNK_BYTES ? (size_t)(end - from) : CHUNK_BYTES;
	size_t good = 0;
	struct frame f;
	ssize_t n;
	int got;

	b->n = 0;
	if (buf_reserve(b, CHUNK_BYTES) == -1)
		return (0);
	n = st->env->ops->read_at(st->file, b->p, want, from);
	while (n > 0 && good < (size_t)n &&
	       frame_parse(b->p + good, (size_t)n - good, &f) == FRAME_OK)
		good += f.frame_bytes;
	if (good > 0)
		return (good);
	/* longer than that, or the disk errs for a moment */
	got = store_frame_at(st, from, b, &f);
	if (got == 1)
		return (f.frame_bytes);
	if (got == 0 || errno == EINVAL)
		errno = EIO;
	return (0);
}

/*
 * Everything that may not be on the disk is written and synced again, since
 * all of it is about to be called stored.  A sync alone does not do: once one
 * has failed, the kernel takes what it could not write for clean, the next
 * one succeeds, and a loss of power takes what every reader has seen.  What
 * stands before the last mark has outlived that: it was written behind a sync
 * that had not failed.
 */
static int
secure_end(struct store *st, uint64_t end, struct buf *b)
{
	const struct env_ops *ops = st->env->ops;
	uint64_t from = st->marked;
	size_t done, want;
	ssize_t n;

	while (from < end) {
		want = frames_at(st, from, end, b);
		if (want == 0)
			return (-1);
		for (done = 0; done < want; done += (size_t)n) {
			n = ops->write_at(st->file, b->p + done, want - done,
			    from + done);
			if (n == 0)
				errno = ENOSPC;
			if (n <= 0)
				return (-1);
		}
		from += want;
	}
	return (ops->sync(st->file));
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
	if (finished == 1) {
		store_fail(err, EX_CANTCREAT,
		    "%s is a finished log; "
		    "name another with --log",
		    st->path);
		goto out;
	}
	if ((got == -1 && errno != EINVAL) || finished == -1) {
		store_fail(err, EX_IOERR,
		    "cannot read %s: %s; nothing is cut off, try again",
		    st->path, strerror(errno));
		goto out;
	}
	st->cut_bytes = size - offset;
	if (st->cut_bytes > 0 && cut_off(st, offset, size, &b, err) == -1)
		goto out;
	if (offset > 0 && secure_end(st, offset, &b) == -1) {
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
