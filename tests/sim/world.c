/*
 * One seed: nodes with clocks of their own, programs on each, faults for as
 * long as the programs run, then peace; everything must come to rest, the run
 * is ended, and its log is checked against what the programs know that they
 * have done.
 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/inside.h"
#include "tests/sim/guest.h"
#include "tests/sim/world_inside.h"

#define MON_ADDRESS   "tcp:center:7420"
#define REST_NS       (20 * ENV_SEC) /* to come to rest, after the last fault */
#define PATIENCE_NS   (40 * ENV_SEC) /* for the end of the run */
#define PROGRAMS_MOST 24             /* of a usual node */
#define RESTS         8              /* one seed in so many rests at once */
#define DROPS_MOST    0.1            /* of all batches; at the end twice that */
#define FIRST_NS      (60 * ENV_MS)  /* no faults before */

void
wrong(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (w->r->why[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(w->r->why, sizeof(w->r->why), fmt, ap);
	va_end(ap);
}

void
tell(const struct world *w, const char *what, const char *who)
{
	if (w->o->verbose)
		fprintf(stderr, "%.6f %s %s\n", (double)sim_now(w->sim) / 1e9,
		    who, what);
}

/* --- monitord --- */

static void monitord_start(void *);

static void
monitord_gone(void *arg)
{
	struct world *w = arg;

	w->gone_ns = sim_now(w->sim);
	if (w->ended == -1) {
		sim_kill(w->env);
		check_growing(w);
	} else {
		sim_exit(w->env);
	}
	core_free(w->core);
	w->env = NULL;
	w->core = NULL;
}

static void
monitord_ended_cb(void *arg, int code)
{
	struct world *w = arg;

	w->ended = code;
	sim_at(w->sim, sim_now(w->sim), w->env, monitord_gone, w);
}

struct beginning {
	struct world *w;
	struct monitord_core *core;
	struct store_error err;
};

static void
begin_cb(void *arg)
{
	struct beginning *b = arg;
	struct world *w = b->w;
	const char *listen[1] = { MON_ADDRESS };
	const char **names = w->names;
	struct core_settings set = { .log_path = LOG_PATH,
		.run_name = "sim",
		.listen = listen,
		.nlisten = 1,
		.nodes = names,
		.nnodes = w->hosts_n,
		.open = true,
		.pings_only = w->o->pings_only,
		.rest_ns = w->o->seed % RESTS == 0 ? ENV_MS : 0 };

	for (size_t i = 0; i < w->hosts_n; i++)
		names[i] = w->hosts[i].name;
	b->core = core_new(w->env, &set, monitord_ended_cb, w, &b->err);
}

static void
monitord_failed(struct world *w, const char *why)
{
	tell(w, why, "monitord");
	if (w->core != NULL)
		w->gone_ns = sim_now(w->sim);
	sim_kill(w->env);
	check_growing(w);
	w->env = NULL;
	w->core = NULL;
	sim_at(w->sim, sim_now(w->sim) + 50 * ENV_MS, NULL, monitord_start, w);
}

static void
finish_cb(void *arg)
{
	core_finish(arg);
}

/* What happened to a clock while nobody watched is found from now on. */
static void
watch_again(struct world *w)
{
	for (size_t i = 0; i < w->hosts_n; i++) {
		struct host *n = &w->hosts[i];

		if (n->disturbed_ns != INT64_MIN &&
		    n->disturbed_ns < sim_now(w->sim) &&
		    n->disturbed_ns + DISTURBED_NS > w->gone_ns)
			n->disturbed_ns = sim_now(w->sim);
	}
}

static void
monitord_start(void *arg)
{
	struct world *w = arg;
	struct beginning b = { .w = w };

	if (w->env != NULL || w->ended != -1)
		return;
	w->starts++;
	w->env = sim_process(w->center);
	if (!sim_inside(w->env, begin_cb, &b)) {
		monitord_failed(w, "gives up at its start");
		return;
	}
	if (b.core == NULL) {
		monitord_failed(w, b.err.text);
		return;
	}
	w->core = b.core;
	watch_again(w);
	tell(w, "starts", "monitord");
}

void
monitord_kill(struct world *w, bool power)
{
	tell(w, power ? "loses power" : "killed", "monitord");
	monitord_gone(w);
	if (power)
		sim_machine_power_loss(w->center);
	sim_at(w->sim,
	    sim_now(w->sim) + 10 * ENV_MS +
		(int64_t)chance_below(&w->chance, 150 * ENV_MS),
	    NULL, monitord_start, w);
}

/* fatal() somewhere: out of memory, and the process has ended itself. */
static void
fatal_cb(void *arg, struct env *env)
{
	struct world *w = arg;

	if (env == w->env) {
		monitord_failed(w, "gives up");
		return;
	}
	for (size_t i = 0; i < w->hosts_n; i++) {
		if (w->hosts[i].env == env)
			host_fatal(&w->hosts[i]);
	}
}

/* --- a run --- */

static void
world_make(struct world *w)
{
	static const struct clock_kind steady = { .offset_s = 0 };
	int64_t from = w->o->from_ns, until = w->o->until_ns;
	struct path_kind there;
	struct chance luck;

	profile_of(&w->p, w->o);
	if (w->o->as != NULL)
		w->p = *w->o->as;
	if (w->p.programs_most == 0)
		w->p.programs_most = PROGRAMS_MOST;
	if (w->p.names == 0)
		w->p.names = APP_NAMES;
	there = w->p.path;
	there.asymmetry = 0; /* only the other way is longer */
	w->sim = sim_new(w->o->seed, &there);
	w->chance = chance_fork(sim_chance(w->sim));
	luck = chance_fork(&w->chance);
	if (from < FIRST_NS)
		from = FIRST_NS;
	if (until == 0 || until > w->p.run_ns)
		until = w->p.run_ns;
	faults_init(sim_faults(w->sim), &luck, w->p.kinds, from, until,
	    w->p.gap_ns);
	if (w->p.relay_times > 0) {
		faults_often(sim_faults(w->sim), FAULT_DUPLICATE,
		    w->p.relay_times, 0.5);
		faults_often(sim_faults(w->sim), FAULT_DROP, w->p.relay_times,
		    DROPS_MOST);
	}
	sim_on_fatal(w->sim, fatal_cb, w);
	sim_on_send(w->sim, wire_sent, w);
	w->center = sim_machine_new(w->sim, "center", &steady);
	if ((w->p.kinds >> FAULT_POWER & 1) != 0)
		sim_machine_careful(w->center);
	sim_path(w->sim, &w->p.path);
	w->hosts_n = w->p.nodes;
	w->hosts = calloc(w->hosts_n, sizeof(*w->hosts));
	w->names = calloc(w->hosts_n, sizeof(*w->names));
	if (w->hosts == NULL || w->names == NULL)
		abort();
	for (size_t i = 0; i < w->hosts_n; i++)
		host_make(&w->hosts[i], w, i);
	sim_at(w->sim, (int64_t)chance_below(&w->chance, 40 * ENV_MS), NULL,
	    monitord_start, w);
	mischief_start(w);
	if (w->p.viewer)
		w->viewer = guest_viewer(w);
}

/* No more faults; everything is up; the programs end. */
static void
world_peace(struct world *w)
{
	w->peace = true;
	sim_machine_disk(w->center, 0);
	for (size_t i = 0; i < w->hosts_n; i++)
		host_peace(&w->hosts[i]);
}

/*
 * What is still to be done before everything that was published is in the log
 * on disk, and known to be; NULL: nothing.
 */
static const char *
restless(struct world *w)
{
	struct monitord_core *c = w->core;

	if (c == NULL)
		return ("monitord is not there");
	if (reorder_held_bytes(c->reorder) > 0)
		return ("the reorderer holds events");
	for (size_t i = 0; i < w->hosts_n; i++) {
		struct host *n = &w->hosts[i];

		if (!core_node_connected(c, n->name))
			return ("a node is not connected");
		if (!STAILQ_EMPTY(&core_node(c, n->name)->batches))
			return ("a batch is not on disk");
		if (n->awaited)
			return ("nobody can attach any more");
		for (unsigned k = 0; k < n->programs_n; k++) {
			if (!n->programs[k]->app.released)
				return ("a program is not done with");
		}
	}
	return (NULL);
}

static void
come_to_rest(struct world *w)
{
	int64_t end = sim_now(w->sim) + REST_NS;

	/* a collector's heartbeat comes within 25 ms of its last batch */
	for (int calm = 0; calm < 3 && sim_now(w->sim) < end;) {
		sim_run(w->sim, sim_now(w->sim) + 100 * ENV_MS);
		calm = restless(w) == NULL ? calm + 1 : 0;
	}
	if (restless(w) != NULL)
		wrong(w, "does not come to rest: %s", restless(w));
}

/* Who has a connection keeps it, as long as nothing is done to that. */
static void
check_connections(struct world *w)
{
	for (size_t i = 0; i < w->hosts_n; i++) {
		const char *name = w->hosts[i].name;
		unsigned connects = core_node_connects(w->core, name);

		if ((w->p.kinds & ~HARMLESS_FAULTS) != 0 || connects <= 1)
			continue;
		w->r->violations++;
		wrong(w, "%s: has connected %u times, for nothing", name,
		    connects);
	}
}

static void
end_run(struct world *w)
{
	if (w->core == NULL) {
		wrong(w, "monitord does not come back");
		return;
	}
	check_growing(w);
	check_connections(w);
	/* one whose way in has been lost tries again in a second */
	for (int64_t t = 0;
	     w->viewer != NULL && !guest_here(w->viewer) && t < PATIENCE_NS;
	     t += 100 * ENV_MS)
		sim_run(w->sim, sim_now(w->sim) + 100 * ENV_MS);
	if (w->p.control)
		w->control = guest_control(w);
	else
		sim_inside(w->env, finish_cb, w->core);
	for (int64_t t = 0; w->core != NULL && t < PATIENCE_NS;
	     t += 100 * ENV_MS)
		sim_run(w->sim, sim_now(w->sim) + 100 * ENV_MS);
	if (w->ended == -1)
		wrong(w, "the run does not end");
	else if (w->ended != 0)
		wrong(w, "monitord ends with %d", w->ended);
	/* monitord is gone; what it has sent may still be on its way */
	for (int i = 0; w->viewer != NULL && !guest_done(w->viewer) && i < 10;
	     i++)
		sim_run(w->sim, sim_now(w->sim) + 100 * ENV_MS);
	if (w->viewer != NULL && w->ended == 0)
		guest_end(w->viewer);
}

static void
world_free(struct world *w)
{
	for (size_t i = 0; i < w->hosts_n; i++)
		host_free(&w->hosts[i]);
	if (w->core != NULL)
		monitord_gone(w);
	guest_free(w->viewer);
	guest_free(w->control);
	sim_free(w->sim);
	free(w->crowd.apps);
	free(w->hosts);
	free(w->names);
	free(w);
}

int
world_run(const struct world_options *o, struct world_result *r)
{
	struct world *w = calloc(1, sizeof(*w));
	const struct faults *f;
	int rv;

	if (w == NULL)
		abort();
	r->why[0] = '\0';
	w->o = o;
	w->r = r;
	w->ended = -1;
	world_make(w);
	r->nodes += w->hosts_n;
	r->run_ns += w->p.run_ns;
	sim_run(w->sim, w->p.run_ns);
	world_peace(w);
	if (!w->p.hurried)
		come_to_rest(w);
	else /* the last word is missed as well */
		faults_often(sim_faults(w->sim), FAULT_DROP, 20,
		    2 * DROPS_MOST);
	end_run(w);
	r->ran_ns += sim_now(w->sim);
	check_log(w);
	f = sim_faults(w->sim);
	for (enum fault k = 0; k < FAULTS; k++)
		r->faults[k] += f->count[k];
	rv = r->why[0] == '\0' ? 0 : -1;
	world_free(w);
	return (rv);
}
