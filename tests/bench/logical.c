/*
 * Happens-before: what keeping it costs for an event, and what asking costs.
 *
 *	logical [EVENTS]	10^6 if not said
 *
 * A quarter of the events are messages, half of them to one of eight
 * neighbours, half to anybody: what is hard is that all know of all soon.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "logical/logical.h"

#define QUESTIONS 20000
#define CUTS      200
#define ON_WAY    64 /* messages of each stream that are not received yet */

static uint64_t state;

static uint32_t
random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(((state >> 32) * n) >> 32));
}

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y ? -1 : x > y);
}

static void
figure(const char *name, uint32_t streams, double value, const char *unit,
    const char *reference, double wanted)
{
	printf("%s_%u\t%.3f\t%s\t%s\t%g\t%.2f\n", name, streams, value, unit,
	    reference, wanted, value / wanted);
}

static struct event *
generate(uint32_t streams, uint32_t events)
{
	struct event *e = calloc(events, sizeof(*e));
	uint64_t *seq = calloc(streams, sizeof(*seq)), id = 0;
	uint64_t(*way)[ON_WAY] = calloc(streams, sizeof(*way));
	uint32_t *n = calloc(streams, sizeof(*n)), to;

	if (e == NULL || seq == NULL || way == NULL || n == NULL)
		err(1, "logical");
	for (uint32_t i = 0; i < events; i++) {
		uint32_t s = random_below(streams);

		e[i] = (struct event){ .location = s + 1,
			.seq = seq[s]++,
			.kind = EV_note,
			.t_mon_ns = i };
		if (random_below(4) > 0)
			continue;
		to = random_below(2) ? random_below(streams)
				     : (s + random_below(8)) % streams;
		if (n[s] > 0 && (random_below(2) || n[to] == ON_WAY)) {
			e[i].kind = EV_receive;
			e[i].a = way[s][--n[s]];
		} else if (n[to] < ON_WAY) {
			e[i].kind = EV_send;
			e[i].a = way[to][n[to]++] = ++id;
		}
	}
	free(seq);
	free(way);
	free(n);
	return (e);
}

/* near: the two lie within so many events of each other */
static void
ask(struct logical *l, const struct event *e, uint32_t events, uint32_t near,
    double *took)
{
	for (int i = 0; i < QUESTIONS; i++) {
		uint32_t a = random_below(events - near);
		uint32_t b = a + random_below(near);
		struct logical_event x = { e[a].location, e[a].seq };
		struct logical_event y = { e[b].location, e[b].seq };
		double t0 = now_us();

		if (logical_order(l, x, y) == -1)
			err(1, "logical_order");
		took[i] = now_us() - t0;
	}
	qsort(took, QUESTIONS, sizeof(*took), compare);
}

static void
cuts(struct logical *l, const struct event *e, uint32_t events, bool past,
    double *took)
{
	struct logical_cut *out = calloc(logical_locations(l), sizeof(*out));

	for (int i = 0; i < CUTS; i++) {
		uint32_t a = random_below(events);
		struct logical_event x = { e[a].location, e[a].seq };
		double t0 = now_us();

		if (out == NULL || (past ? logical_past_cut
					 : logical_future_cut)(l, x, out) == -1)
			err(1, "cut");
		took[i] = now_us() - t0;
	}
	qsort(took, CUTS, sizeof(*took), compare);
	free(out);
}

static void
measure(uint32_t streams, uint32_t events)
{
	static double took[QUESTIONS];
	struct event *e = generate(streams, events);
	struct logical *l = logical_new();
	struct logical_stats stats;
	double t0 = now_us(), dt;

	if (l == NULL)
		err(1, "logical");
	for (uint32_t i = 0; i < events; i++)
		if (logical_add(l, &e[i], event_desc(e[i].kind)) == -1)
			err(1, "logical_add");
	dt = now_us() - t0;
	logical_stats(l, &stats);
	figure("logical_add", streams, dt * 1e3 / events, "ns/event", "goal",
	    1000);
	figure("logical_memory", streams,
	    (double)(stats.bytes - stats.pending_bytes) / events, "bytes/event",
	    "vector per event", 4.0 * streams);
	ask(l, e, events, events - 1, took);
	figure("logical_order_p50", streams, took[QUESTIONS / 2], "us", "goal",
	    100);
	figure("logical_order_p99", streams, took[QUESTIONS * 99 / 100], "us",
	    "goal", 10000);
	ask(l, e, events, 10 * streams, took);
	figure("logical_order_near_p50", streams, took[QUESTIONS / 2], "us",
	    "goal", 100);
	figure("logical_order_near_p99", streams, took[QUESTIONS * 99 / 100],
	    "us", "goal", 10000);
	cuts(l, e, events, true, took);
	figure("logical_past_p99", streams, took[CUTS * 99 / 100], "us", "goal",
	    16000);
	cuts(l, e, events, false, took);
	figure("logical_future_p99", streams, took[CUTS * 99 / 100], "us",
	    "goal", 16000);
	logical_free(l);
	free(e);
}

int
main(int argc, char **argv)
{
	static const uint32_t streams[] = { 64, 1024 };
	uint32_t events =
	    argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;

	if (events < 50000)
		errx(64, "at least 50000 events");
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		state = 1;
		measure(streams[i], events);
	}
	return (0);
}
