/*
 * The uplink.
 *
 * What is on its way is bounded by WINDOW_BYTES in our queue; the rest waits
 * in the spool and is read back when the connection drains.  Nothing here has
 * to survive a crash: the spool knows what is acknowledged, and the session
 * starts over from there.
 */
#include "uplink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log.h"
#include "peer.h"

#define WINDOW_BYTES   (1u << 20)
#define RETRY_MIN_NS   (10 * ENV_MS)
#define RETRY_MAX_NS   ENV_SEC
#define HELLO_LIMIT_NS (5 * ENV_SEC)
#define FIGURES_NS     (200 * ENV_MS) /* news for status are never older */
#define READ_TRIES     16             /* of a batch that errs, in sessions */

enum uplink_state {
	UPLINK_CONNECTING,
	UPLINK_HELLO,
	UPLINK_RUNNING,
};

struct uplink {
	struct env *env;
	const char *address, *name;
	struct spool *spool;
	struct ident *ident;
	const struct uplink_ops *ops;
	void *arg;
	enum uplink_state state;
	struct peer *peer;
	struct env_timer *timer; /* of the next attempt, or of the hello */
	int64_t retry_ns;
	struct ident_told defs; /* definitions, in this session */
	uint64_t next;          /* batch to be sent */
	bool next_told;         /* monitord expects that one */
	uint64_t bad;           /* a batch that could not be read, so often */
	unsigned bad_tries;
	size_t accounts; /* of ended threads, sent in this session */
	int64_t sent_ns; /* when something with a watermark was sent */
	int64_t told_ns; /* when the figures of a heartbeat were sent */
	struct msg_heartbeat told;
	struct uplink_absent absent;
	char absent_why[256];
	bool absent_told; /* in this session */
	struct msg_chosen chosen;
	char *rules;      /* of it */
	bool chosen_told; /* in this session, or nothing was chosen */
	bool finishing;   /* `finished` is wanted */
	bool finished;    /* and was sent */
	struct buf frame;
};

static void uplink_connect_cb(void *);

/* Tries again later, with jitter, so that many nodes do not come at once. */
static void
uplink_retry(struct uplink *u)
{
	int64_t jitter_ns = (int64_t)(u->env->ops->random(u->env) %
				      (uint64_t)(u->retry_ns / 2 + 1));

	u->state = UPLINK_CONNECTING;
	u->env->ops->timer_set(u->timer, u->retry_ns / 2 + jitter_ns);
	u->retry_ns += u->retry_ns / 4; /* so late at most: a quarter of it */
	if (u->retry_ns > RETRY_MAX_NS)
		u->retry_ns = RETRY_MAX_NS;
}

static void
uplink_drop(struct uplink *u)
{
	peer_close(u->peer, false);
	u->peer = NULL;
	uplink_retry(u);
}

static bool
uplink_backlog(const struct uplink *u)
{
	return (!ident_told_all(&u->defs) || u->next < spool_next(u->spool));
}

/*
 * A batch that is not there, or errs again and again, is passed over: monitord
 * is told that others come first, and sees by the events' numbers what is
 * missing.  -1: to be tried again, in a new session.
 */
static int
uplink_pass_over(struct uplink *u)
{
	if (errno != ENOENT) { /* a hole was told of when it was found */
		if (u->bad != u->next)
			u->bad_tries = 0;
		u->bad = u->next;
		if (++u->bad_tries <= READ_TRIES)
			log_warn("%s: batch %llu", spool_dir(u->spool),
			    (unsigned long long)u->next);
		if (u->bad_tries < READ_TRIES)
			return (-1);
		if (u->bad_tries == READ_TRIES)
			log_warnx("%s: batch %llu is given up; what it held "
				  "counts as lost",
			    spool_dir(u->spool), (unsigned long long)u->next);
	}
	u->next++;
	u->next_told = false;
	return (0);
}

static int
uplink_tell_next(struct uplink *u)
{
	struct msg_spooled m = { .number = u->next };

	if (u->next_told)
		return (0);
	u->next_told = true;
	return (peer_send(u->peer, MSG_spooled, &m));
}

