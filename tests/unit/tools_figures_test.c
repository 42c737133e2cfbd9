/*
 * Functions, locks, remote calls and memory of a log whose figures are known,
 * and that what is written for programs is valid whatever the names are.
 */
#include "tests/check.h"

#include "tests/unit/tools_log.h"
#include "tools/doc/doc.h"
#include "tools/doc/yaml.h"
#include "tools/doc/yaml_json.h"
#include "tools/logs/argument.h"
#include "tools/tally/tally.h"

#define MS ((int64_t)1000000)

struct known {
	struct make_log log;
	struct tracefile *tf;
	struct defs *defs;
	struct tally *tally;
	char path[32];
	uint32_t at[4];
	uint32_t rec, leaf, work, coro, lock, cond, say, place;
};

/* Two processes of program a, one of b: two threads in the first. */
static void
make(struct known *k)
{
	struct make_log *l = &k->log;

	memset(k, 0, sizeof(*k));
	make_log_head(l, "known");
	make_log_node(l, 1, "n1");
	make_log_po(l, 1, 1, "a");
	make_log_po(l, 1, 2, "b");
	make_log_po(l, 1, 3, "a");
	k->at[0] = make_log_thread(l, 1, 1, 1, "a");
	k->at[1] = make_log_thread(l, 1, 1, 2, "a");
	k->at[2] = make_log_thread(l, 1, 2, 1, "b");
	k->at[3] = make_log_thread(l, 1, 3, 1, "a");
	k->rec = make_log_name(l, "rec");
	k->leaf = make_log_name(l, "leaf");
	k->work = make_log_name(l, "work");
	k->coro = make_log_name(l, "coro");
	k->lock = make_log_name(l, "door");
	k->cond = make_log_name(l, "bell");
	k->say = make_log_name(l, "say");
	k->place = make_log_name(l, "heap");
}

static void
tell(struct known *k, unsigned at, unsigned kind, int64_t ms, uint64_t a,
    uint64_t b, uint32_t c)
{
	make_log_event(&k->log, k->at[at], kind, ms * MS, a, b, c);
}

static int
add(void *arg, const struct event *e)
{
	return (tally_event(arg, e));
}

static void
count(struct known *k)
{
	static const struct trace_sink sink = { .event = add };
	const char *why;

	make_log_blocks(&k->log, 0);
	make_log_finish(&k->log);
	tools_log_write(&k->log, k->path);
	k->tf = tracefile_open(k->path, &why);
	assert_non_null(k->tf);
	k->defs = log_defs(k->tf);
	assert_non_null(k->defs);
	k->tally = tally_new(k->defs);
	assert_non_null(k->tally);
	assert_int_equal(tracefile_each(k->tf, INT64_MIN, INT64_MAX, &sink,
			     k->tally),
	    0);
	assert_int_equal(tally_end(k->tally), 0);
}

static void
done(struct known *k)
{
	tally_free(k->tally);
	defs_free(k->defs);
	tracefile_close(k->tf);
	unlink(k->path);
	make_log_free(&k->log);
}

static const struct tally_function *
function(const struct known *k, uint32_t name, const char *program)
{
	const struct tally *t = k->tally;

	for (size_t i = 0; i < t->nfunctions; i++)
		if (t->functions[i].name == name &&
		    strcmp(t->programs[t->functions[i].program], program) == 0)
			return (&t->functions[i]);
	fail_msg("no function %u of %s", name, program);
	return (NULL);
}

static void
is(const struct tally_function *f, uint64_t calls, size_t outer, int64_t total,
    int64_t self)
{
	assert_int_equal(f->calls, calls);
	assert_int_equal(f->times.n, outer);
	assert_int_equal(f->times.total_ns, total * MS);
	assert_int_equal(f->self_ns, self * MS);
}

