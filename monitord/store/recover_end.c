/*
 * The end of a log that is continued: what is torn is cut off, and what is
 * whole is put on the disk once more.
 *
 * After a crash a cut loses nothing: it had not been synced, so it had not been
 * acknowledged, and its collector sends it again.  But a disk may also have
 * damaged what it had promised to keep, and the two look the same; so where
 * whole frames lie behind the cut, they go to a file of their own, which every
 * reader of logs can read.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "log/beside.h"
#include "store_inside.h"

/* Whether a good frame lies in [from, size).  1, 0, or -1 with errno. */
static int
frame_behind(struct store *st, uint64_t from, uint64_t size, struct buf *b)
{
	struct buf chunk = { 0 };
	struct frame f;
	size_t at;
	ssize_t n;
	int rv = -1;

	if (buf_reserve(&chunk, STORE_CHUNK_BYTES) == -1)
		return (-1);
	for (from++; from < size; from += (uint64_t)n - 3) {
		n = st->env->ops->read_at(st->file, chunk.p, STORE_CHUNK_BYTES,
		    from);
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
	struct env_file *to;
	struct buf b = { 0 };
	char new[BESIDE_BYTES];
	uint64_t at = 0;
	ssize_t n = 0;
	int rv = -1, saved;

	if (beside_name(new, path, ops->random(st->env)) == -1)
		return (-1);
	to = ops->open(st->env, new, ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE);
	if (to == NULL)
		return (-1);
	if (frame_append(&b, MSG_run, &st->run) == -1 ||
	    buf_reserve(&b, STORE_CHUNK_BYTES) == -1)
		goto out;
	for (;;) {
		if (ops->write_at(to, b.p, b.n, at) != (ssize_t)b.n)
			goto out;
		at += b.n;
		if (from == size)
			break;
		n = ops->read_at(st->file, b.p,
		    size - from < STORE_CHUNK_BYTES ? (size_t)(size - from)
						    : STORE_CHUNK_BYTES,
		    from);
		if (n <= 0)
			goto out;
		from += (uint64_t)n;
		b.n = (size_t)n;
	}
	rv = ops->sync(to);
	if (rv == 0)
		rv = ops->rename(st->env, new, path);
out:
	saved = errno;
	ops->file_close(to);
	if (rv == -1)
		ops->unlink(st->env, new);
	buf_free(&b);
	errno = saved;
	return (rv);
}

/* Cuts the file at `offset`; nothing that is whole is thrown away. */
int
recover_cut_off(struct store *st, uint64_t offset, uint64_t size, struct buf *b,
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

/*
 * The whole frames from `from` on, as many as b holds at a time; how many
 * bytes that is.  0 with errno: none, though they were whole just now.
 */
static size_t
frames_at(struct store *st, uint64_t from, uint64_t end, struct buf *b)
{
	size_t want = end - from < STORE_CHUNK_BYTES ? (size_t)(end - from)
						     : STORE_CHUNK_BYTES;
	size_t good = 0;
	struct frame f;
	ssize_t n;
	int got;

	b->n = 0;
	if (buf_reserve(b, STORE_CHUNK_BYTES) == -1)
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
int
recover_secure_end(struct store *st, uint64_t end, struct buf *b)
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
