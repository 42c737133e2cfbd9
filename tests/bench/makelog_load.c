/*
 * The load of a log that is made up: 16 processes of 4 threads.
 *
 * Of the plain load every step is one of four kinds.  Of the varied one a
 * table says which kinds there are and how often each comes: a step writes
 * down what one thread does next, and lets its clock, and that of whom it
 * talks to, go on.
 */
#include "tests/bench/makelog.h"

#include <stdio.h>

#define AT_ONCE (8u << 20) /* more are not held */
#define THREADS 64
#define POS     16
#define LOCKS   32
#define PIECES  64 /* of memory, of a thread */

/* What nobody can come before any more. */
static void
write_down(struct make_log *l, const int64_t *now, size_t n)
{
	int64_t least = now[0];

	for (size_t i = 1; i < n; i++)
		least = now[i] < least ? now[i] : least;
	make_log_blocks_until(l, least, 0);
}

static void
plain_load(struct make_log *l, long n, long slow, int64_t start_ns)
{
	uint32_t name[8], where[64];
	int64_t now[64];
	const uint64_t first_task = 1ull << 40;
	uint64_t turn = 1, task = first_task;
	char text[16];

	for (int i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "work_%c", 'a' + i);
		name[i] = make_log_name(l, text);
	}
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t node = 1 + i / 16, po = 60 + i / 4;

		if (i % 4 == 0)
			make_log_po(l, node, po, "load");
		where[i] = make_log_thread(l, node, po, 1 + i % 4, "");
		now[i] = start_ns;
	}
	for (long k = 0; k < n;) {
		uint32_t i = (uint32_t)between(0, 63);
		uint32_t f = name[between(0, 7)], w = where[i];
		long what = between(0, 9);

		if (what < 7) {
			make_log_event(l, w, EV_enter, now[i], f, 0, f);
			now[i] += slow * between(100, 8000);
			make_log_event(l, w, EV_leave, now[i], f, 0, f);
			k += 2;
		} else if (what == 7) {
			make_log_event(l, w, EV_lock_wait, now[i], 77, 0, f);
			now[i] += slow * between(100, 3000);
			make_log_event(l, w, EV_lock_acquire, now[i], 77, turn,
			    f);
			now[i] += slow * between(100, 1000);
			make_log_event(l, w, EV_lock_release, now[i], 77,
			    ++turn, f);
			k += 3;
		} else if (what == 8) {
			uint32_t to = (uint32_t)between(0, 63);
			int64_t at = now[to] > now[i] ? now[to] : now[i] + 500;

			uint64_t id = message_next();

			make_log_event(l, w, EV_send, now[i], id, 256, 1);
			make_log_event(l, where[to], EV_receive, at + 100, id,
			    256, 1);
			now[to] = at + 200;
			k += 2;
		} else {
			uint64_t parent =
			    task == first_task
				? 0
				: first_task + 1 + (task - first_task - 1) / 3;

			make_log_event(l, w, EV_task_spawn, now[i], ++task,
			    parent, f);
			make_log_event(l, w, EV_task_begin, now[i] + 50, task,
			    i % 16, f);
			now[i] += slow * between(500, 5000);
			make_log_event(l, w, EV_task_end, now[i], task, 0, 0);
			k += 3;
		}
		now[i] += slow * between(50, 2000);
		if (l->n >= AT_ONCE)
			write_down(l, now, 64);
	}
}

/* the varied load */

static struct {
	struct make_log *l;
	long slow;
	int64_t now[THREADS];
	uint32_t where[THREADS], process[POS];
	uint32_t function[24], lock[8], place[8], counter[4], phase[3], said[4],
	    procedure[4], stack_name[6];
	int64_t free_ns[LOCKS]; /* when each lock is free again */
	uint64_t turn[LOCKS], piece[THREADS], barrier[POS];
	int64_t value[POS][4];
	uint64_t rpc, task;
	uint32_t processor[THREADS];
} v;

static int64_t
later(int64_t a, int64_t b)
{
	return (a > b ? a : b);
}

static void
tell(uint32_t i, unsigned kind, uint64_t a, uint64_t b, uint32_t c)
{
	make_log_event(v.l, v.where[i], kind, v.now[i], a, b, c);
}

static void
pass(uint32_t i, int64_t from_ns, int64_t to_ns)
{
	v.now[i] += v.slow * between(from_ns, to_ns);
}

static void
enter(uint32_t i, uint32_t f, unsigned kind)
{
	tell(i, kind, 0x400000 + f * 64, 0, f);
}

