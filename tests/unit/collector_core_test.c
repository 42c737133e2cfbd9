/*
 * A whole collector core against a scripted monitord: nothing lost, nothing
 * twice, through lost connections, full disks and deaths.
 */
#include "tests/unit/collector_fixture.h"

#include <errno.h>
#include <sysexits.h>

#include "batch.h"
#include "peer.h"

struct monitor;

/* A connection: which of the two it is, its hello says. */
struct link {
	struct monitor *mon;
	struct peer *peer;
};

struct monitor {
	struct env *env;
	struct link links[64];
	unsigned nlinks;
	struct env_listener *listener;
	struct peer *data, *clock;
	struct uuid run;
	bool acks;    /* acknowledges every batch */
	bool refuses; /* every hello */
	bool welcomed, finished;
	uint64_t last_batch, sessions;
	unsigned pos, threads; /* definitions of this session */
	bool undefined;        /* events of a stream that was not defined */
	bool defined[64];
	uint64_t next_seq[64], repeated, missing, notes;
	int64_t watermark_ns;
	uint64_t account_published, account_lost;
	uint64_t told_lost; /* by events */
	unsigned accounts, unknown;
	struct msg_pong pong;
	bool ponged;
};

struct fixture {
	struct env *env;
	struct env_ops broken; /* of a disk that is full */
	const struct env_ops *whole;
	struct env_file *journal;
	bool in_order; /* the journal is full once a batch is in the spool */
	bool spooled;
	bool hope, find; /* what missing() says, and does */
	unsigned asked;
	char dir[64], spool[96], address[96];
	struct monitor mon;
	struct collector_core *core;
	struct program program;
	struct ring *ring;
	uint64_t published;
	bool stopped;
};

static int
mon_definition(void *arg, const struct frame *f)
{
	struct monitor *mon = arg;
	struct msg_thread m;

	mon->pos += f->type == MSG_po;
	if (f->type == MSG_thread &&
	    msg_decode(MSG_thread, f->body, f->body_bytes, &m) == 0) {
		mon->threads++;
		if (m.location < 64)
			mon->defined[m.location] = true;
	}
	return (0);
}

/* As the real one: what is there is dropped. */
static int
mon_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct monitor *mon = arg;

	assert_true(stream < 64);
	if (!mon->defined[stream])
		mon->undefined = true;
	if (first_seq > mon->next_seq[stream])
		mon->missing += first_seq - mon->next_seq[stream];
	for (size_t i = 0; i < n; i++) {
		if (first_seq + i < mon->next_seq[stream]) {
			mon->repeated++;
			continue;
		}
		mon->next_seq[stream] = first_seq + i + 1;
		mon->notes += e[i].kind == EV_note;
		if (e[i].kind == EV_lost)
			mon->told_lost += e[i].a;
	}
	return (0);
}

static int
mon_hello(struct link *l, const struct msg_hello *m)
{
	struct monitor *mon = l->mon;
	struct msg_welcome w = { .version = PROTO_VERSION,
		.run = mon->run,
		.run_name = BYTES_STR("test"),
		.node = 3,
		.next_po = 1 };
	struct msg_refuse r = { .code = EX_UNAVAILABLE,
		.reason = BYTES_STR("no") };

	if (mon->refuses)
		return (peer_send(l->peer, MSG_refuse, &r));
	if (m->role == ROLE_CLOCK) {
		struct msg_ping ping = { .seq = 9, .t1_mon_ns = 77 };

		mon->clock = l->peer;
		peer_send(mon->clock, MSG_welcome, &w);
		return (peer_send(mon->clock, MSG_ping, &ping));
	}
	mon->data = l->peer;
	mon->sessions++;
	mon->welcomed = true;
	mon->pos = mon->threads = mon->accounts = mon->unknown = 0;
	mon->finished = false;
	mon->account_published = mon->account_lost = 0;
	memset(mon->defined, 0, sizeof(mon->defined));
	return (peer_send(mon->data, MSG_welcome, &w));
}

static int
mon_batch(struct monitor *mon, const struct msg_batch *m)
{
	static const struct batch_sink sink = { mon_definition, mon_events };
	struct msg_ack ack = { .number = m->number };

	assert_int_equal(batch_decode(m->streams, &sink, mon), 0);
	mon->last_batch = m->number;
	return (mon->acks ? peer_send(mon->data, MSG_ack, &ack) : 0);
}

