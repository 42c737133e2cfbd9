/*
 * For the tests of blocks: events of many lanes by chance, and a block that is
 * taken apart.
 */
#ifndef TESTS_PROTO_LANES_H
#define TESTS_PROTO_LANES_H

#include "tests/check.h"

#include <stdlib.h>

#include "log/block.h"
#include "tests/rnd.h"

/* What a test of blocks needs: a writer, its output, events before and after.
 */
struct shop {
	struct block_writer *w;
	struct buf b, scratch;
	struct event *in, *out; /* BLOCK_EVENTS_MAX of each */
};

static inline int
shop_open(void **state)
{
	struct shop *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	x->w = block_writer_new();
	x->in = calloc(BLOCK_EVENTS_MAX, sizeof(*x->in));
	x->out = calloc(BLOCK_EVENTS_MAX, sizeof(*x->out));
	assert_true(x->w != NULL && x->in != NULL && x->out != NULL);
	*state = x;
	return (0);
}

static inline int
shop_close(void **state)
{
	struct shop *x = *state;

	block_writer_free(x->w);
	buf_free(&x->b);
	buf_free(&x->scratch);
	free(x->in);
	free(x->out);
	free(x);
	return (0);
}

enum {
	LANES = 700
};
static uint64_t next_seq[LANES];
static uint32_t location_of[LANES];

static inline void
begin_stream(void)
{
	for (int i = 0; i < LANES; i++) {
		next_seq[i] = rnd_any() >> 1;
		location_of[i] = (uint32_t)rnd() | 1;
	}
}

/* style 0: anything that is allowed; else as logs are. */
static inline struct event
rnd_event(int style, unsigned lanes, int64_t *t)
{
	static const uint16_t usual[] = { EV_enter, EV_leave, EV_task_begin,
		EV_task_end, EV_send, EV_receive, EV_lock_acquire };
	unsigned lane = (unsigned)(rnd() % lanes);
	const struct event_desc *d;
	struct event e = { 0 };

	do {
		e.kind = style ? usual[rnd() % 7] : rnd() % EVENT_KINDS;
		d = event_desc(e.kind);
	} while (d == NULL);
	*t += style ? (int64_t)(rnd() % 3000) : (int64_t)(rnd_any() >> 20);
	e.t_mon_ns = *t;
	e.t_node_ns = style ? *t + 1000000 * lane + (int64_t)(rnd() % 5) - 2
			    : (int64_t)(rnd_any() >> 2);
	e.seq = next_seq[lane]++;
	e.location = location_of[lane];
	e.a = d->a[0] == '\0' ? 0 : style ? rnd() % 50 * 16 : rnd_any();
	e.b = d->b[0] == '\0' ? 0 : style ? rnd() % 5000 : rnd_any();
	e.c = d->c[0] == '\0' ? 0 : style ? rnd() % 9 : (uint32_t)rnd_any();
	if (rnd() % 8 == 0)
		e.flags = style ? rnd() % 8 : (uint16_t)rnd();
	if (e.flags & EVENT_SHIFTED)
		e.shift_ns = (uint32_t)rnd_any();
	return (e);
}

static inline struct msg_block
parse(const struct buf *b, size_t at, size_t *frame_bytes)
{
	struct msg_block m;
	struct frame f;

	assert_int_equal(frame_parse(b->p + at, b->n - at, &f), FRAME_OK);
	assert_int_equal(f.type, MSG_block);
	assert_int_equal(msg_decode(MSG_block, f.body, f.body_bytes, &m), 0);
	if (frame_bytes != NULL)
		*frame_bytes = f.frame_bytes;
	return (m);
}

#endif
