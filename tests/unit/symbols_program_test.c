/* What lies in a class, and which bytes of it have nothing. */
#include "tests/check.h"

#include <string.h>

#include "symbols/program.h"

struct with_holes { /* this test's own debug information has it */
	char kind;
	long at[2];
	struct with_holes *next;
	unsigned low : 3, high : 7;
};

static void
unused_bytes_are_in_nothing(void **state)
{
	static struct program_member whole[] = { { .at_bytes = 0, .bytes = 8 },
		{ .at_bytes = 8, .bytes = 8 } };
	static struct program_member holes[] = { { .at_bytes = 12, .bytes = 2 },
		{ .at_bytes = 0, .bytes = 8 }, { .at_bytes = -1, .bytes = 9 } };
	static struct program_member bits[] = {
		{ .at_bytes = 0, .bytes = 4, .bits = 3, .first_bit = 6 },
		{ .at_bytes = 1, .bytes = 4, .bits = 7, .first_bit = 1 }
	};
	static struct program_base base[] = { { "b", 0, 8 } };
	static struct program_base nowhere[] = { { "b", -1, 8 } };
	static struct program_base endless[] = { { "b", 1, UINT64_MAX } };
	static const struct {
		const char *what;
		struct program_type t;
		int64_t unused;
	} cases[] = {
		{ "nothing in it", { .kind = "struct", .bytes = 1 }, 1 },
		{ "no hole",
		    { .kind = "struct",
			.bytes = 16,
			.members = whole,
			.nmembers = 2 },
		    0 },
		{ "between and at the end, in any order",
		    { .kind = "struct",
			.bytes = 16,
			.members = holes,
			.nmembers = 3 },
		    6 },
		{ "a union has none",
		    { .kind = "union",
			.bytes = 16,
			.members = holes,
			.nmembers = 2 },
		    0 },
		{ "bits over a byte's end",
		    { .kind = "struct",
			.bytes = 4,
			.members = bits,
			.nmembers = 2 },
		    2 },
		{ "a base",
		    { .kind = "class",
			.bytes = 12,
			.bases = base,
			.nbases = 1 },
		    4 },
		{ "a virtual base",
		    { .kind = "class",
			.bytes = 12,
			.bases = nowhere,
			.nbases = 1 },
		    -1 },
		{ "absurd",
		    { .kind = "class",
			.bytes = UINT64_MAX,
			.bases = endless,
			.nbases = 1 },
		    -1 },
		{ "an absurd base",
		    { .kind = "class",
			.bytes = 8,
			.bases = endless,
			.nbases = 1 },
		    -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (program_type_unused(&cases[i].t) != cases[i].unused)
			print_error("%s\n", cases[i].what);
		assert_int_equal(program_type_unused(&cases[i].t),
		    cases[i].unused);
	}
}

static void
members_lead_to_classes(void **state)
{
	const struct program_type *t;
	struct with_holes own = { 0 };
	struct program *p;
	const char *why;

	(void)state;
	own.next = &own; /* it is used, so it is told of */
	p = program_read("/proc/self/exe", "", &why);
	assert_non_null(p);
	t = program_type_find(p, "with_holes", "nowhere");
	assert_non_null(t);
	assert_int_equal(t->bytes, sizeof(own));
	assert_int_equal(program_type_unused(t),
	    sizeof(own) - 1 - sizeof(own.at) - sizeof(own.next) - 2);
	assert_string_equal(t->members[2].of, "with_holes");
	assert_true(t->members[2].points);
	assert_string_equal(t->members[1].of, "");
	assert_null(program_type_find(p, "with", ""));
	program_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unused_bytes_are_in_nothing),
		cmocka_unit_test(members_lead_to_classes),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
