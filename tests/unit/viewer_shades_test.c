/* What is told by shades and spokes: matrices, their scale, stars of spokes. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>

#include "layout/chart/matrix.h"
#include "layout/chart/radar.h"
#include "layout/chart/shades.h"
#include "tests/unit/viewer_amounts.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(squares_are_where_they_are_hit),
		cmocka_unit_test(a_place_in_the_scale_has_its_value),
		cmocka_unit_test(spokes_are_where_they_are_hit),
		cmocka_unit_test(sums_have_their_share),
		cmocka_unit_test(shades_go_one_way),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
