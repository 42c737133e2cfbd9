/*
 * Old blocks of a log that is continued, without their events.
 *
 * A crash tears a log at its end.  What lies further back was synced long ago,
 * and all that the run has to know of it to go on is in the blocks' heads and
 * summaries, which are a hundredth of the bytes.  The check of a frame's head
 * says that its length can be believed.  What only the events tell (how many
 * are orphans) is read when the run is shut down.
 */
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "store_inside.h"

#define SKIM_BYTES        ((size_t)4096)
/* of a block's message: where its number of events is, and its lanes */
#define BLOCK_EVENTS_AT   ((size_t)8 + 8)
#define BLOCK_FIXED_BYTES (BLOCK_EVENTS_AT + 4 + 1 + 1 + 4)

uint64_t store_whole_events = UINT64_C(2) << 20;

static uint32_t
u32_at(const uint8_t *p)
{
	return ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
		(uint32_t)p[3] << 24);
}

/* It is of this file, and at its place. */
static bool
is_mark(const struct frame *f, uint64_t offset)
{
	struct msg_synced m;

	return (f->type == MSG_synced &&
		msg_decode(f->type, f->body, f->body_bytes, &m) == 0 &&
		m.log_bytes == offset);
}

uint64_t
store_look_over(struct store *st, uint64_t offset, uint64_t size)
{
	uint8_t head[FRAME_HEAD_BYTES + BLOCK_FIXED_BYTES];
	uint64_t events = 0;
	struct frame f;
	enum frame_status s;

	while (offset + sizeof(head) <= size) {
		if (store_read_near(st, head, sizeof(head), offset) !=
		    (ssize_t)sizeof(head))
			break;
		s = frame_parse(head, sizeof(head), &f);
		if ((s != FRAME_OK && s != FRAME_SHORT) || f.frame_bytes == 0)
			break;
		if (f.type == MSG_block)
			events +=
			    u32_at(head + FRAME_HEAD_BYTES + BLOCK_EVENTS_AT);
		else if (s == FRAME_OK && is_mark(&f, offset))
			st->marked = offset;
		offset += f.frame_bytes;
	}
	return (events);
}

bool
store_skim_at(struct store *st, uint64_t offset, struct buf *b, struct frame *f)
{
	size_t have, n = FRAME_HEAD_BYTES + BLOCK_FIXED_BYTES + 4;
	enum frame_status s;
	uint32_t lanes;
	ssize_t got;

	b->n = 0;
	if (buf_reserve(b, SKIM_BYTES + 4) == -1)
		return (false);
	got = store_read_near(st, b->p, SKIM_BYTES, offset);
	if (got < (ssize_t)n)
		return (false);
	have = (size_t)got;
	s = frame_parse(b->p, have, f);
	if ((s != FRAME_OK && s != FRAME_SHORT) || f->type != MSG_block ||
	    f->frame_bytes <= n)
		return (false);
	lanes = u32_at(b->p + n - 4);
	if (lanes > f->frame_bytes - n)
		return (false);
	n += lanes;
	if (n > have && (buf_reserve(b, n + 4) == -1 ||
			    store_read_near(st, b->p, n, offset) != (ssize_t)n))
		return (false);
	memset(b->p + n, 0, 4); /* no columns */
	b->n = n + 4;
	f->body = b->p + FRAME_HEAD_BYTES;
	f->body_bytes = b->n - FRAME_HEAD_BYTES;
	return (true);
}

int
store_skimmed(struct store *st, uint64_t offset)
{
	size_t cap = st->skimmed_cap == 0 ? 256 : 2 * st->skimmed_cap;
	uint64_t *p;

	if (st->nskimmed == st->skimmed_cap) {
		p = realloc(st->skimmed, cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		st->skimmed = p;
		st->skimmed_cap = cap;
	}
	st->skimmed[st->nskimmed++] = offset;
	return (0);
}

int
store_each_skimmed(struct store *st, store_restore *each, void *arg)
{
	struct buf b = { 0 };
	struct frame f;
	int rv = 0;

	for (size_t i = 0; i < st->nskimmed && rv == 0; i++) {
		if (store_frame_at(st, st->skimmed[i], &b, &f) == 1)
			rv = each(arg, &f);
		else
			rv = -1;
	}
	st->nskimmed = 0;
	buf_free(&b);
	return (rv);
}
