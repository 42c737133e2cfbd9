/*
 * A log, frame by frame.
 *
 * What follows a damaged frame is found by its magic and believed when its
 * checksum agrees.  A frame that reaches beyond the end of the file is either
 * being written or has a damaged length: it is the former unless a good frame
 * lies behind its head.
 */
#include "tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefile_inside.h"

/* What is read at a time: more and more while one goes on from another. */
#define WINDOW_FIRST      ((size_t)1 << 16)
#define WINDOW_BYTES      ((size_t)1 << 20)
/* how far a file is searched for something of ours before it is refused */
#define HEAD_SEARCH_BYTES (2 * (uint64_t)(FRAME_HEAD_BYTES + FRAME_BODY_MAX))

static size_t
window_least(const struct tracefile *t, uint64_t offset)
{
	size_t n = t->window.n;

	if (n < WINDOW_FIRST / 2 || offset < t->window_at ||
	    offset > t->window_at + n)
		return (WINDOW_FIRST);
	return (n < WINDOW_BYTES / 2 ? 2 * n : WINDOW_BYTES);
}

const uint8_t *
tracefile_window(struct tracefile *t, uint64_t offset, size_t want, size_t *n)
{
	uint64_t end = t->window_at + t->window.n;

	*n = 0;
	if (offset >= t->bytes)
		return ((const uint8_t *)"");
	if (want > t->bytes - offset)
		want = (size_t)(t->bytes - offset);
	if (offset >= t->window_at && offset < end && want <= end - offset) {
		*n = (size_t)(end - offset);
		return (t->window.p + (offset - t->window_at));
	}
	if (want < window_least(t, offset))
		want = window_least(t, offset);
	t->window.n = 0;
	if (buf_reserve(&t->window, want) == -1)
		return (NULL);
	t->window_at = offset;
	while (t->window.n < want) {
		ssize_t got = pread(t->fd, t->window.p + t->window.n,
		    want - t->window.n, (off_t)(offset + t->window.n));

		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return (NULL);
		if (got == 0)
			break;
		t->window.n += (size_t)got;
	}
	/* never show more than is known to be there: the rest may be torn */
	if (t->window.n > t->bytes - offset)
		t->window.n = (size_t)(t->bytes - offset);
	*n = t->window.n;
	return (t->window.p);
}

void
tracefile_damage(struct tracefile *t, uint64_t from, uint64_t to)
{
	if (from < t->damaged_end)
		from = t->damaged_end;
	if (from < to) {
		t->damaged_bytes += to - from;
		t->damaged_end = to;
	}
}

/* Parses what is at offset, with as much of it in the window as it needs. */
static int
parse_at(struct tracefile *t, uint64_t offset, enum frame_status *status,
    struct frame *f)
{
	const uint8_t *p;
	size_t n, want = FRAME_HEAD_BYTES;

	for (;;) {
		p = tracefile_window(t, offset, want, &n);
		if (p == NULL)
			return (-1);
		*status = frame_parse(p, n, f);
		if (*status != FRAME_SHORT || n < want ||
		    f->frame_bytes <= want)
			return (0);
		want = f->frame_bytes;
	}
}

/* The next good frame behind a bad one at *offset; 1, 0 for none, or -1. */
static int
skip_damage(struct tracefile *t, uint64_t *offset, struct frame *f)
{
	enum frame_status status;
	uint64_t at = *offset + 1;
	const uint8_t *p;
	size_t n, next;

	while (at < t->bytes) {
		p = tracefile_window(t, at, FRAME_HEAD_BYTES, &n);
		if (p == NULL)
			return (-1);
		if (n == 0)
			break;
		next = frame_resync(p, n, 0);
		at += next;
		if (next == n)
			continue;
		if (parse_at(t, at, &status, f) == -1)
			return (-1);
		if (status == FRAME_OK) {
			tracefile_damage(t, *offset, at);
			*offset = at;
			return (1);
		}
		at++;
	}
	return (0);
}

int
tracefile_next(struct tracefile *t, uint64_t *offset, struct frame *f)
{
	enum frame_status status;
	int rc;

	if (*offset >= t->bytes)
		return (0);
	if (parse_at(t, *offset, &status, f) == -1)
		return (-1);
	if (status != FRAME_OK) {
		rc = skip_damage(t, offset, f);
		if (rc == 0 && status != FRAME_SHORT) {
			/* nothing good follows, and it is not being written */
			tracefile_damage(t, *offset, t->bytes);
		}
		if (rc != 1)
			return (rc);
	}
	*offset += f->frame_bytes;
	return (1);
}

