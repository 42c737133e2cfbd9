/* Axes: their ticks and labels, and places of values; by chance and in words.
 */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/axis.h"
#include "layout/chart/curve.h"
#include "tests/unit/viewer_amounts.h"

static const struct {
	const char *name;
	double one;
} told_as[] = { { " h", 3600e9 }, { " min", 60e9 }, { " ms", 1e6 },
	{ " µs", 1e3 }, { " ns", 1 }, { " s", 1e9 }, { " TB", 1e12 },
	{ " GB", 1e9 }, { " MB", 1e6 }, { " KB", 1e3 }, { " B", 1 },
	{ " T", 1e12 }, { " G", 1e9 }, { " M", 1e6 }, { " k", 1e3 },
	{ " %", 1 } };

/* What a reader takes a label for. */
static double
read_label(const char *label)
{
	char *end;
	double v = strtod(label, &end);

	if (*end == '\0')
		return (v);
	for (size_t i = 0; i < sizeof(told_as) / sizeof(*told_as); i++) {
		if (strcmp(end, told_as[i].name) == 0)
			return (v * told_as[i].one);
	}
	fail_msg("a label of no unit: %s", label);
	return (0);
}

static void
any_axis(struct axis *a)
{
	a->unit = (enum axis_unit)below(AXIS_UNITS);
	a->scale = (enum axis_scale)below(2);
	a->lo = a->scale == AXIS_LOG ? any_amount(1, 1e9)
		: below(2) == 0      ? 0
				     : any_amount(1, 1e12);
	a->hi = a->lo + any_amount(a->unit == AXIS_PERCENT ? 0.01 : 1, 1e13);
	/* a double has 15 digits, of which an axis may use up nine */
	a->hi += a->lo * 1e-9;
	a->lo_px = (int32_t)below(500);
	a->hi_px = a->lo_px + (int32_t)below(2000) - 1000;
}

static void
check_tick(const struct axis *a, const struct tick *t)
{
	double range = a->hi - a->lo;

	assert_true(t->value >= a->lo - range * 1e-6);
	assert_true(t->value <= a->hi + range * 1e-6);
	assert_int_equal(t->at_q, axis_at_q(a, t->value));
	/* a label says what its tick stands for, not about that */
	if (fabs(read_label(t->label) - t->value) >
	    1e-6 * fmax(range * 1e-3, fabs(t->value)))
		fail_msg("%s is %.17g, of %g to %g", t->label, t->value, a->lo,
		    a->hi);
}

static void
ticks_are_true_and_apart(void **state)
{
	struct tick t[64];
	struct axis a;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		int32_t apart = 20 + (int32_t)below(80);
		size_t n;

		any_axis(&a);
		n = axis_ticks(&a, apart, t, 64);
		for (size_t k = 0; k < n; k++) {
			check_tick(&a, &t[k]);
			if (k == 0)
				continue;
			assert_true(t[k].value > t[k - 1].value);
			assert_true(abs(t[k].at_q - t[k - 1].at_q) >=
				    (apart - 1) * SCENE_ONE);
		}
	}
}

/* Steps that are told to readers: as many ticks as there is room for, about. */
static void
ticks_fill_the_axis(void **state)
{
	struct tick t[64];
	struct axis a = { 0, 0, 0, 1000, AXIS_LINEAR, AXIS_NS };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		a.hi = any_amount(100, 3600e9 * 48);
		/* ten would fit; steps are at most 2.5 times too long, those
		 * beyond half a minute and half an hour more */
		assert_true(axis_ticks(&a, 100, t, 64) >= 4);
	}
}

/* Not cut off where there are more of them than the caller has room for. */
static void
ticks_reach_the_end(void **state)
{
	struct axis a = { 0, 1e9, 0, 3840, AXIS_LINEAR, AXIS_NS };
	struct tick t[16];
	size_t n;

	(void)state;
	for (a.hi_px = 100; a.hi_px <= 16384; a.hi_px += 97) {
		n = axis_ticks(&a, 24, t, 16);
		assert_true(n > 0);
		assert_true(t[n - 1].value > a.hi * 0.6);
	}
	a.scale = AXIS_LOG;
	a.lo = 1;
	n = axis_ticks(&a, 24, t, 16);
	assert_true(n > 0 && t[n - 1].value > 1e8);
}