static void
of_recursive_calls_the_outermost_counts(void **state)
{
	struct known k;

	(void)state;
	make(&k);
	/* rec within leaf within rec: 30 ms, not 30 + 10 */
	tell(&k, 0, EV_enter, 0, 0, 0, k.rec);
	tell(&k, 0, EV_enter, 5, 0, 0, k.leaf);
	tell(&k, 0, EV_enter, 10, 0, 0, k.rec);
	tell(&k, 0, EV_leave, 20, 0, 0, k.rec);
	tell(&k, 0, EV_leave, 25, 0, 0, k.leaf);
	tell(&k, 0, EV_leave, 30, 0, 0, k.rec);
	tell(&k, 0, EV_leave, 31, 0, 0, k.rec); /* of none */
	/* deeper than any view goes */
	for (int i = 0; i < 6000; i++)
		tell(&k, 1, EV_enter, i < 3000 ? 0 : 1, 0, 0, k.work);
	for (int i = 0; i < 6000; i++)
		tell(&k, 1, EV_leave, i < 3000 ? 2 : 3, 0, 0, k.work);
	count(&k);
	is(function(&k, k.rec, "a"), 2, 1, 30, 20);
	is(function(&k, k.leaf, "a"), 1, 1, 20, 10);
	is(function(&k, k.work, "a"), 6000, 1, 3, 3);
	done(&k);
}

static void
functions_of_two_programs_are_two(void **state)
{
	const struct tally_function *f;
	struct known k;

	(void)state;
	make(&k);
	for (int i = 1; i <= 100; i++) { /* 1 to 100 ms, in two processes */
		int64_t t = (int64_t)i * 1000;

		tell(&k, i % 2 == 0 ? 0 : 3, EV_enter, t, 0, 0, k.work);
		tell(&k, i % 2 == 0 ? 0 : 3, EV_leave, t + i, 0, 0, k.work);
	}
	tell(&k, 2, EV_enter, 5, 0, 0, k.work);
	tell(&k, 2, EV_leave, 12, 0, 0, k.work);
	count(&k);
	is(function(&k, k.work, "b"), 1, 1, 7, 7);
	f = function(&k, k.work, "a");
	is(f, 100, 100, 5050, 5050);
	assert_int_equal(tally_percentile(&f->times, 0), 1 * MS);
	assert_int_equal(tally_percentile(&f->times, 50), 50 * MS);
	assert_int_equal(tally_percentile(&f->times, 99), 99 * MS);
	assert_int_equal(tally_percentile(&f->times, 100), 100 * MS);
	done(&k);
}

static void
a_suspended_task_takes_its_calls_with_it(void **state)
{
	const struct tally_thread *th;
	struct known k;

	(void)state;
	make(&k);
	tell(&k, 0, EV_enter, 0, 0, 0, k.leaf);
	tell(&k, 0, EV_task_begin, 10, 77, 0, k.coro);
	tell(&k, 0, EV_enter, 10, 0, 0, k.rec);
	tell(&k, 0, EV_task_suspend, 14, 77, 0, 0);
	/* what the thread does meanwhile is its own */
	tell(&k, 0, EV_enter, 20, 0, 0, k.work);
	tell(&k, 0, EV_leave, 25, 0, 0, k.work);
	/* it goes on elsewhere, where the same function is open already */
	tell(&k, 1, EV_enter, 28, 0, 0, k.rec);
	tell(&k, 1, EV_task_resume, 30, 77, 1, k.coro);
	tell(&k, 1, EV_leave, 33, 0, 0, k.rec);
	tell(&k, 1, EV_task_end, 34, 77, 0, 0);
	tell(&k, 1, EV_leave, 36, 0, 0, k.rec);
	tell(&k, 0, EV_leave, 40, 0, 0, k.leaf);
	count(&k);
	is(function(&k, k.work, "a"), 1, 1, 5, 5);
	is(function(&k, k.leaf, "a"), 1, 1, 40, 31);
	/* 10 to 14 on the one thread, 28 to 36 on the other */
	is(function(&k, k.rec, "a"), 2, 2, 12, 11);
	th = &k.tally->threads[0];
	assert_int_equal(th->span[SPAN_call].total_ns, 40 * MS);
	assert_int_equal(th->span[SPAN_call].count, 3);
	assert_int_equal(th->span[SPAN_task].total_ns, 4 * MS);
	done(&k);
}

