/*
 * The real monitord and the real collectors of four nodes in virtual time: who
 * is woken up when nothing happens, and how soon everybody is there again.
 */
#include "tests/unit/collector_fixture.h"

#include "common/peer.h"
#include "monitord/inside.h"
#include "tests/sim/env_sim.h"
#include "tests/sim/inside.h"

#define NODES   4
#define LATER   8 /* more of them, in one test */
#define ADDRESS "tcp:center:7420"
#define REST_BY (20 * ENV_SEC) /* the clocks are locked, and it is quiet */

struct quiet {
	struct sim *sim;
	struct sim_machine *center, *machines[NODES + LATER];
	struct env *env, *envs[NODES + LATER];
	struct monitord_core *core;
	struct collector_core *collectors[NODES + LATER];
	struct program program; /* on the first node */
	struct ring *ring;
	struct peer *viewer;
	int node; /* whose collector begins */
	int stopped;
	bool began_at_rest;
};

static void
ended(void *arg, int code)
{
	(void)arg;
	(void)code;
}

static void
begin_monitord(void *arg)
{
	struct quiet *q = arg;
	const char *listen[1] = { ADDRESS };
	struct core_settings set = { .log_path = "/run.orr",
		.run_name = "quiet",
		.listen = listen,
		.nlisten = 1,
		.open = true };
	struct store_error err;

	q->core = core_new(q->env, &set, ended, q, &err);
}

static void
stopped(void *arg)
{
	((struct quiet *)arg)->stopped++;
}

static const struct collector_ops quiet_ops = { .stopped = stopped };

static void
begin_collector(void *arg)
{
	struct quiet *q = arg;
	char name[16];
	struct collector_options o = { .name = name,
		.monitord = ADDRESS,
		.spool_dir = "/spool",
		.spool_limit_bytes = 16u << 20,
		.mask = COLLECTOR_MASK_ALL };

	snprintf(name, sizeof(name), "n%d", q->node + 1);
	q->collectors[q->node] =
	    collector_core_new(q->envs[q->node], &o, &quiet_ops, q);
}

static void
attach(void *arg)
{
	struct quiet *q = arg;
	struct msg_po m = { .po = collector_core_next_po(q->collectors[0]),
		.pid = 42,
		.program = BYTES_STR("app"),
		.command = BYTES_STR("./app") };

	q->program.dp =
	    collector_core_attach(q->collectors[0], &m, &q->program.source);
}

static void
pass(struct quiet *q, int64_t ns)
{
	sim_run(q->sim, sim_now(q->sim) + ns);
}

static const struct clock_kind clock_kind = { .offset_s = 1,
	.drift_ppm = 100,
	.walk = 1e-8 };

static void
node_comes(struct quiet *q, int i)
{
	char name[16];

	snprintf(name, sizeof(name), "m%d", i);
	q->machines[i] = sim_machine_new(q->sim, name, &clock_kind);
	q->envs[i] = sim_process(q->machines[i]);
	q->node = i;
	assert_true(sim_inside(q->envs[i], begin_collector, q));
	assert_non_null(q->collectors[i]);
}

static int
set_up(void **state)
{
	static const struct path_kind path = { 30, 20, 0.01, 5000, 0, 0, 0 };
	struct quiet *q = calloc(1, sizeof(*q));

	*state = q;
	q->sim = sim_new(1, &path);
	q->center = sim_machine_new(q->sim, "center", &clock_kind);
	q->env = sim_process(q->center);
	assert_true(sim_inside(q->env, begin_monitord, q));
	assert_non_null(q->core);
	q->began_at_rest = q->core->resting;
	for (int i = 0; i < NODES; i++)
		node_comes(q, i);
	program_init(&q->program, 4, 4096);
	pass(q, REST_BY);
	assert_true(q->core->resting);
	return (0);
}

static int
tear_down(void **state)
{
	struct quiet *q = *state;

	peer_close(q->viewer, false);
	core_free(q->core);
	for (int i = 0; i < NODES + LATER; i++)
		collector_core_free(q->collectors[i]);
	sim_free(q->sim);
	free(q->program.seg);
	free(q);
	return (0);
}

static uint64_t
wakes(struct env *env)
{
	return (((struct env_sim *)env)->wakes);
}

