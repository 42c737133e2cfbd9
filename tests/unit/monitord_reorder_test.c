/*
 * The reorderer against a plain reference: random programs, whose causes and
 * effects are known, on nodes with wrong clocks, delivered in any order.
 */
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/reorder.h"
#include "tests/sim/model.h"

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

static void
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

static void
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

static void
plan_add(struct world *w, size_t s, int64_t t, uint16_t kind, uint64_t a,
    uint64_t b, uint32_t c)
{
	struct plan *p;

	if (w->n[s] == EVENTS)
		return;
	p = &w->plan[s][w->n[s]];
	memset(p, 0, sizeof(*p));
	if (w->n[s] > 0 && t < p[-1].ev.t_node_ns)
		t = p[-1].ev.t_node_ns;
	p->ev = (struct event){ .t_node_ns = t,
		.t_mon_ns = t,
		.seq = w->n[s],
		.a = a,
		.b = b,
		.c = c,
		.kind = kind,
		.location = (uint32_t)s };
	w->n[s]++;
}

static int64_t
plan_last(const struct world *w, size_t s)
{
	return (w->n[s] == 0 ? 0 : w->plan[s][w->n[s] - 1].ev.t_node_ns);
}

/* A cause on one stream, and its effect on any, really later. */
static void
plan_pair(struct world *w, struct chance *c, int64_t *t, uint16_t cause,
    uint16_t effect)
{
	size_t from = chance_below(c, w->streams);
	size_t to = chance_below(c, w->streams);
	uint64_t key = ++w->key, other = cause == EV_lock_release ? 3 : key;
	int64_t sent;

	plan_add(w, from, *t, cause, cause == EV_lock_release ? 9 : key,
	    cause == EV_lock_release ? key + 100 : other, 0);
	sent = plan_last(w, from);
	if (plan_last(w, to) > sent)
		sent = plan_last(w, to);
	*t = sent + 2 * US + (int64_t)chance_below(c, 10 * US);
	plan_add(w, to, *t, effect, cause == EV_lock_release ? 9 : key,
	    cause == EV_lock_release ? key + 100 : other, 0);
}

static void
plan_barrier(struct world *w, struct chance *c, int64_t *t)
{
	uint64_t key = ++w->key;
	int64_t last = *t;

	for (size_t s = 0; s < w->streams; s++) {
		plan_add(w, s, *t + (int64_t)chance_below(c, 20 * US),
		    EV_barrier_enter, 77, key, (uint32_t)w->streams);
		if (plan_last(w, s) > last)
			last = plan_last(w, s);
	}
	for (size_t s = 0; s < w->streams; s++)
		plan_add(w, s, last + 3 * US + (int64_t)chance_below(c, 5 * US),
		    EV_barrier_leave, 77, key, (uint32_t)w->streams);
	*t = last + 10 * US;
}

/* One future that several take. */
static void
plan_future(struct world *w, struct chance *c, int64_t *t)
{
	size_t from = chance_below(c, w->streams);
	uint64_t key = ++w->key;

	plan_add(w, from, *t, EV_future_set, key, 1, 0);
	*t = plan_last(w, from) + 3 * US;
	for (int i = 0; i < 3; i++)
		plan_add(w, chance_below(c, w->streams), *t + i * US,
		    EV_future_get, key, 1, 0);
}

static void
plan_make(struct world *w, struct chance *c, size_t streams, size_t steps,
    int64_t off_ns)
{
	int64_t t = MS, off[NODES];

	memset(w, 0, sizeof(*w));
	w->streams = streams;
	for (size_t i = 0; i < steps; i++) {
		t += (int64_t)chance_below(c, 3 * US);
		switch (chance_below(c, 8)) {
		case 0:
		case 1:
			plan_pair(w, c, &t, EV_send, EV_receive);
			break;
		case 2:
			plan_pair(w, c, &t, EV_task_spawn, EV_task_begin);
			break;
		case 3:
			plan_pair(w, c, &t, EV_lock_release, EV_lock_acquire);
			break;
		case 4:
			plan_future(w, c, &t);
			break;
		case 5:
			if (chance_below(c, 6) == 0)
				plan_barrier(w, c, &t);
			break;
		default:
			plan_add(w, chance_below(c, streams), t, EV_note, 0, 0,
			    0);
		}
	}
	for (int i = 0; i < NODES; i++)
		off[i] = (int64_t)chance_below(c, (uint64_t)(2 * off_ns + 1)) -
			 off_ns;
	for (size_t s = 0; s < streams; s++)
		for (size_t i = 0; i < w->n[s]; i++)
			w->plan[s][i].ev.t_mon_ns += off[s % NODES];
}

