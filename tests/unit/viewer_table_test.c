/* The geometry of tables: which columns there is room for, and which rows. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "layout/chart/table.h"

static void
columns_give_way(void **state)
{
	static const struct table_column c[] = {
		{ "function", 100, 1, 0, false, false },
		{ "calls", 50, 0, 0, true, false },
		{ "mean", 60, 0, 1, true, false },
		{ "max", 60, 0, 2, true, false },
		{ "place", 80, 1, 2, false, false },
	};
	static const struct {
		int32_t width;
		const char *shown;
	} cases[] = { { 1000, "11111" }, { 406, "11111" }, { 405, "11110" },
		{ 311, "11100" }, { 237, "11000" }, { 100, "11000" } };
	struct table t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char shown[6] = "";

		table_fit(&t, c, 5, 10, 0, 0, 0, cases[i].width, 100, 15);
		for (size_t k = 0; k < 5; k++) {
			shown[k] = t.place[k].x1 > t.place[k].x0 ? '1' : '0';
			if (k > 0)
				assert_true(t.place[k].x0 >= t.place[k - 1].x1);
		}
		assert_string_equal(shown, cases[i].shown);
		if (i == 0) /* all of the room is used */
			assert_int_equal(t.place[4].x1, 1000);
	}
}

static void
rows_are_pages(void **state)
{
	static const struct table_column c[] = { { "a", 50, 1, 0, false,
	    false } };
	struct table t;
	char buf[64];

	(void)state;
	table_fit(&t, c, 1, 10000, 5, 0, 20, 200, 20 + 15 * 21, 15);
	assert_int_equal(t.shown, 20);
	assert_string_equal(table_shown(&t, buf, sizeof(buf)),
	    "20 of 10,000 shown");
	table_fit(&t, c, 1, 10000, INT32_MAX, 0, 20, 200, 20 + 15 * 21, 15);
	assert_int_equal(t.first, 9980);
	table_fit(&t, c, 1, 3, 2, 0, 20, 200, 20 + 15 * 21, 15);
	assert_int_equal(t.first, 0);
	assert_string_equal(table_shown(&t, buf, sizeof(buf)), "");
	table_fit(&t, c, 1, 3, 0, 0, 20, 200, 10, 15);
	assert_int_equal(t.shown, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_give_way),
		cmocka_unit_test(rows_are_pages),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
