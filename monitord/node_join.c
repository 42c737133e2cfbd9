/*
 * A collector comes: which node it is, and whether it may be that.
 *
 * A node is known by its name.  Two machines cannot be one node, and the one
 * that is here stays; the same machine that comes again has lost its old
 * connection, or is a later collector, and takes the place of the one before.
 * One of an older start has to show first that it lives.
 */
#include "node.h"

#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"
#include "monitord/run/node_map.h"

#define HERE_NS (2 * ENV_SEC) /* silent so long, and without a clock: gone */

/* Names go into paths and messages. */
static bool
name_ok(struct bytes s)
{
	const char *p = s.p;

	if (s.n == 0 || s.n >= sizeof(((struct node *)0)->name))
		return (false);
	for (size_t i = 0; i < s.n; i++)
		if (p[i] <= ' ' || p[i] == '/' || p[i] == 0x7f)
			return (false);
	return (p[0] != '.');
}

/* The node that a hello is about, made if it may join; NULL: refused. */
static struct node *
node_of(struct monitord_core *c, struct guest *g, const struct msg_hello *m)
{
	struct node *n;
	char name[64];

	if (!name_ok(m->name)) {
		guest_refuse(g, EX_DATAERR,
		    "a node's name has 1 to 63 "
		    "characters without blanks or slashes");
		return (NULL);
	}
	memcpy(name, m->name.p, m->name.n);
	name[m->name.n] = '\0';
	n = core_node(c, name);
	if (n != NULL)
		return (n);
	if (!c->set.open) {
		guest_refuse(g, EX_CONFIG, "node %s is not in the cluster file",
		    name);
		return (NULL);
	}
	n = node_new(c, name);
	if (n == NULL)
		guest_refuse(g, EX_OSERR, "monitord is out of memory");
	else
		TAILQ_INSERT_TAIL(&c->nodes, n, entry);
	return (n);
}

/* Gives it its number; another start or machine may have another clock. */
static int
node_identify(struct node *n, const char *machine, const struct msg_hello *m)
{
	struct monitord_core *c = n->core;
	bool moved = n->machine[0] != '\0' && strcmp(n->machine, machine) != 0;

	n->number = registry_node(c->registry, n->name, machine);
	if (n->number == REGISTRY_NONE)
		return (-1);
	if (node_clock_start(n, m->epoch, m->since, moved) == -1)
		return (-1);
	memcpy(n->machine, machine, strlen(machine) + 1);
	return (reorder_node_add(c->reorder, n->number));
}

static void
machine_text(struct bytes s, char *buf, size_t n)
{
	size_t k = s.n < n - 1 ? s.n : n - 1;

	memcpy(buf, s.p, k);
	buf[k] = '\0';
}

/*
 * Two machines cannot be one node; one that is here stays.  But a connection
 * that is not read from does not show that its other end is gone: the clock's
 * does, which is always read.
 */
static bool
taken(struct node *n, struct guest *g, const char *machine)
{
	if (n->data == NULL || strcmp(n->machine, machine) == 0 ||
	    (n->clock == NULL && core_now(n->core) - n->heard_ns > HERE_NS))
		return (false);
	guest_refuse(g, EX_TEMPFAIL,
	    "node %s is here already, from another "
	    "machine; give one of them another --name",
	    n->name);
	return (true);
}

static bool
is_over(const struct monitord_core *c, struct guest *g)
{
	if (c->state != CORE_FINISHED)
		return (false);
	guest_refuse(g, EX_UNAVAILABLE, "the run is over");
	return (true);
}

/* A start of its collector, on this machine; false: refused. */
static bool
may_join(struct node *n, struct guest *g, const char *machine, uint64_t start)
{
	if (taken(n, g, machine))
		return (false);
	if (n->data == NULL || start >= n->epoch)
		return (true);
	guest_refuse(g, EX_TEMPFAIL,
	    "a later collector of "
	    "node %s is here already",
	    n->name);
	return (false);
}

