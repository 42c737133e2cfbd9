/* A campaign of kills: what is told apart, and how all is known to be well. */
#ifndef TESTS_TOOLS_KILLER_H
#define TESTS_TOOLS_KILLER_H

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define LIMIT_MS 20000
#define POLL_MS  2
#define NODES    2

static inline double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e3 + (double)ts.tv_nsec * 1e-6);
}

static inline void
nap(double ms)
{
	struct timespec ts = { (time_t)(ms / 1e3),
		(long)((ms - 1e3 * (double)(time_t)(ms / 1e3)) * 1e6) };

	nanosleep(&ts, NULL);
}

/* Prints the sentence, and ends the campaign. */
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* What a status says that matters here. */
struct seen {
	char run[64];
	struct {
		bool running;
		uint64_t received, connects, pos;
	} node[NODES];
};

/* False: monitord does not answer. */
bool look(struct seen *);
/* monitord is gone: the next look begins anew. */
void look_away(void);
/* Shuts the run down; writes the receipt, and returns its code. */
int look_at_receipt(FILE *);

struct pair {
	pid_t pid[8];
	bool worker[8];
	int n, workers;
};

/* Of a node: keepers and workers. */
void collectors(struct pair *, unsigned node);

/* All of these wait, and fail after LIMIT_MS since then. */
void all_flows(const char *what, double since_ms);
void node_flows(unsigned node, const struct seen *before, bool anew,
    double since_ms);
/* No program but the one that stays, and that has been so for a while. */
void wait_for_drained(unsigned node);

#endif
