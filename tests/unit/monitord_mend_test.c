/*
 * Effects that were let go, once the whole log is at hand: they stand behind
 * their causes, in order and in time, and only those without one are orphans.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "monitord/order/mend.h"
#include "tests/rnd.h"

#define LANES 8
#define MOST  20000
#define HELD  100000
#define US    1000
#define MS    1000000

/* A log: what it was, and what has become of it. */
struct log {
	struct event in[MOST], out[MOST];
	size_t n, out_n;
	uint64_t seq[LANES];
	struct mend_stats stats;
};

static void
emit_cb(void *arg, const struct event *e, size_t n)
{
	struct log *log = arg;

	for (size_t i = 0; i < n; i++) {
		assert_true(log->out_n < MOST);
		log->out[log->out_n++] = e[i];
	}
}

static struct event *
put(struct log *log, uint32_t lane, int64_t t, uint16_t kind, uint64_t key,
    uint16_t flags)
{
	struct event *e = &log->in[log->n++];

	assert_true(log->n <= MOST);
	*e = (struct event){ .t_mon_ns = t,
		.t_node_ns = t - 77,
		.location = lane,
		.seq = log->seq[lane]++,
		.kind = kind,
		.a = key,
		.flags = flags };
	return (e);
}

static void
mend_log(struct log *log, size_t held_max)
{
	struct mend *m = mend_new(held_max);

	assert_non_null(m);
	for (size_t i = 0; i < log->n; i++)
		assert_int_equal(mend_want(m, &log->in[i]), 0);
	for (size_t i = 0; i < log->n; i++)
		mend_count(m, &log->in[i]);
	log->out_n = 0;
	mend_begin(m, emit_cb, log);
	for (uint32_t i = 0; i < LANES; i++)
		assert_int_equal(mend_location(m, i, i / 2), 0);
	for (size_t i = 0; i < log->n; i++)
		assert_int_equal(mend_event(m, &log->in[i]), 0);
	assert_int_equal(mend_end(m), 0);
	mend_stats(m, &log->stats);
	mend_free(m);
	assert_int_equal(log->out_n, log->n);
}

/* Once, in the order of each thread, in time; nothing raw has changed. */
static void
holds_together(const struct log *log)
{
	uint64_t next[LANES] = { 0 }, orphans = 0;

	for (size_t i = 0; i < log->out_n; i++) {
		const struct event *e = &log->out[i];

		assert_int_equal(e->seq, next[e->location]++);
		assert_true(i == 0 || e->t_mon_ns >= e[-1].t_mon_ns);
		assert_int_equal(e->t_mon_ns - e->shift_ns, e->t_node_ns + 77);
		assert_int_equal(e->shift_ns > 0,
		    (e->flags & EVENT_SHIFTED) != 0);
		assert_false(e->flags & EVENT_LATE);
		orphans += (e->flags & EVENT_ORPHAN) != 0;
	}
	assert_int_equal(orphans, log->stats.orphans);
}

/* Where it stands now. */
static const struct event *
at(const struct log *log, uint32_t lane, uint64_t seq)
{
	for (size_t i = 0; i < log->out_n; i++)
		if (log->out[i].location == lane && log->out[i].seq == seq)
			return (&log->out[i]);
	fail();
	return (NULL);
}

static void
behind(const struct log *log, uint32_t cause, uint64_t cause_seq,
    uint32_t effect, uint64_t effect_seq)
{
	const struct event *c = at(log, cause, cause_seq);
	const struct event *e = at(log, effect, effect_seq);

	assert_true(c < e);
	assert_true(c->t_mon_ns < e->t_mon_ns);
	assert_false(e->flags & EVENT_ORPHAN);
}

static struct log *
log_new(void **state)
{
	static struct log log;

	(void)state;
	memset(&log, 0, sizeof(log));
	return (&log);
}

/* Its cause came late, and was folded into its place: nothing moves. */
static void
a_late_cause_clears_the_flag(void **state)
{
	struct log *log = log_new(state);

	put(log, 0, 1 * MS, EV_send, 7, 0);
	put(log, 2, 2 * MS, EV_receive, 7, EVENT_ORPHAN);
	mend_log(log, HELD);
	holds_together(log);
	behind(log, 0, 0, 2, 0);
	assert_int_equal(log->stats.moved, 0);
	assert_int_equal(log->stats.mended, 1);
}