/* --- the reference: sweep until nothing changes --- */

static const struct plan *
cause_of(const struct world *w, const struct event *ev, size_t *of,
    size_t *found)
{
	const struct event_desc *d = event_desc(ev->kind);
	const struct plan *last = NULL;

	*found = 0;
	for (size_t s = 0; s < w->streams; s++) {
		for (size_t i = 0; i < w->n[s]; i++) {
			const struct plan *p = &w->plan[s][i];

			if (p->ev.kind != d->partner || p->ev.a != ev->a ||
			    (d->key == KEY_AB && p->ev.b != ev->b))
				continue;
			if (!p->done)
				continue;
			++*found;
			if (last == NULL || p->want_ns > last->want_ns) {
				last = p;
				*of = s;
			}
		}
	}
	return (last);
}

/* False: its cause has no time yet. */
static bool
expect_one(struct world *w, size_t s, size_t i, int64_t l_min)
{
	struct plan *p = &w->plan[s][i];
	const struct event_desc *d = event_desc(p->ev.kind);
	int64_t t = p->ev.t_mon_ns, shift = 0, anchor = 0;

	/* the decayed shift of all that was shifted before */
	for (size_t j = 0; j < i; j++) {
		const struct plan *q = &w->plan[s][j];
		int64_t left = shift - ((q->ev.t_mon_ns - anchor) >> 7);

		if (q->want_ns == q->ev.t_mon_ns) {
			shift = 0;
		} else if (left < 0 || q->want_ns != q->ev.t_mon_ns + left ||
			   (j > 0 && q->want_ns == q[-1].want_ns)) {
			shift = q->want_ns - q->ev.t_mon_ns;
			anchor = q->ev.t_mon_ns;
		}
	}
	if (shift > 0 && shift - ((t - anchor) >> 7) > 0)
		t += shift - ((t - anchor) >> 7);
	if (i > 0 && p[-1].want_ns > t)
		t = p[-1].want_ns;
	if (d->role == ROLE_EFFECT) {
		size_t of = 0, found,
		       need = d->match == MATCH_all ? p->ev.c : 1;
		const struct plan *cause = cause_of(w, &p->ev, &of, &found);
		int64_t after;

		if (found < need)
			return (false);
		/* of several on several nodes, none is this one alone */
		after =
		    cause->want_ns +
		    (d->match != MATCH_all && of % NODES == s % NODES ? 1
								      : l_min);
		if (after > t)
			t = after;
	}
	p->want_ns = t;
	p->done = true;
	return (true);
}

static void
expect(struct world *w, int64_t l_min)
{
	size_t at[STREAMS] = { 0 };
	bool moved = true;

	while (moved) {
		moved = false;
		for (size_t s = 0; s < w->streams; s++) {
			while (
			    at[s] < w->n[s] && expect_one(w, s, at[s], l_min)) {
				at[s]++;
				moved = true;
			}
		}
	}
	for (size_t s = 0; s < w->streams; s++)
		assert_int_equal(at[s], w->n[s]);
}

/* --- checks --- */

static void
check_order(const struct world *w)
{
	uint64_t next[STREAMS] = { 0 };
	int64_t last = INT64_MIN;
	size_t n = 0;

	for (size_t i = 0; i < w->out_n; i++) {
		const struct event *ev = &w->out[i];

		assert_int_equal(ev->seq, next[ev->location]);
		next[ev->location]++;
		if ((ev->flags & EVENT_LATE) == 0) {
			assert_true(ev->t_mon_ns >= last);
			last = ev->t_mon_ns;
		}
		assert_int_equal(ev->t_mon_ns - ev->shift_ns,
		    w->plan[ev->location][ev->seq].ev.t_mon_ns);
		assert_int_equal((ev->flags & EVENT_SHIFTED) != 0,
		    ev->shift_ns > 0);
	}
	for (size_t s = 0; s < w->streams; s++)
		n += w->pushed[s];
	assert_int_equal(w->out_n, n);
}

