/* A clock map never runs back, and its inverse finds the way back. */
#include "tests/check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "clockmap.h"
#include "message.h"
#include "tests/rnd.h"

static int64_t
rnd_between(int64_t lo, int64_t hi)
{
	return (lo + (int64_t)(rnd() % (uint64_t)(hi - lo + 1)));
}

/* All sorts of skew, the extremes often. */
static int64_t
rnd_skew(void)
{
	const int64_t most = CLOCK_SKEW_MAX_Q40 - 1;

	switch (rnd() % 5) {
	case 0:
		return (most);
	case 1:
		return (-most);
	case 2:
		return (rnd_between(-1, 1));
	default:
		return (rnd_between(-most, most));
	}
}

/* n segments that go on where the one before ends. */
static void
make_map(struct clockmap *m, int n, bool jumps)
{
	struct clock_segment s = {
		.base_node_ns = rnd_between(-1000000000000, 1000000000000),
		.base_mon_ns = rnd_between(-1000000000000, 1000000000000),
		.skew_q40 = rnd_skew(),
		.state = CLOCK_LOCKED,
	};

	assert_int_equal(clockmap_add(m, &s), 0);
	for (int i = 1; i < n; i++) {
		int64_t next = s.base_node_ns + rnd_between(1, 2000000000);

		s.base_mon_ns = clock_segment_mon(&s, next);
		s.base_node_ns = next;
		if (jumps && rnd() % 4 == 0) {
			s.base_mon_ns += rnd_between(1, 5000000000);
			s.epoch++;
		}
		s.skew_q40 = rnd_skew();
		assert_int_equal(clockmap_add(m, &s), 0);
	}
}

static void
check_point(const struct clockmap *m, int64_t node)
{
	int64_t mon = clockmap_mon(m, node), back = clockmap_node(m, mon);

	if (clockmap_mon(m, node + 1) < mon)
		fail_msg("time falls after node time %ld", (long)node);
	if (clockmap_mon(m, node + 2) <= mon)
		fail_msg("2 ns after node time %ld are one", (long)node);
	if (back < node || back > node + 1)
		fail_msg("node time %ld comes back as %ld", (long)node,
		    (long)back);
}

static void
never_back_and_back_again(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		struct clockmap m = { 0 };

		make_map(&m, 1 + (int)(rnd() % 20), round % 2 == 1);
		/* densely around every base, and anywhere */
		for (size_t i = 0; i < m.n; i++) {
			for (int64_t d = -300; d < 300; d++)
				check_point(&m, m.segments[i].base_node_ns + d);
		}
		for (int i = 0; i < 2000; i++)
			check_point(&m,
			    m.segments[rnd() % m.n].base_node_ns +
				rnd_between(-100000000000, 100000000000));
		clockmap_clear(&m);
	}
}

static void
skew_has_the_sign_it_says(void **state)
{
	/* 100 ppm slow: a second of the node is 1.0001 of the monitor */
	struct clock_segment s = { .base_node_ns = 5,
		.base_mon_ns = 7,
		.skew_q40 = 109951163 };

	(void)state;
	assert_in_range(clock_segment_mon(&s, 1000000005), 1000100006,
	    1000100008);
	s.skew_q40 = -s.skew_q40;
	assert_in_range(clock_segment_mon(&s, 1000000005), 999900006,
	    999900008);
}

static void
a_skipped_time_is_before_the_jump(void **state)
{
	struct clock_segment a = { .base_node_ns = 0, .base_mon_ns = 0 };
	struct clock_segment b = { .base_node_ns = 1000,
		.base_mon_ns = 9000,
		.epoch = 1 };
	struct clockmap m = { 0 };

	(void)state;
	assert_int_equal(clockmap_add(&m, &a), 0);
	assert_int_equal(clockmap_add(&m, &b), 0);
	assert_int_equal(clockmap_node(&m, 999), 999);
	assert_int_equal(clockmap_node(&m, 5000), 999);
	assert_int_equal(clockmap_node(&m, 9000), 1000);
	assert_int_equal(clockmap_mon(&m, 999), 999);
	assert_int_equal(clockmap_mon(&m, 1000), 9000);
	clockmap_clear(&m);
}

