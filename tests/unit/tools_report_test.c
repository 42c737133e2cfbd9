/* The figures of monitorctl report are those of a log whose figures are known.
 */
#include "tests/check.h"

#include "tests/unit/make_pascal.h"
#include "tests/unit/tools_log.h"
#include "tools/logs/argument.h"
#include "tools/tally/tally.h"

#define MS 1000000

static int
add(void *arg, const struct event *e)
{
	return (tally_event(arg, e));
}

static struct tally *
tally_of(const char *path, struct tracefile **tf, struct defs **defs)
{
	static const struct trace_sink sink = { .event = add };
	const char *why;
	struct tally *t;

	*tf = tracefile_open(path, &why);
	assert_non_null(*tf);
	*defs = log_defs(*tf);
	assert_non_null(*defs);
	t = tally_new(*defs);
	assert_non_null(t);
	assert_int_equal(tracefile_each(*tf, INT64_MIN, INT64_MAX, &sink, t),
	    0);
	assert_int_equal(tally_end(t), 0);
	return (t);
}

/* Three nodes, a process each, messages and an object between them. */
static void
make(struct make_log *l)
{
	uint32_t at[4], f, drone;
	int64_t t;

	memset(l, 0, sizeof(*l));
	make_log_head(l, "known");
	for (uint32_t i = 1; i <= 3; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		make_log_node(l, i, name);
		make_log_po(l, i, 1, "app");
		at[i] = make_log_thread(l, i, 1, 1, "main");
	}
	f = make_log_name(l, "sort");
	drone = make_log_name(l, "drone");
	/* 1 -> 2 ten times, 2 -> 3 five times, 3 -> 3 once; 2 ms on the way */
	for (uint64_t i = 0; i < 16; i++) {
		uint32_t from = i < 10 ? 1 : i < 15 ? 2 : 3;
		uint32_t to = i < 10 ? 2 : 3;

		t = (int64_t)(i + 1) * 10 * MS;
		make_log_event(l, at[to], EV_receive_wait, t - MS, 0, 0, 0);
		make_log_event(l, at[from], EV_send, t, 500 + i, 100, 0);
		make_log_event(l, at[to], EV_receive, t + 2 * MS, 500 + i, 100,
		    0);
	}
	/* sort within sort: 20 ms, counted once */
	t = 200 * MS;
	make_log_event(l, at[1], EV_enter, t, 0, 0, f);
	make_log_event(l, at[1], EV_enter, t + 5 * MS, 0, 0, f);
	make_log_event(l, at[1], EV_leave, t + 9 * MS, 0, 0, f);
	make_log_event(l, at[1], EV_leave, t + 20 * MS, 0, 0, f);
	make_log_event(l, at[1], EV_leave, t + 21 * MS, 0, 0, f);
	/* an object goes round twice */
	t = 300 * MS;
	make_log_event(l, at[1], EV_object_create, t, 77, 0, drone);
	for (uint64_t hop = 1; hop <= 6; hop++) {
		t += 10 * MS;
		make_log_event(l, at[(hop - 1) % 3 + 1], EV_object_depart, t,
		    77, hop, 0);
		make_log_event(l, at[hop % 3 + 1], EV_object_arrive, t + 3 * MS,
		    77, hop, 0);
	}
	make_log_event(l, at[1], EV_object_dispose, t + 5 * MS, 77, 0, 0);
	make_log_event(l, at[2], EV_lost, t + 6 * MS, 3, 3, LOST_RING_FULL);
	make_log_event(l, at[2], EV_lost, t + 7 * MS, 4, 7, LOST_RING_FULL);
	make_log_blocks(l, 0);
	make_log_finish(l);
}

static struct tally_thread *
thread_at(const struct tally *t, uint32_t location)
{
	for (size_t i = 0; i < t->nthreads; i++)
		if (t->threads[i].location == location)
			return (&t->threads[i]);
	return (NULL);
}

