/*
 * A whole collector core against a scripted monitord: nothing lost, nothing
 * twice, through lost connections, full disks and deaths.
 */
#include "tests/unit/collector_monitor.h"

#include <errno.h>

static struct fixture *env_of_test; /* for what has no argument */

static void
events_reach_monitord_after_their_definitions(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	all_start(fx);
	publish(fx, 1000);
	WAIT_FOR(fx->env, mon->notes == 1000);
	assert_false(mon->undefined);
	assert_int_equal(mon->missing, 0);
	assert_int_equal(mon->repeated, 0);
	/* silence is told too */
	WAIT_FOR(fx->env,
	    mon->watermark_ns > fx->env->ops->now_ns(fx->env) - 60 * ENV_MS);
	WAIT_FOR(fx->env, mon->ponged);
	assert_int_equal(mon->pong.seq, 9);
	assert_int_equal(mon->pong.t1_mon_ns, 77);
	assert_true(mon->pong.t3_node_ns >= mon->pong.t2_node_ns);
	assert_int_equal(collector_core_node(fx->core), 3);
}

static void
what_was_published_before_monitord_is_not_lost(void **state)
{
	struct fixture *fx = *state;

	core_start(fx);
	program_start(fx);
	publish(fx, 5000);
	mon_start(fx);
	publish(fx, 500);
	WAIT_FOR(fx->env, fx->mon.notes == 5500);
	assert_int_equal(fx->mon.missing, 0);
	assert_false(fx->mon.undefined);
}

static void
unacknowledged_batches_are_repeated(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	mon->acks = false;
	all_start(fx);
	for (int i = 0; i < 5; i++) {
		publish(fx, 300);
		WAIT_FOR(fx->env, mon->notes == fx->published);
		mon_stop(fx);
		publish(fx, 50);
		mon_start(fx);
		WAIT_FOR(fx->env, mon->notes == fx->published);
		assert_int_equal(mon->accounts, 0);
	}
	assert_true(mon->sessions > 5);
	assert_true(mon->repeated > 0);
	assert_int_equal(mon->missing, 0);
	assert_false(mon->undefined);
}

/* The process dies; its successor has nothing but the spool and the rings. */
static void
a_successor_goes_on_where_the_spool_and_the_rings_are(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	all_start(fx);
	for (int i = 0; i < 10; i++) {
		mon->acks = i % 2 == 0;
		publish(fx, 200);
		collector_core_free(fx->core);
		mon_stop(fx);
		publish(fx, i); /* while nobody is there */
		mon_start(fx);
		core_start(fx);
		program_adopt(fx);
		WAIT_FOR(fx->env, mon->notes == fx->published);
	}
	assert_int_equal(mon->missing, 0);
	assert_false(mon->undefined);
	atomic_store(&fx->ring->state, RING_CLOSED);
	collector_core_detach(fx->core, fx->program.dp);
	WAIT_FOR(fx->env, mon->accounts == 2);
	/* po_begin and po_end, each once */
	assert_int_equal(mon->account_published, fx->published + 2);
	assert_int_equal(mon->next_seq[1], 2);
}

static void
what_nobody_has_any_more_is_unknown(void **state)
{
	struct fixture *fx = *state;

	all_start(fx);
	publish(fx, 200);
	WAIT_FOR(fx->env, fx->mon.notes == 200);
	collector_core_free(fx->core);
	mon_stop(fx);
	mon_start(fx);
	core_start(fx);
	collector_core_adopted(fx->core);
	WAIT_FOR(fx->env, fx->mon.accounts == 2);
	assert_true(
	    ident_stream(collector_core_ident(fx->core), 1, 1)->unknown);
}

/* Its process lives, so it is not given up; then its memory can be had. */
static void
a_missing_po_is_unknown_until_it_is_found(void **state)
{
	struct fixture *fx = *state;
	struct msg_finish m = { .stop = 0 };
	struct ident *id;

	all_start(fx);
	publish(fx, 200);
	WAIT_FOR(fx->env, fx->mon.notes == 200);
	collector_core_free(fx->core);
	mon_stop(fx);
	publish(fx, 50);
	mon_start(fx);
	core_start(fx);
	id = collector_core_ident(fx->core);
	fx->hope = true;
	collector_core_adopted(fx->core);
	assert_false(ident_po(id, 1)->ended);
	assert_true(ident_stream(id, 1, 1)->unknown);
	WAIT_FOR(fx->env, fx->mon.welcomed);
	peer_send(fx->mon.data, MSG_finish, &m);
	WAIT_FOR(fx->env, fx->mon.finished);
	assert_int_equal(fx->mon.unknown, 1);
	mon_stop(fx);
	mon_start(fx);
	fx->find = true;
	WAIT_FOR(fx->env, fx->mon.notes == 250);
	assert_true(fx->asked >= 2);
	peer_send(fx->mon.data, MSG_finish, &m);
	WAIT_FOR(fx->env, fx->mon.finished);
	assert_int_equal(fx->mon.unknown, 0);
	assert_int_equal(fx->mon.account_published, fx->published + 1);
}

