/* Tables of places: who runs where, and what is wrong with one. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "tools/run/map.h"

static void
ranks_have_their_nodes(void **state)
{
	static const char text[] =
	    "# a table\n\tn1 2 # two\n\nn2 ranks 0 3-4\r\n"
	    "n3 1 through  ssh -p 22 user@host\n";
	struct map m;
	char why[100];

	(void)state;
	assert_int_equal(map_parse(&m, text, why, sizeof(why)), 0);
	assert_int_equal(m.nodes, 3);
	assert_int_equal(m.ranks, 6);
	assert_int_equal(m.at[0], 1);
	assert_int_equal(m.at[1], 0);
	assert_int_equal(m.at[2], 0);
	assert_int_equal(m.at[3], 1);
	assert_int_equal(m.at[4], 1);
	assert_int_equal(m.at[5], 2);
	assert_string_equal(m.node[2].through, "ssh -p 22 user@host");
	assert_null(m.node[0].through);
	assert_int_equal(m.node[2].line, 5);
	map_clear(&m);
}

static void
what_is_wrong_is_told_by_its_line(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "1: no program" },
		{ "n1", "1: expected NODE COUNT" },
		{ "\n\nn1 x", "3: this is no number of instances: x" },
		{ "n1 1x", "1: this is no number" },
		{ "n1 -1", "1: this is no number" },
		{ "n1 99999999999999999999", "1: this is no number" },
		{ "n1 2 3", "1: expected through COMMAND, not 3" },
		{ "n1 ranks", "1: ranks wants some" },
		{ "n1 ranks 3-1", "1: this is no range" },
		{ "n1 ranks 0-", "1: this is no range" },
		{ "n1 ranks 1,2", "1: this is no rank: 1,2" },
		{ "n1 ranks 0\nn2 ranks 0", "2: this rank has a node already" },
		{ "n1 ranks 1", "1: there is no rank 0" },
		{ "n1 256\nn2 1", "2: there are more than 256" },
		{ "n1 0", "1: no program" },
		{ "n1 1 through ", "1: through wants a command" },
	};
	struct map m;
	char why[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(map_parse(&m, cases[i].text, why, sizeof(why)),
		    -1);
		if (strncmp(why, cases[i].why, strlen(cases[i].why)) != 0)
			fail_msg("%s: %s", cases[i].text, why);
		map_clear(&m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_have_their_nodes),
		cmocka_unit_test(what_is_wrong_is_told_by_its_line),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