static void
what_is_open_ends_with_its_thread(void **state)
{
	struct known k;
	uint32_t po;

	(void)state;
	make(&k);
	po = make_log_thread(&k.log, 1, 2, 0, "");
	tell(&k, 0, EV_enter, 0, 0, 0, k.rec);
	tell(&k, 0, EV_lock_wait, 2, 5, 0, k.lock);
	tell(&k, 0, EV_thread_end, 10, 0, 0, 0);
	tell(&k, 2, EV_enter, 1, 0, 0, k.rec);
	make_log_event(&k.log, po, EV_po_end, 21 * MS, 0, 0, 0);
	tell(&k, 1, EV_enter, 90, 0, 0, k.leaf);
	tell(&k, 1, EV_leave, 100, 0, 0, k.leaf);
	count(&k);
	is(function(&k, k.rec, "a"), 1, 1, 10, 10);
	is(function(&k, k.rec, "b"), 1, 1, 20, 20);
	assert_int_equal(k.tally->locks[0].wait_ns, 8 * MS);
	assert_int_equal(k.tally->locks[0].waiting, 1);
	for (size_t i = 0; i < k.tally->nthreads; i++)
		for (int s = 0; s < EVENT_SPANS; s++)
			assert_true(k.tally->threads[i].span[s].total_ns <=
				    k.tally->threads[i].last_mon_ns -
					k.tally->threads[i].first_mon_ns);
	done(&k);
}

static void
lost_ends_do_not_go_on_for_ever(void **state)
{
	struct known k;

	(void)state;
	make(&k);
	tell(&k, 0, EV_enter, 0, 0, 0, k.rec);
	tell(&k, 0, EV_enter, 1, 0, 0, k.leaf);
	tell(&k, 0, EV_lost, 2, 1, 1, LOST_RING_FULL);
	tell(&k, 0, EV_leave, 6, 0, 0, k.rec);
	tell(&k, 0, EV_enter, 50, 0, 0, k.work);
	tell(&k, 0, EV_leave, 60, 0, 0, k.work);
	count(&k);
	is(function(&k, k.rec, "a"), 1, 1, 6, 1);
	is(function(&k, k.leaf, "a"), 1, 1, 5, 5);
	is(function(&k, k.work, "a"), 1, 1, 10, 10);
	done(&k);
}

static void
locks_know_who_held_them(void **state)
{
	const struct tally_lock *door, *bell;
	struct known k;

	(void)state;
	make(&k);
	tell(&k, 0, EV_enter, 0, 0, 0, k.work);
	tell(&k, 0, EV_lock_acquire, 10, 5, 1, k.lock);
	tell(&k, 1, EV_lock_wait, 12, 5, 0, k.lock);
	tell(&k, 0, EV_lock_acquire, 14, 5, 0, k.lock); /* again */
	tell(&k, 0, EV_lock_release, 16, 5, 0, k.lock);
	tell(&k, 0, EV_lock_release, 30, 5, 2, k.lock);
	tell(&k, 1, EV_lock_acquire, 31, 5, 2, k.lock);
	tell(&k, 1, EV_lock_release, 34, 5, 3, k.lock);
	tell(&k, 0, EV_leave, 40, 0, 0, k.work);
	tell(&k, 1, EV_cond_wait, 41, 6, 0, k.cond);
	tell(&k, 1, EV_cond_wake, 50, 6, 1, k.cond);
	count(&k);
	assert_int_equal(k.tally->nlocks, 2);
	door = &k.tally->locks[0];
	bell = &k.tally->locks[1];
	assert_int_equal(door->sort, TALLY_LOCK);
	assert_int_equal(door->acquisitions, 3);
	assert_int_equal(door->contended, 1);
	assert_int_equal(door->wait_ns, 19 * MS);
	assert_int_equal(door->hold_ns, 23 * MS);
	assert_int_equal(door->longest_hold_ns, 20 * MS);
	assert_int_equal(door->holder, k.at[0]);
	assert_int_equal(door->holder_mon_ns, 10 * MS);
	assert_int_equal(k.tally->functions[door->holder_in - 1].name, k.work);
	assert_int_equal(door->held + door->waiting, 0);
	assert_int_equal(bell->sort, TALLY_CONDITION);
	assert_int_equal(bell->acquisitions, 1);
	assert_int_equal(bell->wait_ns, 9 * MS);
	assert_int_equal(bell->hold_ns, 0);
	done(&k);
}

