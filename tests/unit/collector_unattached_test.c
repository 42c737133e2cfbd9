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

	assert_int_equal(unattached_add(u, 5, 100, 0, "no room"),
	    UNATTACHED_NEW);
	for (int i = 0; i < 10; i++)
		assert_int_equal(unattached_add(u, 5, 100, 0, "no room"),
		    UNATTACHED_OLD);
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

	unattached_add(u, 5, 100, 0, "no room");
	assert_false(unattached_remove(u, 5, 200));
	assert_int_equal(unattached_add(u, 5, 200, 0, "no room"),
	    UNATTACHED_NEW);
	assert_int_equal(u->processes, 2);
	assert_string_equal(u->why, "no room (process 5)");
}

/* It has hung up, and then says its last word. */
static void
one_that_is_gone_stays_counted_once(void **state)
{
	struct unattached *u = *state;

	unattached_add(u, 5, 100, 3, "it was answered too late");
	assert_int_equal(unattached_add(u, 5, 0, 7, "its last word"),
	    UNATTACHED_MORE);
	unattached_add(u, 6, 0, 0, "it was answered too late");
	assert_int_equal(unattached_add(u, 6, 0, 0, "its last word"),
	    UNATTACHED_OLD);
	assert_false(unattached_remove(u, 5, 0));
	assert_int_equal(u->processes, 2);
	assert_int_equal(u->unrecorded, 7);
}

/* Each time it asks it says how many events it has made so far. */
static void
what_it_has_said_is_known_when_it_is_killed(void **state)
{
	struct unattached *u = *state;

	for (uint64_t events = 0; events <= 50; events += 10) {
		unattached_add(u, 5, 100, events, "no room");
		unattached_add(u, 6, 100, 2 * events, "no room");
		assert_int_equal(u->unrecorded, 3 * events);
	}
	/* this one has attached: what it has missed is in the log now */
	assert_true(unattached_remove(u, 6, 100));
	assert_int_equal(u->unrecorded, 50);
	assert_int_equal(u->processes, 1);
}

/* However many: the count goes on, the table has an end. */
static void
of_very_many_the_latest_are_known(void **state)
{
	struct unattached *u = *state;
	uint32_t n = 10 * UNATTACHED_KNOWN;

	for (uint32_t i = 1; i <= n; i++)
		assert_int_equal(unattached_add(u, i, 1, 1, "no room"),
		    UNATTACHED_NEW);
	assert_int_equal(u->processes, n);
	assert_int_equal(u->unrecorded, n);
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
		TEST(what_it_has_said_is_known_when_it_is_killed),
		TEST(of_very_many_the_latest_are_known),
		TEST(a_process_is_known_by_when_it_was_born),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
