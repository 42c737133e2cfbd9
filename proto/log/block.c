/*
 * Writing the blocks of the log.
 *
 * Events go straight into the columns, whose room is that of the longest block
 * (only what is written is ever touched), so that closing a block
 * (block_finish.c) is compressing nine columns and nothing else.
 *
 * They are taken in pieces, and each piece one column after the other: first
 * the lanes of all its events are found and asked for, with thousands of
 * threads they are in no near cache, then short loops without a surprise fill
 * the columns.
 */
#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "block_format.h"
#include "block_inside.h"
#include "words.h"

#define PIECE      64 /* events whose columns are filled together */
#define AHEAD_SLOT 12 /* what finds a lane is asked for so far ahead */
#define AHEAD_LANE 6  /* and the lane itself */
#define SLACK      8  /* a number may be written with more bytes than it has */

/* The longest that one event can be in each column. */
static const uint8_t column_event_bytes[BLOCK_COLUMNS] = {
	[COLUMN_TIME] = 10,
	[COLUMN_LANE] = 3,
	[COLUMN_TAG] = 1 + WORDS_NEW_BYTES,
	[COLUMN_A] = VALUE_BYTES_MAX,
	[COLUMN_B] = VALUE_BYTES_MAX,
	[COLUMN_C] = 5,
	[COLUMN_FLAGS] = 4,
	[COLUMN_SHIFT] = 5,
	[COLUMN_RAW] = 10,
};

void
block_writer_free(struct block_writer *w)
{
	if (w == NULL)
		return;
	ZSTD_freeCCtx(w->zstd);
	buf_free(&w->lanes);
	buf_free(&w->packed);
	free(w->memory);
	free(w->lane);
	free(w->lane_of);
	free(w->stack);
	free(w);
}

void
block_empty(struct block_writer *w)
{
	uint8_t *p = w->memory;

	for (int i = 0; i < BLOCK_COLUMNS; i++) {
		w->column[i].start = w->column[i].p = p;
		p += (size_t)column_event_bytes[i] * BLOCK_EVENTS_MAX + SLACK;
	}
	w->events = w->flags = w->flags_run = 0;
	w->nlanes = 0;
	memset(w->lane_of, 0, (w->lane_of_mask + 1) * sizeof(*w->lane_of));
	memset(&w->words, 0, sizeof(w->words));
}

struct block_writer *
block_writer_new(void)
{
	struct block_writer *w = calloc(1, sizeof(*w));
	size_t bytes = 0;

	if (w == NULL)
		return (NULL);
	for (int i = 0; i < BLOCK_COLUMNS; i++)
		bytes += column_event_bytes[i];
	w->lanes_cap = 64;
	w->lane_of_mask = 4 * w->lanes_cap - 1;
	w->memory =
	    malloc(bytes * BLOCK_EVENTS_MAX + (size_t)BLOCK_COLUMNS * SLACK);
	w->lane = aligned_alloc(LINE_BYTES, w->lanes_cap * sizeof(*w->lane));
	w->lane_of = calloc(w->lane_of_mask + 1, sizeof(*w->lane_of));
	w->stack =
	    aligned_alloc(LINE_BYTES, (size_t)BLOCK_STACKS * sizeof(*w->stack));
	w->zstd = ZSTD_createCCtx();
	if (w->memory == NULL || w->lane == NULL || w->lane_of == NULL ||
	    w->stack == NULL || w->zstd == NULL) {
		block_writer_free(w);
		errno = ENOMEM;
		return (NULL);
	}
	memset(w->stack, 0, (size_t)BLOCK_STACKS * sizeof(*w->stack));
	block_empty(w);
	return (w);
}

uint32_t
block_events(const struct block_writer *w)
{
	return (w->events);
}

/* Locations are numbered in a row: neighbours share a line of the cache. */
static size_t
lane_hash(uint32_t location)
{
	return (location);
}

/* Where the location is, or where it would be. */
static uint32_t *
lane_slot(const struct block_writer *w, uint32_t location)
{
	size_t i = lane_hash(location);

	for (;; i++) {
		uint32_t *slot = &w->lane_of[i & w->lane_of_mask];

		if (*slot == 0 || w->lane[*slot - 1].location == location)
			return (slot);
	}
}

bool
block_holds(const struct block_writer *w, uint32_t location)
{
	return (*lane_slot(w, location) != 0);
}

