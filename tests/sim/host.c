/* Nodes of the simulated world: a real collector each, and its programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/inside.h"
#include "tests/sim/world_inside.h"

#define MON_ADDRESS "tcp:center:7420"
#define SPOOL_BYTES (UINT64_C(4) << 20) /* some programs' names are more */
#define SOON_NS     (100 * ENV_MS)
#define DOWN_MAX_NS (300 * ENV_MS) /* then it stays as it is */

static void collector_start(void *);
static void program_start(void *);

static void
host_later(struct host *n, int64_t least_ns, int64_t most_ns,
    void (*cb)(void *))
{
	sim_at(n->w->sim,
	    sim_now(n->w->sim) + least_ns +
		(int64_t)chance_below(&n->chance,
		    (uint64_t)(most_ns - least_ns) + 1),
	    NULL, cb, n);
}

/* --- collectors --- */

/* Since this start of its collector.  Takes note for those that follow. */
static bool
clock_is_measured(struct host *n)
{
	struct monitord_core *c = n->w->core;
	const struct node *node = c == NULL ? NULL : core_node(c, n->name);
	bool is = node != NULL && n->pongs > 0 &&
		  clocksync_usable(node->clocks.sync) &&
		  node->clocks.sync_start == node->clocks.start;

	n->measured |= is;
	return (is);
}

bool
host_may_reclock(struct host *n, bool boots)
{
	return (clock_is_measured(n) || (boots && n->measured));
}

static void
collector_gone(void *arg)
{
	struct host *n = arg;

	clock_is_measured(n);
	if (n->done)
		sim_exit(n->env);
	else
		sim_kill(n->env);
	n->dying = true;
	collector_core_free(n->core);
	n->dying = false;
	n->env = NULL;
	n->core = NULL;
}

static void
collector_stopped_cb(void *arg)
{
	struct host *n = arg;

	n->done = true;
	sim_at(n->w->sim, sim_now(n->w->sim), n->env, collector_gone, n);
}

static bool
thread_alive_cb(void *arg, uint32_t tid)
{
	const struct program *p = arg;

	(void)tid;
	return (!p->app.ended);
}

/* Nobody may read that again. */
static void
empty_cb(void *arg, void *at, size_t bytes)
{
	(void)arg;
	memset(at, 0xee, bytes);
}

static void
released_cb(void *arg)
{
	struct program *p = arg;

	p->dp = NULL;
	if (!p->host->dying)
		p->app.released = true;
}

static const struct source_ops host_source_ops = {
	.thread_alive = thread_alive_cb,
	.empty = empty_cb,
	.released = released_cb,
};

struct attachment {
	struct program *p;
	bool adopt;
	int error;
};

static void
attach_cb(void *arg)
{
	struct attachment *at = arg;
	struct program *p = at->p;
	struct host *n = p->host;
	struct msg_po def = { .po = p->app.po,
		.pid = 77,
		.t_node_ns = sim_machine_clock(n->machine),
		.program = BYTES_STR("app"),
		.command = BYTES_STR("app") };
	struct source source = { .seg = p->app.seg,
		.layout = p->app.layout,
		.clock = RING_CLOCK_RAW,
		.ops = &host_source_ops,
		.arg = p };

	p->dp = at->adopt ? collector_core_adopt(n->core, &def, &source)
			  : collector_core_attach(n->core, &def, &source);
	at->error = p->dp == NULL ? errno : 0;
	if (n->w->o->verbose)
		fprintf(stderr, "%s: po %u %s: %s\n", n->name, p->app.po,
		    at->adopt ? "adopted" : "attached", strerror(at->error));
	if (p->dp != NULL && p->app.ended)
		collector_core_detach(n->core, p->dp);
}

