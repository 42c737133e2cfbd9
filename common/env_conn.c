/*
 * Connections of the real env: non-blocking stream sockets on libevent.
 *
 * Not bufferevents, for two reasons: a clock probe needs the time when it came
 * (env_stamp.h) and a write that goes out at once, and a reader that stops must
 * cost nothing but what its owner queues.
 *
 * A call-back may close the connection it is called for.  `depth` counts the
 * call-backs under way; the struct is freed when it is closed and none is.
 */
#include <sys/socket.h>
#include <sys/un.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env_real.h"
#include "env_stamp.h"
#include "log.h"
#include "owner.h"

#define KEPT_BYTES      (64u << 10) /* of an empty queue */
#define IN_BYTES_MAX    (16u << 20) /* more than any frame */
#define LOW_MARK_BYTES  (64u << 10)
#define FLUSH_LIMIT_SEC 5

struct bytes_queue {
	uint8_t *p;
	size_t from, to, cap; /* what is queued is p[from..to) */
};

struct env_conn {
	struct env *env;
	int fd;
	struct event *rd, *wr, *soon;
	const struct env_conn_ops *ops;
	void *arg;
	struct bytes_queue in, out;
	int depth;
	int error;       /* errno of a failure to be told soon */
	bool connecting; /* writable means connected */
	bool urgent;     /* the kernel says when it has come */
	struct env_stamp_pair stamped;
	bool paused, above_mark;
	bool closed;    /* no call-back may come any more */
	bool lingering; /* closed, but what is queued is still sent */
	TAILQ_ENTRY(env_conn) entry; /* of those lingering */
};

static const struct env_conn_ops no_ops;

static int
queue_reserve(struct bytes_queue *q, size_t n)
{
	size_t held = q->to - q->from, cap = q->cap;
	uint8_t *p;

	if (q->to + n <= q->cap)
		return (0);
	if (held + n <= q->cap && q->from >= q->cap / 2) {
		memmove(q->p, q->p + q->from, held);
	} else {
		cap = cap == 0 ? 4096 : cap;
		while (cap < held + n)
			cap *= 2;
		p = malloc(cap);
		if (p == NULL)
			return (-1);
		if (held > 0)
			memcpy(p, q->p + q->from, held);
		free(q->p);
		q->p = p;
		q->cap = cap;
	}
	q->from = 0;
	q->to = held;
	return (0);
}

static void
conn_free(struct env_conn *c)
{
	if (c->lingering)
		TAILQ_REMOVE(&((struct env_real *)c->env)->lingering, c, entry);
	if (c->rd != NULL)
		event_free(c->rd);
	if (c->wr != NULL)
		event_free(c->wr);
	if (c->soon != NULL)
		event_free(c->soon);
	if (c->fd != -1)
		close(c->fd);
	free(c->in.p);
	free(c->out.p);
	free(c);
}

/* The other side is gone, or at fault: tell the owner and free. */
static void
conn_lost(struct env_conn *c, const char *why)
{
	if (!c->closed) {
		c->closed = true;
		c->depth++;
		if (c->ops->closed != NULL)
			c->ops->closed(c->arg, why);
		c->depth--;
	}
	if (c->depth == 0)
		conn_free(c);
}

/* Failures inside send() are told from the loop, not from within the call. */
static void
conn_fail_soon(struct env_conn *c, int error)
{
	c->error = error;
	event_del(c->rd);
	event_del(c->wr);
	event_active(c->soon, EV_TIMEOUT, 0);
}

static void
on_soon(evutil_socket_t fd, short what, void *arg)
{
	struct env_conn *c = arg;

	(void)fd;
	(void)what;
	if (c->lingering) /* took too long */
		conn_free(c);
	else
		conn_lost(c, c->error != 0 ? strerror(c->error) : NULL);
}

/*
 * Offers bytes to the owner.  How many it has used; -1 when the connection is
 * gone.
 */
static ssize_t
conn_offer(struct env_conn *c, const uint8_t *p, size_t n, int64_t at_ns)
{
	ssize_t used = (ssize_t)n;

	c->depth++;
	if (c->ops->received != NULL)
		used = c->ops->received(c->arg, p, n, at_ns);
	c->depth--;
	if (c->closed) {
		if (!c->lingering && c->depth == 0)
			conn_free(c);
		return (-1);
	}
	if (used < 0)
		conn_lost(c, "closed by us");
	return (used);
}

