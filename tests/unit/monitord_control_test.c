/*
 * Control connections: every order of requests and hang-ups, up to the end of
 * the run and beyond.  What goes wrong is for the sanitizer to see; here it is
 * checked that each run ends and that who waited for it has been told.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "message.h"
#include "monitord/core.h"
#include "tests/check.h"
#include "tests/fuzz/paper.h"

#define STEPS 4 /* of two connections */

enum act {
	SHUTDOWN,
	STATUS,
	HANG_UP,
	ACTS
};

struct world {
	struct paper *paper;
	struct monitord_core *core;
	struct env_conn *conn[2];
	int told[2]; /* that the run has ended, with this code */
	int ended;
};

static void
ended(void *arg, int code)
{
	*(int *)arg = code;
}

static void
say(struct env_conn *c, enum msg_type type, const void *m)
{
	struct buf b = { 0 };

	assert_int_equal(frame_append(&b, type, m), 0);
	paper_deliver(c, b.p, b.n);
	buf_free(&b);
}

static struct env_conn *
caller(struct paper *p)
{
	struct msg_hello h = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_CONTROL,
		.name = BYTES_STR("test") };
	struct env_conn *c = paper_dial(p);

	assert_non_null(c);
	say(c, MSG_hello, &h);
	return (c);
}

/*
 * A node that is awaited keeps the run from ending before GONE_NS have passed,
 * so that all steps of a sequence fall into its end.
 */
static void
world_open(struct world *w, bool awaited)
{
	const char *listen = "unix:x";
	struct core_settings set = { .log_path = "run.orr",
		.run_name = "test",
		.listen = &listen,
		.nlisten = 1,
		.open = true };
	struct msg_hello h = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_COLLECTOR,
		.name = BYTES_STR("n1"),
		.machine = BYTES_STR("m"),
		.epoch = 1 };
	struct store_error err;
	struct env_conn *node;

	w->paper = paper_new();
	w->ended = w->told[0] = w->told[1] = -1;
	w->core = core_new(paper_env(w->paper), &set, ended, &w->ended, &err);
	assert_non_null(w->core);
	if (awaited) {
		node = paper_dial(w->paper);
		say(node, MSG_hello, &h);
		assert_true(paper_is_open(node));
		paper_hang_up(node);
	}
	for (size_t i = 0; i < 2; i++)
		w->conn[i] = caller(w->paper);
}

static void
world_close(struct world *w)
{
	core_free(w->core);
	paper_free(w->paper);
}

static void
step(struct world *w, unsigned what)
{
	static const char *const verb[] = { "shutdown", "status" };
	struct env_conn *c = w->conn[what / ACTS];
	enum act act = what % ACTS;
	struct msg_request m;

	if (act == HANG_UP) {
		paper_hang_up(c);
		return;
	}
	m = (struct msg_request){ .verb = BYTES_STR(verb[act]) };
	say(c, MSG_request, &m);
}

/* The code of the last piece of the answer to shutdown; -1: none has come. */
static int
answer(struct env_conn *c)
{
	struct msg_reply m;
	struct frame f;
	size_t n, at = 0;
	const uint8_t *p = paper_fetch(c, &n);
	int code = -1;

	for (; at < n && frame_parse(p + at, n - at, &f) == FRAME_OK;
	     at += f.frame_bytes) {
		if (f.type != MSG_reply)
			continue;
		assert_int_equal(msg_decode(f.type, f.body, f.body_bytes, &m),
		    0);
		if (!m.more)
			code = m.code;
	}
	return (code);
}

/* Looks at what each connection has been told meanwhile. */
static void
listen_to(struct world *w)
{
	int code;

	for (size_t i = 0; i < 2; i++)
		if ((code = answer(w->conn[i])) != -1)
			w->told[i] = code;
}

static void
run_sequence(const unsigned *what, bool awaited, int64_t between_ns)
{
	struct world w;
	bool asks[2] = { false, false };

	world_open(&w, awaited);
	for (size_t i = 0; i < STEPS; i++) {
		size_t who = what[i] / ACTS;

		step(&w, what[i]);
		if (what[i] % ACTS == STATUS)
			(void)answer(w.conn[who]); /* at once */
		if (what[i] % ACTS == SHUTDOWN && paper_is_open(w.conn[who]))
			asks[who] = true;
		paper_run(w.paper, between_ns, 1000);
		listen_to(&w);
	}
	core_finish(w.core);
	for (int i = 0; i < 40 && w.ended == -1; i++)
		paper_run(w.paper, ENV_SEC, 10000);
	assert_int_not_equal(w.ended, -1);
	listen_to(&w);
	for (size_t i = 0; i < 2; i++)
		if (asks[i] && paper_is_open(w.conn[i]))
			assert_int_equal(w.told[i], w.ended);
	world_close(&w);
}

static void
run_all(bool awaited, int64_t between_ns)
{
	unsigned what[STEPS] = { 0 };
	size_t i;

	do {
		run_sequence(what, awaited, between_ns);
		for (i = 0; i < STEPS && ++what[i] == 2 * ACTS; i++)
			what[i] = 0;
	} while (i < STEPS);
}

static void
every_order_of_requests_and_hang_ups_is_survived(void **state)
{
	(void)state;
	run_all(true, 0);
	run_all(true, ENV_SEC);
}

/* The run is over at once, and the requests go on. */
static void
and_so_it_is_when_the_run_is_over(void **state)
{
	(void)state;
	run_all(false, 60 * ENV_MS);
}

/* As the use after free was found. */
static void
who_asks_twice_and_hangs_up_is_forgotten(void **state)
{
	const unsigned what[STEPS] = { SHUTDOWN, SHUTDOWN, HANG_UP,
		ACTS + STATUS };

	(void)state;
	run_sequence(what, true, ENV_SEC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_twice_and_hangs_up_is_forgotten),
		cmocka_unit_test(
		    every_order_of_requests_and_hang_ups_is_survived),
		cmocka_unit_test(and_so_it_is_when_the_run_is_over),
	};

	log_init("test", -1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
