/*
 * Rings begin small and grow: nothing is lost by it, wherever a handler comes
 * in between, and a thread that says little has little memory.  All together
 * they have no more than they may.
 */
#include "tests/unit/libprobe_streams.h"

#include <sys/mman.h>

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

/* As the collector makes them: of 1,024 records, then 4,096, 16,384, 65,536. */
static const struct hub_options usual = { .nrings = 512,
	.ring_records = 65536,
	.grows = 3,
	.hold = true };

#define FIRST 1024
#define ALL   (1024 + 4096 + 16384 + 65536)

/* Bytes of the segment that are there at all. */
static size_t
present_bytes(const struct hub_po *p)
{
	size_t page = 4096, n = p->bytes / page, bytes = 0;
	unsigned char *in = malloc(n);

	assert_non_null(in);
	assert_int_equal(mincore(p->segment, p->bytes, in), 0);
	for (size_t i = 0; i < n; i++)
		bytes += (in[i] & 1) != 0 ? page : 0;
	free(in);
	return (bytes);
}

/* The sends of a stream are 0, 1, 2...  Returns how many. */
static uint64_t
check_sends(const struct hub_stream *s)
{
	uint64_t next = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->records[i].kind != EV_send)
			continue;
		assert_int_equal(s->records[i].a, next);
		assert_int_equal(s->records[i].b, ~next);
		next++;
	}
	return (next);
}

static uint64_t
count_kind(const struct hub_stream *s, uint32_t kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->records[i].kind == kind;
	return (n);
}

static void *
ten_events(void *barrier)
{
	for (uint64_t i = 0; i < 10; i++)
		probe_send(i, ~i, 0);
	pthread_barrier_wait(barrier); /* all have one */
	return (NULL);
}

static void
threads_that_say_little_cost_little(void **state)
{
	struct hub *h = hub_open("n1", &usual);
	pthread_barrier_t barrier;
	pthread_t t[32];
	struct hub_po *p;

	(void)state;
	pthread_barrier_init(&barrier, NULL, 32);
	for (int i = 0; i < 32; i++)
		pthread_create(&t[i], NULL, ten_events, &barrier);
	for (int i = 0; i < 32; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	hub_sweep(h);
	assert_int_equal(p->nstreams, 32);
	/* a ring's first records and its head */
	assert_true(present_bytes(p) <=
		    32 * (FIRST * sizeof(struct ring_record) + 256) + 3 * 4096);
	hub_close(h, true);
}

static void
a_long_life_does_not_make_it_larger(void **state)
{
	struct hub *h = hub_open("n1", &usual);
	struct hub_po *p;
	uint64_t n = 0;

	(void)state;
	probe_send(n, ~n, 0);
	n++;
	p = hub_wait_po(h, 0);
	for (int i = 0; i < 300; i++) {
		for (int k = 0; k < FIRST - 10; k++, n++)
			probe_send(n, ~n, 0);
		hub_sweep(h);
	}
	assert_int_equal(check_sends(only_stream(h)), n);
	assert_true(
	    present_bytes(p) <= FIRST * sizeof(struct ring_record) + 3 * 4096);
	hub_close(h, true);
}

static void
a_tight_loop_loses_less_than_its_size(void **state)
{
	struct hub *h = hub_open("n1", &usual);
	struct hub_stream *s;

	(void)state;
	for (uint64_t i = 0; i < 200000; i++)
		probe_send(i, ~i, 0);
	hub_wait_po(h, 0);
	hub_sweep(h);
	s = only_stream(h);
	/* the reserve is kept in the last generation, thread_begin is one */
	assert_int_equal(check_sends(s), ALL - 256 - 1);
	assert_int_equal(s->lost_total, 200000 - (ALL - 256 - 1));
	check_accounts(h);
	hub_close(h, true);
}

static void *
fill(void *n)
{
	for (uint64_t i = 0; i < *(const uint64_t *)n; i++)
		probe_send(i, ~i, 0);
	return (NULL);
}

/* The next thread finds a ring that is small again. */
static void
a_ring_is_small_again(void **state)
{
	struct hub *h = hub_open("n1", &usual);
	uint64_t n[] = { 30000, 3, 2000, 80000, FIRST };
	pthread_t t;
	struct hub_po *p;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		pthread_create(&t, NULL, fill, &n[i]);
		pthread_join(t, NULL);
		hub_wait_po(h, 0);
		hub_sweep(h);
	}
	p = hub_wait_po(h, 0);
	assert_int_equal(p->nstreams, 5);
	assert_int_equal(atomic_load(&p->segment->rings_used), 1);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(check_sends(p->streams[i]), n[i]);
		assert_int_equal(p->streams[i]->lost_total, 0);
	}
	hub_close(h, true);
}

