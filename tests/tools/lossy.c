/*
 * lossy SEED ONE_IN IN.orr OUT.orr: the same log as if, about once in so many
 * events of a thread, a stretch of them had been lost.  In their place stands
 * one record that says how many, with the time of what comes next and the
 * number of the last of them, as where a spool has lost them.  Of a process'
 * own words, which its collector says, none is lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/tracefile.h"
#include "tests/rnd.h"
#include "tools/logs/logout.h"

#define LOCATIONS   65536
#define LONGEST_RUN 6

struct stretch {
	uint64_t left, gone, total; /* still to go; gone in this one, in all */
	struct event last;
};

struct lossy {
	uint64_t one_in, gone, stretches;
	int64_t last_mon_ns;
	struct stretch *of; /* by location */
	struct defs *defs;
	struct logout *out;
};

static int
definition(void *arg, const struct frame *f)
{
	struct lossy *l = arg;

	return (defs_add(l->defs, f) == -1 ? -1 : logout_frame(l->out, f));
}

/* What is gone, told at this time. */
static int
tell(struct lossy *l, struct stretch *s, int64_t t_mon_ns, int64_t t_node_ns,
    uint32_t shift_ns)
{
	struct event e = { .t_mon_ns = t_mon_ns,
		.t_node_ns = t_node_ns,
		.seq = s->last.seq,
		.a = s->gone,
		.kind = EV_lost,
		.location = s->last.location,
		.shift_ns = shift_ns,
		.c = LOST_GONE };

	if (s->gone == 0)
		return (0);
	e.b = s->total += s->gone;
	l->gone += s->gone;
	l->stretches++;
	s->gone = 0;
	return (logout_event(l->out, &e));
}

/* A process is over: what is gone of its threads. */
static int
tell_po(struct lossy *l, const struct event *e)
{
	const struct def_thread *po = defs_thread(l->defs, e->location), *t;

	for (uint32_t i = 0; po != NULL && i < LOCATIONS; i++) {
		if (l->of[i].gone == 0 ||
		    (t = defs_thread(l->defs, i)) == NULL ||
		    t->node != po->node || t->po != po->po)
			continue;
		l->of[i].left = 0;
		if (tell(l, &l->of[i], e->t_mon_ns, e->t_node_ns,
			e->shift_ns) == -1)
			return (-1);
	}
	return (0);
}

static bool
may_go(const struct lossy *l, const struct event *e)
{
	const struct def_thread *t = defs_thread(l->defs, e->location);
	const struct event_desc *d = event_desc(e->kind);

	return (e->location < LOCATIONS && t != NULL && t->thread != 0 &&
		d != NULL && d->class != CLASS_monitor);
}

static int
event(void *arg, const struct event *e)
{
	struct lossy *l = arg;
	struct stretch *s;

	l->last_mon_ns = e->t_mon_ns;
	if (e->kind == EV_po_end && tell_po(l, e) == -1)
		return (-1);
	if (!may_go(l, e))
		return (logout_event(l->out, e));
	s = &l->of[e->location];
	if (s->left == 0 && rnd() % l->one_in == 0)
		s->left = 1 + rnd() % LONGEST_RUN;
	if (s->left > 0) {
		s->left--;
		s->gone++;
		s->last = *e;
		return (0);
	}
	if (tell(l, s, e->t_mon_ns, e->t_node_ns, e->shift_ns) == -1)
		return (-1);
	return (logout_event(l->out, e));
}

static int
fail(const char *path, const char *why)
{
	fprintf(stderr, "lossy: %s: %s\n", path, why);
	return (65);
}

/* What is gone at the end of a thread is told with the last event of all. */
static int
finish(struct lossy *l, struct tracefile *in)
{
	int64_t t1 = l->last_mon_ns;
	struct msg_receipt receipt;
	bool ended = tracefile_receipt(in, &receipt) == 1;

	for (size_t i = 0; i < LOCATIONS; i++)
		if (tell(l, &l->of[i], t1,
			l->of[i].last.t_node_ns + t1 - l->of[i].last.t_mon_ns,
			0) == -1)
			return (-1);
	receipt.stored -= ended ? l->gone : 0;
	receipt.lost += ended ? l->gone : 0;
	return (logout_finish(l->out, ended ? &receipt : NULL));
}

int
main(int argc, char **argv)
{
	static const struct trace_sink all = { definition, event };
	struct lossy l = { .one_in =
			       argc == 5 ? strtoull(argv[2], NULL, 10) : 0 };
	const char *why = "";
	struct tracefile *in;

	if (l.one_in < 1) {
		fprintf(stderr, "usage: lossy SEED ONE_IN IN.orr OUT.orr\n");
		return (64);
	}
	rnd_state = strtoull(argv[1], NULL, 10) * 2 + 1;
	l.of = calloc(LOCATIONS, sizeof(*l.of));
	l.defs = defs_new();
	if (l.of == NULL || l.defs == NULL)
		return (fail(argv[3], strerror(errno)));
	in = tracefile_open(argv[3], &why);
	if (in == NULL)
		return (fail(argv[3], why));
	l.out = logout_open(argv[4], 0600, tracefile_run(in));
	if (l.out == NULL)
		return (fail(argv[4], strerror(errno)));
	if (tracefile_each(in, INT64_MIN, INT64_MAX, &all, &l) == -1)
		return (fail(argv[3], strerror(errno)));
	if (finish(&l, in) == -1)
		return (fail(argv[4], strerror(errno)));
	printf("%" PRIu64 " events lost in %" PRIu64 " places\n", l.gone,
	    l.stretches);
	logout_free(l.out);
	tracefile_close(in);
	defs_free(l.defs);
	free(l.of);
	return (0);
}
