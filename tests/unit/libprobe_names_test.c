/* Names: found again, by all threads, however many; told once, also by
 * children. */
#include "tests/unit/libprobe_streams.h"

#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 30000

/* Of any length, so that entries meet the ends of pieces at every offset. */
static const char *
text_of(uint32_t i)
{
	static __thread char text[5000];
	int n = snprintf(text, sizeof(text), "name %u", i);
	size_t more = i % 997 == 0 ? 4000 : i % 61;

	memset(text + n, 'x', more);
	text[(size_t)n + more] = '\0';
	return (text);
}

static void *
intern_all(void *numbers)
{
	uint32_t *to = numbers;

	for (uint32_t i = 0; i < MANY; i++)
		to[i] = probe_name(text_of(i));
	return (NULL);
}

static void
all_threads_have_the_same_numbers(void **state)
{
	static uint32_t numbers[4][MANY];
	static bool seen[2 * MANY];
	pthread_t t[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, intern_all, numbers[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_in_range(numbers[0][i], 1, 2 * MANY - 1);
		assert_false(seen[numbers[0][i]]);
		seen[numbers[0][i]] = true;
		for (int k = 1; k < 4; k++)
			assert_int_equal(numbers[k][i], numbers[0][i]);
		assert_int_equal(probe_name(text_of(i)), numbers[0][i]);
	}
	assert_int_equal(probe_name(""), 0);
	assert_int_equal(probe_name(NULL), 0);
}

/* What has been interned before there was a collector is told in order. */
static void
a_collector_is_told_all(void **state)
{
	struct hub_options o = { .names_bytes = 8u << 20 };
	struct hub *h = hub_open("n1", &o);
	uint32_t late;
	struct hub_po *p;

	(void)state;
	probe_note(1, 1);
	p = hub_wait_po(h, 0);
	assert_non_null(p);
	for (uint32_t i = 0; i < MANY; i += 331)
		assert_string_equal(hub_name(p, probe_name(text_of(i))),
		    text_of(i));
	late = probe_name("late");
	assert_string_equal(hub_name(p, late), "late");
	hub_close(h, true);
}

/* There are more than a small segment has room for. */
static void
names_without_room_are_counted(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	uint32_t before;

	(void)state;
	probe_note(1, 1);
	p = hub_wait_po(h, 0);
	assert_non_null(p);
	before = atomic_load(&p->segment->names_missed);
	assert_int_not_equal(probe_name(text_of(1)), 0);
	assert_int_equal(atomic_load(&p->segment->names_missed), before);
	assert_int_equal(probe_name("no room for this"), 0);
	assert_int_equal(atomic_load(&p->segment->names_missed), before + 1);
	hub_close(h, true);
}

/* This process has told all to PO 1; its child and grandchild tell no more. */
static void
a_child_tells_what_is_new(void **state)
{
	struct hub_options o = { .names_bytes = 8u << 20, .inherit = true };
	struct hub *h = hub_open("n1", &o);
	uint32_t all, own;
	struct hub_po *p;
	int status;
	pid_t pid;

	(void)state;
	probe_note(1, 1);
	all = probe_name("the last of the parent's");
	assert_non_null(hub_wait_po(h, 0));
	hub_drain(h, true);
	pid = fork();
	if (pid == 0) {
		own = probe_name("the child's");
		probe_note(own, 1);
		pid = fork();
		if (pid == 0) {
			probe_note(probe_name("the grandchild's"), 1);
			_exit(probe_name("the child's") == own ? 0 : 1);
		}
		waitpid(pid, &status, 0);
		_exit(status == 0 && own == all + 1 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	p = hub_wait_po(h, 1);
	assert_non_null(p);
	assert_int_equal(p->segment->names_before, all);
	assert_string_equal(hub_name(p, all + 1), "the child's");
	assert_null(hub_name(p, all + 2));
	p = hub_wait_po(h, 2);
	assert_non_null(p);
	assert_int_equal(p->segment->names_before, all + 1);
	assert_string_equal(hub_name(p, all + 2), "the grandchild's");
	hub_close(h, true);
}

/* Another collector, or one that has forgotten: all of it again. */
static void
who_knows_nothing_is_told_all(void **state)
{
	struct hub_options o = { .names_bytes = 8u << 20, .inherit = true };
	struct hub *h = hub_open("n1", &o);
	struct hub_po *p;

	(void)state;
	probe_note(1, 1);
	p = hub_wait_po(h, 0);
	assert_int_equal(p->segment->names_before, 0);
	assert_string_equal(hub_name(p, probe_name(text_of(7))), text_of(7));
	hub_close(h, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_have_the_same_numbers),
		cmocka_unit_test(a_collector_is_told_all),
		cmocka_unit_test(names_without_room_are_counted),
		cmocka_unit_test(a_child_tells_what_is_new),
		cmocka_unit_test(who_knows_nothing_is_told_all),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
