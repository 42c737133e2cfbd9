/*
 * Guests of monitord, each a process on a machine of its own.
 *
 * What a viewer is sent is the log as it grows: no effect stands before its
 * cause there unless it says that it is an orphan, and then its cause is told
 * as found.  Whoever ends the run may ask twice and hang up.
 */
#include "tests/sim/guest.h"

#include <stdlib.h>

#include "common/peer.h"
#include "log/block.h"
#include "monitord/inside.h"
#include "tests/sim/causes.h"
#include "tests/sim/inside.h"

#define MON_ADDRESS "tcp:center:7420"
#define AGAIN_NS    (30 * ENV_MS)
#define HANG_UP_NS  (200 * ENV_MS)

struct guest {
	struct world *w;
	struct env *env;
	struct peer *peer;
	uint8_t role;
	struct chance chance;
	bool finished, here; /* here: welcomed */
	bool refused;        /* it has closed, for what it was sent */
	bool torn;           /* its last connection, when the run was ending */
	unsigned
	    dialled; /* at which of the starts of monitord it has asked last */
	/* a viewer's */
	uint64_t offset;
	struct causes *causes;
	struct event *events;
	struct buf scratch;
};

static void guest_connect(void *);

static void
again_soon(struct guest *g)
{
	sim_at(g->w->sim, sim_now(g->w->sim) + AGAIN_NS, g->env, guest_connect,
	    g);
}

static void
view_anew(struct guest *g)
{
	if (g->causes != NULL)
		causes_free(g->causes);
	g->causes = causes_new(g->w, "a viewer's log");
	g->offset = 0;
}

static void
view_block(struct guest *g, const struct msg_block *b)
{
	struct sim *s = g->w->sim;
	struct env_sim *inside = s->inside;
	int rc;

	s->inside = NULL; /* a viewer's memory does not run out */
	rc = block_read(b, g->events, &g->scratch);
	s->inside = inside;
	if (rc == -1) {
		g->w->r->violations++;
		wrong(g->w, "a viewer is sent a block that cannot be read");
		return;
	}
	for (uint32_t i = 0; i < b->events; i++)
		causes_event(g->causes, &g->events[i]);
}

static int
view_welcome(struct guest *g, const struct msg_welcome *m)
{
	struct msg_subscribe sub;
	bool power = (g->w->p.kinds >> FAULT_POWER & 1) != 0;

	/* what was not on disk when the power went may be other things now */
	if (m->log_bytes < g->offset || (power && g->offset > 0))
		view_anew(g);
	sub.offset = g->offset;
	return (peer_send(g->peer, MSG_subscribe, &sub));
}

/* Twice, as somebody who presses the key again. */
static int
ask(struct guest *g)
{
	struct msg_request m = { .verb = BYTES_STR("shutdown") };
	struct msg_request status = { .verb = BYTES_STR("status") };

	if (peer_send(g->peer, MSG_request, &m) == -1 ||
	    peer_send(g->peer, MSG_request, &status) == -1)
		return (-1);
	return (peer_send(g->peer, MSG_request, &m));
}

static int
guest_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct guest *g = arg;

	(void)at_ns;
	g->here |= type == MSG_welcome;
	if (type == MSG_welcome)
		return (g->role == ROLE_VIEWER ? view_welcome(g, msg) : ask(g));
	if (g->role != ROLE_VIEWER || type < MSG_run || type > MSG_symbol)
		return (0);
	g->offset += f->frame_bytes;
	if (type == MSG_block)
		view_block(g, msg);
	g->finished = type == MSG_receipt;
	return (0);
}

static void
guest_connected(void *arg)
{
	struct guest *g = arg;
	struct msg_hello hello = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = g->role,
		.name = BYTES_STR("guest"),
		.machine = BYTES_STR("desk"),
		.pid = 1 };

	if (peer_send(g->peer, MSG_hello, &hello) == -1) {
		peer_close(g->peer, false);
		g->peer = NULL;
		again_soon(g);
	}
}

