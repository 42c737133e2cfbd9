/*
 * What the simulator knows and the code under test does not: chance, clocks
 * and paths.  Everything follows from a seed.
 */
#ifndef TESTS_SIM_MODEL_H
#define TESTS_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};
uint64_t chance_next(struct chance *);
uint64_t chance_below(struct chance *, uint64_t n); /* 0 for 0 */
double chance_unit(struct chance *);                /* [0, 1) */
double chance_normal(struct chance *);
double chance_exp(struct chance *, double mean);
bool chance_is(struct chance *, double probability);
struct chance chance_fork(struct chance *);

/* A node's clock.  Time is asked for in order, but for the last 20 ms. */
struct clock_kind {
	double offset_s, drift_ppm; /* at most, either way */
	double walk;                /* of the frequency, per sqrt(s) */
	double sine_ppm, sine_s;
	double jump_ppm, jump_every_s; /* of the frequency */
	double slew_ppm, slew_every_s; /* for one second each time */
};
struct clock_model {
	struct chance chance;
	struct clock_kind kind;
	double frequency, phase;     /* of the sine */
	int64_t at_ns, node_ns;      /* start of the present cell */
	int64_t was_ns, was_node_ns; /* and of the one before */
	double rate, was_rate;
	double rest; /* of node_ns, below 1 ns */
};
void clock_model_init(struct clock_model *, const struct clock_kind *,
    struct chance *);
int64_t clock_model_node(struct clock_model *, int64_t true_ns);
/* The clock jumps by so much from now on. */
void clock_model_step(struct clock_model *, int64_t true_ns, int64_t by_ns);

/* One direction of a path. */
struct path_kind {
	double base_us, jitter_us; /* gamma(2) with this mean */
	double spike, spike_us;    /* probability; uniform up to */
	double busy, busy_us;      /* share of time; exponential */
	double asymmetry;          /* of the base */
};
struct path_model {
	struct chance chance;
	struct path_kind kind;
	bool busy;
	int64_t until_ns;
};
void path_model_init(struct path_model *, const struct path_kind *,
    struct chance *);
int64_t path_model_delay(struct path_model *, int64_t true_ns);

/* Those that figures are given for. */
struct scenario {
	const char *name; /* begins with its letter */
	struct clock_kind clock;
	struct path_kind path; /* each way; but only the way back is longer */
	double p99_us;         /* what is promised; 0: nothing */
};
#define SCENARIOS 7
extern const struct scenario scenarios[SCENARIOS];

/* Percentile of n values; sorts them. */
double percentile(double *, size_t n, double p);

#endif
