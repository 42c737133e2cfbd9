/* What goes into a block comes out of it, and nothing hostile gets through. */
#include "tests/check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "tests/rnd.h"
#include "varint.h"

enum {
	LANES = 700
};
static uint64_t next_seq[LANES];
static uint32_t location_of[LANES];

static void
begin_stream(void)
{
	for (int i = 0; i < LANES; i++) {
		next_seq[i] = rnd_any() >> 1;
		location_of[i] = (uint32_t)rnd() | 1;
	}
}

/* style 0: anything that is allowed; else as logs are. */
static struct event
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
			    : (int64_t)rnd_any();
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

static struct msg_block
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

static void
check_lanes(const struct msg_block *m, const struct event *e)
{
	struct block_lane *l;
	size_t n;
	uint32_t sum = 0;

	assert_int_equal(block_read_lanes(m, &l, &n), 0);
	for (size_t i = 0; i < n; i++) {
		struct block_lane want = { .location = l[i].location,
			.first_mon_ns = INT64_MAX };

		for (uint32_t k = 0; k < m->events; k++) {
			if (e[k].location != l[i].location)
				continue;
			if (want.events++ == 0) {
				want.first_seq = e[k].seq;
				want.first_mon_ns = e[k].t_mon_ns;
			}
			want.last_mon_ns = e[k].t_mon_ns;
			want.class_events[event_desc(e[k].kind)->class]++;
		}
		assert_memory_equal(&l[i], &want, sizeof(want));
		sum += want.events;
	}
	assert_int_equal(sum, m->events);
	free(l);
}

