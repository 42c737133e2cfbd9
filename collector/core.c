/*
 * The core of a collector: when to look, take, append and send.
 *
 * One tick looks at all rings.  Nothing is taken until the flush period is
 * over or a ring fills up, so runs are long and batches few.  What was taken
 * becomes a batch, and then, in this order: definitions to the journal, the
 * batch to the spool, tails forward, accounts to the journal, the batch to
 * monitord.  When the disk is full the chain stops at that point and is tried
 * again; meanwhile the rings fill, and only there events are lost.
 *
 * Programs come and go in core_po.c, runs in core_run.c.
 */
#include "core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clocklink.h"
#include "collector/spool/spool.h"
#include "core_inside.h"
#include "event.h"
#include "log.h"
#include "uplink.h"

#define WAITING_MAX 32768u  /* records: do not wait for the flush */
#define IDLE_TICKS  16u     /* before the sweep slows down */
#define THREADS_NS  ENV_SEC /* between checks of silent threads */

#define CATCH_UP_TRIES 3 /* to read the last batch of the spool */

static void core_tick(void *);

void
core_schedule(struct collector_core *co, int64_t delay_ns)
{
	co->env->ops->timer_set(co->tick, delay_ns);
}

void
core_clocks(struct collector_core *co)
{
	struct clock_pair pairs[DRAIN_CLOCKS] = { { 0 } };

	co->now_ns = co->env->ops->now_ns(co->env);
	if (co->ops->clocks != NULL)
		co->ops->clocks(co->arg, pairs);
	else {
		for (int c = 0; c < DRAIN_CLOCKS; c++)
			pairs[c] = (struct clock_pair){
				.t_cycles = (uint64_t)co->now_ns,
				.t_node_ns = co->now_ns,
			};
	}
	drain_clock(co->drain, pairs);
}

/* The frame is made; puts it where it cannot be lost.  -1: not now. */
static int
core_store(struct collector_core *co)
{
	uint64_t number = spool_next(co->spool);

	if (ident_save(co->ident) == -1 ||
	    spool_append(co->spool, co->frame.p, co->frame.n) == -1) {
		if (!co->blocked)
			log_warn("%s: no room for events; they wait in the "
				 "programs, and are lost when those have none",
			    spool_dir(co->spool));
		co->blocked = true;
		return (-1);
	}
	if (co->blocked)
		log_warnx("%s: there is room again", spool_dir(co->spool));
	co->blocked = false;
	drain_taken(co->drain);
	uplink_batch(co->uplink, number, co->frame.p, co->frame.n);
	co->frame.n = 0;
	return (0);
}

/* Makes a batch of what the writer holds. */
static int
core_append(void *arg)
{
	struct collector_core *co = arg;
	struct msg_batch m;

	if (co->blocked) /* the batch before it waits in co->frame */
		return (-1);
	if (batch_bytes(co->writer).n == 0)
		return (0);
	m = (struct msg_batch){
		.number = spool_next(co->spool),
		.watermark_node_ns = drain_watermark_ns(co->drain),
		.events = batch_events(co->writer),
		.streams = batch_bytes(co->writer),
		.start = spool_epoch(co->spool),
	};
	co->frame.n = 0;
	if (frame_append(&co->frame, MSG_batch, &m) == -1) {
		if (!co->short_of_memory)
			log_warn("a batch of %zu bytes; its events wait in the "
				 "programs, and are lost when those have no "
				 "room",
			    m.streams.n);
		co->short_of_memory = true;
		return (-1);
	}
	co->short_of_memory = false;
	batch_writer_reset(co->writer);
	drain_cut(co->drain);
	return (core_store(co));
}

static bool
core_sched(void *arg, int64_t before_node_ns)
{
	struct collector_core *co = arg;

	return (co->ops->sched == NULL || co->sched == NULL ||
		sched_tell(co->sched, co->drain, before_node_ns));
}

static const struct drain_ops core_drain_ops = { .full = core_append,
	.sched = core_sched };

