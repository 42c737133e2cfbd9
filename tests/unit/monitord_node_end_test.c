/* The end of a run: farewells, and a receipt that says what is missing. */
#include <sysexits.h>

#include "tests/unit/monitord_asker.h"
#include "tests/unit/monitord_found.h"

/* A collector that has published ten events. */
struct end {
	struct world w;
	struct fake f;
	struct msg_receipt r;
};

static int
set_up(void **state)
{
	struct end *e = calloc(1, sizeof(*e));

	assert_non_null(e);
	open_one(&e->w, &e->f);
	fake_publish(&e->f, 10);
	*state = e;
	return (0);
}

static int
tear_down(void **state)
{
	struct end *e = *state;

	close_one(&e->w, &e->f);
	free(e);
	return (0);
}

static void
a_finished_log_is_not_written_again(void **state)
{
	struct end *e = *state;

	assert_int_equal(world_finish(&e->w), 0);
	assert_int_equal(world_start(&e->w), EX_CANTCREAT);
}

static void
who_leaves_is_let_go_when_all_is_on_disk(void **state)
{
	struct end *e = *state;

	e->f.at_stop = 5;
	core_finish(e->w.core);
	WAIT_FOR(&e->w, e->f.let_go);
	assert_int_equal(e->f.acked, e->f.number);
	assert_int_equal(e->f.number, 2);
	check_exact(&e->w, &e->f);
}

static void
a_farewell_that_was_cut_is_asked_for_again(void **state)
{
	struct end *e = *state;

	e->f.cut_at_stop = true;
	core_finish(e->w.core);
	for (int i = 0; i < 3; i++) {
		WAIT_FOR(&e->w, e->f.lost);
		assert_int_equal(e->w.ended, -1);
		e->f.cut_at_stop = i < 2;
		e->f.at_stop = 5;
		fake_again(&e->f);
	}
	WAIT_FOR(&e->w, e->f.let_go);
	assert_int_equal(e->f.published, 15);
	check_exact(&e->w, &e->f);
}

/* Asked for the end it sends what it has from the first on, and says so. */
static void
repeat_up_to(struct fake *f, uint64_t last)
{
	WAIT_FOR(f->w, f->finish_asked);
	fake_spooled(f, 1);
	for (uint64_t i = 0; i < last; i++)
		fake_batch(f, 1 + i, 10 * i, 10);
	fake_account(f);
}

/* No batch follows that would show the hole. */
static void
a_last_batch_that_the_way_has_swallowed_is_asked_for_again(void **state)
{
	struct end *e = *state;

	e->f.published = e->f.next_seq = 20;
	e->f.number = 2;
	e->f.stuck = true; /* answers by itself no more */
	core_finish(e->w.core);
	for (int i = 0; i < 3; i++) {
		repeat_up_to(&e->f, 1);
		WAIT_FOR(&e->w, e->f.lost);
		assert_int_equal(e->w.ended, -1);
		fake_again(&e->f);
	}
	repeat_up_to(&e->f, 2);
	e->f.stuck = false;
	WAIT_FOR(&e->w, e->f.let_go);
	check_exact(&e->w, &e->f);
}

/* It has told everything once, but was then asked for what was still made. */
static void
who_has_made_more_and_is_gone_is_not_good(void **state)
{
	struct end *e = *state;

	e->f.cut_at_stop = true;
	finish_with(&e->w, EX_SOFTWARE, &e->r);
	assert_int_equal(e->r.stored, 10);
	assert_int_equal(e->r.unknown, 1);
}

static void
losses_are_in_the_receipt(void **state)
{
	struct end *e = *state;

	e->f.published += 5;
	e->f.lost_events = 5;
	finish_with(&e->w, 0, &e->r);
	assert_int_equal(e->r.published, 15);
	assert_int_equal(e->r.stored, 10);
	assert_int_equal(e->r.lost, 5);
}

static void
a_receipt_that_does_not_add_up_is_an_error(void **state)
{
	struct end *e = *state;
	struct asker a;

	e->f.published += 1; /* one that never came */
	asker_open(&a, &e->w, "shutdown");
	WAIT_FOR(&e->w, a.code != -1);
	assert_int_equal(a.code, EX_SOFTWARE);
	assert_non_null(strstr(a.text, "not good"));
	assert_non_null(strstr(a.text, "n1/1.1: published 11, stored 10"));
	peer_close(a.peer, false);
}

static void
a_thread_without_an_account_is_unknown(void **state)
{
	struct end *e = *state;

	e->f.no_account = true;
	finish_with(&e->w, EX_SOFTWARE, &e->r);
	assert_int_equal(e->r.unknown, 1);
	assert_int_equal(e->r.stored, 10);
}

static void
fake_unattached(struct fake *f, uint64_t processes, uint64_t unrecorded)
{
	struct msg_unattached m = { .processes = processes,
		.why = BYTES_STR("it was answered too late"),
		.unrecorded = unrecorded };

	peer_send(f->data, MSG_unattached, &m);
}

/* No count of what was published would ever miss them. */
static void
processes_that_could_not_attach_are_in_the_receipt(void **state)
{
	struct end *e = *state;
	struct asker a;

	fake_unattached(&e->f, 3, 0);
	fake_unattached(&e->f, 2, 40); /* one has come after all */
	fake_publish(&e->f, 1);
	WAIT_FOR(&e->w, e->f.acked == 2);
	asker_open(&a, &e->w, "status");
	WAIT_FOR(&e->w, a.code != -1);
	assert_non_null(strstr(a.text, "unattached: 2\n"));
	assert_non_null(strstr(a.text, "it was answered too late"));
	peer_close(a.peer, false);

	e->f.hello.epoch++; /* another collector, which counts from 0 */
	fake_again(&e->f);
	fake_unattached(&e->f, 1, 2);
	fake_publish(&e->f, 1);
	asker_open(&a, &e->w, "shutdown");
	WAIT_FOR(&e->w, a.code != -1);
	assert_int_equal(a.code, 0);
	assert_non_null(strstr(a.text, "unattached 3\n"));
	assert_non_null(strstr(a.text, "good: published = stored + lost\n"
				       "but without processes that could not"));
	WAIT_FOR(&e->w, e->w.ended != -1);
	assert_true(read_receipt(&e->w, &e->r));
	assert_int_equal(e->r.unattached, 3);
	assert_int_equal(e->r.unrecorded, 42);
	peer_close(a.peer, false);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_finished_log_is_not_written_again),
		TEST(who_leaves_is_let_go_when_all_is_on_disk),
		TEST(a_farewell_that_was_cut_is_asked_for_again),
		TEST(
		    a_last_batch_that_the_way_has_swallowed_is_asked_for_again),
		TEST(who_has_made_more_and_is_gone_is_not_good),
		TEST(losses_are_in_the_receipt),
		TEST(a_receipt_that_does_not_add_up_is_an_error),
		TEST(a_thread_without_an_account_is_unknown),
		TEST(processes_that_could_not_attach_are_in_the_receipt),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (cmocka_run_group_tests_name("monitord node end", tests, NULL,
	    NULL));
}
