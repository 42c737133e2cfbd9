/*
 * Virtual time goes in steps of a ms.  In one step of 25 the streams are busy,
 * a microsecond from event to event, so that messages are as close as clock
 * errors; between them there is time for 15 seconds of faults.
 *
 * What a node says is kept, and repeated from any place that a fault likes, as
 * a spool does.
 */
#include "orderworld.h"

#include <stdlib.h>
#include <string.h>

#define STEP_NS      WORLD_MS
#define FLUSH_NS     (5 * WORLD_MS)
#define BUSY_STEP    25
#define RUN_NS       (15 * WORLD_SEC)
#define ERROR_NS     5000
#define READ_BATCHES 64 /* of a node, in a step */
#define MEMORY       ((size_t)256 << 20)

static void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct world *w = arg;

	for (size_t i = 0; i < n; i++)
		ordercheck_out(&w->check, &ev[i]);
}

static void
clocks_make(struct world *w, bool bad)
{
	for (uint32_t i = 0; i < w->nodes; i++) {
		w->node[i].off_ns =
		    (int64_t)chance_below(&w->chance, 5000) - 2500;
		w->node[i].arrives_ns = INT64_MIN;
	}
	if (!bad)
		return;
	w->node[0].off_ns = 150000; /* fast, within what is waited for */
	w->node[1].off_ns = -3 * WORLD_MS;
	w->node[2].off_ns = 4 * WORLD_MS; /* fast, beyond it */
	w->node[3].drift_ppm = 20;
	w->check.doubt = true;
}

int
world_init(struct world *w, uint64_t seed, uint32_t streams, uint64_t messages,
    bool bad_clock)
{
	struct reorder_options o = reorder_defaults;

	memset(w, 0, sizeof(*w));
	w->chance.state = seed;
	w->streams = streams;
	w->nodes = streams < 16 ? streams : streams < 512 ? 16 : 64;
	w->ids_max = w->wanted = messages;
	w->end_ns = RUN_NS;
	w->node = calloc(w->nodes, sizeof(*w->node));
	w->home = calloc(streams, sizeof(*w->home));
	w->seq = calloc(streams, sizeof(*w->seq));
	w->known = calloc(streams, sizeof(*w->known));
	w->open = calloc(streams, sizeof(*w->open));
	w->reorder = reorder_new(&o, emit_cb, NULL, w);
	if (w->node == NULL || w->home == NULL || w->seq == NULL ||
	    w->known == NULL || w->open == NULL || w->reorder == NULL ||
	    ordercheck_init(&w->check, streams, messages) == -1)
		return (-1);
	w->check.l_min_ns = o.l_min_ns;
	w->check.margin_ns = WORLD_MS;
	w->spike = 0.01;
	clocks_make(w, bad_clock);
	for (uint32_t i = 0; i < w->nodes; i++) {
		if (reorder_node_add(w->reorder, i) == -1)
			return (-1);
	}
	for (uint32_t s = 0; s < streams; s++) {
		w->home[s] = s % w->nodes;
		if (reorder_stream_add(w->reorder, s, w->home[s]) == -1)
			return (-1);
		w->open[s] = true;
	}
	return (0);
}

void
world_clear(struct world *w)
{
	reorder_free(w->reorder);
	ordercheck_clear(&w->check);
	for (uint32_t i = 0; i < w->nodes; i++) {
		free(w->node[i].ev);
		free(w->node[i].batch);
	}
	free(w->node);
	free(w->home);
	free(w->seq);
	free(w->known);
	free(w->open);
}

static int64_t
mapped(const struct world_node *n, int64_t t)
{
	return (t + n->off_ns + t / 1000000 * n->drift_ppm);
}

/* --- the application --- */

static void
say(struct world *w, uint32_t s, int64_t t, uint16_t kind, uint64_t a)
{
	struct world_node *n = &w->node[w->home[s]];
	struct event *ev;

	if (n->n == n->cap) {
		size_t cap = n->cap == 0 ? 256 : n->cap * 2;
		struct event *p = realloc(n->ev, cap * sizeof(*p));

		if (p == NULL)
			abort();
		n->ev = p;
		n->cap = cap;
	}
	ev = &n->ev[n->n++];
	*ev = (struct event){ .t_node_ns = t,
		.t_mon_ns = mapped(n, t),
		.seq = w->seq[s]++,
		.a = a,
		.kind = kind,
		.location = s };
	if (chance_is(&w->chance, w->future))
		ev->t_mon_ns += 3600 * WORLD_SEC;
}