static struct env_file *
open_noting_the_journal(struct env *env, const char *path, int how)
{
	struct fixture *fx = env_of_test;
	struct env_file *f = fx->whole->open(env, path, how);

	if (strstr(path, "/journal") != NULL)
		fx->journal = f;
	return (f);
}

static ssize_t
write_and_then_no_journal(struct env_file *f, const void *p, size_t n,
    uint64_t offset)
{
	struct fixture *fx = env_of_test;

	if (f == fx->journal && fx->in_order && fx->spooled) {
		errno = ENOSPC;
		return (-1);
	}
	fx->spooled |= f != fx->journal;
	return (fx->whole->write_at(f, p, n, offset));
}

/*
 * Each dies with a batch in the spool and before it has noted the counts after
 * it: what is in the second last batch must be in the journal by then.
 */
static void
two_deaths_in_a_row_forget_no_loss(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	int64_t now_ns;

	env_of_test = fx;
	fx->broken = *fx->whole;
	fx->broken.open = open_noting_the_journal;
	fx->broken.write_at = write_and_then_no_journal;
	fx->env->ops = &fx->broken;
	core_start(fx);
	program_start(fx);
	publish(fx, 1);
	WAIT_FOR(fx->env, atomic_load(&fx->ring->tail) == fx->published);
	now_ns = fx->env->ops->now_ns(fx->env);
	for (uint64_t i = 1; i <= 6; i++) {
		fx->in_order = true;
		fx->spooled = false;
		assert_true(program_publish(&fx->program, fx->ring, now_ns,
		    EV_lost, 10 * i, LOST_RING_FULL));
		atomic_fetch_add(&fx->ring->lost_total, 10 * i);
		fx->published++;
		WAIT_FOR(fx->env,
		    atomic_load(&fx->ring->tail) == fx->published);
		collector_core_free(fx->core);
		fx->in_order = false;
		core_start(fx);
		program_adopt(fx);
	}
	mon_start(fx);
	WAIT_FOR(fx->env, mon->next_seq[2] == fx->published);
	assert_int_equal(mon->told_lost, 210);
	atomic_store(&fx->ring->state, RING_CLOSED);
	collector_core_detach(fx->core, fx->program.dp);
	WAIT_FOR(fx->env, mon->accounts == 2);
	assert_int_equal(mon->told_lost, 210);
	assert_int_equal(mon->account_lost, 210);
	fx->env->ops = fx->whole;
}

static unsigned refused_writes;

static ssize_t
no_space(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	(void)f;
	(void)p;
	(void)n;
	(void)offset;
	refused_writes++;
	errno = ENOSPC;
	return (-1);
}

static void
a_full_disk_leaves_events_in_the_rings(void **state)
{
	struct fixture *fx = *state;
	uint64_t before;

	all_start(fx);
	publish(fx, 50);
	WAIT_FOR(fx->env, fx->mon.notes == 50);
	fx->broken = *fx->whole;
	fx->broken.write_at = no_space;
	fx->env->ops = &fx->broken;
	before = atomic_load(&fx->ring->tail);
	while (program_publish(&fx->program, fx->ring,
	    fx->env->ops->now_ns(fx->env), EV_note, 0, 0))
		fx->published++;
	refused_writes = 0;
	WAIT_FOR(fx->env, refused_writes >= 1);
	assert_int_equal(atomic_load(&fx->ring->tail), before);
	fx->env->ops = fx->whole;
	WAIT_FOR(fx->env, fx->mon.notes == fx->published);
	assert_int_equal(fx->mon.missing, 0);
}

/* Or monitord would believe that there is nobody. */
static void
who_has_no_room_from_the_start_says_so(void **state)
{
	struct fixture *fx = *state;

	fx->mon.watermark_ns = 0;
	mon_start(fx);
	core_start(fx);
	program_start(fx);
	fx->broken = *fx->whole;
	fx->broken.write_at = no_space;
	fx->env->ops = &fx->broken;
	publish(fx, 50);
	/* a heartbeat, which vouches for nothing yet */
	WAIT_FOR(fx->env, fx->mon.watermark_ns == INT64_MIN);
	fx->env->ops = fx->whole;
	WAIT_FOR(fx->env, fx->mon.notes == fx->published);
	WAIT_FOR(fx->env, fx->mon.watermark_ns > 0);
}

/* Whoever acknowledges the next batch would have it forgotten when it comes. */
static void
an_acknowledgement_of_what_was_never_sent_is_none(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	struct msg_ack ack;
	uint64_t sessions;

	mon->acks = false;
	all_start(fx);
	publish(fx, 50);
	WAIT_FOR(fx->env, mon->notes == 50);
	sessions = mon->sessions;
	ack.number = mon->last_batch + 1;
	peer_send(mon->data, MSG_ack, &ack);
	WAIT_FOR(fx->env, mon->sessions > sessions && mon->welcomed);
	publish(fx, 50);
	WAIT_FOR(fx->env, mon->notes == 100);
	assert_int_equal(mon->missing, 0);
	assert_int_equal(mon->repeated > 0, true);
}

