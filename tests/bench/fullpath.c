/*
 * bench: the full path of monitord on one core.
 *
 * The core, its nodes, its reorderer and its store are those of monitord; only
 * the sockets are missing.  Batches as 16 collectors would send them, one each
 * 5 ms, staggered, at 10 M events a second, lie ready in memory; each is
 * parsed, decoded, put on the common clock, ordered, encoded, compressed and
 * written, with a commit every 100 ms, by one thread on one processor.  A
 * quarter of the events are messages, the rest calls and memory.
 *
 *	fullpath [-e EVENTS] [-k STREAMS] [-r ROUNDS] [-o LOG]
 *
 * The figures are of the time of the thread, system calls included.  The split
 * by stages is from a run of its own, because looking at the clock costs.
 */
#include <err.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "batch.h"
#include "monitord/inside.h"
#include "tests/sim/model.h"

enum {
	NODES = 16,
	FLUSH_NS = 5000000,
	TICK_NS = 2000000,
	COMMIT_NS = 100000000,
	GAP_NS = 100, /* between events of all streams */
	START_S = 20, /* the clocks are locked by then */
	FUNCTIONS = 40,
	HEAP_MAX = 64,
	DEPTH_MAX = 24,
	MAILBOX = 64,
};

static double
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return ((double)t.tv_sec * 1e9 + (double)t.tv_nsec);
}

/* For the split: cheaper to ask; the least of several rounds is taken. */
static double
wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec * 1e9 + (double)t.tv_nsec);
}

static void *
need(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		err(71, NULL);
	return (p);
}

/* --- the stages: who is at work now --- */

enum stage {
	STAGE_REST,
	STAGE_FRAME,
	STAGE_DECODE,
	STAGE_PUSH,
	STAGE_ORDER,
	STAGE_ENCODE,
	STAGE_SEAL,
	STAGE_ZSTD,
	STAGE_WRITE,
	STAGES
};
static const char *const stage_name[STAGES] = {
	"rest",
	"frames, checksums of batches",
	"decode, clock map",
	"push",
	"order, causes",
	"encode",
	"checksums of blocks, lanes",
	"compress",
	"write, sync",
};

static struct {
	bool on;
	enum stage now;
	double since_ns, ns[STAGES];
} split;

static enum stage
enter(enum stage s)
{
	enum stage before = split.now;
	double now;

	if (!split.on)
		return (before);
	now = wall_ns();
	split.ns[before] += now - split.since_ns;
	split.since_ns = now;
	split.now = s;
	return (before);
}

/* The linker puts these around the functions (mk/codec.mk). */
struct reorder *__real_reorder_new(const struct reorder_options *,
    reorder_emit *, reorder_stall *, void *);
struct reorder *__wrap_reorder_new(const struct reorder_options *,
    reorder_emit *, reorder_stall *, void *);
struct event_slot *__real_reorder_room(struct reorder *, uint32_t, size_t *);
struct event_slot *__wrap_reorder_room(struct reorder *, uint32_t, size_t *);
void __real_reorder_commit(struct reorder *, uint32_t, size_t);
void __wrap_reorder_commit(struct reorder *, uint32_t, size_t);
int __real_block_finish(struct block_writer *, int, int, struct buf *);
int __wrap_block_finish(struct block_writer *, int, int, struct buf *);
size_t __real_ZSTD_compress2(void *, void *, size_t, const void *, size_t);
size_t __wrap_ZSTD_compress2(void *, void *, size_t, const void *, size_t);

static reorder_emit *core_emit;

static void
emit_cb(void *arg, const struct event *e, size_t n)
{
	enum stage s = enter(STAGE_ENCODE);

	core_emit(arg, e, n);
	enter(s);
}

struct reorder *
__wrap_reorder_new(const struct reorder_options *o, reorder_emit *emit,
    reorder_stall *stall, void *arg)
{
	core_emit = emit;
	return (__real_reorder_new(o, emit_cb, stall, arg));
}

struct event_slot *
__wrap_reorder_room(struct reorder *r, uint32_t stream, size_t *n)
{
	enum stage s = enter(STAGE_PUSH);
	struct event_slot *room = __real_reorder_room(r, stream, n);

	enter(s);
	return (room);
}

