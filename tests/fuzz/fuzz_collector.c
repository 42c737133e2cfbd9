/*
 * Fuzzes a collector's core from all its sides: what a process before it has
 * left on the disk, what monitord says, and a program that writes anything
 * into the memory it shares.
 */
#include "batch.h"
#include "collector/core.h"
#include "message.h"
#include "ring.h"
#include "tests/fuzz/fuzz_in.h"

#define RINGS      4
#define RING_BYTES 4096
#define NAME_BYTES 8192
#define RUN_MAX    20
#define STEPS      300

struct world {
	struct in in;
	struct paper *paper;
	struct collector_core *core;
	struct ring_segment *seg;
	struct segment_layout layout;
	struct drain_po *dp; /* NULL: the program is gone */
	int stopped;         /* -1: not yet */
};

static void
stopped(void *arg)
{
	((struct world *)arg)->stopped = 0;
}

static void
released(void *arg)
{
	((struct world *)arg)->dp = NULL;
}

static void
empty(void *arg, void *at, size_t bytes)
{
	(void)arg;
	memset(at, 0, bytes);
}

static bool
thread_alive(void *arg, uint32_t tid)
{
	(void)arg;
	return ((tid & 1) == 0);
}

/* --- what is on the disk --- */

static void
put_batch(struct in *in, struct buf *b, unsigned op, uint64_t *next)
{
	struct batch_writer *w = batch_writer_new();
	struct node_event e[RUN_MAX];
	unsigned n = 1 + in_u8(in) % RUN_MAX;
	struct msg_batch m = { .events = n };
	uint32_t stream;
	int64_t t_ns = 1;

	for (unsigned i = 0; i < n; i++) {
		e[i] = (struct node_event){ .kind = in_kind(in) };
		t_ns += in_u8(in);
		e[i].t_node_ns = t_ns;
		e[i].a = in_number(in);
		e[i].b = in_u8(in);
		e[i].c = in_u8(in);
	}
	stream = op & 16 ? (uint32_t)in_number(in) : 1 + (op >> 6);
	(void)batch_add_run(w, stream, op & 32 ? in_number(in) : in_u8(in), e,
	    n);
	m.number = op & 8 ? in_number(in) : (*next)++;
	m.streams = batch_bytes(w);
	(void)frame_append(b, MSG_batch, &m);
	batch_writer_free(w);
}

static void
put_journal_entry(struct in *in, struct buf *b, unsigned op)
{
	uint32_t po = 1 + (op >> 6);

	switch (op & 7) {
	case 2:
	case 3: {
		struct msg_po m = { .po = op & 8 ? (uint32_t)in_number(in) : po,
			.pid = 5,
			.program = BYTES_STR("p"),
			.command = BYTES_STR("c") };

		(void)frame_append(b, MSG_po, &m);
		break;
	}
	case 4: {
		struct msg_thread m = { .location =
					    op & 8 ? (uint32_t)in_number(in)
						   : 1 + (op >> 4),
			.name = BYTES_STR("t") };

		m.po = op & 16 ? (uint32_t)in_number(in) : po;
		m.thread = op & 32 ? (uint32_t)in_number(in) : in_u8(in) % 4;
		(void)frame_append(b, MSG_thread, &m);
		break;
	}
	case 5: {
		struct msg_name m = { .name = (uint32_t)in_number(in),
			.po = po,
			.text = BYTES_STR("t") };

		(void)frame_append(b, MSG_name, &m);
		break;
	}
	default: {
		struct msg_account m = { .po = op & 8 ? (uint32_t)in_number(in)
						      : po };

		m.thread = in_u8(in) % 4;
		m.published = in_number(in);
		m.lost = in_number(in);
		m.next_seq = in_number(in);
		m.known = in_u8(in) % 6;
		(void)frame_append(b, MSG_account, &m);
	}
	}
}

static void
make_file(struct world *w, const char *path, bool spool, uint64_t next)
{
	struct in *in = &w->in;
	struct buf b = { 0 };
	struct bytes body;
	unsigned op;

	for (unsigned n = in_u8(in) % 12; n > 0; n--) {
		op = in_u8(in);
		switch (op & 7) {
		case 0:
			body = in_bytes(in, in_u8(in));
			fuzz_frame(&b, op & 8 ? MSG_batch : 30 + (op >> 4),
			    body);
			break;
		case 1: /* torn, or of something else */
			body = in_bytes(in, in_u8(in) % 20);
			(void)buf_add(&b, body.p, body.n);
			break;
		default:
			if (spool)
				put_batch(in, &b, op, &next);
			else
				put_journal_entry(in, &b, op);
		}
	}
	paper_put(w->paper, path, b.p, b.n);
	buf_free(&b);
}

