/*
 * The load of the full path: batches as 16 collectors would send them, one each
 * 5 ms, staggered, at 10 M events a second.  A quarter of the events are
 * messages, the rest calls and memory.
 */
#include <string.h>

#include "monitord/inside.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/fullpath.h"
#include "tests/sim/model.h"

enum {
	FLUSH_NS = 5000000,
	GAP_NS = 100, /* between events of all streams */
	HEAP_MAX = 64,
	MAILBOX = 64,
};

struct message {
	uint64_t id, bytes;
	int64_t ready_ns;
	uint32_t tag;
};

struct thread {
	int64_t t_ns;
	struct calls calls;
	uint64_t heap[HEAP_MAX], heap_top;
	unsigned nheap;
	uint64_t sent, seq;
	struct message mail[MAILBOX];
	unsigned mail_from, mails;
	/* what the batch under way has of it */
	struct node_event *run;
	size_t run_n, run_cap;
};

struct maker {
	struct chance chance;
	struct load *l;
	struct thread *thread;
	struct batch_writer *writer;
	uint64_t number[NODES];
	size_t arrivals_cap;
};

int64_t
load_clock(unsigned node, int64_t t_ns)
{
	int64_t ppm = (int64_t)node * 5 - 40;

	return (t_ns + ((int64_t)node - 8) * 250000000 + t_ns / 1000000 * ppm);
}

static void
do_call(struct maker *mk, struct thread *th, struct node_event *e)
{
	bool in = th->calls.depth == 0 ||
		  (th->calls.depth < CALLS_DEPTH &&
		      chance_below(&mk->chance, 16) >= th->calls.depth);

	calls_make(&th->calls, in, calls_pick(chance_unit(&mk->chance)), 1, e);
}

/* Memory is taken and given back, last in first out. */
static void
do_memory(struct maker *mk, struct thread *th, struct node_event *e)
{
	bool take = th->nheap == 0 ||
		    (th->nheap < HEAP_MAX && chance_below(&mk->chance, 2) == 0);

	if (take) {
		th->heap[th->nheap++] = th->heap_top;
		e->b = (uint64_t)16 << chance_below(&mk->chance, 6);
		th->heap_top += e->b + 16;
		e->a = th->heap[th->nheap - 1];
	} else {
		e->a = th->heap_top = th->heap[--th->nheap];
	}
	e->kind = take ? EV_mem_alloc : EV_mem_free;
	e->c = 41 + (uint32_t)(e->a >> 4) % 8;
}

static void
do_send(struct maker *mk, size_t s, struct thread *th, struct node_event *e)
{
	struct thread *to = &mk->thread[chance_below(&mk->chance, mk->l->k)];
	struct message m = {
		.id = (uint64_t)(s + 1) << 32 | ++th->sent,
		.bytes = (uint64_t)1 << chance_below(&mk->chance, 14),
		.ready_ns =
		    th->t_ns + 3000 + (int64_t)chance_below(&mk->chance, 20000),
		.tag = chance_below(&mk->chance, 8) == 0,
	};

	m.bytes += chance_below(&mk->chance, m.bytes);
	e->kind = EV_send;
	if (to->mails < MAILBOX)
		to->mail[(to->mail_from + to->mails++) % MAILBOX] = m;
	else
		e->kind = EV_counter;
	e->a = m.id;
	e->b = e->kind == EV_send ? m.bytes : 0;
	e->c = m.tag;
}

static void
do_receive(struct thread *th, struct node_event *e)
{
	const struct message *m = &th->mail[th->mail_from];

	th->mail_from = (th->mail_from + 1) % MAILBOX;
	th->mails--;
	e->kind = EV_receive;
	e->a = m->id;
	e->b = m->bytes;
	e->c = m->tag;
}

static void
add_event(struct maker *mk, size_t s, int64_t t_ns)
{
	struct thread *th = &mk->thread[s];
	unsigned node = (unsigned)(s % NODES);
	struct node_event e = { .t_node_ns = load_clock(node, t_ns) };
	uint64_t pick = chance_below(&mk->chance, 1000);

	th->t_ns = t_ns;
	if (th->mails > 0 && th->mail[th->mail_from].ready_ns <= t_ns &&
	    pick < 700)
		do_receive(th, &e);
	else if (pick < 137) /* an eighth of all events */
		do_send(mk, s, th, &e);
	else if (pick < 850)
		do_call(mk, th, &e);
	else
		do_memory(mk, th, &e);
	if (th->run_n == th->run_cap) {
		th->run_cap = th->run_cap * 2 + 16;
		th->run = realloc(th->run, th->run_cap * sizeof(*th->run));
		if (th->run == NULL)
			err(71, NULL);
	}
	th->run[th->run_n++] = e;
}

