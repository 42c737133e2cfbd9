/* Every kind of violation is found, and a good stream has none. */
#include "tests/check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rnd.h"
#include "tests/unit/proto_validate.h"

#define EVENTS_MAX 12
/* An event in short: sequence numbers and times are made unless given. */
struct brief {
	uint32_t location;
	uint16_t kind;
	uint64_t a, b;
	uint32_t c;
	uint16_t flags;
	int64_t t_ns;     /* 0: one more than the last */
	int64_t seq_off;  /* added to the right sequence number */
	int64_t node_off; /* added to the right node time */
	uint32_t shift_ns;
};

static void
run(struct validate *v, const struct brief *b, uint64_t *next_seq)
{
	int64_t t = 1000;

	for (int i = 0; i < EVENTS_MAX && b[i].kind != 0; i++) {
		struct event e = { .kind = b[i].kind,
			.a = b[i].a,
			.b = b[i].b,
			.c = b[i].c,
			.location = b[i].location,
			.flags = b[i].flags,
			.shift_ns = b[i].shift_ns };

		t = b[i].t_ns != 0 ? b[i].t_ns : t + 1;
		e.t_mon_ns = t;
		e.t_node_ns = t + b[i].node_off;
		e.seq = next_seq[e.location]++ + (uint64_t)b[i].seq_off;
		assert_int_equal(validate_event(v, &e), 0);
	}
}

