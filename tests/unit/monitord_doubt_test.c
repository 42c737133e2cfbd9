/*
 * Whose clock is wrong, told from messages alone; and what the reorderer does
 * about it, and about causes that come after their orphans.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "monitord/order/causal/doubt.h"
#include "monitord/order/reorder.h"

#define US    1000
#define MS    1000000
#define NODES 6
#define BOUND (5 * US)

static unsigned put_in[NODES], let_out[NODES];

static void
changed_cb(void *arg, uint32_t node, bool doubted, int64_t worst_ns,
    int64_t bound_ns)
{
	(void)arg;
	assert_true(node < NODES);
	assert_int_equal(bound_ns, BOUND);
	if (doubted)
		assert_true(worst_ns > 0);
	put_in[node] += doubted;
	let_out[node] += !doubted;
}

static void
start(struct doubt *d)
{
	doubt_init(d);
	d->changed = changed_cb;
	memset(put_in, 0, sizeof(put_in));
	memset(let_out, 0, sizeof(let_out));
	for (uint32_t i = 0; i < NODES; i++) {
		assert_int_equal(doubt_add(d, i), 0);
		doubt_bound(d, i, BOUND, true);
	}
	doubt_judge(d, 0);
}

/* A window in which all talk with all; off: how fast each clock is. */
static void
window(struct doubt *d, const int64_t *off, uint32_t nodes, int64_t *t)
{
	for (uint32_t i = 0; i < nodes; i++)
		for (uint32_t k = 0; k < nodes; k++)
			if (i != k)
				doubt_message(d, i, k, *t + off[i],
				    *t + 20 * US + off[k]);
	*t += 100 * MS;
	doubt_judge(d, *t);
}

static void
the_wrong_one_is_blamed_and_nobody_else(void **state)
{
	static const struct {
		const char *what;
		uint32_t nodes;
		int64_t off[NODES];
		unsigned in[NODES];
	} cases[] = {
		{ "all good", 6, { 0, 4000, -4000, 9000, 0, -9000 }, { 0 } },
		{ "fast", 6, { 0, 0, 200000 }, { 0, 0, 1 } },
		{ "slow", 6, { 0, 0, 0, -200000 }, { 0, 0, 0, 1 } },
		{ "one fast and one slow", 6, { 300000, 0, 0, 0, 0, -200000 },
		    { 1, 0, 0, 0, 0, 1 } },
		{ "of two the sender", 2, { 0, 200000 }, { 0, 1 } },
		{ "not known is no reason", 2, { 0, 25000 }, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct doubt d;
		int64_t t = 0;

		start(&d);
		for (int w = 0; w < 5; w++)
			window(&d, cases[i].off, cases[i].nodes, &t);
		for (uint32_t k = 0; k < NODES; k++) {
			if (put_in[k] != cases[i].in[k])
				fail_msg("%s: node %u", cases[i].what, k);
			assert_int_equal(doubt_is(&d, k), cases[i].in[k]);
		}
		doubt_clear(&d);
	}
}

static void
quarantine_needs_persistence_and_ends(void **state)
{
	static const int64_t good[NODES], bad[NODES] = { 0, 100 * US };
	struct doubt d;
	int64_t t = 0;

	(void)state;
	start(&d);
	for (int i = 0; i < 20; i++) { /* never three in a row */
		window(&d, i % 3 == 2 ? good : bad, NODES, &t);
		assert_int_equal(put_in[1], 0);
	}
	window(&d, good, NODES, &t);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(put_in[1], 0);
		window(&d, bad, NODES, &t);
	}
	assert_int_equal(put_in[1], 1);
	for (int i = 0; i < 9; i++)
		window(&d, good, NODES, &t);
	window(&d, bad, NODES, &t); /* begins to count anew */
	for (int i = 0; i < 50; i++)
		window(&d, good, 0, &t); /* silence proves nothing */
	for (int i = 0; i < 9; i++)
		window(&d, good, NODES, &t);
	assert_int_equal(let_out[1], 0);
	window(&d, good, NODES, &t);
	assert_int_equal(let_out[1], 1);
	assert_int_equal(d.doubted, 0);
	doubt_clear(&d);
}

