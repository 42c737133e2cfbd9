/*
 * Machines and processes of the simulated world, and their timers.  The loop is
 * in sim_loop.c, connections in conn_sim.c, files in disk_sim.c.
 */
#include "env_sim.h"

#include <stdio.h>

#include "tests/sim/inside.h"

#define WAKE_NS 20000 /* a timer is late by up to so much */

struct env_timer {
	struct env_sim *env;
	void (*cb)(void *);
	void *arg;
	struct sim_event *event;
};

/* --- machines --- */

struct sim_machine *
sim_machine_new(struct sim *s, const char *name, const struct clock_kind *kind)
{
	struct sim_machine *m = calloc(1, sizeof(*m));

	m->sim = s;
	snprintf(m->name, sizeof(m->name), "%s", name);
	snprintf(m->id, sizeof(m->id), "%s", name);
	clock_model_init(&m->clock, kind, &s->chance);
	path_model_init(&m->path, &s->path, &s->chance);
	m->next = s->machines;
	s->machines = m;
	return (m);
}

int64_t
sim_machine_clock(struct sim_machine *m)
{
	int64_t now = m->sim->now_ns, slewed = m->slewed_ns, for_ns;

	if (m->slew_ppm != 0) {
		for_ns = (now < m->slew_until_ns ? now : m->slew_until_ns) -
			 m->slew_from_ns;
		slewed += (int64_t)((double)for_ns * m->slew_ppm / 1e6);
	}
	/* the clocks of the machines begin hours apart, none below zero */
	return (clock_model_node(&m->clock, now) + slewed + 3600 * ENV_SEC);
}

void
sim_machine_slew(struct sim_machine *m, double ppm, int64_t for_ns)
{
	int64_t before = sim_machine_clock(m);

	m->slew_ppm = 0;
	m->slewed_ns += before - sim_machine_clock(m);
	m->slew_ppm = ppm;
	m->slew_from_ns = m->sim->now_ns;
	m->slew_until_ns = m->sim->now_ns + for_ns;
}

void
sim_machine_careful(struct sim_machine *m)
{
	m->careful = true;
}

void
sim_machine_step(struct sim_machine *m, int64_t by_ns)
{
	clock_model_step(&m->clock, m->sim->now_ns, by_ns);
}

void
sim_machine_reboot(struct sim_machine *m)
{
	snprintf(m->id, sizeof(m->id), "%s/%u", m->name, ++m->boots);
}

void
sim_cut(struct sim *s, struct sim_machine *a, struct sim_machine *b,
    int64_t until_ns)
{
	s->cuts[s->cuts_n++ % 64] = (struct sim_cut){ a, b, until_ns };
}

int64_t
sim_cut_until(const struct sim *s, const struct sim_machine *a,
    const struct sim_machine *b)
{
	int64_t until = s->now_ns;

	for (unsigned i = 0; i < 64 && i < s->cuts_n; i++) {
		const struct sim_cut *c = &s->cuts[i];

		if (((c->a == a && c->b == b) || (c->a == b && c->b == a)) &&
		    c->until_ns > until)
			until = c->until_ns;
	}
	return (until);
}

/* --- processes --- */

struct env *
sim_process(struct sim_machine *m)
{
	struct env_sim *e = calloc(1, sizeof(*e));

	e->env.ops = &env_sim_ops;
	e->sim = m->sim;
	e->machine = m;
	e->chance = chance_fork(&m->sim->chance);
	e->next = m->processes;
	m->processes = e;
	return (&e->env);
}

void
sim_kill(struct env *env)
{
	struct env_sim *e = (struct env_sim *)env;

	e->dead = true;
	sim_conns_kill(e, 0.5);
	sim_files_kill(e);
}

void
sim_exit(struct env *env)
{
	struct env_sim *e = (struct env_sim *)env;

	e->dead = true;
	sim_conns_kill(e, 0);
	sim_files_kill(e);
}

void
sim_pause(struct env *env, int64_t until_ns)
{
	struct env_sim *e = (struct env_sim *)env;

	if (e->paused_until_ns < until_ns)
		e->paused_until_ns = until_ns;
}

static int64_t
env_sim_now(struct env *env)
{
	struct env_sim *e = (struct env_sim *)env;
	int64_t now = sim_machine_clock(e->machine);

	sim_takes_time(e->sim);
	return (now);
}

static int64_t
env_sim_real(struct env *env)
{
	return (((struct env_sim *)env)->sim->now_ns + 1700000000 * ENV_SEC);
}

static uint64_t
env_sim_random(struct env *env)
{
	return (chance_next(&((struct env_sim *)env)->chance));
}

static const char *
env_sim_machine(struct env *env)
{
	return (((struct env_sim *)env)->machine->id);
}

/* --- timers --- */

struct env_timer *
env_sim_timer_new(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_timer *t = calloc(1, sizeof(*t));

	t->env = (struct env_sim *)env;
	t->cb = cb;
	t->arg = arg;
	return (t);
}

void
env_sim_timer_cb(void *arg)
{
	struct env_timer *t = arg;

	t->event = NULL;
	t->cb(t->arg);
}

void
env_sim_timer_set(struct env_timer *t, int64_t delay_ns)
{
	struct sim *s = t->env->sim;

	env_sim_timer_stop(t);
	if (t->env->dead)
		return;
	if (delay_ns < 0)
		delay_ns = 0;
	delay_ns += 1000 + (int64_t)chance_below(&t->env->chance, WAKE_NS);
	t->event =
	    sim_schedule(s, s->now_ns + delay_ns, t->env, env_sim_timer_cb, t);
}

void
env_sim_timer_stop(struct env_timer *t)
{
	/* events of the dead are freed without a word to their timers */
	if (t->event != NULL && !t->env->dead)
		t->event->cb = NULL;
	t->event = NULL;
}

void
env_sim_timer_free(struct env_timer *t)
{
	if (t == NULL)
		return;
	env_sim_timer_stop(t);
	free(t);
}

const struct env_ops env_sim_ops = {
	.now_ns = env_sim_now,
	.real_ns = env_sim_real,
	.random = env_sim_random,
	.machine = env_sim_machine,
	.timer_new = env_sim_timer_new,
	.timer_set = env_sim_timer_set,
	.timer_stop = env_sim_timer_stop,
	.timer_free = env_sim_timer_free,
	.listen = env_sim_listen,
	.listener_free = env_sim_listener_free,
	.connect = env_sim_connect,
	.conn_set = env_sim_conn_set,
	.conn_urgent = env_sim_conn_urgent,
	.send = env_sim_send,
	.queued = env_sim_queued,
	.read_pause = env_sim_read_pause,
	.close = env_sim_close,
	.open = env_sim_open,
	.read_at = env_sim_read_at,
	.write_at = env_sim_write_at,
	.sync = env_sim_sync,
	.truncate = env_sim_truncate,
	.size = env_sim_size,
	.lock = env_sim_lock,
	.file_close = env_sim_file_close,
	.rename = env_sim_rename,
	.unlink = env_sim_unlink,
	.mkdir = env_sim_mkdir,
	.list = env_sim_list,
	.sync_dir = env_sim_sync_dir,
};
