/*
 * What is taken for a step, and what for a line that has lost its clock.  The
 * line is mon = node, with 30 us on both sides, and bursts are told as they lie
 * beside it.
 */
#include "tests/check.h"

#include <math.h>

#include "monitord/clock/clockstep.h"

#define US   1000
#define SEC  ((int64_t)1000000000)
#define HALF (30 * US)
#define HELD (6 * US)
#define NOW  (1000 * SEC)

static const struct clock_line line = { .gap_ns = 2 * HALF };

/* Its bounds are so much farther out than those of the line. */
static struct clock_burst
burst(int64_t ago, int64_t below_ns, int64_t above_ns)
{
	return ((struct clock_burst){ .low_node_ns = NOW - ago,
	    .low_ns = -HALF - below_ns,
	    .high_node_ns = NOW - ago,
	    .high_ns = HALF + above_ns,
	    .rtt_ns = 2 * HALF + below_ns + above_ns });
}

static struct clockstep_room
room_of(const struct clock_burst *newest_first, size_t n)
{
	struct clockstep_room room = { HUGE_VAL, HUGE_VAL };

	for (size_t i = 0; i < n; i++) {
		if (!clockstep_held(&room, &line, &newest_first[i], HELD, 0,
			NOW))
			break;
	}
	return (room);
}

/* What is said at last of bursts that all lie so far beside the line. */
static enum clockstep_says
shifted(int64_t by_ns, const struct clockstep_room *room)
{
	struct clock_burst b = burst(0, 3 * US, 3 * US);
	enum clockstep_says says;
	struct clockstep d = { 0 };

	b.low_ns += by_ns;
	b.high_ns += by_ns;
	do
		says = clockstep_burst(&d, &line, &b, room);
	while (says == CLOCKSTEP_MORE);
	return (says);
}

static void
the_room_is_what_the_bursts_leave_open(void **state)
{
	static const struct {
		const char *what;
		struct {
			int ago_s, below_us, above_us;
		} bursts[4]; /* newest first */
		double below_us, above_us;
	} cases[] = {
		{ "a second ago it was held", { { 1, 3, 3 } }, 1, 1 },
		{ "four seconds ago", { { 4, 0, 6 } }, 16, 16 },
		{ "the newest was wide", { { 1, 90, 90 }, { 2, 0, 0 } }, 4, 4 },
		{ "on one side only", { { 1, 90, 0 }, { 3, 0, 0 } }, 9, 1 },
		{ "all were, for long",
		    { { 4, 26, 31 }, { 8, 80, 21 }, { 12, 30, 30 },
			{ 16, 0, 0 } },
		    36, 41 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct clock_burst b[4];
		struct clockstep_room room;
		size_t n = 0;

		for (; n < 4 && cases[i].bursts[n].ago_s > 0; n++)
			b[n] = burst(cases[i].bursts[n].ago_s * SEC,
			    cases[i].bursts[n].below_us * US,
			    cases[i].bursts[n].above_us * US);
		room = room_of(b, n);
		if (fabs(room.below_ns - cases[i].below_us * US) > 0.1 * US ||
		    fabs(room.above_ns - cases[i].above_us * US) > 0.1 * US)
			fail_msg("%s: room %.1f below, %.1f above",
			    cases[i].what, room.below_ns, room.above_ns);
	}
}

/* Seen of a node asked every 4 s: 40 us off after three bursts in traffic. */
static void
a_line_that_nothing_held_is_no_step(void **state)
{
	const struct clock_burst lost[] = { burst(4 * SEC, 2 * US, 21 * US),
		burst(8 * SEC, 68 * US, 15 * US),
		burst(12 * SEC, 15 * US, 22 * US), burst(16 * SEC, 0, 0) };
	struct clockstep_room room = room_of(lost, 4);

	(void)state;
	assert_int_equal(shifted(30 * US, &room), CLOCKSTEP_NONE);
	/* the other side was held all the time */
	assert_int_equal(shifted(-30 * US, &room), CLOCKSTEP_STEP);
	/* and more than nothing is explained by it */
	assert_int_equal(shifted(50 * US, &room), CLOCKSTEP_STEP);
}

static void
a_line_that_was_held_is_left_by_a_step(void **state)
{
	const struct clock_burst held = burst(SEC, 3 * US, 3 * US);
	struct clockstep_room room = room_of(&held, 1);

	(void)state;
	assert_int_equal(shifted(10 * US, &room), CLOCKSTEP_STEP);
	assert_int_equal(shifted(-10 * US, &room), CLOCKSTEP_STEP);
	assert_int_equal(shifted(3 * US, &room), CLOCKSTEP_NONE);
}

/* Both bounds nearer to each other: round trips have become shorter. */
static void
a_shorter_path_is_no_step(void **state)
{
	const struct clock_burst held = burst(SEC, 0, 0),
				 shorter = burst(0, -15 * US, -15 * US);
	struct clockstep_room room = room_of(&held, 1);
	struct clockstep d = { 0 };
	enum clockstep_says says;
	int asked = 0;

	(void)state;
	do
		says = clockstep_burst(&d, &line, &shorter, &room);
	while (says == CLOCKSTEP_MORE && ++asked < 100);
	assert_int_equal(says, CLOCKSTEP_NONE);
	assert_in_range(asked, 2, CLOCKSTEP_MOST);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_room_is_what_the_bursts_leave_open),
		cmocka_unit_test(a_line_that_nothing_held_is_no_step),
		cmocka_unit_test(a_line_that_was_held_is_left_by_a_step),
		cmocka_unit_test(a_shorter_path_is_no_step),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
