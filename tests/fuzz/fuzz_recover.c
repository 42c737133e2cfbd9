/*
 * Fuzzes what monitord believes of a log: one that is made by the script, of
 * whole frames that mean anything or nothing, is gone on with, sent to a viewer
 * while a collector joins, folded and finished.
 */
#include "log/block.h"
#include "log/tracefile.h"
#include "message.h"
#include "monitord/core.h"
#include "tests/fuzz/fuzz_in.h"

#define LOCATIONS 8
#define RUN_MAX   40
#define STEPS     200

struct maker {
	struct in in;
	struct buf log;
	struct block_writer *block;
	uint64_t seq[LOCATIONS];
	int64_t t_ns;
};

static void
put(struct maker *m, enum msg_type type, const void *msg)
{
	(void)frame_append(&m->log, type, msg);
}

static void
put_head(struct maker *m)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("fuzz") };
	struct msg_node node = { .name = BYTES_STR("monitord"),
		.machine = BYTES_STR("m") };

	put(m, MSG_run, &run);
	put(m, MSG_node, &node);
	node.node = 1;
	node.name = BYTES_STR("n0");
	put(m, MSG_node, &node);
	for (uint32_t i = 0; i < LOCATIONS; i++) {
		struct msg_thread t = { .location = i,
			.node = i > 0,
			.po = i > 0 ? (i + 1) / 2 : 0,
			.thread = i,
			.name = BYTES_STR("t") };

		put(m, MSG_thread, &t);
	}
}

/* A frame of the log of any body. */
static void
put_any(struct maker *m, unsigned op)
{
	unsigned type = MSG_run + (op >> 3) % (MSG_synced - MSG_run + 1);

	fuzz_frame(&m->log, type, in_bytes(&m->in, in_u8(&m->in)));
}

static void
put_thread(struct maker *m, unsigned op)
{
	struct msg_thread t = { .location = LOCATIONS + (op >> 3),
		.name = BYTES_STR("tt") };

	t.node = (uint32_t)in_number(&m->in);
	t.po = (uint32_t)in_number(&m->in);
	t.thread = (uint32_t)in_number(&m->in);
	put(m, MSG_thread, &t);
}

static void
put_segment(struct maker *m)
{
	struct msg_segment s = { .node = in_u8(&m->in) % 3 };

	s.epoch = in_u8(&m->in) % 4;
	s.base_node_ns = (int64_t)in_number(&m->in);
	s.base_mon_ns = (int64_t)in_number(&m->in);
	s.skew_q40 = (int64_t)in_number(&m->in);
	s.error_ns = (int64_t)in_number(&m->in);
	s.state = (uint8_t)in_u8(&m->in);
	put(m, MSG_segment, &s);
}

static void
put_definitions(struct maker *m, unsigned op)
{
	struct msg_name name = { .name = (uint32_t)in_number(&m->in),
		.text = BYTES_STR("name"),
		.line = 3 };
	struct msg_po po = { .program = BYTES_STR("p"),
		.command = BYTES_STR("p") };
	struct msg_node node = { .name = BYTES_STR("nn"),
		.machine = BYTES_STR("q") };
	struct msg_synced synced = { .log_bytes = m->log.n };

	put(m, MSG_name, &name);
	if (op & 8) {
		po.node = (uint32_t)in_number(&m->in);
		po.po = (uint32_t)in_number(&m->in);
		put(m, MSG_po, &po);
	}
	if (op & 16) {
		node.node = (uint32_t)in_number(&m->in);
		put(m, MSG_node, &node);
	}
	if (op & 32)
		put_segment(m);
	if (op & 64) {
		synced.log_bytes = op & 128 ? in_number(&m->in) : m->log.n;
		put(m, MSG_synced, &synced);
	}
}

static void
close_block(struct maker *m, bool late)
{
	if (block_events(m->block) > 0)
		(void)block_finish(m->block, late, 0, &m->log);
}

