/* Bad events and hostile blocks do no harm; unknown kinds are read. */
#include "tests/unit/proto_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "varint.h"

static void
bad_events_are_refused_and_the_block_goes_on(void **state)
{
	struct shop *x = *state;
	/* clang-format off */
	static const struct {
		const char *what;
		struct event e;
	} cases[] = {
		{ "time falls", { .t_mon_ns = 99, .seq = 8, .location = 1, .kind = EV_note } },
		{ "a gap in seq", { .t_mon_ns = 100, .seq = 9, .location = 1, .kind = EV_note } },
		{ "seq again", { .t_mon_ns = 100, .seq = 7, .location = 1, .kind = EV_note } },
		{ "after all time", { .t_mon_ns = TIME_NS_MAX + 1, .seq = 8, .location = 1, .kind = EV_note } },
		{ "on a node after all time", { .t_mon_ns = 100, .t_node_ns = TIME_NS_MAX + 1, .seq = 8, .location = 1, .kind = EV_note } },
		{ "on a node before all time", { .t_mon_ns = 100, .t_node_ns = -TIME_NS_MAX - 1, .seq = 8, .location = 1, .kind = EV_note } },
		{ "no such kind", { .t_mon_ns = 100, .seq = 8, .location = 1, .kind = 99 } },
	};
	/* clang-format on */
	struct event good = { .t_mon_ns = 100,
		.seq = 7,
		.location = 1,
		.kind = EV_note,
		.a = 5,
		.b = 6 };
	struct event out[2];
	struct msg_block m;

	errno = 0;
	assert_int_equal(block_finish(x->w, 0, 1, &x->b), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(block_add(x->w, &good), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		if (block_add(x->w, &cases[i].e) != -1 || errno != EINVAL)
			fail_msg("%s: taken", cases[i].what);
	}
	good.seq++;
	assert_int_equal(block_add(x->w, &good), 0);
	assert_int_equal(block_finish(x->w, 0, 1, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	assert_int_equal(m.events, 2);
	assert_int_equal(block_read(&m, out, &x->scratch), 0);
	assert_int_equal(out[1].seq, 8);
	assert_int_equal(out[1].a, 5);
	assert_int_equal(out[1].b, 0); /* a note has no b */
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
	struct shop *x = *state;

	for (int round = 0; round < 20000; round++) {
		struct block_lane *l;
		struct event *out;
		struct msg_block m;
		uint8_t *lanes, *columns;
		size_t n;

		make_block(x->w, &x->b, 1 + rnd() % 40, round % 2);
		m = parse(&x->b, 0, NULL);
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
		(void)block_read(&m, out, &x->scratch);
		if (block_read_lanes(&m, &l, &n) == 0)
			free(l);
		free(out);
		free(lanes);
		free(columns);
	}
	assert_true(x->scratch.cap <= 2 * BLOCK_PLAIN_MAX);
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
	struct shop *x = *state;
	struct event out[4];
	struct msg_block m;
	uint8_t *p;

	for (uint32_t i = 0; i < 4; i++) {
		struct event e = { .t_mon_ns = i,
			.seq = i / 2,
			.location = 1 + i % 2,
			.kind = EV_note };

		assert_int_equal(block_add(x->w, &e), 0);
	}
	assert_int_equal(block_finish(x->w, 0, 0, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	p = copy(&m.columns);
	assert_int_equal(block_read(&m, out, &x->scratch), 0);
	assert_int_equal(out[3].location, 2);
	find_column(p, 1)[3] = 0; /* lane 0 has two events, this is a third */
	assert_int_equal(block_read(&m, out, &x->scratch), -1);
	find_column(p, 1)[3] = 2; /* there is no such lane */
	assert_int_equal(block_read(&m, out, &x->scratch), -1);
	find_column(p, 1)[3] = 1;
	assert_int_equal(block_read(&m, out, &x->scratch), 0);
	find_column(p, 0)[3] = 2; /* ends after the last time */
	assert_int_equal(block_read(&m, out, &x->scratch), -1);
	free(p);
}

static void
times_are_within_all_time(void **state)
{
	struct shop *x = *state;
	struct event out,
	    e = { .t_node_ns = TIME_NS_MAX, .location = 1, .kind = EV_note };
	struct block_lane *lanes;
	struct msg_block m;
	size_t n;
	uint8_t *p;

	assert_int_equal(block_add(x->w, &e), 0);
	assert_int_equal(block_finish(x->w, 0, 0, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	p = copy(&m.columns);
	assert_int_equal(block_read(&m, &out, &x->scratch), 0);
	assert_memory_equal(&out, &e, sizeof(e));
	m.first_mon_ns = m.last_mon_ns =
	    1; /* and that much later on the node */
	assert_int_equal(block_read(&m, &out, &x->scratch), -1);
	m.first_mon_ns = m.last_mon_ns = -TIME_NS_MAX; /* earlier again */
	assert_int_equal(block_read(&m, &out, &x->scratch), 0);
	assert_int_equal(out.t_node_ns, 0);
	m.first_mon_ns = --m.last_mon_ns;
	assert_int_equal(block_read(&m, &out, &x->scratch), -1);
	assert_int_equal(block_read_lanes(&m, &lanes, &n), -1);
	free(p);
}

static void
lanes_must_add_up_to_the_block(void **state)
{
	struct shop *x = *state;
	struct block_lane *lanes;
	struct msg_block m;
	size_t n;

	make_block(x->w, &x->b, 100, 0);
	m = parse(&x->b, 0, NULL);
	assert_int_equal(block_read_lanes(&m, &lanes, &n), 0);
	free(lanes);
	for (int by = -1; by <= 1; by += 2) {
		m.events = (uint32_t)(100 + by);
		assert_int_equal(block_read_lanes(&m, &lanes, &n), -1);
	}
}

/* A log of a newer program may hold kinds that this one does not know. */
static void
an_unknown_kind_can_be_read(void **state)
{
	struct shop *x = *state;
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
	struct msg_block m;
	uint8_t *p, *column;

	for (int i = 0; i < 3; i++)
		assert_int_equal(block_add(x->w, &in[i]), 0);
	assert_int_equal(block_finish(x->w, 0, 0, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	p = copy(&m.columns);
	/* the third column holds the tags: tag, kind, form, ... */
	column = find_column(p, 2);
	assert_int_equal(column[1], EV_send);
	column[1] = 99;
	assert_int_equal(block_read(&m, out, &x->scratch), 0);
	assert_int_equal(out[0].kind, 99);
	assert_int_equal(out[1].kind, 99);
	assert_int_equal(out[1].a, 2);
	assert_int_equal(out[2].kind, EV_receive);
	free(p);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, shop_open, shop_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bad_events_are_refused_and_the_block_goes_on),
		TEST(hostile_bytes_do_no_harm),
		TEST(impossible_heads_are_refused),
		TEST(lanes_and_events_must_agree),
		TEST(times_are_within_all_time),
		TEST(lanes_must_add_up_to_the_block),
		TEST(an_unknown_kind_can_be_read),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
