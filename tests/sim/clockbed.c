/*
 * A node in virtual time.
 *
 * The map is looked at in step with the pings, as batches would: with what was
 * known at that time, also while a ping is under way, and as by intake.c: the
 * map has to reach there first.
 */
#include "clockbed.h"

#include <stdlib.h>
#include <string.h>

#define MS      ((int64_t)1000000)
#define SEC     ((int64_t)1000000000)
#define NODE_NS 3000 /* from a ping's arrival to its answer */

int
clockbed_start(struct clockbed *b, const struct scenario *sc, struct chance *c,
    clocksync_segment *segment, void *arg)
{
	struct path_kind there = sc->path;

	memset(b, 0, sizeof(*b));
	there.asymmetry = 0;
	clock_model_init(&b->clock, &sc->clock, c);
	path_model_init(&b->there, &there, c);
	path_model_init(&b->back, &sc->path, c);
	b->sample_every_ns = 10 * MS;
	b->second_ns = SEC;
	b->arg = arg;
	b->last_node_ns = b->last_mon_ns = INT64_MIN;
	b->sync = clocksync_new(chance_next(c), segment, arg);
	if (b->sync == NULL)
		return (-1);
	clocksync_connected(b->sync, 0);
	return (0);
}

void
clockbed_stop(struct clockbed *b)
{
	clocksync_free(b->sync);
}

static void
clockbed_look(struct clockbed *b, int64_t at)
{
	int64_t node, mon, error;

	if (!clocksync_usable(b->sync) || at < b->held_until_ns)
		return;
	node = clock_model_node(&b->clock, at);
	clocksync_reach(b->sync, node, at);
	mon = clocksync_mon(b->sync, node);
	error = clocksync_error(b->sync, node);
	b->fallen += node > b->last_node_ns && mon < b->last_mon_ns;
	b->last_node_ns = node;
	b->last_mon_ns = mon;
	b->samples++;
	b->beyond += llabs(mon - at) > error;
	b->bound_sum_us += (double)error / 1e3;
	if (b->look != NULL)
		b->look(b->arg, at, node, mon, error);
}

/* Looks, and once a second a tick, up to this time. */
static void
clockbed_pass(struct clockbed *b, int64_t until)
{
	for (;;) {
		int64_t t =
		    b->sample_ns < b->second_ns ? b->sample_ns : b->second_ns;

		if (t >= until)
			break;
		if (t == b->sample_ns) {
			clockbed_look(b, t);
			b->sample_ns += b->sample_every_ns;
		} else {
			clocksync_tick(b->sync, t);
			b->second_ns += SEC;
		}
	}
	b->now_ns = until;
}

static void
clockbed_ping(struct clockbed *b)
{
	int64_t t1 = b->now_ns, t, t2, t3;
	uint32_t seq = clocksync_ping(b->sync, t1);

	t = t1 + path_model_delay(&b->there, t1);
	if (t < b->held_until_ns)
		t = b->held_until_ns;
	t2 = clock_model_node(&b->clock, t);
	t += NODE_NS;
	t3 = clock_model_node(&b->clock, t);
	t += path_model_delay(&b->back, t);
	clockbed_pass(b, t);
	clocksync_pong(b->sync, seq, t1, t2, t3, t);
	if (b->probe != NULL)
		b->probe(b->arg, t1, t2, t3, t);
}

void
clockbed_run(struct clockbed *b, int64_t until)
{
	while (b->now_ns < until) {
		int64_t due = clocksync_due(b->sync);
		int64_t next = due < until ? due : until;

		if (next > b->now_ns)
			clockbed_pass(b, next);
		if (due <= b->now_ns)
			clockbed_ping(b);
	}
}

void
clockbed_step(struct clockbed *b, int64_t by_ns)
{
	clock_model_step(&b->clock, b->now_ns, by_ns);
	b->last_node_ns = b->last_mon_ns = INT64_MIN;
}

void
clockbed_suspend(struct clockbed *b, int64_t for_ns)
{
	clockbed_step(b, -for_ns);
	b->held_until_ns = b->now_ns + for_ns;
}
