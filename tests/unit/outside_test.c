/*
 * The checker from outside: a log as it should be is good, and each way in
 * which one can be wrong is seen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/outside/causes.h"
#include "tests/outside/lanes.h"
#include "tests/outside/wrong.h"

#define ROWS 16
#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Process 0 sends two messages to process 1; both take one lock in turn. */
struct storm {
	struct row row[ROWS];
	unsigned n;
	bool growing, lossy, cut;
};

static const struct skewed true_clock;

static struct row *
add(struct storm *s, const char *kind, uint64_t location, int64_t t_ns,
    uint64_t a, uint64_t b)
{
	struct row *r = &s->row[s->n++];

	*r = (struct row){ .t_mon_ns = t_ns + 7,
		.t_node_ns = t_ns,
		.location = location,
		.a = a,
		.b = b };
	for (unsigned i = 0; i + 1 < s->n; i++)
		r->seq += s->row[i].location == location;
	snprintf(r->kind, sizeof(r->kind), "%s", kind);
	return (r);
}

enum {
	HELLO_0,
	HELLO_1,
	SEND,
	RECEIVE,
	RELEASE,
	ACQUIRE,
	SEND_2,
	RECEIVE_2,
	AFTER
};

static struct storm
good(void)
{
	struct storm s = { 0 };

	add(&s, "note", 1, 10000, (uint64_t)STORM_HELLO, 0);
	add(&s, "note", 2, 20000, STORM_HELLO + STORM_THREADS, 0);
	add(&s, "send", 1, 30000, storm_id(0, 1, 0), 29900);
	add(&s, "receive", 2, 40000, storm_id(0, 1, 0), 39900);
	add(&s, "lock_release", 1, 50000, STORM_LOCK_ID, 1);
	add(&s, "lock_acquire", 2, 60000, STORM_LOCK_ID, 1);
	add(&s, "send", 1, 70000, storm_id(0, 1, 1), 69900);
	add(&s, "receive", 2, 80000, storm_id(0, 1, 1), 79900);
	add(&s, "note", 1, 90000, 0, 0);
	return (s);
}

/* What thread 0 of the process at this location has said. */
static struct storm_said
said(const struct storm *s, uint64_t location)
{
	struct storm_said said = { 0 };
	static const struct {
		const char *kind;
		enum storm_kind is;
	} kinds[] = { { "note", STORM_note }, { "send", STORM_send },
		{ "receive", STORM_receive },
		{ "lock_release", STORM_lock_release },
		{ "lock_acquire", STORM_lock_acquire } };

	for (unsigned i = 0; i < s->n; i++) {
		const struct row *r = &s->row[i];

		for (unsigned k = 0; k < N(kinds); k++)
			if (r->location == location && i != AFTER &&
			    strcmp(r->kind, kinds[k].kind) == 0)
				storm_say(&said, kinds[k].is, r->a, r->b, 0);
		if (r->location == location && i == AFTER)
			said.alone++;
		if (r->location == location && strcmp(r->kind, "lost") == 0)
			said.alone += r->a;
	}
	return (said);
}

/* Holds the log against what `was` says was done; how much of it is wrong. */
static uint64_t
hold(const struct storm *s, const struct storm *was)
{
	struct causes *causes = causes_new(s->growing, s->lossy);
	struct lanes *lanes = lanes_new(s->growing, &true_clock, 1);
	struct storm_said by;

	wrong_forget();
	assert_non_null(causes);
	assert_non_null(lanes);
	for (unsigned i = 0; i < s->n; i++) {
		assert_int_equal(lanes_row(lanes, &s->row[i]), 0);
		assert_int_equal(causes_row(causes, &s->row[i]), 0);
	}
	causes_end(causes, s->cut);
	for (unsigned p = 0; p < 2 && !s->growing; p++) {
		by = said(was, p + 1);
		lanes_said(lanes, p, 0, &by, s->lossy);
	}
	causes_free(causes);
	lanes_free(lanes);
	return (wrong_sum());
}

static void
swap(struct storm *s, unsigned i, unsigned k)
{
	struct row r = s->row[i];

	s->row[i] = s->row[k];
	s->row[k] = r;
}

static void
leave_out(struct storm *s, unsigned i)
{
	for (unsigned k = i; k + 1 < s->n; k++)
		s->row[k] = s->row[k + 1];
	s->n--;
}

static void
a_good_log_is_good(void **state)
{
	struct storm s = good();

	(void)state;
	assert_int_equal(hold(&s, &s), 0);
}

static void
every_kind_of_wrong_is_seen(void **state)
{
	const struct storm was = good();
	struct storm s;

	(void)state;
	s = was, swap(&s, SEND, RECEIVE);
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);

	s = was, s.row[RECEIVE].t_mon_ns = s.row[SEND].t_mon_ns;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);

	s = was, swap(&s, RELEASE, ACQUIRE);
	s.row[RELEASE].flags = ROW_ORPHAN; /* which is the acquisition now */
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);
	assert_int_equal(wrong_count(WRONG_ORPHAN), 1);

	s = was, s.row[RECEIVE_2].flags = ROW_ORPHAN;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_ORPHAN), 1);

	s = was, leave_out(&s, SEND_2);
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_WITHOUT_CAUSE), 1);
	assert_int_equal(wrong_count(WRONG_NO_ORPHAN), 1);
	assert_int_equal(wrong_count(WRONG_SEQUENCE), 1);
	assert_int_equal(wrong_count(WRONG_COUNT), 1);

	s = was, s.row[SEND].b++;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_HASH), 1);

	s = was, s.row[RECEIVE_2].a = s.row[RECEIVE].a;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_TWICE), 1);
	assert_int_equal(wrong_count(WRONG_HASH), 1);

	s = was, s.row[SEND].a = ~s.row[SEND].a;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_UNKNOWN), 1);

	s = was, s.row[AFTER].t_mon_ns = s.row[RECEIVE_2].t_mon_ns - 1;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_ORDER), 1);
}

