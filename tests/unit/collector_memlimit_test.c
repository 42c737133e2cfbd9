/* The limit of a process's memory, from control groups of both versions. */
#include "tests/check.h"

#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/shell/system/memlimit.h"
#include "tests/unit/collector_fixture.h"

/* As below /sys/fs/cgroup; "": the file is not there. */
static const struct {
	const char *path, *text;
} files[] = {
	{ "memory", NULL },
	{ "memory/a", NULL },
	{ "memory/a/b", NULL },
	{ "memory/wide", NULL },
	{ "unified", NULL },
	{ "unified/a", NULL },
	{ "a", NULL },
	{ "a/b", NULL },
	{ "memory/memory.limit_in_bytes", "9223372036854771712\n" },
	{ "memory/a/memory.limit_in_bytes", "1000000\n" },
	{ "memory/a/b/memory.limit_in_bytes", "5000000\n" },
	{ "memory/wide/memory.limit_in_bytes", "7000000\n" },
	{ "unified/a/memory.max", "600000\n" },
	{ "a/memory.max", "max\n" },
	{ "a/b/memory.max", "800000\n" },
};
#define NFILES (sizeof(files) / sizeof(files[0]))

static const struct {
	const char *text, *group;
	uint64_t limit;
} cases[] = {
	/* the least on the way up */
	{ "5:memory:/a/b\n", "/a/", 1000000 },
	{ "5:cpu,memory:/wide\n3:cpu:/a\n", "/wide/", 7000000 },
	{ "5:memory:/\n", "/", UINT64_C(9223372036854771712) },
	{ "0::/a/b\n", "/a/", 600000 },
	{ "5:memory:/wide\n0::/a/b\n", "/a/", 600000 },
	/* a group that is not shown here: what is above it */
	{ "5:memory:/a/of-a-container/c\n", "/a/", 1000000 },
	{ "0::/../../elsewhere\n", "", UINT64_MAX },
	{ "", "", UINT64_MAX },
	{ "nonsense\n::\n:\n5:memory\n0::\n", "", UINT64_MAX },
	{ "5:memoryless:/a/b\n", "", UINT64_MAX },
};

static void
the_least_limit_on_the_way_up_holds(void **state)
{
	char dir[64], path[128], group[MEMLIMIT_GROUP];
	FILE *f;

	(void)state;
	dir_make(dir, sizeof(dir));
	for (size_t i = 0; i < NFILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i].path);
		if (files[i].text == NULL) {
			assert_int_equal(mkdir(path, 0700), 0);
			continue;
		}
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(files[i].text, f);
		fclose(f);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(group, '?', sizeof(group));
		if (memlimit_under(dir, cases[i].text, group) !=
			cases[i].limit ||
		    strcmp(group, cases[i].group) != 0)
			fail_msg("of %s: %ju of group %s", cases[i].text,
			    (uintmax_t)memlimit_under(dir, cases[i].text,
				group),
			    group);
	}
	dir_remove(dir);
}

static void
a_process_has_the_machine_s_memory_at_most(void **state)
{
	char group[MEMLIMIT_GROUP];
	uint64_t machine =
	    (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	(void)state;
	assert_in_range(memlimit_of((uint32_t)getpid(), group), 1 << 20,
	    machine);
	/* one that there is not */
	assert_true(memlimit_of(UINT32_MAX, group) == machine);
	assert_string_equal(group, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_limit_on_the_way_up_holds),
		cmocka_unit_test(a_process_has_the_machine_s_memory_at_most),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
