/* The drain, with programs that run: honest ones and others. */
#include "tests/unit/collector_sweep.h"

#include <pthread.h>

#include "collector/sweep/drain_in.h"
#include "tests/rnd.h"

static void
events_come_in_order_with_their_words(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	uint32_t number;
	uint64_t seq = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		while (!program_publish(&fx->program, r,
		    fx->now_ns + (int64_t)i, EV_task_spawn, i, 0))
			sweep(fx);
	}
	sweep(fx);
	number = stream_of(fx, 1)->number;
	for (size_t i = 0; i < fx->nout; i++) {
		if (fx->out[i].stream != number)
			continue;
		assert_int_equal(fx->out[i].seq, seq);
		assert_int_equal(fx->out[i].e.a, seq);
		assert_int_equal(fx->out[i].e.b, seq + 1);
		seq++;
	}
	assert_int_equal(seq, 1000);
	assert_int_equal(atomic_load(&r->tail), 1000);
	assert_int_equal(stream_published(stream_of(fx, 1)), 1000);
}

static void
a_tail_waits_until_the_batch_is_safe(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	fx->refuse = true;
	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	assert_int_equal(atomic_load(&r->tail), 0);
	fx->refuse = false;
	sweep(fx);
	assert_int_equal(atomic_load(&r->tail), 1);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 1);
}

static void
names_come_before_events_and_are_made_clean(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	program_name(&fx->program, "first");
	program_name(&fx->program, "b\xff\xc3");
	program_publish(&fx->program, r, fx->now_ns, EV_enter, 1, 2);
	program_publish(&fx->program, r, fx->now_ns, EV_enter, 1, 3);
	sweep(fx);
	assert_int_equal(fx->names, 2);
	assert_string_equal(fx->last_name, "b??");
	assert_int_equal(fx->out[fx->nout - 2].e.c, 2);
	assert_int_equal(fx->out[fx->nout - 1].e.c, 0); /* no such name */
}

static void
names_that_make_no_sense_are_given_up(void **state)
{
	struct fixture *fx = *state;

	program_name(&fx->program, "good");
	program_name(&fx->program, ""); /* of no length */
	program_name(&fx->program, "lost");
	atomic_store(&fx->program.seg->names_used, UINT64_MAX);
	sweep(fx);
	sweep(fx);
	assert_int_equal(fx->names, 1);
}

static void
names_that_had_no_room_are_told_of(void **state)
{
	struct fixture *fx = *state;

	program_name(&fx->program, "good");
	sweep(fx);
	assert_false(fx->program.dp->names_full);
	atomic_store(&fx->program.seg->names_missed, 3);
	sweep(fx);
	assert_true(fx->program.dp->names_full);
	assert_int_equal(fx->names, 1);
}

