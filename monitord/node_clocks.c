/*
 * The clocks that a node has had, one after another.
 *
 * A node that was booted has another clock, whose times may be the same as
 * those of the one before; so has one whose clock was set while nobody watched.
 * Its collector was started anew in either case.  So each start has to prove
 * that its clock goes on, by the first burst of pings (clocksync_prove), unless
 * the machine's identity says already that it does not.  Batches say in which
 * start they were made: what lay in the spool meanwhile is put on the map of
 * its own clock, which is kept for that.
 */
#include <stdlib.h>

#include "inside.h"
#include "log.h"
#include "node.h"

/* A boot has a clock of its own. */
static void
clock_since(struct node *n)
{
	if (n->clocks.past != NULL && n->clocks.since <= n->clocks.sync_start &&
	    n->clocks.since > n->clocks.sync_from)
		n->clocks.sync_from = n->clocks.since;
}

/*
 * The present clock becomes one of the past.  What was started since it was
 * measured, and has ended before it could be measured, is of the new clock: by
 * the old map it would be anywhere.  But not what was started before the
 * machine was booted.  -1: ENOMEM.
 */
static int
clock_push(struct node *n)
{
	struct clocksync *fresh = node_clock_sync(n);
	struct node_past *p = calloc(1, sizeof(*p));

	if (fresh == NULL || p == NULL) {
		free(p);
		clocksync_free(fresh);
		log_warn("node %s", n->name);
		return (-1);
	}
	clocksync_retire(n->clocks.sync);
	clocksync_succeed(fresh, n->clocks.sync);
	*p = (struct node_past){ n->clocks.past, n->clocks.sync,
		n->clocks.sync_from };
	n->clocks.past = p;
	n->clocks.sync = fresh;
	n->clocks.sync_from = n->clocks.start;
	if (n->clocks.sync_start < n->clocks.start)
		n->clocks.sync_from = n->clocks.sync_start + 1;
	n->clocks.sync_start = n->clocks.start;
	clock_since(n);
	return (0);
}

int
node_clock_other(struct node *n)
{
	clocksync_last(n->clocks.sync, core_now(n->core));
	if (clock_push(n) == -1)
		return (-1);
	if (n->state == NODE_RUNNING) /* what comes waits for the new one */
		n->state = NODE_SYNCING;
	together_forget(n->core->together, n);
	if (n->clock != NULL) {
		clocksync_connected(n->clocks.sync, core_now(n->core));
		node_clock_tick(n);
	}
	return (0);
}

/* A spool was made anew: nothing of the starts before is in it. */
static void
starts_anew(struct node *n)
{
	for (struct node_past *p = n->clocks.past; p != NULL; p = p->before)
		p->from = UINT64_MAX;
	if (!clocksync_proving(n->clocks.sync))
		return;
	n->clocks.sync_from = 0;
}

int
node_clock_start(struct node *n, uint64_t start, uint64_t since, bool moved)
{
	bool anew = start < n->clocks.start;

	n->clocks.since = since;
	if (start == n->clocks.start && !moved) {
		clock_since(n); /* which a log does not tell */
		return (0);
	}
	n->clocks.start = start;
	if (n->clock != NULL && n->clocks.clock_start != start)
		node_clock_close(n, "its collector was started anew");
	if (moved && node_clock_other(n) == -1)
		return (-1);
	if (!moved)
		clocksync_prove(n->clocks.sync);
	if (anew)
		starts_anew(n);
	if (!clocksync_proving(n->clocks.sync))
		n->clocks.sync_start = start;
	return (0);
}

struct clocksync *
node_clock_of(const struct node *n, uint64_t start)
{
	const struct node_past *p = n->clocks.past;

	if (start >= n->clocks.sync_from)
		return (n->clocks.sync);
	while (p != NULL && start < p->from)
		p = p->before;
	/* one that came and went before it was measured says nothing */
	return (p != NULL && clocksync_map(p->sync)->n > 0 ? p->sync
							   : n->clocks.sync);
}

int
node_restore(struct node *n, const struct clock_segment *s, uint64_t start,
    bool anew)
{
	n->clocks.start = start;
	if (anew && clock_push(n) == -1)
		return (-1);
	n->clocks.sync_start = start;
	return (clocksync_restore(n->clocks.sync, s));
}

void
node_clocks_free(struct node *n)
{
	struct node_past *p;

	while ((p = n->clocks.past) != NULL) {
		n->clocks.past = p->before;
		clocksync_free(p->sync);
		free(p);
	}
}
