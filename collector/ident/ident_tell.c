/*
 * What a new session with monitord is told first: all definitions, a piece at a
 * time, so that no more of them is on its way than the connection takes.
 *
 * POs that come meanwhile are told in batches, as ever.
 */
#include "ident.h"

#include <assert.h>

#include "ident_inside.h"

#define PIECE_BYTES (64u << 10)

void
ident_tell_begin(const struct ident *id, struct ident_told *t)
{
	*t = (struct ident_told){ .end = id->npos };
}

/* The length of the whole frames from there on, some PIECE_BYTES of them. */
static size_t
piece(const struct buf *defs, size_t from)
{
	size_t at = from;
	struct frame f;

	while (at < defs->n && at - from < PIECE_BYTES) {
		/* it is ours, and whole: its head will do */
		(void)frame_parse(defs->p + at, FRAME_HEAD_BYTES, &f);
		assert(f.frame_bytes > 0);
		at += f.frame_bytes;
	}
	return (at - from);
}

struct bytes
ident_tell(const struct ident *id, struct ident_told *t)
{
	while (t->po < t->end && t->po < id->npos) {
		const struct buf *defs = &id->pos[t->po]->defs;
		size_t from = t->at, n = piece(defs, from);

		t->at += n;
		if (n > 0)
			return ((struct bytes){ defs->p + from, n });
		t->po++;
		t->at = 0;
	}
	t->po = t->end; /* or there are fewer than there were */
	return ((struct bytes){ NULL, 0 });
}
