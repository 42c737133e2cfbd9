/*
 * The real env and framed peers over it: what collector and monitord rely on.
 */
#include "tests/check.h"

#include <sys/stat.h>

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "log.h"
#include "peer.h"

static char dir[64];
static struct env *env;
static const struct env_ops *op;

static int
setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/orrery-env-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return (-1);
	env = env_event_new(NULL);
	op = env != NULL ? env->ops : NULL;
	return (env == NULL ? -1 : 0);
}

static int
teardown(void **state)
{
	char command[128];

	(void)state;
	env_event_free(env);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return (system(command));
}

/* Runs the loop until *done or the limit. */
static void
run_until(const int *done)
{
	struct timeval limit = { .tv_sec = 5 };

	event_base_loopexit(env_event_base(env), &limit);
	while (!*done && !event_base_got_exit(env_event_base(env)))
		event_base_loop(env_event_base(env), EVLOOP_ONCE);
	assert_true(*done);
}

struct end {
	struct peer *peer;
	int messages, closed, done, connected, drained;
	uint64_t last;
	char why[128];
	int reject; /* answer this message with -1 */
	bool close_inside;
};

static int
end_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct end *e = arg;

	assert_true(at_ns <= op->now_ns(env));
	assert_int_equal(f->type, type);
	e->messages++;
	if (type == MSG_ack)
		e->last = ((const struct msg_ack *)msg)->number;
	if (e->close_inside) {
		peer_close(e->peer, false);
		e->peer = NULL;
		e->done = 1;
		return (0);
	}
	if (e->reject == e->messages)
		return (-1);
	if (e->last == 1000)
		e->done = 1;
	return (0);
}

static void
end_connected(void *arg)
{
	((struct end *)arg)->connected = 1;
}

static void
end_drained(void *arg)
{
	((struct end *)arg)->drained = 1;
}

static void
end_closed(void *arg, const char *why)
{
	struct end *e = arg;

	e->closed = e->done = 1;
	e->peer = NULL;
	snprintf(e->why, sizeof(e->why), "%s", why != NULL ? why : "");
}

static const struct peer_ops end_ops = { end_message, end_connected,
	end_drained, end_closed };

static struct end *server;

static void
accepted(void *arg, struct env_conn *c)
{
	(void)arg;
	server->peer = peer_new(env, c, "client", &end_ops, server);
	assert_non_null(server->peer);
}

static struct env_listener *
start_pair(struct end *a, struct end *b, char *address, size_t n)
{
	struct env_listener *l;

	memset(a, 0, sizeof(*a));
	memset(b, 0, sizeof(*b));
	snprintf(address, n, "unix:%s/s", dir);
	l = op->listen(env, address, accepted, NULL);
	assert_non_null(l);
	server = b;
	a->peer = peer_connect(env, address, "server", &end_ops, a);
	assert_non_null(a->peer);
	return (l);
}

static void
messages_arrive_whole_and_in_order(void **state)
{
	struct env_listener *l;
	struct end a, b;
	char address[100];

	(void)state;
	l = start_pair(&a, &b, address, sizeof(address));
	for (uint64_t i = 1; i <= 1000; i++)
		assert_int_equal(peer_send(a.peer, MSG_ack,
				     &(struct msg_ack){ .number = i }),
		    0);
	run_until(&b.done);
	assert_int_equal(b.messages, 1000);
	assert_true(a.connected);
	peer_close(a.peer, false);
	b.done = 0;
	run_until(&b.done);
	assert_int_equal(b.closed, 1);
	assert_string_equal(b.why, "");
	op->listener_free(l);
}

static void
a_fault_closes_that_peer(void **state)
{
	static const char garbage[] = "GET / HTTP/1.0\r\n\r\n........";
	struct env_listener *l;
	struct end a, b;
	char address[100];

	(void)state;
	l = start_pair(&a, &b, address, sizeof(address));
	peer_send_raw(a.peer, garbage, sizeof(garbage));
	run_until(&b.done);
	assert_int_equal(b.closed, 1);
	assert_int_equal(b.messages, 0);
	peer_close(a.peer, false);
	op->listener_free(l);
}

