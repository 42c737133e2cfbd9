/*
 * What a program says is in its ring, or counted as lost; whatever handlers,
 * threads and collectors do meanwhile.
 */
#include "tests/check.h"

#include <sys/time.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libprobe_harness.h"
#include "probe.h"
#include "probe_mutex.h"

#ifdef __SANITIZE_THREAD__
#define SCALE 20 /* everything is slower there */
#else
#define SCALE 1
#endif

/* Accounts and order of every stream. */
static void
check_accounts(struct hub *h)
{
	hub_drain(h, false);
	hub_sweep(h);
	assert_string_equal(h->fault, "");
	assert_int_equal(h->faults, 0);
	for (size_t i = 0; i < h->npos; i++) {
		for (size_t k = 0; k < h->pos[i]->nstreams; k++) {
			struct hub_stream *s = h->pos[i]->streams[k];

			assert_int_equal(s->lost_records,
			    hub_count(s, EV_lost));
			assert_true(hub_told_lost(s) <= s->lost_total);
		}
	}
}

static struct hub_stream *
only_stream(struct hub *h)
{
	struct hub_po *p = hub_wait_po(h, 0);

	assert_non_null(p);
	assert_int_equal(p->nstreams, 1);
	return (p->streams[0]);
}

static const struct ring_record *
record_at(const struct hub_stream *s, size_t i, unsigned kind)
{
	assert_true(i < s->n);
	assert_int_equal(s->records[i].kind, kind);
	assert_int_equal(s->records[i].zero, 0);
	return (&s->records[i]);
}

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
		{ EV_receive, 1, 2, 3 },
		{ EV_collective_enter, 1, 2, 3 },
		{ EV_collective_leave, 1, 2, 3 },
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
	probe_receive(1, 2, 3);
	probe_collective_enter(1, 2, 3);
	probe_collective_leave(1, 2, 3);
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

static void
a_full_ring_counts_exactly(void **state)
{
	struct hub_options o = { .ring_records = 1024,
		.reserve = 64,
		.hold = true };
	struct hub *h = hub_open("n1", &o);
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
	struct hub_options o = { .ring_records = 1024,
		.reserve = 64,
		.hold = true };
	struct hub *h = hub_open("n1", &o);
	struct hub_po *p;
	struct ring *r;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		probe_send(i, 0, 0);
	p = hub_wait_po(h, 0);
	r = ring_at(p->segment, p->segment->rings_offset,
	    p->segment->ring_bytes, 0);
	assert_int_equal(atomic_load(&r->head), 960);
	assert_int_equal(atomic_load(&r->lost_total), 41);
	atomic_store(&r->tail, 191); /* 255 are free */
	probe_send(1, 0, 0);
	assert_int_equal(atomic_load(&r->lost_total), 42);
	atomic_store(&r->tail, 192);
	probe_send(1, 0, 0);
	assert_int_equal(atomic_load(&r->lost_total), 42);
	assert_int_equal(atomic_load(&r->head), 962); /* the loss, and it */
	hub_close(h, true);
}