static void
check_times(const struct world *w)
{
	for (size_t i = 0; i < w->out_n; i++) {
		const struct event *ev = &w->out[i];

		assert_int_equal(ev->t_mon_ns,
		    w->plan[ev->location][ev->seq].want_ns);
	}
}

/* No effect stands before its cause in the output. */
static void
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

static struct reorder *
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

/* Pushes all of one stream's events before a mapped time. */
static void
push_before(struct world *w, struct reorder *r, size_t s, int64_t t)
{
	while (w->pushed[s] < w->n[s] &&
	       w->plan[s][w->pushed[s]].ev.t_mon_ns < t) {
		assert_int_equal(reorder_push(r, (uint32_t)s,
				     &w->plan[s][w->pushed[s]].ev, 1),
		    0);
		w->pushed[s]++;
	}
}

static void
deliver(struct world *w, struct reorder *r, struct chance *c)
{
	int64_t mark[NODES] = { 0 }, now = MS;
	bool more = true;

	while (more) {
		uint32_t node = (uint32_t)chance_below(c, NODES);

		mark[node] += (int64_t)chance_below(c, 200 * US);
		if (mark[node] < MS / 2)
			mark[node] = MS / 2;
		for (size_t s = node; s < w->streams; s += NODES)
			push_before(w, r, s, mark[node]);
		if (mark[node] + MS > now)
			now = mark[node] + MS;
		reorder_advance(r, node, mark[node], 5 * US, now);
		if (chance_below(c, 3) == 0)
			reorder_tick(r, now);
		more = false;
		for (size_t s = 0; s < w->streams; s++)
			more |= w->pushed[s] < w->n[s];
	}
	reorder_tick(r, now);
}

static void
random_programs_come_out_as_the_reference_says(void **state)
{
	struct world *w = malloc(sizeof(*w));

	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct chance c = { seed };
		struct reorder_stats st;
		struct reorder *r;

		plan_make(w, &c, 2 + chance_below(&c, STREAMS - 2),
		    50 + chance_below(&c, 400),
		    (int64_t)chance_below(&c, 8) * 3 * US);
		expect(w, 500);
		r = start(w, NODES);
		deliver(w, r, &c);
		reorder_flush(r);
		reorder_stats(r, &st);
		assert_int_equal(st.in, st.out);
		assert_int_equal(st.late, 0);
		assert_int_equal(w->orphans, 0);
		assert_int_equal(st.parked, 0);
		assert_int_equal(reorder_held_bytes(r), 0);
		check_order(w);
		check_causes(w);
		check_times(w);
		reorder_free(r);
	}
	free(w);
}

/* Every order in which three streams of three events can arrive. */
static void
interleave(struct world *w, size_t *at, char *order, size_t depth,
    unsigned *runs)
{
	bool leaf = true;

	for (size_t s = 0; s < w->streams; s++) {
		if (at[s] == w->n[s])
			continue;
		leaf = false;
		at[s]++;
		order[depth] = (char)s;
		interleave(w, at, order, depth + 1, runs);
		at[s]--;
	}
	if (!leaf)
		return;
	struct reorder *r = start(w, w->streams);

	w->out_n = w->late = w->orphans = 0;
	memset(w->pushed, 0, sizeof(w->pushed));
	for (size_t i = 0; i < depth; i++) {
		size_t s = (size_t)order[i];
		struct event *ev = &w->plan[s][w->pushed[s]++].ev;

		assert_int_equal(reorder_push(r, (uint32_t)s, ev, 1), 0);
		reorder_advance(r, (uint32_t)s, ev->t_mon_ns, 20 * US, 2 * MS);
		reorder_tick(r, 2 * MS);
	}
	for (uint32_t s = 0; s < w->streams; s++)
		reorder_advance(r, s, 3 * MS, 20 * US, 3 * MS);
	reorder_tick(r, 3 * MS);
	reorder_flush(r);
	assert_int_equal(w->late, 0);
	assert_int_equal(w->orphans, 0);
	check_order(w);
	check_times(w);
	check_causes(w);
	reorder_free(r);
	++*runs;
}

