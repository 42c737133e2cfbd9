/*
 * bench: order.  Merging beside a binary heap, reordering with a quarter of
 * message events.  Prints lines of bench.tsv.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock/clockfit.h"
#include "monitord/order/reorder.h"
#include "monitord/order/sort.h"
#include "tests/bench/bench.h"
#include "tests/sim/model.h"

#define EVENTS  2000000
#define TICK_N  16384
#define MERGE_N (1 << 22)
#define MS      1000000
#define SEC     ((int64_t)1000000000)

/* --- pure merge: 32-byte records of k streams, fully interleaved --- */

struct record {
	int64_t t;
	uint64_t word[3];
};

static uint64_t
merge_radix(const struct record *in, struct record *out, size_t k, size_t each)
{
	size_t batch = TICK_N / k > 0 ? TICK_N / k : 1;
	size_t n = batch * k;
	uint64_t *keys = need(n, 8), *tmp = need(n, 8), sum = 0;

	for (size_t from = 0; from < each; from += batch) {
		size_t to = from + batch < each ? from + batch : each;
		int64_t base = in[from].t;
		uint32_t span = 0;
		uint64_t *sorted;

		n = 0;
		for (size_t s = 0; s < k; s++) {
			/* thousands of streams: no prefetcher follows them */
			if (s + 8 < k)
				for (size_t i = from; i < to && i < from + 16;
				     i += 2)
					__builtin_prefetch(
					    &in[(s + 8) * each + i]);
			for (size_t i = from; i < to; i++) {
				size_t at = s * each + i;
				uint32_t d = (uint32_t)(in[at].t - base);

				span = d > span ? d : span;
				keys[n++] = (uint64_t)d << 32 | at;
			}
		}
		sorted = sort_packed(keys, tmp, n, span);
		for (size_t i = 0; i < n; i++)
			*out++ = in[(uint32_t)sorted[i]];
		sum += n;
	}
	free(keys);
	free(tmp);
	return (sum);
}

static uint64_t
merge_heap(const struct record *in, struct record *out, size_t k, size_t each)
{
	size_t *heap = need(k, sizeof(*heap)), n = k;
	uint64_t sum = 0;

	for (size_t s = 0; s < k; s++)
		heap[s] = s * each; /* already a heap: t rises with s */
	while (n > 0) {
		size_t at = heap[0], i = 0;

		*out++ = in[at];
		sum++;
		if (++at % each == 0)
			at = heap[--n];
		for (;;) {
			size_t c = 2 * i + 1;

			if (c >= n)
				break;
			if (c + 1 < n && in[heap[c + 1]].t < in[heap[c]].t)
				c++;
			if (in[heap[c]].t >= in[at].t)
				break;
			heap[i] = heap[c];
			i = c;
		}
		if (n > 0)
			heap[i] = at;
	}
	free(heap);
	return (sum);
}

static void
bench_merge(size_t k)
{
	size_t each = MERGE_N / k;
	struct record *in = need(MERGE_N, sizeof(*in));
	struct record *out = need(MERGE_N, sizeof(*out));
	double best[2] = { 1e9, 1e9 };
	char name[64];

	for (size_t i = 0; i < each; i++)
		for (size_t s = 0; s < k; s++)
			in[s * each + i].t = (int64_t)(i * k + s) * 40;
	for (int round = 0; round < 3; round++) {
		double t = cpu_s();

		merge_radix(in, out, k, each);
		best[0] = fmin(best[0], cpu_s() - t);
		t = cpu_s();
		merge_heap(in, out, k, each);
		best[1] = fmin(best[1], cpu_s() - t);
	}
	snprintf(name, sizeof(name), "merge, %zu streams", k);
	line(name, MERGE_N / best[0] / 1e6, "M events/s", "binary heap",
	    MERGE_N / best[1] / 1e6);
	free(in);
	free(out);
}

/* --- the whole reorderer --- */

static uint64_t emitted;

static void
count_cb(void *arg, const struct event *ev, size_t n)
{
	(void)arg;
	(void)ev;
	emitted += n;
}

/*
 * k streams on 16 nodes whose clocks are off by some us; a quarter of all
 * events are messages, sent to a random stream and taken 5 to 50 us later.
 */
struct load {
	struct event *ev; /* by stream, `each` places for each */
	size_t *n, k, each;

	/* the same as it comes: in pieces by tick and stream, one behind the
	 * other, as what decodes batches hands them on */
	struct event *flat;
	struct piece {
		uint32_t stream, n;
	} * piece;
	size_t *tick_pieces, ticks; /* first piece of each tick */
};

