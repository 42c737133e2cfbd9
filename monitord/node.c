/*
 * One node.
 *
 * Its collector has two connections: batches, heartbeats and accounts come on
 * one, answers to clock probes on the other.  Nothing can be put on the
 * common clock before the first burst of probes is in, so until then batches
 * wait: the few that have been read are parked, and no more are read.
 *
 * A batch is acknowledged when all its events are in the log on disk.  After
 * a lost connection the collector repeats from the last acknowledgement and
 * what is here already is dropped by sequence number.
 */
#include "node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "inside.h"
#include "log.h"
#include "monitord/run/node_map.h"

#define PARKED_MAX (64u << 20)
#define WEDGED_NS  (150 * ENV_MS) /* a full spool, and nothing comes of it */

const char *const node_state_name[NODE_STATES] = {
	[NODE_NEW] = "awaited",
	[NODE_SYNCING] = "syncing",
	[NODE_RUNNING] = "running",
	[NODE_GONE] = "gone",
};

#define IN(state) (1u << (state))
#define HERE      (IN(NODE_SYNCING) | IN(NODE_RUNNING))

static int node_po(struct node *, const void *);
static int node_thread(struct node *, const void *);
static int node_name(struct node *, const void *);
static int node_module(struct node *, const void *);
static int node_symbol(struct node *, const void *);
static int node_batch(struct node *, const void *);
static int node_heartbeat(struct node *, const void *);
static int node_account(struct node *, const void *);
static int node_spooled(struct node *, const void *);
static int node_says_unattached(struct node *, const void *);
static int node_finished(struct node *, const void *);

/* What a collector may send us, and when. */
static const struct node_handler {
	unsigned states;
	int (*handle)(struct node *, const void *);
} node_handlers[MSG_TYPES] = {
	[MSG_po] = { HERE, node_po },
	[MSG_thread] = { HERE, node_thread },
	[MSG_name] = { HERE, node_name },
	[MSG_module] = { HERE, node_module },
	[MSG_symbol] = { HERE, node_symbol },
	[MSG_batch] = { IN(NODE_RUNNING), node_batch },
	[MSG_heartbeat] = { HERE, node_heartbeat },
	[MSG_account] = { IN(NODE_RUNNING), node_account },
	[MSG_spooled] = { IN(NODE_RUNNING), node_spooled },
	[MSG_unattached] = { HERE, node_says_unattached },
	[MSG_chosen] = { HERE, node_chosen },
	[MSG_finished] = { IN(NODE_RUNNING), node_finished },
};
/* What has to wait for the clock, in its order. */
#define PARKED(type)                                                           \
	((type) == MSG_batch || (type) == MSG_spooled ||                       \
	    (type) == MSG_account || (type) == MSG_finished)

/* Keeps a frame until the clock is usable, and reads no further. */
static int
node_park(struct node *n, const struct frame *f)
{
	uint8_t *p;

	if (n->parked_bytes + f->frame_bytes > PARKED_MAX) {
		log_warnx("node %s: sends on while told to wait; closing",
		    n->name);
		return (-1);
	}
	p = realloc(n->parked, n->parked_bytes + f->frame_bytes);
	if (p == NULL) {
		log_warn("node %s", n->name);
		return (-1);
	}
	n->parked = p;
	memcpy(p + n->parked_bytes, f->body - FRAME_HEAD_BYTES, f->frame_bytes);
	n->parked_bytes += f->frame_bytes;
	guest_pause(n->data, true);
	return (0);
}

static int
node_handle(struct node *n, unsigned type, const void *msg)
{
	if (type >= MSG_TYPES || node_handlers[type].handle == NULL ||
	    !(node_handlers[type].states & IN(n->state))) {
		log_warnx("node %s: unexpected %s; closing", n->name,
		    msg_name(type));
		return (-1);
	}
	return (node_handlers[type].handle(n, msg));
}

