/*
 * A log is written to a file beside NAME; linking it to NAME at the end fails
 * when somebody else has made that meanwhile.
 */
#include "logout.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/beside.h"

#define ZSTD_LEVEL 3
#define OUT_BYTES  ((size_t)4 << 20)

struct logout {
	char *path, part[BESIDE_BYTES];
	int fd;
	struct buf out;
	uint64_t bytes; /* written */
	struct block_writer *block;
	struct tracefile_entry *entries;
	size_t nentries, cap;
	uint64_t events;
};

static int
flush_out(struct logout *l)
{
	size_t at = 0;
	ssize_t n;

	while (at < l->out.n) {
		n = write(l->fd, l->out.p + at, l->out.n - at);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return (-1);
		at += (size_t)n;
	}
	l->bytes += l->out.n;
	l->out.n = 0;
	return (0);
}

/* A frame of this type has been appended from `at` on: index it. */
static int
appended(struct logout *l, size_t at)
{
	struct tracefile_entry *e;
	struct msg_block b;
	struct frame f;

	if (frame_parse(l->out.p + at, l->out.n - at, &f) != FRAME_OK) {
		errno = EINVAL;
		return (-1);
	}
	if (l->nentries == l->cap) {
		size_t cap = l->cap == 0 ? 256 : l->cap * 2;

		e = reallocarray(l->entries, cap, sizeof(*e));
		if (e == NULL)
			return (-1);
		l->entries = e;
		l->cap = cap;
	}
	e = &l->entries[l->nentries++];
	*e = (struct tracefile_entry){ .offset = l->bytes + at,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.type = (uint8_t)f.type };
	if (f.type == MSG_block) {
		if (msg_decode(f.type, f.body, f.body_bytes, &b) == -1)
			return (-1);
		e->events = b.events;
		e->first_mon_ns = b.first_mon_ns;
		e->last_mon_ns = b.last_mon_ns;
		l->events += b.events;
	}
	return (l->out.n > OUT_BYTES ? flush_out(l) : 0);
}

struct logout *
logout_open(const char *path, mode_t mode, const struct msg_run *run)
{
	struct logout *l = calloc(1, sizeof(*l));
	int saved;

	if (l == NULL)
		return (NULL);
	l->fd = -1;
	if (access(path, F_OK) == 0) {
		errno = EEXIST;
		goto fail;
	}
	l->path = strdup(path);
	l->block = block_writer_new();
	if (l->path == NULL || l->block == NULL)
		goto fail;
	l->fd = beside_open(path, 0600, l->part);
	if (l->fd == -1 || fchmod(l->fd, mode) == -1 ||
	    frame_append(&l->out, MSG_run, run) == -1)
		goto fail;
	return (l);

fail:
	saved = errno;
	logout_free(l);
	errno = saved;
	return (NULL);
}

int
logout_frame(struct logout *l, const struct frame *f)
{
	size_t at = l->out.n;

	if (buf_add(&l->out, f->body - FRAME_HEAD_BYTES, f->frame_bytes) == -1)
		return (-1);
	return (appended(l, at));
}

int
logout_message(struct logout *l, enum msg_type type, const void *msg)
{
	size_t at = l->out.n;

	if (frame_append(&l->out, type, msg) == -1)
		return (-1);
	return (appended(l, at));
}

static int
put_block(struct logout *l)
{
	size_t at = l->out.n;

	if (block_events(l->block) == 0)
		return (0);
	if (block_finish(l->block, 0, ZSTD_LEVEL, &l->out) == -1)
		return (-1);
	return (appended(l, at));
}

int
logout_event(struct logout *l, const struct event *e)
{
	if (block_add(l->block, e) == 0)
		return (0);
	if (put_block(l) == -1)
		return (-1);
	return (block_add(l->block, e));
}

int
logout_finish(struct logout *l, const struct msg_receipt *receipt)
{
	if (put_block(l) == -1 ||
	    (receipt != NULL &&
		tracefile_tail(l->entries, l->nentries, l->bytes + l->out.n,
		    l->events, receipt, &l->out) == -1) ||
	    flush_out(l) == -1 || fsync(l->fd) == -1 ||
	    link(l->part, l->path) == -1)
		return (-1);
	return (0);
}

void
logout_free(struct logout *l)
{
	if (l == NULL)
		return;
	if (l->fd != -1) {
		close(l->fd);
		unlink(l->part);
	}
	block_writer_free(l->block);
	buf_free(&l->out);
	free(l->entries);
	free(l->path);
	free(l);
}