/* Only what has grown can have a reserve to keep. */
static void
it_grows_rather_than_waits(void **state)
{
	struct hub_options o = usual;
	struct hub *h;

	(void)state;
	o.wait_ms = 60000;
	h = hub_open("n1", &o);
	for (uint64_t i = 0; i < 20000; i++)
		probe_send(i, ~i, 0);
	hub_wait_po(h, 0);
	hub_sweep(h);
	assert_int_equal(check_sends(only_stream(h)), 20000);
	hub_close(h, true);
}

/* What all rings have grown by, as their generations say. */
static uint64_t
grown(const struct hub_po *p)
{
	const struct ring_segment *s = p->segment;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->nrings; i++)
		for (uint32_t g = 1; g < s->generations; g++)
			if (ring_at(p->segment, s->rings_offset, i)->start[g])
				sum += ring_size(s->ring_first, g);
	return (sum);
}

struct filler {
	pthread_barrier_t *all;
	uint64_t n;
};

static void *
fill_and_stay(void *arg)
{
	struct filler *f = arg;

	fill(&f->n);
	pthread_barrier_wait(f->all);
	return (NULL);
}

/* Six want to grow; there is memory for the second generation of three. */
static void
all_grow_by_no_more_than_they_may(void **state)
{
	struct hub_options o = usual;
	pthread_barrier_t all;
	struct filler f = { &all, 30000 };
	uint64_t kept = 0, lost = 0, n;
	pthread_t t[6];
	struct hub *h;
	struct hub_po *p;

	(void)state;
	o.may_grow = 4 * FIRST * 3 + 5;
	h = hub_open("n1", &o);
	pthread_barrier_init(&all, NULL, 7);
	for (size_t i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, fill_and_stay, &f);
	pthread_barrier_wait(&all);
	for (size_t i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	p = hub_wait_po(h, 0);
	assert_int_equal(grown(p), 4 * FIRST * 3);
	hub_sweep(h);
	assert_int_equal(p->nstreams, 6);
	assert_int_equal(atomic_load(&p->segment->grown), 4 * FIRST * 3);
	for (size_t i = 0; i < 6; i++) {
		n = check_sends(p->streams[i]);
		/*
		 * Of a ring that has all it gets a 256th is kept; not of one
		 * for which there was memory until others took it.
		 */
		assert_true((n >= FIRST - FIRST / 256 - 1 && n < FIRST) ||
			    n == FIRST * 5 - FIRST * 4 / 256 - 1);
		/* and what lost to others has no reserve for its end */
		kept += n + count_kind(p->streams[i], EV_thread_end);
		lost += p->streams[i]->lost_total;
	}
	assert_int_equal(kept + lost, 6 * 30001);
	check_accounts(h);
	hub_close(h, true);
}

/* What is given back may be used again. */
static void
what_is_given_back_lets_others_grow(void **state)
{
	struct hub_options o = usual;
	uint64_t n = 3 * FIRST, kept;
	struct ring_segment *s;
	struct hub *h;
	pthread_t t;

	(void)state;
	o.may_grow = 4 * FIRST;
	h = hub_open("n1", &o);
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, fill, &n);
		pthread_join(t, NULL);
		s = hub_wait_po(h, 0)->segment;
		/* the second cannot */
		assert_int_equal(atomic_load(&s->grown),
		    i < 2 ? 4 * FIRST : 8 * FIRST);
		if (i == 1)
			atomic_store(&s->growth.given_back, 4 * FIRST);
	}
	hub_sweep(h);
	kept = check_sends(hub_wait_po(h, 0)->streams[1]);
	assert_int_equal(kept, FIRST - FIRST / 256 - 1);
	assert_int_equal(hub_wait_po(h, 0)->streams[1]->lost_total, n - kept);
	assert_int_equal(check_sends(hub_wait_po(h, 0)->streams[2]), n);
	check_accounts(h);
	hub_close(h, true);
}

#if defined(__x86_64__) && SCALE == 1 && !defined(__SANITIZE_ADDRESS__)

/* 16 records, then 64, then 256; a ring for each thread that there ever is. */
static const struct hub_options tiny = { .nrings = 4096,
	.ring_records = 256,
	.grows = 2,
	.reserve = 16,
	.may_grow = 1 << 20, /* enough: that it is counted right */
	.hold = true };