/* With what follows in its thread, and with what that has caused elsewhere. */
static void
an_effect_moves_behind_its_cause(void **state)
{
	struct log *log = log_new(state);

	put(log, 2, 1 * MS, EV_receive, 7, EVENT_ORPHAN);
	put(log, 2, 1 * MS + US, EV_note, 1, 0);
	put(log, 2, 1 * MS + 2 * US, EV_send, 8, 0);
	put(log, 4, 1 * MS + 3 * US, EV_receive, 8, 0);
	put(log, 6, 1 * MS + 4 * US, EV_note, 1, 0);
	put(log, 0, 2 * MS, EV_send, 7, 0);
	put(log, 2, 200 * MS, EV_note, 1, 0);
	put(log, 4, 300 * MS, EV_note, 1, 0);
	mend_log(log, HELD);
	holds_together(log);
	behind(log, 0, 0, 2, 0);
	behind(log, 2, 2, 4, 0);
	assert_int_equal(at(log, 2, 0)->t_mon_ns, 2 * MS + 500);
	/* intervals are kept, and the shift decays */
	assert_in_range(at(log, 2, 1)->t_mon_ns, 2 * MS + 500,
	    2 * MS + 500 + US);
	assert_int_equal(at(log, 2, 3)->t_mon_ns, 200 * MS);
	assert_int_equal(at(log, 6, 0)->t_mon_ns, 1 * MS + 4 * US);
	assert_int_equal(log->stats.moved, 4);
}

static void
an_orphan_is_one_whose_cause_is_not_there(void **state)
{
	struct log *log = log_new(state);

	put(log, 2, 1 * MS, EV_receive, 7, EVENT_ORPHAN);
	put(log, 2, 2 * MS, EV_receive, 8, EVENT_ORPHAN);
	put(log, 0, 3 * MS, EV_send, 8, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.orphans, 1);
	assert_int_equal(at(log, 2, 0)->flags, EVENT_ORPHAN);
	assert_int_equal(at(log, 2, 0)->t_mon_ns, MS);
	behind(log, 0, 0, 2, 1);
}

/* Each cause has one effect, whichever came first. */
static void
two_orphans_of_one_key(void **state)
{
	for (unsigned causes = 0; causes <= 3; causes++) {
		struct log *log = log_new(state);

		put(log, 2, 1 * MS, EV_receive, 7, EVENT_ORPHAN);
		put(log, 4, 2 * MS, EV_receive, 7, EVENT_ORPHAN);
		for (unsigned i = 0; i < causes; i++)
			put(log, 0, (3 + i) * MS, EV_send, 7, 0);
		mend_log(log, HELD);
		holds_together(log);
		assert_int_equal(log->stats.orphans,
		    causes < 2 ? 2 - causes : 0);
		if (causes > 0)
			behind(log, 0, 0, 2, 0);
		if (causes > 1)
			behind(log, 0, 1, 4, 0);
	}
}

/* The number again, with nothing wrong with it this time. */
static void
a_key_that_is_used_again(void **state)
{
	struct log *log = log_new(state);

	put(log, 0, 1 * MS, EV_send, 7, 0);
	put(log, 2, 2 * MS, EV_receive, 7, EVENT_ORPHAN); /* came late */
	put(log, 2, 3 * MS, EV_receive, 7, EVENT_ORPHAN); /* is too early */
	put(log, 0, 4 * MS, EV_send, 7, 0);
	put(log, 0, 5 * MS, EV_send, 7, 0);
	put(log, 2, 6 * MS, EV_receive, 7, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.orphans, 0);
	behind(log, 0, 0, 2, 0);
	behind(log, 0, 1, 2, 1);
	behind(log, 0, 2, 2, 2);
}

static void
one_cause_of_many(void **state)
{
	struct log *log = log_new(state);

	put(log, 2, 1 * MS, EV_task_join, 7, EVENT_ORPHAN);
	put(log, 4, 2 * MS, EV_task_join, 7, EVENT_ORPHAN);
	put(log, 0, 3 * MS, EV_task_end, 7, 0);
	put(log, 6, 4 * MS, EV_task_join, 7, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.orphans, 0);
	behind(log, 0, 0, 2, 0);
	behind(log, 0, 0, 4, 0);
	assert_int_equal(at(log, 6, 0)->t_mon_ns, 4 * MS);
}

static void
barrier(struct log *log, uint32_t lane, int64_t t, bool leave, uint16_t flags)
{
	struct event *e = put(log, lane, t,
	    leave ? EV_barrier_leave : EV_barrier_enter, 5, flags);

	e->b = 1;
	e->c = 3;
}

