/*
 * Looking into a finished log without reading it: its index says where the
 * blocks are, and a block begins with its summary.  So all that is read of a
 * block is its first few KB, which is less than its checksum is made of: what
 * is told here is compared with the index, not proven.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracefile.h"
#include "tracefile_inside.h"
#include "wire.h"

#define FIRST_BYTES 4096 /* of a block; most summaries are in them */

/* The file from offset on; -1 with errno set: it is not all there. */
static int
read_at(struct tracefile *t, uint64_t offset, struct buf *b, size_t bytes)
{
	ssize_t got;

	if (bytes > b->n && buf_reserve(b, bytes - b->n) == -1)
		return (-1);
	while (b->n < bytes) {
		got = pread(t->fd, b->p + b->n, bytes - b->n,
		    (off_t)(offset + b->n));
		if (got == -1 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EINVAL;
		if (got <= 0)
			return (-1);
		b->n += (size_t)got;
	}
	return (0);
}

/* How far the body is needed: up to its columns.  0: it cannot be. */
static size_t
summary_bytes(const struct buf *b, const struct frame *f)
{
	static const struct msg_block none;
	size_t fixed = msg_size(MSG_block, &none), lanes;

	/* two lengths come last, of the lanes and of the columns */
	if (b->p == NULL || f->frame_bytes < FRAME_HEAD_BYTES + fixed)
		return (0);
	lanes = get_u32(b->p + FRAME_HEAD_BYTES + fixed - 8);
	if (lanes > f->frame_bytes - FRAME_HEAD_BYTES - fixed)
		return (0);
	return (fixed - 4 + lanes);
}

/* Reads as much as is needed; *body_bytes of it are the body. */
static int
read_summary(struct tracefile *t, const struct tracefile_entry *e,
    struct buf *b, size_t *body_bytes)
{
	size_t bytes =
	    e->frame_bytes < FIRST_BYTES ? e->frame_bytes : FIRST_BYTES;
	enum frame_status status;
	struct frame f;

	if (read_at(t, e->offset, b, bytes) == -1)
		return (-1);
	status = frame_parse(b->p, FRAME_HEAD_BYTES, &f);
	*body_bytes = 0;
	if (status == FRAME_SHORT && f.type == MSG_block &&
	    f.frame_bytes == e->frame_bytes)
		*body_bytes = summary_bytes(b, &f);
	if (*body_bytes == 0) {
		errno = EINVAL;
		return (-1);
	}
	return (read_at(t, e->offset, b, FRAME_HEAD_BYTES + *body_bytes));
}

static bool
as_said(const struct tracefile_entry *e, const struct msg_block *m)
{
	return (m->events == e->events && (m->late != 0) == (e->late != 0) &&
		m->first_mon_ns == e->first_mon_ns &&
		m->last_mon_ns == e->last_mon_ns);
}

int
tracefile_lanes(struct tracefile *t, const struct tracefile_entry *e,
    struct block_lane **lanes, size_t *n)
{
	struct buf b = { 0 };
	struct msg_block m;
	size_t body;
	int rc = -1;

	*lanes = NULL;
	*n = 0;
	errno = EINVAL;
	if (e->type != MSG_block || e->offset >= t->bytes ||
	    e->frame_bytes > t->bytes - e->offset ||
	    read_summary(t, e, &b, &body) == -1)
		goto out;
	/* fields that are not there are taken as nothing: no columns */
	if (msg_decode(MSG_block, b.p + FRAME_HEAD_BYTES, body, &m) == 0 &&
	    as_said(e, &m))
		rc = block_read_lanes(&m, lanes, n);
	else
		errno = EINVAL;
out:
	buf_free(&b);
	return (rc);
}