static int
lanes_grow(struct block_writer *w)
{
	size_t cap = w->lanes_cap * 2, mask = cap * 4 - 1;
	struct lane *lane = aligned_alloc(LINE_BYTES, cap * sizeof(*lane));
	uint32_t *lane_of;

	if (lane == NULL)
		return (-1);
	memcpy(lane, w->lane, w->nlanes * sizeof(*lane));
	free(w->lane);
	w->lane = lane;
	lane_of = calloc(mask + 1, sizeof(*lane_of));
	if (lane_of == NULL)
		return (-1);
	free(w->lane_of);
	w->lane_of = lane_of;
	w->lane_of_mask = mask;
	w->lanes_cap = cap;
	for (size_t i = 0; i < w->nlanes; i++)
		*lane_slot(w, lane[i].location) = (uint32_t)i + 1;
	return (0);
}

/* The lane of an event that has none; NULL: ENOMEM. */
static struct lane *
begin_lane(struct block_writer *w, const struct event *e)
{
	struct lane *l;

	if (w->nlanes == w->lanes_cap && lanes_grow(w) == -1)
		return (NULL);
	if (w->nlanes < BLOCK_STACKS)
		words_stack_clear(&w->stack[w->nlanes]);
	l = &w->lane[w->nlanes++];
	*lane_slot(w, e->location) = (uint32_t)w->nlanes;
	*l = (struct lane){ .next_seq = e->seq + 1,
		.first_mon_ns = e->t_mon_ns,
		.location = e->location,
		.first_class = event_table[e->kind].class };
	return (l);
}

/* Counts an event in its lane, begun if need be; NULL with errno set. */
static inline struct lane *
count_in_lane(struct block_writer *w, const struct event *e, unsigned class)
{
	uint32_t slot = *lane_slot(w, e->location);
	struct lane *l;

	if (slot == 0)
		return (begin_lane(w, e));
	l = &w->lane[slot - 1];
	if (l->next_seq != e->seq) {
		errno = EINVAL;
		return (NULL);
	}
	l->next_seq++;
	l->class_more[class]++;
	return (l);
}

/* What finds the lanes of the events that come next, and these. */
static void
ask_ahead(const struct block_writer *w, const struct event *e, size_t n)
{
	const uint32_t *of = w->lane_of;

	if (n > AHEAD_SLOT)
		__builtin_prefetch(
		    &of[lane_hash(e[AHEAD_SLOT].location) & w->lane_of_mask]);
	if (n > AHEAD_LANE) {
		size_t at =
		    of[lane_hash(e[AHEAD_LANE].location) & w->lane_of_mask];

		if (at != 0)
			__builtin_prefetch(&w->lane[at - 1], 1);
	}
}

static void
ask_stack(const struct block_writer *w, size_t lane, const struct event *e)
{
	const struct words_stack *st = &w->stack[lane % BLOCK_STACKS];

	__builtin_prefetch(st->span[event_table[e->kind % EVENT_KINDS].span],
	    1);
}

/*
 * Finds and counts the lanes of n events, of which `ahead` lie there.  Returns
 * how many can be taken; fewer than n: errno.
 */
static size_t
take_lanes(struct block_writer *w, const struct event *e, size_t n,
    size_t ahead, uint32_t *lane)
{
	int64_t last_ns = w->last_mon_ns;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct event_desc *d =
		    &event_table[e[i].kind % EVENT_KINDS];
		struct lane *l;

		ask_ahead(w, e + i, ahead - i);
		if (d->name == NULL || e[i].kind >= EVENT_KINDS ||
		    e[i].t_mon_ns < last_ns || !time_is_sane(e[i].t_mon_ns) ||
		    !time_is_sane(e[i].t_node_ns)) {
			errno = EINVAL;
			break;
		}
		l = count_in_lane(w, &e[i], d->class);
		if (l == NULL)
			break;
		last_ns = l->last_mon_ns = e[i].t_mon_ns;
		lane[i] = (uint32_t)(l - w->lane);
		ask_stack(w, lane[i], &e[i]);
	}
	return (i);
}

void
block_close_flags(struct block_writer *w)
{
	struct column *c = &w->column[COLUMN_FLAGS];

	c->p = varint_write(c->p, w->flags_run);
	c->p = varint_write(c->p, w->flags);
	w->flags_run = 0;
}