static void
figures_are_the_known_ones(void **state)
{
	struct tally_thread *th;
	struct tracefile *tf;
	struct make_log l;
	struct defs *defs;
	struct tally *t;
	char path[32];

	(void)state;
	make(&l);
	tools_log_write(&l, path);
	t = tally_of(path, &tf, &defs);
	assert_int_equal(t->events, 48 + 5 + 14 + 2);
	assert_int_equal(t->by_class[CLASS_message], 48);
	assert_int_equal(t->by_class[CLASS_call], 5);
	assert_int_equal(t->by_class[CLASS_object], 14);
	assert_int_equal(t->faults.lost, 7);
	assert_int_equal(t->faults.lost_by[LOST_RING_FULL], 7);

	assert_int_equal(t->sent, 16);
	assert_int_equal(t->received, 16);
	assert_int_equal(t->bytes, 1600);
	assert_int_equal(tally_between_nodes(t), 15);
	assert_int_equal(t->npairs, 3);
	assert_int_equal(t->pairs[0].messages, 10);
	assert_int_equal(t->pos[t->pairs[0].from].node, 1);
	assert_int_equal(t->pos[t->pairs[0].to].node, 2);
	assert_int_equal(t->pairs[0].way_ns, 10 * 2 * MS);
	assert_int_equal(t->pairs[1].messages, 5);
	assert_int_equal(t->pairs[2].messages, 1);

	th = thread_at(t, 2);
	assert_int_equal(th->span[SPAN_wait_message].count, 10);
	assert_int_equal(th->span[SPAN_wait_message].total_ns, 30 * MS);
	th = thread_at(t, 1);
	assert_int_equal(th->span[SPAN_call].count, 2);
	assert_int_equal(th->span[SPAN_call].total_ns, 20 * MS);

	assert_int_equal(tally_departures(t), 6);
	assert_int_equal(tally_arrivals(t), 6);
	assert_int_equal(t->nclasses, 1);
	assert_string_equal(defs_name_text(defs, t->classes[0].name), "drone");
	assert_int_equal(t->classes[0].created, 1);
	assert_int_equal(t->classes[0].disposed, 1);
	assert_int_equal(t->classes[0].way_ns, 18 * MS);
	assert_int_equal(t->nways, 3); /* 1-2, 2-3, 3-1, twice each */
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(t->ways[i].moves, 2);
	tally_free(t);
	defs_free(defs);
	tracefile_close(tf);
	unlink(path);
	make_log_free(&l);
}

static uint64_t
tasks_of(const struct tally *t, const struct defs *defs, const char *procedure)
{
	for (size_t i = 0; i < t->nprocedures; i++)
		if (strcmp(defs_name_text(defs, t->procedures[i].name),
			procedure) == 0)
			return (t->procedures[i].tasks);
	return (0);
}

/* Widths of the levels of row 35, from VISTA's program. */
static const unsigned widths[] = { 1, 1, 2, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24,
	26, 28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61, 63, 66,
	68, 70, 73, 75, 77, 79, 80, 79, 77, 72, 67, 63, 58, 53, 49, 44, 39, 35,
	30, 25, 21, 16, 11, 8, 4, 1 };

static void
make_pascal_35(struct make_log *l)
{
	static struct pascal p;

	memset(l, 0, sizeof(*l));
	memset(&p, 0, sizeof(p));
	make_log_head(l, "pascal");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "pascal");
	make_pascal(&p, l, 35, 5, 1, 1, 1000, 50000);
	make_log_blocks(l, 0);
	make_log_finish(l);
}

