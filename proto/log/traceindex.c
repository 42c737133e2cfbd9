/*
 * Where the blocks of a log are.
 *
 * A finished log ends with index and receipt.  The receipt has a known length,
 * so the index is the frame that ends where the receipt begins.  When it is
 * not there, the log is unfinished or damaged, and the same table is made by
 * reading it all; after a refresh the scan goes on where it stopped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefile.h"
#include "tracefile_inside.h"
#include "varint.h"

#define ENTRY_BYTES_MAX (7 * VARINT_BYTES_MAX)
#define RECEIPT_GREW    24u /* bytes of mended and what follows */

int
tracefile_index_encode(const struct tracefile_entry *e, size_t n,
    struct buf *out)
{
	uint64_t offset = 0;
	int64_t first = 0;
	uint8_t *p;

	for (; n > 0; n--, e++) { /* of none, e may be NULL */
		if (buf_reserve(out, ENTRY_BYTES_MAX) == -1)
			return (-1);
		p = out->p + out->n;
		p = varint_write(p, e->offset - offset);
		p = varint_write(p, e->frame_bytes);
		p = varint_write(p, e->type);
		offset = e->offset;
		if (e->type == MSG_block) {
			uint64_t step =
			    (uint64_t)e->first_mon_ns - (uint64_t)first;

			p = varint_write(p, e->events);
			p = varint_write(p, e->late);
			p = varint_write(p, zigzag((int64_t)step));
			p = varint_write(p, (uint64_t)e->last_mon_ns -
						(uint64_t)e->first_mon_ns);
			first = e->first_mon_ns;
		}
		out->n = (size_t)(p - out->p);
	}
	return (0);
}

int
tracefile_tail(const struct tracefile_entry *e, size_t n, uint64_t log_bytes,
    uint64_t events, const struct msg_receipt *receipt, struct buf *out)
{
	struct msg_index m = { .log_bytes = log_bytes, .events = events };
	struct buf entries = { 0 };
	size_t was = out->n;
	int rv = tracefile_index_encode(e, n, &entries);

	m.entries = (struct bytes){ entries.p, entries.n };
	if (rv == 0 && frame_append(out, MSG_index, &m) == -1)
		rv = errno == EMSGSIZE ? 1 : -1;
	buf_free(&entries);
	if (rv != -1 && frame_append(out, MSG_receipt, receipt) == -1)
		rv = -1;
	if (rv == -1)
		out->n = was;
	return (rv);
}

/* v: events, late, first, span. */
static bool
set_block(struct tracefile_entry *e, const uint64_t *v, int64_t *first)
{
	uint64_t start = (uint64_t)*first + (uint64_t)unzigzag(v[2]);

	*first = (int64_t)start;
	e->events = (uint32_t)v[0];
	e->late = v[1] != 0;
	e->first_mon_ns = (int64_t)start;
	e->last_mon_ns = (int64_t)(start + v[3]);
	return (v[0] > 0 && v[0] <= BLOCK_EVENTS_MAX &&
		time_is_sane(e->first_mon_ns) && time_is_sane(e->last_mon_ns) &&
		e->last_mon_ns >= e->first_mon_ns);
}

static const uint8_t *
get_entry(const uint8_t *p, const uint8_t *end, uint64_t *offset,
    int64_t *first, struct tracefile_entry *e)
{
	uint64_t v[7];
	int n = 3;

	memset(e, 0, sizeof(*e));
	for (int i = 0; i < n; i++) {
		p = varint_get(p, end, &v[i]);
		if (p == NULL)
			return (NULL);
		if (i == 2 && v[2] == MSG_block)
			n = 7;
	}
	if (v[0] > UINT64_MAX - *offset || v[2] >= MSG_TYPES ||
	    v[1] < FRAME_HEAD_BYTES || v[1] > FRAME_HEAD_BYTES + FRAME_BODY_MAX)
		return (NULL);
	e->offset = *offset += v[0];
	e->frame_bytes = (uint32_t)v[1];
	e->type = (uint8_t)v[2];
	if (e->type == MSG_block && !set_block(e, v + 3, first))
		return (NULL);
	return (p);
}

/* Doubles an array as it fills up. */
static int
push(struct tracefile_entry **all, size_t *n, size_t *cap,
    const struct tracefile_entry *e)
{
	if (*n == *cap) {
		size_t more = *cap == 0 ? 64 : *cap * 2;
		struct tracefile_entry *p =
		    reallocarray(*all, more, sizeof(*p));

		if (p == NULL)
			return (-1);
		*all = p;
		*cap = more;
	}
	(*all)[(*n)++] = *e;
	return (0);
}

int
tracefile_index_decode(struct bytes b, struct tracefile_entry **out, size_t *n)
{
	const uint8_t *p = b.n > 0 ? b.p : (const void *)"", *end = p + b.n;
	struct tracefile_entry *all = NULL, e;
	uint64_t offset = 0;
	int64_t first = 0;
	size_t cap = 0;

	*n = 0;
	*out = NULL;
	while (p < end) {
		p = get_entry(p, end, &offset, &first, &e);
		if (p == NULL)
			errno = EINVAL;
		if (p == NULL || push(&all, n, &cap, &e) == -1) {
			free(all);
			*n = 0;
			return (-1);
		}
	}
	*out = all;
	return (0);
}

