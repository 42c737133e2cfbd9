/*
 * Connections between simulated processes: pairs of ends.
 *
 * What is sent arrives whole and in order after the delay of the path, or when
 * a cut is over; connections overtake each other, by a little all the time, by
 * more when one takes another route for a while.  A lost packet stalls its
 * connection until it is sent again, as TCP does.  A bad relay may repeat a
 * frame, swallow a batch, flip a bit in one, or break off within one.  An end
 * is never freed before its process, so that packets under way can point at it.
 */
#include <errno.h>
#include <string.h>

#include "frame.h"

#include "tests/sim/inside.h"

#define KERNEL_BYTES (128u << 10) /* sent, but queued by nobody */
#define LOW_BYTES    (64u << 10)
#define CONNECT_NS   (3 * ENV_SEC)
#define RESEND_NS    (200 * ENV_MS)
#define DETOUR_NS    4e6  /* longer, on the mean */
#define DETOUR_FOR   40e6 /* ns, on the mean */

struct env_listener {
	struct env_listener *next;
	struct env_sim *env;
	char address[128];
	void (*accepted)(void *, struct env_conn *);
	void *arg;
};

struct env_conn {
	struct env_conn *next; /* of its process */
	struct env_sim *env;
	struct env_conn *peer; /* NULL: not connected yet */
	const struct env_conn_ops *ops;
	void *arg;
	unsigned char *data; /* arrived, not taken */
	size_t n, cap;
	size_t sent; /* by this end, not taken at the other */
	bool over;   /* closed here: no call-backs any more */
	bool deaf;   /* nothing arrives any more */
	bool broken; /* nothing leaves any more */
	bool paused, offered, wants_drained;
	bool urgent;           /* the kernel says when something came: */
	int64_t came_clock_ns; /* the last of data, by the clock here */
	int64_t detour_ns, detour_until_ns; /* of what is sent */
	int64_t last_ns;                    /* arrival of the last thing sent */
	int64_t mark_ns; /* of who listens: see sim_on_send() */
	char address[128];
};

struct packet {
	struct env_conn *to;
	size_t n;
	unsigned char data[];
};

static struct env_conn *
conn_new(struct env_sim *e)
{
	struct env_conn *c = calloc(1, sizeof(*c));

	c->env = e;
	c->mark_ns = INT64_MIN;
	c->next = e->conns;
	e->conns = c;
	return (c);
}

/* By so much longer is its way now than that of other connections. */
static int64_t
conn_detour(struct env_conn *c)
{
	struct sim *s = c->env->sim;
	struct chance *luck = &s->faults.chance[FAULT_OVERTAKE];

	if (sim_strikes(s, FAULT_OVERTAKE)) {
		c->detour_ns = (int64_t)chance_exp(luck, DETOUR_NS);
		c->detour_until_ns =
		    s->now_ns + (int64_t)chance_exp(luck, DETOUR_FOR);
	}
	return (s->now_ns < c->detour_until_ns ? c->detour_ns : 0);
}

/* When something sent now from this end is at the other. */
static int64_t
conn_arrival(struct env_conn *c, struct sim_machine *to)
{
	struct sim *s = c->env->sim;
	int64_t at = sim_cut_until(s, c->env->machine, to);

	at += to == c->env->machine ? 5000
				    : path_model_delay(&to->path, s->now_ns);
	if (sim_strikes(s, FAULT_DELAY))
		at += (int64_t)chance_exp(&s->faults.chance[FAULT_DELAY], 5e6);
	at += conn_detour(c);
	for (int64_t again = RESEND_NS;
	     again < 8 * RESEND_NS && sim_strikes(s, FAULT_LOSS); again *= 2)
		at += again;
	if (at <= c->last_ns)
		at = c->last_ns + 1;
	c->last_ns = at;
	return (at);
}

static void
conn_over(struct env_conn *c, const char *why)
{
	if (c->over)
		return;
	c->over = true;
	if (c->ops != NULL && c->ops->closed != NULL)
		c->ops->closed(c->arg, why);
}

static void
conn_reset_cb(void *arg)
{
	conn_over(arg, "connection reset by peer");
}

static void
conn_drained_cb(void *arg)
{
	struct env_conn *c = arg;

	if (!c->over && c->ops != NULL && c->ops->drained != NULL)
		c->ops->drained(c->arg);
}

static void
conn_taken(struct env_conn *c, size_t n)
{
	struct env_conn *from = c->peer;

	from->sent -= n;
	if (from->wants_drained && env_sim_queued(from) < LOW_BYTES) {
		from->wants_drained = false;
		sim_schedule(from->env->sim, from->env->sim->now_ns + 1000,
		    from->env, conn_drained_cb, from);
	}
}

