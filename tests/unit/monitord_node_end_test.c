/* The end of a run: farewells, and a receipt that says what is missing. */
#include <sysexits.h>

#include "tests/unit/monitord_asker.h"
#include "tests/unit/monitord_found.h"

static void
a_finished_log_is_not_written_again(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	assert_int_equal(world_finish(&w), 0);
	assert_int_equal(world_start(&w), EX_CANTCREAT);
	close_one(&w, &f);
}

static void
who_leaves_is_let_go_when_all_is_on_disk(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.at_stop = 5;
	core_finish(w.core);
	WAIT_FOR(&w, f.let_go);
	assert_int_equal(f.acked, f.number);
	assert_int_equal(f.number, 2);
	close_exact(&w, &f);
}

static void
a_farewell_that_was_cut_is_asked_for_again(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.cut_at_stop = true;
	core_finish(w.core);
	for (int i = 0; i < 3; i++) {
		WAIT_FOR(&w, f.lost);
		assert_int_equal(w.ended, -1);
		f.cut_at_stop = i < 2;
		f.at_stop = 5;
		fake_again(&f);
	}
	WAIT_FOR(&w, f.let_go);
	assert_int_equal(f.published, 15);
	close_exact(&w, &f);
}

/* It has told everything once, but was then asked for what was still made. */
static void
who_has_made_more_and_is_gone_is_not_good(void **state)
{
	struct world w;
	struct fake f;
	struct msg_receipt r;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.cut_at_stop = true;
	finish_with(&w, EX_SOFTWARE, &r);
	assert_int_equal(r.stored, 10);
	assert_int_equal(r.unknown, 1);
	close_one(&w, &f);
}

static void
losses_are_in_the_receipt(void **state)
{
	struct world w;
	struct fake f;
	struct msg_receipt r;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.published += 5;
	f.lost_events = 5;
	finish_with(&w, 0, &r);
	assert_int_equal(r.published, 15);
	assert_int_equal(r.stored, 10);
	assert_int_equal(r.lost, 5);
	close_one(&w, &f);
}

static void
a_receipt_that_does_not_add_up_is_an_error(void **state)
{
	struct world w;
	struct fake f;
	struct asker a;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.published += 1; /* one that never came */
	asker_open(&a, &w, "shutdown");
	WAIT_FOR(&w, a.code != -1);
	assert_int_equal(a.code, EX_SOFTWARE);
	assert_non_null(strstr(a.text, "not good"));
	assert_non_null(strstr(a.text, "n1/1.1: published 11, stored 10"));
	peer_close(a.peer, false);
	close_one(&w, &f);
}

static void
a_thread_without_an_account_is_unknown(void **state)
{
	struct world w;
	struct fake f;
	struct msg_receipt r;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	f.no_account = true;
	finish_with(&w, EX_SOFTWARE, &r);
	assert_int_equal(r.unknown, 1);
	assert_int_equal(r.stored, 10);
	close_one(&w, &f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finished_log_is_not_written_again),
		cmocka_unit_test(who_leaves_is_let_go_when_all_is_on_disk),
		cmocka_unit_test(a_farewell_that_was_cut_is_asked_for_again),
		cmocka_unit_test(who_has_made_more_and_is_gone_is_not_good),
		cmocka_unit_test(losses_are_in_the_receipt),
		cmocka_unit_test(a_receipt_that_does_not_add_up_is_an_error),
		cmocka_unit_test(a_thread_without_an_account_is_unknown),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord node end", tests, NULL,
	    NULL));
}
