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

#include "block.h"
#include "store_inside.h"

#define SKIM_BYTES        ((size_t)4096)
/* of a block's message, before its lanes */
#define BLOCK_FIXED_BYTES ((size_t)8 + 8 + 4 + 1 + 1 + 4)

uint64_t store_whole_bytes = UINT64_C(32) << 20;

bool
store_skim_at(struct store *st, uint64_t offset, struct buf *b, struct frame *f)
{
	static const uint8_t no_columns[sizeof(uint32_t)];
	size_t need = FRAME_HEAD_BYTES + SKIM_BYTES, n;
	const uint8_t *p;
	uint32_t lanes;

	b->n = 0;
	if (buf_reserve(b, need) == -1 ||
	    st->env->ops->read_at(st->file, b->p, need, offset) !=
		(ssize_t)need ||
	    frame_parse(b->p, need, f) != FRAME_SHORT || f->type != MSG_block)
		return (false);
	n = FRAME_HEAD_BYTES + BLOCK_FIXED_BYTES + sizeof(lanes);
	p = b->p + n - sizeof(lanes);
	lanes = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
		(uint32_t)p[3] << 24;
	if (lanes > f->frame_bytes - n)
		return (false);
	n += lanes;
	if (n > need &&
	    (buf_reserve(b, n) == -1 ||
		st->env->ops->read_at(st->file, b->p, n, offset) != (ssize_t)n))
		return (false);
	b->n = n;
	if (buf_add(b, no_columns, sizeof(no_columns)) == -1)
		return (false);
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
		if (store_frame_at(st->env, st->file, st->skimmed[i], &b, &f) ==
		    1)
			rv = each(arg, &f);
		else
			rv = -1;
	}
	st->nskimmed = 0;
	buf_free(&b);
	return (rv);
}
