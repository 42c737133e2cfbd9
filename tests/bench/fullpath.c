/*
 * bench: the full path of monitord on one core.
 *
 * The core, its nodes, its reorderer and its store are those of monitord; only
 * the sockets are missing.  The batches of fullpath_load.c lie ready in memory;
 * each is parsed, decoded, put on the common clock, ordered, encoded,
 * compressed and written, with a commit every 100 ms, by one thread on one
 * processor.
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
#include <unistd.h>

#include "monitord/inside.h"
#include "tests/bench/bench.h"
#include "tests/bench/fullpath.h"

enum {
	TICK_NS = 2000000,
	COMMIT_NS = 100000000,
};

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

/* --- monitord --- */

static void
lock_clock(struct node *n, unsigned node)
{
	int64_t due;

	clocksync_connected(n->clocks.sync, 0);
	while ((due = clocksync_due(n->clocks.sync)) <
	       (int64_t)(START_S - 1) * 1000000000) {
		int64_t there, back;
		uint32_t seq;

		now_ns = due > now_ns ? due : now_ns;
		seq = clocksync_ping(n->clocks.sync, now_ns);
		there = now_ns + 5000;
		back = there + 3000;
		if (clocksync_pong(n->clocks.sync, seq, now_ns,
			load_clock(node, there), load_clock(node, back),
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
	c->clock.start_ns = 0;
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
	node_mark(n, n->clocks.sync, m.watermark_node_ns);
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
	split.since_ns = split_ns();
	began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
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
	return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - began);
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
		line_digits(4, name, least[s] / events, "ns/event", "all of it",
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
	line_digits(4, name, rate, "M events/s", about, 10);
	if (first > 0) {
		snprintf(name, sizeof(name), "full path, %zu streams beside 64",
		    k);
		line_digits(4, name, rate / first, "of it", "goal", 0.7);
	}
	bench_split(env, path, &l, rounds, best);
	load_free(&l);
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
