/* What is at an address of a file: of this very program, whole and spoilt. */
#include "tests/check.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symbols.h"

#define SELF "/proc/self/exe"

static const void *inside;
static uint32_t inside_line, called_line, begin_line;

/* what stands in one line has its number */
/* clang-format off */
static inline __attribute__((always_inline)) void
compiled_into_others(int *n)
{
	__asm__ __volatile__("lea 0(%%rip), %0" : "=r"(inside)); inside_line = __LINE__;
	++*n;
}

__attribute__((noinline)) int
has_another_in_it(int n);
__attribute__((noinline)) int
has_another_in_it(int n) { begin_line = __LINE__;
	n *= 3;
	compiled_into_others(&n); called_line = __LINE__;
	return (n);
}
/* clang-format on */

static int
base_cb(struct dl_phdr_info *o, size_t n, void *to)
{
	(void)n;
	*(uintptr_t *)to = o->dlpi_addr;
	return (1); /* the program itself comes first */
}

static uint64_t
in_file(const void *address)
{
	uintptr_t base = 0;

	dl_iterate_phdr(base_cb, &base);
	return ((uintptr_t)address - base);
}

/* C has no way from a function to its address, but all machines do. */
static const void *
code_of(int (*f)(int))
{
	const void *p;

	memcpy(&p, &f, sizeof(p));
	return (p);
}

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return (n >= k && strcmp(s + n - k, end) == 0);
}

static void
a_function_is_where_its_name_is(void **state)
{
	struct symbols *s = symbols_new();
	struct symbols_level l[SYMBOLS_LEVELS];
	const char *why;

	(void)state;
	(void)has_another_in_it(1);
	assert_int_equal(symbols_find(s, SELF, "",
			     in_file(code_of(has_another_in_it)), l, &why),
	    1);
	assert_string_equal(l[0].function, "has_another_in_it");
	assert_true(ends_in(l[0].file, "symbols_symbols_test.c"));
	assert_int_equal(l[0].line, begin_line);
	assert_int_equal(l[0].first, begin_line);
	symbols_free(s);
}

static void
what_was_compiled_into_another_is_two_levels(void **state)
{
	struct symbols *s = symbols_new();
	struct symbols_level l[SYMBOLS_LEVELS];
	const char *why;

	(void)state;
	(void)has_another_in_it(1);
	assert_int_equal(symbols_find(s, SELF, "", in_file(inside) - 1, l,
			     &why),
	    2);
	assert_string_equal(l[0].function, "compiled_into_others");
	assert_int_equal(l[0].line, inside_line);
	assert_string_equal(l[1].function, "has_another_in_it");
	assert_int_equal(l[1].line, called_line);
	/* what is known by now says the same */
	memset(l, 0, sizeof(l));
	assert_int_equal(symbols_find(s, SELF, "", in_file(inside) - 1, l,
			     &why),
	    2);
	assert_string_equal(l[1].function, "has_another_in_it");
	symbols_free(s);
}

static void
nothing_is_known_of_what_is_not_there(void **state)
{
	static const struct {
		const char *path, *id;
		uint64_t address;
	} cases[] = {
		{ "/nowhere/at/all", "", 0x1000 },
		{ "/dev/zero", "", 0x1000 },
		{ "/", "", 0x1000 },
		{ "/etc/passwd", "", 0x1000 },
		{ SELF, "00112233", 0x1000 },
		{ SELF, "", 0 },
		{ SELF, "", UINT64_MAX },
	};
	struct symbols *s = symbols_new();
	struct symbols_level l[SYMBOLS_LEVELS];
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(symbols_find(s, cases[i].path, cases[i].id,
				     cases[i].address, l, &why),
		    0);
		assert_non_null(why);
	}
	symbols_free(s);
}

static char *
read_self(size_t *n)
{
	int fd = open(SELF, O_RDONLY);
	char *all;
	ssize_t got;

	*n = (size_t)lseek(fd, 0, SEEK_END);
	all = malloc(*n);
	got = pread(fd, all, *n, 0);
	assert_int_equal(got, *n);
	close(fd);
	return (all);
}

static void
look_at(const char *all, size_t n)
{
	char path[] = "/tmp/orrery-symbols.XXXXXX";
	struct symbols *s = symbols_new();
	struct symbols_level l[SYMBOLS_LEVELS];
	int fd = mkstemp(path);
	const char *why;

	assert_int_equal(write(fd, all, n), n);
	(void)symbols_find(s, path, "", in_file(code_of(has_another_in_it)), l,
	    &why);
	(void)symbols_find(s, path, "", in_file(inside), l, &why);
	symbols_free(s);
	close(fd);
	unlink(path);
}

static void
a_file_that_is_cut_does_no_harm(void **state)
{
	size_t n;
	char *all = read_self(&n);

	(void)state;
	for (size_t part = 0; part < 40; part++)
		look_at(all, n * part / 40);
	for (size_t bytes = 0; bytes < 1024; bytes += 61)
		look_at(all, bytes);
	free(all);
}

static void
many_files_are_asked_in_turn(void **state)
{
	struct symbols *s = symbols_new();
	struct symbols_level l[SYMBOLS_LEVELS];
	char path[256];
	const char *why;

	(void)state;
	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < 80; i++) {
			snprintf(path, sizeof(path), "/proc/self/%.*sexe",
			    2 * i,
			    "././././././././././././././././././././."
			    "/././././././././././././././././././././"
			    "././././././././././././././././././././."
			    "/./././././././././././././././././././.");
			(void)symbols_find(s, path, "",
			    in_file(code_of(has_another_in_it)), l, &why);
		}
	symbols_free(s);
	symbols_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_where_its_name_is),
		cmocka_unit_test(what_was_compiled_into_another_is_two_levels),
		cmocka_unit_test(nothing_is_known_of_what_is_not_there),
		cmocka_unit_test(a_file_that_is_cut_does_no_harm),
		cmocka_unit_test(many_files_are_asked_in_turn),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
