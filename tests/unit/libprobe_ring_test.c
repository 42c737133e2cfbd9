/* What a program says is in its ring, word by word, or counted as lost. */
#include "tests/unit/libprobe_streams.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static void
each_event_has_its_words(void **state)
{
	static const struct {
		unsigned kind;
		uint64_t a, b;
		uint32_t c;
	} want[] = {
		{ EV_thread_create, 0, 0, 9 },
		{ EV_thread_wait, 1, 0, 0 },
		{ EV_thread_join, 1, 0, 0 },
		{ EV_task_spawn, 1, 2, 3 },
		{ EV_task_begin, 1, 2, 3 },
		{ EV_task_suspend, 1, 2, 0 },
		{ EV_task_resume, 1, 2, 3 },
		{ EV_task_end, 1, 0, 0 },
		{ EV_task_join, 1, 0, 0 },
		{ EV_future_set, 1, 2, 0 },
		{ EV_future_get, 1, 2, 0 },
		{ EV_block_begin, 1, 4, 3 },
		{ EV_member_begin, 1, 2, 3 },
		{ EV_member_end, 1, 2, 4 },
		{ EV_block_end, 1, 0, 4 },
		{ EV_enter, 0x1000, 0, 3 },
		{ EV_leave, 0x1000, 0, 3 },
		{ EV_send, 1, 2, 3 },
		{ EV_receive_wait, 1, 0, 3 },
		{ EV_receive_giveup, 1, 0, 3 },
		{ EV_receive, 1, 2, 3 },
		{ EV_collective_enter, 1, 2, 3 },
		{ EV_collective_leave, 1, 2, 3 },
		{ EV_rooted_enter, 1, 2, 3 },
		{ EV_rooted_give, 1, 2, 3 },
		{ EV_rooted_get, 1, 2, 3 },
		{ EV_rooted_part, 1, 2, 3 },
		{ EV_rooted_whole, 1, 2, 3 },
		{ EV_rooted_leave, 1, 2, 3 },
		{ EV_rpc_call, 1, 2, 3 },
		{ EV_rpc_begin, 1, 2, 3 },
		{ EV_rpc_end, 1, 2, 3 },
		{ EV_rpc_return, 1, 2, 3 },
		{ EV_lock_wait, 1, 0, 3 },
		{ EV_lock_acquire, 1, 2, 3 },
		{ EV_lock_release, 1, 2, 3 },
		{ EV_cond_wait, 1, 0, 3 },
		{ EV_cond_wake, 1, 2, 3 },
		{ EV_cond_signal, 1, 2, 3 },
		{ EV_sem_wait, 1, 0, 3 },
		{ EV_sem_acquire, 1, 2, 3 },
		{ EV_sem_post, 1, 2, 3 },
		{ EV_barrier_enter, 1, 2, 3 },
		{ EV_barrier_leave, 1, 2, 3 },
		{ EV_object_request, 1, 2, 3 },
		{ EV_object_create, 1, 2, 3 },
		{ EV_object_order, 1, 2, 3 },
		{ EV_object_obey, 1, 2, 3 },
		{ EV_object_depart, 1, 2, 3 },
		{ EV_object_arrive, 1, 2, 3 },
		{ EV_object_dispose, 1, 0, 0 },
		{ EV_object_nickname, 1, 0, 3 },
		{ EV_object_orders, 1, 2, 0 },
		{ EV_object_wait, 1, 0, 3 },
		{ EV_object_go, 1, 0, 0 },
		{ EV_mem_alloc, 0x1000, 2, 3 },
		{ EV_mem_free, 0x1000, 0, 3 },
		{ EV_phase_begin, 0, 0, 3 },
		{ EV_phase_end, 2, 0, 3 },
		{ EV_counter, (uint64_t)-5, 0, 3 },
		{ EV_state, 0, 0, 3 },
		{ EV_note, (uint64_t)-6, 0, 3 },
		{ EV_sample, 0x1000, 2, 3 },
	};
	const void *at = (const void *)0x1000;
	struct hub *h = hub_open("n1", NULL);
	struct hub_stream *s;
	uint64_t creation, last = 0;

	(void)state;
	errno = 4711;
	creation = probe_thread_create(9);
	probe_thread_wait(1);
	probe_thread_join(1);
	probe_task_spawn(1, 2, 3);
	probe_task_begin(1, 2, 3);
	probe_task_suspend(1, 2);
	probe_task_resume(1, 2, 3);
	probe_task_end(1);
	probe_task_join(1);
	probe_future_set(1, 2);
	probe_future_get(1, 2);
	probe_block_begin(1, 4, 3);
	probe_member_begin(1, 2, 3);
	probe_member_end(1, 2, 4);
	probe_block_end(1, 4);
	probe_enter(at, 3);
	probe_leave(at, 3);
	probe_send(1, 2, 3);
	probe_receive_wait(1, 3);
	probe_receive_giveup(1, 3);
	probe_receive(1, 2, 3);
	probe_collective_enter(1, 2, 3);
	probe_collective_leave(1, 2, 3);
	probe_rooted_enter(1, 2, 3);
	probe_rooted_give(1, 2, 3);
	probe_rooted_get(1, 2, 3);
	probe_rooted_part(1, 2, 3);
	probe_rooted_whole(1, 2, 3);
	probe_rooted_leave(1, 2, 3);
	probe_rpc_call(1, 2, 3);
	probe_rpc_begin(1, 2, 3);
	probe_rpc_end(1, 2, 3);
	probe_rpc_return(1, 2, 3);
	probe_lock_wait(1, 3);
	probe_lock_acquire(1, 2, 3);
	probe_lock_release(1, 2, 3);
	probe_cond_wait(1, 3);
	probe_cond_wake(1, 2, 3);
	probe_cond_signal(1, 2, 3);
	probe_sem_wait(1, 3);
	probe_sem_acquire(1, 2, 3);
	probe_sem_post(1, 2, 3);
	probe_barrier_enter(1, 2, 3);
	probe_barrier_leave(1, 2, 3);
	probe_object_request(1, 2, 3);
	probe_object_create(1, 2, 3);
	probe_object_order(1, 2, 3);
	probe_object_obey(1, 2, 3);
	probe_object_depart(1, 2, 3);
	probe_object_arrive(1, 2, 3);
	probe_object_dispose(1);
	probe_object_nickname(1, 3);
	probe_object_orders(1, 2);
	probe_object_wait(1, 3);
	probe_object_go(1);
	probe_mem_alloc(at, 2, 3);
	probe_mem_free(at, 3);
	probe_phase_begin(3);
	probe_phase_end(3, 2);
	probe_counter(3, -5);
	probe_state(3);
	probe_note(3, -6);
	probe_sample(at, 2, 3);
	assert_int_equal(errno, 4711);

	s = only_stream(h);
	check_accounts(h);
	assert_int_equal(record_at(s, 0, EV_thread_begin)->b, getpid());
	assert_int_equal(s->n, 1 + sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct ring_record *r = record_at(s, 1 + i, want[i].kind);

		assert_int_equal(r->a, i == 0 ? creation : want[i].a);
		assert_int_equal(r->b, want[i].b);
		assert_int_equal(r->c, want[i].c);
		assert_true(r->t_cycles > last);
		last = r->t_cycles;
	}
	hub_close(h, true);
}