/* Takes what the last look saw, to its end.  -1: blocked. */
int
core_flush(struct collector_core *co)
{
	core_clocks(co); /* everything that was seen is from before */
	if (drain_take(co->drain, co->now_ns) == -1 || core_append(co) == -1)
		return (-1);
	co->told_ns = drain_watermark_ns(co->drain);
	co->flushed_ns = co->now_ns;
	core_code_ask(co);
	if (drain_reap(co->drain) > 0)
		uplink_accounts(co->uplink);
	if (ident_settle(co->ident) == 0) /* else before the next batch */
		drain_release(co->drain);
	return (0);
}

/* A batch did not fit: only that is tried, nothing new is taken. */
static void
core_retry(struct collector_core *co)
{
	if (core_store(co) == 0)
		(void)core_flush(co);
}

static int64_t
core_beat_period(struct collector_core *co)
{
	if (co->eager > 0) {
		co->eager--;
		return (0);
	}
	if (!core_waited_for(co))
		return (COLLECTOR_BEAT_REST_NS);
	return (drain_pos(co->drain) > 0 ? COLLECTOR_BEAT_NS
					 : COLLECTOR_BEAT_IDLE_NS);
}

static void
core_heartbeat(struct collector_core *co)
{
	struct msg_heartbeat m = {
		.watermark_node_ns = co->told_ns,
		.spool_bytes = spool_bytes(co->spool),
		.spool_limit_bytes = spool_limit_bytes(co->spool),
		.pos = (uint32_t)drain_pos(co->drain),
		.threads = (uint32_t)drain_threads(co->drain),
	};

	/* a spool that was full before the first look has to be told of */
	if (co->told_ns == INT64_MIN && !co->blocked)
		return;
	ident_totals(co->ident, &m.published, &m.lost);
	uplink_heartbeat(co->uplink, &m, core_beat_period(co));
}

static int64_t
core_period(const struct collector_core *co)
{
	int64_t period_ns = co->opt.sweep_ns;

	if (co->state == CORE_SENDING) /* whatever ends that comes from there */
		return (COLLECTOR_BEAT_NS);
	if (co->state != CORE_RUNNING || co->eager > 0)
		return (period_ns);
	if (drain_pos(co->drain) == 0)
		return (co->idle > 0 && !core_waited_for(co)
			    ? COLLECTOR_BEAT_REST_NS
			    : COLLECTOR_BEAT_IDLE_NS);
	for (unsigned i = IDLE_TICKS; i < co->idle; i += IDLE_TICKS)
		period_ns *= 2;
	if (period_ns > COLLECTOR_SWEEP_MAX_NS)
		period_ns = COLLECTOR_SWEEP_MAX_NS;
	return (period_ns < co->opt.sweep_ns ? co->opt.sweep_ns : period_ns);
}

static void
core_sweep(struct collector_core *co)
{
	uint64_t waiting = drain_look(co->drain);
	bool some = waiting > 0 || drain_urgent(co->drain);

	if (some || sched_busy(co->sched))
		co->idle = 0;
	else if (co->idle < 8 * IDLE_TICKS) /* our own words do not count */
		co->idle++;
	if (co->state == CORE_RUNNING)
		sampler_step(co->sampler, co->now_ns, some);
	if (!some && batch_bytes(co->writer).n == 0) {
		co->told_ns = drain_watermark_ns(co->drain);
		return;
	}
	if (waiting >= WAITING_MAX || drain_urgent(co->drain) ||
	    co->now_ns - co->flushed_ns >= co->opt.flush_ns)
		(void)core_flush(co);
}

static void
core_tick(void *arg)
{
	struct collector_core *co = arg;

	core_clocks(co);
	if (uplink_running(co->uplink))
		co->linked_ns = co->now_ns;
	if (co->blocked)
		core_retry(co);
	if (!co->blocked)
		core_sweep(co);
	core_code_look(co);
	if (!co->blocked && co->state == CORE_PAUSING)
		core_pausing(co);
	if (co->now_ns - co->checked_ns >= THREADS_NS) {
		co->checked_ns = co->now_ns;
		drain_check_threads(co->drain);
		core_choice_second(co);
		if (co->missing && !co->blocked)
			collector_core_adopted(co);
	}
	core_heartbeat(co);
	core_schedule(co, co->blocked ? COLLECTOR_RETRY_NS : core_period(co));
	if (co->state == CORE_SENDING || (co->blocked && co->stopping))
		core_sending(co); /* may be the end of all this */
}

