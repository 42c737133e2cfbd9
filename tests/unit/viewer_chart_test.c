/* The geometry of charts: by brute force over random ones, and in words. */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/axis.h"
#include "layout/chart/bars.h"
#include "layout/chart/curve.h"
#include "layout/chart/histogram.h"
#include "layout/chart/matrix.h"
#include "layout/chart/radar.h"
#include "layout/chart/shades.h"
#include "tests/rnd.h"

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

static uint64_t
below(uint64_t n)
{
	return (rnd() % n);
}

/* As often of each size. */
static double
any_amount(double low, double high)
{
	return (low * pow(high / low, (double)below(1000000) / 999999));
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

/* What a pixel of the scene is of; -1: nothing.  Twice: fails. */
static int64_t
at_px(const struct scene *s, int32_t x, int32_t y)
{
	int64_t of = -1;

	for (size_t i = 0; i < s->n; i++) {
		const struct item *k = &s->items[i];

		if (k->of != OF_MARK || x * SCENE_ONE < k->x0 ||
		    x * SCENE_ONE >= k->x1 || y * SCENE_ONE < k->y0 ||
		    y * SCENE_ONE >= k->y1)
			continue;
		assert_int_equal(of, -1);
		of = (int64_t)k->id;
	}
	return (of);
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

/* Each spoke is where it is hit, the first one upwards; rings are in order. */
static void
spokes_are_where_they_are_hit(void **state)
{
	struct radar k = { 300, 200, 100, 0 };
	struct scene s = { 0 };
	double share[32];
	int32_t x, y;

	(void)state;
	for (k.n = 1; k.n <= 32; k.n++) {
		for (size_t i = 0; i < k.n; i++) {
			radar_at(&k, i, 0.8, &x, &y);
			assert_int_equal(radar_hit(&k, x / 16, y / 16), i);
			share[i] = 0.5;
		}
		scene_clear(&s);
		radar_area_scene(&k, share, 0xffffff, false, &s);
		assert_int_equal(s.n, k.n);
	}
	k.n = 4;
	radar_at(&k, 0, 1, &x, &y);
	assert_int_equal(x, 300 * 16);
	assert_int_equal(y, 100 * 16);
	radar_at(&k, 1, 0.5, &x, &y);
	assert_int_equal(x, 350 * 16);
	assert_int_equal(y, 200 * 16);
	assert_int_equal(radar_hit(&k, 300, 301), 4);
	scene_clear(&s);
	radar_ground_scene(&k, &palette_dark, &s);
	assert_int_equal(s.n, 4 + 4);
	scene_clear(&s);
	radar_area_scene(&k, share, 0xffffff, true, &s);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].n, 4);
	/* each corner is where its share is */
	for (size_t i = 0; i < k.n; i++)
		share[i] = 0.25 * (double)i;
	scene_clear(&s);
	radar_area_scene(&k, share, 0xffffff, true, &s);
	for (size_t i = 0; i < k.n; i++) {
		radar_at(&k, i, share[i], &x, &y);
		assert_int_equal(s.points[2 * (s.items[0].first + i)], x);
		assert_int_equal(s.points[2 * (s.items[0].first + i) + 1], y);
	}
	scene_free(&s);
}

/* A legend says what a colour stands for. */
static void
a_place_in_the_scale_has_its_value(void **state)
{
	struct shades s;
	double v[50];

	(void)state;
	for (int i = 0; i < 200; i++) {
		for (size_t k = 0; k < 50; k++)
			v[k] = pow(10, (double)below(9)) + (double)below(100);
		shades_fit(&s, v, 50, below(2) == 0);
		for (double at = 0.1; at < 1; at += 0.1)
			if (s.hi > s.lo)
				assert_true(
				    fabs(shades_at(&s, shades_value(&s, at)) -
					 at) < 1e-6);
	}
}

/* The largest sum has all of the room, any other its share, what is there a
 * pixel. */
static void
sums_have_their_share(void **state)
{
	double row[4] = { 10, 0, 5, 0.001 }, col[4] = { 0, 0, 0, 3 };
	struct scene s = { 0 };
	struct matrix m;

	(void)state;
	assert_true(matrix_fit(&m, 4, 4, 0, 0, 200, 200, 20, 41));
	matrix_sums_scene(&m, row, col, 0xffffff, &s);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.items[0].x1 - s.items[0].x0, 41 * SCENE_ONE);
	assert_int_equal(s.items[1].x1 - s.items[1].x0, 21 * SCENE_ONE);
	assert_int_equal(s.items[2].x1 - s.items[2].x0, SCENE_ONE);
	assert_int_equal(s.items[3].y1 - s.items[3].y0, 41 * SCENE_ONE);
	assert_int_equal(s.items[3].x0, 3 * m.cell * SCENE_ONE);
	scene_free(&s);
}