static void
add_event(struct maker *m, unsigned how)
{
	struct event e = { .kind = in_kind(&m->in),
		.location = in_u8(&m->in) % LOCATIONS };

	m->t_ns =
	    in_later(m->t_ns, how & 1 ? in_number(&m->in) : in_u8(&m->in));
	e.t_mon_ns = m->t_ns;
	e.t_node_ns = how & 1 ? (int64_t)in_number(&m->in) : m->t_ns;
	e.seq = m->seq[e.location]++;
	e.a = how & 2 ? in_number(&m->in) : in_u8(&m->in) % 16;
	e.b = how & 2 ? in_number(&m->in) : in_u8(&m->in) % 16;
	e.c = how & 4 ? (uint32_t)in_number(&m->in) : in_u8(&m->in) % 8;
	e.flags = how & 16 ? in_u8(&m->in) & 15 : 0;
	if (block_add(m->block, &e) == -1) {
		close_block(m, false);
		(void)block_add(m->block, &e);
	}
}

static void
put_events(struct maker *m, unsigned op)
{
	for (unsigned n = 1 + in_u8(&m->in) % RUN_MAX; n > 0; n--)
		add_event(m, op >> 3);
	if ((op & 128) == 0)
		return;
	close_block(m, (op & 64) != 0);
	if ((op & 64) != 0 && m->t_ns > 5000)
		m->t_ns -= 4000;
	if (in_u8(&m->in) & 1) {
		unsigned of = in_u8(&m->in) % LOCATIONS;

		m->seq[of] = in_number(&m->in);
	}
}

static void
make_log(struct maker *m)
{
	unsigned op;

	put_head(m);
	for (unsigned i = 0; i < STEPS && m->in.p < m->in.end; i++) {
		op = in_u8(&m->in);
		switch (op & 7) {
		case 0:
			put_any(m, op);
			break;
		case 1:
			put_thread(m, op);
			break;
		case 2:
			put_definitions(m, op);
			break;
		default:
			put_events(m, op);
		}
	}
	close_block(m, false);
}

static void
hail(struct paper *p, enum peer_role role, const char *name)
{
	struct msg_hello m = { .version_min = 1,
		.version_max = 1,
		.role = (uint8_t)role,
		.name = BYTES_STR(name),
		.machine = BYTES_STR("m"),
		.epoch = 3 };
	struct msg_subscribe s = { 0 };
	struct env_conn *c = paper_dial(p);

	if (c == NULL)
		return;
	fuzz_say(c, MSG_hello, &m);
	if (role == ROLE_VIEWER && paper_is_open(c))
		fuzz_say(c, MSG_subscribe, &s);
}

static void
ended(void *arg, int code)
{
	*(int *)arg = code;
}

static void
go_on(struct paper *p)
{
	const char *listen[] = { "unix:x" }, *nodes[] = { "n0", "n1" };
	struct core_settings set = { .log_path = "run.orr",
		.run_name = "fuzz",
		.listen = listen,
		.nlisten = 1,
		.nodes = nodes,
		.nnodes = 2,
		.open = true };
	struct monitord_core *core;
	struct store_error err;
	int code = -1;

	core = core_new(paper_env(p), &set, ended, &code, &err);
	if (core == NULL)
		return; /* it says why not */
	paper_run(p, 100 * ENV_MS, 30);
	hail(p, ROLE_VIEWER, "v");
	hail(p, ROLE_COLLECTOR, "n0");
	paper_run(p, 100 * ENV_MS, 30);
	core_finish(core);
	fuzz_wait(p, &code);
	core_free(core);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct maker m = { .in = { data, data + n }, .t_ns = 1000 };
	struct paper *p = paper_new();

	fuzz_quiet();
	m.block = block_writer_new();
	make_log(&m);
	paper_put(p, "run.orr", m.log.p, m.log.n);
	go_on(p);
	block_writer_free(m.block);
	buf_free(&m.log);
	paper_free(p);
	return (0);
}
