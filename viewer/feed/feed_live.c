/*
 * The feed from monitord.
 *
 * What comes are the frames of the log, so the place is an offset into it: a
 * connection that breaks is made again and goes on where it was.  When
 * another run answers, or this one's log is shorter than what was seen, a new
 * model is begun and handed to the window.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "env.h"
#include "feed/feed_inside.h"
#include "log.h"
#include "peer.h"
#include "plain.h"

/* Without monitord it is tried again; of a finished run ever more seldom. */
#define RETRY_NS      (ENV_SEC / 2)
#define RETRY_MOST_NS (30 * ENV_SEC)

struct live {
	struct feed *feed;
	struct env *env;
	struct peer *peer;
	struct env_timer *retry;
	struct event *stop, *want;
	struct uuid run;
	bool have_run;
	uint64_t offset;
	int64_t retry_ns; /* until it is tried again */
	bool have_log;
	char log[PATH_MAX]; /* if it lies here */
	char said[400];     /* the last complaint */
};

static void live_connect(void *);

static int
other_run(struct live *l)
{
	struct feed *f = l->feed;
	struct model *m = model_new();

	if (m == NULL) {
		feed_say(f, "out of memory for another run");
		return (-1);
	}
	model_set_memory(m, model_memory(f->model));
	again_drop(f);
	frames_drop(f);
	pthread_mutex_lock(&f->lock);
	model_free(f->next); /* one that the window never saw */
	f->next = m;
	f->status.finished = false;
	f->status.damaged_bytes = 0;
	pthread_mutex_unlock(&f->lock);
	f->model = m;
	l->offset = 0;
	return (0);
}

/* In the window at each attempt, in the log when it is something new. */
static void
live_complain(struct live *l, const char *text)
{
	if (strcmp(l->said, text) != 0)
		log_warnx("%s", text);
	snprintf(l->said, sizeof(l->said), "%s", text);
	feed_say(l->feed, "%s", text);
}

/* Under the lock: what is asked of the log can be, if it lies here. */
static void
note_log(struct live *l)
{
	struct feed_status *s = &l->feed->status;

	s->log[0] = '\0';
	if (l->have_log && strlen(l->log) < sizeof(s->log))
		memcpy(s->log, l->log, strlen(l->log) + 1);
}

static int
live_welcome(struct live *l, const struct msg_welcome *w)
{
	struct msg_subscribe sub;
	char text[sizeof(l->said)];

	if (w->version < PROTO_VERSION_MIN || w->version > PROTO_VERSION) {
		snprintf(text, sizeof(text),
		    "monitord speaks protocol version %u, the viewer %u to "
		    "%u; install the same release of orrery on both sides",
		    w->version, PROTO_VERSION_MIN, PROTO_VERSION);
		live_complain(l, text);
		return (-1);
	}
	if (l->have_run &&
	    (memcmp(&l->run, &w->run, sizeof(l->run)) != 0 ||
		w->log_bytes < l->offset) &&
	    other_run(l) == -1)
		return (-1);
	l->run = w->run;
	l->have_run = true;
	l->have_log = log_find(l->feed->address, &l->run, l->log);
	l->retry_ns = RETRY_NS;
	sub.offset = l->offset;
	pthread_mutex_lock(&l->feed->lock);
	note_log(l);
	l->feed->status.connected = true;
	l->feed->status.reading = true;
	pthread_mutex_unlock(&l->feed->lock);
	feed_say(l->feed, NULL);
	return (peer_send(l->peer, MSG_subscribe, &sub));
}

static void
live_pulse(struct live *l, const struct msg_pulse *p)
{
	struct feed_status *s = &l->feed->status;

	pthread_mutex_lock(&l->feed->lock);
	s->have_pulse = true;
	s->lag_ns = p->lag_ns;
	s->error_ns = p->error_ns;
	s->lost = p->lost;
	s->nodes = p->nodes;
	s->pos = p->pos;
	s->rate = p->rate;
	s->state = p->state;
	s->bytes = l->offset;
	s->bytes_total = p->log_bytes;
	s->reading = l->offset < p->log_bytes;
	pthread_mutex_unlock(&l->feed->lock);
	feed_wake(l->feed);
}

static int
live_refuse(struct live *l, const struct msg_refuse *r)
{
	char text[sizeof(l->said)];

	snprintf(text, sizeof(text), "monitord refuses: %.*s",
	    (int)(r->reason.n < sizeof(text) ? r->reason.n : sizeof(text)),
	    (const char *)r->reason.p);
	live_complain(l, text);
	return (-1);
}

static void
live_reply(struct live *l, const struct msg_reply *r)
{
	struct feed_status *s = &l->feed->status;

	pthread_mutex_lock(&l->feed->lock);
	plain(s->answer, sizeof(s->answer), r->text.p, r->text.n);
	s->answers++;
	pthread_mutex_unlock(&l->feed->lock);
	feed_wake(l->feed);
}

static int
live_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct live *l = arg;

	(void)at_ns;
	switch (type) {
	case MSG_welcome:
		return (live_welcome(l, msg));
	case MSG_refuse:
		return (live_refuse(l, msg));
	case MSG_pulse:
		live_pulse(l, msg);
		return (0);
	case MSG_reply:
		live_reply(l, msg);
		return (0);
	}
	if (type < MSG_run || type > MSG_symbol) {
		log_warnx("monitord: unexpected %s", msg_name(type));
		return (-1);
	}
	if (feed_frame(l->feed, f, l->offset) == -1)
		return (-1);
	frames_follow(l->feed, f, l->offset);
	l->offset += f->frame_bytes;
	if (type == MSG_receipt) {
		pthread_mutex_lock(&l->feed->lock);
		l->feed->status.finished = true;
		l->feed->status.reading = false;
		pthread_mutex_unlock(&l->feed->lock);
		feed_wake(l->feed);
		if (l->have_log)
			log_keep(l->feed, l->log);
	}
	feed_wake(l->feed);
	return (0);
}

