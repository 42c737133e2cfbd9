/*
 * Who holds a lock, where and since when, and who waits for it; what waits
 * for a condition are, within work and outside of it; how many wait for what
 * has no holder.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/views/view.h"

#define US   1000
#define LOCK 0x77
#define COND 0x88
#define GATE 0x99
#define TEAM 0xaa
#define SEMA 0x88 /* as the condition: its id is one of semaphores */

enum {
	WORKER,
	OWNER,
	LATE,
	THREADS
};

/*
 * In us: the owner takes the lock in work() at 100 and again at 150, gives it
 * up at 200 and, for good, at 400.  The worker waits for it from 250 to 401,
 * the late one from 300 to 500.  The worker, idle, waits for a condition from
 * 10 to 60, and within work() from 600 to 700; the late one has said to be
 * busy and waits outside of work from 700 to 800.  At a barrier they wait from
 * 910, 920 and 930 to 940, the worker just out of work(); for a semaphore the
 * worker waits from 950 on, of which the rest is lost, and the late one from
 * 960 until its thread ends at 990.
 */
static struct model *
make_run(uint32_t at[THREADS])
{
	static const char *const who[THREADS] = { "worker", "owner", "late" };
	struct make_log l = { 0 };
	uint32_t work, lock, cond, busy, dishes;

	make_log_head(&l, "locks");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "shop");
	for (unsigned i = 0; i < THREADS; i++)
		at[i] = make_log_thread(&l, 1, 1, i + 1, who[i]);
	work = make_log_name(&l, "work"); /* of line 11 */
	lock = make_log_name(&l, "till");
	cond = make_log_name(&l, "customers");
	busy = make_log_name(&l, "busy");
	dishes = make_log_name(&l, "dishes");
#define E(who, kind, us, a, b, c)                                              \
	make_log_event(&l, at[who], EV_##kind, (us)*US, a, b, c)
	E(WORKER, cond_wait, 10, COND, 0, cond);
	E(WORKER, cond_wake, 60, COND, 1, cond);
	E(OWNER, enter, 90, 0, 0, work);
	E(OWNER, lock_acquire, 100, LOCK, 0, lock);
	E(OWNER, lock_acquire, 150, LOCK, 0, lock);
	E(OWNER, lock_release, 200, LOCK, 1, lock);
	E(WORKER, lock_wait, 250, LOCK, 0, lock);
	E(LATE, lock_wait, 300, LOCK, 0, lock);
	E(OWNER, lock_release, 400, LOCK, 2, lock);
	E(WORKER, lock_acquire, 401, LOCK, 2, lock);
	E(WORKER, lock_release, 499, LOCK, 3, lock);
	E(LATE, lock_acquire, 500, LOCK, 3, lock);
	E(LATE, lock_release, 550, LOCK, 4, lock);
	E(OWNER, leave, 560, 0, 0, work);
	E(WORKER, enter, 590, 0, 0, work);
	E(WORKER, cond_wait, 600, COND, 0, cond);
	E(WORKER, cond_wake, 700, COND, 2, cond);
	E(WORKER, leave, 710, 0, 0, work);
	E(LATE, state, 690, 0, 0, busy);
	E(LATE, cond_wait, 700, COND, 0, cond);
	E(LATE, cond_wake, 800, COND, 3, cond);
	E(WORKER, enter, 905, 0, 0, work); /* ends as the wait begins */
	E(WORKER, leave, 910, 0, 0, work);
	for (unsigned i = 0; i < THREADS; i++) {
		E(i, barrier_enter, 910 + 10 * i, GATE, 1, THREADS);
		E(i, barrier_leave, 940, GATE, 1, THREADS);
	}
	/* a region has barriers, the last behind its end: they have no row */
	E(OWNER, member_begin, 941, TEAM, 0, work);
	E(OWNER, barrier_enter, 942, TEAM, 1, 2);
	E(OWNER, barrier_leave, 943, TEAM, 1, 2);
	E(OWNER, member_end, 944, TEAM, 0, 2);
	E(OWNER, barrier_enter, 945, TEAM, 9, 2);
	E(OWNER, barrier_leave, 946, TEAM, 9, 2);
	E(WORKER, sem_wait, 950, SEMA, 0, dishes);
	E(LATE, sem_wait, 960, SEMA, 0, dishes);
	E(WORKER, lost, 980, 1, 1, 0);
	E(LATE, thread_end, 990, 5, 0, 0);
	E(WORKER, enter, 1000, 0, 0, work);
#undef E
	make_log_sort(&l);
	return (make_model(&l));
}