/* what is not given is 0 */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
/* clang-format off */
static const struct good {
	const char *what;
	struct brief e[EVENTS_MAX];
	bool growing;
} good[] = {
	{ "nothing", { { 0 } } },
	{ "a message", { { 1, EV_send, 7, 10, 0 }, { 2, EV_receive, 7, 10, 0 } } },
	{ "a message that is never taken", { { 1, EV_send, 7 } } },
	{ "an id that is 0 pairs with nothing", { { 2, EV_receive, 0 } } },
	{ "an orphan that says so", { { 2, EV_receive, 7, .flags = EVENT_ORPHAN } } },
	{ "an end without a begin", { { 1, EV_leave, 5 }, { 1, EV_phase_end, 5 } } },
	{ "a task", { { 1, EV_task_spawn, 7 }, { 2, EV_task_begin, 7 }, { 2, EV_task_end, 7 },
	    { 1, EV_task_join, 7 }, { 3, EV_task_join, 7 } } },
	{ "a task that suspends and goes on elsewhere", { { 1, EV_task_spawn, 7 }, { 2, EV_task_begin, 7 },
	    { 2, EV_task_suspend, 7, 8 }, { 3, EV_task_resume, 7 }, { 3, EV_task_end, 7 } } },
	{ "tasks in tasks", { { 1, EV_task_begin, 7, .flags = EVENT_ORPHAN }, { 1, EV_task_begin, 8, .flags = EVENT_ORPHAN },
	    { 1, EV_task_end, 8 }, { 1, EV_task_end, 7 } } },
	{ "a barrier of two", { { 1, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_enter, 5, 1, 2 },
	    { 1, EV_barrier_leave, 5, 1, 2 }, { 2, EV_barrier_leave, 5, 1, 2 },
	    { 1, EV_barrier_enter, 5, 2, 2 }, { 2, EV_barrier_enter, 5, 2, 2 },
	    { 2, EV_barrier_leave, 5, 2, 2 }, { 1, EV_barrier_leave, 5, 2, 2 } } },
	{ "parties that nobody has counted", { { 1, EV_collective_enter, 5, 1, 0 }, { 1, EV_collective_leave, 5, 1, 0 }, { 2, EV_collective_enter, 5, 1, 0 }, { 3, EV_collective_leave, 6, 1, 0 } } },
	{ "more parties than were said", { { 1, EV_barrier_enter, 5, 1, 1 }, { 1, EV_barrier_leave, 5, 1, 1 }, { 2, EV_barrier_enter, 5, 1, 1 },
	    { 3, EV_barrier_enter, 5, 1, 1, .t_ns = 1400 }, { 2, EV_barrier_leave, 5, 1, 1, .t_ns = 1400 } } },
	{ "a party that comes when the others were let go", { { 1, EV_barrier_enter, 5, 1, 3 }, { 2, EV_barrier_enter, 5, 1, 3 },
	    { 1, EV_barrier_leave, 5, 1, 3, .flags = EVENT_ORPHAN }, { 2, EV_barrier_leave, 5, 1, 3, .flags = EVENT_ORPHAN },
	    { 3, EV_barrier_enter, 5, 1, 3 }, { 3, EV_barrier_leave, 5, 1, 3 } }, true },
	{ "a turn that is used twice", { { 1, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_enter, 5, 1, 2 }, { 1, EV_barrier_leave, 5, 1, 2 },
	    { 1, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_leave, 5, 1, 2 }, { 2, EV_barrier_enter, 5, 1, 2 }, { 1, EV_barrier_leave, 5, 1, 2 } } },
	{ "a turn that is used twice at once", { { 1, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_enter, 5, 1, 2 }, { 3, EV_barrier_enter, 5, 1, 2 }, { 1, EV_barrier_enter, 5, 1, 2 },
	    { 1, EV_barrier_leave, 5, 1, 2 }, { 2, EV_barrier_leave, 5, 1, 2 }, { 3, EV_barrier_leave, 5, 1, 2 }, { 1, EV_barrier_leave, 5, 1, 2 } } },
	{ "let go before any has come", { { 1, EV_barrier_leave, 5, 1, 2, .flags = EVENT_ORPHAN }, { 1, EV_barrier_enter, 5, 1, 2 },
	    { 2, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_leave, 5, 1, 2 }, { 3, EV_barrier_enter, 5, 1, 2 } }, true },
	{ "a block of two", { { 1, EV_block_begin, 9, 2 }, { 1, EV_member_begin, 9, 0 }, { 2, EV_member_begin, 9, 1 },
	    { 2, EV_member_end, 9, 1, 2 }, { 1, EV_member_end, 9, 0, 2 }, { 1, EV_block_end, 9, 0, 2 } } },
	{ "a block id that is used twice", { { 1, EV_block_begin, 9, 2 }, { 2, EV_member_end, 9, 1, 2 }, { 1, EV_member_end, 9, 0, 2 }, { 1, EV_block_end, 9, 0, 2 },
	    { 1, EV_block_begin, 9, 2 }, { 2, EV_member_end, 9, 1, 2 }, { 1, EV_member_end, 9, 0, 2 }, { 1, EV_block_end, 9, 0, 2 } } },
	{ "a lock that changes hands", { { 1, EV_lock_acquire, 5, 0 }, { 1, EV_lock_release, 5, 1 }, { 2, EV_lock_acquire, 5, 1 } } },
	{ "an object that travels", { { 1, EV_object_request, 0, 4 }, { 3, EV_object_create, 70, 4 },
	    { 3, EV_object_depart, 70, 1 }, { 1, EV_object_arrive, 70, 1 },
	    { 1, EV_object_depart, 70, 2 }, { 3, EV_object_arrive, 70, 2 } } },
	{ "a call in its four moments", { { 1, EV_rpc_call, 3 }, { 3, EV_rpc_begin, 3 }, { 3, EV_rpc_end, 3 }, { 1, EV_rpc_return, 3 } } },
	{ "functions left by a long jump", { { 1, EV_enter, 1 }, { 1, EV_enter, 2 }, { 1, EV_leave, 1 } } },
	{ "a loss that adds up", { { 1, EV_lost, 10, 10, LOST_RING_FULL }, { 1, EV_lost, 5, 15, LOST_RING_FULL } } },
	{ "losses of all reasons of a thread add up", { { 1, EV_lost, 7, 7, LOST_NOT_ATTACHED }, { 1, EV_lost, 1, 8, LOST_INVALID }, { 1, EV_lost, 5, 13, LOST_RING_FULL } } },
	{ "times as they were stamped", { { 1, EV_note, .t_ns = 1500 }, { 1, EV_note, .t_ns = 1500, .node_off = -9, .flags = EVENT_SHIFTED, .shift_ns = 9 } } },
	{ "a gap that is told", { { 1, EV_note }, { 1, EV_lost, 4, 4, LOST_GONE, .seq_off = 3 }, { 1, EV_note, .seq_off = 3 } } },
	{ "a beginning that is gone", { { 1, EV_lost, 4, 4, LOST_GONE, .seq_off = 3 }, { 1, EV_note, .seq_off = 3 } } },
	{ "a task cut by a loss", { { 1, EV_task_begin, 7, .flags = EVENT_ORPHAN }, { 1, EV_lost, 3, 3, LOST_RING_FULL }, { 1, EV_task_end, 9 } } },
	{ "a shift that says so", { { 1, EV_send, 7 }, { 3, EV_receive, 7, .flags = EVENT_SHIFTED, .t_ns = 1400, .node_off = -300, .shift_ns = 300 } } },
	{ "two events at one time", { { 1, EV_send, 7, .t_ns = 1400 }, { 2, EV_send, 8, .t_ns = 1400 } } },
	{ "an orphan at the time of what may be its cause", { { 1, EV_send, 7, .t_ns = 1400 }, { 2, EV_receive, 7, .t_ns = 1400, .flags = EVENT_ORPHAN } }, true },
	{ "marked, and its cause comes", { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 1, EV_send, 7 } }, true },
	{ "marked behind its cause", { { 1, EV_send, 7 }, { 2, EV_receive, 7, .flags = EVENT_ORPHAN } }, true },
	{ "what its own thread does later is no cause of it", { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 2, EV_send, 7 } } },
	{ "two orphans of a key, and a cause for neither", { { 1, EV_send, 7 }, { 2, EV_receive, 7 }, { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 3, EV_receive, 7, .flags = EVENT_ORPHAN } } },
	{ "an orphan, and its key again", { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 2, EV_send, 7 }, { 3, EV_receive, 7 } } },
	{ "a stall and what follows", { { 0, EV_stall, 5, 0, 1 }, { 0, EV_stall, 5, 0, 2 }, { 0, EV_rejoin, 5, 0, 1 },
	    { 0, EV_distrust, 5, 0, 1 }, { 0, EV_trust, 5, 0, 1 } } },
	{ "a late event that is told", { { 3, EV_note, .flags = EVENT_LATE }, { 0, EV_late, 1, 9, 2 } } },
	{ "an orphan that is told", { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 0, EV_orphan, 7, 0, EV_receive } } },
	{ "of a time to come, and marked so", { { 1, EV_note, .flags = EVENT_AHEAD, .node_off = 1000000001 } } },
	{ "so and shifted", { { 1, EV_send, 7 }, { 3, EV_receive, 7, .flags = EVENT_SHIFTED | EVENT_AHEAD, .t_ns = 1400, .node_off = 2000000000, .shift_ns = 300 } } },
	{ "the monitor itself", { { 0, EV_stall, 5, 0, 1, .node_off = 12345 } } },
};

