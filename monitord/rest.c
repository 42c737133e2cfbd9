/*
 * Rest.
 *
 * How far each node has told is what events and viewers wait for.  When there
 * are none, heartbeats and pings only wake up everybody's machines: after a
 * while in which nothing has happened the collectors are told that nobody
 * waits, clocks are asked less often, and silence is not held against anybody.
 * What happens first (a batch, a viewer, a node that goes, the end) ends that:
 * all nodes are asked how far they have told, and answer at once, so that
 * nothing waits longer than it would have without the rest.
 *
 * A run begins at rest, and a node that comes ends none: it is told of it.
 * Else each of many nodes that are started would keep all those before it
 * awake, and the start of n nodes would cost n times n.
 */
#include "inside.h"

static bool
rest_waited_for(const struct monitord_core *c)
{
	const struct node *n;

	if (c->state != CORE_RUNNING || !TAILQ_EMPTY(&c->streams) ||
	    reorder_held_bytes(c->reorder) > 0)
		return (true);
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->state == NODE_SYNCING || n->paused)
			return (true);
	return (false);
}

static void
rest_set(struct monitord_core *c, bool resting)
{
	struct node *n;

	c->resting = resting;
	reorder_rest(c->reorder, resting);
	TAILQ_FOREACH (n, &c->nodes, entry)
		node_rest(n, resting);
}

void
core_begin_at_rest(struct monitord_core *c)
{
	rest_set(c, true);
}

void
core_may_rest(struct monitord_core *c)
{
	int64_t after_ns = c->set.rest_ns != 0 ? c->set.rest_ns : CORE_REST_NS;
	int64_t now = core_now(c);

	if (rest_waited_for(c))
		c->busy_ns = now;
	else if (!c->resting && now - c->busy_ns >= after_ns)
		rest_set(c, true);
}

void
core_busy(struct monitord_core *c)
{
	c->busy_ns = core_now(c);
	if (c->resting)
		rest_set(c, false);
}
