/* What goes into a block comes out of it. */
#include "tests/unit/proto_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_in_comes_out),
		cmocka_unit_test(a_block_that_could_not_be_closed_goes_on),
		cmocka_unit_test(all_of_a_block_is_of_one_thread),
		cmocka_unit_test(a_full_block_has_room),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