static void
without_a_bound_nobody_is_blamed(void **state)
{
	static const int64_t bad[NODES] = { 0, 100 * US };
	struct doubt d;
	int64_t t = 0;

	(void)state;
	start(&d);
	doubt_bound(&d, 1, BOUND, false);
	for (int i = 0; i < 10; i++)
		window(&d, bad, NODES, &t);
	assert_int_equal(put_in[1], 0);
	doubt_clear(&d);
}

/* --- in the reorderer --- */

struct seen {
	uint64_t out, orphans, shifted;
	int64_t shift_max, last_ns;
	uint64_t found;
	bool any_kind; /* not only sends */
	int64_t behind_ns;
	unsigned in, let;
};

static void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct seen *s = arg;

	for (size_t i = 0; i < n; i++) {
		s->out++;
		s->orphans += (ev[i].flags & EVENT_ORPHAN) != 0;
		s->shifted += ev[i].shift_ns > 0;
		if (ev[i].shift_ns > s->shift_max)
			s->shift_max = ev[i].shift_ns;
		if ((ev[i].flags & EVENT_LATE) == 0) {
			assert_true(ev[i].t_mon_ns >= s->last_ns);
			s->last_ns = ev[i].t_mon_ns;
		}
	}
}

static void
found_cb(void *arg, const struct event *cause, int64_t cause_mon_ns,
    int64_t effect_mon_ns)
{
	struct seen *s = arg;

	assert_true(s->any_kind || cause->kind == EV_send);
	s->found++;
	s->behind_ns = cause_mon_ns - effect_mon_ns;
}

static void
doubt_cb(void *arg, uint32_t node, bool doubted, int64_t worst_ns,
    int64_t bound_ns)
{
	struct seen *s = arg;

	(void)worst_ns;
	(void)bound_ns;
	assert_int_equal(node, 0);
	s->in += doubted;
	s->let += !doubted;
}

static struct reorder *
reorder_start(struct seen *s, uint32_t nodes)
{
	struct reorder *r = reorder_new(&reorder_defaults, emit_cb, NULL, s);

	memset(s, 0, sizeof(*s));
	s->last_ns = INT64_MIN;
	reorder_on_found(r, found_cb, s);
	reorder_on_doubt(r, doubt_cb, s);
	for (uint32_t i = 0; i < nodes; i++) {
		reorder_node_add(r, i);
		reorder_stream_add(r, i, i);
	}
	return (r);
}

static void
put(struct reorder *r, uint32_t s, uint64_t seq, int64_t t, uint16_t kind,
    uint64_t key)
{
	struct event ev = { .t_mon_ns = t,
		.seq = seq,
		.kind = kind,
		.a = key,
		.location = s };

	assert_int_equal(reorder_push(r, s, &ev, 1), 0);
}

/* Four nodes send to the next one each ms; node 0 is off by so much. */
static void
talk(struct reorder *r, int64_t *now, int ms, int64_t off)
{
	for (int i = 0; i < ms; i++, *now += MS) {
		uint64_t k = (uint64_t)(*now / MS) * 4;

		for (uint32_t n = 0; n < 4; n++)
			put(r, n, k + 1, *now + (n == 0 ? off : 0), EV_send,
			    k + n + 1);
		for (uint32_t n = 0; n < 4; n++)
			put(r, n, k + 2, *now + 20 * US + (n == 0 ? off : 0),
			    EV_receive, k + (n + 3) % 4 + 1);
		for (uint32_t n = 0; n < 4; n++)
			reorder_advance(r, n, *now + MS / 2, BOUND,
			    *now + MS / 2);
		reorder_tick(r, *now + MS / 2);
	}
}

