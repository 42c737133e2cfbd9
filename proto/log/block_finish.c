/*
 * Closing a block: the summaries of its lanes are written and its columns are
 * compressed, each on its own: with one table for all of them zstd needs a
 * tenth more.
 */
#include <errno.h>
#include <string.h>

#include <zstd.h>

#include "block_format.h"
#include "block_inside.h"
#include "words.h"

static int
put_lanes(struct block_writer *w)
{
	uint64_t first = (uint64_t)w->first_mon_ns;

	w->lanes.n = 0;
	if (buf_reserve(&w->lanes, w->nlanes * BLOCK_LANE_BYTES_MAX) == -1)
		return (-1);
	for (size_t i = 0; i < w->nlanes; i++) {
		const struct lane *l = &w->lane[i];
		uint8_t *p = w->lanes.p + w->lanes.n;
		uint32_t events = 0, count[EVENT_CLASSES];
		uint64_t classes = 0;

		for (unsigned c = 0; c < EVENT_CLASSES; c++) {
			count[c] = l->class_more[c] + (c == l->first_class);
			classes |= (uint64_t)(count[c] != 0) << c;
			events += count[c];
		}
		p = varint_write(p, l->location);
		p = varint_write(p, l->next_seq - events);
		p = varint_write(p, events);
		p = varint_write(p, (uint64_t)l->first_mon_ns - first);
		p = varint_write(p, (uint64_t)l->last_mon_ns - first);
		p = varint_write(p, classes);
		for (unsigned c = 0; c < EVENT_CLASSES; c++) {
			if (count[c] != 0)
				p = varint_write(p, count[c]);
		}
		w->lanes.n = (size_t)(p - w->lanes.p);
	}
	return (0);
}

/*
 * Levels below zero look for matches in few places, and as zstd has it leave
 * out the entropy coding of the rest, too, which is all we want of them.
 */
static void
set_level(struct block_writer *w, int level)
{
	if (level == w->level)
		return;
	w->level = level;
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
	/* literalCompressionMode: 0 as it thinks best, 1 always */
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_experimentalParam5, level < 0);
}

/* Appends one column to w->packed. */
static int
pack_column(struct block_writer *w, const struct column *c, int level)
{
	size_t plain = (size_t)(c->p - c->start), n = plain;
	size_t room = ZSTD_compressBound(plain);
	uint8_t *p, *body;

	if (buf_reserve(&w->packed, 3 * VARINT_BYTES_MAX + room) == -1)
		return (-1);
	p = w->packed.p + w->packed.n;
	body = p + 2 * VARINT_BYTES_MAX;
	if (level != 0)
		n = ZSTD_compress2(w->zstd, body, room, c->start, plain);
	p = varint_write(p, plain);
	if (ZSTD_isError(n) || n >= plain) {
		p = varint_write(p, plain);
		memcpy(p, c->start, plain);
		p += plain;
	} else {
		p = varint_write(p, n);
		memmove(p, body, n);
		p += n;
	}
	w->packed.n = (size_t)(p - w->packed.p);
	return (0);
}

static int
pack_columns(struct block_writer *w, int level)
{
	w->packed.n = 0;
	for (int i = 0; i < BLOCK_COLUMNS; i++) {
		if (pack_column(w, &w->column[i], level) == -1)
			return (-1);
	}
	return (0);
}

int
block_finish(struct block_writer *w, int late, int level, struct buf *out)
{
	struct msg_block m = {
		.first_mon_ns = w->first_mon_ns,
		.last_mon_ns = w->last_mon_ns,
		.events = w->events,
		.late = late != 0,
		.codec = level != 0,
	};
	uint8_t *flags_end = w->column[COLUMN_FLAGS].p;
	uint32_t flags_run = w->flags_run;

	if (w->events == 0) {
		errno = EINVAL;
		return (-1);
	}
	if (level != 0)
		set_level(w, level);
	if (w->flags_run > 0)
		block_close_flags(w);
	if (put_lanes(w) == -1 || pack_columns(w, level) == -1)
		goto fail;
	for (int i = 0; i < BLOCK_COLUMNS; i++)
		m.plain_bytes +=
		    (uint32_t)(w->column[i].p - w->column[i].start);
	m.lanes = (struct bytes){ w->lanes.p, w->lanes.n };
	m.columns = (struct bytes){ w->packed.p, w->packed.n };
	if (frame_append(out, MSG_block, &m) == -1)
		goto fail;
	block_empty(w);
	return (0);

fail: /* short of memory: the block goes on as it was */
	w->column[COLUMN_FLAGS].p = flags_end;
	w->flags_run = flags_run;
	return (-1);
}
