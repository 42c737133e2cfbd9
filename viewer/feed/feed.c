/*
 * The feed: starting, stopping, and what the window may ask.
 *
 * The window's thread and the feed's share the model, which needs no lock,
 * and a small status, which has one.  An eventfd says that there is news; it
 * is written once per portion and read once per frame.
 */
#include "feed/feed.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "feed/feed_inside.h"
#include "model/sketch.h"

void
feed_wake(struct feed *f)
{
	uint64_t one = 1;

	if (write(f->changed_fd, &one, sizeof(one)) == -1)
		return; /* it is readable already */
}

void
feed_ask(struct feed *f)
{
	uint64_t one = 1;

	if (write(f->want_fd, &one, sizeof(one)) == -1)
		return; /* it is readable already */
}

void
feed_say(struct feed *f, const char *fmt, ...)
{
	va_list ap;

	pthread_mutex_lock(&f->lock);
	if (fmt == NULL) {
		f->status.message[0] = '\0';
	} else {
		va_start(ap, fmt);
		vsnprintf(f->status.message, sizeof(f->status.message), fmt,
		    ap);
		va_end(ap);
	}
	pthread_mutex_unlock(&f->lock);
	feed_wake(f);
}

static void
copy_str(char *to, size_t n, struct bytes s)
{
	size_t len = s.n < n ? s.n : n - 1;

	if (len > 0)
		memcpy(to, s.p, len);
	to[len] = '\0';
}

static void
feed_text_run(struct feed_status *st, const struct msg_run *run)
{
	char *p = st->run;

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p++ = '-';
		p += snprintf(p, 3, "%02x", run->run.b[i]);
	}
	copy_str(st->run_name, sizeof(st->run_name), run->name);
	st->start_mon_ns = run->start_mon_ns;
	st->start_real_ns = run->start_real_ns;
}

int
feed_frame(struct feed *f, const struct frame *frame, uint64_t offset)
{
	struct msg_run run;

	if (frame->type == MSG_run &&
	    msg_decode(MSG_run, frame->body, frame->body_bytes, &run) == 0) {
		pthread_mutex_lock(&f->lock);
		feed_text_run(&f->status, &run);
		pthread_mutex_unlock(&f->lock);
	}
	return (feed_frame_result(f, frame->frame_bytes,
	    model_add_frame_at(f->model, frame, offset)));
}

int
feed_frame_result(struct feed *f, size_t frame_bytes, int r)
{
	if (r == 0)
		return (0);
	if (errno == ENOMEM) {
		feed_say(f, "out of memory: what follows is not shown");
		return (-1);
	}
	pthread_mutex_lock(&f->lock);
	f->status.damaged_bytes += frame_bytes;
	pthread_mutex_unlock(&f->lock);
	return (0);
}

static struct feed *
feed_alloc(struct model *m)
{
	struct feed *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return (NULL);
	f->model = m;
	pthread_mutex_init(&f->lock, NULL);
	f->changed_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	f->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	f->want_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return (f);
}

static void
feed_free(struct feed *f)
{
	if (f == NULL)
		return;
	tracefile_close(f->file);
	if (f->changed_fd != -1)
		close(f->changed_fd);
	if (f->stop_fd != -1)
		close(f->stop_fd);
	if (f->want_fd != -1)
		close(f->want_fd);
	again_drop(f);
	buf_free(&f->frames.in);
	model_free(f->next);
	sketch_free(f->sketch);
	sketch_free(f->sketching);
	pthread_mutex_destroy(&f->lock);
	free(f->address);
	free(f->probe);
	free(f);
}

static int
open_file(struct feed *f, const char *file, char *why, size_t n)
{
	const char *what = NULL;

	if (stat(file, &f->file_was) == -1)
		f->file_was.st_ino = 0; /* what follows says why */
	errno = 0;
	f->file = tracefile_open(file, &what);
	if (f->file == NULL) {
		int code = errno == EINVAL ? EX_DATAERR : EX_NOINPUT;

		snprintf(why, n, "%s: %s", file,
		    what != NULL ? what : strerror(errno));
		return (code);
	}
	snprintf(f->status.source, sizeof(f->status.source), "%s", file);
	snprintf(f->status.log, sizeof(f->status.log), "%s", file);
	f->status.connected = true;
	f->status.reading = true;
	if (tracefile_run(f->file) != NULL)
		feed_text_run(&f->status, tracefile_run(f->file));
	return (0);
}

struct feed *
feed_new(struct model *m, const char *file, const char *address, char *why,
    size_t why_bytes, int *code)
{
	struct feed *f = feed_alloc(m);

	*code = EX_OSERR;
	snprintf(why, why_bytes, "cannot start: out of memory or descriptors");
	if (f == NULL || f->changed_fd == -1 || f->stop_fd == -1 ||
	    f->want_fd == -1)
		goto fail;
	if (file != NULL && (*code = open_file(f, file, why, why_bytes)) != 0)
		goto fail;
	if (file == NULL) {
		f->status.live = true;
		snprintf(f->status.source, sizeof(f->status.source), "%s",
		    address);
		if ((f->address = strdup(address)) == NULL)
			goto fail;
	}
	*code = 0;
	return (f);

fail:
	feed_free(f);
	return (NULL);
}

int
feed_go(struct feed *f)
{
	errno = pthread_create(&f->thread, NULL,
	    f->file != NULL ? feed_file_thread : feed_live_thread, f);
	f->goes = errno == 0;
	return (f->goes ? 0 : -1);
}

