/*
 * What "find" understands, what it finds, and where next and previous go.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/commands/command.h"
#include "ui/out/out.h"
#include "ui/views/found/found.h"

#define US 1000

/*
 * In us: worker-1 runs query from 100 to 400, waiting for the lock "till" from
 * 150 to 350, which the owner holds in evict; then from 500 to 510.  The owner
 * runs evict from 50 to 360 and query from 600 to 650.
 */
static struct model *model; /* of the test that is run */

/* *state: the window. */
static int
set_up(void **state)
{
	static struct feed_status feed;
	struct make_log l = { 0 };
	uint32_t worker, owner, query, evict, till;
	struct ui *ui = ui_new(&palette_dark);

	make_log_head(&l, "found");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	worker = make_log_thread(&l, 1, 1, 1, "worker-1");
	owner = make_log_thread(&l, 1, 1, 2, "owner");
	query = make_log_name(&l, "query");
	evict = make_log_name(&l, "evict");
	make_log_name(&l, "query all");
	till = make_log_name(&l, "till");
#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&l, who, EV_##kind, (us)*US, a, b, c)
	E(owner, enter, 50, 0, 0, evict);
	E(owner, lock_acquire, 60, 7, 0, till);
	E(worker, enter, 100, 0, 0, query);
	E(worker, lock_wait, 150, 7, 0, till);
	E(owner, lock_release, 349, 7, 1, till);
	E(worker, lock_acquire, 350, 7, 1, till);
	E(worker, lock_release, 355, 7, 2, till);
	E(owner, leave, 360, 0, 0, evict);
	E(worker, leave, 400, 0, 0, query);
	E(worker, enter, 500, 0, 0, query);
	E(worker, leave, 510, 0, 0, query);
	E(owner, enter, 600, 0, 0, query);
	E(owner, leave, 650, 0, 0, query);
#undef E
	make_log_sort(&l);
	model = make_model(&l);
	feed.connected = feed.finished = true;
	assert_non_null(ui);
	ui_resize(ui, 1000, 700);
	ui_refresh(ui, model, &feed);
	*state = ui;
	return (0);
}

static int
tear_down(void **state)
{
	ui_free(*state);
	model_free(model);
	return (0);
}

static void
done(struct ui *ui, const char *command)
{
	if (command_run(ui, command) == -1)
		fail_msg("%s: %s", command, ui->told.message);
}

static void
says(struct ui *ui, const char *command, const char *line)
{
	char *text;

	done(ui, command);
	text = described(ui);
	has(text, line);
	free(text);
}

static void
longest_first_with_what_it_waited_for(void **state)
{
	struct ui *ui = *state;

	says(ui, "find query",
	    "found: 3 of query; 360000 ns; p50 50000 ns, p90 300000 ns, p99 "
	    "300000 ns\n  begun 3, over 3; from ");
	says(ui, "find query", " ns\n  1: query, row ");
	says(ui, "find query",
	    "  at once, of 3, from 50000 ns to 600000 ns in 16 parts: 1 1 1 1 "
	    "1 1 1 1 0.727273 0 0 0.290909 0 0 0.454545 1\n");
	says(ui, "find query",
	    "mostly waits for till 200 µs, held by owner in evict; on "
	    "worker-1");
	says(ui, "find query > 50us", "found: 1 of query > 50us; 300000 ns");
	says(ui, "find query >= 50us", "found: 2 of query >= 50us; 350000 ns");
	says(ui, "find query 10us..50us", "found: 2 of query");
	says(ui, "find quer on own*", "found: 1 of quer on own*; 50000 ns");
	says(ui, "find > 1us < 20us", "found: 1 of > 1us < 20us; 10000 ns");
	says(ui, "find till", "found: 1 of till; 200000 ns");
	says(ui, "find \"quer", "found: 3 of quer; 360000 ns");
	says(ui, "find que*ll", "found: 0 of que*ll");
	says(ui, "find \"query\" on shop PO 1", "found: 3 of query on shop");
	/* of the range that is selected; the run begins at 50 */
	done(ui, "select-range 50us:450us");
	says(ui, "find query", "found: 1 of query; 300000 ns");
	done(ui, "select-range 0us:500us");
	says(ui, "durations all", "found: 1 of query; 300000 ns");
}

