/*
 * Reading the blocks of the log.
 *
 * Everything is checked before it is believed: lengths against what is there,
 * sums against the number of events, every column to its very end.  What is
 * allocated is bounded by BLOCK_PLAIN_MAX and BLOCK_EVENTS_MAX, whatever the
 * bytes say.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "block.h"
#include "block_format.h"
#include "words.h"

/* The lane at p; NULL when it makes no sense. */
static const uint8_t *
get_lane(const struct msg_block *b, const uint8_t *p, const uint8_t *end,
    struct block_lane *l)
{
	uint64_t v[6],
	    span = (uint64_t)b->last_mon_ns - (uint64_t)b->first_mon_ns;

	for (int i = 0; i < 6; i++) {
		p = varint_get(p, end, &v[i]);
		if (p == NULL)
			return (NULL);
	}
	if (v[0] > UINT32_MAX || v[2] == 0 || v[2] > b->events ||
	    v[1] > UINT64_MAX - v[2] || v[3] > v[4] || v[4] > span)
		return (NULL);
	memset(l, 0, sizeof(*l));
	l->location = (uint32_t)v[0];
	l->first_seq = v[1];
	l->events = (uint32_t)v[2];
	l->first_mon_ns = (int64_t)((uint64_t)b->first_mon_ns + v[3]);
	l->last_mon_ns = (int64_t)((uint64_t)b->first_mon_ns + v[4]);
	/* a newer log may know more classes */
	for (int c = 0; c < 64; c++) {
		uint64_t n;

		if (!(v[5] >> c & 1))
			continue;
		p = varint_get(p, end, &n);
		if (p == NULL || n > l->events)
			return (NULL);
		if (c < EVENT_CLASSES)
			l->class_events[c] = (uint32_t)n;
	}
	return (p);
}

static bool
block_is_possible(const struct msg_block *b)
{
	return (b->events > 0 && b->events <= BLOCK_EVENTS_MAX &&
		b->first_mon_ns <= b->last_mon_ns &&
		time_is_sane(b->first_mon_ns) && time_is_sane(b->last_mon_ns) &&
		b->codec <= 1 && b->plain_bytes <= BLOCK_PLAIN_MAX);
}

int
block_read_lanes(const struct msg_block *b, struct block_lane **lanes,
    size_t *n)
{
	const uint8_t *p = b->lanes.p, *end;
	struct block_lane *all = NULL;
	size_t cap = 0;
	uint64_t events = 0;

	*n = 0;
	*lanes = NULL;
	if (!block_is_possible(b) || b->lanes.n == 0)
		goto bad;
	end = p + b->lanes.n;
	while (p < end) {
		if (*n == cap) {
			struct block_lane *more;

			cap = cap == 0 ? 16 : cap * 2;
			more = reallocarray(all, cap, sizeof(*all));
			if (more == NULL)
				goto fail;
			all = more;
		}
		p = get_lane(b, p, end, &all[*n]);
		if (p == NULL)
			goto bad;
		events += all[*n].events;
		if (++*n > b->events)
			goto bad;
	}
	if (events != b->events)
		goto bad;
	*lanes = all;
	return (0);

bad:
	errno = EINVAL;
fail:
	free(all);
	*n = 0;
	return (-1);
}

struct reader {
	const uint8_t *p[BLOCK_COLUMNS], *end[BLOCK_COLUMNS];
	struct lane {
		uint32_t location, left;
		uint64_t seq, raw;
	} * lane;
	size_t nlanes;
	int64_t t_mon_ns, last_mon_ns;
	uint64_t flags, flags_left;
	struct words words;
	struct words_stack *stack;
};

/* Unpacks the columns into scratch, which must not move afterwards. */
static bool
open_columns(struct reader *r, const struct msg_block *b, struct buf *scratch)
{
	const uint8_t *p = b->columns.p, *end;
	size_t room = b->plain_bytes;
	uint8_t *to = scratch->p;

	if (b->columns.n == 0)
		return (false);
	end = p + b->columns.n;
	for (int i = 0; i < BLOCK_COLUMNS; i++) {
		uint64_t plain, stored;

		p = varint_get(p, end, &plain);
		if (p != NULL)
			p = varint_get(p, end, &stored);
		if (p == NULL || plain > room || stored > (size_t)(end - p))
			return (false);
		r->p[i] = p;
		p += stored;
		if (plain != stored) {
			if (b->codec != 1 || ZSTD_decompress(to, plain, r->p[i],
						 stored) != plain)
				return (false);
			r->p[i] = to;
			to += plain;
		}
		room -= plain;
		r->end[i] = r->p[i] + plain;
	}
	return (true);
}

