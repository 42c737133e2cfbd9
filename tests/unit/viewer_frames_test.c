/*
 * The frames of a log once more: all of them and each once, however slowly they
 * are taken; no new connection for what has come since; and word of it when
 * monitord, which has them, is gone.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "feed/feed_inside.h"
#include "model/model.h"
#include "peer.h"

#define FRAME_BYTES 60000
#define FRAMES      400 /* 24 MB: more than may wait */
#define WAIT_BYTES  ((size_t)16 << 20)
#define READ_BYTES  ((size_t)1 << 20) /* more than comes at once */
#define VIEWERS     8

struct server;

struct viewer {
	struct server *server;
	struct peer *peer; /* NULL: gone */
};

/* Plays monitord, of a log that is made up. */
struct server {
	struct env *env;
	struct env_listener *listener;
	struct viewer viewer[VIEWERS];
	unsigned viewers; /* that there were, or who looked who listens */
	unsigned asked;   /* so often for the log */
	struct viewer *follower; /* the first of them */
	char dir[64], address[96];
	struct buf log;
	uint32_t names;

	struct model *model;
	struct feed *feed;
	struct buf got;
};

static void
add_name(struct server *s)
{
	static char text[FRAME_BYTES];
	struct msg_name n = { .name = ++s->names };

	memset(text, 'a' + (int)(s->names % 26), sizeof(text));
	n.text = (struct bytes){ text, sizeof(text) };
	assert_int_equal(frame_append(&s->log, MSG_name, &n), 0);
}

/* The last of what is there: it has been read when this has come. */
static void
pulse(struct server *s, struct peer *p)
{
	struct msg_pulse m = { .log_bytes = s->log.n, .rate = s->names };

	assert_int_equal(peer_send(p, MSG_pulse, &m), 0);
}

static int
hear(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct viewer *v = arg;
	struct server *s = v->server;
	struct msg_welcome w = { .version = PROTO_VERSION,
		.run = { { 7 } },
		.log_bytes = s->log.n };
	const struct msg_subscribe *sub = msg;

	(void)f;
	(void)at_ns;
	if (type == MSG_hello)
		return (peer_send(v->peer, MSG_welcome, &w));
	assert_int_equal(type, MSG_subscribe);
	assert_true(sub->offset <= s->log.n);
	if (s->asked++ == 0)
		s->follower = v;
	assert_int_equal(peer_send_raw(v->peer, s->log.p + sub->offset,
			     s->log.n - sub->offset),
	    0);
	pulse(s, v->peer);
	return (0);
}

static void
viewer_gone(void *arg, const char *why)
{
	struct viewer *v = arg;

	(void)why; /* it has all */
	v->peer = NULL;
}

static void
accepted(void *arg, struct env_conn *conn)
{
	static const struct peer_ops ops = { .message = hear,
		.closed = viewer_gone };
	struct server *s = arg;
	struct viewer *v = &s->viewer[s->viewers++];

	assert_true(s->viewers <= VIEWERS);
	v->server = s;
	v->peer = peer_new(s->env, conn, "a viewer", &ops, v);
	assert_non_null(v->peer);
}

/* Runs the loop until cond holds, at most twenty seconds. */
#define WAIT_FOR(s, cond)                                                      \
	do {                                                                   \
		struct env *e_ = (s)->env;                                     \
		int64_t end_ = e_->ops->now_ns(e_) + 20 * ENV_SEC;             \
		while (!(cond)) {                                              \
			event_base_loop(env_event_base(e_), EVLOOP_NONBLOCK);  \
			usleep(200);                                           \
			assert_true(e_->ops->now_ns(e_) < end_);               \
		}                                                              \
	} while (0)

static bool
has_read(struct server *s, uint32_t names)
{
	struct feed_status st;

	feed_status(s->feed, &st);
	return (st.have_pulse && st.rate == names);
}

