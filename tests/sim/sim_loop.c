/* The loop of the simulated world: call-backs in order of true time. */
#include "tests/sim/inside.h"

#define CONT_NS 100000 /* a timer is late by up to so much after a stop */

struct sim *sim_current;

static inline bool
due_before(const struct sim_due *a, const struct sim_due *b)
{
	return (
	    a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order);
}

static void
sim_push(struct sim *s, struct sim_due due)
{
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
	sim_push(s, (struct sim_due){ at_ns < s->now_ns ? s->now_ns : at_ns,
			s->order++, ev });
	return (ev);
}

void
sim_at(struct sim *s, int64_t at_ns, struct env *env, void (*cb)(void *),
    void *arg)
{
	sim_schedule(s, at_ns, (struct env_sim *)env, cb, arg);
}

void
sim_at_program(struct sim *s, int64_t at_ns, void (*cb)(void *), void *arg)
{
	sim_schedule(s, at_ns, NULL, cb, arg)->program = true;
}

/* What has been taken from the heap, and may be used again. */
static void
sim_done(struct sim *s, struct sim_event *ev)
{
	ev->next = s->idle;
	s->idle = ev;
}

/* All that programs do until then; whatever else is due waits. */
static void
sim_programs_run(struct sim *s, int64_t until_ns)
{
	size_t n = 0;

	while (s->heap_n > 0 && s->heap[0].at_ns <= until_ns) {
		struct sim_due due = sim_pop(s);
		struct sim_event was = *due.event;

		if (was.program) {
			if (due.at_ns > s->now_ns)
				s->now_ns = due.at_ns;
			sim_done(s, due.event);
			was.cb(was.arg);
			continue;
		}
		if (n == s->aside_cap) {
			s->aside_cap = s->aside_cap * 2 + 64;
			s->aside =
			    realloc(s->aside, s->aside_cap * sizeof(*s->aside));
		}
		s->aside[n++] = due;
	}
	s->now_ns = until_ns;
	while (n > 0)
		sim_push(s, s->aside[--n]);
}

/*
 * Most often it is a moment; now and then somebody else has the processor, and
 * the process goes on when it has it again.
 */
void
sim_takes_time(struct sim *s)
{
	struct chance *c = &s->faults.chance[FAULT_RACE];
	struct env_sim *inside = s->inside;
	double u, mean_ns;

	if (inside == NULL || !sim_strikes(s, FAULT_RACE))
		return;
	u = chance_unit(c);
	mean_ns = u < 0.9 ? 50e3 : u < 0.99 ? 1e6 : 30e6;
	s->inside = NULL;
	sim_programs_run(s, s->now_ns + 1 + (int64_t)chance_exp(c, mean_ns));
	s->inside = inside;
}

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
	sim_current = s;
	while (s->heap_n > 0 && s->heap[0].at_ns <= until_ns) {
		struct sim_due due = sim_pop(s);
		struct sim_event *ev = due.event, was = *ev;

		if (due.at_ns > s->now_ns)
			s->now_ns = due.at_ns;
		if (ev->env != NULL && ev->env->dead)
			was.cb = NULL;
		if (was.cb != NULL && ev->env != NULL &&
		    ev->env->paused_until_ns > s->now_ns) {
			due.at_ns = sim_goes_on(ev);
			due.order = s->order++;
			sim_push(s, due);
			continue;
		}
		sim_done(s, ev);
		if (was.cb != NULL)
			sim_call(s, was.env, was.cb, was.arg);
	}
	sim_current = NULL;
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
	free(s->aside);
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
