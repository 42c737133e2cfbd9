/*
 * What is told of a remote call and of a process: against what the run was made
 * of, at instants before, in and behind each phase.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "tests/rnd.h"
#include "tests/unit/make_log.h"
#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define CALLS   40
#define THREADS 4 /* that call, and as many that serve */

struct call {
	uint32_t caller, callee; /* of THREADS */
	int64_t t[4];            /* call, begin, end, return */
};

struct made {
	struct call call[CALLS];
	uint32_t caller[THREADS], callee[THREADS]; /* locations */
	struct model *model;
};

static void
make_calls(struct made *k)
{
	struct make_log log = { 0 };
	int64_t t = 1000, at;

	rnd_state = 7;

	make_log_head(&log, "calls");
	for (uint32_t i = 0; i < 2; i++) {
		make_log_node(&log, 1 + i, i == 0 ? "n1" : "n2");
		make_log_po(&log, 1 + i, 1, i == 0 ? "asks" : "serves");
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		k->caller[i] = make_log_thread(&log, 1, 1, 1 + i, "c");
		k->callee[i] = make_log_thread(&log, 2, 1, 1 + i, "s");
	}
	make_log_event(&log, 0, EV_note, t, 0, 0, 0);
	for (uint64_t i = 0; i < CALLS; i++) {
		struct call *c = &k->call[i];
		static const unsigned kinds[] = { EV_rpc_call, EV_rpc_begin,
			EV_rpc_end, EV_rpc_return };

		c->caller = (uint32_t)(rnd() % THREADS);
		c->callee = (uint32_t)(rnd() % THREADS);
		at = t;
		for (int j = 0; j < 4; j++) {
			at += 10 + (int64_t)(rnd() % 1000);
			c->t[j] = at;
			make_log_event(&log,
			    j == 0 || j == 3 ? k->caller[c->caller]
					     : k->callee[c->callee],
			    kinds[j], at, i + 1, 8, 0);
		}
		t = at;
	}
	make_log_event(&log, 0, EV_note, t + 1000, 0, 0, 0);
	k->model = make_model(&log);
}

/* The line "callee ...", "setup ..." that must be there; by hand. */
static void
expect_phase(char *to, size_t n, int64_t now, int64_t from, int64_t until)
{
	char span[32];

	if (now < from)
		snprintf(to, n, "not yet");
	else if (now < until)
		snprintf(to, n, "%s so far",
		    format_span(span, sizeof(span), now - from));
	else
		snprintf(to, n, "%s",
		    format_span(span, sizeof(span), until - from));
}

static void
check_call(struct ui *ui, const struct made *k, const struct call *c,
    int64_t now, bool serves)
{
	static const char *const title[] = { "", "setup", "remote", "return" };
	uint32_t caller = model_location_lane(k->model, k->caller[c->caller]);
	uint32_t callee = model_location_lane(k->model, k->callee[c->callee]);
	struct remote_then x;
	struct span s[8];
	char words[200], must[200];
	size_t n;

	ui->play.head_mon_ns = now;
	n = model_stack(k->model, serves ? callee : caller, c->t[serves], s, 8);
	assert_int_equal(n, 1);
	assert_int_equal(s[0].t0_mon_ns, c->t[serves]);
	assert_true(remote_then(ui, serves ? callee : caller, &s[0], &x));
	assert_string_equal(remote_words(ui, &x, 0, words, sizeof(words)),
	    serves ? "caller" : "callee");
	if (!serves && now < c->t[1])
		snprintf(must, sizeof(must), "nobody so far");
	else
		label_where(ui, serves ? caller : callee, INT64_MIN, must,
		    sizeof(must));
	assert_string_equal(words, must);
	for (unsigned i = 1; i < 4; i++) {
		expect_phase(must, sizeof(must), now, c->t[i - 1], c->t[i]);
		assert_string_equal(remote_words(ui, &x, i, words,
					sizeof(words)),
		    title[i]);
		assert_string_equal(words, must);
	}
	assert_null(remote_words(ui, &x, 4, words, sizeof(words)));
}

static void
calls_are_told_as_they_were(void **state)
{
	struct made k;
	struct ui *ui;

	(void)state;
	make_calls(&k);
	ui = ui_put(k.model, "fit-all");
	for (int i = 0; i < CALLS; i++)
		for (int j = 0; j < 4; j++)
			for (int64_t by = -1; by <= 1; by++) {
				const struct call *c = &k.call[i];
				int64_t now = c->t[j] + by;

				if (now >= c->t[0])
					check_call(ui, &k, c, now, false);
				if (now >= c->t[1])
					check_call(ui, &k, c, now, true);
			}
	ui_free(ui);
	model_free(k.model);
}

static void
check_row(struct ui *ui, uint32_t lane, unsigned i, const char *title,
    const char *says)
{
	char words[200];

	assert_string_equal(process_words(ui, lane, i, words, sizeof(words)),
	    title);
	assert_string_equal(words, says);
}

static void
processes_are_told(void **state)
{
	struct make_log log = { 0 };
	uint32_t at[3], lane;
	struct model *m;
	struct ui *ui;

	(void)state;
	make_log_head(&log, "processes");
	make_log_node(&log, 1, "n1");
	for (uint32_t i = 0; i < 3; i++) {
		make_log_po(&log, 1, 1 + i, "prog");
		at[i] = make_log_thread(&log, 1, 1 + i, 0, "collector");
	}
	make_log_event(&log, at[0], EV_po_begin, 0, 4711, 0, 0);
	make_log_event(&log, at[1], EV_po_begin, 2000000, 4712, 1, 0);
	make_log_event(&log, at[0], EV_po_end, 5000000, 4711, 1,
	    ENDING_EXITED | 3);
	make_log_event(&log, at[1], EV_po_end, 7000000, 4712, 0,
	    ENDING_SIGNAL | 9);
	make_log_event(&log, 0, EV_note, 9000000, 0, 0, 0);
	m = make_model(&log);
	ui = ui_put(m, "fit-all");
	lane = model_po_lane(m, 0);
	check_row(ui, lane, 0, "pid", "4711");
	check_row(ui, lane, 1, "joined", "0.000000 s");
	check_row(ui, lane, 2, "left", "0.005000 s");
	check_row(ui, lane, 3, "ending", "exited 3, in good order");
	check_row(ui, lane, 4, "creator", "no process of this run");
	check_row(ui, lane, 5, "command", "prog");
	lane = model_po_lane(m, 1);
	check_row(ui, lane, 0, "pid", "4712");
	check_row(ui, lane, 2, "left", "0.007000 s");
	check_row(ui, lane, 3, "ending", "signal 9, not of itself");
	ui->play.head_mon_ns = 6000000; /* played back to before its end */
	check_row(ui, lane, 2, "left", "not yet");
	check_row(ui, lane, 3, "ending", "not yet");
	ui->play.head_mon_ns = INT64_MAX;
	lane = model_po_lane(m, 2);
	check_row(ui, lane, 0, "pid", "not told");
	check_row(ui, lane, 1, "joined", "not told");
	ui_free(ui);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_told_as_they_were),
		cmocka_unit_test(processes_are_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
