/*
 * A whole collector core and a scripted monitord: what arrives there, once or
 * twice, and what does not.
 */
#ifndef TESTS_COLLECTOR_MONITOR_H
#define TESTS_COLLECTOR_MONITOR_H

#include "tests/unit/collector_fixture.h"

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
	uint64_t due;                 /* the batch that was said to come next */
	bool undue;                   /* and another one came */
	unsigned pos, threads, names; /* definitions of this session */
	bool undefined; /* events of a stream that was not defined */
	bool defined[64];
	uint64_t next_seq[64], repeated, missing, notes;
	uint64_t stored; /* but for what tells of losses */
	int64_t watermark_ns;
	uint64_t beats;
	uint64_t account_published, account_lost;
	uint64_t told_lost; /* by events */
	unsigned accounts, unknown;
	uint64_t unattached; /* UINT64_MAX: not told in this session */
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
	uint64_t bad_offset; /* of the spool: cannot be read */
	unsigned bad_reads;
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

static inline int
mon_definition(void *arg, const struct frame *f)
{
	struct monitor *mon = arg;
	struct msg_thread m;

	mon->pos += f->type == MSG_po;
	mon->names += f->type == MSG_name;
	if (f->type == MSG_thread &&
	    msg_decode(MSG_thread, f->body, f->body_bytes, &m) == 0) {
		mon->threads++;
		if (m.location < 64)
			mon->defined[m.location] = true;
	}
	return (0);
}

/* As the real one: what is there is dropped. */
static inline int
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
		mon->stored += e[i].kind != EV_lost;
		if (e[i].kind == EV_lost)
			mon->told_lost += e[i].a;
	}
	return (0);
}

static inline int
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
	mon->pos = mon->threads = mon->names = mon->accounts = mon->unknown = 0;
	mon->finished = false;
	mon->due = 0;
	mon->unattached = UINT64_MAX;
	mon->account_published = mon->account_lost = 0;
	memset(mon->defined, 0, sizeof(mon->defined));
	return (peer_send(mon->data, MSG_welcome, &w));
}

static inline int
mon_batch(struct monitor *mon, const struct msg_batch *m)
{
	static const struct batch_sink sink = { mon_definition, mon_events };
	struct msg_ack ack = { .number = m->number };

	assert_int_equal(batch_decode(m->streams, &sink, mon), 0);
	mon->undue |= m->number != mon->due;
	mon->due = m->number + 1;
	mon->last_batch = m->number;
	return (mon->acks ? peer_send(mon->data, MSG_ack, &ack) : 0);
}

static inline int
mon_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct link *l = arg;
	struct monitor *mon = l->mon;
	const struct msg_account *account = msg;
	const struct msg_finished *finished = msg;

	(void)at_ns;
	switch (type) {
	case MSG_hello:
		return (mon_hello(l, msg));
	case MSG_batch:
		return (mon_batch(mon, msg));
	case MSG_heartbeat:
		mon->beats++;
		mon->watermark_ns =
		    ((const struct msg_heartbeat *)msg)->watermark_node_ns;
		break;
	case MSG_account:
		mon->accounts++;
		mon->unknown += account->known == 0;
		mon->account_published += account->published;
		mon->account_lost += account->lost;
		break;
	case MSG_spooled:
		mon->due = ((const struct msg_spooled *)msg)->number;
		break;
	case MSG_unattached:
		mon->unattached =
		    ((const struct msg_unattached *)msg)->processes;
		break;
	case MSG_finished:
		mon->undue |= finished->number + 1 != mon->due;
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

static inline void
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

static inline void
mon_accepted(void *arg, struct env_conn *conn)
{
	struct monitor *mon = arg;
	struct link *l = &mon->links[mon->nlinks++ % 64];

	l->mon = mon;
	l->peer = peer_new(mon->env, conn, "collector", &mon_ops, l);
}

static inline void
mon_start(struct fixture *fx)
{
	fx->mon.env = fx->env;
	fx->mon.listener =
	    fx->env->ops->listen(fx->env, fx->address, mon_accepted, &fx->mon);
	assert_non_null(fx->mon.listener);
}

/* Everything of monitord is gone at once. */
static inline void
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

/* It comes back with a run that has nothing yet. */
static inline void
mon_next_run(struct fixture *fx)
{
	mon_stop(fx);
	fx->mon.run.b[0]++;
	memset(fx->mon.next_seq, 0, sizeof(fx->mon.next_seq));
	fx->mon.missing = fx->mon.notes = fx->mon.stored = 0;
	fx->mon.told_lost = 0;
	mon_start(fx);
}

static inline void
stopped(void *arg)
{
	((struct fixture *)arg)->stopped = true;
}

static inline bool
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

static inline void
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

static inline struct msg_po
definition(const struct fixture *fx)
{
	return ((struct msg_po){
	    .po = fx->program.po,
	    .pid = 42,
	    .program = BYTES_STR("app"),
	    .command = BYTES_STR("./app"),
	});
}

static inline void
program_start(struct fixture *fx)
{
	struct msg_po m;

	program_init(&fx->program, 4, 4096);
	fx->program.po = collector_core_next_po(fx->core);
	m = definition(fx);
	fx->program.dp =
	    collector_core_attach(fx->core, &m, &fx->program.source);
	assert_non_null(fx->program.dp);
	fx->ring = program_thread(&fx->program, 0, 1);
}

/* The successor of a core finds the program again. */
static inline void
program_adopt(struct fixture *fx)
{
	struct msg_po m = definition(fx);

	fx->program.dp =
	    collector_core_adopt(fx->core, &m, &fx->program.source);
	assert_non_null(fx->program.dp);
	collector_core_adopted(fx->core);
}

static inline void
all_start(struct fixture *fx)
{
	mon_start(fx);
	core_start(fx);
	program_start(fx);
}

/* Publishes n events, letting the collector work when the ring is full. */
static inline void
publish(struct fixture *fx, uint64_t n)
{
	int64_t now_ns = fx->env->ops->now_ns(fx->env);

	for (uint64_t i = 0; i < n; i++) {
		WAIT_FOR(fx->env, program_publish(&fx->program, fx->ring,
				      now_ns, EV_note, fx->published, 0));
		fx->published++;
	}
}

static inline int
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

static inline int
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

static inline void
mon_finish(struct fixture *fx, enum finish_step step)
{
	struct msg_finish m = { .stop = (uint8_t)step };

	peer_send(fx->mon.data, MSG_finish, &m);
}

#endif