/* Its lane counts more than 16 bits hold. */
static void
all_of_a_block_is_of_one_thread(void **state)
{
	struct block_writer *w = block_writer_new();
	struct event *in = calloc(BLOCK_EVENTS_MAX, sizeof(*in)), *out;
	struct buf b = { 0 }, scratch = { 0 };
	struct msg_block m;

	(void)state;
	out = calloc(BLOCK_EVENTS_MAX, sizeof(*out));
	for (size_t i = 0; i < BLOCK_EVENTS_MAX; i++) {
		in[i].kind = EV_enter;
		in[i].t_mon_ns = in[i].t_node_ns = (int64_t)i;
		in[i].seq = 5 + i;
		in[i].location = 77;
	}
	assert_int_equal(block_take(w, in, BLOCK_EVENTS_MAX), BLOCK_EVENTS_MAX);
	assert_int_equal(block_finish(w, 0, 1, &b), 0);
	m = parse(&b, 0, NULL);
	assert_int_equal(block_read(&m, out, &scratch), 0);
	assert_memory_equal(in, out, BLOCK_EVENTS_MAX * sizeof(*in));
	check_lanes(&m, out);
	free(in);
	free(out);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

static void
what_goes_in_comes_out(void **state)
{
	enum {
		N = 4000
	};
	static const int levels[] = { 0, 1, BLOCK_LEVEL_FAST, 3 };
	struct block_writer *w = block_writer_new();
	struct event *in = calloc(N, sizeof(*in)), *out;
	struct buf b = { 0 }, scratch = { 0 };

	(void)state;
	out = calloc(N, sizeof(*out));
	for (int round = 0; round < 80; round++) {
		size_t n = round == 0 ? 1 : 1 + rnd() % N;
		unsigned lanes = 1 + rnd() % (round % 3 == 0 ? LANES : 8);
		int64_t t = (int64_t)(rnd() >> 2) * (round % 2 ? 1 : -1);
		struct msg_block m;

		begin_stream();
		b.n = 0;
		for (size_t i = 0; i < n; i++) {
			in[i] = rnd_event(round % 4, lanes, &t);
			assert_int_equal(block_add(w, &in[i]), 0);
		}
		assert_int_equal(block_events(w), n);
		assert_int_equal(block_finish(w, round & 1, levels[round % 4],
				     &b),
		    0);
		assert_int_equal(block_events(w), 0);
		m = parse(&b, 0, NULL);
		assert_int_equal(m.events, n);
		assert_int_equal(m.late, round & 1);
		assert_int_equal(m.first_mon_ns, in[0].t_mon_ns);
		assert_int_equal(m.last_mon_ns, in[n - 1].t_mon_ns);
		memset(out, 0xaa, n * sizeof(*out));
		assert_int_equal(block_read(&m, out, &scratch), 0);
		assert_memory_equal(in, out, n * sizeof(*in));
		if (round % 8 == 0)
			check_lanes(&m, in);
	}
	free(in);
	free(out);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

/* Closed in vain for want of memory, it takes more, of other flags too. */
static void
a_block_that_could_not_be_closed_goes_on(void **state)
{
	enum {
		N = 600
	};
	struct block_writer *w = block_writer_new();
	struct event *in = calloc(N, sizeof(*in)), *out;
	struct buf full = { .n = SIZE_MAX / 2, .cap = SIZE_MAX / 2 };
	struct buf b = { 0 }, scratch = { 0 };
	struct msg_block m;
	int64_t t = 0;

	(void)state;
	out = calloc(N, sizeof(*out));
	begin_stream();
	for (size_t i = 0; i < N; i++) {
		in[i] = rnd_event(1, 8, &t);
		in[i].flags = i / 50 % 2 == 0 ? 0 : EVENT_LATE;
		in[i].shift_ns = 0;
		if (i > 0 && i % 50 == 0) {
			errno = 0;
			assert_int_equal(block_finish(w, 0, BLOCK_LEVEL_FAST,
					     &full),
			    -1);
			assert_int_equal(errno, ENOMEM);
		}
		assert_int_equal(block_add(w, &in[i]), 0);
	}
	assert_int_equal(block_finish(w, 0, BLOCK_LEVEL_FAST, &b), 0);
	m = parse(&b, 0, NULL);
	assert_int_equal(m.events, N);
	assert_int_equal(block_read(&m, out, &scratch), 0);
	assert_memory_equal(in, out, N * sizeof(*in));
	free(in);
	free(out);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

/* Whatever is in it, a full block fits its columns, its limit and a frame. */
static void
a_full_block_has_room(void **state)
{
	struct block_writer *w = block_writer_new();
	struct event *in = calloc(BLOCK_EVENTS_MAX, sizeof(*in)), *out;
	struct buf b = { 0 }, scratch = { 0 };

	(void)state;
	out = calloc(BLOCK_EVENTS_MAX, sizeof(*out));
	for (int style = 0; style < 2; style++) {
		int64_t t = 0;
		struct msg_block m;

		begin_stream();
		b.n = 0;
		for (size_t i = 0; i < BLOCK_EVENTS_MAX; i++) {
			in[i] = rnd_event(style, 64, &t);
			if (style == 0) { /* the longest there can be */
				in[i].flags = (uint16_t)(rnd() | 0xc004);
				in[i].shift_ns = (uint32_t)rnd() | 1u << 31;
				in[i].t_node_ns = (int64_t)rnd();
				in[i].kind = EV_send;
				in[i].a = rnd() | (uint64_t)1 << 63;
				in[i].b = rnd() | (uint64_t)1 << 63;
				in[i].c = (uint32_t)rnd();
			}
			assert_int_equal(block_add(w, &in[i]), 0);
		}
		errno = 0;
		assert_int_equal(block_add(w, &in[0]), -1);
		assert_int_equal(errno, ENOSPC);
		assert_int_equal(block_finish(w, 0, 1, &b), 0);
		m = parse(&b, 0, NULL);
		assert_true(m.plain_bytes <= BLOCK_PLAIN_MAX);
		assert_int_equal(block_read(&m, out, &scratch), 0);
		assert_memory_equal(in, out, BLOCK_EVENTS_MAX * sizeof(*in));
	}
	free(in);
	free(out);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

static void
bad_events_are_refused_and_the_block_goes_on(void **state)
{
	/* clang-format off */
	static const struct {
		const char *what;
		struct event e;
	} cases[] = {
		{ "time falls", { .t_mon_ns = 99, .seq = 8, .location = 1, .kind = EV_note } },
		{ "a gap in seq", { .t_mon_ns = 100, .seq = 9, .location = 1, .kind = EV_note } },
		{ "seq again", { .t_mon_ns = 100, .seq = 7, .location = 1, .kind = EV_note } },
		{ "no such kind", { .t_mon_ns = 100, .seq = 8, .location = 1, .kind = 99 } },
	};
	/* clang-format on */
	struct event good = { .t_mon_ns = 100,
		.seq = 7,
		.location = 1,
		.kind = EV_note,
		.a = 5,
		.b = 6 };
	struct block_writer *w = block_writer_new();
	struct buf b = { 0 }, scratch = { 0 };
	struct event out[2];
	struct msg_block m;

	(void)state;
	errno = 0;
	assert_int_equal(block_finish(w, 0, 1, &b), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(block_add(w, &good), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		if (block_add(w, &cases[i].e) != -1 || errno != EINVAL)
			fail_msg("%s: taken", cases[i].what);
	}
	good.seq++;
	assert_int_equal(block_add(w, &good), 0);
	assert_int_equal(block_finish(w, 0, 1, &b), 0);
	m = parse(&b, 0, NULL);
	assert_int_equal(m.events, 2);
	assert_int_equal(block_read(&m, out, &scratch), 0);
	assert_int_equal(out[1].seq, 8);
	assert_int_equal(out[1].a, 5);
	assert_int_equal(out[1].b, 0); /* a note has no b */
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

/* A block of a few events of all sorts, compressed or not. */
static void
make_block(struct block_writer *w, struct buf *b, size_t n, int level)
{
	int64_t t = (int64_t)(rnd() % 1000000);

	b->n = 0;
	begin_stream();
	for (size_t i = 0; i < n; i++) {
		struct event e = rnd_event(rnd() % 2, 5, &t);

		assert_int_equal(block_add(w, &e), 0);
	}
	assert_int_equal(block_finish(w, 0, level, b), 0);
}

static uint8_t *
copy(struct bytes *b)
{
	uint8_t *p = malloc(b->n + 1);

	memcpy(p, b->p, b->n);
	b->p = p;
	return (p);
}

static void
hostile_bytes_do_no_harm(void **state)
{
	struct block_writer *w = block_writer_new();
	struct buf b = { 0 }, scratch = { 0 };

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct block_lane *l;
		struct event *out;
		struct msg_block m;
		uint8_t *lanes, *columns;
		size_t n;

		make_block(w, &b, 1 + rnd() % 40, round % 2);
		m = parse(&b, 0, NULL);
		lanes = copy(&m.lanes);
		columns = copy(&m.columns);
		for (unsigned i = rnd() % 6; i < 6; i++)
			columns[rnd() % m.columns.n] = (uint8_t)rnd();
		if (rnd() % 4 == 0)
			lanes[rnd() % m.lanes.n] = (uint8_t)rnd();
		if (rnd() % 8 == 0)
			m.columns.n = rnd() % m.columns.n;
		if (rnd() % 8 == 0)
			m.lanes.n = rnd() % m.lanes.n;
		if (rnd() % 8 == 0)
			m.events += (uint32_t)(rnd() % 3) - 1;
		if (rnd() % 8 == 0)
			m.plain_bytes = (uint32_t)rnd_any();
		out = malloc(m.events * sizeof(*out) + 1);
		(void)block_read(&m, out, &scratch);
		if (block_read_lanes(&m, &l, &n) == 0)
			free(l);
		free(out);
		free(lanes);
		free(columns);
	}
	assert_true(scratch.cap <= 2 * BLOCK_PLAIN_MAX);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

static void
impossible_heads_are_refused(void **state)
{
	/* clang-format off */
	static const struct {
		const char *what;
		struct msg_block m;
	} cases[] = {
		{ "no events", { .events = 0 } },
		{ "more than a block holds", { .events = BLOCK_EVENTS_MAX + 1 } },
		{ "first after last", { .first_mon_ns = 2, .last_mon_ns = 1, .events = 1 } },
		{ "unknown codec", { .events = 1, .codec = 2 } },
		{ "4 GiB unpacked", { .events = 1, .codec = 1, .plain_bytes = UINT32_MAX } },
		{ "no lanes", { .events = 1 } },
	};
	/* clang-format on */
	struct buf scratch = { 0 };
	struct event out[1];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (block_read(&cases[i].m, out, &scratch) != -1)
			fail_msg("%s: taken", cases[i].what);
	}
	assert_true(scratch.cap < 4096);
	buf_free(&scratch);
}

/* Start of a column of a block that was written without compression. */
static uint8_t *
find_column(uint8_t *p, int column)
{
	for (;; column--) {
		uint64_t n = 0, stored = 0;

		p += varint_get(p, p + 10, &n) - p;
		p += varint_get(p, p + 10, &stored) - p;
		if (column == 0)
			return (p);
		p += stored;
	}
}

static void
lanes_and_events_must_agree(void **state)
{
	struct block_writer *w = block_writer_new();
	struct buf b = { 0 }, scratch = { 0 };
	struct event out[4];
	struct msg_block m;
	uint8_t *p;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct event e = { .t_mon_ns = i,
			.seq = i / 2,
			.location = 1 + i % 2,
			.kind = EV_note };

		assert_int_equal(block_add(w, &e), 0);
	}
	assert_int_equal(block_finish(w, 0, 0, &b), 0);
	m = parse(&b, 0, NULL);
	p = copy(&m.columns);
	assert_int_equal(block_read(&m, out, &scratch), 0);
	assert_int_equal(out[3].location, 2);
	find_column(p, 1)[3] = 0; /* lane 0 has two events, this is a third */
	assert_int_equal(block_read(&m, out, &scratch), -1);
	find_column(p, 1)[3] = 2; /* there is no such lane */
	assert_int_equal(block_read(&m, out, &scratch), -1);
	find_column(p, 1)[3] = 1;
	assert_int_equal(block_read(&m, out, &scratch), 0);
	find_column(p, 0)[3] = 2; /* ends after the last time */
	assert_int_equal(block_read(&m, out, &scratch), -1);
	free(p);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

/* A log of a newer program may hold kinds that this one does not know. */
static void
an_unknown_kind_can_be_read(void **state)
{
	struct block_writer *w = block_writer_new();
	struct event in[3] = {
		{ .t_mon_ns = 5,
		    .location = 1,
		    .kind = EV_send,
		    .a = 1,
		    .b = 2,
		    .c = 3 },
		{ .t_mon_ns = 6,
		    .seq = 1,
		    .location = 1,
		    .kind = EV_send,
		    .a = 2,
		    .b = 2,
		    .c = 3 },
		{ .t_mon_ns = 7,
		    .seq = 2,
		    .location = 1,
		    .kind = EV_receive,
		    .a = 2,
		    .b = 2,
		    .c = 3 },
	};
	struct event out[3];
	struct buf b = { 0 }, scratch = { 0 };
	struct msg_block m;
	uint8_t *p, *column;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(block_add(w, &in[i]), 0);
	assert_int_equal(block_finish(w, 0, 0, &b), 0);
	m = parse(&b, 0, NULL);
	p = copy(&m.columns);
	/* the third column holds the tags: tag, kind, form, ... */
	column = find_column(p, 2);
	assert_int_equal(column[1], EV_send);
	column[1] = 99;
	assert_int_equal(block_read(&m, out, &scratch), 0);
	assert_int_equal(out[0].kind, 99);
	assert_int_equal(out[1].kind, 99);
	assert_int_equal(out[1].a, 2);
	assert_int_equal(out[2].kind, EV_receive);
	free(p);
	buf_free(&b);
	buf_free(&scratch);
	block_writer_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_in_comes_out),
		cmocka_unit_test(a_block_that_could_not_be_closed_goes_on),
		cmocka_unit_test(all_of_a_block_is_of_one_thread),
		cmocka_unit_test(a_full_block_has_room),
		cmocka_unit_test(bad_events_are_refused_and_the_block_goes_on),
		cmocka_unit_test(hostile_bytes_do_no_harm),
		cmocka_unit_test(impossible_heads_are_refused),
		cmocka_unit_test(lanes_and_events_must_agree),
		cmocka_unit_test(an_unknown_kind_can_be_read),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