static void
every_interleaving_gives_the_same(void **state)
{
	struct world *w = malloc(sizeof(*w));
	unsigned runs = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct chance c = { seed * 7919 };
		size_t at[STREAMS] = { 0 };
		char order[STREAMS * EVENTS];

		plan_make(w, &c, 3, 4, 15 * US);
		if (w->n[0] + w->n[1] + w->n[2] > 10)
			continue;
		expect(w, 500);
		interleave(w, at, order, 0, &runs);
	}
	assert_true(runs > 5000);
	free(w);
}

static void
the_same_calls_give_the_same_output(void **state)
{
	struct world *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct world *both[2] = { a, b };

		for (int i = 0; i < 2; i++) {
			struct chance c = { seed };
			struct reorder *r;

			plan_make(both[i], &c, STREAMS, 300, 40 * US);
			r = start(both[i], NODES);
			deliver(both[i], r, &c);
			reorder_flush(r);
			reorder_free(r);
		}
		assert_int_equal(a->out_n, b->out_n);
		assert_memory_equal(a->out, b->out,
		    a->out_n * sizeof(a->out[0]));
	}
	free(a);
	free(b);
}

/*
 * Cut otherwise, arrived in another order, looked at more or less often: the
 * output is the same to the last bit.  Times are coarse, so many are equal.
 */
static void
the_output_does_not_depend_on_how_the_input_is_cut(void **state)
{
	struct world *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));

	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		size_t ties = 0;

		for (uint64_t cut = 0; cut < 5; cut++) {
			struct world *w = cut == 0 ? a : b;
			struct chance c = { seed }, d = { seed * 99 + cut };
			struct reorder *r;

			plan_make(w, &c, STREAMS, 300, 20 * US);
			for (size_t s = 0; s < STREAMS; s++)
				for (size_t i = 0; i < w->n[s]; i++)
					w->plan[s][i].ev.t_mon_ns -=
					    w->plan[s][i].ev.t_mon_ns % US;
			r = start(w, NODES);
			deliver(w, r, &d);
			reorder_flush(r);
			reorder_free(r);
			assert_int_equal(a->out_n, w->out_n);
			assert_memory_equal(a->out, w->out,
			    a->out_n * sizeof(a->out[0]));
		}
		for (size_t i = 1; i < a->out_n; i++)
			ties += a->out[i].t_mon_ns == a->out[i - 1].t_mon_ns;
		assert_true(ties > 20);
	}
	free(a);
	free(b);
}

/* --- bad input and faults, on two nodes with a stream each --- */

struct two {
	struct world w;
	struct reorder *r;
};

static struct two *
two_start(void)
{
	struct two *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->w.streams = 2;
	t->r = start(&t->w, 2);
	return (t);
}

static void
two_free(struct two *t)
{
	reorder_free(t->r);
	free(t);
}

static void
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

static void
told(struct two *t, int64_t mark, int64_t now)
{
	reorder_advance(t->r, 0, mark, 1000, now);
	reorder_advance(t->r, 1, mark, 1000, now);
	reorder_tick(t->r, now);
}

static void
repeated_sequence_numbers_are_dropped(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 5, 1 * MS, EV_note, 1);
	put(t, 0, 5, 1 * MS, EV_note, 1);
	put(t, 0, 3, 2 * MS, EV_note, 1);
	put(t, 0, 6, 3 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(st.duplicates, 2);
	two_free(t);
}

static void
time_that_runs_back_is_held(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 0, 5 * MS, EV_note, 1);
	put(t, 0, 1, 2 * MS, EV_note, 1);
	put(t, 0, 2, 6 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(st.backward, 1);
	assert_int_equal(t->w.out[1].seq, 1);
	assert_int_equal(t->w.out[1].t_mon_ns, 5 * MS);
	assert_int_equal(t->w.out[1].shift_ns, 3 * MS);
	assert_true(t->w.out[2].t_mon_ns >= 6 * MS);
	two_free(t);
}

static void
a_mark_that_falls_is_ignored(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	told(t, 4 * MS, 12 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	told(t, INT64_MIN, 12 * MS);
	told(t, -INT64_MAX, 12 * MS);
	assert_int_equal(reorder_watermark(t->r), 10 * MS);
	two_free(t);
}

static void
what_is_at_the_mark_is_not_before_it(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 10 * MS - 1, EV_note, 1);
	put(t, 0, 1, 10 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	told(t, 10 * MS + 1, 11 * MS);
	assert_int_equal(t->w.out_n, 2);
	two_free(t);
}

/* Shifted to exactly the mark: it is not final yet either. */
static void
what_is_shifted_to_the_mark_waits(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 10 * MS - 500, EV_send, 7);
	put(t, 1, 0, 9 * MS, EV_receive, 7);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	told(t, 10 * MS + 1, 11 * MS);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.out[1].t_mon_ns, 10 * MS);
	two_free(t);
}

