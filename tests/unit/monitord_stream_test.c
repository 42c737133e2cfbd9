/* Viewers: the whole log, live, and what happens when one stops reading. */
#include "tests/unit/monitord_fake.h"

#define NOTHING UINT64_MAX

struct viewer {
	struct world *w;
	struct peer *peer;
	uint64_t from;  /* NOTHING: does not subscribe */
	struct buf log; /* the frames of the log as they came */
	uint64_t events, pulses;
	bool welcomed, receipt, refused, gone;
	int state; /* of the last pulse */
};

static int
viewer_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct viewer *v = arg;

	(void)at_ns;
	switch (type) {
	case MSG_welcome:
		v->welcomed = true;
		return (0);
	case MSG_refuse:
		v->refused = true;
		return (0);
	case MSG_pulse:
		v->pulses++;
		v->state = ((const struct msg_pulse *)msg)->state;
		return (0);
	case MSG_receipt:
		v->receipt = true;
		return (0);
	case MSG_block:
		v->events += ((const struct msg_block *)msg)->events;
		break;
	}
	return (buf_add(&v->log, f->body - FRAME_HEAD_BYTES, f->frame_bytes));
}

static void
viewer_connected(void *arg)
{
	struct viewer *v = arg;
	struct msg_hello h = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_VIEWER,
		.name = BYTES_STR("test") };
	struct msg_subscribe s = { .offset = v->from };

	peer_send(v->peer, MSG_hello, &h);
	if (v->from != NOTHING)
		peer_send(v->peer, MSG_subscribe, &s);
}

static void
viewer_closed(void *arg, const char *why)
{
	struct viewer *v = arg;

	(void)why;
	v->peer = NULL;
	v->gone = true;
}

static void
viewer_open(struct viewer *v, struct world *w, uint64_t from)
{
	static const struct peer_ops ops = { .message = viewer_message,
		.connected = viewer_connected,
		.closed = viewer_closed };

	memset(v, 0, sizeof(*v));
	v->w = w;
	v->from = from;
	v->peer = peer_connect(w->env, w->address, "viewer", &ops, v);
	assert_non_null(v->peer);
}

static void
viewer_free(struct viewer *v)
{
	peer_close(v->peer, false);
	buf_free(&v->log);
}

/* What was streamed is what stands in the file, byte for byte. */
static void
assert_same_as_file(const struct viewer *v)
{
	uint8_t *file = malloc(v->log.n + 1);
	FILE *f = fopen(v->w->log, "re");

	assert_non_null(file);
	assert_non_null(f);
	assert_int_equal(fseek(f, (long)v->from, SEEK_SET), 0);
	assert_int_equal(fread(file, 1, v->log.n, f), v->log.n);
	assert_memory_equal(file, v->log.p, v->log.n);
	fclose(f);
	free(file);
}

static void
a_viewer_gets_the_file_live_and_late(void **state)
{
	struct world w;
	struct fake f;
	struct viewer early, late;

	(void)state;
	open_one(&w, &f);
	viewer_open(&early, &w, 0);
	for (int i = 0; i < 20; i++) {
		fake_publish(&f, 500);
		WAIT_FOR(&w, early.events == f.published);
	}
	viewer_open(&late, &w, 0);
	WAIT_FOR(&w, late.events == f.published);
	assert_int_equal(late.log.n, early.log.n);
	assert_same_as_file(&early);
	assert_same_as_file(&late);
	/* going on from where one was */
	viewer_free(&late);
	viewer_open(&late, &w, early.log.n);
	fake_publish(&f, 10);
	WAIT_FOR(&w, late.events == 10 && early.events == f.published);
	assert_same_as_file(&late);
	assert_true(early.pulses > 0);
	core_finish(w.core);
	WAIT_FOR(&w, early.receipt && late.receipt);
	WAIT_FOR(&w, w.ended == 0);
	assert_int_equal(early.state, 2);
	viewer_free(&early);
	viewer_free(&late);
	close_one(&w, &f);
}

