/*
 * A run begins and ends, and so does the collector.
 *
 * The end, of a run or of the collector, has steps: the masks are cleared
 * (PAUSING) until nobody is in the middle of an event, the rest is taken,
 * everything is sent (SENDING), and then it is over.  Whom monitord has asked
 * to stop is leaving, and goes when monitord says so: what was said last may
 * be lost with the connection, and then it is said again in the next one.
 */
#include <string.h>

#include "clocklink.h"
#include "collector/spool/spool.h"
#include "core_inside.h"
#include "event.h"
#include "log.h"
#include "uplink.h"

#define PAUSE_MIN_NS (3 * ENV_MS)   /* a store is visible by then */
#define PAUSE_MAX_NS (100 * ENV_MS) /* a thread stopped inside a probe */

/* There is somebody to whom something has to be said. */
static bool
core_needed(struct collector_core *co, bool sent)
{
	bool linked = uplink_running(co->uplink);

	if (linked)
		co->linked_ns = co->now_ns;
	if (co->leaving && !co->blocked)
		return (co->now_ns - co->linked_ns < COLLECTOR_LEAVE_NS);
	return (
	    !sent && linked && co->now_ns - co->state_ns < COLLECTOR_STOP_NS);
}

void
core_sending(struct collector_core *co)
{
	bool sent = uplink_idle(co->uplink);

	if (!co->stopping || core_needed(co, sent))
		return;
	if (!sent && spool_first(co->spool) < spool_next(co->spool))
		log_info("stopping with %llu bytes in %s; they are sent when "
			 "this node's collector is started again",
		    (unsigned long long)spool_bytes(co->spool),
		    spool_dir(co->spool));
	co->state = CORE_STOPPED;
	co->env->ops->timer_stop(co->tick);
	co->ops->stopped(co->arg);
}

static int
detach_cb(void *arg, struct drain_po *dp)
{
	(void)arg;
	drain_po_ending(dp, ENDING_RAN_ON);
	drain_detach(dp, true);
	return (0);
}

/* Nobody publishes any more: takes the rest. */
void
core_pausing(struct collector_core *co)
{
	int64_t since_ns = co->now_ns - co->state_ns;

	if (since_ns < PAUSE_MIN_NS || !drain_ready(co->drain) ||
	    (drain_active(co->drain) && since_ns < PAUSE_MAX_NS))
		return;
	if (co->stopping)
		drain_each(co->drain, detach_cb, NULL);
	drain_look(co->drain);
	if (core_flush(co) == -1 || !drain_ready(co->drain) ||
	    core_code_waits(co))
		return;
	co->state = CORE_SENDING;
	co->state_ns = co->now_ns;
	if (!co->finishing)
		return;
	co->no_run = spool_next(co->spool);
	uplink_finish(co->uplink);
}

static bool
uuid_is_zero(const struct uuid *u)
{
	static const struct uuid zero;

	return (memcmp(u, &zero, sizeof(zero)) == 0);
}

/* Of a batch as a frame. */
static void
core_waits(struct collector_core *co, const struct buf *frame, bool spooled)
{
	struct msg_batch m;
	struct frame f;

	if (frame->n > 0 && frame_parse(frame->p, frame->n, &f) == FRAME_OK &&
	    msg_decode(MSG_batch, f.body, f.body_bytes, &m) == 0)
		ident_waits(co->ident, m.streams, spooled);
}

/* What there is of the new run already. */
static void
core_waiting(struct collector_core *co)
{
	struct buf buf = { 0 };
	uint64_t next = spool_next(co->spool);

	for (uint64_t i = spool_first(co->spool); i < next; i++) {
		if (spool_read(co->spool, i, &buf) == 0)
			core_waits(co, &buf, true);
	}
	buf_free(&buf);
	core_waits(co, &co->frame, false);
	ident_waits(co->ident, batch_bytes(co->writer), false);
}

/*
 * Another run begins; what is left of the one before belongs to no other.
 * What came after that one, or before we knew of any, is of this one.
 */
static void
core_new_run(struct collector_core *co)
{
	static const struct uplink_absent none;
	uint64_t first = spool_first(co->spool), next = spool_next(co->spool);

	if (next > co->no_run)
		next = co->no_run;
	if (next > first) {
		log_warnx("another run has begun; %llu batches of the one "
			  "before are dropped",
		    (unsigned long long)(next - first));
		spool_ack(co->spool, next - 1);
	}
	core_waiting(co);
	co->absent_before = co->absent;
	uplink_unattached(co->uplink, &none, "");
	if (ident_new_run(co->ident) == -1)
		log_warn("%s", spool_dir(co->spool));
	core_choice_forget(co); /* what that tells is of the new one */
}

/*
 * A look vouches for the time of the one before, which may be long ago when we
 * have rested: only the second heartbeat tells of now.
 */
static void
core_attend(void *arg, bool waits)
{
	struct collector_core *co = arg;

	co->resting = !waits;
	if (!waits)
		return;
	co->eager = 2;
	core_schedule(co, 0);
}

static void
core_welcome(void *arg, const struct msg_welcome *m)
{
	struct collector_core *co = arg;
	struct uuid run = spool_run(co->spool);

	if (!uuid_is_zero(&run) && memcmp(&run, &m->run, sizeof(run)) != 0)
		core_new_run(co);
	co->no_run = UINT64_MAX;
	if (!core_waited_for(co))
		core_attend(co, true);
	co->node = m->node;
	if (spool_remember(co->spool, m->node, &m->run) == -1)
		log_warn("%s", spool_dir(co->spool));
	ident_skip_pos(co->ident, m->next_po);
	clocklink_poke(co->clock);
	if (!co->stopping) {
		co->state = CORE_RUNNING;
		co->finishing = false;
		core_choice_resume(co);
	}
	core_choice_welcome(co);
	if (co->ops->welcomed != NULL)
		co->ops->welcomed(co->arg);
}

static void
core_pause(struct collector_core *co)
{
	core_clocks(co);
	co->state = CORE_PAUSING;
	core_choice_resume(co); /* nothing, that is */
	co->state_ns = co->now_ns;
	core_schedule(co, co->opt.sweep_ns);
}

static void
core_finish(void *arg, bool stop)
{
	struct collector_core *co = arg;

	co->finishing = true;
	co->stopping |= stop;
	co->leaving |= stop;
	core_pause(co);
	co->linked_ns = co->now_ns;
}

static void
core_let_go(void *arg)
{
	struct collector_core *co = arg;

	if (!co->leaving)
		return;
	co->leaving = false;
	core_schedule(co, 0);
}

static void
core_acked(void *arg)
{
	struct collector_core *co = arg;

	if (co->blocked || co->state == CORE_SENDING)
		core_schedule(co, 0);
}

const struct uplink_ops core_uplink_ops = {
	.welcome = core_welcome,
	.finish = core_finish,
	.let_go = core_let_go,
	.acked = core_acked,
	.attend = core_attend,
	.choose = core_choice_set,
};

void
collector_core_stop(struct collector_core *co)
{
	co->leaving = false; /* who asks will not wait */
	if (co->stopping)
		return;
	co->stopping = true;
	core_pause(co);
}