int
tracefile_frame_at(struct tracefile *t, uint64_t offset, size_t frame_bytes,
    struct frame *f)
{
	enum frame_status status;

	if (parse_at(t, offset, &status, f) == -1)
		return (-1);
	return (status == FRAME_OK && f->frame_bytes == frame_bytes);
}

/* Reads the head of the log; NULL, or what is wrong with it. */
static const char *
read_head(struct tracefile *t)
{
	uint64_t offset = 0;
	struct frame f;
	enum frame_status status;

	if (t->bytes == 0)
		return ("is empty: nothing has been written to it yet");
	if (parse_at(t, 0, &status, &f) == -1)
		return (strerror(errno));
	if (status == FRAME_SHORT &&
	    (t->bytes < FRAME_HEAD_BYTES || skip_damage(t, &offset, &f) != 1))
		return ("ends within its first frame: there is nothing to read "
			"in it");
	if (status != FRAME_OK && offset == 0 &&
	    skip_damage(t, &offset, &f) != 1)
		return ("is not a log of orrery; give the file that monitord "
			"wrote");
	if (f.type < MSG_run || f.type > MSG_synced)
		return ("holds messages of orrery, but is not a log; give the "
			"file that monitord wrote");
	if (f.type != MSG_run)
		return (offset > 0 ? NULL
				   : "does not begin as a log does; give the "
				     "file that monitord wrote");
	if (buf_add(&t->head, f.body, f.body_bytes) == -1)
		return (strerror(errno));
	if (msg_decode(MSG_run, t->head.p, t->head.n, &t->run) == -1)
		return ("has a head that makes no sense");
	if (t->run.version > TRACEFILE_VERSION)
		return ("was written by a newer orrery; read it with that one");
	return (NULL);
}

struct tracefile *
tracefile_open(const char *path, const char **why)
{
	struct tracefile *t = calloc(1, sizeof(*t));
	struct stat st;
	int saved;

	*why = NULL;
	if (t == NULL)
		goto fail;
	t->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (t->fd == -1 || fstat(t->fd, &st) == -1)
		goto fail;
	errno = EINVAL;
	if (!S_ISREG(st.st_mode)) {
		*why = "is not a file; give the one that monitord wrote";
		goto fail;
	}
	t->bytes = (uint64_t)st.st_size;
	if (t->bytes > HEAD_SEARCH_BYTES)
		t->bytes = HEAD_SEARCH_BYTES;
	*why = read_head(t);
	t->bytes = (uint64_t)st.st_size;
	if (*why != NULL) {
		if (errno != ENOMEM && errno != EIO)
			errno = EINVAL;
		goto fail;
	}
	return (t);

fail:
	saved = errno;
	if (*why == NULL)
		*why = strerror(saved);
	tracefile_close(t);
	errno = saved;
	return (NULL);
}

void
tracefile_close(struct tracefile *t)
{
	if (t == NULL)
		return;
	if (t->fd != -1)
		close(t->fd);
	buf_free(&t->window);
	buf_free(&t->head);
	free(t->index);
	free(t);
}

int
tracefile_refresh(struct tracefile *t)
{
	uint64_t before = t->bytes;
	struct stat st;

	if (fstat(t->fd, &st) == -1)
		return (0);
	t->bytes = (uint64_t)st.st_size;
	if (t->bytes == before)
		return (0);
	t->window.n = 0;
	if (t->bytes < t->scanned) {
		/* cut by somebody: what we know of it is no longer true */
		t->scanned = 0;
		t->index_n = 0;
		t->finished = false;
	}
	return (t->bytes > before);
}

uint64_t
tracefile_bytes(const struct tracefile *t)
{
	return (t->bytes);
}

uint64_t
tracefile_damaged_bytes(const struct tracefile *t)
{
	return (t->damaged_bytes);
}

mode_t
tracefile_mode(const struct tracefile *t)
{
	struct stat st;

	return (fstat(t->fd, &st) == -1 ? 0600 : st.st_mode & 0777);
}

const struct msg_run *
tracefile_run(const struct tracefile *t)
{
	return (&t->run);
}