/* 0, or an errno; the collector may be dead afterwards. */
static int
program_attach(struct program *p, bool adopt)
{
	struct attachment at = { p, adopt, 0 };

	if (!sim_inside(p->host->env, attach_cb, &at)) {
		host_fatal(p->host);
		return (ECHILD);
	}
	if (at.error == EEXIST)
		p->app.released = true;
	if (!adopt && at.error != 0)
		absent_add(p, at.error);
	else if (!adopt)
		absent_served(p);
	return (at.error);
}

struct beginning {
	struct host *n;
	struct collector_core *core;
};

static const struct collector_ops host_collector_ops = {
	.stopped = collector_stopped_cb,
};

static void
begin_cb(void *arg)
{
	struct beginning *b = arg;
	struct collector_options o = { .name = b->n->name,
		.monitord = MON_ADDRESS,
		.spool_dir = "/spool",
		.spool_limit_bytes = SPOOL_BYTES,
		.mask = COLLECTOR_MASK_ALL };

	b->core = collector_core_new(b->n->env, &o, &host_collector_ops, b->n);
}

static void
adopted_cb(void *arg)
{
	collector_core_adopted(arg);
}

static void
collector_failed(struct host *n)
{
	sim_kill(n->env);
	n->env = NULL;
	n->core = NULL;
	host_later(n, SOON_NS, SOON_NS, collector_start);
}

static void
collector_start(void *arg)
{
	struct host *n = arg;
	struct beginning b = { .n = n };

	if (n->env != NULL || n->done)
		return;
	if (n->asleep_ns != 0) {
		host_later(n, SOON_NS, SOON_NS, collector_start);
		return;
	}
	n->env = sim_process(n->machine);
	if (!sim_inside(n->env, begin_cb, &b) || b.core == NULL) {
		collector_failed(n);
		return;
	}
	n->core = b.core;
	n->pongs = 0;
	absent_anew(n);
	tell(n->w, "collector starts", n->name);
	for (unsigned i = 0; i < n->programs_n; i++) {
		struct program *p = n->programs[i];
		int error;

		if (p->app.released)
			continue;
		error = program_attach(p, true);
		if (error == ECHILD)
			return;
		if (error != 0 && error != EEXIST) {
			tell(n->w, strerror(error), n->name);
			host_kill(n); /* its keeper starts another */
			return;
		}
	}
	if (!sim_inside(n->env, adopted_cb, n->core)) {
		host_fatal(n);
		return;
	}
	if (host_program(n) == NULL)
		host_later(n, 0, 20 * ENV_MS, program_start);
}

void
host_kill(struct host *n)
{
	tell(n->w, "collector killed", n->name);
	collector_gone(n);
	host_later(n, 5 * ENV_MS, 150 * ENV_MS, collector_start);
}

void
host_fatal(struct host *n)
{
	tell(n->w, "collector gives up", n->name);
	for (unsigned i = 0; i < n->programs_n; i++)
		n->programs[i]->dp = NULL;
	collector_failed(n);
}

/* --- programs --- */

struct program *
host_program(struct host *n)
{
	struct program *p;

	for (unsigned i = n->programs_n; i-- > 0;) {
		p = n->programs[i];
		if (!p->app.ended)
			return (p);
	}
	return (NULL);
}

static bool
host_is_full(const struct host *n)
{
	unsigned running = 0;

	for (unsigned i = 0; i < n->programs_n; i++)
		running += !n->programs[i]->app.ended;
	return (running > 0 && running >= n->w->p.programs);
}

static struct program *
program_new(struct host *n)
{
	struct world *w = n->w;
	struct program *p = calloc(1, sizeof(*p));

	if (p == NULL)
		abort();
	p->host = n;
	p->pid = absent_process(n);
	p->app.sim = w->sim;
	p->app.machine = n->machine;
	p->app.crowd = &w->crowd;
	p->app.chance = chance_fork(&n->chance);
	p->app.until_ns = w->p.run_ns;
	p->app.every_ns = n->every_ns;
	p->app.prompt = w->p.prompt;
	p->app.silent_from_ns = w->p.silent_from_ns;
	p->app.silent_every_ns = w->p.silent_every_ns;
	p->app.names_most = w->p.names;
	/* what its parent had interned, a child has from its start on */
	if (w->p.names > APP_NAMES && n->programs_n > 0)
		p->app.inherits = w->p.names;
	return (p);
}