static void
scopes_are_left(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	struct hub_stream *s;

	(void)state;
	for (int i = 0; i < 2; i++) {
		PROBE_SCOPE();
		{
			PROBE_SCOPE_NAMED(PROBE_NAME("inner"));
			if (i == 0)
				continue;
		}
		probe_note(PROBE_NAME("after"), 1);
	}
	p = hub_wait_po(h, 0);
	s = only_stream(h);
	assert_string_equal(hub_name(p, record_at(s, 1, EV_enter)->c),
	    "scopes_are_left");
	assert_string_equal(hub_name(p, record_at(s, 2, EV_enter)->c), "inner");
	record_at(s, 3, EV_leave);
	record_at(s, 4, EV_leave);
	record_at(s, 7, EV_leave);
	record_at(s, 8, EV_note);
	record_at(s, 9, EV_leave);
	assert_int_equal(s->n, 10);
	hub_close(h, true);
}

static void
a_class_that_is_off_says_nothing(void **state)
{
	struct hub_options o = { .mask = 1u << CLASS_life | 1u << CLASS_task };
	struct hub *h = hub_open("n1", &o);
	struct hub_stream *s;

	(void)state;
	probe_task_end(1);
	assert_true(probe_attached());
	assert_false(probe_enabled(PROBE_CLASS_message));
	assert_true(probe_enabled(PROBE_CLASS_task));
	probe_send(1, 2, 3);
	probe_task_end(2);
	s = only_stream(h);
	assert_int_equal(s->n, 3);
	hub_close(h, true);
}

/* Rings that nobody empties, and soon full. */
static const struct hub_options small = { .ring_records = 1024,
	.reserve = 64,
	.hold = true };