static void
squares_are_where_they_are_hit(void **state)
{
	struct scene s = { 0 };
	struct shades shades;
	struct matrix m;
	uint32_t row, col;
	double v[64];

	(void)state;
	for (int i = 0; i < 200; i++) {
		uint32_t rows = 1 + (uint32_t)below(8);
		uint32_t cols = 1 + (uint32_t)below(8);
		int32_t sums = below(2) == 0 ? 0 : 10;

		for (size_t k = 0; k < 64; k++)
			v[k] = (double)below(4);
		shades_fit(&shades, v, rows * cols, true);
		assert_true(
		    matrix_fit(&m, rows, cols, 20, 30, 120, 90, 12, sums));
		assert_true(m.x + (int32_t)cols * m.cell + sums <= 140);
		assert_true(m.y + (int32_t)rows * m.cell + sums <= 120);
		scene_clear(&s);
		matrix_scene(&m, v, &shades, &palette_dark, &s);
		for (uint32_t k = 0; k < rows * cols; k++) {
			int32_t x = (s.items[k].x0 + s.items[k].x1) / 32;
			int32_t y = (s.items[k].y0 + s.items[k].y1) / 32;

			assert_true(matrix_hit(&m, x, y, &row, &col));
			assert_int_equal(row * cols + col, k);
			assert_int_equal(at_px(&s, x, y), k);
		}
		assert_false(matrix_hit(&m, 19, 30, &row, &col));
		assert_false(matrix_hit(&m, 20 + (int32_t)cols * m.cell, 30,
		    &row, &col));
	}
	assert_false(matrix_fit(&m, 0, 4, 0, 0, 100, 100, 12, 0));
	assert_false(matrix_fit(&m, 60, 60, 0, 0, 100, 1000, 12, 0));
	assert_true(matrix_fit(&m, 50, 50, 0, 0, 100, 1000, 12, 0));
	scene_free(&s);
}

static double
grey(uint32_t rgb)
{
	return (0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 255) +
		0.0722 * (rgb & 255));
}

/* On dark ground more is brighter, on light ground darker. */
static void
shades_go_one_way(void **state)
{
	double v[100], was, is;
	struct shades s;

	(void)state;
	for (int i = 0; i < 100; i++)
		v[i] = i * i;
	shades_fit(&s, v, 100, true);
	assert_true(s.lo == v[1 + (int)(98 * 0.12)]); /* the first is 0 */
	assert_true(s.hi == v[99]);
	assert_true(shades_at(&s, 0) == -1);
	assert_true(shades_at(&s, NAN) == -1);
	assert_true(shades_at(&s, 1) == 0);
	assert_true(shades_at(&s, v[99] + 5) == 1);
	for (int theme = 0; theme < 2; theme++) {
		const struct palette *p =
		    theme == 0 ? &palette_dark : &palette_light;

		was = grey(shades_rgb(&s, p, s.lo));
		for (int k = 1; k < 190; k++) {
			is = grey(shades_rgb(&s, p, s.lo + 50 * k));
			assert_true(theme == 0 ? is > was - 2 : is < was + 2);
			was = is;
		}
	}
	/* one value alone, and none */
	shades_fit(&s, (double[]){ 0, 7, 0 }, 3, true);
	assert_true(shades_at(&s, 7) == 1);
	shades_fit(&s, v, 1, true);
	assert_true(s.hi == 0 && shades_at(&s, 0) == -1);
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
		cmocka_unit_test(bins_have_no_gaps),
		cmocka_unit_test(bars_are_without_gaps),
		cmocka_unit_test(areas_are_what_they_stand_for),
		cmocka_unit_test(squares_are_where_they_are_hit),
		cmocka_unit_test(a_place_in_the_scale_has_its_value),
		cmocka_unit_test(spokes_are_where_they_are_hit),
		cmocka_unit_test(sums_have_their_share),
		cmocka_unit_test(shades_go_one_way),
		cmocka_unit_test(a_histogram_in_words),
		cmocka_unit_test(curves_keep_their_peaks),
		cmocka_unit_test(labels_end_with_the_axis),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