static void
chunks_that_are_just_full_are_given_back(void **state)
{
	struct two *t = two_start();
	uint64_t seq = 0;

	(void)state;
	for (int round = 1; round <= 200; round++) {
		t->w.out_n = 0;
		for (int i = 0; i < 64; i++, seq++) {
			put(t, 0, seq, round * MS + i, EV_note, 1);
			if (round % 3 == 0)
				put(t, 1, seq, round * MS + i, EV_note, 1);
		}
		told(t, (round + 1) * MS, (round + 2) * MS);
		assert_int_equal(t->w.out_n, round % 3 == 0 ? 128 : 64);
		for (size_t i = 0; i < t->w.out_n; i++)
			assert_in_range(t->w.out[i].t_mon_ns, round * MS,
			    round * MS + 64);
	}
	two_free(t);
}

/* A chunk that was given back belongs to another stream already. */
static void
a_chunk_has_one_owner(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (uint64_t i = 0; i < 64; i++)
		put(t, 0, i, MS, EV_note, 1);
	told(t, 2 * MS, 3 * MS);
	for (uint64_t i = 0; i < 100; i++)
		put(t, 1, i, 4 * MS, EV_note, 1);
	put(t, 0, 64, 4 * MS, EV_note, 1);
	told(t, 5 * MS, 6 * MS);
	assert_int_equal(t->w.out_n, 165);
	for (size_t i = 66; i < 165; i++)
		assert_int_equal(t->w.out[i].location, 1);
	two_free(t);
}

static void
repeating_a_mark_is_no_sign_of_life(void **state)
{
	struct two *t = two_start();

	(void)state;
	for (int64_t now = 10 * MS; now < 300 * MS; now += MS) {
		reorder_advance(t->r, 0, now - MS, 1000, now);
		reorder_advance(t->r, 1, 9 * MS, 1000, now);
		reorder_tick(t->r, now);
	}
	assert_int_equal(t->w.stalls, 1);
	assert_int_equal(reorder_watermark(t->r), 298 * MS);
	two_free(t);
}

static void
times_from_the_future_hold_nobody_up(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	told(t, 10 * MS, 11 * MS);
	put(t, 0, 0, INT64_MAX, EV_note, 1);
	put(t, 0, 1, (int64_t)9000 * 1000 * MS, EV_note, 1);
	put(t, 0, 2, 12 * MS, EV_note, 1);
	/* a mark of the year 2300 does not open the gates either */
	reorder_advance(t->r, 0, INT64_MAX / 8, 1000, 13 * MS);
	put(t, 1, 0, 14 * MS, EV_note, 1);
	told(t, 30 * MS, 31 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(st.future, 2);
	for (size_t i = 0; i < 4; i++) /* and the log says which they were */
		assert_int_equal((t->w.out[i].flags & EVENT_AHEAD) != 0,
		    t->w.out[i].location == 0 && t->w.out[i].seq < 2);
	assert_int_equal(t->w.late, 0);
	two_free(t);
}

/* Nor does it keep back what follows it, or an effect of that elsewhere. */
static void
what_follows_a_time_of_the_future_goes_on(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 10 * MS, 20 * MS);
	put(t, 0, 0, 10 * MS + 100, EV_note, 1);
	put(t, 0, 1, (int64_t)3600 * 1000 * MS, EV_note, 1);
	put(t, 0, 2, 11 * MS, EV_send, 7);
	put(t, 1, 0, 11 * MS + 5000, EV_receive, 7);
	told(t, 12 * MS, 21 * MS); /* before the 20 ms of when they came */
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(t->w.out[1].flags, EVENT_AHEAD);
	assert_int_equal(t->w.out[1].t_mon_ns, 10 * MS + 100);
	for (size_t i = 2; i < 4; i++)
		assert_int_equal(t->w.out[i].flags, 0);
	assert_int_equal(t->w.out[3].kind, EV_receive);
	two_free(t);
}