static void
program_discard(struct program *p)
{
	app_free(&p->app);
	free(p);
}

static void
crowd_join(struct crowd *c, struct app *a)
{
	if (c->n == c->cap) {
		c->cap = c->cap * 2 + 16;
		c->apps = realloc(c->apps, c->cap * sizeof(struct app *));
		if (c->apps == NULL)
			abort();
	}
	c->apps[c->n++] = a;
}

static void
program_gone(void *arg)
{
	struct program *p = arg;

	if (p->host->core != NULL && p->dp != NULL)
		collector_core_detach(p->host->core, p->dp);
}

/* The next one comes after a while; in a swarm, at once. */
static void
program_next(struct host *n)
{
	int64_t life_ns = n->w->p.life_ns;

	if (life_ns != 0)
		host_later(n, 0, life_ns / 4, program_start);
	else
		host_later(n, 5 * ENV_MS, 60 * ENV_MS, program_start);
}

/* Somebody sees that it is gone, at once or after a while. */
static void
program_ended(struct program *p, int64_t seen_ns)
{
	struct host *n = p->host;

	sim_at(n->w->sim,
	    sim_now(n->w->sim) +
		(int64_t)chance_below(&n->chance, (uint64_t)seen_ns + 1),
	    NULL, program_gone, p);
	program_next(n);
}

void
program_kill(struct program *p)
{
	tell(p->host->w, "program killed", p->host->name);
	app_kill(&p->app);
	program_ended(p, 20 * ENV_MS);
}

/* Its time is over: in good order, or by whatever end there is. */
static void
program_dies(void *arg)
{
	struct program *p = arg;
	struct host *n = p->host;
	double u = chance_unit(&n->chance);

	if (p->app.ended || n->asleep_ns != 0)
		return;
	if (u < 0.3) {
		program_kill(p);
		return;
	}
	app_end(&p->app);
	program_ended(p, u < 0.6 ? 0 : 20 * ENV_MS);
}

static void
program_lives(struct program *p)
{
	struct host *n = p->host;

	if (n->w->p.life_ns == 0)
		return;
	/* some have nothing to say in their lives */
	sim_at(n->w->sim,
	    sim_now(n->w->sim) +
		(int64_t)chance_exp(&n->chance, (double)n->w->p.life_ns),
	    NULL, program_dies, p);
	/* and some fork, at once or soon */
	while (chance_is(&n->chance, 0.5))
		program_next(n);
}

static void
program_start(void *arg)
{
	struct host *n = arg;
	struct program *p;

	if (n->going_down) {
		host_later(n, 10 * ENV_MS, 10 * ENV_MS, program_start);
		return;
	}
	if (host_is_full(n) || n->core == NULL || n->w->peace ||
	    n->programs_n == n->w->p.programs_most)
		return;
	if (n->asleep_ns != 0 || !collector_core_numbers_sure(n->core)) {
		host_later(n, 10 * ENV_MS, 10 * ENV_MS, program_start);
		return;
	}
	p = program_new(n);
	app_start(&p->app, collector_core_next_po(n->core),
	    collector_core_mask(n->core));
	crowd_join(&n->w->crowd, &p->app);
	n->programs[n->programs_n++] = p;
	if (program_attach(p, false) == 0) {
		program_lives(p);
		if (!host_is_full(n))
			program_next(n);
		return;
	}
	/* it runs without, and is not part of the run */
	n->programs_n--;
	n->w->crowd.n--;
	app_kill(&p->app);
	p->app.until_ns = 0;
	host_later(n, 10 * ENV_MS, 50 * ENV_MS, program_start);
	p->next = n->strays;
	n->strays = p;
}