/* With the checksum that a collector has put there (spool_state.c). */
static void
make_state(struct world *w)
{
	unsigned long long epoch = in_number(&w->in);
	unsigned node = in_u8(&w->in), run = in_u8(&w->in);
	unsigned long long acked = in_number(&w->in) & 0xffff;
	uint64_t check = UINT64_C(0xcbf29ce484222325);
	char text[256];
	size_t n;

	n = (size_t)snprintf(text, sizeof(text),
	    "epoch %llu\nnode %u\nrun %032x\nacked %llu\n", epoch, node, run,
	    acked);
	for (size_t i = 0; i < n; i++)
		check = (check ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
	n += (size_t)snprintf(text + n, sizeof(text) - n, "check %016llx\n",
	    (unsigned long long)check);
	paper_put(w->paper, "sp/state", text, n);
}

static void
make_disk(struct world *w, unsigned how)
{
	char path[64];
	uint64_t first;

	if (how & 1)
		make_file(w, "sp/journal", false, 0);
	for (unsigned i = 0; (how & 2) && i < 1 + (how >> 6 & 1); i++) {
		first = how & 4 ? in_number(&w->in) & 0xffff : i > 0 ? 3 : 1;
		snprintf(path, sizeof(path), "sp/%020llu.spool",
		    (unsigned long long)first);
		make_file(w, path, true, first);
	}
	if (how & 8)
		make_state(w);
}

/* --- monitord --- */

static void
monitord_says(struct world *w, unsigned op)
{
	struct in *in = &w->in;
	struct env_conn *c = paper_conn(w->paper, op >> 6);
	struct bytes body;
	struct buf b = { 0 };
	unsigned type;

	if (!paper_is_open(c))
		return;
	switch (op >> 3 & 7) {
	case 0: {
		struct msg_welcome m = { .version = 1,
			.run_name = BYTES_STR("r") };

		m.node = (uint32_t)in_number(in);
		m.next_po = (uint32_t)in_number(in);
		m.run.b[0] = (uint8_t)in_u8(in);
		fuzz_say(c, MSG_welcome, &m);
		break;
	}
	case 1: {
		struct msg_ack m = { .number = in_number(in) };

		fuzz_say(c, MSG_ack, &m);
		break;
	}
	case 2: {
		struct msg_finish m = { .stop = in_u8(in) % 4 };

		fuzz_say(c, MSG_finish, &m);
		break;
	}
	case 3: {
		struct msg_ping m = { .seq = (uint32_t)in_number(in) };

		m.t1_mon_ns = (int64_t)in_number(in);
		fuzz_say(c, MSG_ping, &m);
		break;
	}
	case 4: {
		struct msg_refuse m = { .code = (uint16_t)in_u16(in),
			.reason = BYTES_STR("no") };

		fuzz_say(c, MSG_refuse, &m);
		break;
	}
	case 5:
		type = in_u8(in);
		body = in_bytes(in, in_u8(in));
		fuzz_frame(&b, type, body);
		paper_deliver(c, b.p, b.n);
		break;
	case 6:
		body = in_bytes(in, in_u8(in));
		paper_deliver(c, body.p, body.n);
		break;
	case 7:
		paper_hang_up(c);
		break;
	}
	buf_free(&b);
}

/* --- the program --- */

static void
scribble(struct world *w, unsigned op)
{
	struct in *in = &w->in;
	struct ring_segment *s = w->seg;
	struct ring *r = segment_ring(s, &w->layout, op >> 6);
	unsigned f = in_u8(in);
	bool any = (f & 128) != 0;

	switch (f % 11) {
	case 0:
		atomic_store(&r->state, in_u8(in) % 6);
		break;
	case 1:
		atomic_store(&r->thread,
		    any ? (uint32_t)in_number(in) : 1 + (op >> 6));
		break;
	case 2:
		atomic_store(&r->head,
		    any ? in_number(in)
			: atomic_load(&r->head) + in_u8(in) % 40);
		break;
	case 3:
		atomic_store(&r->tail, in_number(in));
		break;
	case 4:
		atomic_store(&r->active, (uint32_t)in_number(in));
		break;
	case 5:
		atomic_store(&r->lost_total, in_number(in));
		break;
	case 6:
		atomic_store(&r->lost_records, in_number(in));
		break;
	case 7:
		atomic_store(&s->rings_used,
		    any ? (uint32_t)in_number(in) : RINGS);
		break;
	case 8:
		atomic_store(&s->names_used, in_number(in));
		break;
	case 9:
		atomic_store(&s->lost_no_ring, in_number(in));
		if (any) {
			s->nrings = (uint32_t)in_number(in);
			s->ring_first = (uint32_t)in_number(in);
			s->records_offset = in_number(in);
		}
		break;
	case 10:
		atomic_store(&r->start[in_u8(in) % RING_GENERATIONS],
		    in_number(in));
		break;
	}
}

static void
put_records(struct world *w, unsigned op)
{
	struct ring_record *all = segment_records(w->seg, &w->layout, op >> 6);
	size_t room = w->layout.ring_bytes / sizeof(*all);
	unsigned at = in_u8(&w->in), n = in_u8(&w->in) % 16, kind;

	for (unsigned i = 0; i < n; i++) {
		struct ring_record *r = &all[(at + i) % room];

		kind = in_u8(&w->in);
		r->kind = (uint16_t)(kind & 128 ? in_number(&w->in) : kind);
		r->t_cycles = op & 8 ? in_number(&w->in)
				     : (uint64_t)paper_now(w->paper) - 1000 + i;
		r->a = in_number(&w->in);
		r->b = in_u8(&w->in);
		r->c = (uint32_t)in_number(&w->in);
		r->zero = op & 16 ? 77 : 0;
	}
}

static void
put_names(struct world *w)
{
	unsigned at = in_u16(&w->in), n = in_u8(&w->in) % 32;
	char *names = (char *)w->seg + w->layout.names_offset;

	for (unsigned i = 0; i < n; i++)
		names[(at + i) % w->layout.names_bytes] = (char)in_u8(&w->in);
}

static void
attach(struct world *w, bool adopted)
{
	static const struct source_ops ops = { .thread_alive = thread_alive,
		.empty = empty,
		.released = released };
	struct msg_po m = { .po = collector_core_next_po(w->core),
		.pid = 5,
		.program = BYTES_STR("p"),
		.command = BYTES_STR("c") };
	struct source s = { .seg = w->seg,
		.layout = w->layout,
		.clock = RING_CLOCK_RAW,
		.ops = &ops,
		.arg = w };

	segment_format(w->seg, &w->layout, 1, m.po, 0, ~0u, 0);
	w->dp = adopted ? collector_core_adopt(w->core, &m, &s)
			: collector_core_attach(w->core, &m, &s);
}

/* --- a run --- */

static void
step(struct world *w, unsigned op)
{
	switch (op & 7) {
	case 0:
		paper_run(w->paper, (int64_t)(1 + (op >> 3)) * ENV_MS, 50);
		break;
	case 1:
		paper_answer(w->paper);
		break;
	case 2:
		monitord_says(w, op);
		break;
	case 3:
	case 4:
		scribble(w, op);
		break;
	case 5:
		put_records(w, op);
		break;
	case 6:
		put_names(w);
		break;
	case 7:
		if (op >> 3 == 31) {
			collector_core_stop(w->core);
		} else if (op >> 3 == 30 && w->dp != NULL) {
			collector_core_detach(w->core, w->dp);
			w->dp = NULL;
		} else {
			paper_leap(w->paper,
			    (int64_t)in_u8(&w->in) * 20 * ENV_MS);
		}
		break;
	}
}

static void
run(struct world *w, unsigned how)
{
	if (how & 16)
		attach(w, (how & 32) != 0);
	collector_core_adopted(w->core);
	for (unsigned i = 0;
	     i < STEPS && w->in.p < w->in.end && w->stopped == -1; i++)
		step(w, in_u8(&w->in));
	if (w->stopped == -1)
		collector_core_stop(w->core);
	for (int i = 0; i < 40 && w->stopped == -1; i++) {
		paper_answer(w->paper);
		paper_leap(w->paper, 500 * ENV_MS);
	}
	collector_core_free(w->core);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct collector_ops ops = { .stopped = stopped };
	static struct ring_segment *segment; /* for all runs */
	struct world w = { .in = { data, data + n }, .stopped = -1 };
	struct collector_options o = { .name = "n",
		.monitord = "unix:m",
		.spool_dir = "sp",
		.spool_limit_bytes = 16u << 20,
		.mask = COLLECTOR_MASK_ALL };
	unsigned how;

	fuzz_quiet();
	if (segment_layout(&w.layout, RING_BYTES / 4, RING_BYTES, RINGS,
		NAME_BYTES) == -1)
		abort();
	if (segment == NULL)
		segment = aligned_alloc(4096,
		    (w.layout.segment_bytes + 4095) / 4096 * 4096);
	memset(segment, 0, w.layout.segment_bytes);
	w.seg = segment;
	w.paper = paper_new();
	how = in_u8(&w.in);
	make_disk(&w, how);
	w.core = collector_core_new(paper_env(w.paper), &o, &ops, &w);
	if (w.core != NULL)
		run(&w, how);
	paper_free(w.paper);
	return (0);
}
