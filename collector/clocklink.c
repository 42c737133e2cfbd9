/*
 * The clock connection.
 */
#include "clocklink.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "peer.h"

#define RETRY_MIN_NS (10 * ENV_MS)
#define RETRY_MAX_NS ENV_SEC

struct clocklink {
	struct env *env;
	const char *address, *name;
	struct peer *peer;
	struct env_timer *timer;
	int64_t retry_ns;
	uint64_t
	    start; /* of the collector: its clock may be another each time */
	uint64_t since; /* of which this one is on this machine, as booted */
};

static void
clock_retry(struct clocklink *cl)
{
	int64_t jitter_ns = (int64_t)(cl->env->ops->random(cl->env) %
				      (uint64_t)(cl->retry_ns / 2 + 1));

	cl->env->ops->timer_set(cl->timer, cl->retry_ns / 2 + jitter_ns);
	cl->retry_ns += cl->retry_ns / 4;
	if (cl->retry_ns > RETRY_MAX_NS)
		cl->retry_ns = RETRY_MAX_NS;
}

/* t3 last: everything that takes time is behind us then. */
static int
clock_ping(struct clocklink *cl, const struct msg_ping *ping, int64_t at_ns)
{
	struct msg_pong m = {
		.seq = ping->seq,
		.t1_mon_ns = ping->t1_mon_ns,
		.t2_node_ns = at_ns,
	};

	m.t3_node_ns = cl->env->ops->now_ns(cl->env);
	return (peer_send(cl->peer, MSG_pong, &m));
}

static int
clock_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct clocklink *cl = arg;
	const struct msg_refuse *refuse = msg;

	(void)f;
	switch (type) {
	case MSG_ping:
		return (clock_ping(cl, msg, at_ns));
	case MSG_welcome:
		cl->retry_ns = RETRY_MIN_NS;
		return (0);
	case MSG_refuse:
		log_warnx("monitord refuses our clock: %.*s",
		    (int)refuse->reason.n, (const char *)refuse->reason.p);
		cl->retry_ns = RETRY_MAX_NS;
		return (-1);
	}
	log_warnx("monitord: unexpected %s on the clock connection",
	    msg_name(type));
	return (-1);
}

static void
clock_connected(void *arg)
{
	struct clocklink *cl = arg;
	struct msg_hello m = {
		.version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_CLOCK,
		.name = BYTES_STR(cl->name),
		.epoch = cl->start,
		.machine = BYTES_STR(cl->env->ops->machine(cl->env)),
		.pid = (uint32_t)getpid(),
		.since = cl->since,
	};

	cl->env->ops->conn_urgent(peer_conn(cl->peer));
	if (peer_send(cl->peer, MSG_hello, &m) == -1) {
		peer_close(cl->peer, false);
		cl->peer = NULL;
		clock_retry(cl);
	}
}

static void
clock_closed(void *arg, const char *why)
{
	struct clocklink *cl = arg;

	(void)why; /* the uplink says it */
	cl->peer = NULL;
	clock_retry(cl);
}

static const struct peer_ops clock_peer_ops = {
	.message = clock_message,
	.connected = clock_connected,
	.closed = clock_closed,
};

static void
clock_connect_cb(void *arg)
{
	struct clocklink *cl = arg;

	if (cl->peer != NULL)
		return;
	cl->peer = peer_connect(cl->env, cl->address, "monitord (clock)",
	    &clock_peer_ops, cl);
	if (cl->peer == NULL)
		clock_retry(cl);
}

struct clocklink *
clocklink_new(struct env *env, const char *address, const char *name,
    uint64_t start, uint64_t since)
{
	struct clocklink *cl = calloc(1, sizeof(*cl));

	if (cl == NULL)
		return (NULL);
	cl->env = env;
	cl->address = address;
	cl->name = name;
	cl->start = start;
	cl->since = since;
	cl->retry_ns = RETRY_MIN_NS;
	cl->timer = env->ops->timer_new(env, clock_connect_cb, cl);
	if (cl->timer == NULL) {
		free(cl);
		return (NULL);
	}
	env->ops->timer_set(cl->timer, 0);
	return (cl);
}

void
clocklink_free(struct clocklink *cl)
{
	if (cl == NULL)
		return;
	peer_close(cl->peer, false);
	cl->env->ops->timer_free(cl->timer);
	free(cl);
}

void
clocklink_poke(struct clocklink *cl)
{
	if (cl->peer == NULL)
		cl->env->ops->timer_set(cl->timer, 0);
}
