/* What a sampler finds, as events: stacks first, each once, and CPU time. */
#include "tests/unit/collector_sweep.h"

#include "collector/sweep/code/stacks.h"
#include "collector/sweep/drain_in.h"
#include "collector/sweep/measured/sched.h"
#include "event.h"

#define RECORDS_MAX 1024
#define CODE        UINT64_C(0x400000)

static struct {
	struct sched_record r[RECORDS_MAX];
	uint64_t at[RECORDS_MAX][3];
	size_t deep[RECORDS_MAX];
	size_t n, done;
} kernel;

static size_t
kernel_read(void *arg, struct chains *chains, struct sched_record *out,
    size_t max)
{
	size_t n = 0, i;

	(void)arg;
	while (n < max && kernel.done < kernel.n) {
		i = kernel.done++;
		out[n] = kernel.r[i];
		if (kernel.deep[i] > 0)
			out[n].chain = chains_find(chains, out[n].pid,
			    kernel.at[i], kernel.deep[i]);
		n++;
	}
	return (n);
}

static void
switched(int64_t t_node_ns, uint32_t tid, uint16_t kind)
{
	assert_true(kernel.n < RECORDS_MAX);
	kernel.deep[kernel.n] = 0;
	kernel.r[kernel.n++] = (struct sched_record){ .t_node_ns = t_node_ns,
		.pid = 42,
		.tid = tid,
		.kind = kind };
}

/* Innermost first; 0 ends it. */
static void
found(int64_t t_node_ns, uint32_t tid, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t at[] = { a, b, c };
	size_t n = 0;

	switched(t_node_ns, tid, EV_sample_found);
	for (; n < 3 && at[n] != 0; n++)
		kernel.at[kernel.n - 1][n] = at[n];
	kernel.deep[kernel.n - 1] = n;
}

static struct sched *
begin(struct fixture *fx)
{
	struct sched *s = sched_new(kernel_read, NULL);
	const struct msg_module code = { .po = fx->program.dp->po->number,
		.start = CODE,
		.end = CODE + 0x10000,
		.path = BYTES_STR("/bin/prog") };

	assert_non_null(s);
	memset(&kernel, 0, sizeof(kernel));
	sweep(fx);
	assert_int_equal(drain_module(fx->program.dp, &code), 0);
	assert_int_equal(drain_sampling(fx->program.dp, "made up", 999, true,
			     fx->now_ns),
	    0);
	return (s);
}

/* The next event of a kind. */
static const struct node_event *
next_of(const struct fixture *fx, size_t *at, unsigned kind)
{
	while (*at < fx->nout)
		if (fx->out[(*at)++].e.kind == kind)
			return (&fx->out[*at - 1].e);
	fail_msg("no more of kind %u", kind);
	return (NULL);
}

static size_t
count_of(const struct fixture *fx, unsigned kind)
{
	size_t n = 0;

	for (size_t i = 0; i < fx->nout; i++)
		n += fx->out[i].e.kind == kind;
	return (n);
}

static void
how_it_is_sampled_is_told(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	const struct node_event *e;
	size_t at = 0;

	assert_int_equal(drain_sampling(fx->program.dp, "made up", 0, false,
			     fx->now_ns),
	    0);
	spooled(fx);
	e = next_of(fx, &at, EV_sample_from);
	assert_int_equal(e->a, 999);
	assert_int_equal(e->b, 1);
	assert_int_equal(e->c, IDENT_NAME_SAMPLE);
	assert_int_equal(next_of(fx, &at, EV_sample_from)->a, 0);
	assert_int_equal(count_of(fx, EV_sched_from), 1);
	sched_free(s);
}

/* What two have in common is told once, the outermost first. */
static void
stacks_are_told_once_and_before(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;
	const struct node_event *e;
	uint64_t outer, inner;
	size_t at = 0;

	found(t, 7, CODE + 1, CODE + 0x101, CODE + 0x201);
	found(t + 10, 7, CODE + 2, CODE + 0x101, CODE + 0x201);
	found(t + 20, 7, CODE + 1, CODE + 0x101, CODE + 0x201);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(count_of(fx, EV_sample_stack), 4);
	assert_int_equal(count_of(fx, EV_sample_found), 3);
	e = next_of(fx, &at, EV_sample_stack);
	assert_int_equal(e->b, 0);
	assert_int_not_equal(e->c, 0);
	outer = e->a;
	e = next_of(fx, &at, EV_sample_stack);
	assert_int_equal(e->b, outer);
	outer = e->a;
	e = next_of(fx, &at, EV_sample_stack);
	assert_int_equal(e->b, outer);
	inner = e->a;
	e = next_of(fx, &at, EV_sample_stack);
	assert_int_equal(e->b, outer);
	assert_int_equal(next_of(fx, &at, EV_sample_found)->c, inner);
	assert_int_equal(next_of(fx, &at, EV_sample_found)->c, e->a);
	assert_int_equal(next_of(fx, &at, EV_sample_found)->c, inner);
	sched_free(s);
}

