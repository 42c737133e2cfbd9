/* What monitord itself has to say: nothing but late events is told in sums. */
#include "tests/unit/monitord_fake.h"

#include "monitord/inside.h"
#include "tracefile.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_stall_has_its_rejoin_with_many_nodes),
		cmocka_unit_test(every_orphan_has_its_cause_told),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (
	    cmocka_run_group_tests_name("monitord said", tests, NULL, NULL));
}