static int
node_message(void *arg, unsigned type, const void *msg, const struct frame *f,
    int64_t at_ns)
{
	struct node *n = arg;
	uint32_t gaps;

	n->heard_ns = core_mon(n->core, at_ns);
	if (n->state == NODE_SYNCING && PARKED(type))
		return (node_park(n, f));
	gaps = n->counts.gaps;
	if (node_handle(n, type, msg) == 0)
		return (0);
	if (n->counts.gaps == gaps) /* else it shall repeat at once */
		guest_blame(n->data);
	return (-1);
}

static void
node_unpark(struct node *n)
{
	free(n->parked);
	n->parked = NULL;
	n->parked_bytes = 0;
}

/* The clock can be used: what has waited is served now. */
void
node_run(struct node *n)
{
	struct frame f;
	_Alignas(16) unsigned char msg[512];
	size_t at = 0;
	int rv = 0;

	n->state = NODE_RUNNING;
	while (
	    rv == 0 && at < n->parked_bytes &&
	    frame_parse(n->parked + at, n->parked_bytes - at, &f) == FRAME_OK) {
		at += f.frame_bytes;
		rv = msg_decode(f.type, f.body, f.body_bytes, msg);
		if (rv == 0)
			rv = node_handle(n, f.type, msg);
	}
	node_unpark(n);
	if (rv != 0) {
		guest_close(n->data, true);
		n->data = NULL;
		n->state = NODE_GONE;
		return;
	}
	if (n->core->state == CORE_FINISHING)
		node_finish(n);
	choice_tell(n);
	if (!n->paused)
		guest_pause(n->data, false);
	core_kick(n->core);
}

static void
batches_clear(struct node *n)
{
	struct node_batch *b;

	while ((b = STAILQ_FIRST(&n->batches)) != NULL) {
		STAILQ_REMOVE_HEAD(&n->batches, entry);
		free(b);
	}
}

void
node_closed(void *arg, const char *why)
{
	struct node *n = arg;

	n->data = NULL;
	n->state = NODE_GONE;
	n->paused = false;
	core_busy(n->core); /* not waited for soon */
	reorder_hold(n->core->reorder, n->number, false);
	node_unpark(n);
	batches_clear(n);
	n->heard_ns = core_now(n->core);
	if (n->core->state != CORE_FINISHED && n->end != NODE_FINISHED)
		log_warnx("node %s: connection lost%s%s", n->name,
		    why != NULL ? ": " : "", why != NULL ? why : "");
	n->chosen = 0;
	control_chosen(n->core);
	finish_check(n->core);
}

const struct guest_role node_role = {
	.message_max = FRAME_HEAD_BYTES + FRAME_BODY_MAX,
	.message = node_message,
	.closed = node_closed,
};

static int
node_po(struct node *n, const void *msg)
{
	return (node_define(n, MSG_po, msg));
}

static int
node_thread(struct node *n, const void *msg)
{
	return (node_define(n, MSG_thread, msg));
}

static int
node_name(struct node *n, const void *msg)
{
	return (node_define(n, MSG_name, msg));
}

static int
node_module(struct node *n, const void *msg)
{
	return (node_define(n, MSG_module, msg));
}

static int
node_symbol(struct node *n, const void *msg)
{
	return (node_define(n, MSG_symbol, msg));
}

static int
node_spooled(struct node *n, const void *msg)
{
	n->due = ((const struct msg_spooled *)msg)->number;
	n->says_due = true;
	return (0);
}

/*
 * A batch that its collector has sent and that has not come is in the spool: it
 * is asked for again, by closing, however often that takes.  Nothing is lost.
 * One that comes twice is no hole: what it has again is known by its numbers.
 * What is on disk of those before it is acknowledged first, or nothing would
 * get on where one of many is missing each time.
 */
static bool
leaves_hole(struct node *n, uint64_t number, const char *what)
{
	if (!n->says_due || number <= n->due)
		return (false);
	log_warnx("node %s: %s %llu has come where %llu was due; closing, it "
		  "will repeat",
	    n->name, what, (unsigned long long)number,
	    (unsigned long long)n->due);
	n->counts.gaps++;
	(void)core_commit_now(n->core);
	return (true);
}

