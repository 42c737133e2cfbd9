/*
 * How often each of a thread's functions is open, and what that makes of their
 * sums: with each event, so it is inline.
 */
#ifndef VIEWER_OPENED_H
#define VIEWER_OPENED_H

#include "model/run/adding.h"
#include "model/run/cpu.h"

/* functions.c: its place, from 1; 0: ENOMEM. */
uint32_t opened_new(struct model *, struct location *, struct function *);

/* Where it is in the table, or would be. */
static inline uint32_t *
opened_at(const struct location *l, const struct function *f)
{
	uint32_t i = (uint32_t)((uintptr_t)f >> 4) * 0x9e3779b1u >> 12;
	uint32_t at;

	for (;; i++) {
		at = l->opened_slot[i & l->opened_mask];
		if (at == 0 || l->opened[at - 1].function == f)
			return (&l->opened_slot[i & l->opened_mask]);
	}
}

/* What goes on in it: one more, or one less, since then. */
static inline void
going_on(struct going_on *g, int by, int64_t since)
{
	if (by < 0 && g->n == 0)
		return;
	PUT(g->n, g->n + (uint32_t)by);
	PUT(g->since_ns,
	    (int64_t)((uint64_t)g->since_ns +
		      (by > 0 ? (uint64_t)since : 0 - (uint64_t)since)));
}

/*
 * What is read and written between two looks at a turn is atomic; this keeps it
 * between them.  ThreadSanitizer knows no fences, and its order is as strong
 * without.
 */
#ifdef __SANITIZE_THREAD__
#define TURN_FENCE(order) ((void)0)
#else
#define TURN_FENCE(order) atomic_thread_fence(order)
#endif

static inline void
going_on_put(struct going_on *to, const struct going_on *g)
{
	PUT(to->n, g->n);
	PUT(to->since_ns, g->since_ns);
}

/*
 * Its sums have changed: readers are told.  They read those of the turn before
 * meanwhile, so that none has to wait for a writer who has lost his processor.
 */
static inline void
function_tell(struct function *f)
{
	uint32_t turn =
	    atomic_load_explicit(&f->turn, memory_order_relaxed) + 1;
	struct function_sums *to = &f->told[turn % 2];

	TURN_FENCE(memory_order_release); /* the turn before is seen first */
	going_on_put(&to->open, &f->open);
	going_on_put(&to->asleep, &f->asleep);
	going_on_put(&to->on_cpu, &f->on_cpu);
	PUT(to->total_ns, f->stats.total_ns);
	PUT(to->suspended_ns, f->stats.suspended_ns);
	PUT(to->cpu_ns, f->stats.cpu_ns);
	atomic_store_explicit(&f->turn, turn, memory_order_release);
}

/* Since when it has been in it with a processor. */
static inline int64_t
cpu_since(const struct location *l, const struct opened *o)
{
	return (o->since_ns > l->cpu.since_ns ? o->since_ns : l->cpu.since_ns);
}

/* It has one, and comes or goes with it (by); or only with the other. */
static inline void
function_on_cpu(struct function *f, const struct location *l,
    const struct opened *o, int by, int64_t t)
{
	int64_t since = cpu_since(l, o);

	going_on(&f->on_cpu, by, since);
	if (by < 0 && t > since)
		ADD(f->stats.cpu_ns, t - since);
}

/* A thread more, or one less, is in it; returns for how long it was. */
static inline int64_t
function_in(struct function *f, const struct location *l,
    const struct opened *o, int by, int64_t t)
{
	int64_t ns = by < 0 && t > o->since_ns ? t - o->since_ns : 0;

	going_on(&f->open, by, o->since_ns);
	if (ns != 0)
		ADD(f->stats.total_ns, ns);
	if (l->cpu.is == CPU_ON)
		function_on_cpu(f, l, o, by, t);
	else if (l->cpu.is != CPU_OFF)
		PUT(f->blind, f->blind + (uint32_t)by);
	if (l->cpu.is < CPU_ON && by < 0)
		PUT(f->stats.cpu_unknown, true);
	function_tell(f);
	return (ns);
}

/* A span of a thread, which has a function, begins, or goes on. */
static inline void
function_begins(struct model *m, struct location *l, struct slot *s, int64_t t)
{
	struct opened *o;

	s->open = l->opened_slot == NULL ? 0 : *opened_at(l, s->function);
	if (s->open == 0)
		s->open = opened_new(m, l, s->function);
	s->outer = 0;
	if (s->open == 0)
		return;
	o = &l->opened[s->open - 1];
	s->outer = o->frames++ == 0;
	if (!s->outer)
		return;
	o->since_ns = t;
	function_in(s->function, l, o, 1, t);
}

/* It ends, or makes a pause: how long it was there as the outermost; -1. */
static inline int64_t
function_ends(const struct location *l, struct slot *s, int64_t t)
{
	struct opened *o = s->open == 0 ? NULL : &l->opened[s->open - 1];
	int64_t ns;

	if (o == NULL || --o->frames > 0)
		return (-1);
	ns = function_in(s->function, l, o, -1, t);
	s->whole = 1;
	s->ran_ns += ns;
	return (ns);
}

#endif