void
feed_stop(struct feed *f)
{
	uint64_t one = 1;

	if (f == NULL)
		return;
	if (f->goes && write(f->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(f->thread, NULL);
	feed_free(f);
}

int
feed_fd(const struct feed *f)
{
	return (f->changed_fd);
}

bool
feed_status_same(const struct feed_status *a, const struct feed_status *b)
{
	return (
	    a->live == b->live && a->connected == b->connected &&
	    a->fetching == b->fetching && a->summing == b->summing &&
	    a->reading == b->reading && a->finished == b->finished &&
	    a->have_pulse == b->have_pulse && a->left_s == b->left_s &&
	    a->bytes == b->bytes && a->bytes_total == b->bytes_total &&
	    a->damaged_bytes == b->damaged_bytes && a->lag_ns == b->lag_ns &&
	    a->error_ns == b->error_ns && a->lost == b->lost &&
	    a->nodes == b->nodes && a->pos == b->pos && a->rate == b->rate &&
	    a->state == b->state && strcmp(a->source, b->source) == 0 &&
	    strcmp(a->log, b->log) == 0 && strcmp(a->run, b->run) == 0 &&
	    strcmp(a->run_name, b->run_name) == 0 &&
	    a->start_mon_ns == b->start_mon_ns &&
	    a->start_real_ns == b->start_real_ns && a->answers == b->answers &&
	    strcmp(a->message, b->message) == 0);
}

void
feed_status(struct feed *f, struct feed_status *out)
{
	uint64_t count;

	if (read(f->changed_fd, &count, sizeof(count)) == -1)
		count = 0; /* nothing new, and the status is still right */
	pthread_mutex_lock(&f->lock);
	*out = f->status;
	pthread_mutex_unlock(&f->lock);
}

static void
wish(struct feed *f, struct wish *w, int64_t t0, int64_t t1)
{
	pthread_mutex_lock(&f->lock);
	*w = (struct wish){ true, t0, t1 };
	f->status.summing |= w != &f->seen;
	f->status.wanting |= w == &f->seen;
	pthread_mutex_unlock(&f->lock);
	feed_ask(f);
}

void
feed_want(struct feed *f, int64_t t0, int64_t t1)
{
	wish(f, &f->seen, t0, t1);
}

void
feed_want_sums(struct feed *f, enum sums_kind kind, int64_t t0, int64_t t1)
{
	wish(f, &f->sums[kind], t0, t1);
}

void
feed_reconnect(struct feed *f)
{
	bool away;

	pthread_mutex_lock(&f->lock);
	away = f->status.live && !f->status.connected;
	f->reconnect = away;
	pthread_mutex_unlock(&f->lock);
	if (away)
		feed_ask(f);
}

void
feed_probe(struct feed *f, char *text)
{
	pthread_mutex_lock(&f->lock);
	free(f->probe);
	f->probe = text;
	pthread_mutex_unlock(&f->lock);
	feed_ask(f);
}

bool
feed_detail(struct feed *f, struct model *m)
{
	struct model *d;

	pthread_mutex_lock(&f->lock);
	d = f->detail;
	f->detail = NULL;
	pthread_mutex_unlock(&f->lock);
	if (d != NULL)
		model_set_detail(m, d);
	return (d != NULL);
}

struct sketch *
feed_sketch(struct feed *f)
{
	struct sketch *s;

	pthread_mutex_lock(&f->lock);
	s = f->sketch;
	f->sketch = NULL;
	pthread_mutex_unlock(&f->lock);
	return (s);
}

bool
feed_sums(struct feed *f, struct model *m)
{
	struct sums *ready[SUMS_KINDS];
	bool any = false;

	pthread_mutex_lock(&f->lock);
	memcpy(ready, f->ready, sizeof(ready));
	memset(f->ready, 0, sizeof(f->ready));
	pthread_mutex_unlock(&f->lock);
	for (unsigned i = 0; i < SUMS_KINDS; i++) {
		if (ready[i] == NULL)
			continue;
		model_set_sums(m, ready[i]);
		any = true;
	}
	return (any);
}

struct model *
feed_new_model(struct feed *f)
{
	struct model *m;

	pthread_mutex_lock(&f->lock);
	m = f->next;
	f->next = NULL;
	pthread_mutex_unlock(&f->lock);
	return (m);
}

static bool
told(struct feed *f)
{
	if (f->tell != NULL)
		f->tell(f->tell_arg, &f->status);
	return (true);
}

int
feed_read_telling(struct model *m, const char *file, feed_tell *tell, void *arg,
    struct feed_status *out)
{
	struct feed f = { .model = m,
		.changed_fd = -1,
		.stop_fd = -1,
		.tell = tell,
		.tell_arg = arg,
		.lock = PTHREAD_MUTEX_INITIALIZER };
	struct msg_receipt receipt;
	uint64_t offset = 0;
	int code;

	code = open_file(&f, file, f.status.message, sizeof(f.status.message));
	if (code == 0 && feed_bulk(&f, &offset, told) == -1)
		code = EX_OSERR;
	if (f.file != NULL) {
		f.status.reading = false;
		/* before the index is made, which meets the same once more */
		f.status.damaged_bytes += tracefile_damaged_bytes(f.file);
		f.status.finished = tracefile_receipt(f.file, &receipt) == 1;
		f.status.bytes = f.status.bytes_total = tracefile_bytes(f.file);
		tracefile_close(f.file);
	}
	*out = f.status;
	return (code);
}

int
feed_read(struct model *m, const char *file, struct feed_status *out)
{
	return (feed_read_telling(m, file, NULL, NULL, out));
}