/* Where a process before this one stopped. */
static int
core_catch_up(struct collector_core *co)
{
	struct msg_batch batch;
	struct buf buf = { 0 };
	struct frame f;
	int rc = -1;

	if (spool_first(co->spool) == spool_next(co->spool))
		return (0);
	/* what it says cannot be done without; it was whole a moment ago */
	for (int i = 0; i < CATCH_UP_TRIES && rc == -1; i++)
		rc = spool_read(co->spool, spool_next(co->spool) - 1, &buf);
	if (rc == 0 && frame_parse(buf.p, buf.n, &f) == FRAME_OK &&
	    msg_decode(MSG_batch, f.body, f.body_bytes, &batch) == 0)
		rc = ident_catch_up(co->ident, &batch);
	buf_free(&buf);
	return (rc);
}

struct collector_core *
collector_core_new(struct env *env, const struct collector_options *opt,
    const struct collector_ops *ops, void *arg)
{
	struct collector_core *co = calloc(1, sizeof(*co));
	int saved;

	if (co == NULL)
		return (NULL);
	co->env = env;
	co->ops = ops;
	co->arg = arg;
	co->opt = *opt;
	co->told_ns = INT64_MIN;
	if (co->opt.flush_ns == 0)
		co->opt.flush_ns = COLLECTOR_FLUSH_NS;
	if (co->opt.sweep_ns == 0)
		co->opt.sweep_ns = COLLECTOR_SWEEP_NS;
	strncpy(co->name, opt->name, sizeof(co->name) - 1);
	strncpy(co->monitord, opt->monitord, sizeof(co->monitord) - 1);

	if ((co->spool = spool_open(env, opt->spool_dir,
		 opt->spool_limit_bytes)) == NULL ||
	    (co->ident = ident_open(env, opt->spool_dir)) == NULL ||
	    core_catch_up(co) == -1 ||
	    (co->writer = batch_writer_new()) == NULL ||
	    (co->drain = drain_new(co->ident, co->writer, &core_drain_ops, co,
		 ops->lines != NULL ? ops->lines(arg) : NULL)) == NULL ||
	    (co->sampler = sampler_new(env, co->drain,
		 opt->mask & 1u << CLASS_note ? opt->counters_ns : 0,
		 ops->measure, arg)) == NULL ||
	    (co->sched = sched_new(ops->sched, arg)) == NULL ||
	    (co->uplink = uplink_new(env, co->monitord, co->name, co->spool,
		 co->ident, &core_uplink_ops, co)) == NULL ||
	    (co->clock = clocklink_new(env, co->monitord, co->name,
		 spool_epoch(co->spool), spool_since(co->spool))) == NULL ||
	    (co->tick = env->ops->timer_new(env, core_tick, co)) == NULL)
		goto fail;
	co->node = spool_node(co->spool);
	core_choice_load(co);
	co->no_run = spool_next(co->spool);
	core_clocks(co);
	co->linked_ns = co->now_ns;
	core_schedule(co, co->opt.sweep_ns);
	return (co);

fail:
	saved = errno;
	collector_core_free(co);
	errno = saved;
	return (NULL);
}

void
collector_core_free(struct collector_core *co)
{
	if (co == NULL)
		return;
	co->env->ops->timer_free(co->tick);
	clocklink_free(co->clock);
	uplink_free(co->uplink);
	sampler_free(co->sampler);
	sched_free(co->sched);
	drain_free(co->drain);
	batch_writer_free(co->writer);
	ident_free(co->ident);
	spool_close(co->spool);
	buf_free(&co->frame);
	free(co);
}

uint32_t
collector_core_next_po(const struct collector_core *co)
{
	return (ident_next_po(co->ident));
}

uint32_t
collector_core_node(const struct collector_core *co)
{
	return (co->node);
}

bool
collector_core_numbers_sure(const struct collector_core *co)
{
	return (co->node != 0 || spool_epoch(co->spool) > 1);
}

uint32_t
collector_core_mask(const struct collector_core *co)
{
	return (core_takes(co) ? co->opt.mask : 0);
}

struct ident *
collector_core_ident(const struct collector_core *co)
{
	return (co->ident);
}