static void
ticks_in_words(void **state)
{
	static const struct {
		struct axis axis;
		int32_t apart;
		const char *words;
	} cases[] = {
		{ { 0, 5e8, 0, 500, AXIS_LINEAR, AXIS_NS }, 100,
		    "0 ms,100 ms,200 ms,300 ms,400 ms,500 ms," },
		{ { 1.2e9, 1.9e9, 0, 400, AXIS_LINEAR, AXIS_NS }, 100,
		    "1.2 s,1.4 s,1.6 s,1.8 s," },
		{ { 0, 90e9, 0, 400, AXIS_LINEAR, AXIS_NS }, 100,
		    "0 min,1 min," },
		{ { 0, 16, 100, 0, AXIS_LINEAR, AXIS_COUNT }, 25,
		    "0,5,10,15," },
		{ { 0, 2, 100, 0, AXIS_LINEAR, AXIS_COUNT }, 10, "0,1,2," },
		{ { 0, 40000, 100, 0, AXIS_LINEAR, AXIS_COUNT }, 25,
		    "0 k,10 k,20 k,30 k,40 k," },
		{ { 1e3, 1e9, 0, 400, AXIS_LOG, AXIS_NS }, 60,
		    "1 µs,10 µs,100 µs,1 ms,10 ms,100 ms,1 s," },
		{ { 1e3, 1e4, 0, 400, AXIS_LOG, AXIS_NS }, 60,
		    "1 µs,2 µs,5 µs,10 µs," },
		{ { 0, 100, 0, 300, AXIS_LINEAR, AXIS_PERCENT }, 60,
		    "0 %,20 %,40 %,60 %,80 %,100 %," },
		{ { 5, 5, 0, 300, AXIS_LINEAR, AXIS_COUNT }, 60, "" },
		{ { 0, 5, 7, 7, AXIS_LINEAR, AXIS_COUNT }, 60, "" },
		{ { 0, 5, 0, 300, AXIS_LOG, AXIS_COUNT }, 60, "" },
		{ { 0, NAN, 0, 300, AXIS_LINEAR, AXIS_COUNT }, 60, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tick t[64];
		char words[512] = "";
		size_t n = axis_ticks(&cases[i].axis, cases[i].apart, t, 64);

		for (size_t k = 0; k < n; k++) {
			snprintf(words + strlen(words),
			    sizeof(words) - strlen(words), "%s,", t[k].label);
		}
		assert_string_equal(words, cases[i].words);
	}
}

static void
a_place_is_the_place_of_its_value(void **state)
{
	struct axis a;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int32_t px, length;

		any_axis(&a);
		length = abs(a.hi_px - a.lo_px);
		if (length == 0)
			continue;
		px = (a.hi_px < a.lo_px ? a.hi_px : a.lo_px) +
		     (int32_t)below((uint64_t)length + 1);
		assert_in_range(axis_at_q(&a, axis_value(&a, px)) + 1 -
				    px * SCENE_ONE,
		    0, 2);
	}
	assert_int_equal(axis_at_q(&a, -1e300), a.lo_px * SCENE_ONE);
	assert_int_equal(axis_at_q(&a, 1e300), a.hi_px * SCENE_ONE);
}

/* Nothing of a label is beside the axis, as far as letters are known here. */
static void
labels_end_with_the_axis(void **state)
{
	struct axis x = { 0, 1, 50, 450, AXIS_LINEAR, AXIS_NS };
	struct scene s = { 0 };
	int32_t last, end;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		x.hi = any_amount(100, 3600e9);
		scene_clear(&s);
		axis_below_scene(&x, 0, 100, &palette_dark, &s);
		end = x.lo_px;
		for (size_t k = 0; k < s.n; k++) {
			const struct item *t = &s.items[k];
			bool right = t->type == ITEM_TEXT_RIGHT;

			if (t->type != ITEM_TEXT && !right)
				continue;
			last = t->x0 / SCENE_ONE + (right ? 0 : 7 * (int)t->n);
			assert_true(last <= x.hi_px + 4);
			assert_true(!right || last - 7 * (int)t->n >= end);
			end = last;
		}
		assert_true(end > x.lo_px);
	}
	scene_free(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_true_and_apart),
		cmocka_unit_test(ticks_fill_the_axis),
		cmocka_unit_test(ticks_reach_the_end),
		cmocka_unit_test(ticks_in_words),
		cmocka_unit_test(a_place_is_the_place_of_its_value),
		cmocka_unit_test(labels_end_with_the_axis),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