void
__wrap_reorder_commit(struct reorder *r, uint32_t stream, size_t n)
{
	enum stage s = enter(STAGE_PUSH);

	__real_reorder_commit(r, stream, n);
	enter(s);
}

int
__wrap_block_finish(struct block_writer *w, int late, int level,
    struct buf *out)
{
	enum stage s = enter(STAGE_SEAL);
	int rv = __real_block_finish(w, late, level, out);

	enter(s);
	return (rv);
}

size_t
__wrap_ZSTD_compress2(void *ctx, void *to, size_t room, const void *from,
    size_t n)
{
	enum stage s = enter(STAGE_ZSTD);
	size_t rv = __real_ZSTD_compress2(ctx, to, room, from, n);

	enter(s);
	return (rv);
}

/* --- the world: real files, our own clock --- */

static const struct env_ops *real_ops;
static int64_t now_ns;

static int64_t
bench_now(struct env *env)
{
	(void)env;
	return (now_ns);
}

static ssize_t
bench_write(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	enum stage s = enter(STAGE_WRITE);
	ssize_t rv = real_ops->write_at(f, p, n, offset);

	enter(s);
	return (rv);
}

static int
bench_sync(struct env_file *f)
{
	enum stage s = enter(STAGE_WRITE);
	int rv = real_ops->sync(f);

	enter(s);
	return (rv);
}

/* --- the load --- */

struct message {
	uint64_t id, bytes;
	int64_t ready_ns;
	uint32_t tag;
};

struct thread {
	int64_t t_ns;
	unsigned depth, function[DEPTH_MAX];
	uint64_t heap[HEAP_MAX], heap_top;
	unsigned nheap;
	uint64_t sent, seq;
	struct message mail[MAILBOX];
	unsigned mail_from, mails;
	/* what the batch under way has of it */
	struct node_event *run;
	size_t run_n, run_cap;
};

struct load {
	struct chance chance;
	size_t k, events;
	struct thread *thread;
	struct batch_writer *writer;
	uint64_t number[NODES];
	/* frames in the order in which they arrive */
	struct buf frames;
	struct arrival {
		size_t at, bytes;
		int64_t t_ns;
		unsigned node;
	} * arrival;
	size_t arrivals, arrivals_cap;
};

/* Node clocks are off by up to 2 s and 40 ppm. */
static int64_t
node_clock(unsigned node, int64_t t_ns)
{
	int64_t ppm = (int64_t)node * 5 - 40;

	return (t_ns + ((int64_t)node - 8) * 250000000 + t_ns / 1000000 * ppm);
}

static void
do_call(struct load *l, struct thread *th, struct node_event *e)
{
	bool in =
	    th->depth == 0 || (th->depth < DEPTH_MAX &&
				  chance_below(&l->chance, 16) >= th->depth);
	double u = chance_unit(&l->chance);
	unsigned f =
	    in ? (unsigned)(u * u * FUNCTIONS) : th->function[th->depth - 1];

	if (in)
		th->function[th->depth++] = f;
	else
		th->depth--;
	e->kind = in ? EV_enter : EV_leave;
	e->a = 0x5581e3a0c000 + f * 0x1b0u;
	e->c = 1 + f;
}

/* Memory is taken and given back, last in first out. */
static void
do_memory(struct load *l, struct thread *th, struct node_event *e)
{
	bool take = th->nheap == 0 ||
		    (th->nheap < HEAP_MAX && chance_below(&l->chance, 2) == 0);

	if (take) {
		th->heap[th->nheap++] = th->heap_top;
		e->b = (uint64_t)16 << chance_below(&l->chance, 6);
		th->heap_top += e->b + 16;
		e->a = th->heap[th->nheap - 1];
	} else {
		e->a = th->heap_top = th->heap[--th->nheap];
	}
	e->kind = take ? EV_mem_alloc : EV_mem_free;
	e->c = 41 + (uint32_t)(e->a >> 4) % 8;
}