static uint64_t
pings(struct quiet *q, int i)
{
	struct clocksync_stats st;
	char name[16];

	snprintf(name, sizeof(name), "n%d", i + 1);
	clocksync_stats(core_node(q->core, name)->clocks.sync,
	    core_now(q->core), &st);
	return (st.pings);
}

static struct reorder_stats
order(struct quiet *q)
{
	struct reorder_stats s;

	reorder_stats(q->core->reorder, &s);
	return (s);
}

static void
program_comes(struct quiet *q)
{
	assert_true(sim_inside(q->envs[0], attach, q));
	assert_non_null(q->program.dp);
	q->ring = program_thread(&q->program, 0, 1);
}

/* An event now; how long it took to be in the order. */
static int64_t
taken_ns(struct quiet *q)
{
	int64_t from = sim_now(q->sim);
	uint64_t out = order(q).out;

	assert_true(program_publish(&q->program, q->ring,
	    sim_machine_clock(q->machines[0]), EV_note, 1, 0));
	while (order(q).out == out && sim_now(q->sim) < from + ENV_SEC)
		pass(q, ENV_MS / 10);
	assert_int_equal(order(q).out, out + 1);
	return (sim_now(q->sim) - from);
}

static void
who_has_nothing_to_do_is_left_alone(void **state)
{
	struct quiet *q = *state;
	uint64_t was = wakes(q->env), were[NODES];

	for (int i = 0; i < NODES; i++)
		were[i] = wakes(q->envs[i]);
	pass(q, 60 * ENV_SEC);
	/* a timer and a message count as two here, also of the same moment */
	assert_in_range(wakes(q->env) - was, 60, 25 * 60);
	for (int i = 0; i < NODES; i++)
		assert_in_range(wakes(q->envs[i]) - were[i], 60, 5 * 60);
	assert_int_equal(order(q).stalls, 0); /* silence, and nobody minds */
}

/* Else the start of n nodes costs n times n. */
static void
nodes_that_come_wake_nobody(void **state)
{
	struct quiet *q = *state;
	uint64_t were[NODES + LATER];

	assert_true(q->began_at_rest);
	for (int i = 0; i < NODES; i++)
		were[i] = wakes(q->envs[i]);
	for (int i = NODES; i < NODES + LATER; i++) {
		node_comes(q, i);
		pass(q, 100 * ENV_MS);
	}
	pass(q, ENV_SEC);
	assert_true(q->core->resting);
	for (int i = 0; i < NODES; i++)
		assert_in_range(wakes(q->envs[i]) - were[i], 0, 20);
	/* those that have come are asked for their clocks, and rest, too */
	for (int i = NODES; i < NODES + LATER; i++)
		were[i] = wakes(q->envs[i]) - pings(q, i);
	pass(q, ENV_SEC);
	for (int i = NODES; i < NODES + LATER; i++)
		assert_in_range(wakes(q->envs[i]) - pings(q, i) - were[i], 1,
		    10);
}

static void
bounds_of_clocks_hold_that_are_seldom_asked(void **state)
{
	struct quiet *q = *state;
	struct clocksync *sync;
	char name[16];
	int64_t at, off;

	for (int k = 0; k < 3000; k++) {
		pass(q, 20 * ENV_MS);
		for (int i = 0; i < NODES; i++) {
			snprintf(name, sizeof(name), "n%d", i + 1);
			sync = core_node(q->core, name)->clocks.sync;
			at = sim_machine_clock(q->machines[i]);
			off = clocksync_mon(sync, at) -
			      sim_machine_clock(q->center);
			assert_true(llabs(off) <= clocksync_error(sync, at));
		}
	}
	assert_true(q->core->resting);
}

static void
the_first_event_is_as_quick_as_any(void **state)
{
	struct quiet *q = *state;

	program_comes(q);
	pass(q, ENV_SEC);
	assert_false(q->core->resting);
	pass(q, 10 * ENV_SEC);
	assert_true(q->core->resting); /* it has a program, and no events */
	/* found in 10 ms, sent after 5; then all look twice, at once */
	assert_in_range(taken_ns(q), 1, 22 * ENV_MS);
	assert_false(q->core->resting);
	assert_int_equal(order(q).late, 0);
	assert_int_equal(order(q).stalls, 0);
	for (int i = 0; i < 20; i++)
		assert_in_range(taken_ns(q), 1, 75 * ENV_MS);
}

