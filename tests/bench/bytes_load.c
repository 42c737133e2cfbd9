/*
 * The events of eight threads in two processes that, every two microseconds
 * each, enter and leave functions (60 %), take locks (15 %), exchange messages
 * (15 %) and spawn and run tasks (10 %).
 */
#include <math.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/bytes.h"
#include "tests/bench/calls.h"
#include "tests/rnd.h"

enum {
	LOCKS = 6,
	MAILBOX = 64,
	POOL = 1024,
	GAP_NS = 2000,
};

static uint64_t
chance(void)
{
	return (rnd() >> 11);
}

/* Small numbers more often: how programs choose what to call. */
static unsigned
rnd_skewed(unsigned n)
{
	double u = (double)(chance() % 1000000) / 1e6;

	return ((unsigned)(u * u * n));
}

struct message {
	uint64_t id, bytes;
	uint32_t tag;
};

struct thread {
	int64_t t_ns;
	struct calls calls;
	unsigned lock, lock_state; /* 0 none, 1 waits, 2 holds */
	uint64_t messages, spawned, task;
	unsigned task_name;
	struct message mail[MAILBOX];
	unsigned mails;
};

static struct thread threads[THREADS];
static uint64_t lock_turn[LOCKS];
static struct pool {
	uint64_t id;
	unsigned name;
} pool[POOL];
static unsigned pooled;

static void
do_call(struct thread *th, struct node_event *e)
{
	bool in = th->calls.depth == 0 || (th->calls.depth < CALLS_DEPTH &&
					      chance() % 16 >= th->calls.depth);

	calls_make(&th->calls, in, in ? rnd_skewed(CALLS_FUNCTIONS) : 0, 100,
	    e);
}

static void
do_lock(struct thread *th, struct node_event *e)
{
	static const uint16_t kinds[] = { EV_lock_wait, EV_lock_acquire,
		EV_lock_release };

	if (th->lock_state == 0)
		th->lock = (unsigned)(chance() % LOCKS);
	e->kind = kinds[th->lock_state];
	e->a = 0x7f21b8004a80 + th->lock * 0x40u;
	e->b = th->lock_state == 0   ? 0
	       : th->lock_state == 1 ? lock_turn[th->lock]
				     : ++lock_turn[th->lock];
	e->c = 10 + th->lock / 2;
	th->lock_state = (th->lock_state + 1) % 3;
}

static void
do_message(struct thread *th, struct node_event *e)
{
	struct message m;
	struct thread *to = &threads[chance() % THREADS];

	if (th->mails > 0 && (chance() % 2 == 0 || to->mails == MAILBOX)) {
		m = th->mail[0];
		memmove(th->mail, th->mail + 1, --th->mails * sizeof(m));
		e->kind = EV_receive;
	} else {
		m.id = (uint64_t)(th - threads + 1) << 32 | ++th->messages;
		m.bytes = (uint64_t)1 << chance() % 14;
		m.bytes += chance() % m.bytes;
		m.tag = chance() % 8 == 0;
		if (to->mails < MAILBOX)
			to->mail[to->mails++] = m;
		e->kind = EV_send;
	}
	e->a = m.id;
	e->b = m.bytes;
	e->c = m.tag;
}

static void
do_task(struct thread *th, struct node_event *e)
{
	unsigned pick = chance() % 3;

	if (th->task != 0 && (pick == 0 || pooled == POOL)) {
		e->kind = EV_task_end;
		e->a = th->task;
		th->task = 0;
	} else if (th->task == 0 && pooled > 0 && pick != 0) {
		unsigned i = (unsigned)(chance() % pooled);

		e->kind = EV_task_begin;
		e->a = th->task = pool[i].id;
		e->b = (uint64_t)(th - threads);
		e->c = pool[i].name;
		pool[i] = pool[--pooled];
	} else {
		e->kind = EV_task_spawn;
		e->a = (uint64_t)(th - threads + 1) << 40 | ++th->spawned;
		e->b = th->task;
		e->c = 200 + rnd_skewed(6);
		if (pooled < POOL)
			pool[pooled++] = (struct pool){ e->a, e->c };
	}
}

static struct node_event
next_event(struct thread *th)
{
	struct node_event e = { .t_node_ns = th->t_ns };
	unsigned share = chance() % 100;

	if (share < 60)
		do_call(th, &e);
	else if (share < 75)
		do_lock(th, &e);
	else if (share < 90)
		do_message(th, &e);
	else
		do_task(th, &e);
	th->t_ns += 30 - (int64_t)((GAP_NS - 30) *
				   log((double)(chance() % 999999 + 1) / 1e6));
	return (e);
}

struct event *all;
struct node_event *of[THREADS];
size_t of_n[THREADS];

void
generate(void)
{
	const struct clock_segment {
		int64_t base_node_ns, base_mon_ns, skew_q40;
	} map = { 7000000000000, 900000000000, 40681930 }; /* 37 ppm */

	rnd_state = 88172645463325252u;
	all = calloc(EVENTS, sizeof(*all));
	for (int i = 0; i < THREADS; i++) {
		of[i] = calloc(EVENTS, sizeof(*of[i]));
		if (all == NULL || of[i] == NULL)
			err(1, NULL);
		threads[i].t_ns = map.base_node_ns + (int64_t)(chance() % 2000);
	}
	for (size_t n = 0; n < EVENTS; n++) {
		struct thread *th = &threads[0];
		struct node_event e;
		size_t at;
		int64_t d;

		for (int i = 1; i < THREADS; i++) {
			if (threads[i].t_ns < th->t_ns)
				th = &threads[i];
		}
		at = (size_t)(th - threads);
		e = next_event(th);
		d = e.t_node_ns - map.base_node_ns;
		all[n] = (struct event){
			.t_mon_ns =
			    map.base_mon_ns + d + (d * map.skew_q40 >> 40),
			.t_node_ns = e.t_node_ns,
			.seq = of_n[at],
			.a = e.a,
			.b = e.b,
			.c = e.c,
			.location = (uint32_t)at + 3,
			.kind = e.kind,
		};
		of[at][of_n[at]++] = e;
	}
}