static void
pascal_has_its_tree(void **state)
{
	static const struct {
		const char *procedure;
		unsigned tasks;
	} rows[] = { { "bigp", 918 }, { "setc", 612 }, { "makeRow", 323 },
		{ "bigPlus", 306 }, { "makeRows", 35 }, { "rev3", 19 },
		{ "append", 19 }, { "go", 1 }, { "fillout", 1 },
		{ "rev2", 1 } };
	uint64_t on_pes = 0, resumed = 0;
	struct tracefile *tf;
	struct make_log l;
	struct defs *defs;
	struct tally *t;
	char path[32];

	(void)state;
	make_pascal_35(&l);
	tools_log_write(&l, path);
	t = tally_of(path, &tf, &defs);
	assert_int_equal(t->tasks.known, 2235);
	assert_int_equal(t->tasks.ended, 2235);
	assert_int_equal(t->tasks.levels, 57);
	for (size_t i = 0; i < t->tasks.levels; i++)
		assert_int_equal(t->tasks.level[i], widths[i]);
	assert_int_equal(t->nprocedures, 10);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(tasks_of(t, defs, rows[i].procedure),
		    rows[i].tasks);
	assert_int_equal(t->npes, 5);
	for (size_t i = 0; i < t->npes; i++) {
		assert_true(t->pes[i].tasks > 0);
		on_pes += t->pes[i].tasks;
		resumed += t->pes[i].resumed;
	}
	assert_int_equal(on_pes, 2235);
	assert_true(t->tasks.suspended > 0);
	assert_int_equal(t->tasks.suspensions, resumed);
	tally_free(t);
	defs_free(defs);
	tracefile_close(tf);
	unlink(path);
	make_log_free(&l);
}

static void
text_says_so(void **state)
{
	static char out[OUTPUT_BYTES];
	struct make_log l;
	char path[32];

	(void)state;
	make_pascal_35(&l);
	tools_log_write(&l, path);
	assert_int_equal(tools_run(report_run, "report", NULL, path, out), 0);
	assert_non_null(strstr(out, "\ntasks 2235, deepest level 56, "));
	assert_non_null(strstr(out, ", PEs 5\n"));
	assert_non_null(strstr(out, "\n  bigp                        918 "));
	assert_int_equal(tools_run(report_run, "report", "--yaml", path, out),
	    0);
	assert_non_null(strstr(out, "\n  total: 2235\n"));
	assert_non_null(strstr(out, "\n  deepest_level: 56\n"));
	assert_non_null(strstr(out, "{ name: \"setc\", tasks: 612, "));
	unlink(path);
	make_log_free(&l);
}

static void
dump_filters(void **state)
{
	static char out[OUTPUT_BYTES];
	static const struct {
		const char *option;
		unsigned lines;
	} cases[] = {
		{ NULL, 69 },
		{ "--kind=send,receive", 32 },
		{ "--node=n3", 13 + 4 },
		{ "--from=0.2", 21 },
		{ "--to=0.2", 48 },
		{ "--raw", 70 },
	};
	struct make_log l;
	unsigned lines;
	char path[32];

	(void)state;
	make(&l);
	tools_log_write(&l, path);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tools_run(dump_run, "dump", cases[i].option,
				     path, out),
		    0);
		lines = 0;
		for (const char *p = out; *p != '\0'; p++)
			lines += *p == '\n';
		if (lines != cases[i].lines)
			fail_msg("%s: %u lines:\n%s", cases[i].option, lines,
			    out);
	}
	assert_int_equal(tools_run(dump_run, "dump", "--kind=nonsense", path,
			     out),
	    64);
	unlink(path);
	make_log_free(&l);
}

/* A lock that is given up, and one that is got; a barrier, by a task that is
 * suspended meanwhile. */
