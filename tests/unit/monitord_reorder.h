/*
 * For the tests of the reorderer: what came out of it, and two nodes with a
 * stream each.
 */
#ifndef TESTS_MONITORD_REORDER_H
#define TESTS_MONITORD_REORDER_H

#include "tests/check.h"

#include <stdlib.h>

#include "monitord/order/reorder.h"

#define STREAMS 12
#define NODES   4
#define EVENTS  1500
#define US      1000
#define MS      1000000

/* One event of the program, and what must become of it. */
struct plan {
	struct event ev; /* t_mon_ns: mapped */
	int64_t want_ns; /* final time */
	bool done;
};

struct world {
	struct plan plan[STREAMS][EVENTS];
	size_t n[STREAMS], pushed[STREAMS];
	size_t streams;
	uint64_t key;

	/* what came out */
	struct event out[STREAMS * EVENTS];
	size_t out_n, late, orphans;
	unsigned stalls, rejoins;
};

static inline void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct world *w = arg;

	for (size_t i = 0; i < n; i++) {
		assert_true(w->out_n < STREAMS * EVENTS);
		w->out[w->out_n++] = ev[i];
		w->late += (ev[i].flags & EVENT_LATE) != 0;
		w->orphans += (ev[i].flags & EVENT_ORPHAN) != 0;
	}
}

static inline void
stall_cb(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	struct world *w = arg;

	(void)node;
	(void)ns;
	if (stalled)
		w->stalls++;
	else
		w->rejoins++;
}

/* No effect stands before its cause in the output. */
static inline void
check_causes(const struct world *w)
{
	for (size_t i = 0; i < w->out_n; i++) {
		const struct event_desc *d = event_desc(w->out[i].kind);
		size_t before = 0, need;

		if (d->role != ROLE_EFFECT ||
		    (w->out[i].flags & EVENT_ORPHAN) != 0)
			continue;
		need = d->match == MATCH_all ? w->out[i].c : 1;
		for (size_t j = 0; j < i; j++)
			before +=
			    w->out[j].kind == d->partner &&
			    w->out[j].a == w->out[i].a &&
			    (d->key != KEY_AB || w->out[j].b == w->out[i].b);
		assert_true(before >= need);
	}
}

static inline struct reorder *
start(struct world *w, size_t nodes)
{
	struct reorder_options o = reorder_defaults;
	struct reorder *r;

	o.l_min_ns = 500;
	r = reorder_new(&o, emit_cb, stall_cb, w);
	assert_non_null(r);
	for (uint32_t i = 0; i < nodes; i++)
		assert_int_equal(reorder_node_add(r, i), 0);
	for (uint32_t s = 0; s < w->streams; s++)
		assert_int_equal(reorder_stream_add(r, s, s % NODES), 0);
	return (r);
}

/* --- bad input and faults, on two nodes with a stream each --- */

struct two {
	struct world w;
	struct reorder *r;
};

static inline struct two *
two_start(void)
{
	struct two *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->w.streams = 2;
	t->r = start(&t->w, 2);
	return (t);
}

static inline void
two_free(struct two *t)
{
	reorder_free(t->r);
	free(t);
}

static inline void
put(struct two *t, uint32_t s, uint64_t seq, int64_t at, uint16_t kind,
    uint64_t key)
{
	struct event ev = { .t_mon_ns = at,
		.seq = seq,
		.kind = kind,
		.a = key,
		.b = key,
		.location = s };

	assert_int_equal(reorder_push(t->r, s, &ev, 1), 0);
}

static inline void
told(struct two *t, int64_t mark, int64_t now)
{
	reorder_advance(t->r, 0, mark, 1000, now);
	reorder_advance(t->r, 1, mark, 1000, now);
	reorder_tick(t->r, now);
}

#endif