void
feed_hello(struct peer *peer, const char *name)
{
	struct msg_hello hello = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_VIEWER,
		.name = { (const uint8_t *)name, strlen(name) },
		.pid = (uint32_t)getpid() };

	peer_send(peer, MSG_hello, &hello);
}

int
feed_subscribe(struct peer *peer, const struct msg_welcome *w,
    const struct uuid *run, uint64_t offset)
{
	struct msg_subscribe sub = { .offset = offset };

	if (memcmp(run, &w->run, sizeof(*run)) != 0)
		return (-1); /* the feed's own connection says so, too */
	return (peer_send(peer, MSG_subscribe, &sub));
}

static void
live_connected(void *arg)
{
	struct live *l = arg;

	feed_hello(l->peer, "viewer");
}

static void
wait_for_it(struct live *l, const char *why)
{
	struct feed *f = l->feed;
	bool was, finished;

	pthread_mutex_lock(&f->lock);
	was = l->have_run;
	finished = f->status.finished;
	f->status.connected = false;
	f->status.reading = false;
	pthread_mutex_unlock(&f->lock);
	if (finished)
		feed_say(f,
		    "the run is finished and monitord gone; `reconnect` or "
		    "any key asks for it again");
	else if (was)
		feed_say(f,
		    "monitord is gone (%s); waiting for it to come back",
		    why != NULL ? why : "closed");
	else
		feed_say(f,
		    "waiting for monitord at %s; start it with: monitord",
		    f->address);
	l->env->ops->timer_set(l->retry, l->retry_ns);
	if (finished)
		l->retry_ns = l->retry_ns * 2 < RETRY_MOST_NS ? l->retry_ns * 2
							      : RETRY_MOST_NS;
}

static void
live_closed(void *arg, const char *why)
{
	struct live *l = arg;

	l->peer = NULL;
	wait_for_it(l, why);
}

static const struct peer_ops live_ops = {
	.message = live_message,
	.connected = live_connected,
	.closed = live_closed,
};

static void
live_connect(void *arg)
{
	struct live *l = arg;

	l->peer =
	    peer_connect(l->env, l->feed->address, "monitord", &live_ops, l);
	if (l->peer == NULL)
		wait_for_it(l, strerror(errno));
}

/* Not when its time has come, but now; often from now on. */
static void
reconnect(struct live *l)
{
	bool now;

	pthread_mutex_lock(&l->feed->lock);
	now = l->feed->reconnect && l->peer == NULL;
	l->feed->reconnect = false;
	pthread_mutex_unlock(&l->feed->lock);
	if (!now)
		return;
	l->retry_ns = RETRY_NS;
	l->env->ops->timer_set(l->retry, 0);
}

/* What is recorded: the answer comes as a reply. */
static void
ask_probe(struct live *l)
{
	struct msg_request m = { .verb = BYTES_STR("probe") };
	char *text;

	pthread_mutex_lock(&l->feed->lock);
	text = l->feed->probe;
	l->feed->probe = NULL;
	pthread_mutex_unlock(&l->feed->lock);
	if (text != NULL && l->peer != NULL && l->have_run) {
		m.arguments = BYTES_STR(text);
		(void)peer_send(l->peer, MSG_request, &m); /* it may close */
	}
	free(text);
}

/* The window wants details, or monitord, or something of it. */
static void
live_want(evutil_socket_t fd, short what, void *arg)
{
	struct live *l = arg;
	uint64_t n;

	(void)what;
	if (read((int)fd, &n, sizeof(n)) == -1)
		return;
	reconnect(l);
	ask_probe(l);
	if (again_take(l->feed))
		again_connect(l->feed, l->env, &l->run);
	frames_take(l->feed, l->env, &l->run);
}

static void
live_stop(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	event_base_loopbreak(arg);
}

void *
feed_live_thread(void *arg)
{
	struct live l = { .feed = arg, .retry_ns = RETRY_NS };
	struct event_base *base;

	l.env = env_event_new(NULL);
	if (l.env == NULL) {
		feed_say(l.feed, "cannot start the event loop: %s",
		    strerror(errno));
		return (NULL);
	}
	base = env_event_base(l.env);
	l.retry = l.env->ops->timer_new(l.env, live_connect, &l);
	l.stop = event_new(base, l.feed->stop_fd, EV_READ, live_stop, base);
	l.want = event_new(base, l.feed->want_fd, EV_READ | EV_PERSIST,
	    live_want, &l);
	if (l.retry != NULL && l.stop != NULL && l.want != NULL &&
	    event_add(l.stop, NULL) == 0 && event_add(l.want, NULL) == 0) {
		live_connect(&l);
		event_base_dispatch(base);
	}
	peer_close(l.peer, false);
	again_drop(l.feed);
	frames_drop(l.feed);
	if (l.want != NULL)
		event_free(l.want);
	if (l.stop != NULL)
		event_free(l.stop);
	l.env->ops->timer_free(l.retry);
	env_event_free(l.env);
	return (NULL);
}
