/*
 * bench: the delay that ordering adds, in virtual time on the reorderer that
 * monitord runs: by number of nodes and flush interval, with one packet in a
 * hundred up to 5 ms late; then with one node that stalls for 10 s at 5 M
 * events/s.  And what 4,096 streams cost that are idle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "monitord/order/reorder.h"
#include "tests/bench/bench.h"
#include "tests/sim/model.h"

#define US  INT64_C(1000)
#define MS  INT64_C(1000000)
#define SEC INT64_C(1000000000)

#define BIN_NS (10 * US)
#define BINS   50000 /* up to 500 ms */

struct histogram {
	uint64_t bin[BINS], n;
	int64_t max_ns;
};

static void
histogram_add(struct histogram *h, int64_t ns)
{
	size_t b = ns < 0 ? 0 : (size_t)(ns / BIN_NS);

	h->bin[b < BINS ? b : BINS - 1]++;
	h->n++;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

static double
histogram_ms(const struct histogram *h, double share)
{
	uint64_t n = 0, want = (uint64_t)((double)h->n * share);
	size_t b = 0;

	while (b < BINS - 1 && (n += h->bin[b]) <= want)
		b++;
	return ((double)(b + 1) * (double)BIN_NS / 1e6);
}

/* --- by number of nodes and flush interval --- */

struct link {
	int64_t flushed_ns;          /* everything before is on its way */
	int64_t pushed_ns;           /* or there */
	int64_t next_ns, arrives_ns; /* the batch on its way: flushed, there */
	int64_t off_ns;
	uint64_t seq;
};

struct delays {
	struct chance chance;
	struct reorder *r;
	struct link *link;
	uint32_t nodes;
	int64_t now_ns, flush_ns, period_ns, warm_ns;
	struct histogram *h;
	uint64_t late;
};

static void
delay_emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct delays *d = arg;

	for (size_t i = 0; i < n; i++) {
		d->late += (ev[i].flags & EVENT_LATE) != 0;
		if (ev[i].t_node_ns >= d->warm_ns)
			histogram_add(d->h, d->now_ns - ev[i].t_node_ns);
	}
}

/* 50 us + exp(50 us), and of 1 % up to 5 ms more; in order. */
static void
link_send(struct delays *d, struct link *l)
{
	double us = 50 + chance_exp(&d->chance, 50);

	if (chance_is(&d->chance, 0.01))
		us += 5000 * chance_unit(&d->chance);
	l->flushed_ns = l->next_ns;
	l->next_ns += d->flush_ns;
	if (l->flushed_ns + (int64_t)(us * 1000) > l->arrives_ns)
		l->arrives_ns = l->flushed_ns + (int64_t)(us * 1000);
}

static void
link_push(struct delays *d, uint32_t node, int64_t t, uint16_t kind,
    uint64_t id)
{
	struct link *l = &d->link[node];
	struct event ev = { .t_node_ns = t,
		.t_mon_ns = t + l->off_ns,
		.seq = l->seq++,
		.a = id,
		.kind = kind,
		.location = node };

	reorder_push(d->r, node, &ev, 1);
}

/*
 * One event each period.  Every twelfth time it is a send, whose receive is at
 * the next node 3 us later, which is less than the clocks may be apart.
 */
static void
link_say(struct delays *d, uint32_t node, int64_t t)
{
	uint64_t k = (uint64_t)(t / d->period_ns);

	if (k % 12 != 3) {
		link_push(d, node, t, EV_note, 0);
		return;
	}
	link_push(d, node, t, EV_send, k * d->nodes + node + 1);
	link_push(d, node, t + 3 * US, EV_receive,
	    k * d->nodes + (node + 1) % d->nodes + 1);
}

static void
link_receive(struct delays *d, uint32_t node)
{
	struct link *l = &d->link[node];

	while (l->arrives_ns <= d->now_ns) {
		int64_t t = (l->pushed_ns + d->period_ns - 1) / d->period_ns *
			    d->period_ns;

		for (; t < l->flushed_ns; t += d->period_ns)
			link_say(d, node, t);
		l->pushed_ns = l->flushed_ns;
		reorder_advance(d->r, node, l->flushed_ns + l->off_ns, 5 * US,
		    d->now_ns);
		link_send(d, l);
		if (l->arrives_ns > d->now_ns)
			break;
	}
}

