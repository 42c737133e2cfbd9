/* What monitord itself has to say: nothing but late events is told in sums. */
#include "tests/unit/monitord_fake.h"

#include "log/tracefile.h"
#include "monitord/inside.h"

#define NODES 1000u

struct said {
	unsigned n[EVENT_KINDS];
};

static int
said_event(void *arg, const struct event *e)
{
	((struct said *)arg)->n[e->kind]++;
	return (0);
}

static struct said
read_said(const struct world *w)
{
	static const struct trace_sink sink = { .event = said_event };
	struct said said = { { 0 } };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(w->log, &why);

	assert_non_null(t);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &said),
	    0);
	tracefile_close(t);
	return (said);
}

/* A machine that stands still for a moment, with all of them on it. */
static void
every_stall_has_its_rejoin_with_many_nodes(void **state)
{
	struct world w;
	struct said said;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	for (uint32_t i = 1; i <= NODES; i++)
		core_stalled(w.core, i, true, 200 * ENV_MS);
	for (uint32_t i = 1; i <= NODES; i++)
		core_stalled(w.core, i, false, 200 * ENV_MS);
	core_say_all(w.core);
	assert_int_equal(world_finish(&w), 0);
	said = read_said(&w);
	assert_int_equal(said.n[EV_stall], NODES);
	assert_int_equal(said.n[EV_rejoin], NODES);
	world_close(&w);
}

/* A collector that was stopped comes back with thousands of causes at once. */
static void
every_orphan_has_its_cause_told(void **state)
{
	struct event cause = { .kind = EV_send };
	struct world w;
	struct said said;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 1; i <= 100000; i++) {
			cause.a = i;
			core_found(w.core, &cause, 2, 1);
		}
		core_say_all(w.core);
	}
	assert_int_equal(world_finish(&w), 0);
	said = read_said(&w);
	assert_int_equal(said.n[EV_found], 200000);
	world_close(&w);
}

static const struct env_ops *true_ops;
static unsigned timers; /* that were set to less than a second */

static void
timer_set_counted(struct env_timer *t, int64_t delay_ns)
{
	timers += delay_ns < ENV_SEC;
	true_ops->timer_set(t, delay_ns);
}

/* Heartbeats come and go; nobody waits for what they say. */
static void
nothing_is_done_when_nothing_happens(void **state)
{
	struct env_ops ops;
	struct world w;
	struct fake f;
	int64_t end_ns;
	unsigned beats;
	bool quiet = false;

	(void)state;
	open_one(&w, &f);
	fake_publish(&f, 10);
	WAIT_FOR(&w, f.acked == 1);
	f.silent_clock = true; /* pings have a rhythm of their own */
	true_ops = w.env->ops;
	ops = *true_ops;
	ops.timer_set = timer_set_counted;
	w.env->ops = &ops;
	/* on a busy machine a beat may be late, which has to be told */
	for (int i = 0; i < 20 && !quiet; i++) {
		end_ns = ops.now_ns(w.env) + ENV_SEC;
		timers = 0;
		beats = f.beats;
		while (ops.now_ns(w.env) < end_ns || f.beats < beats + 20)
			event_base_loop(env_event_base(w.env), EVLOOP_ONCE);
		/* each beat sets the fake's own, and none of monitord's */
		quiet = timers < f.beats - beats + 10;
	}
	assert_true(quiet);
	w.env->ops = true_ops;
	close_one(&w, &f);
}

static bool
status_says(struct world *w, const char *what)
{
	char *text = status_text(w->core);
	bool says;

	assert_non_null(text);
	says = strstr(text, what) != NULL;
	free(text);
	return (says);
}

static void
what_befell_a_node_is_shown_until_it_is_back(void **state)
{
	struct world w;
	struct fake f;

	(void)state;
	open_one(&w, &f);
	core_node_note(w.core, "n1", "its ssh has exited with 255");
	assert_true(status_says(&w, "note: \"its ssh has exited with 255\""));
	fake_again(&f);
	assert_false(status_says(&w, "note:"));
	close_one(&w, &f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_stall_has_its_rejoin_with_many_nodes),
		cmocka_unit_test(nothing_is_done_when_nothing_happens),
		cmocka_unit_test(every_orphan_has_its_cause_told),
		cmocka_unit_test(what_befell_a_node_is_shown_until_it_is_back),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (
	    cmocka_run_group_tests_name("monitord said", tests, NULL, NULL));
}