static void
times_are_held_against_readings(void **state)
{
	const struct storm was = good();
	struct storm s;

	(void)state;
	/* put back to before the thread read its clock */
	s = was, s.row[RECEIVE].t_node_ns = 39900 - 1001;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_EARLY), 1);

	/* and to after its next reading */
	s = was, s.row[RELEASE].t_node_ns = 69900 + 1001;
	s.row[SEND_2].t_node_ns = 75000;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_LATER), 1);

	s = was, s.row[SEND_2].t_node_ns = s.row[RELEASE].t_node_ns - 1;
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_NODE_TIME), 1);
}

static void
what_is_told_as_lost_counts(void **state)
{
	const struct storm was = good();
	struct storm s = was;

	(void)state;
	s.lossy = true;
	snprintf(s.row[SEND_2].kind, sizeof(s.row[0].kind), "lost");
	s.row[SEND_2].a = 1;
	s.row[RECEIVE_2].flags = ROW_ORPHAN;
	assert_int_equal(hold(&s, &was), 0);
	s.row[RECEIVE_2].flags = 0;
	assert_int_equal(hold(&s, &was), 1);
	assert_int_equal(wrong_count(WRONG_NO_ORPHAN), 1);
	s.row[RECEIVE_2].flags = ROW_ORPHAN;
	s.row[SEND_2].a = 2;
	assert_int_equal(hold(&s, &was), 1);
	assert_int_equal(wrong_count(WRONG_COUNT), 1);
}

/* Notes that were made until somebody listened. */
static void
what_was_said_to_nobody_is_counted(void **state)
{
	struct storm was = good(), s;

	(void)state;
	add(&was, "lost", 1, 95000, 3, 3)->c = STORM_NOT_ATTACHED;
	assert_int_equal(hold(&was, &was), 0);
	s = was, s.row[AFTER + 1].a = 2;
	assert_int_equal(hold(&s, &was), 1);
	assert_int_equal(wrong_count(WRONG_COUNT), 1);
	s = was, s.n--;
	assert_int_equal(hold(&s, &was), 1);
	assert_int_equal(wrong_count(WRONG_COUNT), 1);
	s = was, s.row[AFTER + 1].c = 1; /* that is another loss */
	hold(&s, &was);
	assert_int_equal(wrong_count(WRONG_COUNT), 2);
}

static void
a_viewer_is_told_what_is_found(void **state)
{
	struct storm s = good();

	(void)state;
	s.growing = true;
	swap(&s, SEND_2, RECEIVE_2);
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);

	/* it says that it is an orphan, but its cause is not told of */
	s.row[SEND_2].flags = ROW_ORPHAN;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 0);
	assert_int_equal(wrong_count(WRONG_NOT_FOUND), 1);

	/* that may be in what has not come */
	s.cut = true;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_NOT_FOUND), 0);
	s.cut = false;

	add(&s, "found", 0, 95000, s.row[SEND_2].a, 0);
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_NOT_FOUND), 0);
}

/* The effect was let go first, and what is written is in order of time. */
static void
an_orphan_behind_its_cause_is_told_as_found(void **state)
{
	struct storm was = good(), s;

	(void)state;
	was.growing = true;
	was.row[RECEIVE_2].flags = ROW_ORPHAN;
	s = was;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_ORPHAN), 0);
	assert_int_equal(wrong_count(WRONG_NOT_FOUND), 1);
	add(&s, "found", 0, 95000, s.row[RECEIVE_2].a, 0);
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_NOT_FOUND), 0);
	s.growing = false;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_ORPHAN), 1);
}

/* Two enter and one leaves, which is told before the second one's entering. */
static void
a_late_cause_is_held_by_its_time(void **state)
{
	struct storm s = { .growing = true };

	(void)state;
	add(&s, "collective_enter", 1, 10000, 7, 1)->c = 2;
	add(&s, "collective_leave", 1, 30000, 7, 1)->c = 2;
	add(&s, "collective_enter", 2, 20000, 7, 1)->c = 2;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);
	s.row[2].flags = ROW_LATE;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 0);
	s.row[2].t_mon_ns = s.row[1].t_mon_ns;
	hold(&s, &s);
	assert_int_equal(wrong_count(WRONG_BEFORE_CAUSE), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_log_is_good),
		cmocka_unit_test(every_kind_of_wrong_is_seen),
		cmocka_unit_test(times_are_held_against_readings),
		cmocka_unit_test(what_is_told_as_lost_counts),
		cmocka_unit_test(what_was_said_to_nobody_is_counted),
		cmocka_unit_test(a_viewer_is_told_what_is_found),
		cmocka_unit_test(an_orphan_behind_its_cause_is_told_as_found),
		cmocka_unit_test(a_late_cause_is_held_by_its_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