static void
who_was_stopped_while_it_rested_is_not_waited_for(void **state)
{
	struct quiet *q = *state;

	program_comes(q);
	pass(q, 10 * ENV_SEC);
	assert_true(q->core->resting);
	sim_pause(q->envs[2], sim_now(q->sim) + 30 * ENV_SEC);
	pass(q, 5 * ENV_SEC);
	assert_true(q->core->resting);
	assert_in_range(taken_ns(q), 150 * ENV_MS, 200 * ENV_MS);
	assert_int_equal(order(q).stalls, 1);
	assert_in_range(taken_ns(q), 1, 75 * ENV_MS);
	pass(q, 30 * ENV_SEC); /* it goes on */
	assert_int_equal(order(q).stalled_nodes, 0);
	assert_true(q->core->resting);
}

static void
viewer_connected(void *arg)
{
	struct quiet *q = arg;
	struct msg_hello h = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_VIEWER,
		.name = BYTES_STR("test") };

	peer_send(q->viewer, MSG_hello, &h);
}

static const struct peer_ops viewer_ops = { .connected = viewer_connected };

static void
view(void *arg)
{
	struct quiet *q = arg;

	q->viewer = peer_connect(q->env, ADDRESS, "viewer", &viewer_ops, q);
}

static void
a_viewer_sees_how_far_all_nodes_are(void **state)
{
	struct quiet *q = *state;

	assert_true(sim_inside(q->env, view, q));
	pass(q, 200 * ENV_MS); /* the first pulse */
	for (int i = 0; i < 1000; i++) {
		pass(q, 10 * ENV_MS);
		assert_in_range(core_now(q->core) -
				    reorder_watermark(q->core->reorder),
		    1, 200 * ENV_MS);
		assert_false(q->core->resting);
	}
	peer_close(q->viewer, false);
	q->viewer = NULL;
	pass(q, 10 * ENV_SEC + ENV_MS);
	assert_true(q->core->resting);
}

static void
finish(void *arg)
{
	core_finish(((struct quiet *)arg)->core);
}

/* Else those of 256 nodes on one machine keep monitord from its work. */
static void
who_waits_to_be_let_go_waits_quietly(void **state)
{
	struct quiet *q = *state;
	uint64_t were[NODES];

	assert_true(sim_inside(q->env, finish, q));
	pass(q, 2 * ENV_MS); /* they have been asked */
	sim_pause(q->env, sim_now(q->sim) + ENV_SEC);
	pass(q, 20 * ENV_MS); /* and have answered */
	for (int i = 0; i < NODES; i++)
		were[i] = wakes(q->envs[i]);
	pass(q, 900 * ENV_MS);
	for (int i = 0; i < NODES; i++)
		assert_in_range(wakes(q->envs[i]) - were[i], 1, 60);
	assert_int_equal(q->stopped, 0);
	pass(q, 3 * ENV_SEC);
	assert_int_equal(q->stopped, NODES);
	assert_int_equal(q->core->state, CORE_FINISHED);
}

/* Nothing is to be mapped any more: clocks may go on resting. */
static void
an_end_asks_no_clock_more_often(void **state)
{
	struct quiet *q = *state;
	uint64_t were[NODES];

	for (int i = 0; i < NODES; i++)
		were[i] = pings(q, i);
	sim_pause(q->envs[0], sim_now(q->sim) + 4 * ENV_SEC);
	assert_true(sim_inside(q->env, finish, q));
	pass(q, 4 * ENV_SEC);
	assert_int_equal(q->core->state, CORE_FINISHING); /* it waits for one */
	for (int i = 1; i < NODES; i++)
		assert_in_range(pings(q, i) - were[i], 0, 16);
	pass(q, ENV_SEC);
	assert_int_equal(q->core->state, CORE_FINISHED);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(who_has_nothing_to_do_is_left_alone),
		T(nodes_that_come_wake_nobody),
		T(bounds_of_clocks_hold_that_are_seldom_asked),
		T(the_first_event_is_as_quick_as_any),
		T(who_was_stopped_while_it_rested_is_not_waited_for),
		T(a_viewer_sees_how_far_all_nodes_are),
		T(who_waits_to_be_let_go_waits_quietly),
		T(an_end_asks_no_clock_more_often),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : -1);
	return (
	    cmocka_run_group_tests_name("monitord rest", tests, NULL, NULL));
}