static const struct bad {
	const char *what;
	enum violation_kind kind;
	struct brief e[EVENTS_MAX];
} bad[] = {
	{ "a kind that nobody describes", VIOLATION_KIND, { { 1, 99 } } },
	{ "a location that is not defined", VIOLATION_LOCATION, { { 5, EV_note } } },
	{ "a location that begins late", VIOLATION_SEQ, { { 1, EV_note, .seq_off = 1 } } },
	{ "a gap", VIOLATION_SEQ, { { 1, EV_note }, { 2, EV_note }, { 1, EV_note, .seq_off = 3 } } },
	{ "a gap that is told short", VIOLATION_SEQ, { { 1, EV_note }, { 1, EV_lost, 3, 3, LOST_GONE, .seq_off = 3 } } },
	{ "an event twice", VIOLATION_SEQ, { { 1, EV_note }, { 1, EV_note, .seq_off = -1 } } },
	{ "time falls", VIOLATION_TIME, { { 1, EV_note, .t_ns = 1500 }, { 2, EV_note, .t_ns = 1499 } } },
	{ "not where the map puts it", VIOLATION_CLOCK, { { 1, EV_note, .node_off = 5 } } },
	{ "one off", VIOLATION_CLOCK, { { 1, EV_note, .node_off = 1 } } },
	{ "of a time to come, and not marked", VIOLATION_CLOCK, { { 1, EV_note, .node_off = 1000000001 } } },
	{ "marked so, and it is not", VIOLATION_CLOCK, { { 1, EV_note, .flags = EVENT_AHEAD, .node_off = 1000000000 } } },
	{ "before its map", VIOLATION_CLOCK, { { 3, EV_note, .node_off = 5, .flags = EVENT_SHIFTED, .shift_ns = 5 } } },
	{ "shifted more than it says", VIOLATION_CLOCK, { { 1, EV_note, .node_off = -5, .flags = EVENT_SHIFTED, .shift_ns = 3 } } },
	{ "a shift without its flag", VIOLATION_FLAGS, { { 1, EV_note, .node_off = -5, .shift_ns = 5 } } },
	{ "a flag without its shift", VIOLATION_FLAGS, { { 1, EV_note, .flags = EVENT_SHIFTED } } },
	{ "an orphan that is no effect", VIOLATION_FLAGS, { { 1, EV_note, .flags = EVENT_ORPHAN } } },
	{ "a receive before its send", VIOLATION_CAUSE, { { 2, EV_receive, 7 }, { 1, EV_send, 7 } } },
	{ "a receive without a send", VIOLATION_CAUSE, { { 1, EV_send, 8 }, { 2, EV_receive, 7 } } },
	{ "a message taken twice", VIOLATION_CAUSE, { { 1, EV_send, 7 }, { 2, EV_receive, 7 }, { 3, EV_receive, 7 } } },
	{ "an arrival without a departure", VIOLATION_CAUSE, { { 1, EV_object_depart, 70, 1 }, { 3, EV_object_arrive, 70, 2 } } },
	{ "a lock taken before it was given up", VIOLATION_CAUSE, { { 2, EV_lock_acquire, 5, 1 }, { 1, EV_lock_release, 5, 1 } } },
	{ "another lock's turn", VIOLATION_CAUSE, { { 1, EV_lock_release, 6, 1 }, { 2, EV_lock_acquire, 5, 1 } } },
	{ "marked, and its cause behind it", VIOLATION_EARLY, { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 1, EV_send, 7 } } },
	{ "marked at the time of its cause", VIOLATION_EARLY, { { 1, EV_send, 7, .t_ns = 1400 }, { 2, EV_receive, 7, .t_ns = 1400, .flags = EVENT_ORPHAN } } },
	{ "marked behind its cause", VIOLATION_ORPHAN, { { 1, EV_send, 7 }, { 2, EV_receive, 7, .flags = EVENT_ORPHAN } } },
	{ "two of a key, one cause behind them", VIOLATION_EARLY, { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 3, EV_receive, 7, .flags = EVENT_ORPHAN }, { 1, EV_send, 7 } } },
	{ "joins of a task that ends behind them", VIOLATION_EARLY, { { 2, EV_task_join, 7, .flags = EVENT_ORPHAN }, { 3, EV_task_join, 7, .flags = EVENT_ORPHAN }, { 1, EV_task_end, 7 } } },
	{ "let go from a barrier that all have reached then", VIOLATION_EARLY, { { 1, EV_barrier_enter, 5, 1, 2 }, { 1, EV_barrier_leave, 5, 1, 2, .flags = EVENT_ORPHAN }, { 2, EV_barrier_enter, 5, 1, 2 } } },
	{ "a receive at the time of its send", VIOLATION_CAUSE, { { 1, EV_send, 7, .t_ns = 1400 }, { 2, EV_receive, 7, .t_ns = 1400 } } },
	{ "a barrier left when the last enters", VIOLATION_CAUSE, { { 1, EV_barrier_enter, 5, 1, 2 }, { 2, EV_barrier_enter, 5, 1, 2, .t_ns = 1400 }, { 1, EV_barrier_leave, 5, 1, 2, .t_ns = 1400 } } },
	{ "a name that nobody has defined", VIOLATION_NAME, { { 1, EV_note, 7, 0, 77 } } },
	{ "a node that nobody has defined", VIOLATION_NAME, { { 0, EV_stall, 7, 0, 77 } } },
	{ "an orphan of no kind", VIOLATION_NAME, { { 0, EV_orphan, 7, 0, 300 } } },
	{ "a return of one who was there", VIOLATION_MONITOR, { { 0, EV_stall, 5, 0, 1 }, { 0, EV_rejoin, 5, 0, 2 } } },
	{ "a trust without a distrust", VIOLATION_MONITOR, { { 0, EV_trust, 5, 0, 1 } } },
	{ "more late events than there are", VIOLATION_MONITOR, { { 3, EV_note, .flags = EVENT_LATE }, { 0, EV_late, 2, 9, 2 } } },
	{ "more orphans than there are", VIOLATION_MONITOR, { { 2, EV_receive, 7, .flags = EVENT_ORPHAN }, { 0, EV_orphan, 7, 0, EV_task_begin } } },
	{ "a step into no epoch", VIOLATION_MONITOR, { { 0, EV_clock_step, 5, 3, 1 } } },
	{ "a program that speaks for the monitor", VIOLATION_MONITOR, { { 1, EV_stall, 5, 0, 1 } } },
	{ "a join before the end", VIOLATION_CAUSE, { { 1, EV_task_join, 7 } } },
	{ "a task that nobody made", VIOLATION_CAUSE, { { 1, EV_task_begin, 7 } } },
	{ "an object made without being asked to", VIOLATION_CAUSE, { { 1, EV_object_create, 70, 4 } } },
	{ "a barrier left too soon", VIOLATION_ALL, { { 1, EV_barrier_enter, 5, 1, 2 }, { 1, EV_barrier_leave, 5, 1, 2 } } },
	{ "a barrier left at the time of the last to reach it", VIOLATION_CAUSE, { { 1, EV_collective_enter, 5, 1, 2 }, { 2, EV_collective_enter, 5, 1, 2, .t_ns = 1400 }, { 1, EV_collective_leave, 5, 1, 2, .t_ns = 1400 } } },
	{ "a barrier reached after it was left", VIOLATION_ALL, { { 1, EV_collective_enter, 5, 1, 2 }, { 1, EV_collective_leave, 5, 1, 2 }, { 2, EV_collective_enter, 5, 1, 2 }, { 2, EV_collective_leave, 5, 1, 2 } } },
	{ "a block closed too soon", VIOLATION_ALL, { { 1, EV_block_begin, 9, 2 }, { 2, EV_member_begin, 9 }, { 2, EV_member_end, 9, 0, 2 }, { 1, EV_block_end, 9, 0, 2 } } },
	{ "a block id that is used twice, closed too soon then", VIOLATION_ALL, { { 1, EV_member_end, 9, 0, 2 }, { 2, EV_member_end, 9, 1, 2 }, { 1, EV_block_end, 9, 0, 2 },
	    { 1, EV_member_end, 9, 0, 2 }, { 1, EV_block_end, 9, 0, 2 }, { 2, EV_member_end, 9, 1, 2 } } },
	{ "a block id that is used twice, closed at the time of its last member then", VIOLATION_CAUSE, { { 1, EV_member_end, 9, 0, 2 }, { 2, EV_member_end, 9, 1, 2 }, { 1, EV_block_end, 9, 0, 2 },
	    { 1, EV_member_end, 9, 0, 2 }, { 2, EV_member_end, 9, 1, 2, .t_ns = 1400 }, { 1, EV_block_end, 9, 0, 2, .t_ns = 1400 } } },
	{ "a block without members", VIOLATION_CAUSE, { { 1, EV_block_begin, 9, 2 }, { 1, EV_block_end, 9, 0, 2 } } },
	{ "another task ends", VIOLATION_SPAN, { { 1, EV_task_begin, 7, .flags = EVENT_ORPHAN }, { 1, EV_task_end, 8 } } },
	{ "another lock was waited for", VIOLATION_SPAN, { { 1, EV_lock_wait, 5 }, { 1, EV_lock_acquire, 6 } } },
	{ "one that made no sense and does not add up", VIOLATION_LOST, { { 1, EV_lost, 10, 10, LOST_RING_FULL }, { 1, EV_lost, 1, 10, LOST_INVALID } } },
	{ "a loss that does not add up", VIOLATION_LOST, { { 1, EV_lost, 10, 10, LOST_RING_FULL }, { 1, EV_lost, 5, 16, LOST_RING_FULL } } },
};
/* clang-format on */