/* Sends one batch from the spool.  -1: it cannot be had. */
static int
uplink_send_spooled(struct uplink *u)
{
	if (spool_read(u->spool, u->next, &u->frame) == -1)
		return (uplink_pass_over(u));
	if (uplink_tell_next(u) == -1 ||
	    peer_send_raw(u->peer, u->frame.p, u->frame.n) == -1)
		return (-1);
	u->next++;
	u->sent_ns = u->env->ops->now_ns(u->env);
	return (0);
}

static int
uplink_send_account(struct uplink *u, const struct stream *st)
{
	struct msg_account m;

	stream_account(st, &m);
	return (peer_send(u->peer, MSG_account, &m));
}

static int
uplink_send_accounts(struct uplink *u)
{
	while (u->accounts < ident_ended(u->ident)) {
		if (uplink_send_account(u,
			ident_ended_at(u->ident, u->accounts)) == -1)
			return (-1);
		u->accounts++;
	}
	return (0);
}

static int
uplink_send_unattached(struct uplink *u)
{
	struct msg_unattached m = { .processes = u->absent.processes,
		.why = BYTES_STR(u->absent_why),
		.unrecorded = u->absent.unrecorded };

	if (u->absent_told)
		return (0);
	u->absent_told = true;
	return (peer_send(u->peer, MSG_unattached, &m));
}

static int
uplink_send_chosen(struct uplink *u)
{
	if (u->chosen_told)
		return (0);
	u->chosen_told = true;
	return (peer_send(u->peer, MSG_chosen, &u->chosen));
}

static int
uplink_send_finished(struct uplink *u)
{
	struct msg_finished m = { .number = spool_next(u->spool) - 1 };

	for (size_t i = 0; i < ident_streams(u->ident); i++) {
		struct stream *st = ident_stream_at(u->ident, i);

		if (!st->ended && uplink_send_account(u, st) == -1)
			return (-1);
	}
	u->finished = true;
	if (uplink_tell_next(u) == -1) /* or monitord misses what it has */
		return (-1);
	return (peer_send(u->peer, MSG_finished, &m));
}

/* They come before all batches of the session. */
static int
uplink_send_definitions(struct uplink *u)
{
	struct bytes defs;

	while (
	    !ident_told_all(&u->defs) && peer_queued(u->peer) < WINDOW_BYTES) {
		defs = ident_tell(u->ident, &u->defs);
		if (defs.n > 0 && peer_send_raw(u->peer, defs.p, defs.n) == -1)
			return (-1);
	}
	return (0);
}

/* Sends what there is, as far as the window goes. */
static void
uplink_pump(struct uplink *u)
{
	int rc;

	if (u->state != UPLINK_RUNNING)
		return;
	rc = uplink_send_definitions(u);
	while (rc == 0 && ident_told_all(&u->defs) && uplink_backlog(u) &&
	       peer_queued(u->peer) < WINDOW_BYTES)
		rc = uplink_send_spooled(u);
	if (rc == 0 && !uplink_backlog(u)) {
		rc = uplink_send_accounts(u);
		if (rc == 0)
			rc = uplink_send_unattached(u);
		if (rc == 0)
			rc = uplink_send_chosen(u);
		if (rc == 0 && u->finishing && !u->finished)
			rc = uplink_send_finished(u);
	}
	if (rc == -1)
		uplink_drop(u);
}

static int
uplink_welcome(struct uplink *u, const void *msg)
{
	const struct msg_welcome *m = msg;

	if (m->version < PROTO_VERSION_MIN || m->version > PROTO_VERSION) {
		log_warnx("monitord speaks protocol version %u, we speak %u to "
			  "%u; install the same release of orrery on both "
			  "sides",
		    m->version, PROTO_VERSION_MIN, PROTO_VERSION);
		u->retry_ns = RETRY_MAX_NS;
		return (-1);
	}
	u->env->ops->timer_stop(u->timer);
	u->retry_ns = RETRY_MIN_NS;
	u->ops->welcome(u->arg, m);
	u->state = UPLINK_RUNNING;
	u->next = spool_first(u->spool);
	u->next_told = false;
	u->accounts = 0;
	u->absent_told = u->absent_why[0] == '\0'; /* nobody, ever */
	u->finishing = u->finished = false;        /* it asks again */
	ident_tell_begin(u->ident, &u->defs);
	uplink_pump(u);
	return (0);
}

