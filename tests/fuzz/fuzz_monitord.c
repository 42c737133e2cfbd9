/*
 * Fuzzes monitord's core: collectors, their clocks, viewers and control tools
 * that say anything in any order, come, hang up, and come again.  Six of them
 * at a time; each step of the script is of one.
 */
#include "batch.h"
#include "message.h"
#include "monitord/core.h"
#include "tests/fuzz/fuzz_in.h"

#define GUESTS  6
#define STREAMS 4
#define RUN_MAX 40
#define STEPS   250

struct guest_of_ours {
	struct env_conn *conn;
	unsigned role;
	int64_t offset_ns; /* of its clock */
	uint64_t seq[STREAMS], number;
};

struct world {
	struct in in;
	struct paper *paper;
	struct monitord_core *core;
	struct guest_of_ours guest[GUESTS];
	int code;
};

static void
ended(void *arg, int code)
{
	*(int *)arg = code;
}

static void
dial(struct world *w, struct guest_of_ours *g, unsigned role)
{
	*g = (struct guest_of_ours){ .conn = paper_dial(w->paper),
		.role = role,
		.offset_ns = (g - w->guest) * ENV_SEC };
}

static void
come(struct world *w, struct guest_of_ours *g)
{
	static const char *const name[] = { "n0", "n1", "n2", "x" };
	static const char *const machine[] = { "m", "m", "mm", "" };
	unsigned how = in_u8(&w->in);
	struct msg_hello m = { .version_min = 1,
		.version_max = 1,
		.role = (uint8_t)((how & 3) + 1),
		.name = BYTES_STR(name[how >> 2 & 3]),
		.machine = BYTES_STR(machine[how >> 4 & 3]),
		.epoch = how >> 6,
		.pid = 1 };

	if (paper_is_open(g->conn))
		return;
	dial(w, g, m.role);
	if (g->conn != NULL)
		fuzz_say(g->conn, MSG_hello, &m);
}

/* A clock that behaves: pings are on their way for ten microseconds. */
static void
answer_pings(struct world *w, struct guest_of_ours *g)
{
	uint8_t asked[4096];
	struct msg_ping p;
	struct msg_pong m;
	struct frame f;
	size_t n, at = 0;
	const uint8_t *sent = paper_fetch(g->conn, &n);
	int64_t now_ns = paper_now(w->paper) + g->offset_ns;

	if (n > sizeof(asked))
		n = sizeof(asked);
	if (n > 0) /* they move when more is sent */
		memcpy(asked, sent, n);
	paper_run(w->paper, 10000, 0);
	for (; paper_is_open(g->conn) &&
	       frame_parse(asked + at, n - at, &f) == FRAME_OK;
	     at += f.frame_bytes) {
		if (frame_decode(&f, MSG_ping, &p) == -1)
			continue;
		m = (struct msg_pong){ .seq = p.seq,
			.t1_mon_ns = p.t1_mon_ns,
			.t2_node_ns = now_ns + 4500,
			.t3_node_ns = now_ns + 5500 };
		fuzz_say(g->conn, MSG_pong, &m);
	}
}

static void
tick_clock(struct world *w, struct guest_of_ours *g)
{
	for (int i = 0;
	     i < 10 && g->role == ROLE_CLOCK && paper_is_open(g->conn); i++) {
		paper_leap(w->paper, 100 * ENV_MS);
		answer_pings(w, g);
	}
}

static void
any_frame(struct world *w, struct guest_of_ours *g)
{
	unsigned type = in_u8(&w->in);
	struct bytes body = in_bytes(&w->in, in_u16(&w->in));
	struct buf b = { 0 };

	if (!paper_is_open(g->conn))
		dial(w, g, 0);
	if (g->conn == NULL)
		return;
	fuzz_frame(&b, type, body);
	paper_deliver(g->conn, b.p, b.n);
	buf_free(&b);
}

static void
any_bytes(struct world *w, struct guest_of_ours *g)
{
	struct bytes b = in_bytes(&w->in, in_u8(&w->in));

	if (paper_is_open(g->conn))
		paper_deliver(g->conn, b.p, b.n);
}

static void
define(struct world *w, struct guest_of_ours *g)
{
	struct in *in = &w->in;
	unsigned how;

	if (!paper_is_open(g->conn))
		return;
	how = in_u8(in);
	if (how & 1) {
		struct msg_po m = { .po = how & 2 ? (uint32_t)in_number(in) : 1,
			.pid = 1,
			.program = BYTES_STR("p"),
			.command = BYTES_STR("c") };

		fuzz_say(g->conn, MSG_po, &m);
	}
	if (how & 4) {
		struct msg_thread m = { .location =
					    how & 8 ? (uint32_t)in_number(in)
						    : 1 + (how >> 6),
			.po = 1,
			.thread =
			    how & 16 ? (uint32_t)in_number(in) : 1 + (how >> 6),
			.name = BYTES_STR("t") };

		fuzz_say(g->conn, MSG_thread, &m);
	}
	if (how & 32) {
		struct msg_name m = { .name = (uint32_t)in_number(in),
			.po = how & 2 ? (uint32_t)in_number(in) : 1,
			.text = BYTES_STR("name"),
			.file = BYTES_STR("f") };

		fuzz_say(g->conn, MSG_name, &m);
	}
}

