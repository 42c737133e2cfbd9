/* Bars, areas, histograms and curves: by brute force over random ones. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "layout/chart/axis.h"
#include "layout/chart/bars.h"
#include "layout/chart/curve.h"
#include "layout/chart/histogram.h"
#include "tests/unit/viewer_amounts.h"

static void
bins_have_no_gaps(void **state)
{
	(void)state;
	assert_int_equal(histogram_bin(INT64_MIN), 0);
	assert_int_equal(histogram_bin(0), 0);
	assert_int_equal(histogram_bin(INT64_MAX), HISTOGRAM_BINS - 1);
	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		assert_int_equal(histogram_bin(histogram_edge_ns(b)), b);
		if (b + 1 < HISTOGRAM_BINS)
			assert_int_equal(histogram_bin(
					     histogram_edge_ns(b + 1) - 1),
			    b);
	}
}

/* To whole pixels, as the painter would round. */
static int32_t
whole(int32_t q)
{
	return ((q + SCENE_ONE / 2) / SCENE_ONE);
}

/* The part of a bar that is to be at this place; n: none. */
static size_t
bar_hit(const struct axis *a, const struct part *part, size_t n, int32_t x)
{
	double sum = a->lo;

	for (size_t i = 0; x >= a->lo_px && i < n; i++) {
		sum += part[i].amount;
		if (x < whole(axis_at_q(a, sum)))
			return (i);
	}
	return (n);
}

static void
bars_are_without_gaps(void **state)
{
	struct scene s = { 0 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct axis a = { 0, 0, 10, 210, AXIS_LINEAR, AXIS_NS };
		struct part part[5];

		for (size_t k = 0; k < 5; k++) {
			part[k] =
			    (struct part){ (double)below(100), 1, k == 2 };
			a.hi += part[k].amount;
		}
		a.hi += (double)below(2) * 50 + 1;
		scene_clear(&s);
		bar_scene(&a, 0, 1, part, 5, &s);
		for (int32_t x = 5; x < 215; x++) {
			size_t hit = bar_hit(&a, part, 5, x);

			assert_int_equal(at_px(&s, x, 0),
			    hit == 5 ? -1 : (int64_t)hit);
		}
	}
	scene_free(&s);
}

#define COLUMNS 40
/* The series that is to be at this place of a column; n: none. */
static size_t
areas_hit(const struct axis *a, const struct series *series, size_t n,
    size_t column, int32_t y)
{
	double sum = a->lo;
	int32_t low = whole(axis_at_q(a, sum)), high;

	for (size_t k = 0; k < n; k++, low = high) {
		sum += series[k].amount[column];
		high = whole(axis_at_q(a, sum));
		if (y < low && y >= high)
			return (k);
	}
	return (n);
}

static void
areas_are_what_they_stand_for(void **state)
{
	struct scene s = { 0 };
	double amount[3][COLUMNS];
	struct series of[3];

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct axis a = { 0, 0, 60, 10, AXIS_LINEAR, AXIS_COUNT };

		for (size_t k = 0; k < 3; k++) {
			of[k] = (struct series){ amount[k], 1, k == 1 };
			for (size_t c = 0; c < COLUMNS; c++)
				amount[k][c] = below(2) == 0 && c > 0
						   ? amount[k][c - 1]
						   : (double)below(5);
		}
		a.hi = areas_most(of, 3, COLUMNS);
		scene_clear(&s);
		areas_scene(&a, 7, 2, COLUMNS, of, 3, &s);
		for (int32_t x = 7; x < 7 + 2 * COLUMNS; x++) {
			for (int32_t y = 5; y < 65; y++) {
				size_t hit = areas_hit(&a, of, 3,
				    (size_t)(x - 7) / 2, y);

				assert_int_equal(at_px(&s, x, y),
				    hit == 3 ? -1 : (int64_t)hit);
			}
		}
	}
	scene_free(&s);
}

static void
a_histogram_in_words(void **state)
{
	static const uint32_t rgb[] = { 0x111111, 0x222222 };
	struct bins count[2] = { 0 };
	struct scene s = { 0 };
	struct histogram h;
	char *words = NULL;
	size_t n;
	FILE *f;

	(void)state;
	assert_int_equal(histogram_fit(&h, count, 2, 0, 0, 100, 50), 0);
	histogram_scene(&h, count, rgb, 2, &s);
	assert_int_equal(s.n, 0);
	count[0].n[10] = 5;
	count[1].n[10] = 5;
	count[1].n[11] = 1;
	assert_int_equal(histogram_fit(&h, count, 2, 0, 0, 100, 50), 11);
	histogram_scene(&h, count, rgb, 2, &s);
	f = open_memstream(&words, &n);
	scene_print(&s, f);
	fclose(f);
	assert_string_equal(words, "rect 0,400 928,800 #111111 of 4:10\n"
				   "rect 0,0 928,400 #222222 of 4:10\n"
				   "rect 944,720 1584,800 #222222 of 4:11\n");
	free(words);
	scene_free(&s);
}

/* A curve of very many points is as high and as low as they are. */
static void
curves_keep_their_peaks(void **state)
{
	struct axis x = { 0, 100000, 0, 200, AXIS_LINEAR, AXIS_NUMBER };
	struct axis y = { 0, 100, 100, 0, AXIS_LINEAR, AXIS_NUMBER };
	static double vx[100000], vy[100000];
	struct scene s = { 0 };
	int32_t top = INT32_MAX, bottom = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		vx[i] = i;
		vy[i] = i == 54321 ? 100 : i == 77777 ? 0 : 50;
	}
	curve_scene(&x, &y, vx, vy, 100000, SCENE_ONE, 0, &s);
	assert_true(s.n <= 2 * 201);
	for (size_t i = 0; i < s.n; i++) {
		const struct item *k = &s.items[i];

		top = k->y0 < top ? k->y0 : k->y1 < top ? k->y1 : top;
		bottom = k->y0 > bottom   ? k->y0
			 : k->y1 > bottom ? k->y1
					  : bottom;
	}
	assert_int_equal(top, 0);
	assert_int_equal(bottom, 100 * SCENE_ONE);
	scene_clear(&s);
	axes_scene(&x, &y, &palette_dark, &s);
	assert_true(s.n > 8);
	scene_free(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_have_no_gaps),
		cmocka_unit_test(bars_are_without_gaps),
		cmocka_unit_test(areas_are_what_they_stand_for),
		cmocka_unit_test(a_histogram_in_words),
		cmocka_unit_test(curves_keep_their_peaks),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
