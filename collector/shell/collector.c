/*
 * The column of module starts.
 *
 * Keeper and worker are two processes of this program.  The keeper starts the
 * worker; the worker is a core on the real env, tied to processes by attach.
 */
#include "collector.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>

#include "collector/shell/attach/attach.h"
#include "collector/shell/keeper/keeper.h"
#include "collector/shell/self/options.h"
#include "collector/shell/self/spawn.h"
#include "collector/shell/system/cycles.h"
#include "collector/shell/system/linefile.h"
#include "collector/shell/system/procfs.h"
#include "helper.h"
#include "log.h"
#include "streamfile.h"

#define LOCK_TRIES 200 /* times 20 ms: a worker before us that is dying */

struct worker {
	struct env *env;
	const struct options *opt;
	struct event_base *base;
	struct collector_core *core;
	struct attach *attach;
	struct helper *helper;
	int code;
};

static void
worker_clocks(void *arg, struct clock_pair pairs[DRAIN_CLOCKS])
{
	cycles_pairs(((struct worker *)arg)->env, pairs);
}

static struct nodeclock *
worker_lines(void *arg)
{
	struct worker *w = arg;

	return (linefile_map(w->env, w->opt->spool));
}

static bool
worker_measure(void *arg, struct measures *m)
{
	(void)arg;
	return (procfs_node(m));
}

static void
worker_sampling(void *arg, struct drain_po *dp, uint32_t rate_hz)
{
	struct worker *w = arg;

	if (w->attach != NULL)
		attach_sampling(w->attach, dp, rate_hz);
}

static size_t
worker_sched(void *arg, struct chains *chains, struct sched_record *r,
    size_t max)
{
	struct worker *w = arg;

	return (
	    w->attach == NULL ? 0 : attach_sched(w->attach, chains, r, max));
}

static bool
worker_missing(void *arg, const struct po *po)
{
	struct worker *w = arg;

	return (attach_missing(w->attach, po));
}

static void
worker_code(void *arg, struct drain_po *dp)
{
	struct worker *w = arg;

	if (w->attach != NULL)
		attach_code(w->attach, dp);
}

static bool
worker_resolve(void *arg, const struct msg_resolve *m)
{
	return (helper_ask(((struct worker *)arg)->helper, m));
}

static void
worker_symbol(void *arg, const struct msg_symbol *m)
{
	struct worker *w = arg;

	if (w->core != NULL)
		collector_core_symbol(w->core, m);
}

static const struct helper_ops helper_ops = { .symbol = worker_symbol };

static void
worker_welcomed(void *arg)
{
	struct worker *w = arg;

	if (w->attach != NULL)
		attach_welcomed(w->attach);
}

static void
worker_stopped(void *arg)
{
	struct worker *w = arg;

	event_base_loopbreak(w->base);
}

static void
worker_signal_cb(evutil_socket_t sig, short what, void *arg)
{
	struct worker *w = arg;

	(void)sig;
	(void)what;
	collector_core_stop(w->core);
}

static const struct collector_ops worker_ops = {
	.clocks = worker_clocks,
	.lines = worker_lines,
	.measure = worker_measure,
	.sched = worker_sched,
	.sampling = worker_sampling,
	.missing = worker_missing,
	.code = worker_code,
	.resolve = worker_resolve,
	.welcomed = worker_welcomed,
	.stopped = worker_stopped,
};

/* The worker before us may still hold the lock for a moment. */
static struct collector_core *
core_open(struct worker *w, const struct options *o)
{
	struct collector_options opt = {
		.name = o->name,
		.monitord = o->monitord,
		.spool_dir = o->spool,
		.spool_limit_bytes = o->spool_limit_bytes,
		.flush_ns = o->flush_ns,
		.sweep_ns = o->sweep_ns,
		.mask = o->mask,
		.sample_hz = o->sample_hz,
		.wait_ms = o->wait_ms,
		.counters_ns = o->counters_ns,
	};
	struct timespec pause = { .tv_nsec = 20000000 };
	struct collector_core *core = NULL;

	for (int i = 0; i < LOCK_TRIES; i++) {
		core = collector_core_new(w->env, &opt, &worker_ops, w);
		if (core != NULL || errno != EWOULDBLOCK)
			break;
		nanosleep(&pause, NULL);
	}
	if (core == NULL && errno == EWOULDBLOCK)
		fatalx(EX_TEMPFAIL, "%s: another collector works here",
		    o->spool);
	if (core == NULL)
		fatal(EX_CANTCREAT, "spool %s", o->spool);
	return (core);
}

static void
worker_signals(struct worker *w, struct event *ev[2])
{
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* EFBIG instead */
	ev[0] = evsignal_new(w->base, SIGTERM, worker_signal_cb, w);
	ev[1] = evsignal_new(w->base, SIGINT, worker_signal_cb, w);
	if (ev[0] == NULL || ev[1] == NULL || event_add(ev[0], NULL) == -1 ||
	    event_add(ev[1], NULL) == -1)
		fatal(EX_OSERR, "signals");
}

static int
worker_run(const struct options *o, int keeper_fd, int listen_fd)
{
	struct worker w = { .opt = o };
	struct event *signals[2];

	w.env = env_event_new(o->test_clock);
	if (w.env == NULL)
		fatal(errno == EINVAL ? EX_USAGE : EX_OSERR, "%s",
		    errno == EINVAL ? "--test-clock: expected S,PPM[,WANDER]"
				    : "event loop");
	w.base = env_event_base(w.env);
	worker_signals(&w, signals);
	w.helper = helper_new(w.base, &helper_ops, &w);
	w.attach = attach_new(w.env, o, keeper_fd, listen_fd);
	if (w.attach == NULL || w.helper == NULL)
		fatal(EX_OSERR, "keeper");
	w.core = core_open(&w, o);
	if (attach_start(w.attach, w.core) == -1)
		fatal(EX_OSERR, "attach port");
	event_base_dispatch(w.base);

	attach_stopped(w.attach);
	helper_free(w.helper);
	collector_core_free(w.core);
	attach_free(w.attach);
	event_free(signals[0]);
	event_free(signals[1]);
	env_event_free(w.env);
	return (0);
}

int
collector_main(int argc, char **argv)
{
	static char program[sizeof(((struct options *)0)->name) + 16];
	struct options opt;
	int fds[2];

	log_init("collector", 0);
	spawn_init(argc, argv);
	options_parse(&opt, argc, argv);
	streamfile_make(opt.runtime);
	/* many may say something on one terminal */
	snprintf(program, sizeof(program), "collector %s", opt.name);
	log_init(program, opt.verbose);
	if (spawn_fds(opt.internal, "helper", fds, 1))
		return (helper_run(fds[0]));
	if (spawn_fds(opt.internal, "worker", fds, 2))
		return (worker_run(&opt, fds[0], fds[1]));
	if (spawn_fds(opt.internal, "keeper", fds, 2))
		return (keeper_resume(&opt, fds[0], fds[1]));
	return (keeper_run(&opt));
}