static void
records_that_make_no_sense_count_as_lost(void **state)
{
	static const uint16_t kinds[] = { 0, 18, 199, 255, 256, 65535,
		EV_po_begin, EV_po_end, EV_late, EV_orphan, EV_stall };
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	size_t n = sizeof(kinds) / sizeof(*kinds);
	struct stream *st;

	for (size_t i = 0; i < n; i++)
		program_publish(&fx->program, r, fx->now_ns, kinds[i], 7, 7);
	program_publish(&fx->program, r, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	st = stream_of(fx, 1);
	assert_int_equal(count(fx, st->number, EV_lost), n);
	assert_int_equal(count(fx, st->number, EV_note), 1);
	assert_int_equal(st->next_seq, n + 1);
	assert_int_equal(st->lost, n);
	assert_int_equal(stream_published(st), n + 1);
	assert_int_equal(fx->out[fx->nout - 2].e.c, LOST_INVALID);
	assert_int_equal(fx->out[fx->nout - 2].e.b, n);
}

static void
a_hostile_head_closes_the_ring_and_nothing_else(void **state)
{
	struct fixture *fx = *state;
	struct ring *good = program_thread(&fx->program, 0, 1);
	struct ring *bad = program_thread(&fx->program, 1, 2);
	struct stream *st;

	program_publish(&fx->program, bad, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	atomic_store(&bad->head, UINT64_MAX);
	program_publish(&fx->program, good, fx->now_ns, EV_note, 1, 0);
	sweep(fx);
	sweep(fx);
	st = stream_of(fx, 2);
	assert_true(st->ended);
	assert_true(st->unknown);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 1);
	assert_false(stream_of(fx, 1)->ended);
	/* it does not hold the watermark either */
	for (int i = 0; i < 5; i++)
		sweep(fx);
	assert_true(drain_watermark_ns(fx->drain) > fx->now_ns - 3 * ENV_MS);
}

static void
garbage_in_the_whole_segment_harms_nobody(void **state)
{
	struct fixture *fx = *state;
	uint32_t seed = 7;

	for (int round = 0; round < 300; round++) {
		uint8_t *p = (uint8_t *)fx->program.seg;

		for (int i = 0; i < 200; i++) {
			seed = seed * 1664525u + 1013904223u;
			p[(seed >> 4) % fx->program.layout.segment_bytes] =
			    (uint8_t)(seed >> 24);
		}
		/* heads and states above all */
		for (uint32_t k = 0; k < 4; k++) {
			struct ring *r = program_ring(&fx->program, k);

			seed = seed * 1664525u + 1013904223u;
			atomic_store(&r->state, seed >> 29);
			if ((seed & 7) == 0)
				atomic_store(&r->head, seed >> 3);
			atomic_store(&r->thread, (seed >> 8) & 3);
		}
		atomic_store(&fx->program.seg->rings_used, seed);
		fx->nout = 0;
		sweep(fx);
	}
	drain_detach(fx->program.dp, false);
	sweep(fx);
	sweep(fx);
	assert_true(fx->program.released);
	assert_true(ident_po(fx->ident, 1)->ended);
}

static void
the_watermark_stops_at_an_event_under_way(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	int64_t last_ns = fx->now_ns + ENV_MS / 2;

	program_publish(&fx->program, r, last_ns, EV_note, 1, 0);
	atomic_store(&r->active, 1); /* preempted with the next one */
	for (int i = 0; i < 20; i++) {
		sweep(fx);
		assert_true(drain_watermark_ns(fx->drain) <= last_ns);
	}
	program_publish(&fx->program, r, last_ns + 5, EV_note, 2, 0);
	atomic_store(&r->active, 0);
	sweep(fx);
	sweep(fx);
	assert_int_equal(fx->out[fx->nout - 1].e.t_node_ns, last_ns + 5);
	/* now it goes on, but never up to this look */
	assert_true(drain_watermark_ns(fx->drain) > last_ns + 5);
	assert_true(drain_watermark_ns(fx->drain) <= fx->now_ns - ENV_MS);
}

/* The event of this stream with this number. */
static const struct node_event *
event_of(const struct fixture *fx, uint32_t thread, uint64_t seq)
{
	uint32_t number = ident_stream(fx->ident, 1, thread)->number;

	for (size_t i = 0; i < fx->nout; i++) {
		if (fx->out[i].stream == number && fx->out[i].seq == seq)
			return (&fx->out[i].e);
	}
	return (NULL);
}

/* After its ring was due, before its ring was looked at: as it was stamped. */
static void
what_comes_between_clock_and_look_keeps_its_time(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	int64_t late_ns = fx->now_ns + 61 * ENV_MS;

	for (int i = 0; i < 5; i++)
		sweep(fx);
	tick(fx, ENV_MS); /* stopped here for 62 ms */
	program_publish(&fx->program, r, late_ns, EV_note, 1, 0);
	drain_look(fx->drain);
	tick(fx, 62 * ENV_MS);
	assert_int_equal(drain_take(fx->drain, fx->now_ns), 0);
	assert_int_equal(spooled(fx), 0);
	assert_int_equal(event_of(fx, 1, 0)->kind, EV_note);
	assert_int_equal(event_of(fx, 1, 0)->t_node_ns, late_ns);
	assert_true(drain_watermark_ns(fx->drain) <= late_ns);
}

/* Late, or behind the record before it: nothing moves it. */
static void
a_time_is_never_moved(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	int64_t from_ns = fx->now_ns, mark;

	for (int i = 0; i < 5; i++)
		sweep(fx);
	mark = drain_watermark_ns(fx->drain);
	assert_true(mark > from_ns + 2);
	program_publish(&fx->program, r, from_ns + 2, EV_note, 1, 0);
	program_publish(&fx->program, r, fx->now_ns, EV_note, 2, 0);
	program_publish(&fx->program, r, from_ns + 1, EV_note, 3, 0);
	sweep(fx);
	assert_int_equal(event_of(fx, 1, 0)->t_node_ns, from_ns + 2);
	assert_int_equal(event_of(fx, 1, 1)->t_node_ns, fx->now_ns - ENV_MS);
	assert_int_equal(event_of(fx, 1, 2)->t_node_ns, from_ns + 1);
	assert_true(drain_watermark_ns(fx->drain) >= mark);
}

/* Before it was there, ahead of all clocks, never: counted, and it ends. */
static void
times_that_cannot_be_count_as_lost(void **state)
{
	static const int64_t off_ns[] = { -2 * ENV_SEC, ENV_SEC, INT64_MIN / 2,
		INT64_MAX / 2, 200 * ENV_MS };
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	size_t n = sizeof(off_ns) / sizeof(*off_ns);
	int64_t at_ns = fx->now_ns;

	program_publish(&fx->program, r, at_ns, EV_note, 1, 0);
	for (size_t i = 0; i < n; i++)
		program_publish(&fx->program, r, at_ns + off_ns[i], EV_note, 2,
		    0);
	program_publish(&fx->program, r, 0, EV_note, 2, 0);
	program_publish(&fx->program, r, at_ns + 1, EV_note, 3, 0);
	sweep(fx);
	assert_int_equal(count(fx, stream_of(fx, 1)->number, EV_note), 2);
	for (size_t i = 1; i < n + 2; i++) {
		const struct node_event *e = event_of(fx, 1, i);

		assert_int_equal(e->kind, EV_lost);
		assert_int_equal(e->c, LOST_INVALID);
		assert_int_equal(e->t_node_ns, at_ns);
	}
	assert_int_equal(event_of(fx, 1, n + 2)->t_node_ns, at_ns + 1);
	for (int i = 0; i < 5; i++)
		sweep(fx);
	assert_true(drain_watermark_ns(fx->drain) >= fx->now_ns - 3 * ENV_MS);
}

#define PAUSED_THREADS 3
#define PAUSED_SWEEPS  3000

/* A thread that publishes one event after another, a step at a time. */
struct stepping {
	struct ring *ring;
	unsigned at; /* active, clock, head, not active */
	uint64_t published;
	int64_t t_ns, stamped[256];
};

static void
thread_step(struct fixture *fx, struct stepping *t)
{
	switch (t->at) {
	case 0:
		atomic_store(&t->ring->active, 1);
		break;
	case 1:
		t->t_ns = fx->now_ns;
		break;
	case 2:
		if (!program_publish(&fx->program, t->ring, t->t_ns, EV_note,
			t->published, 0))
			return; /* full: it tries again */
		t->stamped[t->published++ % 256] = t->t_ns;
		break;
	default:
		atomic_store(&t->ring->active, 0);
	}
	t->at = (t->at + 1) % 4;
}

/* We are kept from our work; the threads are not. */
static void
paused(struct fixture *fx, struct stepping *t)
{
	int64_t for_ns = (int64_t)(rnd() % 300000);

	if (rnd() % 50 == 0)
		for_ns += (int64_t)(rnd() % (60 * ENV_MS));
	for (unsigned n = rnd() % 12, i = n; i > 0; i--) {
		thread_step(fx, &t[rnd() % PAUSED_THREADS]);
		fx->now_ns += for_ns / n;
	}
}

/* What came out since has its time, and none that was vouched for before. */
static void
check_new(struct fixture *fx, const struct stepping *t, int64_t mark)
{
	for (size_t i = 0; i < fx->nout; i++) {
		const struct node_event *e = &fx->out[i].e;
		uint32_t thread = 0;

		if (e->kind != EV_note)
			continue;
		while (stream_of(fx, thread + 1)->number != fx->out[i].stream)
			thread++;
		assert_int_equal(e->t_node_ns, t[thread].stamped[e->a % 256]);
		assert_true(e->t_node_ns >= mark);
	}
	fx->nout = 0;
}

static void
wherever_it_is_paused_its_word_holds(void **state)
{
	struct fixture *fx = *state;
	struct stepping t[PAUSED_THREADS] = { 0 };
	int64_t mark = INT64_MIN;
	uint64_t all = 0;

	for (uint32_t i = 0; i < PAUSED_THREADS; i++)
		t[i].ring = program_thread(&fx->program, i, i + 1);
	for (int i = 0; i < PAUSED_SWEEPS; i++) {
		tick(fx, 1000);
		paused(fx, t);
		drain_look(fx->drain);
		paused(fx, t);
		tick(fx, 0);
		paused(fx, t);
		assert_int_equal(drain_take(fx->drain, fx->now_ns), 0);
		paused(fx, t);
		assert_int_equal(spooled(fx), 0);
		check_new(fx, t, mark);
		mark = drain_watermark_ns(fx->drain);
		assert_true(mark <= fx->now_ns);
		paused(fx, t);
	}
	for (uint32_t i = 0; i < PAUSED_THREADS; i++)
		all += t[i].published;
	assert_true(all > PAUSED_SWEEPS);
}

static void
a_ring_being_taken_holds_the_watermark_a_while(void **state)
{
	struct fixture *fx = *state;
	int64_t mark;

	for (int i = 0; i < 5; i++)
		sweep(fx);
	mark = drain_watermark_ns(fx->drain);
	atomic_store(&program_ring(&fx->program, 0)->state, RING_TAKEN);
	atomic_store(&fx->program.seg->rings_used, 1);
	for (int i = 0; i < 5; i++)
		sweep(fx);
	assert_int_equal(drain_watermark_ns(fx->drain), mark);
	for (int i = 0; i < 1100; i++)
		sweep(fx);
	assert_true(drain_watermark_ns(fx->drain) > mark);
}

#define BUSY_EVENTS 50000

/* As libprobe does it: active, clock, record, head, active. */
static void *
write_events(void *arg)
{
	struct writer *w = arg;
	int64_t t_ns = w->from_ns;

	for (uint64_t i = 0; i < BUSY_EVENTS;) {
		atomic_store_explicit(&w->ring->active, 1,
		    memory_order_relaxed);
		if (program_publish(w->program, w->ring, t_ns++, EV_note, i, 0))
			i++;
		atomic_store_explicit(&w->ring->active, 0,
		    memory_order_release);
	}
	atomic_store(&w->ring->state, RING_CLOSED);
	return (NULL);
}

/* Meant for ThreadSanitizer, but counts anywhere. */
static void
threads_publish_while_we_sweep(void **state)
{
	struct fixture *fx = *state;
	struct writer w[2];
	pthread_t threads[2];
	uint64_t next[2] = { 0, 0 };

	for (uint32_t i = 0; i < 2; i++) {
		w[i].program = &fx->program;
		w[i].from_ns = fx->now_ns;
		w[i].ring = program_thread(&fx->program, i, i + 1);
		assert_int_equal(pthread_create(&threads[i], NULL, write_events,
				     &w[i]),
		    0);
	}
	do {
		fx->nout = 0;
		sweep(fx);
		for (size_t i = 0; i < fx->nout; i++) {
			uint64_t *n = &next[fx->out[i].stream ==
					    stream_of(fx, 2)->number];

			if (fx->out[i].e.kind != EV_note)
				continue;
			assert_int_equal(fx->out[i].e.a, *n);
			(*n)++;
		}
	} while (!stream_of(fx, 1)->ended || !stream_of(fx, 2)->ended);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(next[i], BUSY_EVENTS);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_come_in_order_with_their_words),
		TEST(a_tail_waits_until_the_batch_is_safe),
		TEST(names_come_before_events_and_are_made_clean),
		TEST(names_that_make_no_sense_are_given_up),
		TEST(names_that_had_no_room_are_told_of),
		TEST(records_that_make_no_sense_count_as_lost),
		TEST(a_hostile_head_closes_the_ring_and_nothing_else),
		TEST(garbage_in_the_whole_segment_harms_nobody),
		TEST(the_watermark_stops_at_an_event_under_way),
		TEST(what_comes_between_clock_and_look_keeps_its_time),
		TEST(a_time_is_never_moved),
		TEST(times_that_cannot_be_count_as_lost),
		TEST(wherever_it_is_paused_its_word_holds),
		TEST(a_ring_being_taken_holds_the_watermark_a_while),
		TEST(threads_publish_while_we_sweep),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