static void
who_does_not_subscribe_gets_nothing(void **state)
{
	struct world w;
	struct fake f;
	struct viewer quiet, other;

	(void)state;
	open_one(&w, &f);
	viewer_open(&quiet, &w, NOTHING);
	viewer_open(&other, &w, 0);
	WAIT_FOR(&w, quiet.welcomed);
	fake_publish(&f, 500);
	WAIT_FOR(&w, other.events == 500);
	for (uint64_t n = quiet.pulses + other.pulses;
	     quiet.pulses + other.pulses < n + 2;)
		event_base_loop(env_event_base(w.env), EVLOOP_ONCE);
	assert_int_equal(quiet.log.n, 0);
	viewer_free(&quiet);
	viewer_free(&other);
	close_one(&w, &f);
}

static void
an_offset_within_a_frame_is_refused(void **state)
{
	struct world w;
	struct viewer v;

	(void)state;
	world_open(&w);
	assert_int_equal(world_start(&w), 0);
	viewer_open(&v, &w, 7);
	WAIT_FOR(&w, v.gone);
	assert_true(v.refused);
	viewer_free(&v);
	viewer_open(&v, &w, 1u << 30);
	WAIT_FOR(&w, v.gone);
	assert_true(v.refused);
	viewer_free(&v);
	world_close(&w);
}

static size_t
memory_kib(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	size_t all, resident = 0;

	if (f != NULL && fscanf(f, "%zu %zu", &all, &resident) != 2)
		resident = 0;
	if (f != NULL)
		fclose(f);
	return (resident * 4);
}

/* Random values: they do not compress, so that the log is long. */
static void
publish_bulk(struct fake *f, size_t n)
{
	struct node_event *e = calloc(n, sizeof(*e));
	int64_t now = fake_now(f);

	for (size_t i = 0; i < n; i++)
		e[i] = (struct node_event){ .t_node_ns = now - (int64_t)(n - i),
			.a = f->w->env->ops->random(f->w->env),
			.b = f->w->env->ops->random(f->w->env),
			.kind = EV_mem_alloc };
	fake_run(f, ++f->number, f->next_seq, e, n);
	f->next_seq += n;
	f->published += n;
	free(e);
}

static void
one_that_stops_reading_holds_nobody_up(void **state)
{
	struct world w;
	struct fake f;
	struct viewer slow, quick;
	size_t before = 0, after;

	(void)state;
	open_one(&w, &f);
	viewer_open(&slow, &w, 0);
	viewer_open(&quick, &w, 0);
	WAIT_FOR(&w, slow.pulses > 0 && quick.pulses > 0);
	w.env->ops->read_pause(peer_conn(slow.peer), true);
	for (int i = 0; i < 60; i++) {
		publish_bulk(&f, 20000);
		WAIT_FOR(&w, quick.events == f.published);
		quick.log.n = 0;
		if (i == 10)
			before = memory_kib();
	}
	after = memory_kib();
	/* 50 x 20,000 events of 20 bytes: 20 MB that nobody keeps */
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
	assert_true(after < before + 8 * 1024);
#else
	(void)after;
	(void)before;
#endif
	WAIT_FOR(&w, f.acked == 60);
	w.env->ops->read_pause(peer_conn(slow.peer), false);
	WAIT_FOR(&w, slow.events == f.published);
	assert_same_as_file(&slow);
	viewer_free(&slow);
	viewer_free(&quick);
	assert_int_equal(world_finish(&w), 0);
	close_one(&w, &f);
}

