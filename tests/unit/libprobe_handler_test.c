/* Events of signal handlers, wherever they interrupt another event. */
#include "tests/unit/libprobe_streams.h"

#include <sys/time.h>
#include <sys/wait.h>

#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

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
		.grows = how == STORM_LOSSY ? 1 : 3,
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

static volatile sig_atomic_t is_child, forks, harmed;

static void
forking_handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	int status;
	pid_t pid;

	(void)sig;
	(void)info;
	if (countdown-- != 0)
		return;
	pid = fork();
	if (pid == 0) { /* which goes on at its own pace */
		is_child = true;
		u->uc_mcontext.gregs[REG_EFL] &= ~0x100;
		return;
	}
	forks++;
	harmed += waitpid(pid, &status, 0) != pid || status != 0;
}

/*
 * A handler forks after the n-th instruction of an event, for all n, and the
 * child goes on with that event: on the straight path, and where the ring is
 * full.  It comes out alive, and nothing of it is in the parent's ring.
 */
static void
each_instruction_may_be_forked_at(void **state)
{
	static const struct {
		uint32_t records;
		int instructions;
	} cases[] = { { 65536, 70 }, { 64, 90 } };

	struct sigaction sa = { .sa_sigaction = forking_handler,
		.sa_flags = SA_SIGINFO };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct hub_options o = { .ring_records = cases[k].records,
			.grows = 1,
			.reserve = 16 };
		struct hub *h = hub_open("n1", &o);

		forks = harmed = 0;
		for (int i = 0; i < 70; i++) /* the small one is full */
			probe_note(1, i);
		sigaction(SIGTRAP, &sa, NULL);
		for (int n = 0; n < cases[k].instructions; n++) {
			countdown = n;
			STEP("orq $0x100,");
			probe_note(1, n);
			STEP("andq $~0x100,");
			if (is_child)
				_exit(0);
		}
		signal(SIGTRAP, SIG_DFL);
		assert_true(forks > 30);
		assert_int_equal(harmed, 0);
		check_accounts(h);
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

static void
each_instruction_may_be_forked_at(void **state)
{
	(void)state;
	skip();
}
#endif

/* As an event that has its slot and is left there by a handler. */
static void
abandon(void)
{
	assert_true(probe_take(&probe_self->next, probe_self->next));
}

/* As soon as nothing is held back any more, the reader sees it. */
static void
send_seen(uint64_t i)
{
	probe_send(i, 0, 0);
	if (probe_self->head == probe_self->next)
		assert_int_equal(probe_self->shared->head, probe_self->next);
}

/*
 * Handlers that never return to the events that they have interrupted, more
 * than a repair does at a time; and nothing is counted twice when there is
 * loss of another kind later.
 */
static void
an_abandoned_event_holds_nothing_up(void **state)
{
	static const struct {
		size_t record;
		uint64_t total;
	} lost[] = { { 2, 1 }, { 303, 2 }, { 304, 3 } };
	struct hub_options o = { .ring_records = 1024, .reserve = 16 };
	struct hub *h = hub_open("n1", &o);
	const struct ring_record *r;
	struct hub_stream *s;

	(void)state;
	probe_send(0, 0, 0);
	abandon();
	for (uint64_t i = 1; i <= 2000; i++) {
		if (i % 100 == 0)
			hub_sweep(h);
		send_seen(i);
		if (i == 300) {
			abandon();
			abandon();
		}
	}
	check_accounts(h);
	s = only_stream(h);
	assert_int_equal(s->lost_total, 3);
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		r = record_at(s, lost[i].record, EV_lost);
		assert_int_equal(r->c, LOST_INVALID);
		assert_int_equal(r->a, 1);
		assert_int_equal(r->b, lost[i].total);
	}
	assert_int_equal(hub_stored(s), 2002);

	for (uint64_t i = 1; i <= 2000; i++) /* more than there is room for */
		probe_send(i, 0, 0);
	hub_sweep(h);
	send_seen(0);
	check_accounts(h);
	assert_true(s->lost_total > 3);
	assert_int_equal(hub_told_lost(s), s->lost_total);
	hub_close(h, true);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handlers_may_probe),
		cmocka_unit_test(each_instruction_may_be_interrupted),
		cmocka_unit_test(each_instruction_may_be_forked_at),
		cmocka_unit_test(an_abandoned_event_holds_nothing_up),
	};

	(void)argc;
	hub_setup(argv);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