static void
make_waits(struct make_log *l)
{
	uint32_t at, po;

	memset(l, 0, sizeof(*l));
	make_log_head(l, "waits");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "app");
	po = make_log_thread(l, 1, 1, 0, "");
	at = make_log_thread(l, 1, 1, 1, "main");
	make_log_event(l, at, EV_lock_wait, 10 * MS, 9, 0, 0);
	make_log_event(l, at, EV_lock_giveup, 14 * MS, 9, 0, 0);
	make_log_event(l, at, EV_lock_wait, 20 * MS, 9, 0, 0);
	make_log_event(l, at, EV_lock_acquire, 22 * MS, 9, 1, 0);
	make_log_event(l, at, EV_lock_release, 25 * MS, 9, 1, 0);
	make_log_event(l, at, EV_lock_wait, 30 * MS, 9, 0, 0);
	make_log_event(l, at, EV_lock_giveup, 31 * MS, 9, 0, 0);
	make_log_event(l, at, EV_lock_giveup, 32 * MS, 8, 0, 0);
	make_log_event(l, at, EV_task_begin, 40 * MS, 5, 0, 0);
	make_log_event(l, at, EV_enter, 41 * MS, 0, 0, make_log_name(l, "f"));
	make_log_event(l, at, EV_barrier_enter, 42 * MS, 7, 1, 2);
	make_log_event(l, at, EV_task_suspend, 43 * MS, 5, 0, 0);
	make_log_event(l, at, EV_task_resume, 50 * MS, 5, 0, 0);
	make_log_event(l, at, EV_barrier_leave, 52 * MS, 7, 1, 2);
	make_log_event(l, at, EV_leave, 53 * MS, 0, 0, 0);
	make_log_event(l, at, EV_task_end, 60 * MS, 5, 0, 0);
	/* a wait whose end is lost, and one behind that */
	make_log_event(l, at, EV_receive_wait, 70 * MS, 1, 0, 0);
	make_log_event(l, at, EV_note, 72 * MS, 0, 0, 0);
	make_log_event(l, at, EV_lost, 80 * MS, 3, 3, LOST_RING_FULL);
	make_log_event(l, at, EV_receive_wait, 90 * MS, 2, 0, 0);
	make_log_event(l, at, EV_receive, 95 * MS, 2, 0, 0);
	/* held, and waited for, when the rest is lost, or locks are not told */
	make_log_event(l, at, EV_lock_acquire, 100 * MS, 9, 2, 0);
	make_log_event(l, at, EV_lock_wait, 101 * MS, 9, 0, 0);
	make_log_event(l, at, EV_note, 103 * MS, 0, 0, 0);
	make_log_event(l, at, EV_lost, 110 * MS, 3, 6, LOST_RING_FULL);
	make_log_event(l, at, EV_lock_acquire, 120 * MS, 9, 2, 0);
	make_log_event(l, po, EV_choice, 121 * MS, 1, UINT32_MAX, 0);
	make_log_event(l, at, EV_note, 130 * MS, 0, 0, 0);
	make_log_blocks(l, 0);
	make_log_finish(l);
}

static void
waits_end_as_they_do(void **state)
{
	const struct tally_thread *th;
	struct tracefile *tf;
	struct make_log l;
	struct defs *defs;
	struct tally *t;
	char path[32];

	(void)state;
	make_waits(&l);
	tools_log_write(&l, path);
	t = tally_of(path, &tf, &defs);
	assert_int_equal(t->nlocks, 1);
	assert_int_equal(t->locks[0].acquisitions, 3);
	assert_int_equal(t->locks[0].contended, 1);
	assert_int_equal(t->locks[0].wait_ns, 9 * MS);
	assert_int_equal(t->locks[0].longest_wait_ns, 4 * MS);
	assert_int_equal(t->locks[0].hold_ns, 7 * MS);
	assert_int_equal(t->locks[0].held, 0);
	assert_int_equal(t->locks[0].waiting, 0);
	th = thread_at(t, 2);
	assert_int_equal(th->span[SPAN_wait_lock].count, 4);
	assert_int_equal(th->span[SPAN_wait_lock].total_ns, 9 * MS);
	assert_int_equal(th->span[SPAN_wait_sync].count, 1);
	assert_int_equal(th->span[SPAN_wait_sync].total_ns, 3 * MS);
	assert_int_equal(th->span[SPAN_wait_message].count, 2);
	assert_int_equal(th->span[SPAN_wait_message].total_ns, 7 * MS);
	/* what it waits is part of what it takes itself */
	for (size_t i = 0; i < t->nfunctions; i++)
		if (t->functions[i].span == SPAN_call) {
			assert_int_equal(t->functions[i].self_ns, 5 * MS);
			assert_int_equal(t->functions[i].times.total_ns,
			    5 * MS);
		}
	tally_free(t);
	defs_free(defs);
	tracefile_close(tf);
	unlink(path);
	make_log_free(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_the_known_ones),
		cmocka_unit_test(waits_end_as_they_do),
		cmocka_unit_test(pascal_has_its_tree),
		cmocka_unit_test(text_says_so),
		cmocka_unit_test(dump_filters),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
