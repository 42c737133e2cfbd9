/*
 * Shapes of a machine: each part has a place of its own within the square, who
 * has none comes last, and neighbours are those that the shape joins.
 */
#include "tests/check.h"

#include <math.h>
#include <string.h>

#include "layout/chart/shape.h"

static void
names_and_nothing_else(void **state)
{
	static const struct {
		const char *text;
		int rc;
		const char *name; /* for ten parts */
	} cases[] = { { "auto", 0, "grid 3x4" }, { "ring", 0, "ring" },
		{ "hypercube", 0, "hypercube of 8" }, { "4x8", 0, "grid 4x8" },
		{ "1x4096", 0, "grid 1x4096" }, { "1x4097", -1, NULL },
		{ "0x4", -1, NULL }, { "4x0", -1, NULL }, { "4x", -1, NULL },
		{ "x4", -1, NULL }, { "4x4x4", -1, NULL }, { "", -1, NULL },
		{ "-1x4", -1, NULL }, { "4 x4", -1, NULL },
		{ "99999999999999999999x1", -1, NULL }, { "rings", -1, NULL } };
	struct shape s;
	char name[40];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(shape_parse(cases[i].text, &s), cases[i].rc);
		if (cases[i].rc == 0)
			assert_string_equal(shape_name(&s, 10, name,
						sizeof(name)),
			    cases[i].name);
	}
}

static void
each_has_a_place_of_its_own(void **state)
{
	static const struct {
		struct shape s;
		uint32_t n, room;
	} cases[] = { { { SHAPE_AUTO, 0, 0 }, 1, 1 },
		{ { SHAPE_AUTO, 0, 0 }, 2, 2 },
		{ { SHAPE_AUTO, 0, 0 }, 256, 256 },
		{ { SHAPE_GRID, 4, 8 }, 40, 32 },
		{ { SHAPE_GRID, 4, 8 }, 7, 7 },
		{ { SHAPE_GRID, 4096, 4096 }, 256, 256 },
		{ { SHAPE_RING, 0, 0 }, 1, 1 },
		{ { SHAPE_RING, 0, 0 }, 37, 37 },
		{ { SHAPE_HYPERCUBE, 0, 0 }, 1, 1 },
		{ { SHAPE_HYPERCUBE, 0, 0 }, 20, 16 },
		{ { SHAPE_HYPERCUBE, 0, 0 }, 256, 256 },
		{ { SHAPE_AUTO, 0, 0 }, 0, 0 } };
	double x[256], y[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct shape *s = &cases[i].s;

		assert_int_equal(shape_room(s, cases[i].n), cases[i].room);
		assert_false(
		    shape_place(s, cases[i].n, cases[i].room, &x[0], &y[0]));
		for (uint32_t k = 0; k < cases[i].room; k++) {
			assert_true(
			    shape_place(s, cases[i].n, k, &x[k], &y[k]));
			assert_true(
			    x[k] >= 0 && x[k] <= 1 && y[k] >= 0 && y[k] <= 1);
			for (uint32_t j = 0; j < k; j++)
				assert_true(
				    hypot(x[j] - x[k], y[j] - y[k]) > 1e-5);
		}
	}
}

/* How many of n parts the first one, and all of them, are joined with. */
static void
check_joined(struct shape s, uint32_t n, uint32_t first, uint32_t all)
{
	uint32_t of_first = 0, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			bool is = shape_joined(&s, n, i, j);

			assert_int_equal(is, shape_joined(&s, n, j, i));
			of_first += i == 0 && is;
			sum += is;
		}
	assert_int_equal(of_first, first);
	assert_int_equal(sum, 2 * all);
}

static void
neighbours_are_joined(void **state)
{
	(void)state;
	check_joined((struct shape){ SHAPE_GRID, 4, 8 }, 32, 2, 4 * 7 + 3 * 8);
	check_joined((struct shape){ SHAPE_GRID, 4, 8 }, 40, 2, 4 * 7 + 3 * 8);
	check_joined((struct shape){ SHAPE_RING, 0, 0 }, 9, 2, 9);
	check_joined((struct shape){ SHAPE_RING, 0, 0 }, 1, 0, 0);
	check_joined((struct shape){ SHAPE_HYPERCUBE, 0, 0 }, 20, 4, 32);
	check_joined((struct shape){ SHAPE_OWN, 0, 0 }, 20, 0, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_nothing_else),
		cmocka_unit_test(each_has_a_place_of_its_own),
		cmocka_unit_test(neighbours_are_joined),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