/* The node has slept for 600 ns, during which the map went on. */
static void
a_clock_that_was_put_back_begins_anew(void **state)
{
	static const struct clock_segment seg[] = {
		{ .base_node_ns = 0, .base_mon_ns = 5000 },
		{ .base_node_ns = 500, .base_mon_ns = 5500 },
		{ .base_node_ns = 1000, .base_mon_ns = 6000 },
		{ .base_node_ns = 700, .base_mon_ns = 6300, .epoch = 1 },
		{ .base_node_ns = 900, .base_mon_ns = 6500, .epoch = 1 },
	};
	struct clock_segment early = { .base_node_ns = 100,
		.base_mon_ns = 5900,
		.epoch = 1 };
	struct clockmap m = { 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(clockmap_add(&m, &seg[i]), 0);
	assert_int_equal(clockmap_add(&m, &early), -1); /* time would fall */
	for (size_t i = 3; i < 5; i++)
		assert_int_equal(clockmap_add(&m, &seg[i]), 0);
	assert_int_equal(m.n, 4);
	assert_int_equal(clockmap_mon(&m, 699), 5699);
	assert_int_equal(clockmap_mon(&m, 700), 6300);
	assert_int_equal(clockmap_mon(&m, 1000), 6600);
	assert_int_equal(clockmap_node(&m, 6600), 1000);
	assert_int_equal(clockmap_node(&m, 6000), 699);
	clockmap_clear(&m);
}

static void
the_segment_that_holds_is_found(void **state)
{
	struct clockmap m = { 0 };

	(void)state;
	assert_null(clockmap_find(&m, 0));
	for (int64_t i = 0; i < 50; i++) {
		struct clock_segment s = { .base_node_ns = i * 10,
			.base_mon_ns = i * 10 };

		assert_int_equal(clockmap_add(&m, &s), 0);
	}
	assert_ptr_equal(clockmap_find(&m, -100), &m.segments[0]);
	for (int64_t t = 0; t < 600; t++)
		assert_ptr_equal(clockmap_find(&m, t),
		    &m.segments[t / 10 < 50 ? t / 10 : 49]);
	clockmap_clear(&m);
	assert_int_equal(m.n, 0);
}

static void
bad_segments_are_refused(void **state)
{
	/* clang-format off */
	static const struct {
		const char *what;
		struct clock_segment s;
	} cases[] = {
		{ "begins with the last", { 1000, 1000, 0, 0, 0, 0 } },
		{ "begins before the last", { 999, 1001, 0, 0, 0, 0 } },
		{ "monitor time falls", { 2000, 1998, 0, 0, 0, 0 } },
		{ "too fast", { 2000, 2000, CLOCK_SKEW_MAX_Q40, 0, 0, 0 } },
		{ "too slow", { 2000, 2000, -CLOCK_SKEW_MAX_Q40, 0, 0, 0 } },
		{ "no such state", { 2000, 2000, 0, 0, 0, CLOCK_STATES } },
	};
	/* clang-format on */
	struct clock_segment first = { .base_node_ns = 1000,
		.base_mon_ns = 1000 };
	struct clockmap m = { 0 };

	(void)state;
	assert_int_equal(clockmap_add(&m, &first), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		if (clockmap_add(&m, &cases[i].s) != -1 || errno != EINVAL)
			fail_msg("%s: taken", cases[i].what);
	}
	assert_int_equal(m.n, 1);
	clockmap_clear(&m);
}

static void
the_ends_of_time_saturate(void **state)
{
	const int64_t most = TIME_NS_MAX / 2;
	static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1,
		INT64_MAX - 1, INT64_MAX };
	const size_t n = sizeof(ends) / sizeof(ends[0]);

	(void)state;
	for (size_t i = 0; i < n * n * n; i++) {
		struct clock_segment s = { .base_node_ns = ends[i % n],
			.base_mon_ns = ends[i / n % n] };

		for (int k = -1; k <= 1; k++) {
			s.skew_q40 = k * (CLOCK_SKEW_MAX_Q40 - 1);
			assert_true(llabs(clock_segment_mon(&s,
					ends[i / n / n])) <= most);
			assert_true(llabs(clock_segment_node(&s,
					ends[i / n / n])) <= most);
		}
	}
	assert_int_equal(
	    clock_segment_mon(&(struct clock_segment){ .base_node_ns = -10,
				  .base_mon_ns = 10 },
		INT64_MAX),
	    most);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_back_and_back_again),
		cmocka_unit_test(skew_has_the_sign_it_says),
		cmocka_unit_test(a_skipped_time_is_before_the_jump),
		cmocka_unit_test(a_clock_that_was_put_back_begins_anew),
		cmocka_unit_test(the_segment_that_holds_is_found),
		cmocka_unit_test(bad_segments_are_refused),
		cmocka_unit_test(the_ends_of_time_saturate),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