static int
node_batch(struct node *n, const void *msg)
{
	const struct msg_batch *m = msg;
	uint64_t events = n->counts.events;

	n->batch_ns = core_now(n->core);
	if (n->core->state == CORE_FINISHED)
		return (0);
	core_busy(n->core);
	if (leaves_hole(n, m->number, "batch") || node_intake(n, m) == -1)
		return (-1);
	if (!n->says_due || m->number == n->due)
		n->due = m->number + 1;
	if (n->counts.events > events)
		n->moved_ns = core_now(n->core);
	n->last_batch = m->number;
	node_mark(n, node_clock_of(n, m->start), m->watermark_node_ns);
	core_kick(n->core);
	core_commit_soon(n->core);
	core_pressure_of(n);
	return (0);
}

/*
 * Its spool is filling, no batch comes any more, and its mark does not move:
 * what would move it has no room there.  So many names in front of an event do
 * that, or a thread that was stopped while it wrote one, beside others that go
 * on.  What is here is let go, or the spool would never be empty again.
 */
static bool
node_has_wedged(const struct node *n)
{
	return (n->told.spool_limit_bytes > 0 && !n->paused &&
		n->told.spool_bytes >= n->told.spool_limit_bytes / 2 &&
		core_now(n->core) - n->batch_ns >= WEDGED_NS);
}

static int
node_heartbeat(struct node *n, const void *msg)
{
	n->told = *(const struct msg_heartbeat *)msg;
	if (n->state == NODE_RUNNING && n->core->state != CORE_FINISHED) {
		node_mark(n, n->clocks.sync, n->told.watermark_node_ns);
		if (node_has_wedged(n))
			reorder_let_go(n->core->reorder);
		if (reorder_held_bytes(n->core->reorder) > 0)
			core_kick(n->core); /* else nobody waits for it */
	}
	return (0);
}

static int
node_account(struct node *n, const void *msg)
{
	const struct msg_account *m = msg;
	struct registry *r = n->core->registry;
	struct msg_thread t = { .node = n->number,
		.po = m->po,
		.thread = m->thread };
	struct location *l;
	uint32_t i;

	/* a thread that lost all it had has no other mention */
	i = registry_thread(r, &t);
	if (i == REGISTRY_NONE || i == REGISTRY_BEYOND)
		return (0);
	l = registry_location(r, i);
	if (!l->told)
		n->moved_ns = core_now(n->core);
	l->told = true;
	l->known = m->known != 0;
	l->published = m->published;
	l->lost = m->lost;
	l->next_seq = m->next_seq;
	if (l->open && l->pushed >= l->next_seq) {
		reorder_stream_close(n->core->reorder, i);
		l->open = false;
	}
	return (0);
}

uint64_t
node_unattached(const struct node *n)
{
	return (n->counts.unattached_before + n->counts.unattached);
}

/* Who is not in the log, and would not be missed by any count. */
static int
node_says_unattached(struct node *n, const void *msg)
{
	const struct msg_unattached *m = msg;
	uint64_t was = n->counts.unattached;

	if (m->processes > UINT32_MAX)
		return (-1);
	n->counts.unattached = m->processes;
	n->counts.unrecorded = m->unrecorded;
	snprintf(n->counts.unattached_why, sizeof(n->counts.unattached_why),
	    "%.*s", (int)m->why.n, (const char *)m->why.p);
	if (m->processes > was && n->core->state != CORE_FINISHED)
		core_say(n->core, EV_unattached, n->number, node_unattached(n),
		    0);
	return (0);
}

/* A step of its end.  One that it has made before is no news. */
static void
node_end(struct node *n, enum node_end end)
{
	n->end = end;
	if (end <= n->end_top)
		return;
	n->end_top = end;
	n->moved_ns = core_now(n->core);
}