/* Behind all causes of its key, or behind those that there are. */
static void
all_causes_of_one(void **state)
{
	for (int lost = 0; lost < 2; lost++) {
		struct log *log = log_new(state);

		barrier(log, 0, 1 * MS, false, 0);
		barrier(log, 0, 2 * MS, true, EVENT_ORPHAN);
		barrier(log, 2, 3 * MS, false, 0);
		if (!lost)
			barrier(log, 4, 4 * MS, false, 0);
		barrier(log, 2, 5 * MS, true, lost ? EVENT_ORPHAN : 0);
		mend_log(log, HELD);
		holds_together(log);
		assert_int_equal(log->stats.orphans, lost ? 2 : 0);
		assert_true(at(log, 0, 1)->t_mon_ns >
			    at(log, lost ? 2 : 4, 0)->t_mon_ns);
	}
}

static void
block(struct log *log, uint32_t lane, int64_t t, bool end, uint16_t flags)
{
	put(log, lane, t, end ? EV_block_end : EV_member_end, 5, flags)->c = 2;
}

/* All causes of a block's end are its own: the number may come again. */
static void
a_block_that_is_used_again(void **state)
{
	struct log *log = log_new(state);

	block(log, 0, 1 * MS, false, 0);
	block(log, 2, 2 * MS, false, 0);
	block(log, 0, 3 * MS, true, 0);
	block(log, 0, 4 * MS, false, 0);
	block(log, 0, 5 * MS, true, EVENT_ORPHAN);
	block(log, 2, 6 * MS, false, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.orphans, 0);
	behind(log, 2, 0, 0, 1);
	assert_int_equal(at(log, 0, 1)->t_mon_ns, 3 * MS);
	behind(log, 2, 1, 0, 3);
}

/* A late block has moved one cause of an effect that was never let go. */
static void
causes_that_move_take_their_effects_along(void **state)
{
	struct log *log = log_new(state);

	put(log, 2, 1 * MS, EV_receive, 7, EVENT_ORPHAN);
	barrier(log, 2, 2 * MS, false, 0);
	barrier(log, 4, 2 * MS, false, 0);
	barrier(log, 6, 2 * MS, false, 0);
	barrier(log, 4, 3 * MS, true, 0);
	put(log, 0, 9 * MS, EV_send, 7, 0);
	mend_log(log, HELD);
	holds_together(log);
	behind(log, 0, 0, 2, 0);
	behind(log, 2, 1, 4, 1);
	behind(log, 6, 0, 4, 1);
	assert_int_equal(at(log, 6, 0)->t_mon_ns, 2 * MS);
}

/* No order is possible: one is let go, and nothing waits for ever. */
static void
circles_are_broken(void **state)
{
	struct log *log = log_new(state);

	put(log, 0, 1 * MS, EV_receive, 1, EVENT_ORPHAN); /* of itself */
	put(log, 0, 2 * MS, EV_send, 1, 0);
	put(log, 2, 3 * MS, EV_receive, 2, EVENT_ORPHAN); /* of each other */
	put(log, 4, 4 * MS, EV_receive, 3, EVENT_ORPHAN);
	put(log, 2, 5 * MS, EV_send, 3, 0);
	put(log, 4, 6 * MS, EV_send, 2, 0);
	put(log, 6, 7 * MS, EV_note, 2, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.circles, 2);
	assert_int_equal(log->stats.orphans, 2);
	behind(log, 2, 1, 4, 0);
}

/* A circle of lanes 2 and 4, then events of lane 2 and `other` in turn. */
static void
circle_among_many(struct log *log, uint32_t other)
{
	int64_t t = 5 * MS;

	put(log, 2, 1 * MS, EV_receive, 2, EVENT_ORPHAN);
	put(log, 4, 2 * MS, EV_receive, 3, EVENT_ORPHAN);
	put(log, 2, 3 * MS, EV_send, 3, 0);
	put(log, 4, 4 * MS, EV_send, 2, 0);
	while (log->n < MOST)
		put(log, log->n % 2 == 0 ? 2 : other, t += US, EV_note, 0, 0);
	mend_log(log, HELD);
	holds_together(log);
	assert_int_equal(log->stats.circles, 1);
	behind(log, 2, 1, 4, 0);
}

/* A circle among many events is found before all of them are held. */
static void
a_circle_does_not_hold_the_rest(void **state)
{
	circle_among_many(log_new(state), 2);
}

/* Others have gone on meanwhile: nobody comes behind a time that has passed. */
static void
who_is_let_go_comes_when_it_is_let_go(void **state)
{
	circle_among_many(log_new(state), 6);
}

