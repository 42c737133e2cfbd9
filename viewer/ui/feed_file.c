/* The feed from a file: to its end, and on when it grows. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "ui/feed_inside.h"

#define PORTION_BYTES (1 << 20) /* between two news to the window */
#define LOOK_MS       50        /* for growth */

/* Waits for that, or a wish; true when the feed is to stop. */
static bool
stopped(struct feed *f, int ms)
{
	struct pollfd p[] = { { .fd = f->stop_fd, .events = POLLIN },
		{ .fd = f->want_fd, .events = POLLIN } };
	uint64_t n;

	if (poll(p, 2, ms) <= 0)
		return (false);
	if (p[1].revents != 0 && read(f->want_fd, &n, sizeof(n)) != -1)
		again_take(f);
	return (p[0].revents != 0);
}

/* What is wanted once more, portion by portion.  True: as stopped(). */
static bool
read_again(struct feed *f)
{
	while (again_read(f))
		if (stopped(f, 0))
			return (true);
	return (stopped(f, 0));
}

static void
tell(struct feed *f, uint64_t offset, bool reading, bool finished)
{
	pthread_mutex_lock(&f->lock);
	f->status.bytes = offset;
	f->status.bytes_total = tracefile_bytes(f->file);
	f->status.reading = reading;
	f->status.finished = finished;
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

/* Everything that is there now.  False when the feed is to stop. */
static bool
read_on(struct feed *f, uint64_t *offset)
{
	uint64_t told = *offset;
	struct frame frame;

	while (tracefile_next(f->file, offset, &frame) == 1) {
		if (feed_frame(f, &frame, *offset - frame.frame_bytes) == -1)
			return (false);
		if (*offset - told < PORTION_BYTES)
			continue;
		told = *offset;
		tell(f, told, true, false);
		again_read(f);
		if (stopped(f, 0))
			return (false);
	}
	return (true);
}

void *
feed_file_thread(void *arg)
{
	struct feed *f = arg;
	struct msg_receipt receipt;
	uint64_t offset = 0;
	bool finished = false;

	while (read_on(f, &offset)) {
		finished = tracefile_receipt(f->file, &receipt) == 1;
		tell(f, offset, false, finished);
		while (!stopped(f, finished ? -1 : LOOK_MS) && !read_again(f))
			if (tracefile_refresh(f->file) == 1)
				break;
		if (stopped(f, 0))
			break;
	}
	tell(f, offset, false, finished);
	return (NULL);
}