static int
mon_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct link *l = arg;
	struct monitor *mon = l->mon;
	const struct msg_account *account = msg;

	(void)at_ns;
	switch (type) {
	case MSG_hello:
		return (mon_hello(l, msg));
	case MSG_batch:
		return (mon_batch(mon, msg));
	case MSG_heartbeat:
		mon->watermark_ns =
		    ((const struct msg_heartbeat *)msg)->watermark_node_ns;
		break;
	case MSG_account:
		mon->accounts++;
		mon->unknown += account->known == 0;
		mon->account_published += account->published;
		mon->account_lost += account->lost;
		break;
	case MSG_finished:
		mon->finished = true;
		break;
	case MSG_pong:
		mon->pong = *(const struct msg_pong *)msg;
		mon->ponged = true;
		break;
	default:
		return (mon_definition(mon, f));
	}
	return (0);
}

static void
mon_closed(void *arg, const char *why)
{
	struct link *l = arg;

	(void)why;
	if (l->mon->data == l->peer)
		l->mon->data = NULL;
	if (l->mon->clock == l->peer)
		l->mon->clock = NULL;
	l->peer = NULL;
}

static const struct peer_ops mon_ops = {
	.message = mon_message,
	.closed = mon_closed,
};

static void
mon_accepted(void *arg, struct env_conn *conn)
{
	struct monitor *mon = arg;
	struct link *l = &mon->links[mon->nlinks++ % 64];

	l->mon = mon;
	l->peer = peer_new(mon->env, conn, "collector", &mon_ops, l);
}

static void
mon_start(struct fixture *fx)
{
	fx->mon.env = fx->env;
	fx->mon.listener =
	    fx->env->ops->listen(fx->env, fx->address, mon_accepted, &fx->mon);
	assert_non_null(fx->mon.listener);
}

static struct fixture *env_of_test; /* for what has no argument */

/* Everything of monitord is gone at once. */
static void
mon_stop(struct fixture *fx)
{
	for (int i = 0; i < 64; i++) {
		peer_close(fx->mon.links[i].peer, false);
		fx->mon.links[i].peer = NULL;
	}
	fx->mon.data = fx->mon.clock = NULL;
	fx->mon.welcomed = false;
	if (fx->mon.listener != NULL)
		fx->env->ops->listener_free(fx->mon.listener);
	fx->mon.listener = NULL;
}

static void
stopped(void *arg)
{
	((struct fixture *)arg)->stopped = true;
}

static bool
missing(void *arg, const struct po *po)
{
	struct fixture *fx = arg;
	struct msg_po m = { .po = po->number, .pid = po->pid };

	fx->asked++;
	if (fx->find)
		assert_non_null(fx->program.dp = collector_core_adopt(fx->core,
				    &m, &fx->program.source));
	return (fx->hope);
}

static const struct collector_ops core_ops = {
	.stopped = stopped,
	.missing = missing,
};

static void
core_start(struct fixture *fx)
{
	struct collector_options opt = {
		.name = "n1",
		.monitord = fx->address,
		.spool_dir = fx->spool,
		.mask = COLLECTOR_MASK_ALL,
	};

	fx->stopped = false;
	fx->core = collector_core_new(fx->env, &opt, &core_ops, fx);
	assert_non_null(fx->core);
}

static struct msg_po
definition(const struct fixture *fx)
{
	return ((struct msg_po){
	    .po = fx->program.po,
	    .pid = 42,
	    .program = BYTES_STR("app"),
	    .command = BYTES_STR("./app"),
	});
}

static void
program_start(struct fixture *fx)
{
	struct msg_po m;

	program_init(&fx->program, 4);
	fx->program.po = collector_core_next_po(fx->core);
	m = definition(fx);
	fx->program.dp =
	    collector_core_attach(fx->core, &m, &fx->program.source);
	assert_non_null(fx->program.dp);
	fx->ring = program_thread(&fx->program, 0, 1);
}

/* Publishes n events, letting the collector work when the ring is full. */
static void
publish(struct fixture *fx, uint64_t n)
{
	int64_t now_ns = fx->env->ops->now_ns(fx->env);

	for (uint64_t i = 0; i < n; i++) {
		WAIT_FOR(fx->env, program_publish(&fx->program, fx->ring,
				      now_ns, EV_note, fx->published, 0));
		fx->published++;
	}
}