static void
guest_closed(void *arg, const char *why)
{
	struct guest *g = arg;

	g->peer = NULL;
	g->here = false;
	g->refused = why != NULL && strcmp(why, "protocol error") == 0;
	g->torn = g->w->core == NULL || g->w->core->end.finish != NULL;
	if (!g->finished)
		again_soon(g);
}

static void
guest_connect(void *arg)
{
	static const struct peer_ops ops = {
		.message = guest_message,
		.connected = guest_connected,
		.closed = guest_closed,
	};
	struct guest *g = arg;

	if (g->finished || g->peer != NULL || g->w->ended != -1)
		return;
	g->peer = peer_connect(g->env, MON_ADDRESS, "monitord", &ops, g);
	g->dialled = g->w->starts;
	if (g->peer == NULL)
		again_soon(g);
}

static void
hang_up(void *arg)
{
	struct guest *g = arg;

	/* not before it has asked; if that went wrong it asks once more */
	if (g->peer != NULL)
		peer_close(g->peer, false);
	g->peer = NULL;
	if (g->w->core != NULL && g->w->core->end.finish == NULL)
		again_soon(g);
	else
		g->finished = true;
}

static struct guest *
guest_new(struct world *w, uint8_t role, const char *name)
{
	static const struct clock_kind steady = { .offset_s = 0 };
	struct guest *g = calloc(1, sizeof(*g));

	if (g == NULL)
		abort();
	g->w = w;
	g->role = role;
	g->env = sim_process(sim_machine_new(w->sim, name, &steady));
	g->chance = chance_fork(&w->chance);
	return (g);
}

struct guest *
guest_viewer(struct world *w)
{
	struct guest *g = guest_new(w, ROLE_VIEWER, "desk");

	g->events = calloc(BLOCK_EVENTS_MAX, sizeof(*g->events));
	if (g->events == NULL)
		abort();
	view_anew(g);
	sim_at(w->sim, (int64_t)chance_below(&g->chance, (uint64_t)w->p.run_ns),
	    g->env, guest_connect, g);
	return (g);
}

struct guest *
guest_control(struct world *w)
{
	struct guest *g = guest_new(w, ROLE_CONTROL, "control");
	int64_t now = sim_now(w->sim);

	sim_at(w->sim, now, g->env, guest_connect, g);
	if (chance_is(&g->chance, 0.5))
		sim_at(w->sim,
		    now + ENV_MS +
			(int64_t)chance_below(&g->chance, HANG_UP_NS),
		    g->env, hang_up, g);
	return (g);
}

bool
guest_here(const struct guest *g)
{
	return (g->here);
}

bool
guest_done(const struct guest *g)
{
	return (g->finished);
}

void
guest_end(struct guest *g)
{
	if (g->role != ROLE_VIEWER)
		return;
	/* a flipped receipt is refused, and nobody is left to ask again */
	if (!g->finished && g->refused &&
	    (g->w->p.kinds & 1u << FAULT_FLIP) != 0)
		return;
	/* it has not heard of a monitord's death before the next one's end */
	if (!g->finished && g->torn && g->dialled != g->w->starts)
		return;
	/* its connection broke off within the last frames */
	if (!g->finished && g->torn && g->peer == NULL &&
	    (g->w->p.kinds & 1u << FAULT_TRUNCATE) != 0)
		return;
	/* what it said first was swallowed on the way: it was never let in */
	if (!g->finished && g->peer != NULL && !g->here &&
	    (g->w->p.kinds & RELAY_FAULTS) != 0)
		return;
	if (!g->finished) {
		wrong(g->w, "a viewer is sent no receipt");
		return;
	}
	/* one whose cause has a time that nobody believes is let go as well */
	causes_end(g->causes,
	    g->w->starts == 1 && (g->w->p.kinds & CLOCK_FAULTS) == 0);
}

void
guest_free(struct guest *g)
{
	if (g == NULL)
		return;
	peer_close(g->peer, false);
	if (g->causes != NULL)
		causes_free(g->causes);
	buf_free(&g->scratch);
	free(g->events);
	free(g);
}