/* After all faults: whoever comes now is taken in. */
static void
program_comes_late(void *arg)
{
	struct host *n = arg;
	struct program *p;

	if (n->done || n->w->ended != -1)
		return;
	if (n->core != NULL && collector_core_numbers_sure(n->core)) {
		p = program_new(n);
		app_start(&p->app, collector_core_next_po(n->core), 0);
		n->programs = reallocarray(n->programs, n->programs_n + 1,
		    sizeof(*n->programs));
		if (n->programs == NULL)
			abort();
		n->programs[n->programs_n++] = p;
		app_end(&p->app);
		if (program_attach(p, false) == 0) {
			n->awaited = false;
			return;
		}
		n->programs_n--;
		p->next = n->strays;
		n->strays = p;
	}
	host_later(n, 10 * ENV_MS, 500 * ENV_MS, program_comes_late);
}

/* --- nodes --- */

void
host_make(struct host *n, struct world *w, size_t i)
{
	n->w = w;
	snprintf(n->name, sizeof(n->name), "n%zu", i + 1);
	n->chance = chance_fork(&w->chance);
	n->machine = sim_machine_new(w->sim, n->name, &w->p.clock);
	n->programs = calloc(w->p.programs_most, sizeof(*n->programs));
	if (n->programs == NULL)
		abort();
	n->every_ns = w->p.every_ns / 2 + (int64_t)chance_below(&n->chance,
					      (uint64_t)w->p.every_ns);
	n->disturbed_ns = INT64_MIN;
	host_later(n, 0, 50 * ENV_MS, collector_start);
}

static void
programs_end(struct host *n)
{
	for (unsigned i = 0; i < n->programs_n; i++) {
		struct program *p = n->programs[i];

		app_end(&p->app);
		if (n->core != NULL && p->dp != NULL)
			collector_core_detach(n->core, p->dp);
	}
}

void
host_peace(struct host *n)
{
	sim_machine_disk(n->machine, 0);
	n->awaited = true;
	host_later(n, 0, SOON_NS, program_comes_late);
	programs_end(n);
}

/* A node that goes down: what will be. */
struct going_down {
	struct host *n;
	int64_t by_ns, since_ns;
	bool boots;
};

static void
going_down_cb(void *arg)
{
	struct going_down *g = arg;
	struct host *n = g->n;
	bool drained = n->core != NULL && host_may_reclock(n, g->boots);

	for (unsigned i = 0; i < n->programs_n; i++)
		drained &= n->programs[i]->app.released;
	if (!drained && sim_now(n->w->sim) - g->since_ns < DOWN_MAX_NS &&
	    !n->w->peace) {
		sim_at(n->w->sim, sim_now(n->w->sim) + 5 * ENV_MS, NULL,
		    going_down_cb, g);
		return;
	}
	n->going_down = false;
	if (drained && !n->done && n->asleep_ns == 0) {
		host_kill(n);
		tell(n->w, g->boots ? "is booted" : "has another clock",
		    n->name);
		sim_machine_step(n->machine, g->by_ns);
		if (g->boots)
			sim_machine_reboot(n->machine);
		n->clocks++;
		n->measured = false;
	} else {
		host_later(n, 0, 20 * ENV_MS, program_start);
	}
	free(g);
}

void
host_reclock(struct host *n, int64_t by_ns, bool boots)
{
	struct going_down *g = malloc(sizeof(*g));

	if (g == NULL)
		abort();
	*g = (struct going_down){ n, by_ns, sim_now(n->w->sim), boots };
	n->going_down = true;
	programs_end(n);
	sim_at(n->w->sim, g->since_ns, NULL, going_down_cb, g);
}

void
host_free(struct host *n)
{
	struct program *p;

	if (n->core != NULL)
		collector_gone(n);
	for (unsigned i = 0; i < n->programs_n; i++)
		program_discard(n->programs[i]);
	free(n->programs);
	free(n->absent);
	while ((p = n->strays) != NULL) {
		n->strays = p->next;
		program_discard(p);
	}
}