static int
uplink_refuse(struct uplink *u, const void *msg)
{
	const struct msg_refuse *m = msg;

	log_warnx("monitord refuses: %.*s", (int)m->reason.n,
	    (const char *)m->reason.p);
	u->retry_ns = RETRY_MAX_NS;
	if (m->code == EX_UNAVAILABLE)
		u->ops->let_go(u->arg);
	return (-1);
}

static int
uplink_ack(struct uplink *u, const void *msg)
{
	const struct msg_ack *m = msg;

	if (m->number >= u->next) {
		log_warnx("monitord acknowledges batch %llu, which it was "
			  "never sent",
		    (unsigned long long)m->number);
		return (-1);
	}
	spool_ack(u->spool, m->number);
	u->ops->acked(u->arg);
	return (0);
}

static int
uplink_finish_asked(struct uplink *u, const void *msg)
{
	const struct msg_finish *m = msg;

	if (m->stop == FINISH_GO)
		u->ops->let_go(u->arg);
	else
		u->ops->finish(u->arg, m->stop != FINISH_TELL);
	return (0);
}

static int
uplink_choose(struct uplink *u, const void *msg)
{
	u->ops->choose(u->arg, msg);
	return (0);
}

static int
uplink_attend(struct uplink *u, const void *msg)
{
	u->ops->attend(u->arg, ((const struct msg_attend *)msg)->waits != 0);
	return (0);
}

/* What monitord may send us, and when. */
#define IN(state) (1u << UPLINK_##state)
static const struct uplink_handler {
	unsigned states;
	int (*handle)(struct uplink *, const void *);
} uplink_handlers[MSG_TYPES] = {
	[MSG_welcome] = { IN(HELLO), uplink_welcome },
	[MSG_refuse] = { IN(HELLO) | IN(RUNNING), uplink_refuse },
	[MSG_ack] = { IN(RUNNING), uplink_ack },
	[MSG_finish] = { IN(RUNNING), uplink_finish_asked },
	[MSG_attend] = { IN(RUNNING), uplink_attend },
	[MSG_choose] = { IN(RUNNING), uplink_choose },
};

static int
uplink_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct uplink *u = arg;
	const struct uplink_handler *h = &uplink_handlers[type];

	(void)f;
	(void)at_ns;
	if (h->handle == NULL || !(h->states & 1u << u->state)) {
		log_warnx("monitord: unexpected %s", msg_name(type));
		return (-1);
	}
	return (h->handle(u, msg));
}

static void
uplink_connected(void *arg)
{
	struct uplink *u = arg;
	struct msg_hello m = {
		.version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_COLLECTOR,
		.name = BYTES_STR(u->name),
		.epoch = spool_epoch(u->spool),
		.machine = BYTES_STR(u->env->ops->machine(u->env)),
		.pid = (uint32_t)getpid(),
		.since = spool_since(u->spool),
	};

	u->state = UPLINK_HELLO;
	if (peer_send(u->peer, MSG_hello, &m) == -1) {
		uplink_drop(u);
		return;
	}
	u->env->ops->timer_set(u->timer, HELLO_LIMIT_NS);
}

static void
uplink_drained(void *arg)
{
	uplink_pump(arg);
}

static void
uplink_closed(void *arg, const char *why)
{
	struct uplink *u = arg;

	u->peer = NULL;
	if (u->state == UPLINK_RUNNING)
		log_warnx("connection to monitord lost%s%s; events are kept",
		    why == NULL ? "" : ": ", why == NULL ? "" : why);
	uplink_retry(u);
}

static const struct peer_ops uplink_peer_ops = {
	.message = uplink_message,
	.connected = uplink_connected,
	.drained = uplink_drained,
	.closed = uplink_closed,
};

/* The timer: time to connect, or no welcome has come. */
static void
uplink_connect_cb(void *arg)
{
	struct uplink *u = arg;

	if (u->state == UPLINK_HELLO) {
		log_warnx("monitord does not answer");
		uplink_drop(u);
		return;
	}
	if (u->peer != NULL)
		return;
	u->peer =
	    peer_connect(u->env, u->address, "monitord", &uplink_peer_ops, u);
	if (u->peer == NULL)
		uplink_retry(u);
}