/* A run of events of a stream, which may be any, in a row or not. */
static uint32_t
add_run(struct world *w, struct guest_of_ours *g, struct batch_writer *bw)
{
	struct in *in = &w->in;
	unsigned how = in_u8(in), n = 1 + in_u8(in) % RUN_MAX, s = how & 3;
	struct node_event e[RUN_MAX];
	int64_t t_ns = paper_now(w->paper) + g->offset_ns;
	uint64_t first;
	uint32_t stream;

	t_ns = how & 4 ? in_later(t_ns, in_number(in)) : t_ns - 1000000;
	for (unsigned i = 0; i < n; i++) {
		e[i] = (struct node_event){ .kind = in_kind(in) };
		t_ns = in_later(t_ns, how & 8 ? in_number(in) : in_u8(in));
		e[i].t_node_ns = t_ns;
		e[i].a = how & 16 ? in_number(in) : in_u8(in) % 8;
		e[i].b = how & 16 ? in_number(in) : in_u8(in) % 8;
		e[i].c = how & 32 ? (uint32_t)in_number(in) : in_u8(in) % 8;
	}
	first = how & 64 ? in_number(in) : g->seq[s];
	stream = how & 128 ? (uint32_t)in_number(in) : 1 + s;
	if (batch_add_run(bw, stream, first, e, n) == -1)
		return (0);
	g->seq[s] = first + n;
	return (n);
}

static void
batch(struct world *w, struct guest_of_ours *g)
{
	struct batch_writer *bw;
	struct msg_batch m = { 0 };

	if (!paper_is_open(g->conn))
		return;
	bw = batch_writer_new();
	for (unsigned runs = 1 + in_u8(&w->in) % 3; runs > 0; runs--)
		m.events += add_run(w, g, bw);
	m.number = ++g->number;
	m.watermark_node_ns = paper_now(w->paper) + g->offset_ns - 1000;
	if (in_u8(&w->in) & 1)
		m.watermark_node_ns = (int64_t)in_number(&w->in);
	m.streams = batch_bytes(bw);
	fuzz_say(g->conn, MSG_batch, &m);
	batch_writer_free(bw);
}

static void
say_counts(struct world *w, struct guest_of_ours *g)
{
	struct in *in = &w->in;
	unsigned how;

	if (!paper_is_open(g->conn))
		return;
	how = in_u8(in);
	if (how & 1) {
		struct msg_heartbeat m = { .watermark_node_ns =
					       paper_now(w->paper) +
					       g->offset_ns - 1000,
			.pos = 1 };

		if (how & 2)
			m.watermark_node_ns = (int64_t)in_number(in);
		m.published = in_number(in);
		m.lost = in_number(in);
		fuzz_say(g->conn, MSG_heartbeat, &m);
	}
	if (how & 4) {
		struct msg_account m = { .po = 1,
			.thread = how & 8 ? (uint32_t)in_number(in) : 1,
			.known = how >> 4 & 3 };

		m.published = in_number(in);
		m.lost = in_number(in);
		m.next_seq = in_number(in);
		fuzz_say(g->conn, MSG_account, &m);
	}
	if (how & 64) {
		struct msg_finished m = { .number = g->number };

		fuzz_say(g->conn, MSG_finished, &m);
	}
	if (how & 128) {
		struct msg_pong m = { .seq = (uint32_t)in_number(in) };

		m.t1_mon_ns = (int64_t)in_number(in);
		m.t2_node_ns = (int64_t)in_number(in);
		m.t3_node_ns = (int64_t)in_number(in);
		fuzz_say(g->conn, MSG_pong, &m);
	}
}

static void
wait_some(struct world *w, struct guest_of_ours *g)
{
	(void)g;
	paper_run(w->paper, (int64_t)in_u8(&w->in) * 10 * ENV_MS, 30);
}

static void
ask(struct world *w, struct guest_of_ours *g)
{
	struct msg_subscribe s = { 0 };
	struct msg_request r = { .verb = BYTES_STR("status") };
	unsigned how;

	if (!paper_is_open(g->conn))
		return;
	how = in_u8(&w->in);
	if (how & 1) {
		s.offset = how & 2 ? in_number(&w->in) : 0;
		fuzz_say(g->conn, MSG_subscribe, &s);
		return;
	}
	if ((how & 6) == 6)
		r.verb = BYTES_STR("shutdown");
	fuzz_say(g->conn, MSG_request, &r);
}

static void
leave(struct world *w, struct guest_of_ours *g)
{
	if (paper_is_open(g->conn))
		paper_hang_up(g->conn);
	else if (g == &w->guest[15 % GUESTS])
		core_finish(w->core);
}

static void (*const acts[16])(struct world *, struct guest_of_ours *) = {
	come,
	come,
	tick_clock,
	tick_clock,
	any_frame,
	any_bytes,
	define,
	define,
	batch,
	batch,
	batch,
	batch,
	say_counts,
	wait_some,
	ask,
	leave,
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *listen[] = { "unix:x" }, *nodes[] = { "n0", "n1" };
	struct world w = { .in = { data, data + n }, .code = -1 };
	struct core_settings set = { .log_path = "run.orr",
		.run_name = "fuzz",
		.listen = listen,
		.nlisten = 1,
		.nodes = nodes,
		.nnodes = 2 };
	struct store_error err;
	unsigned op;

	fuzz_quiet();
	w.paper = paper_new();
	set.open = (in_u8(&w.in) & 1) == 0;
	w.core = core_new(paper_env(w.paper), &set, ended, &w.code, &err);
	if (w.core == NULL)
		abort();
	for (unsigned i = 0; i < STEPS && w.in.p < w.in.end && w.code == -1;
	     i++) {
		op = in_u8(&w.in);
		acts[op & 15](&w, &w.guest[(op >> 4) % GUESTS]);
	}
	if (w.code == -1)
		core_finish(w.core);
	fuzz_wait(w.paper, &w.code);
	core_free(w.core);
	paper_free(w.paper);
	return (0);
}