static void
load_make(struct load *l, size_t k, double share, double off_us)
{
	struct chance c = { k };
	int64_t skew[16];
	uint64_t id = 1;

	l->k = k;
	l->each = EVENTS / k * 5 / 4 + 64;
	l->ev = need(k * l->each, sizeof(*l->ev));
	l->n = need(k, sizeof(*l->n));
	for (int i = 0; i < 16; i++)
		skew[i] = (int64_t)(chance_normal(&c) * off_us * 1000);
	for (size_t i = 0; i < EVENTS; i++) {
		size_t s = chance_below(&c, k);
		struct event *e = &l->ev[s * l->each + l->n[s]];

		if (l->n[s] + 2 > l->each)
			continue;
		e->t_mon_ns = (int64_t)i * 40;
		e->kind = EV_note;
		if (chance_is(&c, share / 2)) {
			e->kind = EV_send;
			e->a = id++;
		}
		l->n[s]++;
	}
	/* receives: put where they belong, by taking over notes */
	for (size_t s = 0; s < k; s++) {
		for (size_t i = 0; i < l->n[s]; i++) {
			struct event *e = &l->ev[s * l->each + i];
			size_t to = chance_below(&c, k);
			int64_t at = e->t_mon_ns + 2000 +
				     (int64_t)chance_below(&c, 20000);
			size_t j;

			if (e->kind != EV_send)
				continue;
			j = (size_t)((double)l->n[to] * (double)at /
				     (EVENTS * 40.0));
			while (j < l->n[to] &&
			       (l->ev[to * l->each + j].t_mon_ns < at ||
				   l->ev[to * l->each + j].kind != EV_note))
				j++;
			if (j >= l->n[to]) {
				e->kind = EV_note;
				continue;
			}
			l->ev[to * l->each + j].kind = EV_receive;
			l->ev[to * l->each + j].a = e->a;
		}
	}
	for (size_t s = 0; s < k; s++) {
		for (size_t i = 0; i < l->n[s]; i++) {
			l->ev[s * l->each + i].seq = i;
			l->ev[s * l->each + i].t_mon_ns += skew[s % 16];
		}
	}
}

static void
load_cut(struct load *l)
{
	size_t *at = need(l->k, sizeof(*at)), pieces = 0, events = 0;

	l->ticks = EVENTS * 40 / MS + 1;
	l->flat = need(EVENTS, sizeof(*l->flat));
	l->piece = need(EVENTS, sizeof(*l->piece));
	l->tick_pieces = need(l->ticks + 1, sizeof(*l->tick_pieces));
	for (size_t tick = 0; tick < l->ticks; tick++) {
		int64_t now = (int64_t)(tick + 1) * MS;

		l->tick_pieces[tick] = pieces;
		for (size_t s = 0; s < l->k; s++) {
			const struct event *ev = &l->ev[s * l->each];
			size_t from = events;

			while (at[s] < l->n[s] && ev[at[s]].t_mon_ns < now)
				l->flat[events++] = ev[at[s]++];
			if (events > from)
				l->piece[pieces++] =
				    (struct piece){ (uint32_t)s,
					    (uint32_t)(events - from) };
		}
	}
	l->tick_pieces[l->ticks] = pieces;
	free(at);
	free(l->ev);
	free(l->n);
}

static void
bench_reorder(size_t k, double share, double off_us)
{
	struct reorder_stats st;
	struct load l;
	double best = 1e9;
	char name[64], about[96];

	load_make(&l, k, share, off_us);
	load_cut(&l);
	for (int round = 0; round < 3; round++) {
		struct reorder *r =
		    reorder_new(&reorder_defaults, count_cb, NULL, NULL);
		const struct event *ev = l.flat;
		double t;

		for (uint32_t i = 0; i < 16; i++)
			reorder_node_add(r, i);
		for (uint32_t s = 0; s < k; s++)
			reorder_stream_add(r, s, s % 16);
		emitted = 0;
		t = cpu_s();
		for (size_t tick = 0; tick < l.ticks; tick++) {
			/* 25,000 events at 25 M/s */
			int64_t now = (int64_t)(tick + 1) * MS;

			for (size_t i = l.tick_pieces[tick];
			     i < l.tick_pieces[tick + 1]; i++) {
				reorder_push(r, l.piece[i].stream, ev,
				    l.piece[i].n);
				ev += l.piece[i].n;
			}
			for (uint32_t i = 0; i < 16; i++)
				reorder_advance(r, i, now, 3000, now);
			reorder_tick(r, now);
		}
		reorder_flush(r);
		best = fmin(best, cpu_s() - t);
		reorder_stats(r, &st);
		reorder_free(r);
	}
	snprintf(name, sizeof(name), "reorder, %zu streams, %.0f %% messages",
	    k, share * 100);
	snprintf(about, sizeof(about), "goal (shifted %.1f %%, orphans %llu)",
	    100.0 * (double)st.shifted / (double)st.out,
	    (unsigned long long)st.orphans);
	line(name, (double)st.out / best / 1e6, "M events/s", about, 20);
	free(l.flat);
	free(l.piece);
	free(l.tick_pieces);
}

int
main(void)
{
	static const size_t streams[] = { 4, 64, 1024, 4096 };

	for (size_t i = 0; i < 4; i++)
		bench_merge(streams[i]);
	for (size_t i = 1; i < 4; i++)
		bench_reorder(streams[i], 0.25, 1);
	bench_reorder(1024, 0, 1);
	bench_reorder(1024, 0.25, 20);
	return (0);
}