/* A function, and up to three that it calls, each of which may call one. */
static void
step_call(uint32_t i)
{
	uint32_t f = v.function[between(0, 7)];

	enter(i, f, EV_enter);
	pass(i, 100, 2000);
	for (long n = between(0, 3); n > 0; n--) {
		uint32_t g = v.function[between(8, 15)];
		uint32_t h = v.function[between(16, 23)];
		bool deep = between(0, 3) == 0;

		enter(i, g, EV_enter);
		pass(i, 50, 1500);
		if (deep) {
			enter(i, h, EV_enter);
			pass(i, 50, 500);
			enter(i, h, EV_leave);
		}
		pass(i, 20, 300);
		enter(i, g, EV_leave);
		pass(i, 20, 300);
	}
	enter(i, f, EV_leave);
}

static void
step_lock(uint32_t i)
{
	uint32_t k = (uint32_t)between(0, LOCKS - 1), name = v.lock[k % 8];

	tell(i, EV_lock_wait, 1000 + k, 0, name);
	pass(i, 50, 200);
	v.now[i] = later(v.now[i], v.free_ns[k] + 50);
	tell(i, EV_lock_acquire, 1000 + k, v.turn[k], name);
	pass(i, 100, 1000);
	tell(i, EV_lock_release, 1000 + k, ++v.turn[k], name);
	v.free_ns[k] = v.now[i];
}

static void
step_message(uint32_t i)
{
	uint32_t to = (uint32_t)between(0, THREADS - 1);
	uint32_t tag = (uint32_t)between(1, 8);
	uint64_t bytes = (uint64_t)between(16, 4096), id = message_next();

	if (to == i)
		return;
	tell(i, EV_send, id, bytes, tag);
	if (v.now[to] < v.now[i])
		tell(to, EV_receive_wait, 0, 0, tag);
	v.now[to] = later(v.now[to], v.now[i]) + 200;
	tell(to, EV_receive, id, bytes, tag);
	pass(to, 20, 200);
}

static void
step_remote(uint32_t i)
{
	uint32_t to = (uint32_t)between(0, THREADS - 1);
	uint32_t name = v.procedure[between(0, 3)];
	uint64_t id = ++v.rpc;

	if (to == i)
		return;
	tell(i, EV_rpc_call, id, 64, name);
	v.now[to] = later(v.now[to], v.now[i]) + 300;
	tell(to, EV_rpc_begin, id, 64, name);
	pass(to, 300, 4000);
	tell(to, EV_rpc_end, id, 256, name);
	v.now[i] = v.now[to] + 300;
	tell(i, EV_rpc_return, id, 256, name);
	pass(to, 20, 200);
}

static void
step_task(uint32_t i)
{
	const uint64_t first = 1ull << 40;
	uint64_t parent = v.task == 0 ? 0 : first + 1 + (v.task - 1) / 3;
	uint64_t id = first + ++v.task;
	uint32_t name = v.procedure[between(0, 3)];

	tell(i, EV_task_spawn, id, parent, name);
	pass(i, 20, 100);
	tell(i, EV_task_begin, id, i % 16, name);
	pass(i, 500, 5000);
	tell(i, EV_task_end, id, 0, 0);
}

/* A piece of memory is given out, or the one before given back; some never. */
static void
step_memory(uint32_t i)
{
	uint64_t address =
	    0x7f0000000000 + i * 0x1000000ull + v.piece[i] / 2 % PIECES * 4096;
	uint32_t place = v.place[between(0, 7)];

	if (v.piece[i] % 2 == 0 || between(0, 31) == 0)
		tell(i, EV_mem_alloc, address, (uint64_t)between(16, 4096),
		    place);
	else
		tell(i, EV_mem_free, address, 0, place);
	v.piece[i]++;
}

static void
step_counter(uint32_t i)
{
	uint32_t po = i / 4, k = (uint32_t)between(0, 3);

	v.value[po][k] += between(-100, 103);
	tell(i, EV_counter, (uint64_t)v.value[po][k], 0, v.counter[k]);
}

/* All four threads of a process meet. */
static void
step_barrier(uint32_t i)
{
	uint32_t first = i / 4 * 4;
	uint64_t turn = ++v.barrier[i / 4];
	int64_t last = 0;

	for (uint32_t k = first; k < first + 4; k++) {
		tell(k, EV_barrier_enter, 500 + first, turn, 4);
		last = later(last, v.now[k]);
	}
	for (uint32_t k = first; k < first + 4; k++) {
		v.now[k] = last + 100;
		tell(k, EV_barrier_leave, 500 + first, turn, 4);
	}
}