static void
bench_delay(uint32_t nodes, int64_t flush_ms)
{
	struct delays d = { .chance = { nodes }, .nodes = nodes };
	char name[80];

	d.h = need(1, sizeof(*d.h));
	d.link = need(nodes, sizeof(*d.link));
	d.flush_ns = flush_ms * MS;
	d.period_ns = nodes < 1024 ? 100 * US : 2 * MS;
	d.warm_ns = 200 * MS;
	d.r = reorder_new(&reorder_defaults, delay_emit_cb, NULL, &d);
	for (uint32_t i = 0; i < nodes; i++) {
		struct link *l = &d.link[i];

		reorder_node_add(d.r, i);
		reorder_stream_add(d.r, i, i);
		l->off_ns = (int64_t)chance_below(&d.chance, 6000) - 3000;
		l->next_ns =
		    (int64_t)chance_below(&d.chance, (uint64_t)d.flush_ns);
		link_send(&d, l);
	}
	for (d.now_ns = 0; d.now_ns < 1500 * MS; d.now_ns += REORDER_TICK_NS) {
		for (uint32_t i = 0; i < nodes; i++)
			link_receive(&d, i);
		reorder_tick(d.r, d.now_ns);
	}
	snprintf(name, sizeof(name), "order delay p99, %u nodes, flush %d ms",
	    nodes, (int)flush_ms);
	line(name, histogram_ms(d.h, 0.99), "ms",
	    d.late == 0 ? "goal" : "goal, but some are late",
	    (double)flush_ms + 6);
	snprintf(name, sizeof(name), "order delay max, %u nodes, flush %d ms",
	    nodes, (int)flush_ms);
	line(name, (double)d.h->max_ns / 1e6, "ms", "goal",
	    (double)flush_ms + 10);
	reorder_free(d.r);
	free(d.link);
	free(d.h);
}

/* --- one of 64 nodes stalls --- */

#define S_NODES   64
#define S_EACH    64
#define S_STREAMS (S_NODES * S_EACH)
#define S_PERIOD  819200 /* of a stream: 5 M events/s in all */
#define S_FLUSH   (5 * MS)
#define S_BEGIN   (1 * SEC)
#define S_END     (11 * SEC)
#define S_STOP    (13 * SEC)

struct stall {
	struct reorder *r;
	uint64_t said[S_STREAMS]; /* events, which are their numbers too */
	int64_t now_ns, found_ns, back_ns;
	struct histogram before, during, after; /* of the 63 others */
	uint64_t in, out, late, late_others, orphans, found;
	uint64_t his, his_late;
	size_t memory;
};

static void
stall_emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct stall *s = arg;

	s->out += n;
	for (size_t i = 0; i < n; i++) {
		int64_t age = s->now_ns - ev[i].t_node_ns;
		bool late = (ev[i].flags & EVENT_LATE) != 0;

		s->orphans += (ev[i].flags & EVENT_ORPHAN) != 0;
		s->late += late;
		if (ev[i].location < S_EACH) {
			if (ev[i].t_node_ns >= S_BEGIN &&
			    ev[i].t_node_ns < S_END - 200 * MS) {
				s->his++;
				s->his_late += late;
			}
			continue;
		}
		s->late_others += late;
		if (s->now_ns < S_BEGIN)
			histogram_add(&s->before, age);
		else if (s->found_ns == 0 || s->now_ns < s->found_ns + 100 * MS)
			histogram_add(&s->during, age);
		else
			histogram_add(&s->after, age);
	}
}

static void
stall_stall_cb(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	struct stall *s = arg;

	(void)node;
	(void)ns;
	if (stalled)
		s->found_ns = s->now_ns;
	else
		s->back_ns = s->now_ns;
}

static void
stall_found_cb(void *arg, const struct event *cause, int64_t cause_ns,
    int64_t effect_ns)
{
	(void)cause;
	(void)cause_ns;
	(void)effect_ns;
	((struct stall *)arg)->found++;
}

/* All that a stream has to say before a time. */
static void
stall_say(struct stall *s, uint32_t stream, int64_t before_ns)
{
	struct event ev[32];
	int64_t shift = (int64_t)stream * 211 % S_PERIOD;
	size_t n = 0;

	for (;;) {
		uint64_t k = s->said[stream];
		int64_t t = (int64_t)k * S_PERIOD + shift;
		uint32_t from = (stream + S_STREAMS - S_EACH) % S_STREAMS;

		if (t >= before_ns || n == 32) {
			reorder_push(s->r, stream, ev, n);
			s->in += n;
			n = 0;
			if (t >= before_ns)
				return;
		}
		ev[n] = (struct event){ .t_node_ns = t,
			.t_mon_ns = t,
			.seq = k,
			.kind = EV_note,
			.location = stream };
		if (k % 8 == 1) { /* a quarter are messages */
			ev[n].kind = EV_send;
			ev[n].a = k << 16 | (stream + 1);
		} else if (k % 8 == 5) {
			ev[n].kind = EV_receive;
			ev[n].a = (k - 4) << 16 | (from + 1);
		}
		n++;
		s->said[stream]++;
	}
}

