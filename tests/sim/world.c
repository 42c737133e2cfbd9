/*
 * One seed: some nodes with clocks of their own, a program on each, faults for
 * as long as the programs run, then peace, the end of the run, and the check
 * of its log against what the programs know that they have done.
 */
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/core.h"
#include "monitord/core.h"
#include "tests/sim/app.h"
#include "tests/sim/env_sim.h"
#include "tracefile.h"

#define NODES_MAX    6
#define MON_ADDRESS  "tcp:center:7420"
#define LOG_PATH     "/run.orr"
#define CLOCK_ORIGIN (3600 * ENV_SEC) /* of sim_machine_clock() */
#define PATIENCE_NS  (60 * ENV_SEC)   /* for the end of the run */

struct node {
	struct world *w;
	char name[24];
	struct sim_machine *machine;
	struct env *env; /* NULL: the collector is dead */
	struct collector_core *core;
	struct app app;
	struct drain_po *dp;
	uint32_t po;
	bool done;  /* the collector has stopped in good order */
	bool dying; /* what it frees now it would not have freed */
	bool stepped;
};

struct world {
	const struct world_options *o;
	struct world_result *r;
	struct sim *sim;
	struct node nodes[NODES_MAX];
	size_t nodes_n;
	struct app *apps[NODES_MAX];
	uint64_t next_message;
	struct sim_machine *center;
	struct env *env; /* NULL: monitord is dead */
	struct monitord_core *core;
	int ended; /* its code, or -1 */
	bool peace;
	unsigned kinds; /* of faults in this seed */
};

