/* Counters of the system: when they are read, and what is told. */
#include "tests/unit/collector_sweep.h"

#include <time.h>
#include <unistd.h>

#include "collector/shell/system/procfs.h"
#include "collector/sweep/drain_in.h"
#include "collector/sweep/measured/sampler.h"
#include "event.h"

/* What the system says, how long that takes, and how often it was asked. */
static struct {
	struct measures po, node;
	int64_t cost_ns, now_ns;
	unsigned reads, node_reads;
} world;

static bool
read_po(void *arg, struct measures *m)
{
	(void)arg;
	*m = world.po;
	world.reads++;
	world.now_ns += world.cost_ns;
	return (true);
}

static bool
read_node(void *arg, struct measures *m)
{
	(void)arg;
	*m = world.node;
	world.node_reads++;
	return (true);
}

static int64_t
world_now(struct env *env)
{
	(void)env;
	return (world.now_ns);
}

static const struct env_ops world_ops = { .now_ns = world_now };
static struct env world_env = { &world_ops };

static struct sampler *
begin(struct fixture *fx, int64_t period_ns)
{
	static struct source_ops ops;
	struct sampler *s;

	ops = program_ops;
	ops.measure = read_po;
	fx->program.dp->source.ops = &ops;
	memset(&world, 0, sizeof(world));
	world.now_ns = fx->now_ns;
	s = sampler_new(&world_env, fx->drain, period_ns, read_node, NULL);
	assert_non_null(s);
	return (s);
}

/* So many ticks of 1 ms. */
static void
run(struct fixture *fx, struct sampler *s, unsigned ticks, bool busy)
{
	for (unsigned i = 0; i < ticks; i++) {
		world.now_ns += ENV_MS;
		sampler_step(s, world.now_ns, busy);
	}
	fx->now_ns = world.now_ns;
	sweep(fx);
}

static size_t
told(const struct fixture *fx, enum measure_id id)
{
	size_t n = 0;

	for (size_t i = 0; i < fx->nout; i++)
		n += fx->out[i].e.kind == EV_measure &&
		     fx->out[i].e.c == IDENT_NAME_MEASURE + id;
	return (n);
}

static void
only_what_has_changed_is_told(void **state)
{
	struct fixture *fx = *state;
	struct sampler *s = begin(fx, 10 * ENV_MS);

	measure_set(&world.po, MEASURE_resident, 4096);
	measure_set(&world.node, MEASURE_node_load, 530);
	run(fx, s, 100, true);
	assert_int_equal(told(fx, MEASURE_resident), 1);
	assert_int_equal(told(fx, MEASURE_node_load), 1);
	assert_int_equal(told(fx, MEASURE_cpu), 0);
	assert_true(world.reads >= 9 && world.reads <= 11);
	measure_set(&world.po, MEASURE_resident, 8192);
	run(fx, s, 100, true);
	assert_int_equal(told(fx, MEASURE_resident), 2);
	assert_int_equal(told(fx, MEASURE_node_load), 1);
	for (size_t i = 0; i < fx->nout; i++)
		if (fx->out[i].e.c == IDENT_NAME_MEASURE + MEASURE_node_load)
			assert_int_equal(fx->out[i].e.b,
			    MEASURE_NODE | MEASURE_THOUSANDTHS);
	sampler_free(s);
}

static void
off_is_off(void **state)
{
	struct fixture *fx = *state;
	struct sampler *s = begin(fx, 0);

	measure_set(&world.po, MEASURE_resident, 4096);
	run(fx, s, 1000, true);
	sampler_last(s, fx->program.dp, fx->now_ns);
	assert_int_equal(world.reads + world.node_reads, 0);
	sampler_free(s);
}

/* When reading is slow, it is done more seldom: a hundredth of the time. */
static void
reading_takes_a_hundredth_of_the_time(void **state)
{
	struct fixture *fx = *state;
	struct sampler *s = begin(fx, 10 * ENV_MS);
	int64_t from_ns = world.now_ns, spent_ns;

	world.cost_ns = 5 * ENV_MS;
	run(fx, s, 20000, true);
	spent_ns = world.reads * world.cost_ns;
	assert_true(world.reads > 10);
	assert_true(spent_ns * 95 <= world.now_ns - from_ns);
	sampler_free(s);
}

static void
it_rests_while_nothing_happens(void **state)
{
	struct fixture *fx = *state;
	struct sampler *s = begin(fx, 100 * ENV_MS);
	unsigned reads;

	measure_set(&world.po, MEASURE_cpu, 1);
	run(fx, s, 10000, false);
	reads = world.reads;
	assert_true(reads < 20);
	run(fx, s, 250, true); /* at once when something does */
	assert_true(world.reads >= reads + 2);
	/* or when a process computes without a word */
	run(fx, s, 10000, false);
	reads = world.reads;
	for (int i = 0; i < 10000; i++) {
		world.po.value[MEASURE_cpu] += ENV_MS / 2;
		world.now_ns += ENV_MS;
		sampler_step(s, world.now_ns, false);
	}
	assert_true(world.reads > reads + 70);
	sampler_free(s);
}

/* Of ourselves: what the system says by other ways, too. */
static void
the_system_is_read_as_it_is(void **state)
{
	struct procfs *p = procfs_new((uint32_t)getpid());
	struct measures m = { .set = 0 }, later = { .set = 0 };
	struct timespec ts;
	int64_t ns;

	(void)state;
	procfs_process(p, &m);
	assert_int_equal(m.value[MEASURE_threads], 1);
	assert_true(m.value[MEASURE_resident] > 100000);
	assert_true(m.value[MEASURE_minor] > 10);
	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
		ns = (int64_t)ts.tv_sec * ENV_SEC + ts.tv_nsec;
	} while (ns < (int64_t)m.value[MEASURE_cpu] + 3 * ENV_MS);
	procfs_process(p, &later);
	assert_true((int64_t)later.value[MEASURE_cpu] >= ns);
	assert_true((int64_t)later.value[MEASURE_cpu] < ns + ENV_SEC);
	procfs_free(p);
	p = procfs_new(4194303); /* nobody has that number */
	m.set = 0;
	procfs_process(p, &m);
	assert_int_equal(m.set, 0);
	assert_false(procfs_ended(p, &m));
	procfs_free(p);
	assert_true(procfs_node(&m));
	assert_true(m.value[MEASURE_node_running] >= 1);
	assert_true(m.value[MEASURE_node_memory] > 1000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(only_what_has_changed_is_told,
		    set_up, tear_down),
		cmocka_unit_test_setup_teardown(off_is_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    reading_takes_a_hundredth_of_the_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_rests_while_nothing_happens,
		    set_up, tear_down),
		cmocka_unit_test(the_system_is_read_as_it_is),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