static void
what_is_counted_adds_to_what_is_told(void **state)
{
	struct known k;

	(void)state;
	make(&k);
	tell(&k, 0, EV_lock_wait, 10, 5, 0, 0);
	tell(&k, 0, EV_lock_acquire, 12, 5, 1, 0);
	tell(&k, 0, EV_lock_taken, 20, 5, 40, 0);
	tell(&k, 1, EV_lock_taken, 21, 5, 2, 0);
	tell(&k, 1, EV_lock_taken, 21, 0, 7, 0);
	tell(&k, 1, EV_sem_passed, 22, 6, 3, 0);
	tell(&k, 1, EV_sem_posted, 22, 6, 4, 0);
	tell(&k, 1, EV_sem_post, 23, 6, 1, 0);
	tell(&k, 1, EV_sem_passed, 24, 0, 9, 0); /* not that of no id above */
	tell(&k, 1, EV_cond_signalled, 25, 8, 11, 0);
	tell(&k, 1, EV_cond_signal, 26, 8, 1, 0);
	count(&k);
	static const struct {
		uint64_t id, acquisitions, contended, signals;
		enum tally_lock_sort sort;
	} known[] = { { 5, 43, 1, 0, TALLY_LOCK },
		{ 0, 9, 0, 0, TALLY_SEMAPHORE }, { 0, 7, 0, 0, TALLY_LOCK },
		{ 6, 3, 0, 5, TALLY_SEMAPHORE },
		{ 8, 0, 0, 12, TALLY_CONDITION } };
	assert_int_equal(k.tally->nlocks, sizeof(known) / sizeof(known[0]));
	for (size_t i = 0; i < k.tally->nlocks; i++) {
		const struct tally_lock *l = &k.tally->locks[i];

		assert_int_equal(l->id, known[i].id);
		assert_int_equal(l->sort, known[i].sort);
		assert_int_equal(l->acquisitions, known[i].acquisitions);
		assert_int_equal(l->contended, known[i].contended);
		assert_int_equal(l->signals, known[i].signals);
	}
	done(&k);
}

