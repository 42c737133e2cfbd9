/* The drain when threads and programs end, or are killed. */
#include "tests/unit/collector_sweep.h"

/* The linker sends everybody's calls here (mk/collector.mk). */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_realloc(void *, size_t);

static bool no_memory;
static bool no_growth; /* of what is there already */

void *
__wrap_calloc(size_t n, size_t k)
{
	return (no_memory ? NULL : __real_calloc(n, k));
}

void *
__wrap_realloc(void *p, size_t n)
{
	return (no_growth ? NULL : __real_realloc(p, n));
}

/* What was counted when the records were converted is put back with them. */
static void
a_loss_is_counted_once_when_memory_is_short(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	struct stream *st;

	program_publish(&fx->program, r, fx->now_ns, EV_lost, 30,
	    LOST_RING_FULL);
	program_publish(&fx->program, r, fx->now_ns, UINT16_MAX, 0, 0);
	for (uint64_t i = 0; i < 100; i++)
		program_publish(&fx->program, r, fx->now_ns, EV_note, i, 0);
	tick(fx, ENV_MS);
	drain_look(fx->drain);
	no_growth = true;
	for (int i = 0; i < 3; i++)
		assert_int_equal(drain_take(fx->drain, fx->now_ns), -1);
	no_growth = false;
	sweep(fx);
	st = stream_of(fx, 1);
	assert_int_equal(st->lost, 31);
	assert_int_equal(st->lost_records, 2);
	assert_int_equal(stream_published(st), 131);
	assert_int_equal(count(fx, st->number, EV_note), 100);
	assert_int_equal(count(fx, st->number, EV_lost), 2);
	/* the record that made no sense: told as one loss, by its place */
	atomic_store(&r->lost_total, 30);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	assert_true(st->ended);
	assert_int_equal(st->lost, 31);
}

static void
losses_that_the_program_tells_are_counted(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	struct stream *st;

	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	program_publish(&fx->program, r, fx->now_ns, EV_lost, 30,
	    LOST_RING_FULL);
	program_publish(&fx->program, r, fx->now_ns, EV_lost, 12,
	    LOST_RING_FULL);
	/* and then it ends, with more losses that found no place */
	atomic_store(&r->lost_total, 50);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	st = stream_of(fx, 1);
	assert_true(st->ended);
	assert_int_equal(st->lost, 50);
	assert_int_equal(stream_published(st), 51);
	assert_int_equal(count(fx, st->number, EV_lost), 3);
	assert_int_equal(fx->out[fx->nout - 1].e.a, 8);
	/* the ring is free for the next */
	assert_int_equal(atomic_load(&r->state), RING_FREE);
	assert_int_equal(atomic_load(&r->head), 0);
	assert_int_equal(atomic_load(&r->tail), 0);
	assert_int_equal(atomic_load(&r->lost_total), 0);
}

/* It was told long after the thread's last event: not before the watermark. */
static void
a_loss_at_the_end_comes_after_what_was_promised(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	int64_t mark;

	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	for (int i = 0; i < 10; i++)
		sweep(fx);
	mark = drain_watermark_ns(fx->drain);
	assert_true(mark > fx->out[fx->nout - 1].e.t_node_ns);
	atomic_store(&r->lost_total, 5);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	assert_int_equal(fx->out[fx->nout - 1].e.kind, EV_lost);
	assert_int_equal(fx->out[fx->nout - 1].e.a, 5);
	assert_true(fx->out[fx->nout - 1].e.t_node_ns >= mark);
}

/* Else a successor would have neither. */
static void
nothing_is_given_back_before_its_account_is_saved(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	atomic_store(&r->state, RING_CLOSED);
	fx->unsaved = true;
	sweep(fx);
	sweep(fx);
	assert_int_equal(atomic_load(&r->state), RING_CLOSED);
	assert_int_equal(atomic_load(&r->head), 1);
	drain_detach(fx->program.dp, true);
	sweep(fx);
	sweep(fx);
	assert_true(ident_po(fx->ident, 1)->ended);
	assert_false(fx->program.released);
	assert_true(drain_urgent(fx->drain)); /* so it is tried again */
	fx->unsaved = false;
	sweep(fx);
	assert_true(fx->program.released);
	assert_int_equal(ident_ended(fx->ident), 2);
	assert_int_equal(count(fx, 1, EV_po_end), 1);
}

static void
a_killed_program_is_drained_to_its_last_event(void **state)
{
	struct fixture *fx = *state;
	struct ring *one = program_thread(&fx->program, 0, 1);
	struct ring *two = program_thread(&fx->program, 1, 2);

	for (int i = 0; i < 100; i++)
		program_publish(&fx->program, one, fx->now_ns, EV_note, 1, 0);
	program_publish(&fx->program, two, fx->now_ns, EV_note, 1, 0);
	atomic_store(&two->active, 1);
	atomic_store(&fx->program.seg->lost_no_ring, 5);
	drain_detach(fx->program.dp, false);
	sweep(fx);
	sweep(fx);
	assert_true(fx->program.released);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 100);
	assert_int_equal(count(fx, stream_of(fx, 2)->number, EV_note), 1);
	assert_true(stream_of(fx, 1)->ended && stream_of(fx, 2)->ended);
	assert_int_equal(stream_of(fx, 0)->lost, 5);
	assert_int_equal(stream_published(stream_of(fx, 0)), 5 + 2);
	assert_int_equal(fx->out[fx->nout - 1].e.kind, EV_po_end);
	assert_int_equal(fx->out[fx->nout - 1].e.b, 0); /* not clean */
	assert_int_equal(drain_pos(fx->drain), 0);
}