static void
structure_has_a_reserve(void **state)
{
	struct hub_options o = { .ring_records = 1024,
		.reserve = 64,
		.hold = true };
	struct hub *h = hub_open("n1", &o);
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

static volatile sig_atomic_t handled, early_hits, late_hits;

static void
probing_handler(int sig)
{
	struct probe_thread *t = probe_self;

	(void)sig;
	/* in which half of an event are we: is its slot taken yet? */
	if (t->shared != NULL && PROBE_LOAD(&t->next) != PROBE_LOAD(&t->head))
		late_hits++;
	else if (t->shared != NULL && PROBE_LOAD(&t->shared->active))
		early_hits++;
	/* several, so that handlers find rings full, too */
	for (uint64_t i = 0; i < 3; i++)
		probe_note(77, (int64_t)((uint64_t)handled * 3 + i));
	handled++;
}

enum storm {
	STORM_STRAIGHT, /* short bursts: the straight path is interrupted */
	STORM_WAITING,  /* a full ring is waited for */
	STORM_LOSSY     /* the ring is full all the time */
};

/*
 * Handlers interrupt the main thread wherever they like, and all events are
 * there, each untorn, each kind in its own order, times never falling.
 */
static void
storm(enum storm how)
{
	struct hub_options o = { .ring_records =
				     how == STORM_LOSSY ? 64 : 65536,
		.reserve = 16,
		.wait_ms = how == STORM_LOSSY ? 0 : 10000 };
	struct hub *h = hub_open("n1", &o);
	struct itimerval every = { { 0, 37 }, { 0, 37 } }, off = { 0 };
	struct sigaction sa = { .sa_handler = probing_handler,
		.sa_flags = SA_RESTART };
	uint64_t sends = 0, notes = 0, next_send = 0, next_note = 0, lost = 0;
	int hits = how == STORM_STRAIGHT && SCALE == 1 ? 300 : 0;
	struct hub_stream *s;
	time_t end = time(NULL) + 20;

	handled = early_hits = late_hits = 0;
	probe_send(sends++, ~UINT64_C(0), 5);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while ((sends < 400000 / SCALE || handled < 2000 || early_hits < hits ||
		   late_hits < hits) &&
	       time(NULL) < end) {
		for (int i = 0; i < 8000; i++) {
			probe_send(sends, ~sends, 5);
			sends++;
		}
		if (how == STORM_STRAIGHT)
			nanosleep(&(struct timespec){ .tv_nsec = 200000 },
			    NULL);
	}
	setitimer(ITIMER_REAL, &off, NULL);
	signal(SIGALRM, SIG_IGN);
	assert_true(handled >= 2000);
	assert_true(early_hits >= hits && late_hits >= hits);
	check_accounts(h);
	s = only_stream(h);
	for (size_t i = 1; i < s->n; i++) {
		const struct ring_record *r = &s->records[i];

		switch (r->kind) {
		case EV_send:
			assert_int_equal(r->a, ~r->b);
			assert_int_equal(r->c, 5);
			assert_true(r->a >= next_send);
			assert_true(how == STORM_LOSSY || r->a == next_send);
			next_send = r->a + 1;
			sends--;
			break;
		case EV_note:
			assert_int_equal(r->c, 77);
			assert_true(r->a >= next_note);
			next_note = r->a + 1;
			notes++;
			break;
		case EV_lost:
			lost += r->a;
			assert_int_equal(r->b, lost);
			break;
		default:
			fail_msg("kind %u at %zu", r->kind, i);
		}
	}
	/* what is left of either is lost */
	assert_int_equal(sends + (uint64_t)handled * 3 - notes, s->lost_total);
	if (how != STORM_LOSSY)
		assert_int_equal(s->lost_total, 0);
	hub_close(h, true);
}

static void
handlers_may_probe(void **state)
{
	(void)state;
	storm(STORM_STRAIGHT);
	storm(STORM_WAITING);
	storm(STORM_LOSSY);
}

#if defined(__x86_64__) && SCALE == 1 && !defined(__SANITIZE_ADDRESS__)

static uint64_t stepped;
static volatile int countdown;

static void
step_handler(int sig)
{
	(void)sig;
	if (countdown-- == 0)
		probe_note(77, (int64_t)stepped++);
}

/* The processor's trap flag: a SIGTRAP after every single instruction. */
#define STEP(op)                                                               \
	__asm__ volatile("subq $128, %%rsp; pushfq; " op " (%%rsp); "          \
			 "popfq; addq $128, %%rsp"                             \
			 :                                                     \
			 :                                                     \
			 : "memory", "cc")

/* A handler makes an event after the n-th instruction of another, for all n. */
static void
each_instruction_may_be_interrupted(void **state)
{
	static const uint32_t records[] = { 65536, 64 };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct hub_options o = { .ring_records = records[k],
			.reserve = 16 };
		struct hub *h = hub_open("n1", &o);
		uint64_t sends = 0, notes = 0;
		struct hub_stream *s;

		stepped = 0;
		signal(SIGTRAP, step_handler);
		probe_send(1000, ~UINT64_C(1000), 5);
		for (uint64_t i = 1001; i < 1200; i++) {
			countdown = (int)(i - 1001) / 2;
			STEP("orq $0x100,");
			probe_send(i, ~i, 5);
			STEP("andq $~0x100,");
			/* nothing is held back */
			assert_int_equal(probe_self->head, probe_self->next);
			assert_int_equal(probe_self->shared->active, 0);
		}
		signal(SIGTRAP, SIG_DFL);
		assert_true(stepped > 60);
		check_accounts(h);
		s = only_stream(h);
		for (size_t i = 1; i < s->n; i++) {
			const struct ring_record *r = &s->records[i];

			if (r->kind == EV_send) {
				assert_int_equal(r->a, ~r->b);
				sends++;
			} else if (r->kind == EV_note) {
				notes++;
			} else {
				assert_int_equal(r->kind, EV_lost);
			}
		}
		assert_int_equal(200 + stepped, sends + notes + s->lost_total);
		if (k == 0)
			assert_int_equal(s->lost_total, 0);
		hub_close(h, true);
	}
}
#else
static void
each_instruction_may_be_interrupted(void **state)
{
	(void)state;
	skip();
}
#endif