/* All it has told is on disk: the next step. */
static void
node_may_stop(struct node *n)
{
	struct msg_finish m = { .stop = FINISH_STOP };

	if (n->end != NODE_TOLD || !STAILQ_EMPTY(&n->batches) ||
	    n->data == NULL)
		return;
	node_end(n, NODE_STOPPING);
	guest_send(n->data, MSG_finish, &m);
}

/* Its farewell is here and on disk: nobody needs it any more. */
static void
node_may_go(struct node *n)
{
	struct msg_finish m = { .stop = FINISH_GO };

	if (n->end != NODE_FINISHED || !STAILQ_EMPTY(&n->batches) ||
	    n->data == NULL || n->let_go)
		return;
	n->let_go = true;
	guest_send(n->data, MSG_finish, &m);
}

/* Behind the last batch: that nothing follows shows no hole by itself. */
static int
node_finished(struct node *n, const void *msg)
{
	const struct msg_finished *m = msg;

	if (n->core->state != CORE_FINISHED &&
	    leaves_hole(n, m->number + 1, "the end before batch"))
		return (-1);
	if (n->end == NODE_ASKED) {
		node_end(n, NODE_TOLD);
		node_may_stop(n);
	} else if (n->end == NODE_STOPPING) {
		node_end(n, NODE_FINISHED);
		/* it is silent from now on, and nobody shall wait for it */
		reorder_node_remove(n->core->reorder, n->number);
		node_may_go(n);
		core_kick(n->core);
		finish_check(n->core);
	}
	return (0);
}

void
node_acknowledge(struct node *n)
{
	struct msg_ack m = { .number = n->acked };
	struct node_batch *b;
	struct location *l;
	bool news = false;
	size_t i;

	while ((b = STAILQ_FIRST(&n->batches)) != NULL) {
		for (i = 0; i < b->nlast; i++) {
			l = registry_location(n->core->registry,
			    b->last[i].location);
			if (l->emitted < b->last[i].next_seq)
				break;
		}
		if (i < b->nlast)
			break;
		m.number = b->number;
		news = true;
		STAILQ_REMOVE_HEAD(&n->batches, entry);
		free(b);
	}
	n->acked = m.number;
	if (news && n->data != NULL)
		guest_send(n->data, MSG_ack, &m);
	node_may_stop(n);
	node_may_go(n);
}

void
node_pause(struct node *n, bool pause)
{
	if (n->data == NULL || n->state != NODE_RUNNING || n->paused == pause)
		return;
	n->paused = pause;
	reorder_hold(n->core->reorder, n->number, pause);
	guest_pause(n->data, pause);
}

void
node_finish(struct node *n)
{
	struct msg_finish m = { .stop = FINISH_TELL };

	if (n->data == NULL || n->state != NODE_RUNNING)
		return;
	node_end(n, NODE_ASKED);
	guest_send(n->data, MSG_finish, &m);
}

void
node_rest(struct node *n, bool resting)
{
	struct msg_attend m = { .waits = !resting };

	/* the end of the run asks for no more times, so clocks go on resting */
	if (resting || n->core->state == CORE_RUNNING)
		node_clock_rest(n, resting);
	if (n->data != NULL)
		guest_send(n->data, MSG_attend, &m);
}

void
node_second(struct node *n)
{
	node_clock_tick(n);
	n->counts.rate = (uint32_t)(n->counts.events - n->counts.events_before);
	n->counts.events_before = n->counts.events;
}

struct node *
node_new(struct monitord_core *c, const char *name)
{
	struct node *n = calloc(1, sizeof(*n));

	if (n == NULL)
		return (NULL);
	n->core = c;
	STAILQ_INIT(&n->batches);
	n->mark_mon_ns = INT64_MIN;
	strncpy(n->name, name, sizeof(n->name) - 1);
	if (node_clock_new(n) == -1) {
		node_free(n);
		return (NULL);
	}
	return (n);
}

void
node_free(struct node *n)
{
	if (n == NULL)
		return;
	node_clock_free(n);
	batches_clear(n);
	node_unpark(n);
	node_map_free(n);
	free(n);
}
