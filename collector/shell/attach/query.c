/*
 * Answers to queries.
 *
 * Matches are counted first, so that each answer can say whether another
 * follows.
 */
#include "query.h"

#include <string.h>

static bool
query_fits(const struct msg_query *q, const struct stream *st)
{
	return ((q->po == 0 || st->po == q->po) &&
		(q->thread == 0 || st->thread == q->thread));
}

int
query_answer(const struct ident *id, uint32_t node, const struct msg_query *q,
    struct buf *out)
{
	struct msg_answer m = { .node = node,
		.po = q->po,
		.thread = q->thread };
	size_t left = 0;

	for (size_t i = 0; i < ident_streams(id); i++)
		left += query_fits(q, ident_stream_at(id, i));
	if (left == 0)
		return (frame_append(out, MSG_answer, &m));
	for (size_t i = 0; i < ident_streams(id); i++) {
		const struct stream *st = ident_stream_at(id, i);
		const struct po *po;

		if (!query_fits(q, st))
			continue;
		po = ident_po(id, st->po);
		m = (struct msg_answer){
			.more = --left > 0,
			.node = node,
			.po = st->po,
			.thread = st->thread,
			.os_id =
			    st->thread == 0 && po != NULL ? po->pid : st->tid,
			.alive = !st->ended,
			.published = stream_published(st),
			.lost = st->lost,
			.name = BYTES_STR(st->name),
		};
		if (st->thread == 0 && po != NULL)
			m.name = BYTES_STR(po->program);
		if (frame_append(out, MSG_answer, &m) == -1)
			return (-1);
	}
	return (0);
}