static void
conn_offer_cb(void *arg)
{
	struct env_conn *c = arg;
	int64_t at = sim_machine_clock(c->env->machine);
	ssize_t used;

	c->offered = false;
	/* not after now: a stamp of before its clock was set back is no good */
	if (c->urgent && c->came_clock_ns < at)
		at = c->came_clock_ns;
	if (c->over || c->paused || c->n == 0 || c->ops == NULL ||
	    c->ops->received == NULL)
		return;
	used = c->ops->received(c->arg, c->data, c->n, at);
	if (c->over)
		return;
	if (used < 0) {
		sim_schedule(c->env->sim,
		    conn_arrival(c, c->peer->env->machine), c->peer->env,
		    conn_reset_cb, c->peer);
		conn_over(c, "protocol error");
		return;
	}
	memmove(c->data, c->data + used, c->n - (size_t)used);
	c->n -= (size_t)used;
	conn_taken(c, (size_t)used);
}

static void
conn_offer_soon(struct env_conn *c)
{
	if (c->offered || c->n == 0)
		return;
	c->offered = true;
	sim_schedule(c->env->sim, c->env->sim->now_ns + 1000, c->env,
	    conn_offer_cb, c);
}

static void
conn_packet_cb(void *arg)
{
	struct packet *p = arg;
	struct env_conn *c = p->to;

	if (!c->over && !c->deaf && !c->env->dead) {
		if (c->n + p->n > c->cap) {
			c->cap = (c->n + p->n) * 2;
			c->data = realloc(c->data, c->cap);
		}
		memcpy(c->data + c->n, p->data, p->n);
		c->n += p->n;
		c->came_clock_ns = sim_machine_clock(c->env->machine);
		if (c->env->paused_until_ns <= c->env->sim->now_ns)
			sim_call(c->env->sim, c->env, conn_offer_cb, c);
		else
			conn_offer_soon(c);
	}
	free(p);
}

static void
conn_end_cb(void *arg)
{
	conn_over(arg, NULL);
}

