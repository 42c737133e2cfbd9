/*
 * What was waited for, in a range, who held it meanwhile; and who waits for
 * whom at an instant: chains, circles, and what nobody knows yet.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/commands/command.h"
#include "ui/input/input.h"
#include "ui/out/out.h"

#define US 1000

enum {
	ANN,
	BOB,
	CARL,
	DORA,
	FRED,
	THREADS
};

/*
 * Fred, of another process, waits for a message of Bob from 30 to 60.
 * In us, from 0 on: Ann holds the till from 10 to 300, in count; Bob waits for
 * it from 100 to 300 and Carl, in pay, from 150 to 320, after Bob, who held it
 * to 320.  Dora waits for a message from 200 to 400, which Carl sends at 390.
 * Ann and Bob then take a key each, at 500, and wait for the other one's, from
 * 600 and 610 on.  Carl waits for Bob's, from 620 on.
 */
static struct model *model; /* of the test that is run */

/* *state: the window. */
static int
set_up(void **state)
{
	static struct feed_status feed;
	static const char *const who[THREADS] = { "ann", "bob", "carl", "dora",
		"fred" };
	struct make_log l = { 0 };
	uint32_t at[THREADS], count, pay, till, red, blue;
	struct ui *ui = ui_new(&palette_dark);

	make_log_head(&l, "waits");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	make_log_po(&l, 1, 2, "stock");
	for (unsigned i = 0; i < THREADS; i++)
		at[i] =
		    make_log_thread(&l, 1, i == FRED ? 2 : 1, i + 1, who[i]);
	count = make_log_name(&l, "count");
	pay = make_log_name(&l, "pay");
	till = make_log_name(&l, "till");
	red = make_log_name(&l, "red");
	blue = make_log_name(&l, "blue");
#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&l, at[who], EV_##kind, (us)*US, a, b, c)
	E(ANN, enter, 0, 0, 0, count);
	E(ANN, lock_acquire, 10, 1, 0, till);
	E(FRED, receive_wait, 30, 0, 0, 0);
	E(BOB, send, 50, 78, 8, 0);
	E(FRED, receive, 60, 78, 8, 0);
	E(BOB, enter, 90, 0, 0, pay);
	E(BOB, lock_wait, 100, 1, 0, till);
	E(CARL, enter, 140, 0, 0, pay);
	E(CARL, lock_wait, 150, 1, 0, till);
	E(DORA, enter, 190, 0, 0, count);
	E(DORA, receive_wait, 200, 0, 0, 0);
	E(ANN, lock_release, 300, 1, 1, till);
	E(BOB, lock_acquire, 301, 1, 1, till);
	E(BOB, lock_release, 320, 1, 2, till);
	E(CARL, lock_acquire, 321, 1, 2, till);
	E(CARL, lock_release, 330, 1, 3, till);
	E(CARL, send, 390, 77, 8, 0);
	E(DORA, receive, 400, 77, 8, 0);
	E(ANN, lock_acquire, 500, 2, 0, red);
	E(BOB, lock_acquire, 501, 3, 0, blue);
	E(ANN, lock_wait, 600, 3, 0, blue);
	E(BOB, lock_wait, 610, 2, 0, red);
	E(CARL, lock_wait, 620, 3, 0, blue);
	E(DORA, receive_wait, 650, 0, 0, 0);
	E(ANN, lock_taken, 700, 1, 40, 0);
	E(BOB, lock_taken, 800, 1, 2, 0);
	E(BOB, lock_taken, 800, 9, 5, 0);
	E(BOB, lock_taken, 810, 0, 7, 0);
	E(BOB, sem_passed, 820, 11, 3, 0);
	E(BOB, sem_posted, 820, 11, 4, 0);
	E(BOB, cond_signalled, 830, 12, 2, 0);
	E(DORA, note, 1000, 0, 0, count);
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

static char *
after(struct ui *ui, const char *const *command)
{
	for (; *command != NULL; command++)
		if (command_run(ui, *command) == -1)
			fail_msg("%s: %s", *command, ui->told.message);
	return (described(ui));
}

static void
says(struct ui *ui, const char *const *command, const char *line)
{
	char *text = after(ui, command);

	has(text, line);
	free(text);
}
#define SAYS(ui, line, ...)                                                    \
	says(ui, (const char *const[]){ __VA_ARGS__, NULL }, line)

/* Of those that nobody waits for, too, and part of the range as it is told. */
static void
locks_say_what_was_counted(void **state)
{
	struct ui *ui = *state;

	SAYS(ui, "; taken 40, held 0 ns, longest 0 ns; in use 0 ns; ",
	    "select-range 700us:800us", "tab locks");
	SAYS(ui,
	    "  lock lock 0x9: waited 0, 0 ns, longest 0 ns; taken 5, held 0 "
	    "ns, longest 0 ns; in use 0 ns; meanwhile 0 ns held by nobody; now "
	    "; used from 800000 to 800000 ns\n",
	    "select-range 700us:900us");
	SAYS(ui, "  lock till 0: waited 0, 0 ns, longest 0 ns; taken 42, held",
	    "select-range 700us:900us");
	SAYS(ui, "  lock others: waited 0, 0 ns, longest 0 ns; taken 7, held",
	    "select-range 700us:900us");
	SAYS(ui,
	    "  semaphore semaphore 0xb: waited 0, 0 ns, longest 0 ns; passed "
	    "without a wait 3; unheard 4; used from 820000 to 820000 ns\n",
	    "select-range 700us:900us");
	SAYS(ui, "  signals that nobody waited for: 2\n",
	    "select-range 700us:900us");
	SAYS(ui, "  signals that nobody waited for: 0\n",
	    "select-range 700us:830us");
}

static void
locks_say_who_waited_and_who_held_them(void **state)
{
	struct ui *ui = *state;

	SAYS(ui,
	    "  lock till 0: waited 2, 372000 ns, longest 201000 ns; taken 3, "
	    "held 318000 ns, longest 290000 ns; in use 318000 ns; meanwhile "
	    "350000 ns held by ann in count, 350 µs; now free; used from ",
	    "select-range 0us:450us", "tab locks");
	/* parts of them, as far as they are in the range */
	SAYS(ui,
	    "  lock till 0: waited 1, 160000 ns, longest 100000 ns; taken 0, "
	    "held 100000 ns, longest 100000 ns; in use 100000 ns; meanwhile "
	    "160000 ns held by ann in count, 160 µs; now ann, 2 wait; used "
	    "from 110000 to 210000 ns\n",
	    "select-range 110us:210us", "cursor 200us");
	SAYS(ui,
	    "  place pay: waited 1, 160000 ns, longest 100000 ns; used from "
	    "110000 to 210000 ns\n",
	    "select-range 110us:210us");
	SAYS(ui, "  place pay: waited 2, 372000 ns, longest 201000 ns; used",
	    "select-range 0us:450us", "locks place");
	assert_true(ui->lists.locks_by_place);
	SAYS(ui, "locks: 0\n", "select-range 440us:450us", "locks lock");
	assert_int_equal(command_run(ui, "locks x"), -1);
	has(ui->told.message, "lock, place");
}

static void
waits_hang_below_whom_they_are_for(void **state)
{
	struct ui *ui = *state;
	char *text;

	SAYS(ui, ": waits for a message, which comes from carl, for 50000 ns\n",
	    "tab waits", "cursor 250us");
	SAYS(ui, "waits: 3 threads at 250000 ns (cursor)\n  ann, ", "clear",
	    "cursor 250us");
	SAYS(ui, ": runs count; holds up 3\n    bob, ", "cursor 250us");
	SAYS(ui,
	    ": waits for a lock: till, held by ann in count, for 150000 ns\n",
	    "cursor 250us");
	SAYS(ui,
	    "waits: 0 threads at 450000 ns (cursor)\n"
	    "  the last did at 399999 ns\n",
	    "cursor 450us");
	SAYS(ui, "waits: 1 threads at 399999 ns (cursor)\n  carl, ",
	    "cursor 399999ns");
	SAYS(ui, "waits: 0 threads at 20000 ns (cursor)\n", "cursor 20us");
	text = after(ui, (const char *const[]){ NULL });
	assert_null(strstr(text, "the last did"));
	free(text);
	/* of another process: which */
	SAYS(ui,
	    ": waits for a message, which comes from bob (n1/1), for 10000 "
	    "ns\n",
	    "cursor 40us");
}

static void
what_comes_later_is_not_known_in_a_playback(void **state)
{
	struct ui *ui = *state;

	SAYS(ui, ": waits for a message, for 50000 ns\n", "tab waits",
	    "seek 250us");
}

static void
a_circle_of_locks_is_a_deadlock(void **state)
{
	struct ui *ui = *state;
	char *text;

	text = after(ui,
	    (const char *const[]){ "tab waits", "cursor 700us", NULL });
	has(text, "waits: 4 threads at 700000 ns (cursor), deadlock\n  bob, ");
	has(text,
	    ": in a circle, waits for a lock: red, held by ann in count, for "
	    "90000 ns; holds up 2\n    ann, ");
	has(text,
	    ": in a circle, waits for a lock: blue, held by bob in pay, for "
	    "100000 ns\n    carl, ");
	has(text, ": waits for a message, for 50000 ns\n");
	free(text);
	text = after(ui, (const char *const[]){ "cursor 605us", NULL });
	has(text, "waits: 1 threads at 605000 ns (cursor)\n  bob, ");
	free(text);
}

/* By its label. */
static void
select_row(struct ui *ui, const char *label)
{
	char name[96], line[40];
	uint32_t lane = 0;

	while (strcmp(label_lane(model, model_lane(model, lane), name,
			  sizeof(name)),
		   label) != 0)
		assert_true(++lane < model_lanes(model));
	snprintf(line, sizeof(line), "select-row %u", lane);
	assert_int_equal(command_run(ui, line), 0);
}

static void
the_list_of_spans_says_in_what_and_for_whom(void **state)
{
	struct ui *ui = *state;

	select_row(ui, "carl");
	SAYS(ui,
	    "  150000 ns till: 171000 ns, 0 within, waits 0 ns, cumulative "
	    "171000 ns, in pay, for bob\n",
	    "tab spans", "select-range 0us:1000us");
	SAYS(ui,
	    "  620000 ns blue: so far, 0 within, waits 0 ns, cumulative 551000 "
	    "ns, in pay, held by bob\n",
	    "tab spans");
	/* of the range alone; what is not in it has none */
	SAYS(ui,
	    "  150000 ns till: 171000 ns, 0 within, waits 0 ns, cumulative "
	    "100000 ns, in pay, for bob\n  620000 ns blue: so far, 0 within, "
	    "waits 0 ns, in pay, held by bob\n",
	    "select-range 200us:300us");
	select_row(ui, "dora");
	SAYS(ui, "200000 ns, in count, for carl\n", "select-range 0us:1000us");
	/* who will end it is not known then */
	SAYS(ui,
	    "  200000 ns waits for a message: 200000 ns, 0 within, waits 0 ns, "
	    "cumulative 50000 ns, in count\n",
	    "seek 250us");
}

static void
the_list_of_spans_is_written_to_a_file(void **state)
{
	static const char *const want[] = {
		"row\tnumber\tbegins_ns\tfor_ns\tcumulative_ns\tends_ns\tstate\t"
		"what\twithin\twaits_ns\tin\tfor\thow\n",
		"dora, shop PO 1, node n1\t2\t200000\t200000\t200000\t400000\t"
		"waits for a message\twaits for a message\t0\t0\tcount\t"
		"carl, shop PO 1, node n1\tended it\n",
		"dora, shop PO 1, node n1\t3\t650000\t350000\t550000\t\twaits for "
		"a message\twaits for a message\t0\t0\tcount\t\t\n",
	};
	struct ui *ui = *state;
	char path[] = "/tmp/orrery-list.XXXXXX.tsv", line[80], got[400];
	FILE *f;

	close(mkstemps(path, 4));
	snprintf(line, sizeof(line), "export %s spans", path);
	assert_int_equal(command_run(ui, line), -1);
	has(ui->told.message, "select the row of a thread");
	select_row(ui, "dora");
	assert_int_equal(command_run(ui, "select-range 195us:1000us"), 0);
	for (int twice = 0; twice < 2; twice++) { /* its own is replaced */
		if (command_run(ui, line) == -1)
			fail_msg("%s", ui->told.message);
		has(ui->told.message, ": 2 of 2 in this time");
		assert_non_null(f = fopen(path, "r"));
		for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
			assert_non_null(fgets(got, sizeof(got), f));
			assert_string_equal(got, want[i]);
		}
		assert_null(fgets(got, sizeof(got), f));
		fclose(f);
	}
	snprintf(line, sizeof(line), "export %s lanes", path);
	assert_int_equal(command_run(ui, line), -1);
	has(ui->told.message, "Lanes has no table");
	assert_non_null(f = fopen(path, "w"));
	fputs("precious", f);
	fclose(f);
	snprintf(line, sizeof(line), "export %s", path);
	assert_int_equal(command_run(ui, line), -1);
	has(ui->told.message, "nothing of ours");
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(locks_say_what_was_counted,
		    set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    locks_say_who_waited_and_who_held_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    waits_hang_below_whom_they_are_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    what_comes_later_is_not_known_in_a_playback, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(a_circle_of_locks_is_a_deadlock,
		    set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    the_list_of_spans_says_in_what_and_for_whom, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    the_list_of_spans_is_written_to_a_file, set_up, tear_down),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