static void
put_flags(struct block_writer *w, const struct event *e, size_t n)
{
	struct column *shift = &w->column[COLUMN_SHIFT];

	for (size_t i = 0; i < n; i++) {
		if (e[i].flags != w->flags) {
			block_close_flags(w);
			w->flags = e[i].flags;
		}
		w->flags_run++;
		if (e[i].flags & EVENT_SHIFTED)
			shift->p = varint_write(shift->p, e[i].shift_ns);
	}
}

static void
put_times(struct block_writer *w, const struct event *e, size_t n)
{
	uint64_t last = (uint64_t)w->last_mon_ns;
	uint8_t *p = w->column[COLUMN_TIME].p;

	for (size_t i = 0; i < n; i++) {
		p = varint_write(p, (uint64_t)e[i].t_mon_ns - last);
		last = (uint64_t)e[i].t_mon_ns;
	}
	w->column[COLUMN_TIME].p = p;
	w->last_mon_ns = (int64_t)last;
}

static void
put_lanes_and_raw(struct block_writer *w, const struct event *e, size_t n,
    const uint32_t *lane)
{
	uint8_t *p = w->column[COLUMN_LANE].p, *q = w->column[COLUMN_RAW].p;

	for (size_t i = 0; i < n; i++) {
		struct lane *l = &w->lane[lane[i]];
		uint64_t shift = e[i].flags & EVENT_SHIFTED ? e[i].shift_ns : 0;
		uint64_t raw =
		    (uint64_t)e[i].t_node_ns - (uint64_t)e[i].t_mon_ns + shift;

		p = varint_write(p, lane[i]);
		q = varint_write(q, zigzag((int64_t)(raw - l->raw)));
		l->raw = raw;
	}
	w->column[COLUMN_LANE].p = p;
	w->column[COLUMN_RAW].p = q;
}

static void
put_words(struct block_writer *w, const struct event *e, size_t n,
    const uint32_t *lane)
{
	struct column *c = w->column;
	uint8_t *t = c[COLUMN_TAG].p, *pa = c[COLUMN_A].p;
	uint8_t *pb = c[COLUMN_B].p, *pc = c[COLUMN_C].p;

	for (size_t i = 0; i < n; i++) {
		uint8_t *tag = t++;
		unsigned slot;
		struct words_slot *s =
		    words_slot_put(&w->words, e[i].kind, &t, &slot);
		struct words_event we = {
			.a = s->form & FORM_A ? e[i].a : 0,
			.b = s->form & FORM_B ? e[i].b : 0,
			.c = s->form & FORM_C ? e[i].c : 0,
		};

		*tag = (uint8_t)(slot << TAG_SLOT |
				 words_put(&w->words, s,
				     &w->stack[lane[i] % BLOCK_STACKS], &we,
				     &pa, &pb, &pc));
	}
	c[COLUMN_TAG].p = t;
	c[COLUMN_A].p = pa;
	c[COLUMN_B].p = pb;
	c[COLUMN_C].p = pc;
}

static size_t
take_piece(struct block_writer *w, const struct event *e, size_t n,
    size_t ahead)
{
	uint32_t lane[PIECE];

	n = take_lanes(w, e, n, ahead, lane);
	put_flags(w, e, n);
	put_times(w, e, n);
	put_lanes_and_raw(w, e, n, lane);
	put_words(w, e, n, lane);
	w->events += (uint32_t)n;
	return (n);
}

size_t
block_take(struct block_writer *w, const struct event *e, size_t n)
{
	size_t done = 0;

	if (w->events == 0 && n > 0) {
		w->first_mon_ns = w->last_mon_ns = e->t_mon_ns;
		w->flags = e->flags;
	}
	while (done < n) {
		size_t k = n - done < PIECE ? n - done : PIECE, taken;

		if (k > BLOCK_EVENTS_MAX - w->events)
			k = BLOCK_EVENTS_MAX - w->events;
		taken = take_piece(w, e + done, k, n - done);
		done += taken;
		if (k == 0)
			errno = ENOSPC;
		if (k == 0 || taken < k)
			break;
	}
	return (done);
}

int
block_add(struct block_writer *w, const struct event *e)
{
	return (block_take(w, e, 1) == 1 ? 0 : -1);
}