/* No memory for a thread that is seen for the first time, and it is dead. */
static void
a_killed_program_is_drained_when_there_is_memory_again(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	size_t said;

	for (uint64_t i = 0; i < 50; i++)
		program_publish(&fx->program, r, fx->now_ns, EV_note, i, 0);
	drain_detach(fx->program.dp, false);
	no_memory = true;
	sweep(fx);
	sweep(fx);
	no_memory = false;
	assert_int_equal(ident_stream(fx->ident, 1, 1), NULL);
	assert_false(fx->program.released);
	said = fx->nout;
	for (int i = 0; i < 3 && !fx->program.released; i++)
		sweep(fx);
	assert_true(fx->program.released);
	assert_int_equal(fx->nout - said, 50 + 1);
	assert_int_equal(fx->out[fx->nout - 1].e.kind, EV_po_end);
	assert_int_equal(ident_ended(fx->ident), 2);
}

static void
a_thread_that_vanished_is_ended(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	fx->program.dead_threads = true;
	drain_check_threads(fx->drain); /* it has just been busy */
	assert_int_equal(atomic_load(&r->state), RING_LIVE);
	drain_check_threads(fx->drain);
	assert_int_equal(atomic_load(&r->state), RING_CLOSED);
	sweep(fx);
	assert_true(stream_of(fx, 1)->ended);
}

static void
a_ring_serves_one_thread_after_the_other(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t t = 1; t <= 500; t++) {
		struct ring *r = program_thread(&fx->program, 0, t);

		program_publish(&fx->program, r, fx->now_ns, EV_note, t, 0);
		atomic_store(&r->state, RING_CLOSED);
		sweep(fx);
		assert_int_equal(atomic_load(&r->state), RING_FREE);
		assert_int_equal(stream_of(fx, t)->next_seq, 1);
	}
	assert_int_equal(fx->threads, 501);
}

static void
a_thread_number_is_not_taken_twice(void **state)
{
	struct fixture *fx = *state;
	struct ring *one = program_thread(&fx->program, 0, 1);
	struct ring *two;

	program_publish(&fx->program, one, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	two = program_thread(&fx->program, 1, 1);
	program_publish(&fx->program, two, fx->now_ns, EV_note, 2, 0);
	sweep(fx);
	assert_int_equal(stream_of(fx, 1)->next_seq, 1);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 1);
}

/* Of what its rings have grown by, once a generation. */
static void
a_program_gets_back_what_its_rings_had(void **state)
{
	struct fixture *fx = *state;
	struct ring_segment *seg = fx->program.seg;
	struct ring *r = program_thread(&fx->program, 0, 1);

	for (int i = 0; i < 9; i++) /* 8, and into the 32 */
		program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	assert_int_equal(atomic_load(&seg->grown), 32);
	sweep(fx);
	assert_int_equal(atomic_load(&seg->growth.given_back),
	    0);                      /* of the 8 */
	for (int i = 0; i < 33; i++) /* 128 */
		program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	assert_int_equal(atomic_load(&seg->grown), 32 + 128);
	sweep(fx);
	assert_int_equal(atomic_load(&seg->growth.given_back), 32);
	assert_int_equal(atomic_load(&r->emptied), 2);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	assert_int_equal(atomic_load(&r->state), RING_FREE);
	assert_int_equal(atomic_load(&seg->growth.given_back), 32 + 128);
	/* what is taken for the next thread is what it grows by */
	r = program_thread(&fx->program, 0, 2);
	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	assert_int_equal(atomic_load(&r->state), RING_FREE);
	assert_int_equal(atomic_load(&seg->growth.given_back), 32 + 128);
}

/* A program that writes nonsense there harms nobody. */
static void
what_is_given_back_may_be_written_by_the_program(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	atomic_store(&r->emptied, UINT32_MAX);
	for (int i = 0; i < 9; i++)
		program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	atomic_store(&r->emptied, 77);
	atomic_store(&r->state, RING_CLOSED);
	sweep(fx);
	assert_int_equal(atomic_load(&r->state), RING_FREE);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_loss_is_counted_once_when_memory_is_short),
		TEST(losses_that_the_program_tells_are_counted),
		TEST(a_loss_at_the_end_comes_after_what_was_promised),
		TEST(nothing_is_given_back_before_its_account_is_saved),
		TEST(a_killed_program_is_drained_to_its_last_event),
		TEST(a_killed_program_is_drained_when_there_is_memory_again),
		TEST(a_thread_that_vanished_is_ended),
		TEST(a_ring_serves_one_thread_after_the_other),
		TEST(a_thread_number_is_not_taken_twice),
		TEST(a_program_gets_back_what_its_rings_had),
		TEST(what_is_given_back_may_be_written_by_the_program),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