/* What is not used yet is kept, and no more than that. */
static int
conn_keep(struct env_conn *c, const uint8_t *p, size_t n)
{
	if (n == 0)
		return (0);
	if (queue_reserve(&c->in, n) == -1) {
		conn_lost(c, strerror(ENOMEM));
		return (-1);
	}
	memcpy(c->in.p + c->in.to, p, n);
	c->in.to += n;
	return (0);
}

/* Bytes have come behind what was kept. */
static void
conn_came(struct env_conn *c, const uint8_t *p, size_t n, int64_t at_ns)
{
	struct bytes_queue *q = &c->in;
	ssize_t used;

	if (q->from == q->to) { /* nothing was: no copy is needed */
		used = conn_offer(c, p, n, at_ns);
		if (used >= 0)
			(void)conn_keep(c, p + used, n - (size_t)used);
		return;
	}
	if (conn_keep(c, p, n) == -1)
		return;
	used = conn_offer(c, q->p + q->from, q->to - q->from, at_ns);
	if (used < 0)
		return;
	q->from += (size_t)used;
	if (q->to - q->from > IN_BYTES_MAX) {
		conn_lost(c, "sent more than a message can hold");
		return;
	}
	if (q->from < q->to)
		return;
	if (q->cap > KEPT_BYTES) {
		free(q->p);
		*q = (struct bytes_queue){ 0 };
	}
	q->from = q->to = 0;
}

static ssize_t
conn_read(struct env_conn *c, uint8_t *p, size_t room, int64_t *at_ns)
{
	ssize_t n;

	if (c->urgent) {
		n = env_stamp_read(c->fd, p, room, &c->stamped, at_ns);
		*at_ns = env_event_node_ns(c->env, *at_ns);
	} else {
		n = read(c->fd, p, room);
		*at_ns = env_real_now(c->env);
	}
	return (n);
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct env_conn *c = arg;
	struct env_real *er = (struct env_real *)c->env;
	int64_t at_ns = 0;
	ssize_t n;

	(void)fd;
	(void)what;
	n = conn_read(c, er->scratch, sizeof(er->scratch), &at_ns);
	if (n == -1 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n == -1) {
		conn_lost(c, strerror(errno));
		return;
	}
	if (n == 0) {
		conn_lost(c, c->in.to > c->in.from
				 ? "ended in the middle of a message"
				 : NULL);
		return;
	}
	conn_came(c, er->scratch, (size_t)n, at_ns);
}

/* Writes what it can.  -1 with errno when the connection has failed. */
static int
conn_write(struct env_conn *c)
{
	ssize_t n;

	while (c->out.from < c->out.to) {
		n = send(c->fd, c->out.p + c->out.from, c->out.to - c->out.from,
		    MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return (errno == EAGAIN ? 0 : -1);
		c->out.from += (size_t)n;
	}
	c->out.from = c->out.to = 0;
	return (0);
}

static void
conn_made(struct env_conn *c)
{
	socklen_t len = sizeof(c->error);
	struct sockaddr_un un = { 0 };
	unsigned uid;

	c->connecting = false;
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &c->error, &len) == -1)
		c->error = errno;
	if (c->error == 0 && !owner_is_trusted(c->fd, &uid)) {
		len = sizeof(un) - 1;
		(void)getpeername(c->fd, (struct sockaddr *)&un, &len);
		log_warnx("%s is served by another user (%u)", un.sun_path,
		    uid);
		conn_lost(c, "it is served by another user");
		return;
	}
	if (c->error != 0) {
		conn_lost(c, strerror(c->error));
		return;
	}
	if (!c->paused)
		event_add(c->rd, NULL);
	if (c->out.from == c->out.to)
		event_del(c->wr);
	c->depth++;
	if (c->ops->connected != NULL)
		c->ops->connected(c->arg);
	c->depth--;
	if (c->closed && !c->lingering && c->depth == 0)
		conn_free(c);
}

static void
on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct env_conn *c = arg;

	(void)fd;
	(void)what;
	if (c->connecting) {
		conn_made(c);
		return;
	}
	if (conn_write(c) == -1) {
		if (c->lingering)
			conn_free(c);
		else
			conn_lost(c, strerror(errno));
		return;
	}
	if (c->out.from == c->out.to) {
		event_del(c->wr);
		if (c->lingering) {
			conn_free(c);
			return;
		}
	}
	if (c->above_mark && !c->closed &&
	    c->out.to - c->out.from < LOW_MARK_BYTES) {
		c->above_mark = false;
		c->depth++;
		if (c->ops->drained != NULL)
			c->ops->drained(c->arg);
		c->depth--;
		if (c->closed && !c->lingering && c->depth == 0)
			conn_free(c);
	}
}