/* The guest is the node's collector from now on; it has yet to run. */
static int
node_join(struct node *n, struct guest *g, const char *machine,
    const struct msg_hello *m)
{
	if (n->data != NULL) { /* half open: the new one is the true one */
		guest_close(n->data, false);
		node_closed(n, "a new one has come");
	}
	if (node_identify(n, machine, m) == -1)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	if (n->epoch != m->epoch) { /* another process, which begins at 0 */
		n->counts.unattached_before += n->counts.unattached;
		n->counts.unrecorded_before += n->counts.unrecorded;
		n->counts.unattached = n->counts.unrecorded = 0;
		n->says_due = false;
	}
	n->epoch = m->epoch;
	n->pid = m->pid;
	n->data = g;
	n->end = NODE_GOES_ON;
	n->let_go = n->given_up = false;
	n->note[0] = '\0'; /* whatever kept it away does no more */
	n->heard_ns = core_now(n->core);
	n->acked = n->due = 0;
	n->counts.beyond = 0; /* it tells of them again */
	node_map_free(n);
	n->state = NODE_SYNCING;
	guest_become(g, &node_role, n);
	return (0);
}

static void
node_welcome(struct node *n, struct guest *g)
{
	guest_welcome(g, n->number,
	    registry_next_po(n->core->registry, n->number));
}

static void
node_begin(struct node *n)
{
	if (n->core->resting)
		node_rest(n, true);
	log_info("node %s: %s", n->name,
	    n->counts.connects++ == 0 ? "has joined" : "is back");
	if (clocksync_usable(n->clocks.sync))
		node_run(n);
}

/* --- an older start than one that was here --- */

/* It has had the welcome, so it lives: its spool was made anew. */
static int
older_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct node *n = arg;
	struct node_older *o = &n->older;
	struct msg_hello m = { .epoch = o->epoch,
		.since = o->since,
		.pid = o->pid };
	struct guest *g = o->guest;

	if (is_over(n->core, g) || !may_join(n, g, o->machine, o->epoch) ||
	    node_join(n, g, o->machine, &m) == -1)
		return (-1);
	o->guest = NULL;
	node_begin(n);
	return (node_role.message(n, type, msg, f, at_ns));
}

static void
older_closed(void *arg, const char *why)
{
	struct node *n = arg;

	(void)why;
	n->older.guest = NULL;
}

static const struct guest_role older_role = {
	.message_max = FRAME_HEAD_BYTES + FRAME_BODY_MAX,
	.message = older_message,
	.closed = older_closed,
};

/*
 * It may be what a dead collector has left on the line, and would take the
 * node's clock from the one that lives.  Nothing is changed before it has
 * answered the welcome.
 */
static void
older_wait(struct node *n, struct guest *g, const char *machine,
    const struct msg_hello *m)
{
	struct node_older *o = &n->older;

	if (o->guest != NULL)
		guest_close(o->guest, false);
	*o = (struct node_older){ .guest = g,
		.epoch = m->epoch,
		.since = m->since,
		.pid = m->pid };
	memcpy(o->machine, machine, strlen(machine) + 1);
	guest_become(g, &older_role, n);
	node_welcome(n, g);
}

int
node_hello(struct monitord_core *c, struct guest *g, const struct msg_hello *m)
{
	struct node *n;
	char machine[sizeof(n->machine)];

	if (is_over(c, g))
		return (-1);
	n = node_of(c, g, m);
	if (n == NULL)
		return (-1);
	machine_text(m->machine, machine, sizeof(machine));
	if (!may_join(n, g, machine, m->epoch))
		return (-1);
	if (m->epoch < n->clocks.start) {
		older_wait(n, g, machine, m);
		return (0);
	}
	if (node_join(n, g, machine, m) == -1)
		return (-1);
	node_welcome(n, g);
	node_begin(n);
	return (0);
}

int
node_hello_clock(struct monitord_core *c, struct guest *g,
    const struct msg_hello *m)
{
	struct node *n = node_of(c, g, m);
	char machine[sizeof(n->machine)];

	if (n == NULL)
		return (-1);
	machine_text(m->machine, machine, sizeof(machine));
	if (taken(n, g, machine))
		return (-1);
	/* only the other connection tells of a spool that was made anew */
	if (m->epoch < n->clocks.start)
		return (guest_refuse(g, EX_TEMPFAIL,
		    "a later collector of node %s was here", n->name));
	node_clock_close(n, "a new one has come");
	if (node_identify(n, machine, m) == -1)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	node_clock_connected(n, g, m->epoch);
	return (0);
}