static struct server *
server_new(void)
{
	struct server *s = calloc(1, sizeof(*s));
	char why[200];
	int code;

	assert_non_null(s);
	snprintf(s->dir, sizeof(s->dir), "/tmp/orrery-frames.XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->address, sizeof(s->address), "unix:%s/sock", s->dir);
	s->env = env_event_new(NULL);
	assert_non_null(s->env);
	s->listener = s->env->ops->listen(s->env, s->address, accepted, s);
	assert_non_null(s->listener);
	while (s->names < FRAMES)
		add_name(s);
	s->model = model_new();
	s->feed = feed_new(s->model, NULL, s->address, why, sizeof(why), &code);
	assert_non_null(s->feed);
	assert_int_equal(feed_go(s->feed), 0);
	WAIT_FOR(s, has_read(s, FRAMES));
	return (s);
}

/* Nobody listens any more, and who was there is let go. */
static void
server_leaves(struct server *s)
{
	s->env->ops->listener_free(s->listener);
	s->listener = NULL;
	for (unsigned i = 0; i < s->viewers; i++) {
		peer_close(s->viewer[i].peer, false);
		s->viewer[i].peer = NULL;
	}
}

static void
server_free(struct server *s)
{
	feed_stop(s->feed);
	server_leaves(s);
	env_event_free(s->env);
	model_free(s->model);
	buf_free(&s->log);
	buf_free(&s->got);
	rmdir(s->dir);
	free(s);
}

/* So much waits; never is it much more than may. */
static size_t
waits(struct server *s)
{
	size_t n;

	pthread_mutex_lock(&s->feed->lock);
	n = s->feed->frames.in.n;
	pthread_mutex_unlock(&s->feed->lock);
	assert_true(n < WAIT_BYTES + READ_BYTES);
	return (n);
}

/* Takes what is there; the rest is as it should be. */
static enum feed_frames
take(struct server *s)
{
	uint64_t until;
	struct buf in;
	enum feed_frames got = feed_frames(s->feed, &in, &until);

	assert_true(until <= s->log.n);
	assert_int_equal(buf_add(&s->got, in.p, in.n), 0);
	buf_free(&in);
	return (got);
}

static void
takes_all(struct server *s, uint64_t from)
{
	enum feed_frames got;

	s->got.n = 0;
	WAIT_FOR(s, (got = take(s)) != FRAMES_MORE);
	assert_int_equal(got, FRAMES_END);
	assert_int_equal(s->got.n, s->log.n - from);
	assert_memory_equal(s->got.p, s->log.p + from, s->got.n);
}

static void
all_come_once(void **state)
{
	struct server *s = server_new();
	size_t frame = s->log.n / FRAMES;

	(void)state;
	feed_want_frames(s->feed, 0);
	takes_all(s, 0);
	feed_want_frames(s->feed, 7 * frame);
	takes_all(s, 7 * frame);
	/* what was wanted before is forgotten */
	feed_want_frames(s->feed, 0);
	WAIT_FOR(s, waits(s) > 0);
	feed_want_frames(s->feed, 3 * frame);
	takes_all(s, 3 * frame);
	server_free(s);
}

static void
who_takes_slowly_gets_all(void **state)
{
	struct server *s = server_new();

	(void)state;
	feed_want_frames(s->feed, 0);
	WAIT_FOR(s, waits(s) >= WAIT_BYTES);
	/* time enough for the rest to come, were it not held up */
	for (int i = 0; i < 200; i++) {
		event_base_loop(env_event_base(s->env), EVLOOP_NONBLOCK);
		usleep(200);
		waits(s);
	}
	takes_all(s, 0);
	server_free(s);
}

static void
what_comes_later_needs_no_connection(void **state)
{
	struct server *s = server_new();
	size_t before = s->log.n;
	uint64_t at;

	(void)state;
	feed_want_frames(s->feed, 0);
	takes_all(s, 0);
	for (int i = 0; i < 3; i++) {
		at = s->log.n;
		add_name(s);
		assert_int_equal(peer_send_raw(s->follower->peer, s->log.p + at,
				     s->log.n - at),
		    0);
	}
	pulse(s, s->follower->peer);
	WAIT_FOR(s, has_read(s, FRAMES + 3));
	assert_int_equal(s->asked, 2);
	server_leaves(s);
	feed_want_frames(s->feed, before);
	takes_all(s, before);
	assert_int_equal(s->asked, 2);
	server_free(s);
}

static void
without_monitord_that_is_said(void **state)
{
	struct server *s = server_new();
	enum feed_frames got;

	(void)state;
	server_leaves(s);
	feed_want_frames(s->feed, 0);
	WAIT_FOR(s, (got = take(s)) != FRAMES_MORE);
	assert_int_equal(got, FRAMES_FAILED);
	/* but nothing is missing behind what there is */
	feed_want_frames(s->feed, s->log.n);
	WAIT_FOR(s, (got = take(s)) != FRAMES_MORE);
	assert_int_equal(got, FRAMES_END);
	server_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_come_once),
		cmocka_unit_test(who_takes_slowly_gets_all),
		cmocka_unit_test(what_comes_later_needs_no_connection),
		cmocka_unit_test(without_monitord_that_is_said),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