static void
good_streams_have_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint64_t next_seq[8] = { 0 };
		struct heard h;
		struct validate *v = begin(&h);

		if (good[i].growing)
			validate_growing(v);
		run(v, good[i].e, next_seq);
		validate_end(v);
		if (h.n != 0)
			fail_msg("%s: %s", good[i].what, h.text);
		assert_int_equal(validate_counts(v)->violations, 0);
		validate_free(v);
	}
}

static void
every_violation_is_found(void **state)
{
	unsigned found[VIOLATIONS] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint64_t next_seq[8] = { 0 };
		struct heard h;
		struct validate *v = begin(&h);

		run(v, bad[i].e, next_seq);
		validate_end(v);
		if (h.n != 1 || h.last != bad[i].kind)
			fail_msg("%s: %u violations, the last %s: %s",
			    bad[i].what, h.n, violation_name[h.last], h.text);
		assert_int_equal(validate_counts(v)->by_kind[bad[i].kind], 1);
		assert_true(strlen(h.text) > 20);
		found[bad[i].kind]++;
		validate_free(v);
	}
	for (int k = 0; k < VIOLATION_RECEIPT; k++) /* see clock_maps_go_on */
		assert_true(found[k] > 0 || k == VIOLATION_MAP);
}

static void
counts_are_right(void **state)
{
	static const struct brief e[EVENTS_MAX] = {
		{ 1, EV_send, 7 },
		{ 2, EV_receive, 7 },
		{ 2, EV_receive, 9, .flags = EVENT_ORPHAN | EVENT_LATE },
		{ 1, EV_lost, 10, 10, LOST_RING_FULL },
		{ 0, EV_stall, 1, 0, 1 },
	};
	uint64_t next_seq[8] = { 0 };
	struct msg_receipt good_one = { .published = 13,
		.stored = 3,
		.lost = 10,
		.late = 1,
		.orphans = 1 };
	struct msg_receipt r;
	struct heard h;
	struct validate *v = begin(&h);
	const struct validate_counts *c = validate_counts(v);

	(void)state;
	run(v, e, next_seq);
	assert_int_equal(c->events, 5);
	assert_int_equal(c->stored, 3);
	assert_int_equal(c->lost, 10);
	assert_int_equal(c->late, 1);
	assert_int_equal(c->orphans, 1);
	assert_int_equal(c->effects, 1);
	assert_int_equal(c->locations, 3);
	assert_int_equal(h.n, 0);
	validate_receipt(v, &good_one);
	assert_int_equal(h.n, 0);
	r = good_one;
	r.published++;
	validate_receipt(v, &r);
	assert_int_equal(h.n, 1);
	assert_int_equal(h.last, VIOLATION_RECEIPT);
	r = good_one;
	r.stored++;
	r.lost--;
	validate_receipt(v, &r);
	assert_int_equal(h.n, 3);
	validate_free(v);
}

