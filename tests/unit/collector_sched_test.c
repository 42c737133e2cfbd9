/* Records of the scheduler, as events in the order of each process. */
#include "tests/unit/collector_sweep.h"

#include "collector/sweep/drain_in.h"
#include "collector/sweep/measured/sched.h"
#include "event.h"

#define RECORDS_MAX 1024

static struct {
	struct sched_record r[RECORDS_MAX];
	size_t n, at;
} kernel;

static size_t
kernel_read(void *arg, struct chains *chains, struct sched_record *out,
    size_t max)
{
	size_t n = 0;

	(void)arg;
	(void)chains;
	while (n < max && kernel.at < kernel.n)
		out[n++] = kernel.r[kernel.at++];
	return (n);
}

static void
happens(int64_t t_node_ns, uint32_t pid, uint32_t tid, uint32_t cpu,
    uint16_t kind)
{
	assert_true(kernel.n < RECORDS_MAX);
	kernel.r[kernel.n++] =
	    (struct sched_record){ t_node_ns, pid, tid, cpu, kind, 0, NULL };
}

static struct sched *
begin(struct fixture *fx)
{
	struct sched *s = sched_new(kernel_read, NULL);

	assert_non_null(s);
	memset(&kernel, 0, sizeof(kernel));
	fx->program.dp->source.sched = "made up";
	fx->program.dp->begun_ns = fx->now_ns;
	sweep(fx);
	fx->nout = 0;
	return (s);
}

/* Two processors have been read one after the other. */
static void
processors_are_put_in_order_of_time(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;

	for (int cpu = 0; cpu < 2; cpu++)
		for (int i = 0; i < 400; i++)
			happens(t + i * 1000 + cpu * 500, 42, 7, (uint32_t)cpu,
			    i % 2 ? EV_sched_out : EV_sched_in);
	assert_true(sched_tell(s, fx->drain, t + ENV_SEC));
	spooled(fx);
	assert_int_equal(fx->nout, 800);
	for (size_t i = 0; i < fx->nout; i++) {
		assert_int_equal(fx->out[i].e.t_node_ns, t + (int64_t)i * 500);
		assert_int_equal(fx->out[i].e.b, i % 2);
		assert_int_equal(fx->out[i].e.a, 7);
	}
	sched_free(s);
}

/* What is too young waits: another processor may have something earlier. */
static void
the_young_wait_for_others(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;

	happens(t + 10, 42, 7, 0, EV_sched_in);
	happens(t + 30, 42, 7, 0, EV_sched_out);
	assert_true(sched_tell(s, fx->drain, t + 20));
	happens(t + 25, 42, 8, 1, EV_sched_in);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(fx->nout, 3);
	assert_int_equal(fx->out[0].e.a, 7);
	assert_int_equal(fx->out[1].e.a, 8);
	assert_int_equal(fx->out[2].e.t_node_ns, t + 30);
	assert_int_equal(fx->out[2].seq, fx->out[0].seq + 2);
	sched_free(s);
}

static void
strangers_are_left_out(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;

	happens(t, 99, 99, 0, EV_sched_in);
	happens(fx->program.dp->begun_ns - 5, 42, 7, 0, EV_sched_in);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(fx->nout, 0);
	sched_free(s);
}

static void
what_the_kernel_has_lost_is_counted(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	struct stream *about = fx->program.dp->po->about;
	uint64_t lost = about->lost;

	happens(fx->now_ns + 10, 0, 1234, 0, EV_lost);
	assert_true(sched_tell(s, fx->drain, fx->now_ns + 100));
	spooled(fx);
	assert_int_equal(fx->nout, 1);
	assert_int_equal(fx->out[0].e.kind, EV_lost);
	assert_int_equal(fx->out[0].e.a, 1234);
	assert_int_equal(fx->out[0].e.c, LOST_SCHED);
	assert_int_equal(about->lost, lost + 1234);
	sched_free(s);
}

/* Without room nothing is dropped, and nothing may be vouched for. */
static void
a_full_spool_loses_nothing(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;
	struct msg_name big = { .name = 1, .po = 1 };
	static char text[1024];

	memset(text, 'x', sizeof(text));
	big.text = (struct bytes){ text, sizeof(text) };
	for (int i = 0; i < 300; i++)
		happens(t + i, 42, 7, 0, EV_sched_in);
	fx->refuse = true;
	while (drain_fits(fx->drain))
		assert_int_equal(batch_add_definition(fx->writer, MSG_name,
				     &big),
		    0);
	assert_false(sched_tell(s, fx->drain, t + 1000));
	fx->refuse = false;
	assert_true(sched_tell(s, fx->drain, t + 1000));
	spooled(fx);
	assert_int_equal(fx->nout, 300);
	sched_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    processors_are_put_in_order_of_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_young_wait_for_others,
		    set_up, tear_down),
		cmocka_unit_test_setup_teardown(strangers_are_left_out, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    what_the_kernel_has_lost_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_spool_loses_nothing,
		    set_up, tear_down),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
