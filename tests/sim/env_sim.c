/*
 * The loop of the simulated world: a heap of call-backs in order of true time,
 * and what belongs to machines and processes.  Connections are in conn_sim.c,
 * files in disk_sim.c.
 */
#include "env_sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

#define WAKE_NS 20000 /* a timer is late by up to so much */

struct env_timer {
	struct env_sim *env;
	void (*cb)(void *);
	void *arg;
	struct sim_event *event;
};

static bool
sim_before(const struct sim_event *a, const struct sim_event *b)
{
	return (
	    a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order);
}

static void
sim_push(struct sim *s, struct sim_event *ev)
{
	size_t i = s->heap_n++;

	if (s->heap_n > s->heap_cap) {
		s->heap_cap = s->heap_cap * 2 + 64;
		s->heap = realloc(s->heap, s->heap_cap * sizeof(*s->heap));
		if (s->heap == NULL)
			abort();
	}
	for (; i > 0 && sim_before(ev, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = ev;
}

static struct sim_event *
sim_pop(struct sim *s)
{
	struct sim_event *top = s->heap[0], *last = s->heap[--s->heap_n];
	size_t i = 0;

	for (;;) {
		size_t c = 2 * i + 1;

		if (c >= s->heap_n)
			break;
		if (c + 1 < s->heap_n && sim_before(s->heap[c + 1], s->heap[c]))
			c++;
		if (!sim_before(s->heap[c], last))
			break;
		s->heap[i] = s->heap[c];
		i = c;
	}
	s->heap[i] = last;
	return (top);
}

struct sim_event *
sim_schedule(struct sim *s, int64_t at_ns, struct env_sim *env,
    void (*cb)(void *), void *arg)
{
	struct sim_event *ev = malloc(sizeof(*ev));

	if (ev == NULL)
		abort();
	*ev =
	    (struct sim_event){ .at_ns = at_ns < s->now_ns ? s->now_ns : at_ns,
		    .order = s->order++,
		    .env = env,
		    .cb = cb,
		    .arg = arg };
	sim_push(s, ev);
	return (ev);
}

void
sim_at(struct sim *s, int64_t at_ns, struct env *env, void (*cb)(void *),
    void *arg)
{
	sim_schedule(s, at_ns, (struct env_sim *)env, cb, arg);
}

bool
sim_run(struct sim *s, int64_t until_ns)
{
	while (s->heap_n > 0 && s->heap[0]->at_ns <= until_ns) {
		struct sim_event *ev = sim_pop(s);

		s->now_ns = ev->at_ns;
		if (ev->env != NULL && ev->env->dead)
			ev->cb = NULL;
		if (ev->cb != NULL && ev->env != NULL &&
		    ev->env->paused_until_ns > s->now_ns) {
			ev->at_ns = ev->env->paused_until_ns;
			sim_push(s, ev);
			continue;
		}
		if (ev->cb != NULL)
			ev->cb(ev->arg);
		free(ev);
	}
	if (s->now_ns < until_ns)
		s->now_ns = until_ns;
	return (s->heap_n > 0);
}

struct sim *
sim_new(uint64_t seed, const struct path_kind *path)
{
	struct sim *s = calloc(1, sizeof(*s));

	if (s == NULL)
		abort();
	s->chance.state = seed;
	s->path = *path;
	return (s);
}

void
sim_free(struct sim *s)
{
	struct sim_machine *m, *next_m;
	struct env_sim *e, *next_e;

	while (s->heap_n > 0) {
		struct sim_event *ev = sim_pop(s);

		if (ev->owned)
			free(ev->arg);
		free(ev);
	}
	for (m = s->machines; m != NULL; m = next_m) {
		next_m = m->next;
		for (e = m->processes; e != NULL; e = next_e) {
			next_e = e->next;
			sim_files_free(e);
			sim_conns_free(e);
			free(e);
		}
		sim_disk_free(m);
		free(m);
	}
	free(s->heap);
	free(s);
}

int64_t
sim_now(const struct sim *s)
{
	return (s->now_ns);
}

struct chance *
sim_chance(struct sim *s)
{
	return (&s->chance);
}

/* --- machines --- */

struct sim_machine *
sim_machine_new(struct sim *s, const char *name, const struct clock_kind *kind)
{
	struct sim_machine *m = calloc(1, sizeof(*m));

	if (m == NULL)
		abort();
	m->sim = s;
	snprintf(m->name, sizeof(m->name), "%s", name);
	clock_model_init(&m->clock, kind, &s->chance);
	path_model_init(&m->path, &s->path, &s->chance);
	m->next = s->machines;
	s->machines = m;
	return (m);
}

int64_t
sim_machine_clock(struct sim_machine *m)
{
	/* the clocks of the machines begin hours apart, none below zero */
	return (clock_model_node(&m->clock, m->sim->now_ns) + 3600 * ENV_SEC);
}

void
sim_machine_step(struct sim_machine *m, int64_t by_ns)
{
	clock_model_step(&m->clock, m->sim->now_ns, by_ns);
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

	if (e == NULL)
		abort();
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
	((struct env_sim *)env)->paused_until_ns = until_ns;
}

static int64_t
env_sim_now(struct env *env)
{
	return (sim_machine_clock(((struct env_sim *)env)->machine));
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
	return (((struct env_sim *)env)->machine->name);
}

/* --- timers --- */

struct env_timer *
env_sim_timer_new(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_timer *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	t->env = (struct env_sim *)env;
	t->cb = cb;
	t->arg = arg;
	return (t);
}

static void
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
