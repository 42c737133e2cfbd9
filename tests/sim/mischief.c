/*
 * Timed faults: each kind has a clock of its own, so that without one kind
 * the others happen as before.
 */
#include <errno.h>
#include <stdlib.h>

#include "tests/sim/world_inside.h"

#define CLOCKS_MAX 6 /* of a node */

struct mischief {
	struct world *w;
	enum fault kind;
};

static void
disk_heal(void *arg)
{
	sim_machine_disk(arg, 0);
}

static struct host *
any_host(struct world *w, enum fault f)
{
	return (&w->hosts[chance_below(&sim_faults(w->sim)->chance[f],
	    w->hosts_n)]);
}

static int64_t
a_while(struct world *w, enum fault f, double mean_ns)
{
	return (sim_now(w->sim) + ENV_MS +
		(int64_t)chance_exp(&sim_faults(w->sim)->chance[f], mean_ns));
}

/* A stop lasts a moment, or seconds where the world is made for that. */
static int64_t
a_stop(struct world *w, enum fault f)
{
	struct chance *c = &sim_faults(w->sim)->chance[f];

	if (w->p.stop_ns == 0)
		return (a_while(w, f, 80e6));
	return (sim_now(w->sim) + w->p.stop_ns +
		(int64_t)chance_below(c, 4 * (uint64_t)w->p.stop_ns));
}

static bool
disk_fails(struct world *w, enum fault f, int error)
{
	struct host *n = any_host(w, f);
	struct sim_machine *m = n->machine;

	if (chance_is(&sim_faults(w->sim)->chance[f], 0.5))
		m = w->center;
	tell(w, fault_name[f], m == w->center ? "center" : n->name);
	sim_machine_disk(m, error);
	sim_at(w->sim, a_while(w, f, 60e6), NULL, disk_heal, m);
	return (true);
}

/* A clock that is set back shows the same times again. */
static bool
clock_steps(struct world *w)
{
	struct chance *c = &sim_faults(w->sim)->chance[FAULT_STEP];
	struct host *n = any_host(w, FAULT_STEP);
	int64_t by = (int64_t)chance_exp(c, 50e6) + ENV_MS;

	tell(w, "clock steps", n->name);
	if (chance_is(c, 0.3)) {
		by = -(int64_t)chance_exp(c, 5e6);
		n->set_back = true;
	}
	n->disturbed_ns = sim_now(w->sim);
	sim_machine_step(n->machine, by);
	return (true);
}

static bool
clock_slews(struct world *w)
{
	struct chance *c = &sim_faults(w->sim)->chance[FAULT_SLEW];
	struct host *n = any_host(w, FAULT_SLEW);
	int64_t for_ns = (int64_t)chance_exp(c, 200e6);

	tell(w, "clock is slewed", n->name);
	n->disturbed_ns = sim_now(w->sim) + for_ns;
	sim_machine_slew(n->machine, (2 * chance_unit(c) - 1) * 500, for_ns);
	return (true);
}

/* Until then nothing is started there or struck. */
static void
resume_cb(void *arg)
{
	struct host *n = arg;

	/* its clock has not gone on: a step back that nobody saw happen */
	sim_machine_step(n->machine,
	    n->asleep_clock_ns - sim_machine_clock(n->machine) + 1000);
	n->asleep_ns = 0;
	n->disturbed_ns = sim_now(n->w->sim);
}

static bool
suspend(struct world *w)
{
	struct host *n = any_host(w, FAULT_SUSPEND);
	int64_t now = sim_now(w->sim), until;
	struct program *p = host_program(n);

	if (n->asleep_ns != 0 || n->env == NULL)
		return (false);
	until = a_while(w, FAULT_SUSPEND, 100e6);
	if (until > w->p.run_ns)
		until = w->p.run_ns;
	tell(w, "is suspended", n->name);
	n->asleep_ns = until - now;
	n->asleep_clock_ns = sim_machine_clock(n->machine);
	/* before any of its programs goes on, whoever is at work elsewhere */
	sim_at_program(w->sim, until, resume_cb, n);
	sim_pause(n->env, until + 1);
	for (unsigned i = 0; p != NULL && i < n->programs_n; i++)
		app_stop(&n->programs[i]->app, until + 1);
	return (true);
}

/*
 * Another clock, whose times overlap those of before or lie far from them.
 * Less than this would be a step for the pings to find.
 */
