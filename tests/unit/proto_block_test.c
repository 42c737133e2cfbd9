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
	struct shop *x = *state;
	struct msg_block m;

	for (size_t i = 0; i < BLOCK_EVENTS_MAX; i++) {
		x->in[i].kind = EV_enter;
		x->in[i].t_mon_ns = x->in[i].t_node_ns = (int64_t)i;
		x->in[i].seq = 5 + i;
		x->in[i].location = 77;
	}
	assert_int_equal(block_take(x->w, x->in, BLOCK_EVENTS_MAX),
	    BLOCK_EVENTS_MAX);
	assert_int_equal(block_finish(x->w, 0, 1, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	assert_int_equal(block_read(&m, x->out, &x->scratch), 0);
	assert_memory_equal(x->in, x->out, BLOCK_EVENTS_MAX * sizeof(*x->in));
	check_lanes(&m, x->out);
}

static void
what_goes_in_comes_out(void **state)
{
	struct shop *x = *state;
	enum {
		N = 4000
	};
	static const int levels[] = { 0, 1, BLOCK_LEVEL_FAST, 3 };

	for (int round = 0; round < 80; round++) {
		size_t n = round == 0 ? 1 : 1 + rnd() % N;
		unsigned lanes = 1 + rnd() % (round % 3 == 0 ? LANES : 8);
		int64_t t = (int64_t)(rnd() >> 2) * (round % 2 ? 1 : -1);
		struct msg_block m;

		begin_stream();
		x->b.n = 0;
		for (size_t i = 0; i < n; i++) {
			x->in[i] = rnd_event(round % 4, lanes, &t);
			assert_int_equal(block_add(x->w, &x->in[i]), 0);
		}
		assert_int_equal(block_events(x->w), n);
		assert_int_equal(block_finish(x->w, round & 1,
				     levels[round % 4], &x->b),
		    0);
		assert_int_equal(block_events(x->w), 0);
		m = parse(&x->b, 0, NULL);
		assert_int_equal(m.events, n);
		assert_int_equal(m.late, round & 1);
		assert_int_equal(m.first_mon_ns, x->in[0].t_mon_ns);
		assert_int_equal(m.last_mon_ns, x->in[n - 1].t_mon_ns);
		memset(x->out, 0xaa, n * sizeof(*x->out));
		assert_int_equal(block_read(&m, x->out, &x->scratch), 0);
		assert_memory_equal(x->in, x->out, n * sizeof(*x->in));
		if (round % 8 == 0)
			check_lanes(&m, x->in);
	}
}

/* Closed in vain for want of memory, it takes more, of other flags too. */
static void
a_block_that_could_not_be_closed_goes_on(void **state)
{
	struct shop *x = *state;
	enum {
		N = 600
	};
	struct buf full = { .n = SIZE_MAX / 2, .cap = SIZE_MAX / 2 };
	struct msg_block m;
	int64_t t = 0;

	begin_stream();
	for (size_t i = 0; i < N; i++) {
		x->in[i] = rnd_event(1, 8, &t);
		x->in[i].flags = i / 50 % 2 == 0 ? 0 : EVENT_LATE;
		x->in[i].shift_ns = 0;
		if (i > 0 && i % 50 == 0) {
			errno = 0;
			assert_int_equal(block_finish(x->w, 0, BLOCK_LEVEL_FAST,
					     &full),
			    -1);
			assert_int_equal(errno, ENOMEM);
		}
		assert_int_equal(block_add(x->w, &x->in[i]), 0);
	}
	assert_int_equal(block_finish(x->w, 0, BLOCK_LEVEL_FAST, &x->b), 0);
	m = parse(&x->b, 0, NULL);
	assert_int_equal(m.events, N);
	assert_int_equal(block_read(&m, x->out, &x->scratch), 0);
	assert_memory_equal(x->in, x->out, N * sizeof(*x->in));
}

/* Whatever is in it, a full block fits its columns, its limit and a frame. */
static void
a_full_block_has_room(void **state)
{
	struct shop *x = *state;

	for (int style = 0; style < 2; style++) {
		int64_t t = 0;
		struct msg_block m;

		begin_stream();
		x->b.n = 0;
		for (size_t i = 0; i < BLOCK_EVENTS_MAX; i++) {
			x->in[i] = rnd_event(style, 64, &t);
			if (style == 0) { /* the longest there can be */
				x->in[i].flags = (uint16_t)(rnd() | 0xc004);
				x->in[i].shift_ns = (uint32_t)rnd() | 1u << 31;
				x->in[i].t_node_ns = (int64_t)rnd() / 2;
				x->in[i].kind = EV_send;
				x->in[i].a = rnd() | (uint64_t)1 << 63;
				x->in[i].b = rnd() | (uint64_t)1 << 63;
				x->in[i].c = (uint32_t)rnd();
			}
			assert_int_equal(block_add(x->w, &x->in[i]), 0);
		}
		errno = 0;
		assert_int_equal(block_add(x->w, &x->in[0]), -1);
		assert_int_equal(errno, ENOSPC);
		assert_int_equal(block_finish(x->w, 0, 1, &x->b), 0);
		m = parse(&x->b, 0, NULL);
		assert_true(m.plain_bytes <= BLOCK_PLAIN_MAX);
		assert_int_equal(block_read(&m, x->out, &x->scratch), 0);
		assert_memory_equal(x->in, x->out,
		    BLOCK_EVENTS_MAX * sizeof(*x->in));
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, shop_open, shop_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_goes_in_comes_out),
		TEST(a_block_that_could_not_be_closed_goes_on),
		TEST(all_of_a_block_is_of_one_thread),
		TEST(a_full_block_has_room),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