/* Where code has no frame pointers, anything is in that register. */
static void
what_is_in_no_code_ends_a_stack(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;
	size_t at = 0;

	found(t, 7, CODE + 1, 0x7ffd1234, CODE + 0x201);
	found(t + 10, 7, 0x7ffd1234, CODE + 0x101, 0);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(count_of(fx, EV_sample_stack), 3);
	assert_int_equal(next_of(fx, &at, EV_sample_stack)->b, 0);
	sched_free(s);
}

/* It had a processor for 100, then for 20 and 30; none for 1000 between. */
static void
a_sample_stands_for_processor_time(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS, since_ns;
	size_t at = 0;

	since_ns = fx->program.dp->said_ns;
	switched(t, 7, EV_sched_new);
	switched(t + 50, 7, EV_sched_in);
	found(t + 150, 7, CODE + 1, 0, 0);
	switched(t + 170, 7, EV_sched_out);
	switched(t + 1170, 7, EV_sched_in);
	found(t + 1200, 7, CODE + 1, 0, 0);
	found(t + 1300, 8, 0, 0, 0);
	assert_true(sched_tell(s, fx->drain, t + 5000));
	spooled(fx);
	assert_int_equal(next_of(fx, &at, EV_sample_found)->b, 100);
	assert_int_equal(next_of(fx, &at, EV_sample_found)->b, 50);
	/* of which nothing was known: since its process is sampled */
	assert_int_equal(next_of(fx, &at, EV_sample_found)->b,
	    t + 1300 - since_ns);
	assert_int_equal(fx->out[at - 1].e.c, 0);
	sched_free(s);
}

/* What the kernel had noted before comes after the word that it is over. */
static void
when_it_is_over_nothing_comes(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = begin(fx);
	int64_t t = fx->now_ns + ENV_MS;

	found(t, 7, CODE + 1, 0, 0);
	assert_true(sched_tell(s, fx->drain, t + 10));
	assert_int_equal(drain_sampling(fx->program.dp, "made up", 0, false,
			     fx->now_ns),
	    0);
	found(t + 20, 7, CODE + 2, 0, 0);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(count_of(fx, EV_sample_found), 1);
	assert_int_equal(count_of(fx, EV_sample_stack), 1);
	sched_free(s);
}

static void
nobody_has_asked(void **state)
{
	struct fixture *fx = *state;
	struct sched *s = sched_new(kernel_read, NULL);
	int64_t t = fx->now_ns + ENV_MS;

	memset(&kernel, 0, sizeof(kernel));
	fx->program.dp->source.sched = "made up";
	sweep(fx);
	fx->nout = 0;
	found(t, 7, CODE + 1, 0, 0);
	switched(t + 1, 7, EV_sched_out);
	assert_true(sched_tell(s, fx->drain, t + 100));
	spooled(fx);
	assert_int_equal(fx->nout, 1);
	sched_free(s);
}

/* More than there may be, of one process after the other. */
static void
chains_are_given_up_when_they_are_too_many(void **state)
{
	struct chains *cs = chains_new();
	struct chain *c, *first;
	uint64_t at[2] = { 0, 1 };

	(void)state;
	assert_non_null(cs);
	first = chains_find(cs, 1, at, 2);
	assert_non_null(first);
	assert_ptr_not_equal(chains_find(cs, 2, at, 2), first);
	assert_ptr_not_equal(chains_find(cs, 1, at, 1), first);
	while (!chains_full(cs)) {
		at[0]++;
		c = chains_find(cs, 1, at, 2);
		assert_non_null(c);
		assert_ptr_equal(chains_find(cs, 1, at, 2), c);
	}
	at[0] = 0;
	assert_ptr_equal(chains_find(cs, 1, at, 2), first);
	at[0] = UINT64_MAX;
	assert_null(chains_find(cs, 1, at, 2));
	chains_clear(cs);
	assert_non_null(chains_find(cs, 1, at, 2));
	chains_free(cs);
}

static void
stacks_have_numbers_by_caller_and_place(void **state)
{
	struct stacks *s = stacks_new();
	uint32_t n;

	(void)state;
	assert_non_null(s);
	for (uint32_t i = 0; i < 5000; i++) {
		n = stacks_number(s, i % 7, i / 7);
		assert_int_equal(n, i + 1);
		assert_int_equal(stacks_number(s, i % 7, i / 7), n);
		assert_int_equal(stacks_at(s, n).caller, i % 7);
		assert_int_equal(stacks_at(s, n).address, i / 7);
	}
	assert_int_equal(stacks_all(s), 5000);
	stacks_free(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(how_it_is_sampled_is_told),
		TEST(stacks_are_told_once_and_before),
		TEST(what_is_in_no_code_ends_a_stack),
		TEST(a_sample_stands_for_processor_time),
		TEST(when_it_is_over_nothing_comes),
		TEST(nobody_has_asked),
		cmocka_unit_test(chains_are_given_up_when_they_are_too_many),
		cmocka_unit_test(stacks_have_numbers_by_caller_and_place),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
