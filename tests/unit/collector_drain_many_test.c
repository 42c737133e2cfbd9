/*
 * Programs with more names, threads and processes than fit a batch: each batch
 * stays small, nothing is left out, and nobody else has to wait for them.
 */
#include "tests/unit/collector_sweep.h"

#define NAMES   60000u /* 3 MB of definitions */
#define THREADS 20000u

/* Another program beside the fixture's, with room for many of everything. */
static void
crowd_init(struct fixture *fx, struct program *p, uint32_t po, uint32_t nrings,
    uint64_t names_bytes)
{
	struct msg_po m = { .po = po,
		.pid = 40 + po,
		.program = BYTES_STR("crowd"),
		.command = BYTES_STR("./crowd") };
	struct po *ident = ident_po_new(fx->ident, &m);

	program_init(p, nrings, names_bytes);
	assert_non_null(ident_stream_new(fx->ident, ident, 0, m.pid, ""));
	p->dp = drain_attach(fx->drain, ident, &p->source, false, fx->now_ns);
	assert_non_null(p->dp);
}

static void
many_names(struct program *p, unsigned n)
{
	char text[32];

	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "object-%u", i);
		program_name(p, text);
	}
}

/* Of names alone: no batch is ever closed for the events in it. */
static void
names_without_number_come_in_batches_of_any_number(void **state)
{
	struct fixture *fx = *state;
	struct program crowd;
	struct ring *r;

	crowd_init(fx, &crowd, 2, 4, 8u << 20);
	many_names(&crowd, NAMES);
	r = program_thread(&crowd, 0, 1);
	program_publish(&crowd, r, fx->now_ns, EV_enter, 1, NAMES);
	for (int i = 0; i < 100 && fx->names < NAMES; i++)
		sweep(fx);
	assert_int_equal(fx->names, NAMES);
	assert_true(fx->batches > 8);
	assert_true(fx->largest < 2 * DRAIN_BATCH_BYTES);
	sweep(fx);
	assert_int_equal(fx->out[fx->nout - 1].e.c, NAMES);
	drain_detach(crowd.dp, true);
	sweep(fx);
	sweep(fx);
	assert_true(crowd.released);
	free(crowd.seg);
}

/* One take has an end, so that the rings of others are emptied meanwhile. */
static void
a_program_with_many_names_waits_for_them_alone(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1), *r2;
	struct program crowd;
	uint64_t sweeps = 0;

	crowd_init(fx, &crowd, 2, 4, 8u << 20);
	many_names(&crowd, NAMES);
	r2 = program_thread(&crowd, 0, 1);
	program_publish(&crowd, r2, fx->now_ns, EV_enter, 1, NAMES);
	while (fx->names < NAMES) {
		assert_true(program_publish(&fx->program, r, fx->now_ns,
		    EV_note, sweeps++, 0));
		sweep(fx);
		assert_int_equal(atomic_load(&r->tail), sweeps);
		assert_true(sweeps < 100);
	}
	assert_true(sweeps > 2);
	sweep(fx);
	assert_int_equal(atomic_load(&r2->tail), 1);
	drain_detach(crowd.dp, true);
	sweep(fx);
	sweep(fx);
	free(crowd.seg);
}

/* They are told of when they are seen, before anything is taken. */
static void
threads_without_number_come_in_batches_of_any_number(void **state)
{
	struct fixture *fx = *state;
	struct program crowd;
	unsigned taken = 0;

	crowd_init(fx, &crowd, 2, THREADS, 4096);
	for (uint32_t i = 0; i < THREADS; i++)
		program_publish(&crowd, program_thread(&crowd, i, i + 1),
		    fx->now_ns, EV_note, i, 0);
	for (int i = 0; i < 40 && taken < THREADS; i++) {
		fx->nout = 0;
		sweep(fx);
		for (size_t k = 0; k < fx->nout; k++)
			taken += fx->out[k].e.kind == EV_note;
	}
	assert_int_equal(taken, THREADS);
	assert_int_equal(fx->threads, THREADS + 2); /* of the POs themselves */
	assert_true(fx->largest < 2 * DRAIN_BATCH_BYTES);
	fx->nout = 0;
	drain_detach(crowd.dp, true);
	sweep(fx);
	sweep(fx);
	assert_true(crowd.released);
	free(crowd.seg);
}

/* While the spool takes nothing there is an end to what can be told of. */
static void
a_batch_that_is_full_has_no_room_for_another_program(void **state)
{
	struct fixture *fx = *state;
	struct program crowd;

	fx->refuse = true;
	crowd_init(fx, &crowd, 2, 4, 8u << 20);
	many_names(&crowd, NAMES);
	sweep(fx);
	assert_int_equal(drain_room(fx->drain), -1);
	fx->refuse = false;
	assert_int_equal(drain_room(fx->drain), 0);
	while (fx->names < NAMES)
		sweep(fx);
	drain_detach(crowd.dp, true);
	sweep(fx);
	sweep(fx);
	free(crowd.seg);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_without_number_come_in_batches_of_any_number),
		TEST(a_program_with_many_names_waits_for_them_alone),
		TEST(threads_without_number_come_in_batches_of_any_number),
		TEST(a_batch_that_is_full_has_no_room_for_another_program),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