static void
calls_and_memory_add_up(void **state)
{
	const struct tally_memory *m;
	const struct tally_rpc *rpc;
	struct known k;

	(void)state;
	make(&k);
	tell(&k, 0, EV_rpc_call, 1, 900, 64, k.say);
	tell(&k, 2, EV_rpc_begin, 3, 900, 64, k.say);
	tell(&k, 2, EV_rpc_end, 8, 900, 16, k.say);
	tell(&k, 0, EV_rpc_return, 11, 900, 16, k.say);
	tell(&k, 0, EV_rpc_call, 20, 901, 64, k.say); /* never answered */
	tell(&k, 0, EV_mem_alloc, 21, 0x1000, 100, k.place);
	tell(&k, 2, EV_mem_alloc, 21, 0x1000, 7, k.place); /* elsewhere */
	tell(&k, 0, EV_mem_alloc, 22, 0x2000, 50, k.place);
	tell(&k, 0, EV_mem_free, 23, 0x1000, 0, 0);
	tell(&k, 0, EV_mem_alloc, 24, 0x1000, 10, k.place);
	tell(&k, 0, EV_mem_free, 25, 0x3000, 0, 0); /* of nothing */
	tell(&k, 0, EV_mem_free, 26, 0, 0, 0);
	count(&k);
	assert_int_equal(k.tally->nrpcs, 1);
	rpc = &k.tally->rpcs[0];
	assert_int_equal(rpc->calls, 2);
	assert_int_equal(rpc->served, 1);
	assert_int_equal(rpc->returned, 1);
	assert_int_equal(rpc->sent_bytes, 128);
	assert_int_equal(rpc->answered_bytes, 16);
	assert_int_equal(rpc->times.total_ns, 10 * MS);
	assert_int_equal(rpc->service_ns, 5 * MS);
	m = &k.tally->memory;
	assert_int_equal(m->allocations, 4);
	assert_int_equal(m->bytes, 167);
	assert_int_equal(m->frees, 1);
	assert_int_equal(m->freed_bytes, 100);
	assert_int_equal(m->unknown_frees, 1);
	assert_int_equal(k.tally->nplaces, 2); /* of two programs */
	assert_int_equal(k.tally->places[0].allocations, 3);
	for (size_t i = 0; i < k.tally->npos; i++) {
		const struct tally_po *po = &k.tally->pos[i];

		assert_int_equal(po->live_bytes, po->po == 1   ? 60
						 : po->po == 2 ? 7
							       : 0);
		assert_int_equal(po->peak_bytes, po->po == 1   ? 150
						 : po->po == 2 ? 7
							       : 0);
	}
	done(&k);
}

/*
 * It is read by a reader of JSON of another make, if there is one; all of them
 * at once, since that one is slow to start.
 */
static FILE *reader;

static void
is_json(const char *text)
{
	if (reader == NULL && system("command -v python3 >/dev/null") == 0)
		reader = popen("python3 -c 'import json, sys\n"
			       "for t in sys.stdin.buffer.read().split(b\"\\0\""
			       ")[:-1]: json.loads(t.decode())'",
		    "w");
	if (reader != NULL)
		assert_int_equal(fwrite(text, 1, strlen(text) + 1, reader),
		    strlen(text) + 1);
}

static void
all_of_that_was_json(void **state)
{
	(void)state;
	if (reader == NULL)
		skip();
	assert_int_equal(pclose(reader), 0);
}

static void
written_in_three_ways(void **state)
{
	static char out[OUTPUT_BYTES];
	struct known k;
	uint32_t bad;

	(void)state;
	make(&k);
	bad = make_log_name(&k.log, "a\"b\\\x1b[31m\xff\xc3");
	tell(&k, 0, EV_thread_begin, 0, 0, 1, k.work);
	tell(&k, 0, EV_enter, 0, 0, 0, bad);
	tell(&k, 0, EV_leave, 3, 0, 0, bad);
	tell(&k, 0, EV_lock_acquire, 3, 5, 1, bad);
	count(&k);
	assert_int_equal(tools_run(report_run, "report", NULL, k.path, out), 0);
	assert_non_null(strstr(out, "\nfunctions, times in ms\n"));
	assert_non_null(strstr(out, "prog.c:19\n"));
	assert_non_null(strstr(out, ", still held\n"));
	/* program, and what the thread calls itself */
	assert_non_null(
	    strstr(out, "\n  n1/1.1           a                work "
			"            "));
	assert_int_equal(tools_run(report_run, "report", "--json", k.path, out),
	    0);
	assert_non_null(strstr(out,
	    "{ \"name\": \"a\\\"b\\\\\\\\x1b[31m\\\\xff\\\\xc3\", \"program\": "
	    "\"a\", \"place\": \"prog.c:19\", \"calls\": 1, \"outer_calls\": 1,"
	    " \"self_ns\": 3000000, "));
	is_json(out);
	assert_int_equal(tools_run(check_run, "check", "--json", k.path, out),
	    65); /* it was not made with all that check wants */
	assert_non_null(strstr(out, "\n  \"violations\": "));
	is_json(out);
	assert_int_equal(tools_run(report_run, "report", "--yaml", k.path, out),
	    0);
	assert_non_null(strstr(out, "\nrpcs: []\n"));
	done(&k);
}