/* A handler that never returns to the event that it has interrupted. */
static void
an_abandoned_event_holds_nothing_up(void **state)
{
	struct hub_options o = { .ring_records = 1024, .reserve = 16 };
	struct hub *h = hub_open("n1", &o);
	struct hub_stream *s;

	(void)state;
	probe_send(0, 0, 0);
	assert_true(probe_take(&probe_self->next, probe_self->next));
	for (uint64_t i = 1; i <= 2000; i++) {
		if (i % 100 == 0)
			hub_sweep(h);
		probe_send(i, 0, 0);
	}
	check_accounts(h);
	s = only_stream(h);
	assert_int_equal(s->lost_total, 1);
	assert_int_equal(record_at(s, 2, EV_lost)->c, LOST_INVALID);
	assert_int_equal(hub_stored(s), 2002);
	hub_close(h, true);
}

static void *
one_short_life(void *arg)
{
	probe_thread_begin((uint64_t)(uintptr_t)arg, 0);
	probe_note(1, (int64_t)(intptr_t)arg);
	return (NULL);
}

static void
short_threads_take_turns(void **state)
{
	enum {
		N = 10000 / SCALE / 8 * 8
	};
	static bool numbered[N + 1];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	uint64_t seen = 0, no_ring;
	pthread_t t[8];

	(void)state;
	for (uintptr_t i = 0; i < N; i += 8) {
		for (uintptr_t k = 0; k < 8; k++)
			assert_int_equal(pthread_create(&t[k], NULL,
					     one_short_life,
					     (void *)(i + k + 1)),
			    0);
		for (int k = 0; k < 8; k++)
			pthread_join(t[k], NULL);
	}
	p = hub_wait_po(h, 0);
	check_accounts(h);
	no_ring = atomic_load(&p->segment->lost_no_ring);
	for (size_t i = 0; i < p->nstreams; i++) {
		struct hub_stream *s = p->streams[i];

		assert_true(s->closed);
		assert_int_equal(s->n, 3);
		assert_int_equal(s->lost_total, 0);
		assert_int_equal(record_at(s, 1, EV_note)->a,
		    record_at(s, 0, EV_thread_begin)->a);
		assert_int_equal(record_at(s, 2, EV_thread_end)->a,
		    s->records[0].a);
		assert_in_range(s->thread, 1, p->nstreams);
		assert_false(numbered[s->thread]);
		numbered[s->thread] = true;
		seen++;
	}
	/* a thread that found no ring lost its word, and that is counted */
	assert_true(seen >= N / 2);
	assert_int_equal(seen + no_ring / 2 >= N, true);
	assert_true(atomic_load(&p->segment->rings_used) <= 64);
	hub_close(h, true);
}

static pthread_barrier_t crowd_is_there;

static void *
in_a_crowd(void *arg)
{
	(void)arg;
	probe_note(1, 1);
	pthread_barrier_wait(&crowd_is_there);
	for (int i = 0; i < 999; i++)
		probe_note(1, 1);
	return (NULL);
}