static void
stall_node(struct stall *s, uint32_t node, int64_t told_ns)
{
	for (uint32_t i = 0; i < S_EACH; i++)
		stall_say(s, node * S_EACH + i, told_ns);
	reorder_advance(s->r, node, told_ns, 5 * US, s->now_ns);
}

static void
bench_stall(void)
{
	struct stall *s = need(1, sizeof(*s));
	struct reorder_stats st;
	int64_t his_ns = 0;
	double began = cpu_s();

	s->r = reorder_new(&reorder_defaults, stall_emit_cb, stall_stall_cb, s);
	reorder_on_found(s->r, stall_found_cb, s);
	for (uint32_t i = 0; i < S_NODES; i++)
		reorder_node_add(s->r, i);
	for (uint32_t i = 0; i < S_STREAMS; i++)
		reorder_stream_add(s->r, i, i / S_EACH);
	for (s->now_ns = 0; s->now_ns < S_STOP; s->now_ns += REORDER_TICK_NS) {
		for (uint32_t i = 0; i < S_NODES; i++) {
			if ((s->now_ns + i * S_FLUSH / S_NODES) % S_FLUSH >=
			    REORDER_TICK_NS)
				continue;
			if (i > 0) {
				stall_node(s, i, s->now_ns);
			} else if (s->now_ns < S_BEGIN || s->now_ns >= S_END) {
				/* back: ten times as fast as it was made */
				his_ns += S_FLUSH * 10;
				if (his_ns > s->now_ns)
					his_ns = s->now_ns;
				stall_node(s, 0, his_ns);
			}
		}
		reorder_tick(s->r, s->now_ns);
		if (reorder_memory_bytes(s->r) > s->memory)
			s->memory = reorder_memory_bytes(s->r);
	}
	began = cpu_s() - began;
	reorder_flush(s->r);
	reorder_stats(s->r, &st);
	line("stall of 10 s: delay p99 of others before",
	    histogram_ms(&s->before, 0.99), "ms", "flush and a tick", 5.5);
	line("stall of 10 s: delay max of others",
	    (double)s->during.max_ns / 1e6, "ms", "goal", 160);
	line("stall of 10 s: delay p99 of others 100 ms later",
	    histogram_ms(&s->after, 0.99), "ms", "before",
	    histogram_ms(&s->before, 0.99));
	line("stall of 10 s: events of others late", (double)s->late_others,
	    "events", "goal", 0);
	line("stall of 10 s: events neither out nor told lost",
	    (double)(s->in - s->out), "events", "goal", 0);
	line("stall of 10 s: its events flagged late", (double)s->his_late,
	    "events", "due", (double)s->his);
	line("stall of 10 s: causes found for orphans", (double)s->found,
	    "causes", "orphans", (double)s->orphans);
	line("stall of 10 s at 5 M/s, 4096 streams: memory",
	    (double)s->memory / 1048576, "MB", "goal", 256);
	line("stall of 10 s: ordering, load made beside it",
	    (double)s->out / began / 1e6, "M events/s", "offered", 5);
	reorder_free(s->r);
	free(s);
}

/* --- idle --- */

static void
ignore_cb(void *arg, const struct event *ev, size_t n)
{
	(void)arg;
	(void)ev;
	(void)n;
}

static void
bench_idle(void)
{
	struct reorder *r =
	    reorder_new(&reorder_defaults, ignore_cb, NULL, NULL);
	struct event ev = { .kind = EV_note, .t_mon_ns = MS };
	double began;
	enum {
		TICKS = 20000
	};

	for (uint32_t i = 0; i < 4096; i++) {
		reorder_node_add(r, i);
		reorder_stream_add(r, i, i);
		reorder_push(r, i, &ev, 1);
		reorder_advance(r, i, 2 * MS, 1000, 2 * MS);
	}
	reorder_tick(r, 2 * MS);
	line("idle stream", (double)reorder_memory_bytes(r) / 4096 / 1024, "KB",
	    "goal", 16);
	began = cpu_s();
	for (int i = 1; i <= TICKS; i++) {
		/* one heartbeat a tick */
		reorder_advance(r, (uint32_t)i % 4096, 2 * MS + i, 1000,
		    2 * MS + i);
		reorder_tick(r, 2 * MS + i);
	}
	line("idle tick, 4096 streams", (cpu_s() - began) / TICKS * 1e6, "us",
	    "goal", 25);
	reorder_free(r);
}

int
main(void)
{
	static const uint32_t nodes[] = { 4, 64, 1024, 4096 };
	static const int64_t flush_ms[] = { 1, 5, 10, 50 };

	for (int n = 0; n < 4; n++)
		for (int f = 0; f < 4; f++)
			bench_delay(nodes[n], flush_ms[f]);
	bench_stall();
	bench_idle();
	return (0);
}
