/* Places in the code of a PO: names, files, and what is found out when. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "collector/sweep/code/places.h"

#define FIRST 0x80000000u

static struct msg_module
module(uint64_t start, uint64_t end, uint64_t base, const char *path,
    const char *id)
{
	return ((struct msg_module){ .start = start,
	    .end = end,
	    .base = base,
	    .path = BYTES_STR(path),
	    .build_id = BYTES_STR(id) });
}

static struct places *
with_module(uint64_t base)
{
	struct places *p = places_new(7, FIRST);
	struct msg_module m = module(base + 0x1000, base + 0x3000, base,
	    "/usr/lib/libx.so.1", "0123456789abcdef");

	assert_non_null(p);
	assert_int_equal(places_module(p, &m), 1);
	assert_int_equal(places_module(p, &m), 0);
	return (p);
}

static void
a_place_has_one_name_wherever_it_is_mapped(void **state)
{
	const char *text;

	(void)state;
	for (uint64_t base = 0x400000; base < 0x800000; base += 0x123000) {
		struct places *p = with_module(base);

		assert_int_equal(places_name(p, base + 0x1139), FIRST + 1);
		assert_int_equal(places_name(p, base + 0x113a), FIRST + 2);
		assert_int_equal(places_name(p, base + 0x1139), FIRST + 1);
		assert_int_equal(places_fresh(p, &text), FIRST + 1);
		assert_string_equal(text, "libx.so.1#01234567+0x1139");
		assert_int_equal(places_fresh(p, &text), FIRST + 2);
		assert_int_equal(places_fresh(p, &text), 0);
		places_free(p);
	}
}

/* It has a name of its own, and nobody looks for a file of that name. */
static void
what_is_in_no_file_is_not_looked_for(void **state)
{
	struct places *p = places_new(7, FIRST);
	struct msg_module m = module(0x7000, 0x9000, 0x7000, "vdso", "");
	struct msg_resolve q;
	const char *text;

	(void)state;
	assert_int_equal(places_module(p, &m), 1);
	assert_int_equal(places_name(p, 0x7abc), FIRST + 1);
	assert_int_equal(places_fresh(p, &text), FIRST + 1);
	assert_string_equal(text, "vdso+0xabc");
	assert_false(places_ask(p, &q));
	places_free(p);
}

static void
each_place_is_asked_for_once(void **state)
{
	struct places *p = with_module(0x400000);
	struct msg_resolve q;
	const char *text;

	(void)state;
	assert_int_not_equal(places_name(p, 0x401139), 0);
	assert_false(places_ask(p, &q)); /* its name has to be told first */
	assert_int_not_equal(places_fresh(p, &text), 0);
	assert_true(places_ask(p, &q));
	assert_int_equal(q.name, FIRST + 1);
	assert_int_equal(q.address, 0x1139);
	assert_memory_equal(q.path.p, "/usr/lib/libx.so.1", q.path.n);
	assert_false(places_ask(p, &q));
	places_looked(p);
	assert_false(places_ask(p, &q));
	places_free(p);
}

static void
code_that_comes_later_is_found_later(void **state)
{
	struct places *p = with_module(0x400000);
	struct msg_module late =
	    module(0x7f0000, 0x7f8000, 0x7e0000, "/p/plug.so", "");
	struct msg_resolve q;
	const char *text;

	(void)state;
	assert_false(places_stray(p));
	assert_int_equal(places_name(p, 0x7f1000), FIRST + 1);
	assert_true(places_stray(p));
	assert_int_equal(places_fresh(p, &text), FIRST + 1);
	assert_string_equal(text, "7:0x7f1000");
	assert_false(places_ask(p, &q));
	places_looked(p);
	assert_false(places_stray(p));
	assert_false(places_ask(p, &q));
	/* the next one there makes somebody look again, and that finds both */
	assert_int_equal(places_name(p, 0x7f2000), FIRST + 2);
	assert_true(places_stray(p));
	assert_int_equal(places_module(p, &late), 1);
	places_looked(p);
	assert_int_equal(places_fresh(p, &text), FIRST + 2);
	assert_true(places_ask(p, &q));
	assert_int_equal(q.address, 0x11000);
	assert_true(places_ask(p, &q));
	assert_int_equal(q.address, 0x12000);
	assert_false(places_ask(p, &q));
	places_free(p);
}

static void
what_is_too_many_has_no_name_and_is_counted(void **state)
{
	struct places *p = with_module(0x400000);

	(void)state;
	for (uint64_t i = 0; i < PLACES_MAX; i++)
		assert_int_equal(places_name(p, 0x10000 + i), FIRST + 1 + i);
	assert_int_equal(places_name(p, 5), 0);
	assert_int_equal(places_name(p, 6), 0);
	assert_int_equal(places_beyond(p), 2);
	assert_int_equal(places_name(p, 0x10000 + 99), FIRST + 100);
	places_free(p);
}

static void
where_functions_are_called_leaves_names_to_them(void **state)
{
	struct places *p = with_module(0x400000);
	const char *text;

	(void)state;
	places_site(p, 0x401138);
	places_site(p, 0x401138);
	assert_int_equal(places_fresh(p, &text), FIRST + 1);
	assert_non_null(strstr(text, "+0x1138"));
	assert_int_equal(places_fresh(p, &text), 0);
	assert_int_equal(places_address(p, FIRST + 1), 0);
	assert_int_equal(places_name(p, 0x401200), FIRST + 2);
	assert_int_equal(places_address(p, FIRST + 2), 0x401200);
	for (uint64_t i = 0; i < PLACES_MAX; i++)
		places_site(p, 0x10000 + i);
	assert_int_equal(places_name(p, 0x401300), FIRST + PLACES_MAX / 2 + 1);
	assert_int_equal(places_beyond(p), 0);
	places_free(p);
}

static void
no_address_has_no_name(void **state)
{
	struct places *p = places_new(7, FIRST);

	(void)state;
	assert_int_equal(places_name(p, 0), 0);
	places_free(p);
	places_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_has_one_name_wherever_it_is_mapped),
		cmocka_unit_test(what_is_in_no_file_is_not_looked_for),
		cmocka_unit_test(each_place_is_asked_for_once),
		cmocka_unit_test(code_that_comes_later_is_found_later),
		cmocka_unit_test(what_is_too_many_has_no_name_and_is_counted),
		cmocka_unit_test(
		    where_functions_are_called_leaves_names_to_them),
		cmocka_unit_test(no_address_has_no_name),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