static void
the_slowest_say_what_their_time_went_to(void **state)
{
	struct ui *ui = *state;

	says(ui, "slowest query", "slowest: 3 of query; 360000 ns;");
	says(ui, "slowest query",
	    "    parts: waits for till 200000 ns, own 100000 ns\n  2: query");
	says(ui, "slowest 1 query", "slowest: 1 of query; 300000 ns;");
	says(ui, "slowest *", "slowest: 4 of any; 670000 ns;");
	says(ui, "slowest 2 on owner", "slowest: 2 of on owner; 360000 ns;");
	says(ui, "slowest que* < 100us", "slowest: 2 of que* < 100us; 60000");
	done(ui, "select-range 400us:700us"); /* the run begins at 50 */
	says(ui, "slowest *", "slowest: 2 of any; 60000 ns;");
	done(ui, "select-range 0us:20us");
	says(ui, "slowest *", "slowest: 1 of any; 310000 ns;");
	done(ui, "clear");
	/* as the run was then */
	done(ui, "seek 150us");
	says(ui, "slowest query",
	    "slowest: 1 of query; 100000 ns; p50 100000 ns, p90 100000 ns, p99 "
	    "100000 ns\n  1: query, row ");
	says(ui, "slowest query", "parts: own 50000 ns, waits for till 50000");
}

static void
some_of_them_are_chosen_by_their_length(void **state)
{
	struct ui *ui = *state;

	done(ui, "find query");
	says(ui, "durations 10us:60us",
	    "  chosen: 2, from 10000 ns\n  1: query");
	says(ui, "durations all", "found: 3 of query; 360000 ns; p50");
}

static void
next_goes_from_the_longest_to_the_shortest(void **state)
{
	struct ui *ui = *state;

	done(ui, "find query");
	done(ui, "next");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 100 * US);
	assert_int_equal(ui->chosen.clicked.span.t1_mon_ns, 400 * US);
	assert_true(
	    ui->time.t0_mon_ns < 100 * US && ui->time.t1_mon_ns > 400 * US);
	assert_int_equal(ui->chosen.cursor_mon_ns, 250 * US);
	done(ui, "next");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 600 * US);
	done(ui, "next");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 500 * US);
	done(ui, "next");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 100 * US);
	done(ui, "previous");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 500 * US);
	done(ui, "found 2");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 600 * US);
	/* a search takes them over */
	done(ui, "search evict");
	done(ui, "next");
	assert_int_equal(ui->chosen.clicked.span.t0_mon_ns, 50 * US);
	/* what is selected is sought by its name */
	says(ui, "find", "found: 1 of evict; 310000 ns");
}

static void
nonsense_is_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *command, *why;
	} wrong[] = {
		{ "find", "find wants a name" },
		{ "find query > x", "find wants a name, a length" },
		{ "find query >", "find wants a name, a length" },
		{ "find query > 5ms < 5ms", "nothing is longer than that" },
		{ "find query > 5ms 7", "not: 7" },
		{ "slowest 0 query", "slowest wants how many, from 1 to 64" },
		{ "slowest 65", "slowest wants how many" },
		{ "slowest query > x", "find wants a name, a length" },
		{ "found", "nothing was asked for" },
		{ "found 0", "found wants a number" },
		{ "durations 1ms:2ms", "nothing was asked for" },
		{ "durations x", "durations wants two lengths" },
	};
	struct ui *ui = *state;
	char *text;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(command_run(ui, wrong[i].command), -1);
		has(ui->told.message, wrong[i].why);
	}
	done(ui, "tab found");
	text = described(ui);
	has(text, "found: nothing was asked for");
	free(text);
	done(ui, "find no such");
	assert_int_equal(command_run(ui, "next"), -1);
	has(ui->told.message, "no such call");
	done(ui, "find query");
	assert_int_equal(command_run(ui, "found 4"), -1);
	has(ui->told.message, "there are 3");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    longest_first_with_what_it_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    the_slowest_say_what_their_time_went_to, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    some_of_them_are_chosen_by_their_length, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    next_goes_from_the_longest_to_the_shortest, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    nonsense_is_refused_with_a_sentence, set_up, tear_down),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
