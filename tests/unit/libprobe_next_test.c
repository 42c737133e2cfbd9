/*
 * The next definition of a name: next_find() says what dlsym(RTLD_NEXT) says,
 * of all that libprobe-auto.so asks for, and of what is not plain.
 */
#include "tests/check.h"

#include <dlfcn.h>

#include "libprobe/auto/wrap/next.h"

static void
check_name(const struct next *next, const char *name)
{
	void *is = next_find(next, name), *want = dlsym(RTLD_NEXT, name);

	if (is != want)
		fail_msg("%s is at %p, not at %p", name, want, is);
}

static void
finds_what_the_loader_finds(void **state)
{
	static const char *const names[] = {
#define REAL(type, name, arguments) #name,
#include "libprobe/auto/wrap/real.def"
#undef REAL
#define HEAP(type, name, arguments) #name,
#include "libprobe/auto/heap/heap.def"
#undef HEAP
		/* chosen by a function; of two versions; data; a variable of
		 * each thread; in no library; of no letters */
		"memcpy", "strlen", "gettimeofday", "time", "pthread_cond_wait",
		"realpath", "nftw", "regexec", "sem_init", "environ", "stdout",
		"__libc_single_threaded", "no_such_function", ""
	};
	struct next next;

	(void)state;
	next_open(&next);
	assert_int_equal(next.n == 0, next_is_sanitized());
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_name(&next, names[i]);
}

static void
asks_the_loader_without_libraries(void **state)
{
	static const struct next none;

	(void)state;
	check_name(&none, "read");
	check_name(&none, "no_such_function");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_the_loader_finds),
		cmocka_unit_test(asks_the_loader_without_libraries),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
