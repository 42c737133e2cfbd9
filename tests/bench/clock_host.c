/*
 * bench: the clocks of many nodes over real connections of this machine.
 *
 * monitord's core runs here, as many clock connections of collectors as there
 * are nodes, each in a process of its own, over TCP.  Each has another clock
 * (offset, drift, wander), computed from the machine's; so the truth is known
 * exactly, to this program but not to the code that it measures.  Spinning
 * processes, two for each processor, take the time away from all of them.  The
 * map is looked at at random moments, as it is then.  Beside it two more do
 * nothing but ping-pong (clock_bare.c): the floor.
 *
 *	clock_host [--seconds N] [--nodes N] [--spinners N]
 */
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <event2/event.h>

#include "collector/clocklink.h"
#include "common/log.h"
#include "monitord/core.h"
#include "monitord/inside.h"
#include "monitord/node.h"
#include "tests/bench/bench.h"
#include "tests/bench/clock_bare.h"
#include "tests/sim/model.h"

#define NODES_MOST   256
#define WARM_NS      (60 * ENV_SEC) /* of a run twice as long, or more */
#define WARM_LEAST   (10 * ENV_SEC)
#define LOOK_MEAN_MS 3.0
#define WANDER_PPM   0.1 /* in 60 s: changes as fast as 0.5 ppm in 300 s */
#define GOAL_P99_US  0.5
#define GOAL_MAX_US  2.0

struct look {
	float off_us;
	float bound_us;
};

static struct host {
	struct env *env;
	struct monitord_core *core;
	struct env_timer *timer;
	struct chance chance;
	char dir[64], log[96], address[64];
	size_t nodes;
	char name[NODES_MOST][16], clock[NODES_MOST][64];
	const char *names[NODES_MOST];
	struct env *theirs[NODES_MOST]; /* only to compute their clocks */
	pid_t child[NODES_MOST * 2 + 2];
	size_t children;
	int64_t warm_ns, end_ns;
	struct look *look;
	size_t looks, cap, beyond, missed;
	struct clock_bare *bare;
} host;

/* --- the others --- */

static pid_t
child_new(struct host *h)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == -1)
		err(EX_OSERR, "fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		return (0);
	}
	h->child[h->children++] = pid;
	return (pid);
}

static void
node_process(struct host *h, size_t i)
{
	struct env *env;

	if (child_new(h) != 0)
		return;
	log_init("node", -1);
	env = env_event_new(h->clock[i]);
	if (env == NULL ||
	    clocklink_new(env, h->address, h->name[i], 1, 1) == NULL)
		_exit(EX_OSERR);
	event_base_dispatch(env_event_base(env));
	_exit(0);
}

static void
spinner(struct host *h)
{
	volatile uint64_t n = 0;

	if (child_new(h) != 0)
		return;
	for (;;)
		n = n + 1;
}

static void
bare_processes(struct host *h)
{
	int listener;

	h->bare = clock_bare_new();
	listener = clock_bare_listen(h->bare);
	if (child_new(h) == 0)
		clock_bare_answer(listener);
	if (child_new(h) == 0)
		clock_bare_ask(h->bare);
	close(listener);
}

/* --- looking --- */

static void
look_now(struct host *h)
{
	size_t i = chance_below(&h->chance, h->nodes);
	struct node *n = core_node(h->core, h->name[i]);
	struct look *l = &h->look[h->looks];
	int64_t raw, node, mon;

	if (n == NULL || !clocksync_usable(n->clocks.sync)) {
		h->missed++;
		return;
	}
	if (h->looks == h->cap)
		return;
	raw = h->env->ops->now_ns(h->env);
	node = env_event_node_ns(h->theirs[i], raw);
	mon = core_mon(h->core, raw);
	l->off_us =
	    (float)((double)(clocksync_mon(n->clocks.sync, node) - mon) / 1e3);
	l->bound_us =
	    (float)((double)clocksync_error(n->clocks.sync, node) / 1e3);
	h->beyond += fabsf(l->off_us) > l->bound_us;
	h->looks++;
}

static void
look_cb(void *arg)
{
	struct host *h = arg;
	double wait_ms = chance_exp(&h->chance, LOOK_MEAN_MS);
	int64_t now = h->env->ops->now_ns(h->env);

	if (now >= h->warm_ns)
		look_now(h);
	if (now >= h->end_ns) {
		event_base_loopbreak(env_event_base(h->env));
		return;
	}
	h->env->ops->timer_set(h->timer, (int64_t)(wait_ms * 1e6));
}

static void
report(struct host *h, double cpu_s, double ran_s)
{
	double *off = calloc(h->looks + 1, sizeof(*off)), bound = 0, rtt = 0;
	struct clocksync_stats st;
	uint64_t pings = 0, steps = 0;

	if (off == NULL)
		err(EX_OSERR, NULL);
	for (size_t i = 0; i < h->looks; i++) {
		off[i] = fabs((double)h->look[i].off_us);
		bound += (double)h->look[i].bound_us / (double)h->looks;
	}
	for (size_t i = 0; i < h->nodes; i++) {
		clocksync_stats(core_node(h->core, h->name[i])->clocks.sync, 0,
		    &st);
		rtt += (double)st.rtt_min_ns / 1e3 / (double)h->nodes;
		pings += st.pings;
		steps += st.steps;
	}
	line("clock_host_p50_us", percentile(off, h->looks, 0.5), "us",
	    "shortest round trip", rtt);
	line("clock_host_p99_us", percentile(off, h->looks, 0.99), "us", "goal",
	    GOAL_P99_US);
	line("clock_host_p999_us", percentile(off, h->looks, 0.999), "us",
	    "mean bound", bound);
	line("clock_host_max_us", percentile(off, h->looks, 1), "us", "goal",
	    GOAL_MAX_US);
	line("clock_host_beyond_bound", (double)h->beyond, "looks", "of",
	    (double)h->looks);
	line("clock_host_steps", (double)steps, "steps", "none was made", 0);
	line("clock_host_not_usable", (double)h->missed, "looks", "of",
	    (double)(h->looks + h->missed));
	line("clock_host_monitord_core", cpu_s / ran_s, "cores", "pings/s",
	    (double)pings / ran_s);
	free(off);
}