static struct env_conn *
conn_new(struct env *env, int fd)
{
	struct event_base *base = ((struct env_real *)env)->base;
	struct env_conn *c = calloc(1, sizeof(*c));
	int one = 1;

	if (c == NULL)
		return (NULL);
	c->env = env;
	c->fd = -1;
	c->ops = &no_ops;
	c->rd = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, c);
	c->wr = event_new(base, fd, EV_WRITE | EV_PERSIST, on_writable, c);
	c->soon = event_new(base, -1, 0, on_soon, c);
	if (c->rd == NULL || c->wr == NULL || c->soon == NULL) {
		conn_free(c);
		errno = ENOMEM;
		return (NULL);
	}
	event_priority_set(c->rd, PRIORITY_NORMAL);
	event_priority_set(c->wr, PRIORITY_NORMAL);
	c->fd = fd;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return (c);
}

struct env_conn *
env_real_connect(struct env *env, const char *address,
    const struct env_conn_ops *ops, void *arg)
{
	struct sockaddr_storage ss;
	const char *unix_path;
	struct env_conn *c;
	socklen_t len;
	int fd, saved;

	if (env_address(address, &ss, &len, &unix_path) == -1)
		return (NULL);
	fd =
	    socket(ss.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return (NULL);
	c = conn_new(env, fd);
	if (c == NULL) {
		saved = errno;
		close(fd);
		errno = saved;
		return (NULL);
	}
	c->ops = ops;
	c->arg = arg;
	c->connecting = true;
	if (connect(fd, (struct sockaddr *)&ss, len) == -1 &&
	    errno != EINPROGRESS)
		conn_fail_soon(c, errno);
	else
		event_add(c->wr, NULL);
	return (c);
}

struct env_conn *
env_conn_accepted(struct env *env, int fd)
{
	struct env_conn *c = conn_new(env, fd);

	if (c != NULL)
		event_add(c->rd, NULL);
	return (c);
}

void
env_real_conn_set(struct env_conn *c, const struct env_conn_ops *ops, void *arg)
{
	c->ops = ops;
	c->arg = arg;
}

void
env_real_conn_urgent(struct env_conn *c)
{
	/* a pending event keeps its priority: take it out for the change */
	event_del(c->rd);
	event_priority_set(c->rd, PRIORITY_URGENT);
	c->urgent = true;
	env_stamp_open(c->fd);
	if (!c->connecting && !c->paused)
		event_add(c->rd, NULL);
}

int
env_real_send(struct env_conn *c, const void *p, size_t n)
{
	if (c->closed || c->error != 0) {
		errno = EPIPE;
		return (-1);
	}
	if (queue_reserve(&c->out, n) == -1)
		return (-1);
	memcpy(c->out.p + c->out.to, p, n);
	c->out.to += n;
	if (c->connecting)
		return (0);
	if (c->out.to - c->out.from == n && conn_write(c) == -1) {
		conn_fail_soon(c, errno);
		return (0);
	}
	if (c->out.to > c->out.from) {
		event_add(c->wr, NULL);
		if (c->out.to - c->out.from >= LOW_MARK_BYTES)
			c->above_mark = true;
	}
	return (0);
}

size_t
env_real_queued(const struct env_conn *c)
{
	return (c->out.to - c->out.from);
}

void
env_real_read_pause(struct env_conn *c, bool pause)
{
	c->paused = pause;
	if (pause)
		event_del(c->rd);
	else if (!c->connecting && c->error == 0)
		event_add(c->rd, NULL);
}

void
env_real_close(struct env_conn *c, bool flush)
{
	struct timeval limit = { .tv_sec = FLUSH_LIMIT_SEC };

	if (c->closed)
		return;
	c->closed = true;
	event_del(c->rd);
	if (flush && c->error == 0 && c->out.to > c->out.from) {
		c->lingering = true;
		TAILQ_INSERT_TAIL(&((struct env_real *)c->env)->lingering, c,
		    entry);
		event_add(c->wr, NULL);
		event_add(c->soon, &limit);
		return;
	}
	event_del(c->wr);
	event_del(c->soon);
	if (c->depth == 0)
		conn_free(c);
}

void
env_real_linger_end(struct env *env)
{
	struct env_real *er = (struct env_real *)env;
	struct env_conn *c, *next;

	for (c = TAILQ_FIRST(&er->lingering); c != NULL; c = next) {
		next = TAILQ_NEXT(c, entry);
		conn_free(c);
	}
}