static uint32_t
any_stream(struct world *w)
{
	/* lopsided: stream 0 has next to nothing to say */
	if (w->lopsided && chance_below(&w->chance, 200000) != 0)
		return (1 + (uint32_t)chance_below(&w->chance, w->streams - 1));
	return ((uint32_t)chance_below(&w->chance, w->streams));
}

static void
act(struct world *w, int64_t t)
{
	struct world_flight *f = &w->flight[w->flights_head % WORLD_FLIGHTS];
	uint32_t s;

	if (w->flights > 0 && (f->at_ns <= t || w->flights == WORLD_FLIGHTS)) {
		say(w, f->to, t, EV_receive, f->id);
		w->flights_head++;
		w->flights--;
		return;
	}
	s = any_stream(w);
	if (w->ids == w->ids_max || chance_below(&w->chance, 8) == 0) {
		bool never = chance_is(&w->chance, w->never_sent);

		say(w, s, t, never ? EV_receive : EV_note,
		    never ? w->ids_max + 1 + w->ids : 0);
		return;
	}
	w->ids++;
	f = &w->flight[(w->flights_head + w->flights++) % WORLD_FLIGHTS];
	f->id = w->ids;
	f->to = (uint32_t)chance_below(&w->chance, w->streams);
	f->at_ns = t + 2000 + (int64_t)chance_below(&w->chance, 10000);
	if (chance_is(&w->chance, w->lose_send))
		say(w, s, t, EV_note, 0);
	else
		say(w, s, t, EV_send, w->ids);
}

static void
application(struct world *w)
{
	uint64_t steps = (uint64_t)(w->end_ns / STEP_NS / BUSY_STEP);
	uint64_t n = w->wanted * 9 / 4 / steps + 1;
	int64_t t = w->now_ns;

	if (w->now_ns / STEP_NS % BUSY_STEP != 0 || w->idle)
		return;
	for (uint64_t i = 0; i < n && w->node != NULL; i++) {
		act(w, t);
		if (i >= 8) /* the first are at the marks just told */
			t += 300 + (int64_t)chance_below(&w->chance, 1000);
		if (t >= w->now_ns + STEP_NS - 2000)
			t = w->now_ns + STEP_NS - 2000;
	}
}

/* --- collectors and links --- */

static void
flush(struct world *w, struct world_node *n)
{
	struct world_batch *b;
	double delay_us = 50 + chance_exp(&w->chance, 50);

	if (chance_is(&w->chance, w->spike))
		delay_us += 5000 * chance_unit(&w->chance);
	if (n->batches == n->batches_cap) {
		size_t cap = n->batches_cap == 0 ? 64 : n->batches_cap * 2;
		struct world_batch *p = realloc(n->batch, cap * sizeof(*p));

		if (p == NULL)
			abort();
		n->batch = p;
		n->batches_cap = cap;
	}
	b = &n->batch[n->batches++];
	b->end = n->n;
	b->mark_ns = mapped(n, w->now_ns);
	b->at_ns = w->now_ns + (int64_t)(delay_us * 1000);
	if (b->at_ns < n->arrives_ns)
		b->at_ns = n->arrives_ns; /* in order */
	n->arrives_ns = b->at_ns;
}

/* As intake.c does: what is known is passed on all the same, to see that it is
 * dropped. */
static void
tell(struct world *w, struct world_node *n, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		const struct event *ev = &n->ev[i];
		uint32_t s = ev->location;

		if (!w->open[s])
			continue;
		if (ev->seq >= w->known[s]) {
			ordercheck_in(&w->check, ev, w->home[s],
			    reorder_watermark(w->reorder));
			w->known[s] = ev->seq + 1;
		}
		if (reorder_push(w->reorder, s, ev, 1) == -1)
			abort();
	}
}

/* What has been told is kept for repeating, but not for ever. */
static void
forget(struct world_node *n)
{
	size_t keep = 512, gone;

	if (n->told < 4 * keep || n->told < n->n / 2)
		return;
	gone = n->told - keep;
	memmove(n->ev, n->ev + gone, (n->n - gone) * sizeof(*n->ev));
	n->n -= gone;
	n->told -= gone;
	n->repeat = n->told;
	memmove(n->batch, n->batch + n->next,
	    (n->batches - n->next) * sizeof(*n->batch));
	n->batches -= n->next;
	n->next = 0;
	for (size_t i = 0; i < n->batches; i++)
		n->batch[i].end -= gone;
}