static void
threads_without_a_ring_are_counted(void **state)
{
	struct hub_options o = { .nrings = 4 };
	struct hub *h = hub_open("n1", &o);
	struct hub_po *p;
	uint64_t notes = 0;
	pthread_t t[6];

	(void)state;
	pthread_barrier_init(&crowd_is_there, NULL, 6);
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, in_a_crowd, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	check_accounts(h);
	for (size_t i = 0; i < p->nstreams; i++)
		notes += hub_count(p->streams[i], EV_note);
	assert_int_equal(notes + atomic_load(&p->segment->lost_no_ring), 6000);
	assert_true(notes >= 4000);
	pthread_barrier_destroy(&crowd_is_there);
	hub_close(h, true);
}

static void *
namer(void *out)
{
	uint32_t *n = out;
	char text[32];

	for (uint32_t i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		n[i] = probe_name(text);
	}
	return (NULL);
}

static void
names_have_one_number(void **state)
{
	static uint32_t n[4][500];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t[4];
	char text[32];

	(void)state;
	probe_note(PROBE_NAME("first"), 1);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, namer, n[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	for (uint32_t i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		assert_int_not_equal(n[0][i], 0);
		for (int k = 1; k < 4; k++)
			assert_int_equal(n[0][i], n[k][i]);
		assert_string_equal(hub_name(p, n[0][i]), text);
	}
	assert_int_equal(probe_name("first"), PROBE_NAME("first"));
	assert_int_not_equal(probe_name_at("first", "x.c", 3),
	    probe_name("first"));
	assert_int_equal(probe_name_at("first", "x.c", 3),
	    probe_name_at("first", "x.c", 3));
	assert_int_equal(probe_name(NULL), 0);
	hub_close(h, true);
}

static void
a_full_table_gives_no_name(void **state)
{
	struct hub_options o = { .names_bytes = 16384 };
	struct hub *h;
	struct hub_po *p;
	char text[600];
	uint32_t n, good = 0, bad = 0;

	(void)state;
	h = hub_open("n1", &o);
	probe_note(1, 1);
	p = hub_wait_po(h, 0);
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	for (char c = 'a'; c <= 'z'; c++) {
		text[0] = c;
		for (char d = 'a'; d <= 'e'; d++) {
			text[1] = d;
			n = probe_name(text);
			if (n == 0)
				bad++;
			else
				good++;
			if (n != 0 && hub_name(p, n) != NULL)
				assert_string_equal(hub_name(p, n), text);
		}
	}
	assert_true(bad > 0);
	assert_true(atomic_load(&p->segment->names_used) <= 16384);
	hub_close(h, true);
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y ? -1 : x > y);
}

static void *
take_ids(void *out)
{
	uint64_t *id = out;

	for (int i = 0; i < 70000; i++) {
		id[2 * i] = probe_id();
		id[2 * i + 1] = probe_message_id();
	}
	return (NULL);
}

static void
no_id_is_given_twice(void **state)
{
	enum {
		EACH = 140000,
		N = 4 * EACH
	};
	uint64_t *id = malloc(N * sizeof(*id));
	struct hub *h = hub_open("n1", NULL);
	pthread_t t[2];
	uint64_t steps = 0;

	(void)state;
	take_ids(id); /* not attached yet */
	probe_note(1, 1);
	assert_true(probe_attached());
	take_ids(id + EACH);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, take_ids, id + (2 + i) * EACH);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = EACH + 3; i < 2 * EACH; i += 2)
		steps += id[i] - id[i - 2] == 1;
	assert_true(steps >= 69990); /* they count by one */
	qsort(id, N, sizeof(*id), compare_ids);
	assert_int_not_equal(id[0], 0);
	for (int i = 1; i < N; i++)
		assert_true(id[i] != id[i - 1]);
	free(id);
	hub_close(h, true);
}

static struct probe_mutex mutex = PROBE_MUTEX_INITIALIZER;
static int protected;

static void *
lock_often(void *arg)
{
	(void)arg;
	for (int i = 0; i < 500; i++) {
		probe_mutex_lock(&mutex);
		protected++;
		probe_mutex_unlock(&mutex);
	}
	return (NULL);
}

