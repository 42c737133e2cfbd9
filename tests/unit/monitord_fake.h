/*
 * A monitord core on a temporary directory, and scripted collectors, all in one
 * process and one loop.  monitord_asker.h has a control tool, monitord_found.h
 * what is in the log afterwards.
 */
#ifndef TESTS_MONITORD_FAKE_H
#define TESTS_MONITORD_FAKE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "batch.h"
#include "env.h"
#include "env_real.h"
#include "log.h"
#include "monitord/core.h"
#include "peer.h"
#include "tests/check.h"

struct world {
	struct env *env;
	struct monitord_core *core;
	char dir[64], log[96], address[96];
	const char *nodes[4];
	size_t nnodes;
	bool closed; /* only those nodes */
	int ended;   /* code, -1: not yet */
};

/* Runs the loop until cond holds, at most ten seconds. */
#define WAIT_FOR(w, cond)                                                      \
	do {                                                                   \
		int64_t end_ = (w)->env->ops->now_ns((w)->env) + 10 * ENV_SEC; \
		while (!(cond)) {                                              \
			event_base_loop(env_event_base((w)->env),              \
			    EVLOOP_ONCE);                                      \
			assert_true((w)->env->ops->now_ns((w)->env) < end_);   \
		}                                                              \
	} while (0)

static inline void
world_ended(void *arg, int code)
{
	struct world *w = arg;

	w->ended = code;
}

/* All clocks go on by so much at once; timers do not know. */
static inline void
world_pass(struct world *w, int64_t ns)
{
	struct env_real *er = (struct env_real *)w->env;

	er->test = true;
	er->test_offset_ns += ns;
}

/* Starts monitord; returns the exit code it would have, 0 when it runs. */
static inline int
world_start(struct world *w)
{
	const char *listen[1] = { w->address };
	struct core_settings set = { .log_path = w->log,
		.run_name = "test",
		.listen = listen,
		.nlisten = 1,
		.nodes = w->nodes,
		.nnodes = w->nnodes,
		.open = !w->closed };
	struct store_error err;

	w->ended = -1;
	w->core = core_new(w->env, &set, world_ended, w, &err);
	return (w->core != NULL ? 0 : err.code);
}