static void
a_lost_cause_makes_an_orphan_and_nothing_late(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 99);
	put(t, 0, 1, 2 * MS + 10, EV_note, 1);
	put(t, 1, 0, 2 * MS + 5, EV_note, 1);
	told(t, 3 * MS, 4 * MS); /* a cause could still come */
	assert_int_equal(t->w.out_n, 0);
	assert_int_equal(reorder_watermark(t->r), 2 * MS);
	told(t, 3 * MS + 3000, 5 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.out[0].flags, EVENT_ORPHAN);
	assert_int_equal(t->w.late, 0);
	assert_int_equal(t->w.out[1].seq, 0);
	two_free(t);
}

static void
keys_that_end_in_zero_pair_with_nothing(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 0);
	put(t, 1, 0, 3 * MS, EV_send, 0);
	told(t, 4 * MS, 5 * MS);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.orphans, 0);
	two_free(t);
}

static void
a_circle_of_effects_is_broken(void **state)
{
	struct two *t = two_start();
	struct reorder_stats st;

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 1);
	put(t, 0, 1, 2 * MS + 1, EV_send, 2);
	put(t, 1, 0, 2 * MS, EV_receive, 2);
	put(t, 1, 1, 2 * MS + 1, EV_send, 1);
	told(t, 10 * MS, 11 * MS);
	reorder_stats(t->r, &st);
	assert_int_equal(t->w.out_n, 4);
	assert_int_equal(st.cycles, 1);
	assert_int_equal(st.orphans, 1);
	two_free(t);
}

/* What waits behind an orphan is a cause all the same. */
static void
effects_of_what_is_parked_are_no_orphans(void **state)
{
	struct two *t = two_start();

	(void)state;
	put(t, 0, 0, 2 * MS, EV_receive, 99);
	put(t, 0, 1, 2 * MS + 500, EV_send, 7);
	put(t, 1, 0, 2 * MS - 800, EV_receive, 7); /* a bad clock */
	told(t, 50 * MS, 51 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.orphans, 1);
	check_causes(&t->w);
	two_free(t);
}

static void
forgotten_causes_make_no_orphans(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct reorder_options o = reorder_defaults;
	struct reorder_stats st;
	struct reorder *r;
	struct event ev = { .kind = EV_task_end };

	(void)state;
	o.causes_max = 64;
	w->streams = 1;
	r = reorder_new(&o, emit_cb, NULL, w);
	reorder_node_add(r, 0);
	reorder_stream_add(r, 0, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		ev.seq = i;
		ev.a = i + 1;
		ev.t_mon_ns = (int64_t)i * US;
		assert_int_equal(reorder_push(r, 0, &ev, 1), 0);
	}
	ev.kind = EV_task_join;
	ev.a = 5;
	ev.seq++;
	ev.t_mon_ns += US;
	reorder_push(r, 0, &ev, 1);
	reorder_advance(r, 0, 100 * MS, 0, 101 * MS);
	reorder_tick(r, 101 * MS);
	reorder_stats(r, &st);
	assert_int_equal(st.out, 1001);
	assert_int_equal(st.orphans, 0);
	assert_int_equal(st.forgotten, 1);
	assert_true(st.causes <= 64);
	reorder_free(r);
	free(w);
}

static void
a_log_goes_on_where_it_ended(void **state)
{
	struct two *t = two_start();
	struct event sent = { .kind = EV_send, .a = 7, .t_mon_ns = 5 * MS };

	(void)state;
	reorder_resume(t->r, 6 * MS);
	assert_int_equal(reorder_remember(t->r, &sent), 0);
	put(t, 0, 0, 4 * MS, EV_note, 1);
	put(t, 1, 0, 4 * MS, EV_receive, 7);
	put(t, 1, 1, 7 * MS, EV_note, 1);
	told(t, 10 * MS, 11 * MS);
	assert_int_equal(t->w.out_n, 3);
	assert_int_equal(t->w.orphans, 0);
	assert_int_equal(t->w.late, 2);
	assert_true(t->w.out[1].t_mon_ns >= 5 * MS);
	two_free(t);
}

