/* The drain, with honest programs and with others. */
#include "tests/unit/collector_fixture.h"

#include <pthread.h>

#include "batch.h"

#define EVENTS_MAX 4096

/* The linker sends everybody's calloc here (mk/collector.mk). */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);

static bool no_memory;

void *
__wrap_calloc(size_t n, size_t k)
{
	return (no_memory ? NULL : __real_calloc(n, k));
}

struct fixture {
	struct env *env;
	char dir[64];
	struct ident *ident;
	struct batch_writer *writer;
	struct drain *drain;
	struct program program;
	int64_t now_ns;
	/* what came out, decoded */
	struct {
		uint32_t stream;
		uint64_t seq;
		struct node_event e;
	} out[EVENTS_MAX];
	size_t nout;
	unsigned names, threads;
	char last_name[64];
	bool refuse;  /* the spool is full */
	bool unsaved; /* the journal is */
};

static int
out_definition(void *arg, const struct frame *f)
{
	struct fixture *fx = arg;
	struct msg_name m;

	fx->threads += f->type == MSG_thread;
	if (f->type != MSG_name ||
	    msg_decode(MSG_name, f->body, f->body_bytes, &m) == -1 ||
	    m.name >= IDENT_NAME_PROGRAM)
		return (0);
	fx->names++;
	snprintf(fx->last_name, sizeof(fx->last_name), "%.*s", (int)m.text.n,
	    (const char *)m.text.p);
	return (0);
}

static int
out_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct fixture *fx = arg;

	for (size_t i = 0; i < n; i++) {
		assert_true(fx->nout < EVENTS_MAX);
		fx->out[fx->nout].stream = stream;
		fx->out[fx->nout].seq = first_seq + i;
		fx->out[fx->nout++].e = e[i];
	}
	return (0);
}

/* The batch goes to where it is safe. */
static int
spooled(void *arg)
{
	static const struct batch_sink sink = { out_definition, out_events };
	struct fixture *fx = arg;

	if (fx->refuse)
		return (-1);
	assert_int_equal(batch_decode(batch_bytes(fx->writer), &sink, fx), 0);
	batch_writer_reset(fx->writer);
	drain_taken(fx->drain);
	return (0);
}

static const struct drain_ops drain_ops = { .full = spooled };

static void
tick(struct fixture *fx, int64_t ns)
{
	struct clock_pair pairs[DRAIN_CLOCKS];

	fx->now_ns += ns;
	for (int c = 0; c < DRAIN_CLOCKS; c++)
		pairs[c] = (struct clock_pair){
			.t_cycles = (uint64_t)fx->now_ns,
			.t_node_ns = fx->now_ns,
		};
	drain_clock(fx->drain, pairs);
}

/* One round: look, take, spool, reap, and release what is saved. */
static void
sweep(struct fixture *fx)
{
	tick(fx, ENV_MS);
	drain_look(fx->drain);
	if (drain_take(fx->drain, fx->now_ns) == 0 && spooled(fx) == 0) {
		drain_reap(fx->drain);
		if (!fx->unsaved)
			drain_release(fx->drain);
	}
}

static int
set_up(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));
	struct msg_po m = { .po = 1,
		.pid = 42,
		.program = BYTES_STR("app"),
		.command = BYTES_STR("./app") };
	struct po *po;

	log_init("test", -1);
	dir_make(fx->dir, sizeof(fx->dir));
	fx->env = env_event_new(NULL);
	fx->ident = ident_open(fx->env, fx->dir);
	fx->writer = batch_writer_new();
	fx->drain = drain_new(fx->ident, fx->writer, &drain_ops, fx);
	assert_non_null(fx->drain);
	fx->now_ns = 1000 * ENV_MS;
	for (int i = 0; i < 12; i++)
		tick(fx, ENV_MS);
	program_init(&fx->program, 4);
	po = ident_po_new(fx->ident, &m);
	assert_non_null(ident_stream_new(fx->ident, po, 0, 42, ""));
	fx->program.dp =
	    drain_attach(fx->drain, po, &fx->program.source, false, fx->now_ns);
	assert_non_null(fx->program.dp);
	*state = fx;
	return (0);
}

static int
tear_down(void **state)
{
	struct fixture *fx = *state;

	drain_free(fx->drain);
	batch_writer_free(fx->writer);
	ident_free(fx->ident);
	dir_remove(fx->dir);
	env_event_free(fx->env);
	free(fx->program.seg);
	free(fx);
	return (0);
}

static struct stream *
stream_of(struct fixture *fx, uint32_t thread)
{
	struct stream *st = ident_stream(fx->ident, 1, thread);

	assert_non_null(st);
	return (st);
}

static size_t
count(const struct fixture *fx, uint32_t stream, unsigned kind)
{
	size_t n = 0;

	for (size_t i = 0; i < fx->nout; i++)
		n += fx->out[i].stream == stream && fx->out[i].e.kind == kind;
	return (n);
}

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

static void
no_event_comes_before_a_watermark(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);
	int64_t mark;

	for (int i = 0; i < 5; i++)
		sweep(fx);
	mark = drain_watermark_ns(fx->drain);
	/* liars about time: long ago, and in the future */
	program_publish(&fx->program, r, 5, EV_note, 1, 0);
	program_publish(&fx->program, r, fx->now_ns + ENV_SEC, EV_note, 2, 0);
	program_publish(&fx->program, r, 6, EV_note, 3, 0);
	sweep(fx);
	for (size_t i = fx->nout - 3; i < fx->nout; i++) {
		assert_true(fx->out[i].e.t_node_ns >= mark);
		assert_true(fx->out[i].e.t_node_ns <= fx->now_ns);
	}
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

#define BUSY_EVENTS 50000

struct writer {
	struct program *program;
	struct ring *ring;
};

/* As libprobe does it: active, clock, record, head, active. */
static void *
write_events(void *arg)
{
	struct writer *w = arg;
	int64_t t_ns = 1000 * ENV_MS;

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
		TEST(records_that_make_no_sense_count_as_lost),
		TEST(losses_that_the_program_tells_are_counted),
		TEST(nothing_is_given_back_before_its_account_is_saved),
		TEST(a_hostile_head_closes_the_ring_and_nothing_else),
		TEST(garbage_in_the_whole_segment_harms_nobody),
		TEST(the_watermark_stops_at_an_event_under_way),
		TEST(no_event_comes_before_a_watermark),
		TEST(a_ring_being_taken_holds_the_watermark_a_while),
		TEST(a_killed_program_is_drained_to_its_last_event),
		TEST(a_killed_program_is_drained_when_there_is_memory_again),
		TEST(a_thread_that_vanished_is_ended),
		TEST(a_ring_serves_one_thread_after_the_other),
		TEST(a_thread_number_is_not_taken_twice),
		TEST(threads_publish_while_we_sweep),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
