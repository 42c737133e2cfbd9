/* Who could not attach is counted once, and not when it has after all. */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/unattached.h"

static int
set_up(void **state)
{
	*state = calloc(1, sizeof(struct unattached));
	return (*state == NULL ? -1 : 0);
}

static int
tear_down(void **state)
{
	free(*state);
	return (0);
}

static void
a_process_that_tries_again_is_counted_once(void **state)
{
	struct unattached *u = *state;

	assert_true(unattached_add(u, 5, 100, "no room"));
	for (int i = 0; i < 10; i++)
		assert_false(unattached_add(u, 5, 100, "no room"));
	assert_int_equal(u->processes, 1);
	assert_true(unattached_remove(u, 5, 100));
	assert_false(unattached_remove(u, 5, 100));
	assert_int_equal(u->processes, 0);
}

/* Its number is given to another in time. */
static void
another_process_of_that_number_is_another(void **state)
{
	struct unattached *u = *state;

	unattached_add(u, 5, 100, "no room");
	assert_false(unattached_remove(u, 5, 200));
	assert_true(unattached_add(u, 5, 200, "no room"));
	assert_int_equal(u->processes, 2);
	assert_string_equal(u->why, "no room (process 5)");
}

/* It has hung up, and then says its last word. */
static void
one_that_is_gone_stays_counted_once(void **state)
{
	struct unattached *u = *state;

	assert_true(unattached_add(u, 5, 100, "it was answered too late"));
	assert_false(unattached_add(u, 5, 0, "7 events are not recorded"));
	assert_true(unattached_add(u, 6, 0, "it was answered too late"));
	assert_false(unattached_add(u, 6, 0, "7 events are not recorded"));
	assert_false(unattached_remove(u, 5, 0));
	assert_int_equal(u->processes, 2);
}

/* However many: the count goes on, the table has an end. */
static void
of_very_many_the_latest_are_known(void **state)
{
	struct unattached *u = *state;
	uint32_t n = 10 * UNATTACHED_KNOWN;

	for (uint32_t i = 1; i <= n; i++)
		assert_true(unattached_add(u, i, 1, "no room"));
	assert_int_equal(u->processes, n);
	assert_true(unattached_remove(u, n - UNATTACHED_KNOWN + 1, 1));
	assert_false(unattached_remove(u, n - UNATTACHED_KNOWN, 1));
}

static void
a_process_is_known_by_when_it_was_born(void **state)
{
	uint64_t born = process_born((uint32_t)getpid());
	pid_t pid;

	(void)state;
	assert_true(born > 0);
	assert_int_equal(process_born((uint32_t)getpid()), born);
	pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(process_born((uint32_t)pid), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_process_that_tries_again_is_counted_once),
		TEST(another_process_of_that_number_is_another),
		TEST(one_that_is_gone_stays_counted_once),
		TEST(of_very_many_the_latest_are_known),
		TEST(a_process_is_known_by_when_it_was_born),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