static void
closed_streams_give_back_their_room(void **state)
{
	struct two *t = two_start();
	struct event ev = { .kind = EV_note };

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t s = 2 + i % 3;

		assert_int_equal(reorder_stream_add(t->r, s, 0), 0);
		ev.t_mon_ns += MS;
		ev.seq = 0;
		t->w.out_n = 0;
		assert_int_equal(reorder_push(t->r, s, &ev, 1), 0);
		reorder_stream_close(t->r, s);
		assert_int_equal(reorder_push(t->r, s, &ev, 1), -1);
		told(t, ev.t_mon_ns + MS, ev.t_mon_ns + 2 * MS);
		assert_int_equal(t->w.out_n, 1);
	}
	two_free(t);
}

/* --- silence, and the four bugs that Flink had with it --- */

/* Only node 0 talks, until `to`; a tick each ms. */
static int64_t
lonely(struct two *t, int64_t from, int64_t to)
{
	for (int64_t now = from; now <= to; now += MS) {
		reorder_advance(t->r, 0, now - MS, 1000, now);
		reorder_tick(t->r, now);
	}
	return (to);
}

static void
a_silent_node_is_excluded_and_its_events_are_late(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	put(t, 0, 0, 20 * MS, EV_note, 1);
	now = lonely(t, 11 * MS, 100 * MS);
	assert_int_equal(t->w.out_n, 0); /* node 1 might say something */
	now = lonely(t, now, 200 * MS);
	assert_int_equal(t->w.stalls, 1);
	assert_int_equal(t->w.out_n, 1);
	put(t, 1, 0, 15 * MS, EV_note, 1);
	reorder_tick(t->r, now);
	assert_int_equal(t->w.out_n, 2);
	assert_int_equal(t->w.out[1].flags, EVENT_LATE);
	assert_int_equal(t->w.out[1].t_mon_ns, 15 * MS);
	two_free(t);
}

/* FLINK-32496: a source could not resume after it had been idle. */
static void
flink_1_resumes_after_silence(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 300 * MS);
	assert_int_equal(t->w.stalls, 1);
	reorder_advance(t->r, 1, 100 * MS, 1000, now); /* still behind */
	assert_int_equal(t->w.rejoins, 0);
	reorder_advance(t->r, 1, now - MS, 1000, now);
	assert_int_equal(t->w.rejoins, 1);
	/* and counts again: what node 0 says alone is not final */
	put(t, 0, 0, now + 2 * MS, EV_note, 1);
	reorder_advance(t->r, 0, now + 10 * MS, 1000, now + 11 * MS);
	reorder_tick(t->r, now + 11 * MS);
	assert_int_equal(t->w.out_n, 0);
	reorder_advance(t->r, 1, now + 10 * MS, 1000, now + 11 * MS);
	reorder_tick(t->r, now + 11 * MS);
	assert_int_equal(t->w.out_n, 1);
	two_free(t);
}

/* FLINK-31632: marks overflowed when idle. */
static void
flink_2_no_overflow_when_idle(void **state)
{
	struct two *t = two_start();
	int64_t now = 10 * MS;

	(void)state;
	told(t, 9 * MS, now);
	for (int i = 0; i < 1000; i++) {
		now += MS;
		reorder_tick(t->r, now);
	}
	assert_int_equal(t->w.stalls, 2);
	assert_int_equal(reorder_watermark(t->r), 9 * MS);
	reorder_advance(t->r, 0, INT64_MAX, INT64_MAX, INT64_MAX / 8);
	reorder_tick(t->r, INT64_MAX / 8);
	reorder_node_remove(t->r, 0);
	reorder_node_remove(t->r, 1);
	reorder_node_remove(t->r, 1);
	reorder_node_remove(t->r, 12345);
	reorder_tick(t->r, INT64_MAX / 8);
	two_free(t);
}

/* FLINK-38454: all idle; the watermark must be the greatest, not the last. */
static void
flink_3_all_silent_never_goes_back(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 300 * MS);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	for (int i = 0; i < 400; i++)
		reorder_tick(t->r, now += MS); /* node 0 is silent too */
	assert_int_equal(t->w.stalls, 2);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	/* node 1, stopped at 9 ms, says something older than that */
	reorder_advance(t->r, 1, 100 * MS, 1000, now);
	reorder_tick(t->r, now);
	assert_int_equal(reorder_watermark(t->r), 299 * MS);
	two_free(t);
}