static void
define(struct maker *mk, unsigned node)
{
	struct msg_po po = { .po = 1, .program = BYTES_STR("program") };
	char text[32];

	if (batch_add_definition(mk->writer, MSG_po, &po) == -1)
		err(71, NULL);
	for (size_t s = node; s < mk->l->k; s += NODES) {
		struct msg_thread m = { .location = (uint32_t)(s + 1),
			.po = 1,
			.thread = (uint32_t)(s + 1),
			.name = BYTES_STR("worker") };

		if (batch_add_definition(mk->writer, MSG_thread, &m) == -1)
			err(71, NULL);
	}
	for (uint32_t i = 1; i < 50; i++) {
		struct msg_name m = { .po = 1, .name = i };

		snprintf(text, sizeof(text), "some_function_%u", i);
		m.text = BYTES_STR(text);
		m.file = BYTES_STR("src/program.c");
		if (batch_add_definition(mk->writer, MSG_name, &m) == -1)
			err(71, NULL);
	}
}

/* What a node has gathered by now. */
static void
flush(struct maker *mk, unsigned node, int64_t t_ns)
{
	struct arrival *a;
	struct msg_batch m = { .number = ++mk->number[node],
		.watermark_node_ns = load_clock(node, t_ns) };

	batch_writer_reset(mk->writer);
	if (m.number == 1)
		define(mk, node);
	for (size_t s = node; s < mk->l->k; s += NODES) {
		struct thread *th = &mk->thread[s];

		if (batch_add_run(mk->writer, (uint32_t)(s + 1), th->seq,
			th->run, th->run_n) == -1)
			err(71, "batch_add_run");
		th->seq += th->run_n;
		th->run_n = 0;
	}
	m.events = batch_events(mk->writer);
	m.streams = batch_bytes(mk->writer);
	if (mk->l->arrivals == mk->arrivals_cap) {
		mk->arrivals_cap = mk->arrivals_cap * 2 + 64;
		mk->l->arrival = realloc(mk->l->arrival,
		    mk->arrivals_cap * sizeof(*mk->l->arrival));
		if (mk->l->arrival == NULL)
			err(71, NULL);
	}
	a = &mk->l->arrival[mk->l->arrivals++];
	*a = (struct arrival){ .at = mk->l->frames.n,
		.t_ns = t_ns,
		.node = node };
	if (frame_append(&mk->l->frames, MSG_batch, &m) == -1)
		err(71, NULL);
	a->bytes = mk->l->frames.n - a->at;
}

void
load_make(struct load *l, size_t k, size_t events)
{
	int64_t start = (int64_t)START_S * 1000000000, t = start;
	int64_t due = start;
	struct maker maker = { .chance = { k }, .l = l }, *mk = &maker;
	unsigned turn = 0;

	memset(l, 0, sizeof(*l));
	l->k = k;
	l->events = events;
	mk->thread = need(k, sizeof(*mk->thread));
	for (size_t s = 0; s < k; s++)
		mk->thread[s].heap_top = 0x7f2100000000 + (s << 24);
	mk->writer = batch_writer_new();
	if (mk->writer == NULL)
		err(71, NULL);
	for (size_t i = 0; i < events; i++) {
		t = start + (int64_t)i * GAP_NS;
		for (; t >= due; due += FLUSH_NS / NODES)
			flush(mk, turn++ % NODES, due);
		add_event(mk, chance_below(&mk->chance, k), t);
	}
	for (unsigned n = 0; n < NODES; n++)
		flush(mk, n, t + 1000 + n);
	batch_writer_free(mk->writer);
	for (size_t s = 0; s < k; s++)
		free(mk->thread[s].run);
	free(mk->thread);
}

void
load_free(struct load *l)
{
	buf_free(&l->frames);
	free(l->arrival);
}
