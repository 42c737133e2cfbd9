/*
 * The clock of a node: when its connection is probed, and what becomes of the
 * answers.  The estimate itself is clocksync.c's.
 */
#include "node.h"

#include "inside.h"
#include "log.h"

static uint64_t
hash_name(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s != '\0'; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	return (h);
}

static void
ping_again(struct node *n)
{
	const struct env_ops *ops = n->core->env->ops;
	int64_t due = clocksync_due(n->clocks.sync), now;

	if (n->clock == NULL || due == INT64_MAX) {
		ops->timer_stop(n->clocks.ping);
		return;
	}
	now = core_now(n->core);
	ops->timer_set(n->clocks.ping, due > now ? due - now : 0);
}

static void
ping_cb(void *arg)
{
	struct node *n = arg;
	struct msg_ping m;

	if (n->clock == NULL)
		return;
	m.t1_mon_ns = core_now(n->core);
	m.seq = clocksync_ping(n->clocks.sync, m.t1_mon_ns);
	m.t1_mon_ns = core_now(n->core); /* just before it is written */
	guest_send(n->clock, MSG_ping, &m);
	ping_again(n);
}

static void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct node *n = arg;
	const struct clock_burst *b =
	    clocksync_burst_of_segment(n->clocks.sync);
	struct msg_segment m = {
		.node = n->number,
		.epoch = s->epoch,
		.base_node_ns = s->base_node_ns,
		.base_mon_ns = s->base_mon_ns,
		.skew_q40 = s->skew_q40,
		.error_ns = s->error_ns,
		.state = (uint8_t)s->state,
		.start = n->clocks.sync_start,
	};

	if (n->core->state == CORE_FINISHED)
		return;
	if (b != NULL) { /* what was measured, for a better fit afterwards */
		m.burst = 1;
		m.low_node_ns = b->low_node_ns;
		m.low_ns = b->low_ns;
		m.high_node_ns = b->high_node_ns;
		m.high_ns = b->high_ns;
	}
	core_define(n->core, MSG_segment, &m);
	if (step_ns != 0) {
		log_warnx("node %s: %s by %.9f s", n->name,
		    clocksync_map(n->clocks.sync)->n > 1
			? "its clock has jumped"
			: "it has come back with another clock, apart",
		    (double)step_ns / 1e9);
		core_say(n->core, EV_clock_step, n->number, (uint64_t)step_ns,
		    s->epoch);
		/* at once, or a kill might part it from the segment */
		if (reorder_watermark(n->core->reorder) != INT64_MIN)
			core_say_all(n->core);
		core_kick(n->core);
	}
}

static int
clock_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct node *n = arg;
	const struct msg_pong *m = msg;

	(void)f;
	if (type != MSG_pong) {
		log_warnx("node %s: unexpected %s on the clock connection; "
			  "closing",
		    n->name, msg_name(type));
		return (-1);
	}
	/* an answer to nothing is no harm: it may be of before a reconnect */
	clocksync_pong_late(n->clocks.sync, m->seq, m->t1_mon_ns, m->t2_node_ns,
	    m->t3_node_ns, core_mon(n->core, at_ns), core_now(n->core));
	ping_again(n);
	if (clocksync_is_other(n->clocks.sync))
		return (node_clock_other(n));
	if (!clocksync_proving(n->clocks.sync))
		n->clocks.sync_start = n->clocks.start;
	if (n->state == NODE_SYNCING && clocksync_usable(n->clocks.sync))
		node_run(n);
	return (0);
}

/* The connection of its clock; NULL: none. */
static void
clock_set(struct node *n, struct guest *g)
{
	n->core->clocks += (g != NULL) - (n->clock != NULL);
	n->clock = g;
}

static void
clock_closed(void *arg, const char *why)
{
	struct node *n = arg;

	clock_set(n, NULL);
	clocksync_disconnected(n->clocks.sync, core_now(n->core));
	n->core->env->ops->timer_stop(n->clocks.ping);
	log_debug("node %s: clock connection lost%s%s", n->name,
	    why != NULL ? ": " : "", why != NULL ? why : "");
}

static const struct guest_role clock_role = {
	.message = clock_message,
	.closed = clock_closed,
};

struct clocksync *
node_clock_sync(struct node *n)
{
	return (clocksync_new(hash_name(n->name), segment_cb, n));
}

int
node_clock_new(struct node *n)
{
	const struct env_ops *ops = n->core->env->ops;

	n->clocks.sync = node_clock_sync(n);
	n->clocks.ping = ops->timer_new(n->core->env, ping_cb, n);
	return (n->clocks.sync != NULL && n->clocks.ping != NULL ? 0 : -1);
}

void
node_clock_free(struct node *n)
{
	if (n->clocks.ping != NULL)
		n->core->env->ops->timer_free(n->clocks.ping);
	clocksync_free(n->clocks.sync);
	node_clocks_free(n);
}

void
node_clock_close(struct node *n, const char *why)
{
	if (n->clock == NULL)
		return;
	guest_close(n->clock, false);
	clock_closed(n, why);
}

void
node_clock_connected(struct node *n, struct guest *g, uint64_t start)
{
	struct env *env = n->core->env;

	clock_set(n, g);
	n->clocks.clock_start = start;
	guest_become(g, &clock_role, n);
	env->ops->conn_urgent(peer_conn(guest_peer(g)));
	guest_welcome(g, n->number, 0);
	clocksync_crowd(n->clocks.sync, n->core->clocks);
	clocksync_connected(n->clocks.sync, core_now(n->core));
	node_clock_rest(n, n->core->resting);
}

void
node_clock_rest(struct node *n, bool resting)
{
	clocksync_rest(n->clocks.sync, resting, core_now(n->core));
	if (n->clock != NULL)
		ping_again(n);
}

void
node_clock_tick(struct node *n)
{
	clocksync_crowd(n->clocks.sync, n->core->clocks);
	clocksync_tick(n->clocks.sync, core_now(n->core));
	if (n->clock != NULL)
		ping_again(n);
}

int64_t
node_clock_now(const struct node *n)
{
	if (!clocksync_usable(n->clocks.sync))
		return (0);
	return (
	    clockmap_node(clocksync_map(n->clocks.sync), core_now(n->core)));
}

int64_t
node_clock_error(const struct node *n)
{
	if (!clocksync_usable(n->clocks.sync))
		return (0);
	return (clocksync_error(n->clocks.sync, node_clock_now(n)));
}