static void
deliver(struct world *w, uint32_t node)
{
	struct world_node *n = &w->node[node];
	bool ahead;

	for (uint64_t k = chance_below(&w->chance, READ_BATCHES);
	     k-- > 0 && n->next < n->batches &&
	     n->batch[n->next].at_ns <= w->now_ns;) {
		const struct world_batch *b = &n->batch[n->next];

		ahead = reorder_ahead(w->reorder, node);
		if (ahead != n->held)
			reorder_hold(w->reorder, node, ahead);
		n->held = ahead;
		if (ahead)
			return;
		tell(w, n, n->repeat < n->told ? n->repeat : n->told, b->end);
		if (chance_is(&w->chance, w->twice))
			tell(w, n, n->told, b->end);
		n->told = n->repeat = b->end;
		reorder_advance(w->reorder, node, b->mark_ns, ERROR_NS,
		    w->now_ns);
		n->next++;
	}
	forget(n);
}

static void
collectors(struct world *w)
{
	for (uint32_t i = 0; i < w->nodes; i++) {
		struct world_node *n = &w->node[i];

		if (n->dead_ns > 0) {
			if (w->now_ns < n->dead_ns)
				continue;
			n->dead_ns = 0;
			if (reorder_node_add(w->reorder, i) == -1)
				abort();
			for (uint32_t s = i; s < w->streams; s += w->nodes)
				world_reopen(w, s);
		}
		if ((w->now_ns / STEP_NS + i) % (FLUSH_NS / STEP_NS) == 0 &&
		    w->now_ns >= n->still_ns)
			flush(w, n);
		if (w->now_ns >= n->cut_ns)
			deliver(w, i);
	}
}

void
world_kill(struct world *w, uint32_t node, int64_t away_ns)
{
	struct world_node *n = &w->node[node];

	if (n->dead_ns > 0)
		return;
	if (n->next < n->batches) /* in the middle of a batch */
		tell(w, n, n->told,
		    n->told + (n->batch[n->next].end - n->told) / 2);
	for (size_t i = n->told; i < n->n; i++)
		w->gone += n->ev[i].seq >= w->known[n->ev[i].location];
	n->n = n->told = n->repeat = n->batches = n->next = 0;
	n->dead_ns = w->now_ns + away_ns;
	for (uint32_t s = node; s < w->streams; s += w->nodes) {
		reorder_stream_close(w->reorder, s);
		w->open[s] = false;
	}
	reorder_node_remove(w->reorder, node);
	w->faults++;
}

void
world_repeat(struct world *w, uint32_t node, size_t events)
{
	struct world_node *n = &w->node[node];

	n->repeat = n->told > events ? n->told - events : 0;
	w->faults++;
}

void
world_reopen(struct world *w, uint32_t stream)
{
	struct world_node *n = &w->node[w->home[stream]];

	if (n->dead_ns > 0)
		return;
	reorder_stream_close(w->reorder, stream);
	n->repeat = n->told; /* a new stream has not said anything before */
	if (reorder_stream_add(w->reorder, stream, w->home[stream]) == -1)
		abort();
	w->open[stream] = true;
}

static void
settle(struct world *w)
{
	struct reorder_stats st;

	/* all is told, by all */
	w->idle = true;
	for (uint32_t i = 0; i < w->nodes; i++)
		w->node[i].still_ns = w->node[i].cut_ns = 0;
	for (int64_t until = w->now_ns + WORLD_SEC; w->now_ns < until;
	     w->now_ns += STEP_NS) {
		w->check.now_ns = w->now_ns;
		collectors(w);
		reorder_tick(w->reorder, w->now_ns);
	}
	reorder_flush(w->reorder);
	reorder_stats(w->reorder, &st);
	ordercheck_circles(&w->check, st.cycles);
	ordercheck_end(&w->check);
}

void
world_run(struct world *w, world_fault *fault)
{
	for (w->now_ns = STEP_NS; w->now_ns < w->end_ns; w->now_ns += STEP_NS) {
		w->check.now_ns = w->now_ns;
		if (fault != NULL)
			fault(w, w->now_ns);
		if (w->now_ns < w->away_ns) {
			for (uint32_t i = 0; i < w->nodes; i++)
				if ((w->now_ns / STEP_NS + i) % 5 == 0)
					flush(w, &w->node[i]);
			application(w);
			continue;
		}
		if (w->now_ns == w->away_ns) /* its timers come first */
			reorder_tick(w->reorder, w->now_ns);
		collectors(w);
		application(w);
		if (w->now_ns % (2 * STEP_NS) == 0)
			reorder_tick(w->reorder, w->now_ns);
		ordercheck_memory(&w->check, reorder_memory_bytes(w->reorder),
		    MEMORY);
	}
	settle(w);
}
