/*
 * The clocks that the nodes were given, as a test that knows them better.
 */
#ifndef TESTS_OUTSIDE_CLOCKS_H
#define TESTS_OUTSIDE_CLOCKS_H

#include <stdint.h>

#define CLOCKS_MAX 64

/* One node's: "SECONDS,PPM[,WANDER]", as in a cluster file's test_clock. */
struct skewed {
	double offset_s, ppm, wander_ppm;
};

/* -1: no such clock. */
int skewed_parse(struct skewed *, const char *);
/* What that node's clock said when CLOCK_MONOTONIC_RAW said raw_ns. */
int64_t skewed_ns(const struct skewed *, int64_t raw_ns);
/* How far a collector that was away for seconds may be from that, in ns. */
int64_t skewed_slack_ns(const struct skewed *);

#endif