/* Sets up r->lane and as many stacks as they need. */
static int
open_lanes(struct reader *r, const struct msg_block *b)
{
	struct block_lane *lanes;
	size_t n;

	if (block_read_lanes(b, &lanes, &n) == -1)
		return (-1);
	r->nlanes = n;
	r->lane = calloc(n, sizeof(*r->lane));
	r->stack =
	    calloc(n < BLOCK_STACKS ? n : BLOCK_STACKS, sizeof(*r->stack));
	if (r->lane == NULL || r->stack == NULL) {
		free(lanes);
		return (-1);
	}
	for (size_t i = 0; i < n; i++) {
		r->lane[i].location = lanes[i].location;
		r->lane[i].left = lanes[i].events;
		r->lane[i].seq = lanes[i].first_seq;
	}
	free(lanes);
	return (0);
}

static inline bool
get(struct reader *r, int column, uint64_t *v)
{
	r->p[column] = varint_get(r->p[column], r->end[column], v);
	return (r->p[column] != NULL);
}

static bool
get_flags(struct reader *r)
{
	return (get(r, COLUMN_FLAGS, &r->flags_left) &&
		get(r, COLUMN_FLAGS, &r->flags) && r->flags_left > 0 &&
		r->flags <= UINT16_MAX);
}

/* Times, flags and lane of one event; its lane is returned. */
static inline struct lane *
get_times(struct reader *r, struct event *e)
{
	uint64_t gap, lane, shift = 0, raw;
	struct lane *l;

	if (!get(r, COLUMN_TIME, &gap) || !get(r, COLUMN_LANE, &lane) ||
	    gap > (uint64_t)r->last_mon_ns - (uint64_t)r->t_mon_ns ||
	    lane >= r->nlanes)
		return (NULL);
	l = &r->lane[lane];
	if (r->flags_left == 0 && !get_flags(r))
		return (NULL);
	r->flags_left--;
	if (r->flags & EVENT_SHIFTED &&
	    (!get(r, COLUMN_SHIFT, &shift) || shift > UINT32_MAX))
		return (NULL);
	if (!get(r, COLUMN_RAW, &raw) || l->left == 0)
		return (NULL);
	l->left--;
	l->raw += (uint64_t)unzigzag(raw);
	r->t_mon_ns = (int64_t)((uint64_t)r->t_mon_ns + gap);
	e->t_mon_ns = r->t_mon_ns;
	e->t_node_ns = (int64_t)(l->raw + (uint64_t)r->t_mon_ns - shift);
	if (!time_is_sane(e->t_node_ns))
		return (NULL);
	e->seq = l->seq++;
	e->location = l->location;
	e->shift_ns = (uint32_t)shift;
	e->flags = (uint16_t)r->flags;
	return (l);
}

static inline bool
get_words(struct reader *r, size_t lane, struct event *e)
{
	struct words_event we;
	struct words_slot *s;
	unsigned tag;

	if (r->p[COLUMN_TAG] == r->end[COLUMN_TAG])
		return (false);
	tag = *r->p[COLUMN_TAG]++;
	s = words_slot_get(&r->words, tag >> TAG_SLOT, &r->p[COLUMN_TAG],
	    r->end[COLUMN_TAG]);
	if (s == NULL ||
	    !words_get(&r->words, s, &r->stack[lane % BLOCK_STACKS], tag, &we,
		&r->p[COLUMN_A], r->end[COLUMN_A], &r->p[COLUMN_B],
		r->end[COLUMN_B], &r->p[COLUMN_C], r->end[COLUMN_C]))
		return (false);
	e->a = we.a;
	e->b = we.b;
	e->c = we.c;
	e->kind = we.kind;
	return (true);
}

static bool
read_events(struct reader *r, const struct msg_block *b, struct event *out)
{
	r->t_mon_ns = b->first_mon_ns;
	r->last_mon_ns = b->last_mon_ns;
	for (uint32_t i = 0; i < b->events; i++) {
		struct lane *l = get_times(r, &out[i]);

		if (l == NULL || !get_words(r, (size_t)(l - r->lane), &out[i]))
			return (false);
	}
	for (int i = 0; i < BLOCK_COLUMNS; i++) {
		if (r->p[i] != r->end[i])
			return (false);
	}
	return (out[0].t_mon_ns == b->first_mon_ns &&
		r->t_mon_ns == b->last_mon_ns && r->flags_left == 0);
}

int
block_read(const struct msg_block *b, struct event *out, struct buf *scratch)
{
	struct reader r;
	int rc = -1;

	memset(&r, 0, sizeof(r));
	scratch->n = 0;
	if (!block_is_possible(b)) {
		errno = EINVAL;
		return (-1);
	}
	if (buf_reserve(scratch, b->plain_bytes + 1) == -1 ||
	    open_lanes(&r, b) == -1)
		goto out;
	if (open_columns(&r, b, scratch) && read_events(&r, b, out))
		rc = 0;
	else
		errno = EINVAL;
out:
	free(r.lane);
	free(r.stack);
	return (rc);
}
