/*
 * How wrong are the clock maps of a log, where the truth is known?
 *
 *	clockerror LOG NODE=SECONDS ...
 *
 * All nodes are on one machine, in time namespaces: a node's clock is exactly
 * the monitor's and so many seconds.  Looks at every event of the nodes that
 * are named and prints for each: events, and median, 99 % and largest error;
 * then the largest error as a part of the bound that the log promises.  Exits
 * with 1 where a bound is broken.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "clockmap.h"
#include "log/tracefile.h"

#define NODES_MAX 64

struct truth {
	const char *name;
	int64_t offset_ns;
	uint32_t number; /* 0: not in the log */
	struct clockmap map;
	int64_t *error_ns; /* of every event */
	size_t n, cap, broken;
	double worst; /* error / bound */
	struct clock_segment worst_in;
	int64_t worst_at_ns, worst_error_ns; /* since the segment's base */
};

static struct truth truth[NODES_MAX];
static size_t ntruths;
static struct defs *defs;
static int64_t monitor_ns; /* its clock in the log, less its machine's */

static struct truth *
of(uint32_t number)
{
	for (size_t i = 0; i < ntruths; i++)
		if (truth[i].number == number)
			return (&truth[i]);
	return (NULL);
}

static void
on_node(const struct frame *f)
{
	struct msg_node m;

	if (msg_decode(MSG_node, f->body, f->body_bytes, &m) == -1)
		return;
	for (size_t i = 0; i < ntruths; i++)
		if (strlen(truth[i].name) == m.name.n &&
		    memcmp(truth[i].name, m.name.p, m.name.n) == 0)
			truth[i].number = m.node;
}

static int
definition(void *arg, const struct frame *f)
{
	struct clock_segment s;
	struct msg_segment m;
	struct truth *t;

	(void)arg;
	if (f->type == MSG_node)
		on_node(f);
	if (f->type != MSG_segment)
		return (defs_add(defs, f));
	if (msg_decode(MSG_segment, f->body, f->body_bytes, &m) == -1 ||
	    (t = of(m.node)) == NULL)
		return (0);
	s = (struct clock_segment){ m.base_node_ns, m.base_mon_ns, m.skew_q40,
		m.error_ns, m.epoch, m.state };
	return (clockmap_add(&t->map, &s));
}

/* The monitor's own events have both of its clocks. */
static int
event(void *arg, const struct event *e)
{
	const struct def_thread *d = defs_thread(defs, e->location);
	struct truth *t = d != NULL && d->node != 0 ? of(d->node) : NULL;
	const struct clock_segment *s;
	int64_t error, bound;

	(void)arg;
	if (e->location == 0)
		monitor_ns = e->t_mon_ns - e->t_node_ns;
	if (t == NULL || t->map.n == 0)
		return (0);
	s = clockmap_find(&t->map, e->t_node_ns);
	error = clock_segment_mon(s, e->t_node_ns) -
		(e->t_node_ns - t->offset_ns + monitor_ns);
	bound = s->error_ns > 0 ? s->error_ns : 1;
	error = error < 0 ? -error : error;
	if (t->n == t->cap) {
		t->cap = t->cap == 0 ? 1024 : t->cap * 2;
		t->error_ns =
		    reallocarray(t->error_ns, t->cap, sizeof(*t->error_ns));
		if (t->error_ns == NULL)
			err(EX_OSERR, "clockerror");
	}
	t->error_ns[t->n++] = error;
	t->broken += error > bound;
	if ((double)error / (double)bound > t->worst) {
		t->worst = (double)error / (double)bound;
		t->worst_in = *s;
		t->worst_at_ns = e->t_node_ns - s->base_node_ns;
		t->worst_error_ns = error;
	}
	return (0);
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y ? -1 : x > y);
}

static int
tell(const struct truth *t)
{
	if (t->n == 0) {
		printf("%s: no events\n", t->name);
		return (0);
	}
	qsort(t->error_ns, t->n, sizeof(*t->error_ns), compare);
	printf("%s: %zu events, clock error p50 %.1f p99 %.1f max %.1f us, "
	       "at most %.2f of its bound, beyond it %zu\n",
	    t->name, t->n, (double)t->error_ns[t->n / 2] / 1e3,
	    (double)t->error_ns[t->n * 99 / 100] / 1e3,
	    (double)t->error_ns[t->n - 1] / 1e3, t->worst, t->broken);
	if (t->broken > 0)
		printf("%s: the worst is %.1f us, %.3f s into a piece that "
		       "promises %.1f us (%s, epoch %u, skew %.3f ppm)\n",
		    t->name, (double)t->worst_error_ns / 1e3,
		    (double)t->worst_at_ns / 1e9,
		    (double)t->worst_in.error_ns / 1e3,
		    clock_state_name[t->worst_in.state], t->worst_in.epoch,
		    (double)t->worst_in.skew_q40 / 1099511.627776);
	return (t->broken > 0);
}

int
main(int argc, char **argv)
{
	static const struct trace_sink sink = { definition, event };
	struct tracefile *tf;
	const char *why;
	int bad = 0;

	if (argc < 3 || argc - 2 > NODES_MAX)
		errx(EX_USAGE, "usage: clockerror LOG NODE=SECONDS ...");
	for (; (int)ntruths < argc - 2; ntruths++) {
		char *is = strchr(argv[ntruths + 2], '=');

		if (is == NULL)
			errx(EX_USAGE, "NODE=SECONDS was expected");
		*is = '\0';
		truth[ntruths].name = argv[ntruths + 2];
		truth[ntruths].offset_ns = atoll(is + 1) * 1000000000;
	}
	tf = tracefile_open(argv[1], &why);
	if (tf == NULL)
		errx(EX_NOINPUT, "%s: %s", argv[1], why);
	defs = defs_new();
	if (defs == NULL ||
	    tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, NULL) != 0)
		err(EX_DATAERR, "%s", argv[1]);
	for (size_t i = 0; i < ntruths; i++) {
		bad |= tell(&truth[i]);
		clockmap_clear(&truth[i].map);
		free(truth[i].error_ns);
	}
	defs_free(defs);
	tracefile_close(tf);
	return (bad);
}
