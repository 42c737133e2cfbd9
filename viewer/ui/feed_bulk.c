/*
 * Reading a log that is there, up to its end: long ones with a second thread
 * that reads ahead, then what has come meanwhile, and short ones, without.
 */
#include "ui/feed_ahead.h"
#include "ui/feed_inside.h"

#define PORTION_BYTES (1 << 20) /* between two news to the window */
#define LONG_BYTES    (1 << 21) /* worth a thread */

/* Between two frames.  False: it is to end. */
static bool
got_to(struct feed *f, uint64_t offset, bool (*portion)(struct feed *))
{
	if (offset - f->status.bytes < PORTION_BYTES)
		return (true);
	pthread_mutex_lock(&f->lock);
	f->status.bytes = offset;
	f->status.bytes_total = tracefile_bytes(f->file);
	f->status.reading = true;
	pthread_mutex_unlock(&f->lock);
	return (portion(f));
}

static int
feed_ahead_frame(struct feed *f, const struct ahead_frame *a)
{
	if (a->events == NULL)
		return (feed_frame(f, &a->frame, a->offset));
	return (feed_frame_result(f, a->frame.frame_bytes,
	    model_add_block_at(f->model, &a->block, a->events,
		a->frame.frame_bytes, a->offset)));
}

static int
with_help(struct feed *f, struct ahead *a, uint64_t *offset,
    bool (*portion)(struct feed *))
{
	struct ahead_frame frame;

	while (ahead_next(a, &frame)) {
		if (feed_ahead_frame(f, &frame) == -1)
			return (-1);
		*offset = ahead_offset(a);
		if (!got_to(f, *offset, portion))
			return (-1);
	}
	*offset = ahead_offset(a);
	return (0);
}

/* By its name another one may be found now: monitord orders a log at the end.
 */
static struct ahead *
help_start(struct feed *f, uint64_t offset)
{
	struct ahead *a = ahead_start(f->status.source, offset);
	struct stat st;

	if (a == NULL || (stat(f->status.source, &st) == 0 &&
			     st.st_dev == f->file_was.st_dev &&
			     st.st_ino == f->file_was.st_ino))
		return (a);
	ahead_stop(a);
	return (NULL);
}

int
feed_bulk(struct feed *f, uint64_t *offset, bool (*portion)(struct feed *))
{
	struct ahead *a = NULL;
	struct frame frame;
	int r = 0;

	if (tracefile_bytes(f->file) - *offset >= LONG_BYTES)
		a = help_start(f, *offset);
	if (a != NULL) {
		r = with_help(f, a, offset, portion);
		pthread_mutex_lock(&f->lock);
		f->status.damaged_bytes += ahead_damaged_bytes(a);
		pthread_mutex_unlock(&f->lock);
		ahead_stop(a);
	}
	while (r == 0 && tracefile_next(f->file, offset, &frame) == 1)
		if (feed_frame(f, &frame, *offset - frame.frame_bytes) == -1 ||
		    !got_to(f, *offset, portion))
			r = -1;
	return (r);
}