static inline void
world_open(struct world *w)
{
	memset(w, 0, sizeof(*w));
	snprintf(w->dir, sizeof(w->dir), "/tmp/orrery-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	snprintf(w->log, sizeof(w->log), "%s/run.orr", w->dir);
	snprintf(w->address, sizeof(w->address), "unix:%s/sock", w->dir);
	w->env = env_event_new(NULL);
	assert_non_null(w->env);
}

static inline void
world_close(struct world *w)
{
	char path[128];

	core_free(w->core);
	env_event_free(w->env);
	unlink(w->log);
	snprintf(path, sizeof(path), "%s/sock", w->dir);
	unlink(path);
	rmdir(w->dir);
}

/* --- a collector --- */

struct fake {
	struct world *w;
	struct peer *data, *clock;
	struct env_timer *beat;
	unsigned beats; /* that were sent */
	const char *name;
	int64_t offset_ns;  /* of its clock */
	bool silent_clock;  /* answers no ping */
	bool mute;          /* sends no heartbeat */
	int64_t vouched_ns; /* its watermark stands still; 0: it is now */
	uint64_t spool_bytes, spool_limit_bytes;
	struct msg_hello hello;
	uint64_t made_in; /* batches, which start; 0: this one */
	bool welcomed, refused, finish_asked, lost;
	int refuse_code;
	uint64_t acked;
	/* one stream: PO 1, thread 1, stream 1 */
	uint64_t next_seq, number;
	uint64_t published, lost_events;
	bool no_account;
	bool cut_at_stop; /* the connection, before it can say farewell */
	bool stuck;       /* has no answer when the run ends */
	size_t at_stop;   /* events that it still makes then */
	bool let_go;
};

static inline int64_t
fake_now(struct fake *f)
{
	return (f->w->env->ops->now_ns(f->w->env) + f->offset_ns);
}

/* The time that it vouches for. */
static inline int64_t
fake_watermark(struct fake *f)
{
	return (f->vouched_ns != 0 ? f->vouched_ns : fake_now(f));
}

static inline void fake_publish(struct fake *, size_t);

static inline void
fake_account(struct fake *f)
{
	struct msg_account a = { .po = 1,
		.thread = 1,
		.published = f->published,
		.lost = f->lost_events,
		.next_seq = f->next_seq,
		.known = 1 };
	struct msg_finished m = { .number = f->number };

	if (!f->no_account && f->next_seq > 0)
		peer_send(f->data, MSG_account, &a);
	peer_send(f->data, MSG_finished, &m);
}

static inline void
fake_finish(struct fake *f, uint8_t step)
{
	f->finish_asked = true;
	if (f->stuck)
		return;
	if (step == FINISH_STOP && f->cut_at_stop) {
		f->lost = true;
	} else if (step == FINISH_GO) {
		f->let_go = true;
	} else {
		if (step == FINISH_STOP && f->at_stop > 0)
			fake_publish(f, f->at_stop);
		fake_account(f);
		return;
	}
	peer_close(f->data, true);
	f->data = NULL;
}

static inline int
fake_message(void *arg, unsigned type, const void *msg, const struct frame *fr,
    int64_t at_ns)
{
	struct fake *f = arg;

	(void)fr;
	(void)at_ns;
	if (type == MSG_welcome)
		f->welcomed = true;
	if (type == MSG_ack)
		f->acked = ((const struct msg_ack *)msg)->number;
	if (type == MSG_refuse) {
		f->refused = true;
		f->refuse_code = ((const struct msg_refuse *)msg)->code;
	}
	if (type == MSG_finish) {
		fake_finish(f, ((const struct msg_finish *)msg)->stop);
	}
	return (0);
}

static inline void
fake_closed(void *arg, const char *why)
{
	struct fake *f = arg;

	(void)why;
	f->data = NULL;
	f->lost = true;
}

static inline int
fake_ping(void *arg, unsigned type, const void *msg, const struct frame *fr,
    int64_t at_ns)
{
	struct fake *f = arg;
	const struct msg_ping *p = msg;
	struct msg_pong m;

	(void)fr;
	if (type != MSG_ping || f->silent_clock)
		return (0);
	m = (struct msg_pong){ .seq = p->seq,
		.t1_mon_ns = p->t1_mon_ns,
		.t2_node_ns = at_ns + f->offset_ns,
		.t3_node_ns = fake_now(f) };
	peer_send(f->clock, MSG_pong, &m);
	return (0);
}

static inline void
fake_clock_closed(void *arg, const char *why)
{
	struct fake *f = arg;

	(void)why;
	f->clock = NULL;
}

static inline void
fake_clock_connected(void *arg)
{
	struct fake *f = arg;
	struct msg_hello m = f->hello;

	m.role = ROLE_CLOCK;
	peer_send(f->clock, MSG_hello, &m);
}

static inline void
fake_connected(void *arg)
{
	struct fake *f = arg;

	peer_send(f->data, MSG_hello, &f->hello);
}

static inline void
fake_beat(void *arg)
{
	struct fake *f = arg;
	struct msg_heartbeat m = { .watermark_node_ns = fake_watermark(f),
		.published = f->published,
		.lost = f->lost_events,
		.spool_bytes = f->spool_bytes,
		.spool_limit_bytes = f->spool_limit_bytes };

	if (f->data != NULL && f->welcomed && !f->mute)
		f->beats += peer_send(f->data, MSG_heartbeat, &m) == 0;
	f->w->env->ops->timer_set(f->beat, 10 * ENV_MS);
}

static inline void
fake_connect(struct fake *f)
{
	static const struct peer_ops data = { .message = fake_message,
		.connected = fake_connected,
		.closed = fake_closed };
	static const struct peer_ops clock = { .message = fake_ping,
		.connected = fake_clock_connected,
		.closed = fake_clock_closed };

	f->welcomed = f->refused = f->lost = f->finish_asked = false;
	f->data = peer_connect(f->w->env, f->w->address, "data", &data, f);
	f->clock = peer_connect(f->w->env, f->w->address, "clock", &clock, f);
	assert_non_null(f->data);
	assert_non_null(f->clock);
}

static inline void
fake_init(struct fake *f, struct world *w, const char *name)
{
	memset(f, 0, sizeof(*f));
	f->w = w;
	f->name = name;
	f->hello = (struct msg_hello){ .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_COLLECTOR,
		.name = BYTES_STR(name),
		.machine = BYTES_STR("m"),
		.epoch = 1,
		.pid = 7 };
	f->beat = w->env->ops->timer_new(w->env, fake_beat, f);
	fake_beat(f);
}

static inline void
fake_open(struct fake *f, struct world *w, const char *name)
{
	fake_init(f, w, name);
	fake_connect(f);
}

static inline void
fake_close(struct fake *f)
{
	peer_close(f->data, false);
	peer_close(f->clock, false);
	f->data = f->clock = NULL;
}

static inline void
fake_free(struct fake *f)
{
	fake_close(f);
	f->w->env->ops->timer_free(f->beat);
}

/* What a collector says at the start of each session. */
static inline void
fake_define(struct fake *f)
{
	struct msg_po po = { .po = 1,
		.pid = 7,
		.program = BYTES_STR("app"),
		.command = BYTES_STR("app -x") };
	struct msg_thread t = { .location = 1,
		.po = 1,
		.thread = 1,
		.tid = 8,
		.name = BYTES_STR("main") };
	struct msg_name n = { .name = 1,
		.po = 1,
		.text = BYTES_STR("bigp"),
		.file = BYTES_STR("a.c"),
		.line = 3 };

	peer_send(f->data, MSG_po, &po);
	peer_send(f->data, MSG_thread, &t);
	peer_send(f->data, MSG_name, &n);
}

/* A batch of one run of the stream. */
static inline void
fake_run(struct fake *f, uint64_t number, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct batch_writer *bw = batch_writer_new();
	struct msg_batch m = { .number = number,
		.watermark_node_ns = fake_watermark(f),
		.events = (uint32_t)n,
		.start = f->made_in != 0 ? f->made_in : f->hello.epoch };

	assert_int_equal(batch_add_run(bw, 1, first_seq, e, n), 0);
	m.streams = batch_bytes(bw);
	assert_int_equal(peer_send(f->data, MSG_batch, &m), 0);
	batch_writer_free(bw);
}

/* A batch of n notes from first_seq on. */
static inline void
fake_batch(struct fake *f, uint64_t number, uint64_t first_seq, size_t n)
{
	struct node_event *e = calloc(n, sizeof(*e));
	int64_t now = fake_now(f);

	for (size_t i = 0; i < n; i++)
		e[i] = (struct node_event){ .t_node_ns = now - (int64_t)(n - i),
			.a = first_seq + i,
			.c = 1,
			.kind = EV_note };
	fake_run(f, number, first_seq, e, n);
	free(e);
}

/* Which batch comes next. */
static inline void
fake_spooled(struct fake *f, uint64_t number)
{
	struct msg_spooled m = { .number = number };

	peer_send(f->data, MSG_spooled, &m);
}

/* The next n events. */
static inline void
fake_publish(struct fake *f, size_t n)
{
	fake_batch(f, ++f->number, f->next_seq, n);
	f->next_seq += n;
	f->published += n;
}

/* Ends the run and returns its code; the core is freed. */
static inline int
world_finish(struct world *w)
{
	core_finish(w->core);
	WAIT_FOR(w, w->ended != -1);
	core_free(w->core);
	w->core = NULL;
	return (w->ended);
}

/* --- one collector, ready to publish --- */

static inline void
open_one(struct world *w, struct fake *f)
{
	world_open(w);
	assert_int_equal(world_start(w), 0);
	fake_open(f, w, "n1");
	WAIT_FOR(w, f->welcomed);
	fake_define(f);
}

static inline void
close_one(struct world *w, struct fake *f)
{
	fake_free(f);
	world_close(w);
}

/* Its connection was lost, and it comes again. */
static inline void
fake_again(struct fake *f)
{
	fake_close(f);
	fake_connect(f);
	WAIT_FOR(f->w, f->welcomed);
	fake_define(f);
}

#endif