/* What stands before its cause is told apart from what has none. */
static void
effects_without_their_cause_before_them(void **state)
{
	static const struct brief e[2][EVENTS_MAX] = {
		{
		    { 2, EV_receive, 1, .flags = EVENT_ORPHAN },
		    { 2, EV_receive, 2, .flags = EVENT_ORPHAN },
		    { 3, EV_receive, 2, .flags = EVENT_ORPHAN },
		    { 2, EV_receive, 3 },
		    { 3, EV_task_join, 4, .flags = EVENT_ORPHAN },
		    { 2, EV_task_join, 4 },
		    { 1, EV_send, 2 },
		    { 1, EV_send, 5 },
		    { 2, EV_receive, 5, .flags = EVENT_ORPHAN },
		},
		{
		    { 1, EV_task_end, 4 },
		    { 1, EV_send, 6 },
		    { 2, EV_receive, 6 },
		    { 0, EV_found, 4, 1, EV_task_end },
		},
	};
	uint64_t next_seq[8] = { 0 };
	struct heard h;
	struct validate *v = begin(&h);
	const struct validate_counts *c = validate_counts(v);

	(void)state;
	run(v, e[0], next_seq);
	assert_int_equal(c->early, 1);
	assert_int_equal(c->marked, 1);
	assert_int_equal(c->without, 5);
	assert_int_equal(c->unmarked, 2);
	run(v, e[1], next_seq);
	assert_int_equal(c->early, 3);
	assert_int_equal(c->without, 3);
	assert_int_equal(c->unmarked, 1);
	assert_int_equal(c->effects, 1);
	assert_int_equal(c->found, 1);
	validate_free(v);
}

