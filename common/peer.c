/*
 * A framed connection on struct env.
 *
 * The connection hands over bytes; whole frames are cut out of them, checked,
 * decoded by the table and given to the owner.  A handler may close the peer
 * while it is being served, so the struct is only freed when nobody is inside.
 */
#include "peer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define WHAT_BYTES        80
#define MESSAGE_BYTES_MAX 512

struct peer {
	struct env *env;
	struct env_conn *conn; /* NULL once closed */
	const struct peer_ops *ops;
	void *arg;
	char what[WHAT_BYTES];
	size_t limit; /* of a message */
	bool busy;    /* inside a call-back of ours */
	_Alignas(16) unsigned char message[MESSAGE_BYTES_MAX];
};

/* Serves one frame.  -1: close the peer. */
static int
peer_frame(struct peer *p, const struct frame *f, int64_t at_ns)
{
	if (f->type >= MSG_TYPES || msg_table[f->type].name == NULL) {
		log_warnx("%s: message of unknown type %u; closing", p->what,
		    f->type);
		return (-1);
	}
	assert(msg_table[f->type].size <= sizeof(p->message));
	if (msg_decode(f->type, f->body, f->body_bytes, p->message) == -1) {
		log_warnx("%s: damaged %s message; closing", p->what,
		    msg_name(f->type));
		return (-1);
	}
	if (p->ops->message == NULL)
		return (0);
	return (p->ops->message(p->arg, f->type, p->message, f, at_ns));
}

static ssize_t
peer_received(void *arg, const void *bytes, size_t n, int64_t at_ns)
{
	struct peer *p = arg;
	enum frame_status st;
	struct frame f;
	size_t used = 0;
	int rv = 0;

	p->busy = true;
	while (p->conn != NULL && rv == 0) {
		st = frame_parse((const uint8_t *)bytes + used, n - used, &f);
		if (f.frame_bytes >
		    p->limit) { /* also when it has only begun */
			log_warnx("%s: a message of %zu bytes, which is too "
				  "long here; closing",
			    p->what, f.frame_bytes);
			rv = -1;
			break;
		}
		if (st == FRAME_SHORT)
			break;
		if (st != FRAME_OK) {
			log_warnx("%s: %s; closing", p->what,
			    frame_strstatus(st));
			rv = -1;
			break;
		}
		used += f.frame_bytes;
		rv = peer_frame(p, &f, at_ns);
	}
	p->busy = false;
	if (p->conn == NULL) { /* closed by its handler */
		free(p);
		return (0);
	}
	return (rv != 0 ? -1 : (ssize_t)used);
}

static void
peer_connected(void *arg)
{
	struct peer *p = arg;

	p->busy = true;
	if (p->ops->connected != NULL)
		p->ops->connected(p->arg);
	p->busy = false;
	if (p->conn == NULL)
		free(p);
}

static void
peer_drained(void *arg)
{
	struct peer *p = arg;

	p->busy = true;
	if (p->ops->drained != NULL)
		p->ops->drained(p->arg);
	p->busy = false;
	if (p->conn == NULL)
		free(p);
}

static void
peer_closed(void *arg, const char *why)
{
	struct peer *p = arg;

	p->conn = NULL;
	p->busy = true; /* peer_close() from inside is harmless */
	if (p->ops->closed != NULL)
		p->ops->closed(p->arg, why);
	free(p);
}

static const struct env_conn_ops peer_conn_ops = {
	.connected = peer_connected,
	.received = peer_received,
	.drained = peer_drained,
	.closed = peer_closed,
};

static struct peer *
peer_alloc(struct env *env, const char *what, const struct peer_ops *ops,
    void *arg)
{
	struct peer *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (NULL);
	p->env = env;
	p->ops = ops;
	p->arg = arg;
	p->limit = SIZE_MAX;
	peer_rename(p, what);
	return (p);
}

struct peer *
peer_new(struct env *env, struct env_conn *conn, const char *what,
    const struct peer_ops *ops, void *arg)
{
	struct peer *p = peer_alloc(env, what, ops, arg);

	if (p == NULL)
		return (NULL);
	p->conn = conn;
	env->ops->conn_set(conn, &peer_conn_ops, p);
	return (p);
}

struct peer *
peer_connect(struct env *env, const char *address, const char *what,
    const struct peer_ops *ops, void *arg)
{
	struct peer *p = peer_alloc(env, what, ops, arg);
	int saved;

	if (p == NULL)
		return (NULL);
	p->conn = env->ops->connect(env, address, &peer_conn_ops, p);
	if (p->conn == NULL) {
		saved = errno;
		free(p);
		errno = saved;
		return (NULL);
	}
	return (p);
}

void
peer_limit(struct peer *p, size_t bytes)
{
	p->limit = bytes;
}

void
peer_rename(struct peer *p, const char *what)
{
	size_t n = strlen(what);

	if (n >= sizeof(p->what))
		n = sizeof(p->what) - 1;
	memmove(p->what, what, n);
	p->what[n] = '\0';
}

const char *
peer_what(const struct peer *p)
{
	return (p->what);
}

struct env_conn *
peer_conn(struct peer *p)
{
	return (p->conn);
}

int
peer_send(struct peer *p, enum msg_type type, const void *msg)
{
	uint8_t small[1024], *big = NULL;
	size_t n = msg_size(type, msg);
	int rv;

	if (p->conn == NULL) {
		errno = ENOTCONN;
		return (-1);
	}
	if (n + FRAME_HEAD_BYTES <= sizeof(small)) {
		msg_encode(type, msg, small + FRAME_HEAD_BYTES);
		n = frame_seal(small, type, n);
		return (p->env->ops->send(p->conn, small, n));
	}
	big = frame_message(type, msg, &n);
	if (big == NULL)
		return (-1);
	rv = p->env->ops->send(p->conn, big, n);
	free(big);
	return (rv);
}

int
peer_send_raw(struct peer *p, const void *bytes, size_t n)
{
	if (p->conn == NULL) {
		errno = ENOTCONN;
		return (-1);
	}
	return (p->env->ops->send(p->conn, bytes, n));
}

size_t
peer_queued(const struct peer *p)
{
	return (p->conn == NULL ? 0 : p->env->ops->queued(p->conn));
}

void
peer_close(struct peer *p, bool flush)
{
	if (p == NULL || p->conn == NULL)
		return;
	p->env->ops->close(p->conn, flush);
	p->conn = NULL;
	if (!p->busy)
		free(p);
}