static void
a_bad_clock_drags_nobody_for_long(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 4);
	struct reorder_stats st;
	int64_t now = MS;

	(void)state;
	talk(r, &now, 500, 0);
	assert_int_equal(s.shifted, 0);
	talk(r, &now, 200, 150 * US); /* fast: its effects are dragged */
	assert_true(s.shift_max > 120 * US);
	assert_int_equal(s.in, 0);
	talk(r, &now, 500, 150 * US);
	assert_int_equal(s.in, 1);
	assert_true(reorder_doubts(r, 0));
	assert_false(reorder_doubts(r, 1));
	s = (struct seen){ .in = 1, .last_ns = s.last_ns };
	talk(r, &now, 500, 150 * US);
	/* no event of another node moves any more, and it is told */
	assert_in_range(s.orphans, 499, 501);
	assert_true(s.shift_max <= 31 * US);
	/* it is good again: a second later all is as before */
	talk(r, &now, 1500, 0);
	assert_int_equal(s.let, 1);
	assert_false(reorder_doubts(r, 0));
	s.orphans = s.shifted = 0;
	talk(r, &now, 500, 0);
	assert_int_equal(s.orphans, 0);
	assert_int_equal(s.shifted, 0);
	reorder_flush(r);
	reorder_stats(r, &st);
	assert_int_equal(st.in, st.out);
	assert_int_equal(st.late, 0);
	reorder_free(r);
}

static void
told(struct reorder *r, int64_t mark)
{
	reorder_advance(r, 0, mark, 1000, mark);
	reorder_advance(r, 1, mark, 1000, mark);
	reorder_tick(r, mark);
}

static void
told_all(struct reorder *r, uint32_t nodes, int64_t mark)
{
	for (uint32_t i = 0; i < nodes; i++)
		reorder_advance(r, i, mark, 1000, mark);
	reorder_tick(r, mark);
}

/* The cause's node was silent: what it says later is joined by a record. */
static void
the_cause_of_an_orphan_is_found(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 2);
	struct reorder_stats st;

	(void)state;
	put(r, 1, 0, 5 * MS, EV_receive, 7);
	told(r, 20 * MS);
	assert_int_equal(s.orphans, 1);
	put(r, 0, 0, 4 * MS, EV_send, 7);
	told(r, 30 * MS);
	assert_int_equal(s.out, 2);
	assert_int_equal(s.found, 1);
	assert_int_equal(s.behind_ns, -MS);
	reorder_stats(r, &st);
	assert_int_equal(st.found, 1);
	assert_int_equal(st.causes, 0); /* nobody else waits for it */
	/* the number again: an effect of its own cause */
	put(r, 0, 1, 31 * MS, EV_send, 7);
	put(r, 1, 1, 32 * MS, EV_receive, 7);
	told(r, 40 * MS);
	assert_int_equal(s.orphans, 1);
	assert_int_equal(s.found, 1);
	reorder_free(r);
}

static void
barrier(struct reorder *r, uint32_t s, uint64_t seq, int64_t t, uint16_t kind)
{
	struct event ev = { .t_mon_ns = t,
		.seq = seq,
		.kind = kind,
		.a = 5,
		.b = 1,
		.c = 3,
		.location = s };

	assert_int_equal(reorder_push(r, s, &ev, 1), 0);
}

/* Of effects that need them all, when the last one has come; for each. */
static void
all_causes_of_orphans_are_found(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 4);

	(void)state;
	s.any_kind = true;
	barrier(r, 0, 0, 4 * MS, EV_barrier_enter);
	barrier(r, 0, 1, 5 * MS, EV_barrier_leave);
	barrier(r, 3, 0, 5 * MS, EV_barrier_leave);
	told_all(r, 4, 20 * MS);
	assert_int_equal(s.orphans, 2);
	barrier(r, 1, 0, 4 * MS, EV_barrier_enter);
	told_all(r, 4, 30 * MS);
	assert_int_equal(s.found, 0);
	barrier(r, 2, 0, 3 * MS, EV_barrier_enter);
	told_all(r, 4, 40 * MS);
	assert_int_equal(s.found, 2);
	assert_int_equal(s.behind_ns, -2 * MS);
	barrier(r, 2, 1, 41 * MS, EV_barrier_leave);
	told_all(r, 4, 50 * MS);
	assert_int_equal(s.orphans, 2);
	assert_int_equal(s.found, 2);
	reorder_free(r);
}

