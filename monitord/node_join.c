/*
 * A collector comes: which node it is, and whether it may be that.
 *
 * A node is known by its name.  Two machines cannot be one node, and the one
 * that is here stays; the same machine that comes again has lost its old
 * connection, or is a later collector, and takes the place of the one before.
 */
#include "node.h"

#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"
#include "node_map.h"

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

int
node_hello(struct monitord_core *c, struct guest *g, const struct msg_hello *m)
{
	struct node *n;
	char machine[sizeof(n->machine)];

	if (c->state == CORE_FINISHED)
		return (guest_refuse(g, EX_UNAVAILABLE, "the run is over"));
	n = node_of(c, g, m);
	if (n == NULL)
		return (-1);
	machine_text(m->machine, machine, sizeof(machine));
	if (taken(n, g, machine))
		return (-1);
	if (n->data != NULL && m->epoch < n->epoch)
		return (guest_refuse(g, EX_TEMPFAIL,
		    "a later collector of "
		    "node %s is here already",
		    n->name));
	if (n->data != NULL) { /* half open: the new one is the true one */
		guest_close(n->data, false);
		node_closed(n, "a new one has come");
	}
	if (node_identify(n, machine, m) == -1)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	if (n->epoch != m->epoch) { /* another process, which begins at 0 */
		n->unattached_before += n->unattached;
		n->unrecorded_before += n->unrecorded;
		n->unattached = n->unrecorded = 0;
		n->says_due = false;
	}
	n->epoch = m->epoch;
	n->pid = m->pid;
	n->data = g;
	n->end = NODE_GOES_ON;
	n->let_go = n->given_up = false;
	n->note[0] = '\0'; /* whatever kept it away does no more */
	n->heard_ns = core_now(c);
	n->acked = n->due = 0;
	n->beyond = 0; /* it tells of them again */
	node_map_free(n);
	n->state = NODE_SYNCING;
	guest_become(g, &node_role, n);
	guest_welcome(g, n->number, registry_next_po(c->registry, n->number));
	if (c->resting)
		node_rest(n, true);
	log_info("node %s: %s", n->name,
	    n->connects++ == 0 ? "has joined" : "is back");
	if (clocksync_usable(n->sync))
		node_run(n);
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
	/* only the other connection may tell of a spool that was made anew */
	if (m->epoch < n->start)
		return (guest_refuse(g, EX_TEMPFAIL,
		    "a later collector of node %s was here", n->name));
	node_clock_close(n, "a new one has come");
	if (node_identify(n, machine, m) == -1)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	node_clock_connected(n, g, m->epoch);
	return (0);
}
