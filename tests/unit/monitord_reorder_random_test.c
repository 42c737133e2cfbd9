/*
 * The reorderer against a plain reference: random programs, whose causes and
 * effects are known, on nodes with wrong clocks, delivered in any order.
 */
#include "tests/unit/monitord_reorder.h"

#include <string.h>

#include "tests/sim/model.h"

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
	for (uint64_t seed = 1; seed <= TRIES(400); seed++) {
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
	for (uint64_t seed = 1; seed <= TRIES(60); seed++) {
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
	for (uint64_t seed = 1; seed <= TRIES(60); seed++) {
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
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