static void
a_handler_may_refuse_or_close(void **state)
{
	struct env_listener *l;
	struct end a, b;
	char address[100];

	(void)state;
	for (int inside = 0; inside < 2; inside++) {
		l = start_pair(&a, &b, address, sizeof(address));
		b.close_inside = inside;
		b.reject = 2;
		for (uint64_t i = 1; i <= 5; i++)
			peer_send(a.peer, MSG_ack,
			    &(struct msg_ack){ .number = i });
		run_until(&a.done); /* sees its end */
		assert_int_equal(b.messages, inside ? 1 : 2);
		assert_int_equal(b.closed, inside ? 0 : 1);
		op->listener_free(l);
	}
}

static void
a_reader_that_stops_holds_nobody_up(void **state)
{
	static uint8_t big[4 << 20];
	struct env_listener *l;
	struct end a, b;
	char address[100];
	struct msg_batch m = { .number = 1, .streams = { big, sizeof(big) } };

	(void)state;
	l = start_pair(&a, &b, address, sizeof(address));
	peer_send(a.peer, MSG_ack, &(struct msg_ack){ .number = 7 });
	while (b.messages == 0)
		event_base_loop(env_event_base(env), EVLOOP_ONCE);
	op->read_pause(peer_conn(b.peer), true);
	assert_int_equal(peer_send(a.peer, MSG_batch, &m), 0);
	for (int i = 0; i < 20; i++)
		event_base_loop(env_event_base(env), EVLOOP_NONBLOCK);
	assert_true(peer_queued(a.peer) > 1 << 20);
	assert_int_equal(b.messages, 1);
	op->read_pause(peer_conn(b.peer), false);
	run_until(&a.drained);
	while (b.messages < 2)
		event_base_loop(env_event_base(env), EVLOOP_ONCE);
	peer_close(a.peer, false);
	b.done = 0;
	run_until(&b.done);
	op->listener_free(l);
}

static void
nobody_there_is_told_soon(void **state)
{
	struct end a = { 0 };
	char address[100];

	(void)state;
	snprintf(address, sizeof(address), "unix:%s/none", dir);
	a.peer = peer_connect(env, address, "none", &end_ops, &a);
	assert_non_null(a.peer);
	run_until(&a.done);
	assert_int_equal(a.connected, 0);
	assert_true(a.why[0] != '\0');
	assert_null(peer_connect(env, "tcp:example.com:1", "x", &end_ops, &a));
	assert_int_equal(errno, EINVAL);
	assert_null(peer_connect(env, "pigeon:7", "x", &end_ops, &a));
}