static void
a_mutex_says_whom_it_was_taken_from(void **state)
{
	static bool released[2001], acquired[2001];
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, lock_often, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(protected, 2000);
	p = hub_wait_po(h, 0);
	check_accounts(h);
	for (size_t i = 0; i < p->nstreams; i++) {
		for (size_t k = 0; k < p->streams[i]->n; k++) {
			struct ring_record *r = &p->streams[i]->records[k];
			bool *seen =
			    r->kind == EV_lock_acquire ? acquired : released;

			if (r->kind != EV_lock_acquire &&
			    r->kind != EV_lock_release)
				continue;
			assert_int_equal(r->a, mutex.id);
			assert_true(r->b <= 2000);
			assert_false(seen[r->b]);
			seen[r->b] = true;
		}
	}
	for (int i = 1; i < 2000; i++)
		assert_true(released[i] && acquired[i]);
	hub_close(h, true);
}

static bool stop_probing;

static void *
probe_until_stopped(void *count)
{
	uint64_t n = 0;

	while (!__atomic_load_n(&stop_probing, __ATOMIC_RELAXED)) {
		probe_note(1, (int64_t)n++);
		if (n % 1000 == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
	}
	*(uint64_t *)count = n;
	return (NULL);
}

/* Collectors come and go while threads probe; each finds both threads. */
static void
collectors_come_and_go(void **state)
{
	uint64_t n[2];
	pthread_t t[2];

	(void)state;
	stop_probing = false;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, probe_until_stopped, &n[i]);
	for (int round = 0; round < 10; round++) {
		struct hub *h = hub_open(round % 2 ? "n2" : "n1", NULL);
		struct hub_po *p = hub_wait_po(h, 0);
		uint64_t events = 0;

		assert_non_null(p);
		for (int ms = 0; ms < 5000 && events < 5000; ms++) {
			hub_sweep(h);
			pthread_mutex_lock(&h->lock);
			events = p->nstreams < 2 ? 0 : p->streams[0]->n;
			if (events != 0 && p->streams[1]->n < events)
				events = p->streams[1]->n;
			pthread_mutex_unlock(&h->lock);
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		}
		assert_true(events > 1000);
		assert_int_equal(p->nstreams, 2);
		assert_int_equal(h->npos, 1);
		assert_string_equal(probe_node_name(), round % 2 ? "n2" : "n1");
		assert_int_equal(probe_node(), HUB_NODE);
		assert_string_equal(h->fault, "");
		hub_close(h, true);
		for (int ms = 0; probe_attached() && ms < 5000; ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		assert_false(probe_attached());
		/* and probes are cheap again: the switch is a zero */
		for (int ms = 0; probe_enabled(PROBE_CLASS_note) && ms < 5000;
		     ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
		assert_false(probe_enabled(PROBE_CLASS_note));
	}
	__atomic_store_n(&stop_probing, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void *
named_thread(void *arg)
{
	probe_thread_name(arg);
	probe_note(1, 1);
	return (NULL);
}

static void
threads_have_names(void **state)
{
	struct hub *h = hub_open("n1", NULL);
	struct hub_po *p;
	pthread_t t;

	(void)state;
	probe_note(1, 1);
	pthread_create(&t, NULL, named_thread, "worker");
	pthread_join(t, NULL);
	p = hub_wait_po(h, 0);
	assert_int_equal(p->nstreams, 2);
	assert_memory_equal(p->streams[0]->name, "libprobe_ring_t", 15);
	assert_string_equal(p->streams[1]->name, "worker");
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
		cmocka_unit_test(handlers_may_probe),
		cmocka_unit_test(each_instruction_may_be_interrupted),
		cmocka_unit_test(an_abandoned_event_holds_nothing_up),
		cmocka_unit_test(short_threads_take_turns),
		cmocka_unit_test(threads_without_a_ring_are_counted),
		cmocka_unit_test(names_have_one_number),
		cmocka_unit_test(no_id_is_given_twice),
		cmocka_unit_test(a_mutex_says_whom_it_was_taken_from),
		cmocka_unit_test(threads_have_names),
		cmocka_unit_test(collectors_come_and_go),
		cmocka_unit_test(a_full_table_gives_no_name),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