/* A viewer that never reads again must not keep monitord from ending. */
static void
one_that_stopped_reading_does_not_stop_the_end(void **state)
{
	struct world w;
	struct fake f;
	struct viewer v;

	(void)state;
	open_one(&w, &f);
	viewer_open(&v, &w, 0);
	WAIT_FOR(&w, v.pulses > 0);
	w.env->ops->read_pause(peer_conn(v.peer), true);
	for (int i = 0; i < 10; i++)
		publish_bulk(&f, 20000);
	WAIT_FOR(&w, f.acked == 10);
	assert_int_equal(world_finish(&w), 0);
	viewer_free(&v);
	/* what was kept for it goes with it */
	for (int k = 0; k < 100; k++) {
		event_base_loop(env_event_base(w.env), EVLOOP_NONBLOCK);
		usleep(1000);
	}
	close_one(&w, &f);
}

/* It takes a little, again and again, and would for minutes. */
static void
one_that_hardly_reads_is_not_waited_for_without_end(void **state)
{
	struct world w;
	struct fake f;
	struct viewer v;
	int64_t look_ns;
	size_t had;
	int steps = 0;

	(void)state;
	open_one(&w, &f);
	viewer_open(&v, &w, 0);
	WAIT_FOR(&w, v.pulses > 0);
	w.env->ops->read_pause(peer_conn(v.peer), true);
	for (unsigned i = 1; i <= 30; i++) { /* a block each */
		publish_bulk(&f, 20000);
		WAIT_FOR(&w, f.acked == i);
	}
	core_finish(w.core);
	WAIT_FOR(&w, f.let_go);
	for (; w.ended == -1; steps++) {
		had = v.log.n;
		w.env->ops->read_pause(peer_conn(v.peer), false);
		WAIT_FOR(&w, v.log.n > had || v.gone);
		if (v.gone)
			break;
		w.env->ops->read_pause(peer_conn(v.peer), true);
		look_ns = w.env->ops->now_ns(w.env) + 70 * ENV_MS;
		while (w.ended == -1 && w.env->ops->now_ns(w.env) < look_ns)
			event_base_loop(env_event_base(w.env), EVLOOP_ONCE);
		world_pass(&w, 2 * ENV_SEC);
	}
	assert_int_equal(w.ended, 0);
	assert_true(steps < 15);
	assert_false(v.receipt);
	viewer_free(&v);
	close_one(&w, &f);
}

/*
 * All that it lacks is on its way, with the receipt behind it: that is given
 * up, too, and it is said.
 */
static void
who_has_not_got_the_last_bytes_is_named(void **state)
{
	struct world w;
	struct fake f;
	struct viewer v;
	FILE *said = tmpfile();
	int stderr_was = dup(STDERR_FILENO);
	char text[4096];

	(void)state;
	assert_non_null(said);
	open_one(&w, &f);
	viewer_open(&v, &w, 0);
	WAIT_FOR(&w, v.pulses > 0);
	w.env->ops->read_pause(peer_conn(v.peer), true);
	publish_bulk(&f, 20000); /* more than the kernel holds, less than all */
	WAIT_FOR(&w, f.acked == 1);
	core_finish(w.core);
	WAIT_FOR(&w, f.let_go);
	dup2(fileno(said), STDERR_FILENO);
	world_pass(&w, 4 * ENV_SEC);
	WAIT_FOR(&w, w.ended == 0);
	dup2(stderr_was, STDERR_FILENO);
	rewind(said);
	text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
	assert_non_null(strstr(text, "viewer test is not waited for"));
	fclose(said);
	close(stderr_was);
	viewer_free(&v);
	close_one(&w, &f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_viewer_gets_the_file_live_and_late),
		cmocka_unit_test(who_does_not_subscribe_gets_nothing),
		cmocka_unit_test(an_offset_within_a_frame_is_refused),
		cmocka_unit_test(one_that_stops_reading_holds_nobody_up),
		cmocka_unit_test(
		    one_that_stopped_reading_does_not_stop_the_end),
		cmocka_unit_test(who_has_not_got_the_last_bytes_is_named),
		cmocka_unit_test(
		    one_that_hardly_reads_is_not_waited_for_without_end),
	};

	log_init("monitord", getenv("V") != NULL ? atoi(getenv("V")) : 0);
	return (
	    cmocka_run_group_tests_name("monitord stream", tests, NULL, NULL));
}