static void
any_text_is_valid(void **state)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{ "", "\"\"" },
		{ "a\"\\\n\x7f", "\"a\\\"\\\\\\u000a\\u007f\"" },
		{ "\xc3\xa9\xe2\x82\xac", "\"\xc3\xa9\xe2\x82\xac\"" },
		{ "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" },
		{ "\xe2\x80\xae\xc2\x9b", "\"\\u202e\\u009b\"" },
		{ "\xff", "\"\xef\xbf\xbd\"" },
		{ "\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
				      "\xef\xbf\xbd\"" },
		{ "\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
	};
	char out[200], want[200];
	struct doc d;
	FILE *f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		f = fmemopen(out, sizeof(out), "w");
		assert_non_null(f);
		doc_begin(&d, f, DOC_JSON);
		doc_text(&d, "t", cases[i].text);
		doc_finish(&d);
		fclose(f);
		snprintf(want, sizeof(want), "{\n  \"t\": %s\n}\n",
		    cases[i].json);
		assert_string_equal(out, want);
		is_json(out);
	}
}

/* What monitord answers, and what somebody else may. */
static void
an_answer_becomes_json(void **state)
{
	static const struct {
		const char *yaml, *json;
	} cases[] = {
		{ "", "{}\n" },
		{ "run: { name: \"1\", seconds: 2.2, on: true }\nviewers: 0\n",
		    "{\n  \"run\": {\n    \"name\": \"1\",\n"
		    "    \"seconds\": 2.2,\n    \"on\": true\n  },\n"
		    "  \"viewers\": 0\n}\n" },
		{ "nodes:\n  - name: \"a\"\n    lag: -1\n  - name: \"b\"\n",
		    "{\n  \"nodes\": [\n    {\n      \"name\": \"a\",\n"
		    "      \"lag\": -1\n    },\n    {\n"
		    "      \"name\": \"b\"\n    }\n  ]\n}\n" },
		{ "nodes: []\nrate: inf\nold: 007\n",
		    "{\n  \"nodes\": [],\n  \"rate\": \"inf\",\n"
		    "  \"old\": \"007\"\n}\n" },
		{ "a: 1\na:\n  - b: 2\n  c: 3\n0: 4\n\"x: 5\na.b: 6\n", NULL },
		{ "a:\n  b: 1\na: 2\n- 3: 4\n  5: 6\n", NULL },
	};
	char out[1000];
	struct yaml y;
	FILE *f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(yaml_parse(&y, cases[i].yaml,
				     strlen(cases[i].yaml)),
		    0);
		f = fmemopen(out, sizeof(out), "w");
		assert_non_null(f);
		yaml_json(f, &y);
		fclose(f);
		if (cases[i].json != NULL)
			assert_string_equal(out, cases[i].json);
		is_json(out);
		yaml_clear(&y);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_recursive_calls_the_outermost_counts),
		cmocka_unit_test(functions_of_two_programs_are_two),
		cmocka_unit_test(a_suspended_task_takes_its_calls_with_it),
		cmocka_unit_test(what_is_open_ends_with_its_thread),
		cmocka_unit_test(lost_ends_do_not_go_on_for_ever),
		cmocka_unit_test(locks_know_who_held_them),
		cmocka_unit_test(what_is_counted_adds_to_what_is_told),
		cmocka_unit_test(calls_and_memory_add_up),
		cmocka_unit_test(written_in_three_ways),
		cmocka_unit_test(any_text_is_valid),
		cmocka_unit_test(an_answer_becomes_json),
		cmocka_unit_test(all_of_that_was_json),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
