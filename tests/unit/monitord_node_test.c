/* A collector's words, from its hello to the receipt in the log. */
#include "tests/unit/monitord_fake.h"

#include <sysexits.h>

static void
events_reach_the_log_once_and_in_order(void **state)
{
	struct world w;
	struct fake a, b;
	struct found f;
	struct msg_receipt r;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	fake_open(&a, &w, "n1");
	fake_open(&b, &w, "n2");
	b.offset_ns = 5 * ENV_SEC;
	WAIT_FOR(&w, a.welcomed && b.welcomed);
	fake_define(&a);
	fake_define(&b);
	for (int i = 0; i < 5; i++) {
		fake_publish(&a, 100);
		fake_publish(&b, 70);
	}
	WAIT_FOR(&w, a.acked == 5 && b.acked == 5);
	assert_int_equal(world_finish(&w), 0);
	read_log(&w, &f);
	assert_int_equal(f.notes, 850);
	assert_false(f.wrong);
	assert_int_equal(f.falls, 0);
	assert_true(read_receipt(&w, &r));
	assert_int_equal(r.published, 850);
	assert_int_equal(r.stored, 850);
	assert_int_equal(r.lost, 0);
	assert_int_equal(r.unknown, 0);
	fake_free(&a);
	fake_free(&b);
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_reach_the_log_once_and_in_order),
	};

	log_init("monitord", getenv("V") != NULL);
	return (
	    cmocka_run_group_tests_name("monitord node", tests, NULL, NULL));
}