static void
conn_send(struct env_conn *c, const void *data, size_t n)
{
	struct sim *s = c->env->sim;
	struct packet *p = malloc(sizeof(*p) + n);

	p->to = c->peer;
	p->n = n;
	memcpy(p->data, data, n);
	if (n > 0 && sim_strikes(s, FAULT_FLIP)) {
		uint64_t bit =
		    chance_below(&s->faults.chance[FAULT_FLIP], 8 * n);

		p->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	c->sent += n;
	sim_schedule(s, conn_arrival(c, c->peer->env->machine), NULL,
	    conn_packet_cb, p)
	    ->owned = true;
}

/* Both ends find it broken, after what is under way. */
static void
conn_break(struct env_conn *c)
{
	struct sim *s = c->env->sim;

	sim_schedule(s, conn_arrival(c, c->peer->env->machine), c->peer->env,
	    conn_reset_cb, c->peer);
	sim_schedule(s, c->last_ns, c->env, conn_reset_cb, c);
}

static unsigned
type_of(const unsigned char *frame, size_t n)
{
	return (n < FRAME_HEAD_BYTES ? 0 : frame[8] | (unsigned)frame[9] << 8);
}

/*
 * What changes the state of a session comes once; a relay that repeats that
 * has made a new session of it.
 */
static bool
may_repeat(unsigned type)
{
	return (type == MSG_batch || type == MSG_heartbeat || type == MSG_po ||
		type == MSG_thread || type == MSG_name || type == MSG_account ||
		type == MSG_ack || type == MSG_ping || type == MSG_pong);
}

int
env_sim_send(struct env_conn *c, const void *data, size_t n)
{
	struct sim *s = c->env->sim;
	unsigned type = type_of(data, n);

	if (c->over || c->env->dead || c->peer == NULL) {
		errno = EPIPE;
		return (-1);
	}
	if (c->broken)
		return (0); /* not noticed yet */
	if (sim_strikes(s, FAULT_TRUNCATE)) {
		conn_send(c, data,
		    (size_t)chance_below(&s->faults.chance[FAULT_TRUNCATE], n));
		conn_break(c);
		c->broken = true;
		return (0);
	}
	if (s->on_send != NULL)
		s->on_send(s->on_send_arg, &c->env->env, &c->mark_ns, data, n);
	/* only what has a number is missed */
	if (type == MSG_batch && sim_strikes(s, FAULT_DROP))
		return (0);
	conn_send(c, data, n);
	if (may_repeat(type) && sim_strikes(s, FAULT_DUPLICATE))
		conn_send(c, data, n);
	if (env_sim_queued(c) >= LOW_BYTES)
		c->wants_drained = true;
	return (0);
}

bool
sim_reset(struct env *env)
{
	struct env_sim *e = (struct env_sim *)env;
	struct env_conn *c, *found = NULL;
	uint64_t n = 0;

	for (c = e->conns; c != NULL; c = c->next) {
		if (!c->over && c->peer != NULL && !c->peer->over &&
		    chance_below(&e->sim->faults.chance[FAULT_RESET], ++n) == 0)
			found = c;
	}
	if (found != NULL)
		conn_break(found);
	return (found != NULL);
}

size_t
env_sim_queued(const struct env_conn *c)
{
	return (c->sent > KERNEL_BYTES ? c->sent - KERNEL_BYTES : 0);
}

void
env_sim_read_pause(struct env_conn *c, bool pause)
{
	c->paused = pause;
	if (!pause && !c->over)
		conn_offer_soon(c);
}

void
env_sim_conn_set(struct env_conn *c, const struct env_conn_ops *ops, void *arg)
{
	c->ops = ops;
	c->arg = arg;
	if (!c->over)
		conn_offer_soon(c);
}

void
env_sim_conn_urgent(struct env_conn *c)
{
	c->urgent = true;
}

void
env_sim_close(struct env_conn *c, bool flush)
{
	if (c->over)
		return;
	c->over = true;
	if (c->peer == NULL || c->env->dead)
		return;
	if (!flush && c->sent > KERNEL_BYTES)
		c->peer->deaf = true;
	sim_schedule(c->env->sim, conn_arrival(c, c->peer->env->machine),
	    c->peer->env, conn_end_cb, c->peer);
}

/* --- making them --- */

struct env_listener *
env_sim_listen(struct env *env, const char *address,
    void (*accepted)(void *, struct env_conn *), void *arg)
{
	struct env_sim *e = (struct env_sim *)env;
	struct env_listener *l;

	for (l = e->sim->listeners; l != NULL; l = l->next) {
		if (strcmp(l->address, address) == 0) {
			errno = EADDRINUSE;
			return (NULL);
		}
	}
	l = calloc(1, sizeof(*l));
	l->env = e;
	strncpy(l->address, address, sizeof(l->address) - 1);
	l->accepted = accepted;
	l->arg = arg;
	l->next = e->sim->listeners;
	e->sim->listeners = l;
	return (l);
}

static void
listener_drop(struct sim *s, struct env_listener *gone)
{
	struct env_listener **at = &s->listeners;

	while (*at != NULL && *at != gone)
		at = &(*at)->next;
	if (*at == gone)
		*at = gone->next;
}

void
env_sim_listener_free(struct env_listener *l)
{
	if (l == NULL)
		return;
	listener_drop(l->env->sim, l);
	free(l);
}

static void
conn_made_cb(void *arg)
{
	struct env_conn *c = arg;

	if (!c->over && c->ops != NULL && c->ops->connected != NULL)
		c->ops->connected(c->arg);
}

static void
conn_timeout_cb(void *arg)
{
	conn_over(arg, "connection timed out");
}

static void
conn_refused_cb(void *arg)
{
	conn_over(arg, "connection refused");
}

static void
conn_arrives_cb(void *arg)
{
	struct env_conn *c = arg, *server;
	struct sim *s = c->env->sim;
	struct env_listener *l;

	if (c->over || c->env->dead)
		return;
	for (l = s->listeners; l != NULL; l = l->next) {
		if (strcmp(l->address, c->address) == 0)
			break;
	}
	if (l == NULL) {
		sim_schedule(s, s->now_ns + 50000, c->env, conn_refused_cb, c);
		return;
	}
	if (sim_cut_until(s, c->env->machine, l->env->machine) > s->now_ns) {
		sim_schedule(s, s->now_ns + CONNECT_NS, c->env, conn_timeout_cb,
		    c);
		return;
	}
	server = conn_new(l->env);
	server->peer = c;
	c->peer = server;
	l->accepted(l->arg, server);
	sim_schedule(s, conn_arrival(server, c->env->machine), c->env,
	    conn_made_cb, c);
}

struct env_conn *
env_sim_connect(struct env *env, const char *address,
    const struct env_conn_ops *ops, void *arg)
{
	struct env_sim *e = (struct env_sim *)env;
	struct env_conn *c;

	if (e->dead) {
		errno = EIO;
		return (NULL);
	}
	c = conn_new(e);
	c->ops = ops;
	c->arg = arg;
	strncpy(c->address, address, sizeof(c->address) - 1);
	sim_schedule(e->sim,
	    e->sim->now_ns +
		path_model_delay(&e->machine->path, e->sim->now_ns),
	    NULL, conn_arrives_cb, c);
	return (c);
}

/* --- death --- */

void
sim_conns_kill(struct env_sim *e, double lost)
{
	struct env_listener *l, *next;

	for (l = e->sim->listeners; l != NULL; l = next) {
		next = l->next;
		if (l->env == e)
			listener_drop(e->sim, l);
	}
	for (struct env_conn *c = e->conns; c != NULL; c = c->next) {
		if (c->over)
			continue;
		c->over = true;
		if (c->peer == NULL)
			continue;
		if (chance_is(&e->chance, lost))
			c->peer->deaf = true; /* what is under way is lost */
		sim_schedule(e->sim, conn_arrival(c, c->peer->env->machine),
		    c->peer->env, conn_reset_cb, c->peer);
	}
}

void
sim_conns_free(struct env_sim *e)
{
	struct env_conn *c, *next;

	for (c = e->conns; c != NULL; c = next) {
		next = c->next;
		free(c->data);
		free(c);
	}
}