/* FLINK-40503: idleness was noticed between one and several time-outs. */
static void
flink_4_silence_is_noticed_in_time(void **state)
{
	struct two *t = two_start();
	int64_t now;

	(void)state;
	told(t, 9 * MS, 10 * MS);
	now = lonely(t, 11 * MS, 10 * MS + reorder_defaults.stall_ns - MS);
	assert_int_equal(t->w.stalls, 0);
	lonely(t, now, now + 2 * MS);
	assert_int_equal(t->w.stalls, 1);
	two_free(t);
}

static void
our_own_absence_is_nobodys_silence(void **state)
{
	struct two *t = two_start();

	(void)state;
	told(t, 9 * MS, 10 * MS);
	reorder_tick(t->r, (int64_t)20000 * MS); /* monitord was stopped */
	assert_int_equal(t->w.stalls, 0);
	put(t, 1, 0, 9 * MS + 5, EV_note, 1);
	told(t, (int64_t)19999 * MS, (int64_t)20000 * MS);
	assert_int_equal(t->w.late, 0);
	assert_int_equal(t->w.out_n, 1);
	two_free(t);
}

static void
memory_has_a_limit(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct reorder_options o = reorder_defaults;
	struct reorder *r;
	struct event ev = { .kind = EV_note };

	(void)state;
	o.held_bytes_max = 8000;
	w->streams = 2;
	r = reorder_new(&o, emit_cb, stall_cb, w);
	for (uint32_t i = 0; i < 2; i++) {
		reorder_node_add(r, i);
		reorder_stream_add(r, i, i);
		reorder_advance(r, i, MS, 0, MS);
	}
	for (uint64_t i = 0; i < 300; i++) {
		ev.seq = i;
		ev.t_mon_ns = (int64_t)(i + 2) * MS;
		reorder_push(r, 0, &ev, 1);
		reorder_advance(r, 0, ev.t_mon_ns + 1, 0, 400 * MS);
		reorder_tick(r, 400 * MS);
		if (i == 115) {
			assert_true(reorder_full(r));
			assert_true(reorder_lead_ns(r, 0) > 100 * MS);
			assert_int_equal(reorder_lead_ns(r, 1), 0);
		}
	}
	assert_int_equal(w->stalls, 1);
	assert_false(reorder_full(r));
	assert_true(w->out_n > 250);
	reorder_free(r);
	free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    random_programs_come_out_as_the_reference_says),
		cmocka_unit_test(every_interleaving_gives_the_same),
		cmocka_unit_test(the_same_calls_give_the_same_output),
		cmocka_unit_test(
		    the_output_does_not_depend_on_how_the_input_is_cut),
		cmocka_unit_test(repeated_sequence_numbers_are_dropped),
		cmocka_unit_test(time_that_runs_back_is_held),
		cmocka_unit_test(a_mark_that_falls_is_ignored),
		cmocka_unit_test(what_is_at_the_mark_is_not_before_it),
		cmocka_unit_test(what_is_shifted_to_the_mark_waits),
		cmocka_unit_test(chunks_that_are_just_full_are_given_back),
		cmocka_unit_test(a_chunk_has_one_owner),
		cmocka_unit_test(repeating_a_mark_is_no_sign_of_life),
		cmocka_unit_test(times_from_the_future_hold_nobody_up),
		cmocka_unit_test(what_follows_a_time_of_the_future_goes_on),
		cmocka_unit_test(a_lost_cause_makes_an_orphan_and_nothing_late),
		cmocka_unit_test(keys_that_end_in_zero_pair_with_nothing),
		cmocka_unit_test(a_circle_of_effects_is_broken),
		cmocka_unit_test(effects_of_what_is_parked_are_no_orphans),
		cmocka_unit_test(forgotten_causes_make_no_orphans),
		cmocka_unit_test(a_log_goes_on_where_it_ended),
		cmocka_unit_test(closed_streams_give_back_their_room),
		cmocka_unit_test(
		    a_silent_node_is_excluded_and_its_events_are_late),
		cmocka_unit_test(flink_1_resumes_after_silence),
		cmocka_unit_test(flink_2_no_overflow_when_idle),
		cmocka_unit_test(flink_3_all_silent_never_goes_back),
		cmocka_unit_test(flink_4_silence_is_noticed_in_time),
		cmocka_unit_test(our_own_absence_is_nobodys_silence),
		cmocka_unit_test(memory_has_a_limit),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