static bool
another_clock(struct world *w)
{
	struct chance *c = &sim_faults(w->sim)->chance[FAULT_REBOOT];
	struct host *n = any_host(w, FAULT_REBOOT);
	int64_t by = (int64_t)chance_exp(c, chance_is(c, 0.5) ? 200e6 : 100e9);
	bool back = chance_is(c, 0.5), boots = chance_is(c, 0.7);

	by += boots ? ENV_MS : 100 * ENV_MS;
	if (n->core == NULL || n->done || n->asleep_ns != 0 || n->going_down ||
	    n->clocks >= CLOCKS_MAX || !host_may_reclock(n, boots))
		return (false);
	if (back && sim_machine_clock(n->machine) - by > CLOCK_ORIGIN / 2)
		by = -by;
	host_reclock(n, by, boots);
	return (true);
}

static bool
program_strike(struct world *w, enum fault f)
{
	struct program *p = host_program(any_host(w, f));

	if (p == NULL || p->host->asleep_ns != 0)
		return (false);
	if (f == FAULT_PROGRAM_KILL)
		program_kill(p);
	else
		app_stop(&p->app, a_while(w, f, 50e6));
	return (true);
}

static bool
collector_strike(struct world *w, enum fault f)
{
	struct host *n = any_host(w, f);

	if (n->core == NULL || n->done || n->asleep_ns != 0)
		return (false);
	if (f == FAULT_COLLECTOR_KILL) {
		host_kill(n);
	} else {
		tell(w, "collector stopped", n->name);
		sim_pause(n->env, a_stop(w, f));
	}
	return (true);
}

static bool
monitord_strike(struct world *w, enum fault f)
{
	if (w->core == NULL || w->ended != -1)
		return (false);
	if (f == FAULT_MONITORD_STOP) {
		tell(w, "stopped", "monitord");
		sim_pause(w->env, a_stop(w, f));
	} else {
		monitord_kill(w, f == FAULT_POWER);
	}
	return (true);
}

static bool
wire_strike(struct world *w, enum fault f)
{
	struct host *n = any_host(w, f);

	tell(w, fault_name[f], n->name);
	if (f == FAULT_RESET)
		return (n->env != NULL && sim_reset(n->env));
	sim_cut(w->sim, n->machine, w->center, a_while(w, f, 100e6));
	return (true);
}

static bool
strike(struct world *w, enum fault f)
{
	switch (f) {
	case FAULT_PROGRAM_KILL:
	case FAULT_PROGRAM_STOP:
		return (program_strike(w, f));
	case FAULT_COLLECTOR_KILL:
	case FAULT_COLLECTOR_STOP:
		return (collector_strike(w, f));
	case FAULT_MONITORD_KILL:
	case FAULT_MONITORD_STOP:
	case FAULT_POWER:
		return (monitord_strike(w, f));
	case FAULT_CUT:
	case FAULT_RESET:
		return (wire_strike(w, f));
	case FAULT_STEP:
		return (clock_steps(w));
	case FAULT_SLEW:
		return (clock_slews(w));
	case FAULT_SUSPEND:
		return (suspend(w));
	case FAULT_REBOOT:
		return (another_clock(w));
	case FAULT_DISK_FULL:
		return (disk_fails(w, f, ENOSPC));
	case FAULT_DISK_ERROR:
		return (disk_fails(w, f, EIO));
	default:
		return (false);
	}
}

static void
mischief_cb(void *arg)
{
	struct mischief *m = arg;
	struct world *w = m->w;
	struct faults *f = sim_faults(w->sim);
	int64_t now = sim_now(w->sim);

	if (w->peace || now >= f->until_ns) {
		free(m);
		return;
	}
	if (now >= f->from_ns && strike(w, m->kind))
		f->count[m->kind]++;
	sim_at(w->sim, now + fault_wait(f, m->kind), NULL, mischief_cb, m);
}

void
mischief_start(struct world *w)
{
	struct faults *f = sim_faults(w->sim);

	for (enum fault k = 0; k < FAULTS_TIMED; k++) {
		struct mischief *m;

		if ((f->kinds >> k & 1) == 0)
			continue;
		m = calloc(1, sizeof(*m));
		if (m == NULL)
			abort();
		m->w = w;
		m->kind = k;
		sim_at(w->sim, f->from_ns + fault_wait(f, k), NULL, mischief_cb,
		    m);
	}
}
