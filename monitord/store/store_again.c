/*
 * The log has gone from its place.
 *
 * Somebody has removed or moved the file while it is written.  It is still open
 * here, and writing to it goes well, but after a kill nobody would find what
 * was acknowledged.  So it is looked for before each acknowledgement; when it
 * is gone, all of it is written anew where it belongs.  A file that somebody
 * else has put there is left alone: then nothing is acknowledged until it has
 * gone, and the spools of the collectors keep what comes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "store_inside.h"

#define COPY_BYTES ((size_t)1 << 20)

bool
store_is_gone(const struct store *st)
{
	const struct env_ops *ops = st->env->ops;

	return (ops->leads_to != NULL &&
		ops->leads_to(st->env, st->path, st->file) == 0);
}

/* What has been synced.  -1: errno. */
static int
copy_to(struct store *st, struct env_file *to)
{
	const struct env_ops *ops = st->env->ops;
	uint8_t *piece = malloc(COPY_BYTES);
	uint64_t at = 0, left;
	ssize_t n = 0;
	int saved;

	while (piece != NULL && at < st->synced && n >= 0) {
		left = st->synced - at;
		n = ops->read_at(st->file, piece,
		    left < COPY_BYTES ? (size_t)left : COPY_BYTES, at);
		if (n == 0)
			errno = EIO;
		if (n <= 0 || ops->write_at(to, piece, (size_t)n, at) != n)
			n = -1;
		else
			at += (uint64_t)n;
	}
	saved = errno;
	free(piece);
	errno = saved;
	return (at == st->synced ? 0 : -1);
}

/* A new file under our name; somebody may have removed its directory, too. */
static struct env_file *
open_again(struct store *st)
{
	const struct env_ops *ops = st->env->ops;
	int how = ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE;
	struct env_file *f = ops->open(st->env, st->path, how);
	char dir[4200];

	if (f != NULL || errno != ENOENT)
		return (f);
	store_dir_of(st->path, dir, sizeof(dir));
	if (ops->mkdir(st->env, dir) == -1)
		return (NULL);
	return (ops->open(st->env, st->path, how));
}

/* -1: errno; nothing has changed. */
static int
write_again(struct store *st)
{
	const struct env_ops *ops = st->env->ops;
	struct env_file *f = open_again(st);
	char dir[4200];
	int saved;

	if (f == NULL)
		return (-1);
	store_dir_of(st->path, dir, sizeof(dir));
	if (ops->lock(f) == -1 || copy_to(st, f) == -1 || ops->sync(f) == -1 ||
	    ops->sync_dir(st->env, dir) == -1) {
		saved = errno;
		ops->unlink(st->env, st->path);
		ops->file_close(f);
		errno = saved;
		return (-1);
	}
	ops->file_close(st->file);
	st->file = f;
	st->written = st->synced; /* the rest is in `out` */
	return (0);
}

bool
store_in_place(struct store *st)
{
	if (!store_is_gone(st))
		return (true);
	if (!st->failed)
		log_warnx("%s HAS BEEN REMOVED OR MOVED while it is written; "
			  "writing it anew",
		    st->path);
	if (write_again(st) == 0) {
		log_warnx("%s is there again, with all that was in it",
		    st->path);
		return (true);
	}
	if (errno != EEXIST)
		return (store_write_failed(st));
	snprintf(st->why, sizeof(st->why),
	    "another file is at %s; move it away", st->path);
	if (!st->failed)
		log_warnx("%s; nothing is lost while the spools of the "
			  "collectors have room",
		    st->why);
	st->failed = true;
	return (false);
}
