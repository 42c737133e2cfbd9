/*
 * One node for clocksync.c in virtual time: its clock, the paths to it, pings
 * when they are due, and looks at the map as the truth knows it.
 */
#ifndef TESTS_SIM_CLOCKBED_H
#define TESTS_SIM_CLOCKBED_H

#include "model.h"
#include "monitord/clock/clocksync.h"

struct clockbed {
	struct clock_model clock;
	struct path_model there, back;
	struct clocksync *sync;
	int64_t now_ns;
	int64_t sample_ns;        /* next look; INT64_MAX: none */
	int64_t sample_every_ns;  /* 10 ms unless set */
	int64_t second_ns;        /* next tick */
	int64_t held_until_ns;    /* the node is suspended */
	uint64_t samples, beyond; /* looks; with the truth out of the bound */
	double bound_sum_us;
	int64_t last_node_ns, last_mon_ns;
	uint64_t fallen; /* looks at which the map had gone back */

	/* Both may be NULL.  A look: mon is the map, error its bound. */
	void (*look)(void *arg, int64_t true_ns, int64_t node_ns,
	    int64_t mon_ns, int64_t error_ns);
	void (
	    *probe)(void *arg, int64_t t1, int64_t t2, int64_t t3, int64_t t4);
	void *arg;
};

/* -1: no memory.  The first ping is due at once. */
int clockbed_start(struct clockbed *, const struct scenario *, struct chance *,
    clocksync_segment *, void *arg);
void clockbed_stop(struct clockbed *);
/* Lets the time pass until then, or a ping longer. */
void clockbed_run(struct clockbed *, int64_t until_ns);
/* From now on the clock is ahead by so much more. */
void clockbed_step(struct clockbed *, int64_t by_ns);
/* The node sleeps, and so does its clock. */
void clockbed_suspend(struct clockbed *, int64_t for_ns);

#endif
