/*
 * What has gathered reaches the disk.
 *
 * The buffer `out` is let go of by a sync that has succeeded, and by nothing
 * else: after one that has failed the kernel may have forgotten what it could
 * not write, so all since the last good one is written again.  A disk that
 * takes no more is said once, and so is that it takes more again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "store_inside.h"

/* Writes what has not been written.  The buffer is kept until a sync. */
int
store_write_out(struct store *st)
{
	size_t done = (size_t)(st->written - st->synced);
	size_t left = st->out.n - done;
	ssize_t n;

	while (left > 0) {
		n = st->env->ops->write_at(st->file, st->out.p + done, left,
		    st->written);
		if (n == 0)
			errno = ENOSPC;
		if (n <= 0)
			return (-1);
		done += (size_t)n;
		left -= (size_t)n;
		st->written += (uint64_t)n;
	}
	return (0);
}

/* Says the first failure, remembers why. */
bool
store_write_failed(struct store *st)
{
	snprintf(st->why, sizeof(st->why), "%s: %s", st->path, strerror(errno));
	if (!st->failed)
		log_warnx("cannot write the log: %s; nothing is lost while the "
			  "spools of the collectors have room, make some here",
		    st->why);
	st->failed = true;
	return (false);
}

bool
store_sync_out(struct store *st)
{
	if (store_write_out(st) == -1)
		return (store_write_failed(st));
	if (st->env->ops->sync(st->file) == -1) {
		st->written = st->synced; /* all of it again */
		return (store_write_failed(st));
	}
	st->synced = st->written;
	st->out.n = 0;
	if (st->failed)
		log_warnx("%s can be written again", st->path);
	st->failed = false;
	return (true);
}

/* The directory part of a path; "." when it has none. */
void
store_dir_of(const char *path, char *dir, size_t n)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		snprintf(dir, n, ".");
	else
		snprintf(dir, n, "%.*s", (int)(slash - path + 1), path);
}

int
store_sync_dir(struct store *st, struct store_error *err)
{
	char dir[4200];

	store_dir_of(st->path, dir, sizeof(dir));
	if (st->env->ops->sync_dir(st->env, dir) == -1)
		return (store_fail(err, EX_IOERR, "cannot sync %s: %s", dir,
		    strerror(errno)));
	return (0);
}
