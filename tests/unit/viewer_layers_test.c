/* The geometry of a graph in columns. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "layout/chart/layers.h"

#define NODES 8

/* As column and row of each node. */
static void
who_leads_stands_left(void **state)
{
	static const struct {
		const char *what;
		uint32_t n;
		size_t edges;
		struct layers_edge edge[8];
		uint32_t columns, rows;
		const char *places;
	} cases[] = {
		{ "nothing", 0, 0, { { 0, 0 } }, 3, 0, "" },
		{ "one", 1, 0, { { 0, 0 } }, 3, 1, "0.0" },
		{ "itself", 1, 1, { { 0, 0 } }, 3, 1, "0.0" },
		{ "a chain", 3, 2, { { 2, 1 }, { 1, 0 } }, 3, 1,
		    "2.0 1.0 0.0" },
		{ "a chain that is too long", 4, 3,
		    { { 0, 1 }, { 1, 2 }, { 2, 3 } }, 2, 3, "0.0 1.0 1.1 1.2" },
		{ "the nearest counts", 3, 3, { { 0, 1 }, { 1, 2 }, { 0, 2 } },
		    3, 2, "0.0 1.0 1.1" },
		{ "no lines that cross", 4, 2, { { 0, 3 }, { 1, 2 } }, 2, 2,
		    "0.0 0.1 1.1 1.0" },
		{ "a circle", 3, 3, { { 0, 1 }, { 1, 2 }, { 2, 0 } }, 3, 1,
		    "0.0 1.0 2.0" },
		{ "alone: in the shortest", 5, 2, { { 0, 1 }, { 0, 2 } }, 2, 3,
		    "0.0 1.0 1.1 0.1 0.2" },
		{ "one column", 3, 2, { { 0, 1 }, { 1, 2 } }, 1, 3,
		    "0.0 0.1 0.2" },
	};
	struct layers_node node[NODES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char at[100] = "";

		assert_int_equal(layers_place(cases[i].n, cases[i].edge,
				     cases[i].edges, cases[i].columns, node),
		    cases[i].rows);
		for (uint32_t k = 0; k < cases[i].n; k++)
			snprintf(at + strlen(at), sizeof(at) - strlen(at),
			    "%s%u.%u", k > 0 ? " " : "", node[k].column,
			    node[k].row);
		if (strcmp(at, cases[i].places) != 0)
			print_error("%s\n", cases[i].what);
		assert_string_equal(at, cases[i].places);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_leads_stands_left),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