struct uplink *
uplink_new(struct env *env, const char *address, const char *name,
    struct spool *spool, struct ident *ident, const struct uplink_ops *ops,
    void *arg)
{
	struct uplink *u = calloc(1, sizeof(*u));

	if (u == NULL)
		return (NULL);
	u->env = env;
	u->address = address;
	u->name = name;
	u->spool = spool;
	u->ident = ident;
	u->ops = ops;
	u->arg = arg;
	u->retry_ns = RETRY_MIN_NS;
	u->timer = env->ops->timer_new(env, uplink_connect_cb, u);
	if (u->timer == NULL) {
		free(u);
		return (NULL);
	}
	env->ops->timer_set(u->timer, 0);
	return (u);
}

void
uplink_free(struct uplink *u)
{
	if (u == NULL)
		return;
	peer_close(u->peer, true);
	u->env->ops->timer_free(u->timer);
	buf_free(&u->frame);
	free(u->rules);
	free(u);
}

bool
uplink_running(const struct uplink *u)
{
	return (u->state == UPLINK_RUNNING);
}

void
uplink_batch(struct uplink *u, uint64_t number, const void *frame, size_t n)
{
	if (u->state != UPLINK_RUNNING || u->next != number ||
	    !ident_told_all(&u->defs) || peer_queued(u->peer) >= WINDOW_BYTES) {
		uplink_pump(u);
		return;
	}
	if (uplink_tell_next(u) == -1 ||
	    peer_send_raw(u->peer, frame, n) == -1) {
		uplink_drop(u);
		return;
	}
	u->next++;
	u->sent_ns = u->env->ops->now_ns(u->env);
}

void
uplink_accounts(struct uplink *u)
{
	uplink_pump(u);
}

void
uplink_unattached(struct uplink *u, const struct uplink_absent *absent,
    const char *why)
{
	u->absent = *absent;
	snprintf(u->absent_why, sizeof(u->absent_why), "%s", why);
	u->absent_told = false;
	uplink_pump(u);
}

/* Where all is recorded and nobody has chosen, there is nothing to say. */
void
uplink_chosen(struct uplink *u, uint64_t number, uint32_t classes,
    const struct choice *c)
{
	if (u->rules == NULL && (u->rules = malloc(CHOICE_TEXT_BYTES)) == NULL)
		return;
	u->chosen = (struct msg_chosen){
		.number = number,
		.classes = classes,
		.rules = { u->rules, choice_print(c, u->rules) },
	};
	u->chosen_told = number == 0 && classes == CHOICE_CLASSES;
	uplink_pump(u);
}

void
uplink_finish(struct uplink *u)
{
	u->finishing = true;
	u->finished = false;
	uplink_pump(u);
}

bool
uplink_idle(const struct uplink *u)
{
	return (u->state == UPLINK_RUNNING && !uplink_backlog(u) &&
		u->accounts == ident_ended(u->ident) &&
		(!u->finishing || u->finished) &&
		spool_first(u->spool) == spool_next(u->spool));
}

static bool
uplink_figures_same(const struct msg_heartbeat *a,
    const struct msg_heartbeat *b)
{
	return (a->published == b->published && a->lost == b->lost &&
		a->spool_bytes == b->spool_bytes && a->pos == b->pos &&
		a->threads == b->threads);
}

void
uplink_heartbeat(struct uplink *u, const struct msg_heartbeat *m,
    int64_t period_ns)
{
	int64_t now_ns = u->env->ops->now_ns(u->env);
	struct msg_heartbeat beat = *m;

	if (u->state != UPLINK_RUNNING)
		return;
	if ((uplink_backlog(u) || now_ns - u->sent_ns < period_ns) &&
	    (now_ns - u->told_ns < FIGURES_NS ||
		(period_ns > FIGURES_NS && uplink_figures_same(m, &u->told))))
		return;
	if (uplink_backlog(u))
		beat.watermark_node_ns = INT64_MIN; /* not all is told yet */
	else
		u->sent_ns = now_ns;
	u->told_ns = now_ns;
	u->told = *m;
	if (peer_send(u->peer, MSG_heartbeat, &beat) == -1)
		uplink_drop(u);
}
