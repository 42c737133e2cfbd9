/* For the tests of the drain: one program, and all that came out, decoded. */
#ifndef TESTS_COLLECTOR_SWEEP_H
#define TESTS_COLLECTOR_SWEEP_H

#include "tests/unit/collector_fixture.h"

#include "batch.h"

#define EVENTS_MAX 16384

struct fixture {
	struct env *env;
	char dir[64];
	struct ident *ident;
	struct batch_writer *writer;
	struct drain *drain;
	struct program program;
	int64_t now_ns;
	/* what came out, decoded */
	struct {
		uint32_t stream;
		uint64_t seq;
		struct node_event e;
	} out[EVENTS_MAX];
	size_t nout;
	unsigned names, threads;
	char last_name[64];
	unsigned batches;
	size_t largest; /* of them, bytes */
	bool refuse;    /* the spool is full */
	bool unsaved;   /* the journal is */
};

static inline int
out_definition(void *arg, const struct frame *f)
{
	struct fixture *fx = arg;
	struct msg_name m;

	fx->threads += f->type == MSG_thread;
	if (f->type != MSG_name ||
	    msg_decode(MSG_name, f->body, f->body_bytes, &m) == -1 ||
	    m.name >= IDENT_NAME_PROGRAM)
		return (0);
	fx->names++;
	snprintf(fx->last_name, sizeof(fx->last_name), "%.*s", (int)m.text.n,
	    (const char *)m.text.p);
	return (0);
}

static inline int
out_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct fixture *fx = arg;

	for (size_t i = 0; i < n; i++) {
		assert_true(fx->nout < EVENTS_MAX);
		fx->out[fx->nout].stream = stream;
		fx->out[fx->nout].seq = first_seq + i;
		fx->out[fx->nout++].e = e[i];
	}
	return (0);
}

/* The batch goes to where it is safe. */
static inline int
spooled(void *arg)
{
	static const struct batch_sink sink = { out_definition, out_events };
	struct fixture *fx = arg;

	if (fx->refuse)
		return (-1);
	assert_int_equal(batch_decode(batch_bytes(fx->writer), &sink, fx), 0);
	fx->batches++;
	if (batch_bytes(fx->writer).n > fx->largest)
		fx->largest = batch_bytes(fx->writer).n;
	batch_writer_reset(fx->writer);
	drain_cut(fx->drain);
	drain_taken(fx->drain);
	return (0);
}

static const struct drain_ops drain_ops = { .full = spooled };

static inline void
tick(struct fixture *fx, int64_t ns)
{
	struct clock_pair pairs[DRAIN_CLOCKS];

	fx->now_ns += ns;
	for (int c = 0; c < DRAIN_CLOCKS; c++)
		pairs[c] = (struct clock_pair){
			.t_cycles = (uint64_t)fx->now_ns,
			.t_node_ns = fx->now_ns,
		};
	drain_clock(fx->drain, pairs);
}

/* One round: look, take, spool, reap, and release what is saved. */
static inline void
sweep(struct fixture *fx)
{
	tick(fx, ENV_MS);
	drain_look(fx->drain);
	if (drain_take(fx->drain, fx->now_ns) == 0 && spooled(fx) == 0) {
		drain_reap(fx->drain);
		if (!fx->unsaved)
			drain_release(fx->drain);
	}
}

static inline int
set_up(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));
	struct msg_po m = { .po = 1,
		.pid = 42,
		.program = BYTES_STR("app"),
		.command = BYTES_STR("./app") };
	struct po *po;

	log_init("test", -1);
	dir_make(fx->dir, sizeof(fx->dir));
	fx->env = env_event_new(NULL);
	fx->ident = ident_open(fx->env, fx->dir);
	fx->writer = batch_writer_new();
	fx->drain = drain_new(fx->ident, fx->writer, &drain_ops, fx, NULL);
	assert_non_null(fx->drain);
	fx->now_ns = 1000 * ENV_MS;
	for (int i = 0; i < 12; i++)
		tick(fx, ENV_MS);
	program_init(&fx->program, 4, 4096);
	po = ident_po_new(fx->ident, &m);
	assert_non_null(ident_stream_new(fx->ident, po, 0, 42, ""));
	fx->program.dp =
	    drain_attach(fx->drain, po, &fx->program.source, false, fx->now_ns);
	assert_non_null(fx->program.dp);
	*state = fx;
	return (0);
}

static inline int
tear_down(void **state)
{
	struct fixture *fx = *state;

	drain_free(fx->drain);
	batch_writer_free(fx->writer);
	ident_free(fx->ident);
	dir_remove(fx->dir);
	env_event_free(fx->env);
	free(fx->program.seg);
	free(fx);
	return (0);
}

static inline struct stream *
stream_of(struct fixture *fx, uint32_t thread)
{
	struct stream *st = ident_stream(fx->ident, 1, thread);

	assert_non_null(st);
	return (st);
}

static inline size_t
count(const struct fixture *fx, uint32_t stream, unsigned kind)
{
	size_t n = 0;

	for (size_t i = 0; i < fx->nout; i++)
		n += fx->out[i].stream == stream && fx->out[i].e.kind == kind;
	return (n);
}

struct writer {
	struct program *program;
	struct ring *ring;
	int64_t from_ns;
};

#endif