static ssize_t
write_noting_the_second(struct env_file *f, const void *p, size_t n,
    uint64_t offset)
{
	struct fixture *fx = env_of_test;

	if (f != fx->journal && offset > 0 && fx->bad_offset == 0)
		fx->bad_offset = offset;
	return (fx->whole->write_at(f, p, n, offset));
}

static ssize_t
read_but_for_the_second(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	struct fixture *fx = env_of_test;

	if (f == fx->journal || offset != fx->bad_offset)
		return (fx->whole->read_at(f, p, n, offset));
	fx->bad_reads++;
	errno = EIO;
	return (-1);
}

/* One bad place on the disk does not keep back what stands behind it. */
static void
a_batch_that_cannot_be_read_is_given_up(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	env_of_test = fx;
	fx->broken = *fx->whole;
	fx->broken.open = open_noting_the_journal;
	fx->broken.write_at = write_noting_the_second;
	fx->broken.read_at = read_but_for_the_second;
	fx->env->ops = &fx->broken;
	mon->acks = false;
	core_start(fx);
	program_start(fx);
	for (int i = 0; i < 5; i++) {
		publish(fx, 20);
		WAIT_FOR(fx->env,
		    atomic_load(&fx->ring->tail) == fx->published);
	}
	assert_true(fx->bad_offset > 0);
	mon_start(fx);
	WAIT_FOR(fx->env, mon->missing > 0 && mon->notes >= 60);
	publish(fx, 20);
	WAIT_FOR(fx->env, mon->notes + mon->missing == fx->published);
	assert_true(fx->bad_reads >= 16); /* it was not given up lightly */
	assert_false(mon->undue);
	fx->env->ops = fx->whole;
}

static size_t most_queued;

static int
send_noting_what_waits(struct env_conn *c, const void *p, size_t n)
{
	struct fixture *fx = env_of_test;
	int rc = fx->whole->send(c, p, n);

	if (fx->whole->queued(c) > most_queued)
		most_queued = fx->whole->queued(c);
	return (rc);
}

/* A session begins with them; nobody has room for all at once. */
static void
definitions_are_sent_as_they_are_taken(void **state)
{
	const uint32_t n = 60000;
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;
	struct msg_name m = { .po = 1,
		.text = BYTES_STR("one of very many names, and a long one"),
		.file = BYTES_STR("somewhere.c") };
	struct ident *id;

	env_of_test = fx;
	fx->broken = *fx->whole;
	fx->broken.send = send_noting_what_waits;
	fx->env->ops = &fx->broken;
	most_queued = 0;
	mon->acks = false;
	core_start(fx);
	program_start(fx);
	id = collector_core_ident(fx->core);
	for (m.name = 1; m.name <= n; m.name++)
		assert_int_equal(ident_name_new(id, ident_po(id, 1), &m), 0);
	assert_true(ident_po(id, 1)->defs.n > 4 << 20);
	publish(fx, 20);
	for (int i = 0; i < 2; i++) {
		mon_start(fx);
		WAIT_FOR(fx->env, mon->welcomed && mon->notes == 20);
		assert_true(mon->names > n);
		assert_false(mon->undefined);
		assert_false(mon->undue);
		assert_in_range(most_queued, 1 << 20, 2 << 20);
		mon_stop(fx);
		mon->notes = 0;
		memset(mon->next_seq, 0, sizeof(mon->next_seq));
	}
	fx->env->ops = fx->whole;
}

static void
a_refusal_is_tried_again(void **state)
{
	struct fixture *fx = *state;

	fx->mon.refuses = true;
	mon_start(fx);
	core_start(fx);
	for (int i = 0; i < 20; i++)
		event_base_loop(env_event_base(fx->env), EVLOOP_ONCE);
	fx->mon.refuses = false;
	WAIT_FOR(fx->env, fx->mon.welcomed);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_reach_monitord_after_their_definitions),
		TEST(what_was_published_before_monitord_is_not_lost),
		TEST(unacknowledged_batches_are_repeated),
		TEST(a_successor_goes_on_where_the_spool_and_the_rings_are),
		TEST(what_nobody_has_any_more_is_unknown),
		TEST(a_missing_po_is_unknown_until_it_is_found),
		TEST(two_deaths_in_a_row_forget_no_loss),
		TEST(a_full_disk_leaves_events_in_the_rings),
		TEST(who_has_no_room_from_the_start_says_so),
		TEST(an_acknowledgement_of_what_was_never_sent_is_none),
		TEST(a_batch_that_cannot_be_read_is_given_up),
		TEST(definitions_are_sent_as_they_are_taken),
		TEST(a_refusal_is_tried_again),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
