/*
 * A node that is pinged when it is due and nothing else: what a bench of many
 * clocks needs.  clockbed.h has one that also looks, ticks, steps and sleeps.
 */
#ifndef TESTS_SIM_PINGED_H
#define TESTS_SIM_PINGED_H

#include "message.h"
#include "model.h"
#include "monitord/clock/clocksync.h"

struct pinged {
	struct clock_model clock;
	struct path_model there, back;
	struct clocksync *sync;
	int64_t now_ns; /* behind the last pong */
};

/* The first ping is due at once.  -1: no memory. */
int pinged_start(struct pinged *, const struct scenario *, struct chance *,
    clocksync_segment *, void *arg);
void pinged_stop(struct pinged *);
/* All pings that are due before this time. */
void pinged_run(struct pinged *, int64_t until_ns);

/* A segment as monitord logs it; burst: NULL when it came from none. */
struct msg_segment pinged_message(const struct clock_segment *,
    const struct clock_burst *);

#endif