static void
do_send(struct load *l, size_t s, struct thread *th, struct node_event *e)
{
	struct thread *to = &l->thread[chance_below(&l->chance, l->k)];
	struct message m = {
		.id = (uint64_t)(s + 1) << 32 | ++th->sent,
		.bytes = (uint64_t)1 << chance_below(&l->chance, 14),
		.ready_ns =
		    th->t_ns + 3000 + (int64_t)chance_below(&l->chance, 20000),
		.tag = chance_below(&l->chance, 8) == 0,
	};

	m.bytes += chance_below(&l->chance, m.bytes);
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
add_event(struct load *l, size_t s, int64_t t_ns)
{
	struct thread *th = &l->thread[s];
	unsigned node = (unsigned)(s % NODES);
	struct node_event e = { .t_node_ns = node_clock(node, t_ns) };
	uint64_t pick = chance_below(&l->chance, 1000);

	th->t_ns = t_ns;
	if (th->mails > 0 && th->mail[th->mail_from].ready_ns <= t_ns &&
	    pick < 700)
		do_receive(th, &e);
	else if (pick < 137) /* an eighth of all events */
		do_send(l, s, th, &e);
	else if (pick < 850)
		do_call(l, th, &e);
	else
		do_memory(l, th, &e);
	if (th->run_n == th->run_cap) {
		th->run_cap = th->run_cap * 2 + 16;
		th->run = realloc(th->run, th->run_cap * sizeof(*th->run));
		if (th->run == NULL)
			err(71, NULL);
	}
	th->run[th->run_n++] = e;
}

static void
define(struct load *l, unsigned node)
{
	struct msg_po po = { .po = 1, .program = BYTES_STR("program") };
	char text[32];

	if (batch_add_definition(l->writer, MSG_po, &po) == -1)
		err(71, NULL);
	for (size_t s = node; s < l->k; s += NODES) {
		struct msg_thread m = { .location = (uint32_t)(s + 1),
			.po = 1,
			.thread = (uint32_t)(s + 1),
			.name = BYTES_STR("worker") };

		if (batch_add_definition(l->writer, MSG_thread, &m) == -1)
			err(71, NULL);
	}
	for (uint32_t i = 1; i < 50; i++) {
		struct msg_name m = { .po = 1, .name = i };

		snprintf(text, sizeof(text), "some_function_%u", i);
		m.text = BYTES_STR(text);
		m.file = BYTES_STR("src/program.c");
		if (batch_add_definition(l->writer, MSG_name, &m) == -1)
			err(71, NULL);
	}
}

/* What a node has gathered by now. */
static void
flush(struct load *l, unsigned node, int64_t t_ns)
{
	struct arrival *a;
	struct msg_batch m = { .number = ++l->number[node],
		.watermark_node_ns = node_clock(node, t_ns) };

	batch_writer_reset(l->writer);
	if (m.number == 1)
		define(l, node);
	for (size_t s = node; s < l->k; s += NODES) {
		struct thread *th = &l->thread[s];

		if (batch_add_run(l->writer, (uint32_t)(s + 1), th->seq,
			th->run, th->run_n) == -1)
			err(71, "batch_add_run");
		th->seq += th->run_n;
		th->run_n = 0;
	}
	m.events = batch_events(l->writer);
	m.streams = batch_bytes(l->writer);
	if (l->arrivals == l->arrivals_cap) {
		l->arrivals_cap = l->arrivals_cap * 2 + 64;
		l->arrival =
		    realloc(l->arrival, l->arrivals_cap * sizeof(*l->arrival));
		if (l->arrival == NULL)
			err(71, NULL);
	}
	a = &l->arrival[l->arrivals++];
	*a = (struct arrival){ .at = l->frames.n, .t_ns = t_ns, .node = node };
	if (frame_append(&l->frames, MSG_batch, &m) == -1)
		err(71, NULL);
	a->bytes = l->frames.n - a->at;
}

static void
load_make(struct load *l, size_t k, size_t events)
{
	int64_t start = (int64_t)START_S * 1000000000, t = start;
	int64_t due = start;
	unsigned turn = 0;

	memset(l, 0, sizeof(*l));
	l->chance.state = k;
	l->k = k;
	l->events = events;
	l->thread = need(k, sizeof(*l->thread));
	for (size_t s = 0; s < k; s++)
		l->thread[s].heap_top = 0x7f2100000000 + (s << 24);
	l->writer = batch_writer_new();
	if (l->writer == NULL)
		err(71, NULL);
	for (size_t i = 0; i < events; i++) {
		t = start + (int64_t)i * GAP_NS;
		for (; t >= due; due += FLUSH_NS / NODES)
			flush(l, turn++ % NODES, due);
		add_event(l, chance_below(&l->chance, k), t);
	}
	for (unsigned n = 0; n < NODES; n++)
		flush(l, n, t + 1000 + n);
	batch_writer_free(l->writer);
	for (size_t s = 0; s < k; s++)
		free(l->thread[s].run);
	free(l->thread);
}

/* --- monitord --- */

static void
lock_clock(struct node *n, unsigned node)
{
	int64_t due;

	clocksync_connected(n->sync, 0);
	while ((due = clocksync_due(n->sync)) <
	       (int64_t)(START_S - 1) * 1000000000) {
		int64_t there, back;
		uint32_t seq;

		now_ns = due > now_ns ? due : now_ns;
		seq = clocksync_ping(n->sync, now_ns);
		there = now_ns + 5000;
		back = there + 3000;
		if (clocksync_pong(n->sync, seq, now_ns,
			node_clock(node, there), node_clock(node, back),
			back + 5000) == -1)
			errx(70, "pong");
		now_ns = back + 5000;
	}
}

static struct monitord_core *
start(struct env *env, const char *path)
{
	struct core_settings set = { .log_path = path,
		.run_name = "bench",
		.open = true };
	struct store_error e;
	struct monitord_core *c = core_new(env, &set, NULL, NULL, &e);
	struct node *n;
	char name[16];

	if (c == NULL)
		errx(71, "%s", e.text);
	for (unsigned i = 0; i < NODES; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		n = node_new(c, name);
		if (n == NULL)
			err(71, NULL);
		n->number = registry_node(c->registry, name, "bench");
		n->state = NODE_RUNNING;
		reorder_node_add(c->reorder, n->number);
		TAILQ_INSERT_TAIL(&c->nodes, n, entry);
		now_ns = 0;
		lock_clock(n, i);
	}
	c->start_ns = 0;
	return (c);
}

static void
take(struct node *n, const uint8_t *p, size_t bytes)
{
	struct frame f;
	struct msg_batch m;

	enter(STAGE_FRAME);
	if (frame_parse(p, bytes, &f) != FRAME_OK ||
	    msg_decode(f.type, f.body, f.body_bytes, &m) == -1)
		errx(70, "frame");
	enter(STAGE_DECODE);
	if (node_intake(n, &m) == -1)
		errx(70, "batch");
	enter(STAGE_REST);
	n->last_batch = m.number;
	node_mark(n, m.watermark_node_ns);
}

static void
commit(struct monitord_core *c)
{
	enter(STAGE_ENCODE);
	if (!core_commit_now(c))
		errx(74, "commit");
	enter(STAGE_REST);
}

/* The whole load; returns ns of this thread. */
static double
run(struct monitord_core *c, const struct load *l)
{
	struct node *nodes[NODES], *n;
	int64_t tick = 0, save = 0;
	unsigned i = 0;
	double began;

	TAILQ_FOREACH (n, &c->nodes, entry)
		nodes[i++] = n;
	memset(split.ns, 0, sizeof(split.ns));
	split.since_ns = wall_ns();
	began = cpu_ns();
	for (size_t a = 0; a < l->arrivals; a++) {
		const struct arrival *ar = &l->arrival[a];

		now_ns = ar->t_ns + 20000;
		take(nodes[ar->node], l->frames.p + ar->at, ar->bytes);
		if (now_ns - tick >= TICK_NS) {
			tick = now_ns;
			enter(STAGE_ORDER);
			reorder_tick(c->reorder, now_ns);
			enter(STAGE_REST);
			core_say_all(c);
		}
		if (now_ns - save >= COMMIT_NS) {
			save = now_ns;
			commit(c);
		}
	}
	enter(STAGE_ORDER);
	reorder_flush(c->reorder);
	commit(c);
	return (cpu_ns() - began);
}

static void
line(const char *name, double value, const char *unit, const char *reference,
    double other)
{
	printf("%s\t%.4g\t%s\t%s\t%.3g\t%.3g\n", name, value, unit, reference,
	    other, other == 0 ? 0 : value / other);
	fflush(stdout);
}

static double
once(struct env *env, const char *path, const struct load *l,
    struct reorder_stats *st, uint64_t *bytes)
{
	struct monitord_core *c;
	double ns;

	(void)unlink(path);
	c = start(env, path);
	ns = run(c, l);
	reorder_stats(c->reorder, st);
	*bytes = store_bytes(c->store);
	if (st->out != l->events || st->late > 0)
		errx(70, "%llu of %zu events came out, %llu late",
		    (unsigned long long)st->out, l->events,
		    (unsigned long long)st->late);
	core_free(c);
	(void)unlink(path);
	return (ns);
}

static void
bench_split(struct env *env, const char *path, const struct load *l,
    unsigned rounds, double all_ns)
{
	double least[STAGES], events = (double)l->events;
	struct reorder_stats st;
	uint64_t bytes;
	char name[96];

	memset(&split, 0, sizeof(split));
	split.on = true;
	for (unsigned i = 0; i < rounds; i++) {
		once(env, path, l, &st, &bytes);
		for (int s = 0; s < STAGES; s++)
			least[s] =
			    i == 0 ? split.ns[s] : fmin(least[s], split.ns[s]);
	}
	split.on = false;
	for (int s = 0; s < STAGES && rounds > 0; s++) {
		snprintf(name, sizeof(name), "full path, %zu streams: %s", l->k,
		    stage_name[s]);
		line(name, least[s] / events, "ns/event", "all of it",
		    all_ns / events);
	}
}

static double
bench(struct env *env, const char *path, size_t k, size_t events,
    unsigned rounds, double first)
{
	struct reorder_stats st;
	struct load l;
	double best = 1e18, rate;
	uint64_t bytes;
	char name[96], about[128];

	load_make(&l, k, events);
	for (unsigned i = 0; i < rounds; i++)
		best = fmin(best, once(env, path, &l, &st, &bytes));
	rate = (double)events / best * 1e3;
	snprintf(name, sizeof(name), "full path, %zu streams", k);
	snprintf(about, sizeof(about),
	    "goal (%.0f %% messages, shifted %.1f %%, %.2f bytes in, %.2f "
	    "out)",
	    200.0 * (double)st.matched / (double)st.out,
	    100.0 * (double)st.shifted / (double)st.out,
	    (double)l.frames.n / (double)events,
	    (double)bytes / (double)events);
	line(name, rate, "M events/s", about, 10);
	if (first > 0) {
		snprintf(name, sizeof(name), "full path, %zu streams beside 64",
		    k);
		line(name, rate / first, "of it", "goal", 0.7);
	}
	bench_split(env, path, &l, rounds, best);
	buf_free(&l.frames);
	free(l.arrival);
	return (rate);
}

/* Stays on the processor that it is on. */
static void
pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

int
main(int argc, char *argv[])
{
	static const size_t all[] = { 64, 1024, 4096 };
	size_t events = 3000000, k = 0;
	unsigned rounds = 3;
	char path[64] = "";
	const char *log = path;
	struct env_ops ops;
	struct env *env;
	double first = 0;
	int ch;

	while ((ch = getopt(argc, argv, "e:k:r:o:")) != -1) {
		if (ch == 'e')
			events = (size_t)strtoull(optarg, NULL, 10);
		else if (ch == 'k')
			k = (size_t)strtoull(optarg, NULL, 10);
		else if (ch == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 10);
		else if (ch == 'o')
			log = optarg;
		else
			errx(64, "usage: fullpath [-e events] [-k streams] "
				 "[-r rounds] [-o log]");
	}
	snprintf(path, sizeof(path), "/tmp/orrery-bench-%d.orr", getpid());
	env = env_event_new(NULL);
	if (env == NULL)
		err(71, NULL);
	real_ops = env->ops;
	ops = *real_ops;
	ops.now_ns = bench_now;
	ops.write_at = bench_write;
	ops.sync = bench_sync;
	env->ops = &ops;
	pin();
	for (size_t i = 0; i < 3; i++) {
		double rate;

		if (k != 0 && k != all[i])
			continue;
		rate = bench(env, log, all[i], events, rounds, first);
		if (i == 0)
			first = rate;
	}
	env->ops = real_ops;
	env_event_free(env);
	return (0);
}
