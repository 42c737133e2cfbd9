/*
 * The door.
 *
 * A connection is a guest until its hello, for which it has five seconds and
 * a kilobyte; when too many come without one, the oldest of them goes.  The
 * hello says a role and the versions that it speaks; a row of the table
 * below receives it or refuses it with a reason.
 */
#include "listen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"

#define HELLO_NS    (5 * ENV_SEC)
#define HELLO_BYTES ((size_t)1 << 10)
#define GUESTS_MAX  4096
#define SILENT_MAX  128 /* that have not said hello */

struct guest {
	TAILQ_ENTRY(guest) entry;
	struct listen *listen;
	struct peer *peer;
	struct env_timer *timer; /* until the hello */
	const struct guest_role *role;
	void *object;
	uint16_t version;
};

struct listen {
	struct monitord_core *core;
	TAILQ_HEAD(, guest) guests;
	size_t nguests, nsilent;
	struct env_listener **listeners;
	size_t nlisteners;
};

/* How each role is received. */
static const struct {
	const char *name;
	int (*hello)(struct monitord_core *, struct guest *,
	    const struct msg_hello *);
} roles[] = {
	[ROLE_COLLECTOR] = { "collector", node_hello },
	[ROLE_CLOCK] = { "clock", node_hello_clock },
	[ROLE_VIEWER] = { "viewer", stream_hello },
	[ROLE_CONTROL] = { "control", control_hello },
};
#define NROLES (sizeof(roles) / sizeof(roles[0]))

static void
guest_free(struct guest *g)
{
	TAILQ_REMOVE(&g->listen->guests, g, entry);
	g->listen->nguests--;
	g->listen->nsilent -= g->role == NULL;
	if (g->timer != NULL)
		g->listen->core->env->ops->timer_free(g->timer);
	free(g);
}

int
guest_refuse(struct guest *g, int code, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	struct msg_refuse m = { .code = (uint16_t)code };

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	m.reason = BYTES_STR(text);
	log_warnx("%s refused: %s", peer_what(g->peer), text);
	peer_send(g->peer, MSG_refuse, &m);
	return (-1);
}

void
guest_blame(struct guest *g)
{
	struct msg_refuse m = { .code = EX_PROTOCOL,
		.reason = BYTES_STR("what it sent makes no sense; the log of "
				    "monitord has the details") };

	peer_send(g->peer, MSG_refuse, &m);
}

/* Both sides' version ranges must overlap; the newest common one is spoken. */
static int
negotiate(struct guest *g, const struct msg_hello *m)
{
	unsigned v =
	    m->version_max < PROTO_VERSION ? m->version_max : PROTO_VERSION;

	if (v < PROTO_VERSION_MIN || v < m->version_min)
		return (guest_refuse(g, EX_PROTOCOL,
		    "protocol version %u to %u is spoken there, %u to %u here; "
		    "install the same release of orrery on both sides",
		    m->version_min, m->version_max, PROTO_VERSION_MIN,
		    PROTO_VERSION));
	g->version = (uint16_t)v;
	return (0);
}

static int
guest_hello(struct guest *g, const struct msg_hello *m)
{
	struct monitord_core *c = g->listen->core;
	const struct msg_run *run = store_run(c->store);
	static const struct uuid any;
	char what[80];

	c->env->ops->timer_stop(g->timer);
	if (m->role < NROLES && roles[m->role].hello != NULL) {
		snprintf(what, sizeof(what), "%s %.*s", roles[m->role].name,
		    (int)(m->name.n < 60 ? m->name.n : 60),
		    (const char *)m->name.p);
		peer_rename(g->peer, what);
	}
	if (negotiate(g, m) == -1)
		return (-1);
	if (m->role >= NROLES || roles[m->role].hello == NULL)
		return (guest_refuse(g, EX_PROTOCOL, "role %u is not known",
		    m->role));
	if (memcmp(&m->run, &any, sizeof(any)) != 0 &&
	    memcmp(&m->run, &run->run, sizeof(any)) != 0)
		return (guest_refuse(g, EX_DATAERR,
		    "it belongs to another "
		    "run than the one that goes on here"));
	return (roles[m->role].hello(c, g, m));
}

static int
guest_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct guest *g = arg;

	if (g->role != NULL)
		return (g->role->message(g->object, type, msg, f, at_ns));
	if (type != MSG_hello) {
		log_warnx("%s: %s instead of a hello; closing",
		    peer_what(g->peer), msg_name(type));
		return (-1);
	}
	return (guest_hello(g, msg));
}