static int
set_up(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	log_init("test", -1);
	dir_make(fx->dir, sizeof(fx->dir));
	snprintf(fx->spool, sizeof(fx->spool), "%s/spool", fx->dir);
	snprintf(fx->address, sizeof(fx->address), "unix:%s/sock", fx->dir);
	fx->env = env_event_new(NULL);
	fx->whole = fx->env->ops;
	fx->mon.acks = true;
	fx->mon.run.b[0] = 1;
	*state = fx;
	return (0);
}

static int
tear_down(void **state)
{
	struct fixture *fx = *state;

	collector_core_free(fx->core);
	mon_stop(fx);
	dir_remove(fx->spool);
	dir_remove(fx->dir);
	env_event_free(fx->env);
	free(fx->program.seg);
	free(fx);
	return (0);
}

static void
events_reach_monitord_after_their_definitions(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	mon_start(fx);
	core_start(fx);
	program_start(fx);
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
	mon_start(fx);
	core_start(fx);
	program_start(fx);
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
	struct msg_po m;

	mon_start(fx);
	core_start(fx);
	program_start(fx);
	for (int i = 0; i < 10; i++) {
		mon->acks = i % 2 == 0;
		publish(fx, 200);
		collector_core_free(fx->core);
		mon_stop(fx);
		publish(fx, i); /* while nobody is there */
		mon_start(fx);
		core_start(fx);
		m = definition(fx);
		fx->program.dp =
		    collector_core_adopt(fx->core, &m, &fx->program.source);
		assert_non_null(fx->program.dp);
		collector_core_adopted(fx->core);
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

	mon_start(fx);
	core_start(fx);
	program_start(fx);
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

	mon_start(fx);
	core_start(fx);
	program_start(fx);
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
	int64_t now_ns = fx->env->ops->now_ns(fx->env);
	struct msg_po m;

	env_of_test = fx;
	fx->broken = *fx->whole;
	fx->broken.open = open_noting_the_journal;
	fx->broken.write_at = write_and_then_no_journal;
	fx->env->ops = &fx->broken;
	core_start(fx);
	program_start(fx);
	publish(fx, 1);
	WAIT_FOR(fx->env, atomic_load(&fx->ring->tail) == fx->published);
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
		m = definition(fx);
		fx->program.dp =
		    collector_core_adopt(fx->core, &m, &fx->program.source);
		assert_non_null(fx->program.dp);
		collector_core_adopted(fx->core);
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

static void
mon_finish(struct fixture *fx, enum finish_step step)
{
	struct msg_finish m = { .stop = (uint8_t)step };

	peer_send(fx->mon.data, MSG_finish, &m);
}

static void
finish_tells_all_accounts_and_stops(void **state)
{
	struct fixture *fx = *state;

	mon_start(fx);
	core_start(fx);
	program_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, fx->mon.welcomed);
	mon_finish(fx, FINISH_STOP);
	WAIT_FOR(fx->env, fx->mon.finished);
	mon_finish(fx, FINISH_GO);
	WAIT_FOR(fx->env, fx->stopped);
	assert_int_equal(fx->mon.notes, 100);
	assert_int_equal(fx->mon.accounts, 2);
	assert_int_equal(fx->mon.account_published, 102);
	assert_int_equal(atomic_load(&fx->program.seg->mask), 0);
	assert_true(fx->program.released);
}

/*
 * Its farewell may be lost with the connection, whether it was sent already
 * or not: it comes back and says it again.
 */
static void
who_leaves_stays_until_it_is_let_go(void **state)
{
	struct fixture *fx = *state;
	struct monitor *mon = &fx->mon;

	mon_start(fx);
	core_start(fx);
	program_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, mon->notes == 100);
	for (int i = 0; i < 3; i++) {
		mon_finish(fx, FINISH_TELL);
		WAIT_FOR(fx->env, mon->finished);
		mon->finished = false;
		mon_finish(fx, FINISH_STOP);
		if (i == 0)
			WAIT_FOR(fx->env, fx->program.released);
		else
			WAIT_FOR(fx->env, mon->finished);
		mon_stop(fx);
		mon_start(fx);
		WAIT_FOR(fx->env, mon->welcomed);
		assert_false(fx->stopped);
	}
	mon_finish(fx, FINISH_TELL);
	WAIT_FOR(fx->env, mon->finished);
	assert_int_equal(mon->accounts, 2);
	assert_int_equal(mon->account_published, 102);
	assert_int_equal(mon->missing, 0);
	mon_finish(fx, FINISH_GO);
	WAIT_FOR(fx->env, fx->stopped);
}