static void
wrong(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (w->r->why[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(w->r->why, sizeof(w->r->why), fmt, ap);
	va_end(ap);
}

static void
tell(const struct world *w, const char *what, const char *who)
{
	if (w->o->verbose)
		fprintf(stderr, "%.6f %s %s\n", (double)sim_now(w->sim) / 1e9,
		    who, what);
}

/* --- collectors --- */

static void collector_start(void *);

static void
collector_gone(void *arg)
{
	struct node *n = arg;

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
	struct node *n = arg;

	n->done = true;
	sim_at(n->w->sim, sim_now(n->w->sim), n->env, collector_gone, n);
}

static bool
thread_alive_cb(void *arg, uint32_t tid)
{
	const struct node *n = arg;

	(void)tid;
	return (!n->app.ended);
}

static void
released_cb(void *arg)
{
	struct node *n = arg;

	n->dp = NULL;
	if (!n->dying)
		n->app.released = true;
}

static const struct source_ops world_source_ops = {
	.thread_alive = thread_alive_cb,
	.released = released_cb,
};

static void
collector_po(struct node *n, bool adopt)
{
	struct msg_po def = { .po = n->po,
		.pid = 77,
		.t_node_ns = sim_machine_clock(n->machine),
		.program = BYTES_STR("app"),
		.command = BYTES_STR("app") };
	struct source source = { .seg = n->app.seg,
		.layout = n->app.layout,
		.clock = RING_CLOCK_RAW,
		.ops = &world_source_ops,
		.arg = n };

	n->dp = adopt ? collector_core_adopt(n->core, &def, &source)
		      : collector_core_attach(n->core, &def, &source);
	if (n->dp == NULL && errno != EEXIST)
		wrong(n->w, "%s: no PO: %s", n->name, strerror(errno));
	else if (n->dp == NULL)
		n->app.released = true;
	else if (n->app.ended)
		collector_core_detach(n->core, n->dp);
}

static void
program_start(void *arg)
{
	struct node *n = arg;

	if (n->app.seg != NULL || n->core == NULL || n->w->peace)
		return;
	if (!collector_core_numbers_sure(n->core)) {
		sim_at(n->w->sim, sim_now(n->w->sim) + 10 * ENV_MS, NULL,
		    program_start, n);
		return;
	}
	n->po = collector_core_next_po(n->core);
	app_start(&n->app, n->po, collector_core_mask(n->core));
	collector_po(n, false);
}

static const struct collector_ops world_collector_ops = {
	.stopped = collector_stopped_cb,
};

static void
collector_start(void *arg)
{
	struct node *n = arg;
	struct collector_options o = { .name = n->name,
		.monitord = MON_ADDRESS,
		.spool_dir = "/spool",
		.spool_limit_bytes = 4 << 20,
		.mask = COLLECTOR_MASK_ALL };

	if (n->core != NULL || n->done)
		return;
	n->env = sim_process(n->machine);
	n->core = collector_core_new(n->env, &o, &world_collector_ops, n);
	if (n->core == NULL) {
		sim_kill(n->env);
		n->env = NULL;
		sim_at(n->w->sim, sim_now(n->w->sim) + 100 * ENV_MS, NULL,
		    collector_start, n);
		return;
	}
	tell(n->w, "collector starts", n->name);
	if (n->app.seg != NULL && !n->app.released)
		collector_po(n, true);
	collector_core_adopted(n->core);
	if (n->app.seg == NULL)
		program_start(n);
}

static void
collector_kill(struct node *n)
{
	if (n->core == NULL || n->done)
		return;
	tell(n->w, "collector killed", n->name);
	collector_gone(n);
	sim_at(n->w->sim,
	    sim_now(n->w->sim) + 20 * ENV_MS +
		(int64_t)chance_below(sim_chance(n->w->sim), 400 * ENV_MS),
	    NULL, collector_start, n);
}

/* --- monitord --- */

static void monitord_start(void *);

static void
monitord_gone(void *arg)
{
	struct world *w = arg;

	sim_kill(w->env);
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

static void
monitord_start(void *arg)
{
	struct world *w = arg;
	const char *listen[1] = { MON_ADDRESS };
	const char *names[NODES_MAX];
	struct core_settings set = { .log_path = LOG_PATH,
		.run_name = "sim",
		.listen = listen,
		.nlisten = 1,
		.nodes = names,
		.nnodes = w->nodes_n,
		.open = true };
	struct store_error err;

	if (w->core != NULL || w->ended != -1)
		return;
	for (size_t i = 0; i < w->nodes_n; i++)
		names[i] = w->nodes[i].name;
	w->env = sim_process(w->center);
	w->core = core_new(w->env, &set, monitord_ended_cb, w, &err);
	if (w->core != NULL) {
		tell(w, "starts", "monitord");
		return;
	}
	tell(w, err.text, "monitord");
	sim_kill(w->env);
	w->env = NULL;
	sim_at(w->sim, sim_now(w->sim) + 200 * ENV_MS, NULL, monitord_start, w);
}

static void
monitord_kill(struct world *w, bool power)
{
	if (w->core == NULL || w->ended != -1)
		return;
	tell(w, power ? "loses power" : "killed", "monitord");
	monitord_gone(w);
	if (power)
		sim_machine_power_loss(w->center);
	sim_at(w->sim,
	    sim_now(w->sim) + 50 * ENV_MS +
		(int64_t)chance_below(sim_chance(w->sim), ENV_SEC),
	    NULL, monitord_start, w);
}

/* --- faults --- */

enum fault {
	FAULT_COLLECTOR_KILL,
	FAULT_MONITORD_KILL,
	FAULT_POWER,
	FAULT_COLLECTOR_STOP,
	FAULT_MONITORD_STOP,
	FAULT_CUT,
	FAULT_STEP,
	FAULT_DISK,
	FAULTS
};

static void
disk_heal(void *arg)
{
	sim_machine_disk(arg, 0);
}

static void
fault_do(struct world *w, enum fault f)
{
	struct chance *c = sim_chance(w->sim);
	struct node *n = &w->nodes[chance_below(c, w->nodes_n)];
	int64_t now = sim_now(w->sim);
	int64_t until = now + (int64_t)chance_exp(c, 150e6) + ENV_MS;
	struct sim_machine *m;

	switch (f) {
	case FAULT_COLLECTOR_KILL:
		collector_kill(n);
		break;
	case FAULT_MONITORD_KILL:
		monitord_kill(w, false);
		break;
	case FAULT_POWER:
		monitord_kill(w, true);
		break;
	case FAULT_COLLECTOR_STOP:
		tell(w, "collector stopped", n->name);
		if (n->env != NULL)
			sim_pause(n->env, until);
		break;
	case FAULT_MONITORD_STOP:
		tell(w, "stopped", "monitord");
		if (w->env != NULL)
			sim_pause(w->env, until);
		break;
	case FAULT_CUT:
		tell(w, "cut off", n->name);
		sim_cut(w->sim, n->machine, w->center, until);
		break;
	case FAULT_STEP:
		tell(w, "clock steps", n->name);
		n->stepped = true;
		sim_machine_step(n->machine,
		    (int64_t)chance_exp(c, 50e6) + ENV_MS);
		break;
	case FAULT_DISK:
		m = chance_is(c, 0.5) ? n->machine : w->center;
		tell(w, "disk error", m == w->center ? "monitord" : n->name);
		sim_machine_disk(m, chance_is(c, 0.5) ? ENOSPC : EIO);
		sim_at(w->sim, until, NULL, disk_heal, m);
		break;
	default:
		break;
	}
	w->r->faults++;
}

static void
fault_cb(void *arg)
{
	struct world *w = arg;
	struct chance *c = sim_chance(w->sim);
	enum fault f = (enum fault)chance_below(c, FAULTS);

	if (w->peace)
		return;
	if ((w->kinds >> f & 1) != 0)
		fault_do(w, f);
	sim_at(w->sim, sim_now(w->sim) + (int64_t)chance_exp(c, 60e6), NULL,
	    fault_cb, w);
}

/* --- the log --- */

struct reading {
	struct world *w;
	struct defs *defs;
	uint64_t seen[NODES_MAX][APP_THREADS];
	bool *sent; /* by message */
	int64_t last_ns;
	size_t cap;
};

static int
read_definition(void *arg, const struct frame *f)
{
	struct reading *rd = arg;

	return (defs_add(rd->defs, f) == -1 ? -1 : 0);
}

static void
read_error(struct reading *rd, const struct event *ev, const struct deed *d)
{
	struct world_result *r = rd->w->r;
	int64_t mapped = ev->t_mon_ns - ev->shift_ns;

	if (r->errors == rd->cap) {
		rd->cap = rd->cap * 2 + 4096;
		r->error_us =
		    realloc(r->error_us, rd->cap * sizeof(*r->error_us));
		if (r->error_us == NULL)
			abort();
	}
	r->error_us[r->errors++] =
	    fabs((double)(mapped - d->true_ns - CLOCK_ORIGIN)) / 1000;
}

static void
read_one(struct reading *rd, size_t node, uint32_t thread,
    const struct event *ev)
{
	struct world *w = rd->w;
	struct app_thread *t = &w->nodes[node].app.threads[thread];
	uint64_t *seen = &rd->seen[node][thread];
	const struct deed *d;

	if (ev->seq == t->deeds_n && ev->seq == *seen && ev->kind == EV_lost &&
	    ev->a == t->gap) {
		t->gap = 0; /* the collector has told of the last gap */
		return;
	}
	if (ev->seq != *seen || ev->seq >= t->deeds_n) {
		w->r->violations++;
		wrong(w, "%s/%u: event %llu where %llu belongs",
		    w->nodes[node].name, thread + 1,
		    (unsigned long long)ev->seq, (unsigned long long)*seen);
		*seen = ev->seq + 1;
		return;
	}
	d = &t->deeds[(*seen)++];
	if (d->kind != ev->kind || d->a != ev->a) {
		w->r->violations++;
		wrong(w, "%s/%u: event %llu is not what was published",
		    w->nodes[node].name, thread + 1,
		    (unsigned long long)ev->seq);
	}
	if (ev->kind == EV_send)
		rd->sent[ev->a] = true;
	if (ev->kind == EV_receive && !rd->sent[ev->a] &&
	    (ev->flags & EVENT_ORPHAN) == 0) {
		w->r->violations++;
		wrong(w, "message %llu is received before it is sent",
		    (unsigned long long)ev->a);
	}
	w->r->messages += ev->kind == EV_receive;
	if (!w->nodes[node].stepped)
		read_error(rd, ev, d);
}

static int
read_event(void *arg, const struct event *ev)
{
	struct reading *rd = arg;
	struct world *w = rd->w;
	const struct def_thread *t = defs_thread(rd->defs, ev->location);
	const struct def_node *n;

	w->r->late += (ev->flags & EVENT_LATE) != 0;
	w->r->orphans += (ev->flags & EVENT_ORPHAN) != 0;
	w->r->shifted += (ev->flags & EVENT_SHIFTED) != 0;
	if (ev->t_mon_ns < rd->last_ns) {
		w->r->violations++;
		wrong(w, "time runs back in the log");
	}
	rd->last_ns = ev->t_mon_ns;
	if (t == NULL || t->po == 0 || t->thread == 0)
		return (0);
	n = defs_node(rd->defs, t->node);
	for (size_t i = 0; n != NULL && i < w->nodes_n; i++) {
		if (strcmp(n->name, w->nodes[i].name) == 0 &&
		    t->thread <= APP_THREADS)
			read_one(rd, i, t->thread - 1, ev);
	}
	return (0);
}

static void
check_counts(struct world *w, const struct reading *rd)
{
	for (size_t i = 0; i < w->nodes_n; i++) {
		for (size_t k = 0; k < APP_THREADS; k++) {
			const struct app_thread *t =
			    &w->nodes[i].app.threads[k];
			uint64_t seen = rd->seen[i][k];

			if (seen > t->deeds_n)
				seen = t->deeds_n; /* a violation already */
			w->r->events += t->deeds_n;
			w->r->unaccounted += t->gap;
			if (seen == t->deeds_n)
				continue;
			w->r->unaccounted += t->deeds_n - seen;
			wrong(w, "%s/%zu: %llu of %zu events are in the log",
			    w->nodes[i].name, k + 1, (unsigned long long)seen,
			    t->deeds_n);
		}
	}
}

static void
check_log(struct world *w)
{
	static const struct trace_sink sink = { read_definition, read_event };
	struct reading rd = { .w = w, .last_ns = INT64_MIN };
	struct tracefile *tf;
	const void *data;
	const char *why;
	char path[64];
	size_t n;
	int fd;

	data = sim_machine_file(w->center, LOG_PATH, &n);
	if (data == NULL) {
		wrong(w, "there is no log");
		return;
	}
	fd = memfd_create("log", MFD_CLOEXEC);
	if (fd == -1 || write(fd, data, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rd.defs = defs_new();
	rd.sent = calloc(w->next_message + 1, sizeof(*rd.sent));
	tf = tracefile_open(path, &why);
	if (tf == NULL || rd.defs == NULL || rd.sent == NULL) {
		wrong(w, "log: %s", why);
	} else {
		if (tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, &rd) != 0)
			wrong(w, "log: cannot be read");
		if (tracefile_damaged_bytes(tf) > 0)
			wrong(w, "log: damaged");
		check_counts(w, &rd);
		tracefile_close(tf);
	}
	defs_free(rd.defs);
	free(rd.sent);
	close(fd);
}

/* --- a run --- */

static void
world_make(struct world *w)
{
	static const struct path_kind path = { 30, 10, 0.01, 3000, 0, 0, 0 };
	static const struct clock_kind steady = { .offset_s = 0 };
	static const struct clock_kind ours = { .offset_s = 1,
		.drift_ppm = 100,
		.walk = 1e-9 };
	struct chance *c;

	w->sim = sim_new(w->o->seed, &path);
	c = sim_chance(w->sim);
	w->center = sim_machine_new(w->sim, "center", &steady);
	w->nodes_n = 1 + chance_below(c, NODES_MAX);
	/* a random half of the faults, in some seeds none */
	w->kinds = chance_is(c, 0.1) ? 0 : (unsigned)chance_next(c);
	w->kinds &= w->o->faults;
	for (size_t i = 0; i < w->nodes_n; i++) {
		struct node *n = &w->nodes[i];

		n->w = w;
		snprintf(n->name, sizeof(n->name), "n%zu", i + 1);
		n->machine = sim_machine_new(w->sim, n->name, &ours);
		w->apps[i] = &n->app;
		n->app.sim = w->sim;
		n->app.machine = n->machine;
		n->app.all = w->apps;
		n->app.all_n = w->nodes_n;
		n->app.next_message = &w->next_message;
		n->app.until_ns = w->o->run_ns;
		n->app.every_ns = 200000 + (int64_t)chance_below(c, 2000000);
		sim_at(w->sim, (int64_t)chance_below(c, 50 * ENV_MS), NULL,
		    collector_start, n);
	}
	sim_at(w->sim, (int64_t)chance_below(c, 100 * ENV_MS), NULL,
	    monitord_start, w);
	sim_at(w->sim, 200 * ENV_MS, NULL, fault_cb, w);
}

/* No more faults; everything is up; the programs end. */
static void
world_peace(struct world *w)
{
	w->peace = true;
	sim_machine_disk(w->center, 0);
	for (size_t i = 0; i < w->nodes_n; i++) {
		struct node *n = &w->nodes[i];

		sim_machine_disk(n->machine, 0);
		app_end(&n->app);
		if (n->core != NULL && n->dp != NULL)
			collector_core_detach(n->core, n->dp);
	}
}

int
world_run(const struct world_options *o, struct world_result *r)
{
	struct world *w = calloc(1, sizeof(*w));

	if (w == NULL)
		abort();
	memset(r, 0, sizeof(*r));
	w->o = o;
	w->r = r;
	w->ended = -1;
	world_make(w);
	sim_run(w->sim, o->run_ns);
	world_peace(w);
	sim_run(w->sim, o->run_ns + 5 * ENV_SEC);
	if (w->core != NULL)
		core_finish(w->core);
	else
		wrong(w, "monitord does not come back");
	for (int64_t t = 0; w->core != NULL && t < PATIENCE_NS; t += ENV_SEC)
		sim_run(w->sim, sim_now(w->sim) + ENV_SEC);
	r->ran_ns = sim_now(w->sim);
	if (w->ended == -1)
		wrong(w, "the run does not end");
	else if (w->ended != 0)
		wrong(w, "monitord ends with %d", w->ended);
	check_log(w);
	for (size_t i = 0; i < w->nodes_n; i++) {
		if (w->nodes[i].core != NULL)
			collector_gone(&w->nodes[i]);
		app_free(&w->nodes[i].app);
	}
	if (w->core != NULL)
		monitord_gone(w);
	sim_free(w->sim);
	free(w);
	return (r->why[0] == '\0' ? 0 : -1);
}