static void
a_full_ring_counts_exactly(void **state)
{
	struct hub *h = hub_open("n1", &small);
	const struct ring_record *r;
	struct hub_stream *s;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++)
		probe_send(i, 0, 0);
	/* thread_begin and the first 959 */
	hub_wait_po(h, 0);
	hub_sweep(h);
	s = only_stream(h);
	assert_int_equal(s->n, 1024 - 64);
	assert_int_equal(s->lost_total, 5000 - 959);
	assert_int_equal(hub_told_lost(s), 0);
	for (uint64_t i = 5000; i < 5100; i++)
		probe_send(i, 0, 0);
	hub_sweep(h);
	/* the loss is told where it was */
	r = record_at(s, 960, EV_lost);
	assert_int_equal(r->a, 5000 - 959);
	assert_int_equal(r->b, 5000 - 959);
	assert_int_equal(r->c, LOST_RING_FULL);
	assert_int_equal(record_at(s, 959, EV_send)->a, 958);
	assert_int_equal(record_at(s, 961, EV_send)->a, 5000);
	check_accounts(h);
	assert_int_equal(hub_stored(s) + s->lost_total, 1 + 5100);
	hub_close(h, true);
}

static void
once_full_it_waits_for_a_quarter(void **state)
{
	struct hub *h = hub_open("n1", &small);
	struct hub_po *p;
	struct ring *r;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		probe_send(i, 0, 0);
	p = hub_wait_po(h, 0);
	r = ring_at(p->segment, p->segment->rings_offset, 0);
	assert_int_equal(atomic_load(&r->head), 960);
	assert_int_equal(atomic_load(&r->lost_total), 41);
	atomic_store(&r->tail, 191); /* 255 are free */
	probe_send(1, 0, 0);
	assert_int_equal(atomic_load(&r->lost_total), 42);
	atomic_store(&r->tail, 192);
	probe_send(1, 0, 0);
	assert_int_equal(atomic_load(&r->lost_total), 42);
	assert_int_equal(atomic_load(&r->head), 962); /* the loss, and it */
	assert_int_equal(atomic_load(&r->active), 0); /* and holds nothing up */
	hub_close(h, true);
}

static void
structure_has_a_reserve(void **state)
{
	struct hub *h = hub_open("n1", &small);
	struct hub_stream *s;

	(void)state;
	for (uint64_t i = 0; i < 2000; i++)
		probe_send(i, 0, 0);
	probe_task_begin(1, 0, 0);
	probe_send(0, 0, 0);
	probe_task_end(1);
	hub_wait_po(h, 0);
	hub_sweep(h);
	s = only_stream(h);
	/* each with the gap before it */
	assert_int_equal(record_at(s, 960, EV_lost)->a, 2000 - 959);
	record_at(s, 961, EV_task_begin);
	assert_int_equal(record_at(s, 962, EV_lost)->a, 1);
	record_at(s, 963, EV_task_end);
	assert_int_equal(s->n, 964);
	/* and when even that is used up, they too are counted */
	for (uint64_t i = 0; i < 2000; i++)
		probe_task_end(i);
	hub_sweep(h);
	for (uint64_t i = 0; i < 10; i++)
		probe_send(i, 0, 0);
	check_accounts(h);
	assert_int_equal(hub_stored(s) + s->lost_total, 1 + 2003 + 2000 + 10);
	assert_int_equal(hub_told_lost(s), s->lost_total);
	hub_close(h, true);
}

static void *
drain_later(void *hub)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	hub_drain(hub, true);
	return (NULL);
}

static void
it_waits_if_asked_to(void **state)
{
	struct hub_options o = { .ring_records = 1024,
		.reserve = 64,
		.wait_ms = 5000,
		.hold = true };
	struct hub *h = hub_open("n1", &o);
	struct hub_stream *s;
	pthread_t t;

	(void)state;
	probe_send(0, 0, 0);
	pthread_create(&t, NULL, drain_later, h);
	for (uint64_t i = 1; i < 20000; i++)
		probe_send(i, 0, 0);
	pthread_join(t, NULL);
	check_accounts(h);
	s = only_stream(h);
	assert_int_equal(s->lost_total, 0);
	assert_int_equal(s->n, 20001);
	hub_close(h, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_has_its_words),
		cmocka_unit_test(scopes_are_left),
		cmocka_unit_test(a_class_that_is_off_says_nothing),
		cmocka_unit_test(a_full_ring_counts_exactly),
		cmocka_unit_test(once_full_it_waits_for_a_quarter),
		cmocka_unit_test(structure_has_a_reserve),
		cmocka_unit_test(it_waits_if_asked_to),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
