/*
 * Lines that lie over one another: however many there are, the rows below stay
 * to be seen, and where there are few each is drawn in full.
 */
#include "tests/check.h"

#include <math.h>

#include "layout/time/timeline_inside.h"

#define W 800
#define H 600

static struct timeline_view view = { .width = W, .height = H };

/* What n upright lines, all over the height, hide of a strip of 8 px. */
static double
hidden(unsigned n)
{
	struct timeline_crowd c;
	unsigned fade;

	timeline_crowd_init(&c, &view);
	for (unsigned i = 0; i < n; i++)
		timeline_crowd_add(&c, 400 + i % 8, 0, 400 + i % 8, H);
	timeline_crowd_ready(&c);
	fade = timeline_crowd_fade(&c, 403, 0, 403, H);
	assert_int_equal(timeline_crowd_fade(&c, 100, 0, 100, H), 255);
	timeline_crowd_clear(&c);
	return (1 - pow(1 - fade / 255.0, n / 8.0));
}

static void
many_hide_half(void **state)
{
	(void)state;
	/* up to two and more over each px they are merely fainter */
	for (unsigned n = 32; n < 300; n += 7) {
		assert_true(hidden(n) > 0.35);
		assert_true(hidden(n) < 0.75);
	}
}

static void
few_are_drawn_in_full(void **state)
{
	struct timeline_crowd c;

	(void)state;
	timeline_crowd_init(&c, &view);
	for (int i = 0; i < 100; i++)
		timeline_crowd_add(&c, 8 * i, 10, 8 * i, 500);
	/* one strip is crowded, another line is far away, one crosses it */
	for (int i = 0; i < 400; i++)
		timeline_crowd_add(&c, 44, 0, 44, H);
	timeline_crowd_ready(&c);
	assert_int_equal(timeline_crowd_fade(&c, 80, 10, 80, 500), 255);
	assert_true(timeline_crowd_fade(&c, 44, 0, 44, H) < 12);
	assert_int_equal(timeline_crowd_fade(&c, 700, 10, 790, 500), 255);
	assert_true(timeline_crowd_fade(&c, 0, 20, 790, 30) > 90);
	timeline_crowd_clear(&c);
}

/* Two rows that talk in a high window are as crowded as in a low one. */
static void
what_is_free_below_does_not_count(void **state)
{
	struct timeline_crowd c;
	unsigned fade;

	(void)state;
	timeline_crowd_init(&c, &view);
	for (int i = 0; i < 4 * W; i++)
		timeline_crowd_add(&c, i / 4.0, 50, i / 4.0 + 6, 80);
	timeline_crowd_add(&c, 300, 200, 310, 500);
	timeline_crowd_ready(&c);
	fade = timeline_crowd_fade(&c, 400, 50, 406, 80);
	assert_true(1 - pow(1 - fade / 255.0, 4) < 0.75);
	assert_int_equal(timeline_crowd_fade(&c, 300, 200, 310, 500), 255);
	timeline_crowd_clear(&c);
}

/* Lines of the whole run may begin and end anywhere. */
static void
nothing_lies_outside(void **state)
{
	struct timeline_crowd c;

	(void)state;
	timeline_crowd_init(&c, &view);
	timeline_crowd_add(&c, -1e9, -1e9, 1e9, 1e9);
	timeline_crowd_add(&c, 1e9, 0, 2e9, 10);
	timeline_crowd_add(&c, -5, 0, -1, 10);
	timeline_crowd_ready(&c);
	assert_int_equal(timeline_crowd_fade(&c, -1e9, -1e9, 1e9, 1e9), 255);
	assert_int_equal(timeline_crowd_fade(&c, 2e9, 0, 3e9, 10), 255);
	timeline_crowd_clear(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_hide_half),
		cmocka_unit_test(few_are_drawn_in_full),
		cmocka_unit_test(what_is_free_below_does_not_count),
		cmocka_unit_test(nothing_lies_outside),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