static uint32_t
lane_of_lock(const struct model *m)
{
	for (uint32_t i = 0; i < model_lanes(m); i++)
		if (model_lane(m, i)->kind == LANE_LOCK)
			return (i);
	fail_msg("no lock");
	return (0);
}

static void
one_holds_it_until_it_is_given_up_for_good(void **state)
{
	uint32_t at[THREADS], lock, owner;
	struct model *m = make_run(at);
	struct span s[8];

	(void)state;
	lock = lane_of_lock(m);
	owner = model_location_lane(m, at[OWNER]);
	assert_int_equal(model_lane_spans(m, lock, 0, 1000 * US, s, 8), 3);
	assert_int_equal(s[0].t0_mon_ns, 100 * US);
	assert_int_equal(s[0].t1_mon_ns, 400 * US);
	assert_int_equal(s[0].id, owner + 1);
	assert_int_equal(s[1].t0_mon_ns, 401 * US);
	assert_int_equal(s[1].id, model_location_lane(m, at[WORKER]) + 1);
	assert_int_equal(s[2].t1_mon_ns, 550 * US);
	model_free(m);
}

static void
waits_for_a_condition_are_no_locks(void **state)
{
	uint32_t at[THREADS], worker, late;
	struct model *m = make_run(at);
	int64_t by[LANE_CLASSES];
	uint64_t spans;

	(void)state;
	worker = model_location_lane(m, at[WORKER]);
	late = model_location_lane(m, at[LATE]);
	assert_true(model_lane_totals(m, worker, 0, 100 * US, by, &spans));
	assert_int_equal(by[LANE_idle], 90 * US); /* from its first event */
	assert_true(model_lane_totals(m, worker, 0, 900 * US, by, &spans));
	assert_int_equal(by[LANE_wait_lock], 151 * US);
	assert_int_equal(by[LANE_wait_cond], 100 * US);
	assert_true(model_lane_totals(m, late, 0, 900 * US, by, &spans));
	assert_int_equal(by[LANE_wait_lock], 200 * US);
	assert_int_equal(by[LANE_wait_cond], 100 * US);
	model_free(m);
}

static uint32_t
lane_called(const struct model *m, const char *name)
{
	char label[64];

	for (uint32_t i = 0; i < model_lanes(m); i++) {
		model_lane_label(m, i, label, sizeof(label));
		if (strcmp(label, name) == 0)
			return (i);
	}
	fail_msg("no %s", name);
	return (0);
}

static void
what_has_no_holder_counts_who_waits(void **state)
{
	static const struct {
		const char *what;
		int from, to, n; /* us, and so many wait */
	} cases[] = {
		{ "condition customers 0", 10, 60, 1 },
		{ "condition customers 0", 600, 700, 1 },
		{ "condition customers 0", 700, 800, 1 },
		{ "barrier 0", 910, 920, 1 }, { "barrier 0", 920, 930, 2 },
		{ "barrier 0", 930, 940, 3 },
		{ "semaphore dishes 0", 950, 960, 1 },
		{ "semaphore dishes 0", 960, 990, 1 }, /* one's is lost */
	};
	const size_t ncases = sizeof(cases) / sizeof(cases[0]);
	uint32_t at[THREADS], lane;
	struct model *m = make_run(at);
	struct span s[8];
	size_t n, i = 0;

	(void)state;
	while (i < ncases) {
		lane = lane_called(m, cases[i].what);
		n = model_lane_spans(m, lane, 0, 2000 * US, s, 8);
		assert_in_range(n, 1, 8);
		for (size_t j = 0; j < n; j++) {
			if (s[j].t1_mon_ns == s[j].t0_mon_ns)
				continue; /* one came as another went */
			assert_in_range(i, 0, ncases - 1);
			assert_int_equal(s[j].t0_mon_ns, cases[i].from * US);
			assert_int_equal(s[j].t1_mon_ns, cases[i].to * US);
			assert_int_equal(s[j].id, cases[i++].n);
		}
	}
	model_free(m);
}

