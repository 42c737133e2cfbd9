/*
 * Reading a log that is there, up to its end: long ones with a second thread
 * that reads ahead, then what has come meanwhile, and short ones, without.
 */
#include "feed/feed_ahead.h"

#include <time.h>

#include "feed/feed_inside.h"

#define PORTION_BYTES  (1 << 20) /* between two news to the window */
#define LONG_BYTES     (1 << 17) /* of two blocks or so: worth a thread */
#define SPENT_LEAST_NS 500000000 /* before it says how long it will take */

/* Of one reading to the end. */
struct bulk {
	struct feed *feed;
	bool (*portion)(struct feed *);
	uint64_t from;
	int64_t from_ns;
};

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

/* As what has been read; 0: too little has. */
static uint32_t
left_s(const struct bulk *b, uint64_t offset, uint64_t end)
{
	int64_t spent = now_ns() - b->from_ns;

	if (spent < SPENT_LEAST_NS || offset <= b->from || end <= offset)
		return (0);
	return ((uint32_t)((double)(end - offset) / (double)(offset - b->from) *
			   (double)spent / 1e9) +
		1);
}

/* Between two frames.  False: it is to end. */
static bool
got_to(const struct bulk *b, uint64_t offset)
{
	struct feed *f = b->feed;

	if (offset - f->status.bytes < PORTION_BYTES)
		return (true);
	pthread_mutex_lock(&f->lock);
	f->status.bytes = offset;
	f->status.bytes_total = tracefile_bytes(f->file);
	f->status.left_s = left_s(b, offset, f->status.bytes_total);
	f->status.reading = true;
	pthread_mutex_unlock(&f->lock);
	return (b->portion(f));
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
with_help(const struct bulk *b, struct ahead *a, uint64_t *offset)
{
	struct ahead_frame frame;

	while (ahead_next(a, &frame)) {
		if (feed_ahead_frame(b->feed, &frame) == -1)
			return (-1);
		*offset = ahead_offset(a);
		if (!got_to(b, *offset))
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
	struct bulk b = { f, portion, *offset, now_ns() };
	struct ahead *a = NULL;
	struct frame frame;
	int r = 0;

	if (tracefile_bytes(f->file) - *offset >= LONG_BYTES)
		a = help_start(f, *offset);
	if (a != NULL) {
		r = with_help(&b, a, offset);
		pthread_mutex_lock(&f->lock);
		f->status.damaged_bytes += ahead_damaged_bytes(a);
		pthread_mutex_unlock(&f->lock);
		ahead_stop(a);
	}
	while (r == 0 && tracefile_next(f->file, offset, &frame) == 1)
		if (feed_frame(f, &frame, *offset - frame.frame_bytes) == -1 ||
		    !got_to(&b, *offset))
			r = -1;
	return (r);
}
