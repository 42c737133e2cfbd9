/*
 * monitorctl refit, its third pass: the new log.
 *
 * Events get their new times in the order of the old log, which is a causal one
 * already.  A new time is before the old one by no more than the second pass
 * has seen, so a heap holds back what may still be overtaken, and what comes
 * out of it is in order.  Definitions go before them, with the new maps for the
 * old.
 */
#include <errno.h>
#include <stdlib.h>

#include "refit_clock.h"
#include "refit_inside.h"
#include "refit_order.h"
#include "tools/logs/logout.h"

#define HELD_MAX ((size_t)1 << 24) /* events that wait for their place */

static bool
is_before(const struct held *a, const struct held *b)
{
	return (a->e.t_mon_ns != b->e.t_mon_ns ? a->e.t_mon_ns < b->e.t_mon_ns
					       : a->order < b->order);
}

static int
heap_push(struct refit *r, const struct held *h)
{
	size_t i = r->nheap, up;

	if (r->nheap == r->heap_cap) {
		size_t cap = r->heap_cap == 0 ? 1024 : r->heap_cap * 2;
		struct held *p;

		if (cap > HELD_MAX) {
			errno = ENOMEM;
			return (-1);
		}
		p = reallocarray(r->heap, cap, sizeof(*p));
		if (p == NULL)
			return (-1);
		r->heap = p;
		r->heap_cap = cap;
	}
	for (r->nheap++; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!is_before(h, &r->heap[up]))
			break;
		r->heap[i] = r->heap[up];
	}
	r->heap[i] = *h;
	return (0);
}

static void
heap_pop(struct refit *r)
{
	const struct held *last = &r->heap[--r->nheap];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < r->nheap) {
		if (k + 1 < r->nheap && is_before(&r->heap[k + 1], &r->heap[k]))
			k++;
		if (!is_before(&r->heap[k], last))
			break;
		r->heap[i] = r->heap[k];
		i = k;
	}
	r->heap[i] = *last;
}

/* Writes what no later event can come before. */
static int
write_until(struct refit *r, int64_t t_mon_ns)
{
	while (r->nheap > 0 && r->heap[0].e.t_mon_ns < t_mon_ns) {
		if (logout_event(r->out, &r->heap[0].e) == -1)
			return (-1);
		heap_pop(r);
	}
	return (0);
}

static int
write_event(void *arg, const struct event *e)
{
	struct refit *r = arg;
	struct held h = { *e, r->events++ };
	struct refit_met met;
	struct times t;
	int64_t corrected, shift;

	if (refit_place(r, e, &t, &corrected, &met) == -1)
		return (-1);
	shift = corrected - t.mapped_ns;
	if (t.node == 0)
		shift = 0; /* monitord's own word: it only stays in its place */
	h.e.t_mon_ns = corrected;
	h.e.shift_ns = shift < UINT32_MAX ? (uint32_t)shift : UINT32_MAX;
	h.e.flags = (uint16_t)(h.e.flags & ~(EVENT_SHIFTED | EVENT_AHEAD));
	if (shift > 0)
		h.e.flags |= EVENT_SHIFTED;
	if (heap_push(r, &h) == -1)
		return (-1);
	return (write_until(r, e->t_mon_ns - r->behind_ns));
}

static int
copy_definition(void *arg, const struct frame *f)
{
	struct refit *r = arg;
	struct msg_segment m;

	if (f->type == MSG_segment &&
	    msg_decode(f->type, f->body, f->body_bytes, &m) == 0 &&
	    m.node < r->nclocks && r->clocks[m.node].map.n > 0 &&
	    !r->clocks[m.node].broken)
		return (0); /* there is a new one */
	return (logout_frame(r->out, f));
}

static int
write_segment(struct refit *r, uint32_t node, const struct clock_segment *s,
    const struct clock_burst *b)
{
	struct msg_segment m = { .node = node,
		.epoch = s->epoch,
		.base_node_ns = s->base_node_ns,
		.base_mon_ns = s->base_mon_ns,
		.skew_q40 = s->skew_q40,
		.error_ns = s->error_ns,
		.state = (uint8_t)s->state };

	if (b != NULL) {
		m.burst = 1;
		m.low_node_ns = b->low_node_ns;
		m.low_ns = b->low_ns;
		m.high_node_ns = b->high_node_ns;
		m.high_ns = b->high_ns;
	}
	return (logout_message(r->out, MSG_segment, &m));
}

/*
 * Bursts go along, so that the new log can be fitted as well: with each
 * segment the last one before the next segment, if it has not been told.
 */
static int
write_map(struct refit *r, uint32_t node, const struct refit_clock *c)
{
	const struct refit_epoch *e = c->epochs;
	size_t at = 0, told = 0;

	for (size_t k = 0; k < c->map.n; k++) {
		const struct clock_segment *s = &c->map.segments[k];
		bool last = k + 1 == c->map.n || s[1].epoch != s->epoch;

		for (; e->epoch != s->epoch; e++)
			at = told = 0;
		while (at < e->nbursts &&
		       (last || e->bursts[at].high_node_ns < s[1].base_node_ns))
			at++;
		if (write_segment(r, node, s,
			at > told ? &e->bursts[at - 1] : NULL) == -1)
			return (-1);
		told = at;
	}
	return (0);
}

static int
write_maps(struct refit *r)
{
	for (size_t i = 0; i < r->nclocks; i++) {
		if (!r->clocks[i].broken &&
		    write_map(r, (uint32_t)i, &r->clocks[i]) == -1)
			return (-1);
	}
	return (0);
}

int
refit_write(struct refit *r)
{
	static const struct trace_sink head = { .definition = copy_definition };
	static const struct trace_sink body = { .event = write_event };
	struct msg_receipt receipt;
	bool finished = tracefile_receipt(r->tf, &receipt) == 1;

	r->events = 0;
	if (refit_renew_order(r) == -1 ||
	    tracefile_each(r->tf, INT64_MAX, INT64_MAX, &head, r) == -1 ||
	    write_maps(r) == -1 ||
	    tracefile_each(r->tf, INT64_MIN, INT64_MAX, &body, r) == -1 ||
	    write_until(r, INT64_MAX) == -1)
		return (-1);
	return (logout_finish(r->out, finished ? &receipt : NULL));
}