static void
a_stale_socket_is_taken_over_a_live_one_is_not(void **state)
{
	struct env_listener *l, *l2;
	char address[100], copy[100];
	struct stat st;

	(void)state;
	snprintf(address, sizeof(address), "unix:%s/t", dir);
	snprintf(copy, sizeof(copy), "%s/t2", dir);
	l = op->listen(env, address, accepted, NULL);
	assert_non_null(l);
	assert_int_equal(stat(address + 5, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	l2 = op->listen(env, address, accepted, NULL);
	assert_null(l2);
	assert_int_equal(errno, EADDRINUSE);
	assert_int_equal(link(address + 5, copy), 0);
	op->listener_free(l); /* leaves the second name without a listener */
	assert_int_equal(rename(copy, address + 5), 0);
	l = op->listen(env, address, accepted, NULL);
	assert_non_null(l);
	op->listener_free(l);
	assert_int_equal(stat(address + 5, &st), -1);
}

static void
tick(void *arg)
{
	(*(int *)arg)++;
}

static void
timers_fire_once_and_not_early(void **state)
{
	int fired = 0, never = 0;
	struct env_timer *t = op->timer_new(env, tick, &fired);
	struct env_timer *u = op->timer_new(env, tick, &never);
	int64_t from = op->now_ns(env);

	(void)state;
	op->timer_set(t, 3 * ENV_MS);
	op->timer_set(u, ENV_MS);
	op->timer_stop(u);
	run_until(&fired);
	assert_true(op->now_ns(env) - from >= 29 * ENV_MS / 10);
	assert_int_equal(fired, 1);
	assert_int_equal(never, 0);
	op->timer_free(t);
	op->timer_free(u);
}

#define WORKS 500 /* and then no more: 1.2 s */
static struct env_timer *busy;
static int works;

static void
work(void *arg)
{
	int64_t until = op->now_ns(env) + 2 * ENV_MS;

	while (op->now_ns(env) < until)
		;
	(void)arg;
	if (++works < WORKS)
		op->timer_set(busy, ENV_MS / 2);
}

/* A timer's delay begins when it is set: what else there is has its turn. */
static void
a_timer_that_works_longer_than_it_waits_starves_nobody(void **state)
{
	struct env_listener *l;
	struct end a, b;
	char address[100];

	(void)state;
	busy = op->timer_new(env, work, NULL);
	op->timer_set(busy, 0);
	l = start_pair(&a, &b, address, sizeof(address));
	for (uint64_t i = 1; i <= 1000; i++)
		peer_send(a.peer, MSG_ack, &(struct msg_ack){ .number = i });
	run_until(&b.done);
	assert_int_equal(b.messages, 1000);
	assert_in_range(works, 0, WORKS - 1);
	op->timer_free(busy);
	peer_close(a.peer, false);
	b.done = 0;
	run_until(&b.done);
	op->listener_free(l);
}

static void
the_test_clock_is_ahead_and_fast(void **state)
{
	struct env *fast = env_event_new("2.5,100");
	int64_t a, b, raw = 1000 * ENV_SEC;

	(void)state;
	assert_non_null(fast);
	a = env_event_node_ns(fast, raw);
	b = env_event_node_ns(fast, raw + 10 * ENV_SEC);
	assert_int_equal(a, raw + 2500 * ENV_MS + raw / 10000);
	assert_int_equal(b - a, 10 * ENV_SEC + ENV_MS);
	assert_string_not_equal(fast->ops->machine(fast), op->machine(env));
	env_event_free(fast);
	assert_null(env_event_new("soon"));
	assert_int_equal(errno, EINVAL);
	assert_null(env_event_new("1,9999"));
	assert_null(env_event_new("1,2,3,4"));
}

static int
count_name(void *arg, const char *name)
{
	assert_string_equal(name, "f");
	(*(int *)arg)++;
	return (0);
}

static void
files_keep_what_is_written(void **state)
{
	char path[128], deep[100], buf[16];
	struct env_file *f, *g;
	int names = 0;

	(void)state;
	snprintf(deep, sizeof(deep), "%s/a/b/c", dir);
	assert_int_equal(op->mkdir(env, deep), 0);
	assert_int_equal(op->mkdir(env, deep), 0);
	snprintf(path, sizeof(path), "%s/f", deep);
	f = op->open(env, path, ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE);
	assert_non_null(f);
	assert_null(
	    op->open(env, path, ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE));
	assert_int_equal(op->write_at(f, "hello", 5, 3), 5);
	assert_int_equal(op->size(f), 8);
	assert_int_equal(op->read_at(f, buf, sizeof(buf), 3), 5);
	assert_memory_equal(buf, "hello", 5);
	assert_int_equal(op->truncate(f, 5), 0);
	assert_int_equal(op->size(f), 5);
	assert_int_equal(op->sync(f), 0);
	assert_int_equal(op->sync_dir(env, deep), 0);
	assert_int_equal(op->lock(f), 0);
	g = op->open(env, path, ENV_READ);
	assert_int_equal(op->lock(g), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	op->file_close(g);
	op->file_close(f);
	assert_int_equal(op->list(env, deep, count_name, &names), 0);
	assert_int_equal(names, 1);
	assert_int_equal(op->unlink(env, path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_arrive_whole_and_in_order),
		cmocka_unit_test(a_fault_closes_that_peer),
		cmocka_unit_test(a_handler_may_refuse_or_close),
		cmocka_unit_test(a_reader_that_stops_holds_nobody_up),
		cmocka_unit_test(nobody_there_is_told_soon),
		cmocka_unit_test(
		    a_stale_socket_is_taken_over_a_live_one_is_not),
		cmocka_unit_test(timers_fire_once_and_not_early),
		cmocka_unit_test(
		    a_timer_that_works_longer_than_it_waits_starves_nobody),
		cmocka_unit_test(the_test_clock_is_ahead_and_fast),
		cmocka_unit_test(files_keep_what_is_written),
	};

	log_init("common_env_test", 0);
	return (cmocka_run_group_tests(tests, setup, teardown));
}