/* What a burst's fastest ping alone would be wrong by. */
static void
report_bare(struct clock_bare *b)
{
	size_t n = b->bursts;

	line("clock_host_bare_p99_us", percentile(b->read.off_us, n, 0.99),
	    "us", "shortest round trip", b->read.rtt_us);
	line("clock_host_bare_stamped_p99_us",
	    percentile(b->stamped.off_us, n, 0.99), "us", "shortest round trip",
	    b->stamped.rtt_us);
}

static double
cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6);
}

static void
host_open(struct host *h)
{
	static const char *listen[1];
	struct core_settings set = { .log_path = h->log,
		.run_name = "clock_host",
		.listen = listen,
		.nlisten = 1,
		.nodes = h->names,
		.nnodes = h->nodes };
	struct store_error bad;

	snprintf(h->dir, sizeof(h->dir), "/tmp/orrery-clock-XXXXXX");
	if (mkdtemp(h->dir) == NULL)
		err(EX_CANTCREAT, "%s", h->dir);
	snprintf(h->log, sizeof(h->log), "%s/run.orr", h->dir);
	snprintf(h->address, sizeof(h->address), "tcp:127.0.0.1:%d",
	    20000 + (int)(getpid() % 10000));
	listen[0] = h->address;
	for (size_t i = 0; i < h->nodes; i++) {
		snprintf(h->name[i], sizeof(h->name[i]), "n%zu", i);
		snprintf(h->clock[i], sizeof(h->clock[i]), "%.6f,%.3f,%.3f",
		    2 * chance_unit(&h->chance) - 1,
		    200 * chance_unit(&h->chance) - 100, WANDER_PPM);
		h->names[i] = h->name[i];
		h->theirs[i] = env_event_new(h->clock[i]);
		if (h->theirs[i] == NULL)
			err(EX_OSERR, NULL);
	}
	for (size_t i = 0; i < h->nodes; i++)
		node_process(h, i);
	bare_processes(h);
	h->env = env_event_new(NULL);
	if (h->env == NULL)
		err(EX_OSERR, NULL);
	h->core = core_new(h->env, &set, NULL, NULL, &bad);
	if (h->core == NULL)
		errx(bad.code, "%s", h->log);
}

static void
host_close(struct host *h)
{
	for (size_t i = 0; i < h->children; i++)
		kill(h->child[i], SIGKILL);
	for (size_t i = 0; i < h->children; i++)
		waitpid(h->child[i], NULL, 0);
	core_free(h->core);
	h->env->ops->timer_free(h->timer);
	for (size_t i = 0; i < h->nodes; i++)
		env_event_free(h->theirs[i]);
	env_event_free(h->env);
	unlink(h->log);
	rmdir(h->dir);
	free(h->look);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "nodes", required_argument, NULL, 'n' },
		{ "spinners", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct host *h = &host;
	long run_s = 25, spin = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	int64_t began_ns;
	double cpu;
	int o;

	h->nodes = 32;
	while ((o = getopt_long(argc, argv, "s:n:p:h", options, NULL)) != -1) {
		if (o == 's') {
			run_s = strtol(optarg, NULL, 10);
		} else if (o == 'n') {
			h->nodes = strtoul(optarg, NULL, 10);
		} else if (o == 'p') {
			spin = strtol(optarg, NULL, 10);
		} else {
			fprintf(o == 'h' ? stdout : stderr,
			    "usage: clock_host [--seconds N] [--nodes N] "
			    "[--spinners N]\n");
			return (o == 'h' ? 0 : EX_USAGE);
		}
	}
	if (h->nodes < 1 || h->nodes > NODES_MOST || run_s < 11 || spin < 0 ||
	    spin > NODES_MOST)
		errx(EX_USAGE,
		    "1 to %d nodes, 0 to %d spinners, more than 10 s",
		    NODES_MOST, NODES_MOST);
	log_init("clock_host", -1);
	h->chance.state = 7;
	h->cap = (size_t)run_s * (size_t)(1000 / LOOK_MEAN_MS * 2);
	h->look = calloc(h->cap, sizeof(*h->look));
	if (h->look == NULL)
		err(EX_OSERR, NULL);
	host_open(h);
	for (long i = 0; i < spin; i++)
		spinner(h);
	h->timer = h->env->ops->timer_new(h->env, look_cb, h);
	if (h->timer == NULL)
		err(EX_OSERR, NULL);
	began_ns = h->env->ops->now_ns(h->env);
	h->warm_ns =
	    began_ns + (run_s * ENV_SEC < 2 * WARM_NS ? WARM_LEAST : WARM_NS);
	h->end_ns = began_ns + run_s * ENV_SEC;
	h->env->ops->timer_set(h->timer, 0);
	cpu = cpu_seconds();
	event_base_dispatch(env_event_base(h->env));
	report(h, cpu_seconds() - cpu, (double)run_s);
	report_bare(h->bare);
	host_close(h);
	return (0);
}
