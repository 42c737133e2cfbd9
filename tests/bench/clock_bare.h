/*
 * The floor of clock_host: two processes that do nothing but ping-pong over
 * TCP of this machine, in bursts of 8, ten a second.  Both read the same
 * clock, so half the difference of the two ways is the error that a burst's
 * fastest ping would make.
 */
#ifndef TESTS_BENCH_CLOCK_BARE_H
#define TESTS_BENCH_CLOCK_BARE_H

#include <stddef.h>
#include <sys/types.h>

#define CLOCK_BARE_MOST 36000 /* bursts: one hour */

struct clock_bare_way {
	double rtt_us; /* the shortest */
	double off_us[CLOCK_BARE_MOST];
};

struct clock_bare {
	int port;
	size_t bursts;
	struct clock_bare_way read, stamped; /* stamped after read; by kernel */
};

/* Memory that the processes share; exits when there is none. */
struct clock_bare *clock_bare_new(void);
/* The two processes: neither returns. */
_Noreturn void clock_bare_answer(int listener);
_Noreturn void clock_bare_ask(struct clock_bare *);
/* For clock_bare_answer(); sets the port. */
int clock_bare_listen(struct clock_bare *);

#endif