/* Two of one key: each cause is the one of one of them. */
static void
two_orphans_of_one_key_take_two_causes(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 2);
	struct reorder_stats st;

	(void)state;
	put(r, 1, 0, 5 * MS, EV_receive, 7);
	told(r, 20 * MS);
	put(r, 1, 1, 21 * MS, EV_receive, 7);
	told(r, 40 * MS);
	assert_int_equal(s.orphans, 2);
	put(r, 0, 0, 4 * MS, EV_send, 7);
	told(r, 50 * MS);
	assert_int_equal(s.found, 1);
	assert_int_equal(s.behind_ns, -MS);
	put(r, 0, 1, 20 * MS, EV_send, 7);
	told(r, 60 * MS);
	assert_int_equal(s.found, 2);
	assert_int_equal(s.behind_ns, -MS);
	reorder_stats(r, &st);
	assert_int_equal(st.causes, 0);
	/* one that many may have: all of them */
	put(r, 1, 2, 61 * MS, EV_task_join, 9);
	told(r, 80 * MS);
	put(r, 1, 3, 81 * MS, EV_task_join, 9);
	told(r, 100 * MS);
	assert_int_equal(s.orphans, 4);
	s.any_kind = true;
	put(r, 0, 2, 60 * MS, EV_task_end, 9);
	told(r, 110 * MS);
	assert_int_equal(s.found, 4);
	reorder_free(r);
}

/*
 * What a node whose clock is wrong has caused on itself is as right as ever:
 * only others are not moved by it.
 */
static void
a_node_in_quarantine_keeps_its_own_pairs(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 5);
	int64_t now = MS;

	(void)state;
	/* a second thread of node 0, which receives from the first */
	assert_int_equal(reorder_stream_add(r, 4, 0), 0);
	talk(r, &now, 1000, 150 * US);
	assert_true(reorder_doubts(r, 0));
	s.orphans = s.shifted = 0;
	put(r, 0, UINT64_C(1) << 40, now + 100 * US, EV_send, 1 << 30);
	put(r, 4, 0, now + 30 * US, EV_receive, 1 << 30);
	now += 10 * MS;
	told_all(r, 4, now);
	reorder_flush(r);
	assert_int_equal(s.orphans, 0);
	assert_int_equal(s.shifted, 1);
	reorder_free(r);
}

/* Whether the cause was read just in time must not decide. */
static void
a_cause_of_the_far_future_moves_nothing(void **state)
{
	(void)state;
	for (int cut = 0; cut < 2; cut++) {
		struct seen s;
		struct reorder *r = reorder_start(&s, 2);

		put(r, 1, 0, 5 * MS, EV_receive, 7);
		put(r, 0, 0, 9 * MS, EV_send, 7);
		if (cut)
			for (int64_t t = MS; t < 20 * MS; t += MS / 4)
				told(r, t);
		told(r, 20 * MS);
		assert_int_equal(s.out, 2);
		assert_int_equal(s.orphans, 1);
		assert_int_equal(s.shift_max, 0);
		reorder_free(r);
	}
}

/* A clock that was ahead by a second and is set right: its streams wait for
 * their own times, but nobody else does. */
static void
a_step_back_moves_nobody_else(void **state)
{
	struct seen s;
	struct reorder *r = reorder_start(&s, 2);

	(void)state;
	put(r, 0, 0, 500 * MS, EV_note, 0);
	put(r, 0, 1, 5 * MS, EV_send, 7);
	put(r, 1, 0, 5 * MS + US, EV_receive, 7);
	put(r, 1, 1, 6 * MS, EV_note, 0);
	told(r, 20 * MS);
	assert_int_equal(s.out, 2);
	assert_int_equal(s.orphans, 1);
	assert_int_equal(s.shift_max, 0);
	reorder_flush(r);
	assert_int_equal(s.out, 4);
	reorder_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wrong_one_is_blamed_and_nobody_else),
		cmocka_unit_test(quarantine_needs_persistence_and_ends),
		cmocka_unit_test(without_a_bound_nobody_is_blamed),
		cmocka_unit_test(a_bad_clock_drags_nobody_for_long),
		cmocka_unit_test(the_cause_of_an_orphan_is_found),
		cmocka_unit_test(all_causes_of_orphans_are_found),
		cmocka_unit_test(two_orphans_of_one_key_take_two_causes),
		cmocka_unit_test(a_node_in_quarantine_keeps_its_own_pairs),
		cmocka_unit_test(a_step_back_moves_nobody_else),
		cmocka_unit_test(a_cause_of_the_far_future_moves_nothing),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
