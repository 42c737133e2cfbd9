/*
 * coarse TICK_NS IN.orr OUT.orr: the same log as of a clock that ticks so
 * seldom.  Each event's time is rounded down, and its raw time goes along; the
 * order stays, so that causes are before their effects and much happens at one
 * instant.  Times within events (of samples, counters) are left.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/tracefile.h"
#include "tools/logs/logout.h"

struct coarse {
	int64_t tick_ns, last_ns;
	uint64_t events, tied; /* those at the instant of the one before */
	struct logout *out;
};

static int
definition(void *arg, const struct frame *f)
{
	return (logout_frame(((struct coarse *)arg)->out, f));
}

static int
event(void *arg, const struct event *e)
{
	struct coarse *c = arg;
	struct event x = *e;
	int64_t by = e->t_mon_ns % c->tick_ns;

	by += by < 0 ? c->tick_ns : 0;
	x.t_mon_ns -= by;
	x.t_node_ns -= by;
	c->tied += c->events++ > 0 && x.t_mon_ns == c->last_ns;
	c->last_ns = x.t_mon_ns;
	return (logout_event(c->out, &x));
}

static int
fail(const char *path, const char *why)
{
	fprintf(stderr, "coarse: %s: %s\n", path, why);
	return (65);
}

int
main(int argc, char **argv)
{
	static const struct trace_sink all = { definition, event };
	struct coarse c = { .tick_ns = argc == 4 ? atoll(argv[1]) : 0 };
	struct msg_receipt receipt;
	const char *why = "";
	struct tracefile *in;

	if (c.tick_ns < 1) {
		fprintf(stderr, "usage: coarse TICK_NS IN.orr OUT.orr\n");
		return (64);
	}
	in = tracefile_open(argv[2], &why);
	if (in == NULL)
		return (fail(argv[2], why));
	c.out = logout_open(argv[3], 0600, tracefile_run(in));
	if (c.out == NULL)
		return (fail(argv[3], strerror(errno)));
	if (tracefile_each(in, INT64_MIN, INT64_MAX, &all, &c) == -1)
		return (fail(argv[2], strerror(errno)));
	if (logout_finish(c.out,
		tracefile_receipt(in, &receipt) == 1 ? &receipt : NULL) == -1)
		return (fail(argv[3], strerror(errno)));
	printf("%" PRIu64 " events, %" PRIu64 " at the instant of another\n",
	    c.events, c.tied);
	logout_free(c.out);
	tracefile_close(in);
	return (0);
}