static void
guest_drained(void *arg)
{
	struct guest *g = arg;

	if (g->role != NULL && g->role->drained != NULL)
		g->role->drained(g->object);
}

static void
guest_closed(void *arg, const char *why)
{
	struct guest *g = arg;

	g->peer = NULL;
	if (g->role != NULL)
		g->role->closed(g->object, why);
	guest_free(g);
}

static const struct peer_ops guest_ops = {
	.message = guest_message,
	.drained = guest_drained,
	.closed = guest_closed,
};

static void
hello_timeout(void *arg)
{
	struct guest *g = arg;

	log_warnx("%s: no hello within %d s; closing", peer_what(g->peer),
	    (int)(HELLO_NS / ENV_SEC));
	guest_close(g, false);
}

/* Whoever says nothing shall not keep out those who do. */
static void
turn_out_oldest(struct listen *l)
{
	struct guest *g;

	TAILQ_FOREACH (g, &l->guests, entry) {
		if (g->role != NULL)
			continue;
		log_warnx("%zu connections have not said hello; the oldest is "
			  "closed",
		    l->nsilent);
		guest_close(g, false);
		return;
	}
}

static void
accepted(void *arg, struct env_conn *conn)
{
	struct listen *l = arg;
	struct env *env = l->core->env;
	struct guest *g = calloc(1, sizeof(*g));

	if (g != NULL && l->nguests < GUESTS_MAX) {
		g->listen = l;
		g->peer =
		    peer_new(env, conn, "a new connection", &guest_ops, g);
		g->timer = env->ops->timer_new(env, hello_timeout, g);
	}
	if (g == NULL || g->peer == NULL || g->timer == NULL) {
		log_warnx("too many connections; one is turned away");
		if (g != NULL && g->timer != NULL)
			env->ops->timer_free(g->timer);
		if (g != NULL && g->peer != NULL)
			peer_close(g->peer, false);
		else
			env->ops->close(conn, false);
		free(g);
		return;
	}
	peer_limit(g->peer, HELLO_BYTES);
	if (l->nsilent == SILENT_MAX)
		turn_out_oldest(l);
	TAILQ_INSERT_TAIL(&l->guests, g, entry);
	l->nguests++;
	l->nsilent++;
	env->ops->timer_set(g->timer, HELLO_NS);
}

struct listen *
listen_new(struct monitord_core *c)
{
	struct listen *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return (NULL);
	l->core = c;
	TAILQ_INIT(&l->guests);
	return (l);
}

int
listen_add(struct listen *l, const char *address)
{
	struct env *env = l->core->env;
	struct env_listener **more;

	more = realloc(l->listeners,
	    (l->nlisteners + 1) * sizeof(struct env_listener *));
	if (more == NULL)
		return (-1);
	l->listeners = more;
	more[l->nlisteners] = env->ops->listen(env, address, accepted, l);
	if (more[l->nlisteners] == NULL)
		return (-1);
	l->nlisteners++;
	return (0);
}

void
listen_free(struct listen *l)
{
	struct guest *g, *next;

	if (l == NULL)
		return;
	for (size_t i = 0; i < l->nlisteners; i++)
		l->core->env->ops->listener_free(l->listeners[i]);
	for (g = TAILQ_FIRST(&l->guests); g != NULL; g = next) {
		next = TAILQ_NEXT(g, entry);
		guest_close(g, true);
	}
	free(l->listeners);
	free(l);
}

void
guest_become(struct guest *g, const struct guest_role *role, void *object)
{
	g->listen->nsilent -= g->role == NULL;
	g->role = role;
	g->object = object;
	peer_limit(g->peer,
	    role->message_max != 0 ? role->message_max : MESSAGE_USUAL);
}

int
guest_welcome(struct guest *g, uint32_t node, uint32_t next_po)
{
	struct monitord_core *c = g->listen->core;
	struct msg_welcome m = {
		.version = g->version,
		.run = store_run(c->store)->run,
		.run_name = store_run(c->store)->name,
		.node = node,
		.next_po = next_po,
		.log_bytes = store_bytes(c->store),
	};

	return (peer_send(g->peer, MSG_welcome, &m));
}

int
guest_send(struct guest *g, enum msg_type type, const void *msg)
{
	return (peer_send(g->peer, type, msg));
}

struct peer *
guest_peer(struct guest *g)
{
	return (g->peer);
}

void
guest_pause(struct guest *g, bool pause)
{
	struct env *env = g->listen->core->env;

	env->ops->read_pause(peer_conn(g->peer), pause);
}

void
guest_close(struct guest *g, bool flush)
{
	struct peer *p = g->peer;

	guest_free(g);
	peer_close(p, flush);
}
