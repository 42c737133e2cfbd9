/*
 * The feed from a file: to its end, and on when it grows.  The kernel tells of
 * that; only on file systems where others may write without its knowledge is
 * the file looked at now and then.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "feed/cache.h"
#include "feed/feed_inside.h"
#include "feed/feed_sketch.h"

#define LOOK_MS 50 /* for growth */
#define BEHIND  5  /* nicer than the window by so much */

/* Waits for growth, or a wish; true when the feed is to stop. */
static bool
stopped(struct feed *f, int fd, int ms)
{
	struct pollfd p[] = { { .fd = f->stop_fd, .events = POLLIN },
		{ .fd = f->want_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN } };
	char event[4096];
	uint64_t n;

	if (poll(p, 3, ms) <= 0)
		return (false);
	if (p[1].revents != 0 && read(f->want_fd, &n, sizeof(n)) != -1)
		again_take(f);
	if (p[2].revents != 0 && read(fd, event, sizeof(event)) == -1)
		return (p[0].revents != 0); /* it was only a hint */
	return (p[0].revents != 0);
}

/* What is wanted once more, portion by portion.  True: as stopped(). */
static bool
read_again(struct feed *f)
{
	do {
		while (again_read(f))
			if (stopped(f, -1, 0))
				return (true);
		if (stopped(f, -1, 0)) /* there may be more, or a wish */
			return (true);
	} while (f->again.detail != NULL);
	return (false);
}

/* The size of what is told here may also be known late. */
static bool
is_far(const char *path)
{
	struct statfs fs;

	return (statfs(path, &fs) == -1 || fs.f_type == NFS_SUPER_MAGIC ||
		fs.f_type == SMB_SUPER_MAGIC || fs.f_type == FUSE_SUPER_MAGIC ||
		fs.f_type == CIFS_SUPER_MAGIC || fs.f_type == SMB2_SUPER_MAGIC);
}

/* Readable when the file has been written to; -1: it must be looked at. */
static int
watch(const char *path)
{
	int fd;

	if (is_far(path) ||
	    (fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) == -1)
		return (-1);
	if (inotify_add_watch(fd, path, IN_MODIFY) != -1)
		return (fd);
	close(fd);
	return (-1);
}

static void
tell(struct feed *f, uint64_t offset, bool reading, bool finished)
{
	pthread_mutex_lock(&f->lock);
	f->status.bytes = offset;
	f->status.bytes_total = tracefile_bytes(f->file);
	f->status.left_s = 0;
	f->status.reading = reading;
	f->status.finished = finished;
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

/* True: go on. */
static bool
portion_read(struct feed *f)
{
	feed_wake(f);
	again_read(f);
	feed_sketch_go_on(f);
	return (!stopped(f, -1, 0));
}

/*
 * Reading may take all processors that there are: whoever moves about in what
 * has been read comes first.  Threads that this one starts are as it is.
 */
static void
give_way(void)
{
	if (setpriority(PRIO_PROCESS, 0,
		getpriority(PRIO_PROCESS, 0) + BEHIND) == -1)
		return; /* no matter */
}

void *
feed_file_thread(void *arg)
{
	struct feed *f = arg;
	struct cache_trouble trouble; /* is no matter */
	struct msg_receipt receipt;
	uint64_t offset = 0;
	bool finished = false;
	int fd = watch(f->status.source);
	/* kept since it was read before */
	bool kept = model_finished(f->model);

	give_way();
	if (kept)
		offset = tracefile_bytes(f->file);
	else
		feed_sketch_begin(f);
	while (feed_bulk(f, &offset, portion_read) == 0) {
		feed_sketch_end(f);
		finished = tracefile_receipt(f->file, &receipt) == 1;
		tell(f, offset, false, finished);
		if (finished && !kept &&
		    model_events(f->model) >= CACHE_EVENTS_MIN)
			cache_keep(f->model, f->status.source, &trouble);
		kept = true;
		/* first a look: it may have grown before it was watched */
		while (finished || tracefile_refresh(f->file) != 1)
			if (stopped(f, fd,
				finished || fd != -1 ? -1 : LOOK_MS) ||
			    read_again(f))
				goto out;
		if (stopped(f, -1, 0))
			break;
	}
out:
	if (fd != -1)
		close(fd);
	tell(f, offset, false, finished);
	return (NULL);
}
