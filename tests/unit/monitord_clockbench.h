/*
 * For the tests of clock synchronisation: one node, its clock and its paths, in
 * simulation.  The truth is known here and hidden from the code under test.
 */
#ifndef TESTS_MONITORD_CLOCKBENCH_H
#define TESTS_MONITORD_CLOCKBENCH_H

#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "monitord/clock/clocksync.h"
#include "tests/sim/model.h"

#define US      1000
#define MS      1000000
#define SEC     ((int64_t)1000000000)
#define SAMPLE  (10 * MS)
#define SAMPLES 2000000

/* One node, its clock and its paths. */
struct bench {
	struct clock_model clock;
	struct path_model there, back;
	struct clocksync *sync;
	int64_t now_ns, sample_ns, from_ns;
	bool quiet; /* no answers */
	unsigned segments, jumps, steps;
	int64_t last_mon_ns, last_node_ns, step_ns;
	struct clock_segment last;

	double *error_us;
	size_t errors, checks, beyond;
};

static inline void
segment_cb(void *arg, const struct clock_segment *s, int64_t step_ns)
{
	struct bench *b = arg;

	if (b->segments > 0 && s->epoch == b->last.epoch) {
		/* continuous, and strictly increasing by its skew */
		assert_true(s->base_node_ns > b->last.base_node_ns);
		assert_int_equal(s->base_mon_ns,
		    clock_segment_mon(&b->last, s->base_node_ns));
		assert_int_equal(step_ns, 0);
	} else if (b->segments > 0) {
		b->jumps++;
		b->step_ns = step_ns;
	}
	assert_true(llabs(s->skew_q40) < CLOCK_SKEW_MAX_Q40);
	assert_true(s->error_ns > 0);
	b->last = *s;
	b->segments++;
}

static inline void
bench_start(struct bench *b, const struct scenario *sc, struct chance *c)
{
	struct path_kind there = sc->path;

	memset(b, 0, sizeof(*b));
	clock_model_init(&b->clock, &sc->clock, c);
	there.asymmetry = 0;
	path_model_init(&b->there, &there, c);
	path_model_init(&b->back, &sc->path, c);
	b->sync = clocksync_new(chance_next(c), segment_cb, b);
	assert_non_null(b->sync);
	b->error_us = malloc(SAMPLES * sizeof(double));
	assert_non_null(b->error_us);
	clocksync_connected(b->sync, 0);
}

static inline void
bench_stop(struct bench *b)
{
	clocksync_free(b->sync);
	free(b->error_us);
}

static inline void
bench_sample(struct bench *b, int64_t at)
{
	int64_t node, mon, off;

	if (!clocksync_usable(b->sync))
		return;
	node = clock_model_node(&b->clock, at);
	clocksync_reach(b->sync, node, at); /* as before anything is mapped */
	mon = clocksync_mon(b->sync, node);
	if (node > b->last_node_ns && b->last_mon_ns != 0)
		assert_true(mon >= b->last_mon_ns);
	b->last_node_ns = node;
	b->last_mon_ns = mon;
	off = llabs(mon - at);
	b->checks++;
	b->beyond += off > clocksync_error(b->sync, node);
	if (at >= b->from_ns && b->errors < SAMPLES)
		b->error_us[b->errors++] = (double)off / US;
}

static inline void
bench_ping(struct bench *b)
{
	uint32_t seq = clocksync_ping(b->sync, b->now_ns);
	int64_t t = b->now_ns + path_model_delay(&b->there, b->now_ns);
	int64_t t2 = clock_model_node(&b->clock, t), t3;

	t += 3 * US;
	t3 = clock_model_node(&b->clock, t);
	t += path_model_delay(&b->back, t);
	if (b->quiet)
		return;
	while (b->sample_ns < t) {
		if (b->sample_ns > b->now_ns)
			bench_sample(b, b->sample_ns);
		b->sample_ns += SAMPLE;
	}
	assert_int_equal(clocksync_pong(b->sync, seq, b->now_ns, t2, t3, t), 0);
	b->now_ns = t;
}

static inline void
bench_run(struct bench *b, int64_t until)
{
	int64_t second = b->now_ns / SEC * SEC + SEC;

	while (b->now_ns < until) {
		int64_t due = clocksync_due(b->sync);
		int64_t next = b->sample_ns < second ? b->sample_ns : second;

		if (next <= due) {
			if (next > b->now_ns)
				b->now_ns = next;
			if (next == second) {
				clocksync_tick(b->sync, b->now_ns);
				second += SEC;
			}
			if (next == b->sample_ns) {
				bench_sample(b, b->now_ns);
				b->sample_ns = b->now_ns + SAMPLE;
			}
			continue;
		}
		if (due > b->now_ns)
			b->now_ns = due;
		bench_ping(b);
	}
}

#endif