static void
step_phase(uint32_t i)
{
	uint32_t name = v.phase[between(0, 2)];

	tell(i, EV_phase_begin, 0, 0, name);
	pass(i, 2000, 20000);
	tell(i, EV_phase_end, (uint64_t)between(1, 100), 0, name);
}

static void
step_said(uint32_t i)
{
	tell(i, EV_state, 0, 0, v.said[between(0, 3)]);
}

static uint64_t
tid(uint32_t i)
{
	return (10000 + i);
}

/* Told of the process by its collector: a thread is without a processor. */
static void
step_scheduled(uint32_t i)
{
	uint32_t where = v.process[i / 4];
	bool preempted = between(0, 1) == 1;

	make_log_event(v.l, where, EV_sched_out, v.now[i], tid(i),
	    v.processor[i], preempted);
	pass(i, 1000, 20000);
	v.processor[i] = (uint32_t)between(0, 7);
	make_log_event(v.l, where, EV_sched_in, v.now[i], tid(i),
	    v.processor[i], 0);
}

static void
step_sampled(uint32_t i)
{
	make_log_event(v.l, v.process[i / 4], EV_sample_found, v.now[i], tid(i),
	    1000000, (uint32_t)between(1, 6));
}

static const struct {
	int often; /* of 100 */
	void (*step)(uint32_t thread);
} steps[] = { { 48, step_call }, { 10, step_lock }, { 12, step_message },
	{ 4, step_remote }, { 4, step_task }, { 8, step_memory },
	{ 4, step_counter }, { 1, step_barrier }, { 1, step_phase },
	{ 2, step_said }, { 4, step_scheduled }, { 2, step_sampled } };

static void
names(uint32_t *name, size_t n, const char *of)
{
	char text[24];

	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%s_%c", of, (char)('a' + i));
		name[i] = make_log_name(v.l, text);
	}
}

/* A process, its threads, and what a sampler calls its stacks. */
static void
process(uint32_t po, int64_t start_ns)
{
	uint32_t node = 1 + po / 4, way = make_log_name(v.l, "perf");

	make_log_po(v.l, node, 60 + po, "varied");
	v.process[po] = make_log_thread(v.l, node, 60 + po, 0, "");
	make_log_event(v.l, v.process[po], EV_sched_from, start_ns, 60 + po, 0,
	    way);
	make_log_event(v.l, v.process[po], EV_sample_from, start_ns, 1000, 1,
	    way);
	for (uint32_t s = 1; s <= 6; s++)
		make_log_event(v.l, v.process[po], EV_sample_stack,
		    start_ns + s, s, s / 2, v.stack_name[s - 1]);
	for (uint32_t i = po * 4; i < po * 4 + 4; i++) {
		v.where[i] = make_log_thread(v.l, node, 60 + po, 1 + i % 4, "");
		v.now[i] = start_ns + 100;
		tell(i, EV_thread_begin, 0, tid(i), 0);
		make_log_event(v.l, v.process[po], EV_sched_in, v.now[i],
		    tid(i), i % 8, 0);
	}
}

static void
varied_load(struct make_log *l, long n, long slow, int64_t start_ns)
{
	uint64_t until = (uint64_t)n, before;

	v.l = l;
	v.slow = slow;
	names(v.function, 24, "work");
	names(v.lock, 8, "lock");
	names(v.place, 8, "place");
	names(v.counter, 4, "counter");
	names(v.phase, 3, "phase");
	names(v.said, 4, "said");
	names(v.procedure, 4, "procedure");
	names(v.stack_name, 6, "found");
	for (uint32_t po = 0; po < POS; po++)
		process(po, start_ns);
	for (uint64_t told = 0; told < until;) {
		uint32_t i = (uint32_t)between(0, THREADS - 1);
		long what = between(0, 99);
		size_t k = 0;

		while ((what -= steps[k].often) >= 0)
			k++;
		before = l->n;
		steps[k].step(i);
		told += l->n - before;
		pass(i, 50, 1000);
		if (l->n >= AT_ONCE)
			write_down(l, v.now, THREADS);
	}
}

void
make_load(struct make_log *l, long n, long slow, int64_t start_ns, bool varied)
{
	if (varied)
		varied_load(l, n, slow, start_ns);
	else
		plain_load(l, n, slow, start_ns);
}