static void
from_the_middle_much_is_unknown(void **state)
{
	static const struct brief e[EVENTS_MAX] = {
		{ 1, EV_note, .seq_off = 5 },
		{ 2, EV_receive, 7 },
		{ 2, EV_barrier_leave, 7, 1, 4 },
		{ 1, EV_lost, 1, 100, LOST_RING_FULL, .seq_off = 5 },
		{ 1, EV_lost, 1, 101, LOST_RING_FULL, .seq_off = 5 },
	};
	uint64_t next_seq[8] = { 0 };
	struct heard h;
	struct validate *v = begin(&h);

	(void)state;
	validate_from_the_middle(v);
	run(v, e, next_seq);
	assert_int_equal(h.n, 0);
	assert_int_equal(validate_counts(v)->unverified, 2);
	validate_free(v);
}

static struct event
next_event(uint64_t n, uint16_t kind, uint64_t a)
{
	return ((struct event){ .t_mon_ns = (int64_t)n,
	    .t_node_ns = (int64_t)n,
	    .seq = n,
	    .location = 1,
	    .kind = kind,
	    .a = a });
}

/*
 * Three million tasks end, each joined late: the memory of ends is bounded,
 * and what it no longer knows is counted, not called wrong.
 */
static void
memory_is_bounded_and_honest(void **state)
{
	const uint64_t tasks = 6 * VALIDATE_KEYS_MAX, recent = 1000;
	struct heard h;
	struct validate *v = begin(&h);
	uint64_t n = 0;

	(void)state;
	for (uint64_t i = 1; i <= tasks; i++) {
		struct event e = next_event(n++, EV_task_end, i);

		assert_int_equal(validate_event(v, &e), 0);
		/* messages that are taken leave nothing behind */
		e = next_event(n++, EV_send, i);
		assert_int_equal(validate_event(v, &e), 0);
		e = next_event(n++, EV_receive, i);
		assert_int_equal(validate_event(v, &e), 0);
	}
	assert_int_equal(validate_counts(v)->effects, tasks);
	for (uint64_t i = tasks - recent; i <= tasks; i++) {
		struct event e = next_event(n++, EV_task_join, i);

		assert_int_equal(validate_event(v, &e), 0);
	}
	assert_int_equal(validate_counts(v)->effects, tasks + recent + 1);
	for (uint64_t i = 1; i <= recent; i++) {
		struct event e = next_event(n++, EV_task_join, i);

		assert_int_equal(validate_event(v, &e), 0);
	}
	assert_int_equal(validate_counts(v)->unverified, recent);
	assert_int_equal(h.n, 0);
	validate_free(v);
}

