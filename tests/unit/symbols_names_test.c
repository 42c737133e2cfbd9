/* Names of functions as people write them. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/inside.h"

static void
names_have_no_parameters(void **state)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "", "" },
		{ "_Z", "_Z" },
		{ "_Zno name", "_Zno name" },
		{ "_Z3foov", "foo" },
		{ "_ZN2ns6SolverIdE4stepEi", "ns::Solver<double>::step" },
		{ "_ZNK2ns6SolverIdE4stepEi", "ns::Solver<double>::step" },
		{ "_ZNK2ns6SolverIdEplERKS1_",
		    "ns::Solver<double>::operator+" },
		{ "_ZN1AclEi", "A::operator()" },
		{ "_ZN1AcvbEv", "A::operator bool" },
		{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo" },
		{ "_Z3maxIiET_S0_S0_", "max<int>" },
		{ "_ZlsRSoRK1A", "operator<<" },
		{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()" },
		{ "_Z3foov.part.0", "foo" },
	};
	char name[SYMBOLS_TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		names_plain(cases[i][0], strlen(cases[i][0]), name);
		assert_string_equal(name, cases[i][1]);
	}
}

static void
a_name_of_100_kB_is_cut(void **state)
{
	static char from[100000], name[SYMBOLS_TEXT_BYTES];

	(void)state;
	memset(from, 'x', sizeof(from));
	names_plain(from, sizeof(from), name);
	assert_int_equal(strlen(name), SYMBOLS_TEXT_BYTES - 1);
	memcpy(from, "_Z99990", 7);
	names_plain(from, sizeof(from), name);
	assert_int_equal(strlen(name), SYMBOLS_TEXT_BYTES - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_have_no_parameters),
		cmocka_unit_test(a_name_of_100_kB_is_cut),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
