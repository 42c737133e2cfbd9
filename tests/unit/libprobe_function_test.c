/* The name of a function, out of what compilers make of it. */
#include "tests/check.h"

#include <string.h>

#include "libprobe/internal.h"

static void
a_function_has_its_class_and_no_more(void **state)
{
	static const struct {
		const char *pretty, *name;
	} cases[] = {
		{ "main", "main" },
		{ "", "" },
		{ "int main()", "main" },
		{ "void Slave::say_hi(int)", "Slave::say_hi" },
		{ "Slave::Slave()", "Slave::Slave" },
		{ "virtual Slave::~Slave()", "Slave::~Slave" },
		{ "static int {anonymous}::f(void (*)(int), int)",
		    "{anonymous}::f" },
		{ "void (anonymous namespace)::A::f(int)",
		    "(anonymous namespace)::A::f" },
		{ "virtual double *ns::Solver<T>::step(int) const [with T = "
		  "double]",
		    "ns::Solver<T>::step" },
		{ "void g(T) [T = std::map<int, char (*)[3]>]", "g" },
		{ "std::map<int, A> A::all(const B &) const &", "A::all" },
		{ "const std::string& N::name() const noexcept", "N::name" },
		{ "bool A::operator()(int) const", "A::operator()" },
		{ "bool operator<(const A &, const A &)", "operator<" },
		{ "A::operator unsigned int() const",
		    "A::operator unsigned int" },
		{ "main()::<lambda(int)>", "main()::<lambda(int)>" },
		{ "auto main()::(anonymous class)::operator()(int) const",
		    "main()::(anonymous class)::operator()" },
		{ "-[Thing run:]", "-[Thing run:]" },
		{ ")", ")" },
		{ "((((", "((((" },
		{ ">>>> f(", "f(" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = 0;
		const char *at = function_name(cases[i].pretty, &n);
		char name[64];

		assert_true(n < sizeof(name));
		memcpy(name, at, n);
		name[n] = '\0';
		assert_string_equal(name, cases[i].name);
	}
}

static void
one_without_end_is_cut(void **state)
{
	char pretty[5000];
	size_t n = 0;

	(void)state;
	memset(pretty, 'x', sizeof(pretty));
	pretty[sizeof(pretty) - 1] = '\0';
	function_name(pretty, &n);
	assert_int_equal(n, 1024);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_its_class_and_no_more),
		cmocka_unit_test(one_without_end_is_cut),
	};

	return (cmocka_run_group_tests_name("libprobe function", tests, NULL,
	    NULL));
}