/* The hash of causes against a plain list. */
static void
many_open_messages_are_all_known(void **state)
{
	enum {
		N = 5000
	};
	struct heard h;
	struct validate *v = begin(&h);
	static bool open[N];
	uint64_t n = 0, x = 9, effects = 0;

	(void)state;
	memset(open, 0, sizeof(open));
	for (int round = 0; round < 300000; round++) {
		struct event e;
		uint64_t id;

		id = xorshift(&x) % N;
		e = next_event(n++, open[id] ? EV_receive : EV_send,
		    (id + 1) << 20);
		effects += open[id];
		open[id] = !open[id];
		assert_int_equal(validate_event(v, &e), 0);
	}
	assert_int_equal(validate_counts(v)->effects, effects);
	assert_int_equal(h.n, 0);
	for (uint64_t id = 0; id < N; id++) {
		struct event e = next_event(n++, EV_receive, (id + 1) << 20);
		unsigned before = h.n;

		assert_int_equal(validate_event(v, &e), 0);
		assert_int_equal(h.n, before + !open[id]);
	}
	validate_free(v);
}

static void
deep_recursion_is_no_problem(void **state)
{
	struct heard h;
	struct validate *v = begin(&h);
	uint64_t n = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		struct event e = next_event(n++, EV_phase_begin, 0);

		assert_int_equal(validate_event(v, &e), 0);
	}
	for (int i = 0; i < 200001; i++) {
		struct event e = next_event(n++, EV_phase_end, 3);

		assert_int_equal(validate_event(v, &e), 0);
	}
	assert_int_equal(h.n, 0);
	validate_free(v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_streams_have_none),
		cmocka_unit_test(every_violation_is_found),
		cmocka_unit_test(counts_are_right),
		cmocka_unit_test(effects_without_their_cause_before_them),
		cmocka_unit_test(from_the_middle_much_is_unknown),
		cmocka_unit_test(memory_is_bounded_and_honest),
		cmocka_unit_test(many_open_messages_are_all_known),
		cmocka_unit_test(deep_recursion_is_no_problem),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