static volatile int countdown, burst;
static volatile sig_atomic_t leaves;
static sigjmp_buf out;

static void
step_handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)info;
	if (countdown-- > 0)
		return;
	u->uc_mcontext.gregs[REG_EFL] &= ~0x100; /* once is enough */
	for (int i = 0; i < burst; i++)
		probe_note(77, i);
	if (leaves)
		siglongjmp(out, 1);
}

/* The processor's trap flag: a SIGTRAP after every single instruction. */
#define STEP(op)                                                               \
	__asm__ volatile("subq $128, %%rsp; pushfq; " op " (%%rsp); "          \
			 "popfq; addq $128, %%rsp"                             \
			 :                                                     \
			 :                                                     \
			 : "memory", "cc")

/*
 * The ring is full, and a handler comes after the n-th instruction of the
 * event that lets it grow, if it has so many.
 */
static void *
interrupted(void *fits)
{
	uint64_t i = 0;

	/* thread_begin is the first of 16 */
	for (; i < 15; i++)
		probe_send(i, ~i, 0);
	if (sigsetjmp(out, 1) == 0) {
		STEP("orq $0x100,");
		probe_send(15, ~UINT64_C(15), 0);
		STEP("andq $~0x100,");
	}
	*(bool *)fits = countdown < 0;
	for (i = 16; i < 40; i++)
		probe_send(i, ~i, 0);
	return (NULL);
}

static void
check_interrupted(const struct hub_stream *s, uint64_t noted, bool left)
{
	uint64_t sends = 0, notes = 0, last = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct ring_record *r = &s->records[i];

		if (r->kind == EV_send) {
			assert_int_equal(r->a, ~r->b);
			assert_true(sends == 0 || r->a > last);
			last = r->a;
			sends++;
		} else if (r->kind == EV_note) {
			assert_int_equal(r->a, notes);
			notes++;
		}
	}
	assert_int_equal(last, 39);
	assert_int_equal(notes, noted);
	/* an event that is never resumed may be lost, and be lost uncounted */
	assert_true(sends == 40 || (left && sends == 39));
	assert_true(s->lost_total <= left);
}

static void
interrupt_everywhere(int events, bool leave)
{
	struct sigaction sa = { .sa_sigaction = step_handler,
		.sa_flags = SA_SIGINFO };
	struct hub *h = hub_open("n1", &tiny);
	uint64_t counted;
	bool fits = true;
	struct hub_po *p;
	pthread_t t;
	size_t n = 0;

	burst = events;
	leaves = leave;
	sigaction(SIGTRAP, &sa, NULL);
	while (fits) {
		countdown = (int)n++;
		pthread_create(&t, NULL, interrupted, &fits);
		pthread_join(t, NULL);
	}
	signal(SIGTRAP, SIG_DFL);
	p = hub_wait_po(h, 0);
	counted = atomic_load(&p->segment->grown);
	assert_true(leave ? counted >= grown(p) : counted == grown(p));
	check_accounts(h);
	assert_int_equal(p->nstreams, n);
	assert_true(n > 100);
	for (size_t i = 0; i < n; i++) /* the last event was too short */
		check_interrupted(p->streams[i],
		    i + 1 < n ? (uint64_t)events : 0, leave);
	hub_close(h, true);
}

/* With one event, and with as many as make it grow twice. */
static void
a_handler_may_come_at_each_instruction(void **state)
{
	(void)state;
	interrupt_everywhere(1, false);
	interrupt_everywhere(66, false);
}

static void
a_handler_may_leave_at_each_instruction(void **state)
{
	(void)state;
	interrupt_everywhere(1, true);
	interrupt_everywhere(66, true);
}
#else
static void
a_handler_may_come_at_each_instruction(void **state)
{
	(void)state;
	skip();
}

static void
a_handler_may_leave_at_each_instruction(void **state)
{
	(void)state;
	skip();
}
#endif

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_say_little_cost_little),
		cmocka_unit_test(a_long_life_does_not_make_it_larger),
		cmocka_unit_test(a_tight_loop_loses_less_than_its_size),
		cmocka_unit_test(a_ring_is_small_again),
		cmocka_unit_test(it_grows_rather_than_waits),
		cmocka_unit_test(all_grow_by_no_more_than_they_may),
		cmocka_unit_test(what_is_given_back_lets_others_grow),
		cmocka_unit_test(a_handler_may_come_at_each_instruction),
		cmocka_unit_test(a_handler_may_leave_at_each_instruction),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