/* By the view, and by details of the row. */
static void
each_has_a_row_with_who_waits(void **state)
{
	uint32_t at[THREADS], *px;
	struct model *m = make_run(at);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64], *text;

	(void)state;
	snprintf(line, sizeof(line), "select-row %u",
	    lane_called(m, "barrier 0"));
	assert_int_equal(command_run(ui, line), 0);
	assert_int_equal(command_run(ui, "tab locks"), 0);
	assert_int_equal(command_run(ui, "cursor 915us"), 0);
	for (int i = 0; i < 8; i++)
		ui_frame(ui, &c);
	text = described(ui);
	has(text, "condition customers 0: waited 2, 200000 ns, longest 100000 "
		  "ns; at most 1 at once; 100000 ns in work; now nobody");
	has(text, "idle customers 0 (idle): waited 1, 50000 ns, longest 50000 "
		  "ns; at most 1 at once");
	has(text,
	    "barrier barrier 0: waited 3, 60000 ns, longest 30000 ns; at "
	    "most 3 at once; 60000 ns outside of all calls; now 2: worker, owner");
	has(text, "semaphore dishes 0: waited 1, 30000 ns");
	has(text, "together barriers, joins: waited 2, 2000 ns");
	assert_null(strstr(text, "barrier 1"));
	free(text);
	snprintf(line, sizeof(line), "card span %u 915us",
	    lane_called(m, "barrier 0"));
	assert_int_equal(command_run(ui, line), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "is: waited for");
	has(text, "waiting: 2: worker, owner");
	assert_null(strstr(text, "held by: "));
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* Where a wait happens that began before what is in sight. */
static void
a_call_that_ends_as_a_wait_begins_is_not_around_it(void **state)
{
	uint32_t at[THREADS], *px;
	struct model *m = make_run(at);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char *text;

	(void)state;
	assert_int_equal(command_run(ui, "tab locks"), 0);
	assert_int_equal(command_run(ui, "select-range 902us:925us"), 0);
	for (int i = 0; i < 8; i++)
		ui_frame(ui, &c);
	text = described(ui);
	has(text, "barrier barrier 0: waited 2, 43000 ns, longest 23000 ns; at "
		  "most 3 at once; 43000 ns outside of all calls");
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

/* In details of a hold and of a wait, in stacks, on a lock's row. */
static void
all_views_tell_who_has_it(void **state)
{
	uint32_t at[THREADS], *px;
	struct model *m = make_run(at);
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64], *text;

	(void)state;
	ui_frame(ui, &c);
	snprintf(line, sizeof(line), "card span %u 290us", lane_of_lock(m));
	assert_int_equal(command_run(ui, line), 0);
	snprintf(line, sizeof(line), "card span %u 340us",
	    model_location_lane(m, at[LATE]));
	assert_int_equal(command_run(ui, line), 0);
	assert_int_equal(command_run(ui, "tab stacks"), 0);
	assert_int_equal(command_run(ui, "cursor 340us"), 0);
	ui_frame(ui, &c);
	text = described(ui);
	has(text, "is: held");
	has(text, "held by: owner, shop PO 1, node n1");
	has(text, "held in: work, prog.c:11");
	has(text, "held since: 0.000090 s"); /* the run begins at 10 us */
	has(text, "waiting: 2: worker, late");
	has(text, "late: waits for a lock: till 0, held by owner in work");
	assert_null(strstr(text, "monitord"));
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_holds_it_until_it_is_given_up_for_good),
		cmocka_unit_test(waits_for_a_condition_are_no_locks),
		cmocka_unit_test(all_views_tell_who_has_it),
		cmocka_unit_test(what_has_no_holder_counts_who_waits),
		cmocka_unit_test(each_has_a_row_with_who_waits),
		cmocka_unit_test(
		    a_call_that_ends_as_a_wait_begins_is_not_around_it),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