/* Takes over the index frame at `at` if it is what it should be. */
static int
take_index(struct tracefile *t, uint64_t at, const struct frame *f)
{
	struct tracefile_entry *all;
	struct msg_index m;
	size_t n;

	if (msg_decode(MSG_index, f->body, f->body_bytes, &m) == -1 ||
	    m.log_bytes != at ||
	    tracefile_index_decode(m.entries, &all, &n) == -1)
		return (0);
	if (n > 0 && all[n - 1].offset >= at) {
		free(all);
		return (0);
	}
	free(t->index);
	t->index = all;
	t->index_n = t->index_cap = n;
	t->scanned = t->bytes;
	t->finished = true;
	return (1);
}

/* Looks for the index in the last `tail` bytes before the receipt at `end`. */
static int
find_index(struct tracefile *t, uint64_t end, size_t tail)
{
	uint64_t from = end > tail ? end - tail : 0;
	const uint8_t *p;
	size_t n, want = (size_t)(end - from);
	struct frame f;

	p = tracefile_window(t, from, want, &n);
	if (p == NULL)
		return (-1);
	if (n < want)
		return (0);
	for (size_t i = 0; i < want; i++) {
		i = frame_resync(p, want, i);
		if (i == want)
			break;
		/* the checksum is taken of few: look at the length first */
		if (frame_parse(p + i, FRAME_HEAD_BYTES, &f) == FRAME_SHORT &&
		    f.type == MSG_index && f.frame_bytes == want - i &&
		    frame_parse(p + i, want - i, &f) == FRAME_OK)
			return (take_index(t, from + i, &f));
	}
	return (0);
}

/*
 * The receipt that the file ends with, and where: 1, 0: there is none, or -1.
 * The first logs lack its last fields.
 */
static int
read_receipt(struct tracefile *t, uint64_t *at)
{
	static const struct msg_receipt any;
	size_t bytes = FRAME_HEAD_BYTES + msg_size(MSG_receipt, &any);
	struct frame f;
	int rc = 0;

	for (size_t less = 0; less <= RECEIPT_GREW && rc == 0;
	     less += RECEIPT_GREW) {
		if (t->bytes < bytes - less)
			return (0);
		*at = t->bytes - (bytes - less);
		rc = tracefile_frame_at(t, *at, bytes - less, &f);
		if (rc == 1 && (f.type != MSG_receipt ||
				   msg_decode(MSG_receipt, f.body, f.body_bytes,
				       &t->receipt) == -1))
			rc = 0;
	}
	return (rc);
}

/* The index from the end of a finished log: 1, 0: there is none, or -1. */
static int
read_end(struct tracefile *t)
{
	uint64_t at;
	int rc;

	rc = read_receipt(t, &at);
	if (rc != 1)
		return (rc);
	for (size_t tail = 1 << 16; rc != -1; tail *= 16) {
		rc = find_index(t, at, tail);
		if (rc == 1 || tail >= at ||
		    tail > FRAME_BODY_MAX + FRAME_HEAD_BYTES)
			break;
	}
	return (rc);
}

/* Notes a frame that a scan has met at `at`. */
static int
scan_frame(struct tracefile *t, uint64_t at, const struct frame *f)
{
	struct tracefile_entry e = { .offset = at,
		.frame_bytes = (uint32_t)f->frame_bytes,
		.type = (uint8_t)f->type };
	struct msg_block b;

	t->finished = false;
	switch (f->type) {
	case MSG_receipt:
		t->finished = msg_decode(MSG_receipt, f->body, f->body_bytes,
				  &t->receipt) == 0;
		if (!t->finished)
			tracefile_damage(t, at, at + f->frame_bytes);
		return (0);
	case MSG_block:
		if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1 ||
		    b.events == 0 || b.events > BLOCK_EVENTS_MAX ||
		    b.first_mon_ns > b.last_mon_ns) {
			tracefile_damage(t, at, at + f->frame_bytes);
			return (0);
		}
		e.events = b.events;
		e.late = b.late;
		e.first_mon_ns = b.first_mon_ns;
		e.last_mon_ns = b.last_mon_ns;
		break;
	case MSG_kind:
	case MSG_node:
	case MSG_po:
	case MSG_thread:
	case MSG_name:
	case MSG_segment:
	case MSG_module:
	case MSG_symbol:
		break;
	default:
		return (0);
	}
	return (push(&t->index, &t->index_n, &t->index_cap, &e));
}

/* Brings the index up to date. */
static int
update(struct tracefile *t)
{
	struct frame f;
	uint64_t at;
	int rc = 0;

	if (t->scanned == t->bytes)
		return (0);
	if (t->scanned == 0)
		rc = read_end(t);
	if (rc != 0)
		return (rc == 1 ? 0 : -1);
	for (;;) {
		at = t->scanned;
		rc = tracefile_next(t, &at, &f);
		if (rc != 1)
			return (rc);
		if (scan_frame(t, at - f.frame_bytes, &f) == -1)
			return (-1);
		t->scanned = at;
	}
}

int
tracefile_has_index(struct tracefile *t)
{
	if (t->scanned == 0 && read_end(t) == -1)
		return (-1);
	return (t->finished && t->scanned == t->bytes);
}

const struct tracefile_entry *
tracefile_index(struct tracefile *t, size_t *n)
{
	static const struct tracefile_entry none;

	*n = 0;
	if (update(t) == -1)
		return (NULL);
	*n = t->index_n;
	return (t->index_n > 0 ? t->index : &none);
}

int
tracefile_receipt(struct tracefile *t, struct msg_receipt *r)
{
	if (update(t) == -1 || !t->finished)
		return (0);
	*r = t->receipt;
	return (1);
}
