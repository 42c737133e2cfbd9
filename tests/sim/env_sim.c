/*
 * The loop of the simulated world: a heap of call-backs in order of true time,
 * and what belongs to machines and processes.  Connections are in conn_sim.c,
 * files in disk_sim.c.
 */
#include "env_sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "tests/sim/inside.h"

#define WAKE_NS 20000  /* a timer is late by up to so much */
#define CONT_NS 100000 /* when its process was stopped */

struct env_timer {
	struct env_sim *env;
	void (*cb)(void *);
	void *arg;
	struct sim_event *event;
};

static struct sim *current; /* whose code runs: one world at a time */

static inline bool
due_before(const struct sim_due *a, const struct sim_due *b)
{
	return (
	    a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order);
}

static void
sim_push(struct sim *s, int64_t at_ns, struct sim_event *ev)
{
	struct sim_due due = { at_ns, s->order++, ev };
	size_t i = s->heap_n++;

	if (s->heap_n > s->heap_cap) {
		s->heap_cap = s->heap_cap * 2 + 256;
		s->heap = realloc(s->heap, s->heap_cap * sizeof(*s->heap));
	}
	for (; i > 0 && due_before(&due, &s->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = due;
}

static struct sim_due
sim_pop(struct sim *s)
{
	struct sim_due top = s->heap[0], last = s->heap[--s->heap_n];
	size_t i = 0;

	for (;;) {
		size_t c = 2 * i + 1;

		if (c >= s->heap_n)
			break;
		if (c + 1 < s->heap_n &&
		    due_before(&s->heap[c + 1], &s->heap[c]))
			c++;
		if (!due_before(&s->heap[c], &last))
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
	struct sim_event *ev = s->idle;

	if (ev != NULL)
		s->idle = ev->next;
	else
		ev = malloc(sizeof(*ev));
	*ev = (struct sim_event){ .env = env, .cb = cb, .arg = arg };
	sim_push(s, at_ns < s->now_ns ? s->now_ns : at_ns, ev);
	return (ev);
}

void
sim_at(struct sim *s, int64_t at_ns, struct env *env, void (*cb)(void *),
    void *arg)
{
	sim_schedule(s, at_ns, (struct env_sim *)env, cb, arg);
}

/* --- code under test: what it allocates, and how it gives up --- */

bool
sim_inside(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim *s = e->sim;

	if (setjmp(s->fatal) != 0) {
		s->inside = NULL;
		e->dead = true;
		return (false);
	}
	s->inside = e;
	cb(arg);
	s->inside = NULL;
	return (true);
}

void
sim_call(struct sim *s, struct env_sim *e, void (*cb)(void *), void *arg)
{
	if (e == NULL || e->dead)
		cb(arg);
	else if (!sim_inside(&e->env, cb, arg) && s->on_fatal != NULL)
		s->on_fatal(s->on_fatal_arg, &e->env);
}

void
sim_on_send(struct sim *s, sim_sent *cb, void *arg)
{
	s->on_send = cb;
	s->on_send_arg = arg;
}

void
sim_on_fatal(struct sim *s, void (*cb)(void *, struct env *), void *arg)
{
	s->on_fatal = cb;
	s->on_fatal_arg = arg;
}

/* The linker sends the code under test here (see mk/sim.mk). */
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__wrap_reallocarray(void *, size_t, size_t);
char *__wrap_strdup(const char *);
_Noreturn void __wrap_fatal(int, const char *, ...);
_Noreturn void __wrap_fatalx(int, const char *, ...);

static bool
no_memory(void)
{
	if (current == NULL || current->inside == NULL ||
	    !sim_strikes(current, FAULT_NO_MEMORY))
		return (false);
	errno = ENOMEM;
	return (true);
}

static void *
must(void *p)
{
	if (p == NULL)
		abort();
	return (p);
}

void *
sim_malloc(size_t n)
{
	return (must(__real_malloc(n > 0 ? n : 1)));
}

void *
sim_calloc(size_t n, size_t k)
{
	return (must(__real_calloc(n > 0 ? n : 1, k)));
}

void *
sim_realloc(void *p, size_t n)
{
	return (must(__real_realloc(p, n > 0 ? n : 1)));
}

char *
sim_strdup(const char *text)
{
	size_t n = strlen(text) + 1;

	return (memcpy(sim_malloc(n), text, n));
}

void *
__wrap_malloc(size_t n)
{
	return (no_memory() ? NULL : __real_malloc(n));
}

void *
__wrap_calloc(size_t n, size_t k)
{
	return (no_memory() ? NULL : __real_calloc(n, k));
}

void *
__wrap_realloc(void *p, size_t n)
{
	return (no_memory() ? NULL : __real_realloc(p, n));
}

void *
__wrap_reallocarray(void *p, size_t n, size_t k)
{
	return (no_memory() ? NULL : __real_realloc(p, n * k));
}

char *
__wrap_strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = no_memory() ? NULL : __real_malloc(n);

	return (copy == NULL ? NULL : memcpy(copy, text, n));
}

_Noreturn void
__wrap_fatal(int code, const char *fmt, ...)
{
	log_warnx("fatal (%d): %s", code, fmt);
	if (current == NULL || current->inside == NULL)
		abort();
	longjmp(current->fatal, 1);
}

_Noreturn void
__wrap_fatalx(int code, const char *fmt, ...)
{
	__wrap_fatal(code, fmt);
}

void
sim_may_crash(struct sim *s)
{
	if (s->inside != NULL && sim_strikes(s, FAULT_CRASH))
		longjmp(s->fatal, 1);
}

/* --- the loop --- */

static void env_sim_timer_cb(void *);

/*
 * When it happens, since its process is stopped: in the order in which it was
 * due, but for timers, which may have to wait for what has come.
 */
static int64_t
sim_goes_on(const struct sim_event *ev)
{
	int64_t at = ev->env->paused_until_ns;

	if (ev->cb == env_sim_timer_cb)
		at += (int64_t)chance_below(&ev->env->chance, CONT_NS);
	return (at);
}

bool
sim_run(struct sim *s, int64_t until_ns)
{
	current = s;
	while (s->heap_n > 0 && s->heap[0].at_ns <= until_ns) {
		struct sim_due due = sim_pop(s);
		struct sim_event *ev = due.event, was = *ev;

		s->now_ns = due.at_ns;
		if (ev->env != NULL && ev->env->dead)
			was.cb = NULL;
		if (was.cb != NULL && ev->env != NULL &&
		    ev->env->paused_until_ns > s->now_ns) {
			sim_push(s, sim_goes_on(ev), ev);
			continue;
		}
		ev->next = s->idle;
		s->idle = ev;
		if (was.cb != NULL)
			sim_call(s, was.env, was.cb, was.arg);
	}
	current = NULL;
	if (s->now_ns < until_ns)
		s->now_ns = until_ns;
	return (s->heap_n > 0);
}

struct sim *
sim_new(uint64_t seed, const struct path_kind *path)
{
	struct sim *s = calloc(1, sizeof(*s));

	s->chance.state = seed;
	s->path = *path;
	return (s);
}

void
sim_path(struct sim *s, const struct path_kind *path)
{
	s->path = *path;
}

void
sim_free(struct sim *s)
{
	struct sim_machine *m, *next_m;
	struct env_sim *e, *next_e;

	for (size_t i = 0; i < s->heap_n; i++) {
		if (s->heap[i].event->owned)
			free(s->heap[i].event->arg);
		free(s->heap[i].event);
	}
	while (s->idle != NULL) {
		struct sim_event *ev = s->idle;

		s->idle = ev->next;
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

struct faults *
sim_faults(struct sim *s)
{
	return (&s->faults);
}

bool
sim_strikes(struct sim *s, enum fault f)
{
	return (fault_strikes(&s->faults, f, s->now_ns));
}

/* --- machines --- */

struct sim_machine *
sim_machine_new(struct sim *s, const char *name, const struct clock_kind *kind)
{
	struct sim_machine *m = calloc(1, sizeof(*m));

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