/* What would have to be held for too long stays, and says so. */
static void
memory_is_bounded(void **state)
{
	struct log *log = log_new(state);
	int64_t t = 2 * MS;

	put(log, 2, 1 * MS, EV_receive, 7, EVENT_ORPHAN);
	for (int i = 0; i < 5000; i++)
		put(log, 2, t += US, EV_note, 0, 0);
	put(log, 0, t + MS, EV_send, 7, 0);
	mend_log(log, 1000);
	holds_together(log);
	assert_int_equal(log->stats.given_up, 1);
	assert_int_equal(log->stats.orphans, 1);
	assert_in_range(log->stats.held_most, 1000, 1001);
	mend_log(log, 10000);
	holds_together(log);
	assert_int_equal(log->stats.orphans, 0);
}

/* --- at random --- */

static int
by_time(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	if (a->t_mon_ns != b->t_mon_ns)
		return (a->t_mon_ns < b->t_mon_ns ? -1 : 1);
	if (a->location != b->location)
		return (a->location < b->location ? -1 : 1);
	return (a->seq < b->seq ? -1 : a->seq > b->seq);
}

/*
 * Threads that send to each other, with clocks that are off by so much; what
 * is before its cause by them is let go, and some others are.  Some causes are
 * lost.
 */
static void
make_random(struct log *log, int64_t off_ns)
{
	static struct event open[MOST];
	int64_t clock[LANES], last[LANES] = { 0 }, t = MS;
	size_t nopen = 0, first = 0;
	uint64_t key = 1;

	for (unsigned i = 0; i < LANES; i++)
		clock[i] = (int64_t)(rnd() % ((uint64_t)off_ns + 1));
	while (log->n < 4000) {
		uint32_t lane = (uint32_t)(rnd() % LANES);
		int64_t at_ns;

		t += (int64_t)(rnd() % (3 * US));
		at_ns = t + clock[lane];
		if (at_ns < last[lane])
			at_ns = last[lane];
		last[lane] = at_ns;
		if (nopen > first && rnd() % 2 == 0) {
			const struct event *c = &open[first++];
			bool let_go = at_ns <= c->t_mon_ns ||
				      c->kind == EV_none || rnd() % 20 == 0;

			put(log, lane, at_ns, EV_receive, c->a,
			    let_go ? EVENT_ORPHAN : 0);
			continue;
		}
		if (rnd() % 30 == 0) /* lost */
			open[nopen++] = (struct event){ .a = key++ };
		else
			open[nopen++] =
			    *put(log, lane, at_ns, EV_send, key++, 0);
	}
	qsort(log->in, log->n, sizeof(log->in[0]), by_time);
}

static void
any_log_is_mended(void **state)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct log *log = log_new(state);
		static size_t sent[MOST];
		uint64_t orphans = 0;

		rnd_state = seed;
		make_random(log, seed % 3 == 0 ? 0 : (int64_t)seed * US);
		mend_log(log, HELD);
		holds_together(log);
		memset(sent, 0, sizeof(sent));
		for (size_t i = 0; i < log->out_n; i++)
			if (log->out[i].kind == EV_send)
				sent[log->out[i].a] = i + 1;
		for (size_t i = 0; i < log->out_n; i++) {
			const struct event *e = &log->out[i];
			size_t cause = sent[e->a];

			if (e->kind != EV_receive)
				continue;
			assert_int_equal((e->flags & EVENT_ORPHAN) != 0,
			    cause == 0);
			orphans += cause == 0;
			assert_true(
			    cause == 0 ||
			    (cause <= i &&
				log->out[cause - 1].t_mon_ns < e->t_mon_ns));
		}
		assert_int_equal(orphans, log->stats.orphans);
		assert_int_equal(log->stats.circles, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_cause_clears_the_flag),
		cmocka_unit_test(an_effect_moves_behind_its_cause),
		cmocka_unit_test(an_orphan_is_one_whose_cause_is_not_there),
		cmocka_unit_test(two_orphans_of_one_key),
		cmocka_unit_test(a_key_that_is_used_again),
		cmocka_unit_test(one_cause_of_many),
		cmocka_unit_test(all_causes_of_one),
		cmocka_unit_test(a_block_that_is_used_again),
		cmocka_unit_test(causes_that_move_take_their_effects_along),
		cmocka_unit_test(circles_are_broken),
		cmocka_unit_test(a_circle_does_not_hold_the_rest),
		cmocka_unit_test(who_is_let_go_comes_when_it_is_let_go),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(any_log_is_mended),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
