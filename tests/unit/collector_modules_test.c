/* What code is mapped into a process: its files, and the kernel's piece. */
#include <sys/auxv.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/shell/system/modules.h"
#include "tests/check.h"

static struct seen {
	uint64_t address;
	unsigned n;
	uint64_t base;
	char path[256];
} seen;

static void
see_cb(void *arg, const struct msg_module *m)
{
	struct seen *s = arg;

	if (s->address < m->start || s->address >= m->end)
		return;
	s->n++;
	s->base = m->base;
	snprintf(s->path, sizeof(s->path), "%.*s", (int)m->path.n,
	    (const char *)m->path.p);
}

static void
look_for(const void *address)
{
	seen = (struct seen){ .address = (uintptr_t)address };
	assert_true(modules_each((uint32_t)getpid(), see_cb, &seen) > 1);
	assert_int_equal(seen.n, 1);
}

static void
our_own_file_is_there(void **state)
{
	Dl_info info;

	(void)state;
	assert_int_not_equal(dladdr((void *)(uintptr_t)&look_for, &info), 0);
	look_for((void *)(uintptr_t)&look_for);
	assert_int_equal(seen.path[0], '/');
	assert_non_null(strstr(seen.path, "collector_modules_test"));
	assert_int_equal(seen.base, (uintptr_t)info.dli_fbase);
}

static void
the_kernels_piece_is_there(void **state)
{
	uintptr_t at = (uintptr_t)getauxval(AT_SYSINFO_EHDR);

	(void)state;
	if (at == 0)
		skip(); /* this machine has none */
	look_for((void *)(at + 64));
	assert_string_equal(seen.path, MODULES_VDSO);
	assert_int_equal(seen.base, at);
}

static void
nobody_is_there(void **state)
{
	(void)state;
	assert_int_equal(modules_each(UINT32_MAX, see_cb, &seen), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_file_is_there),
		cmocka_unit_test(the_kernels_piece_is_there),
		cmocka_unit_test(nobody_is_there),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