/* The run is over without it, or monitord is gone: it does not stay. */
static void
who_leaves_does_not_stay_for_nobody(void **state)
{
	struct fixture *fx = *state;

	for (int i = 0; i < 2; i++) {
		mon_start(fx);
		core_start(fx);
		WAIT_FOR(fx->env, fx->mon.welcomed);
		mon_finish(fx, FINISH_STOP);
		WAIT_FOR(fx->env, fx->mon.finished);
		mon_stop(fx);
		fx->mon.refuses = i == 0;
		if (i == 0)
			mon_start(fx);
		WAIT_FOR(fx->env, fx->stopped);
		collector_core_free(fx->core);
		fx->core = NULL;
		mon_stop(fx);
		fx->mon.refuses = false;
	}
}

static void
a_run_after_the_run_counts_from_its_own_beginning(void **state)
{
	struct fixture *fx = *state;
	struct msg_finish m = { .stop = 0 };

	mon_start(fx);
	core_start(fx);
	program_start(fx);
	publish(fx, 100);
	WAIT_FOR(fx->env, fx->mon.notes == 100);
	peer_send(fx->mon.data, MSG_finish, &m);
	WAIT_FOR(fx->env, fx->mon.finished);
	assert_int_equal(fx->mon.account_published, 101);
	assert_int_equal(atomic_load(&fx->program.seg->mask), 0);
	mon_stop(fx);
	fx->mon.run.b[0] = 2;
	mon_start(fx);
	WAIT_FOR(fx->env, fx->mon.welcomed);
	WAIT_FOR(fx->env,
	    atomic_load(&fx->program.seg->mask) == COLLECTOR_MASK_ALL);
	publish(fx, 20);
	WAIT_FOR(fx->env, fx->mon.notes == 120);
	peer_send(fx->mon.data, MSG_finish, &m);
	WAIT_FOR(fx->env, fx->mon.finished);
	assert_int_equal(fx->mon.account_published, 20);
}

static void
without_monitord_stop_leaves_the_spool_for_later(void **state)
{
	struct fixture *fx = *state;

	core_start(fx);
	program_start(fx);
	publish(fx, 700);
	collector_core_stop(fx->core);
	WAIT_FOR(fx->env, fx->stopped);
	collector_core_free(fx->core);
	mon_start(fx);
	core_start(fx);
	collector_core_adopted(fx->core);
	WAIT_FOR(fx->env, fx->mon.notes == 700 && fx->mon.accounts == 2);
	assert_int_equal(fx->mon.account_published, 702);
	assert_false(fx->mon.undefined);
}

static ssize_t
no_space(struct env_file *f, const void *p, size_t n, uint64_t offset)
{
	(void)f;
	(void)p;
	(void)n;
	(void)offset;
	errno = ENOSPC;
	return (-1);
}

static void
a_full_disk_leaves_events_in_the_rings(void **state)
{
	struct fixture *fx = *state;
	uint64_t before;

	mon_start(fx);
	core_start(fx);
	program_start(fx);
	publish(fx, 50);
	WAIT_FOR(fx->env, fx->mon.notes == 50);
	fx->broken = *fx->whole;
	fx->broken.write_at = no_space;
	fx->env->ops = &fx->broken;
	before = atomic_load(&fx->ring->tail);
	while (program_publish(&fx->program, fx->ring,
	    fx->env->ops->now_ns(fx->env), EV_note, 0, 0))
		fx->published++;
	for (int i = 0; i < 20; i++)
		event_base_loop(env_event_base(fx->env), EVLOOP_ONCE);
	assert_int_equal(atomic_load(&fx->ring->tail), before);
	fx->env->ops = fx->whole;
	WAIT_FOR(fx->env, fx->mon.notes == fx->published);
	assert_int_equal(fx->mon.missing, 0);
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
		TEST(finish_tells_all_accounts_and_stops),
		TEST(who_leaves_stays_until_it_is_let_go),
		TEST(who_leaves_does_not_stay_for_nobody),
		TEST(a_run_after_the_run_counts_from_its_own_beginning),
		TEST(without_monitord_stop_leaves_the_spool_for_later),
		TEST(a_full_disk_leaves_events_in_the_rings),
		TEST(a_refusal_is_tried_again),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
