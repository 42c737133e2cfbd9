/*
 * The straight line that best fits bounds on a clock.
 *
 * A ping leaves the monitor at t1, reaches the node at t2, is answered at t3
 * and is back at t4.  Stamps are taken outside the path, so whatever the load,
 * t1 is not later than t2 and t3 not later than t4.  Each ping is thus two hard
 * bounds on the offset of the node's clock, and the fit is the line that stays
 * farthest from all of them.  Nothing is assumed about the noise.
 */
#ifndef COMMON_CLOCKFIT_H
#define COMMON_CLOCKFIT_H

#include <stddef.h>
#include <stdint.h>

#define CLOCKFIT_BURSTS 180
#define CLOCKFIT_SKEW   5e-4 /* no clock is further off than 500 ppm */

/*
 * What is kept of a burst of pings.  Offsets are mon - node; the true one is
 * at least low_ns at low_node_ns and at most high_ns at high_node_ns.
 */
struct clock_burst {
	int64_t low_node_ns, low_ns;
	int64_t high_node_ns, high_ns;
	int64_t rtt_ns; /* shortest round trip, without the node's time */
};

/* One ping more.  Pings of a burst must be within some ms. */
void clock_burst_add(struct clock_burst *, int64_t t1_mon_ns,
    int64_t t2_node_ns, int64_t t3_node_ns, int64_t t4_mon_ns, int first);

/* mon = node + offset_ns + skew * (node - base_node_ns) */
struct clock_line {
	int64_t base_node_ns, offset_ns;
	double skew;
	double gap_ns; /* between the nearest bounds; negative: no line fits */
};

/*
 * Fits bursts 0..n-1 (n at least 1, at most CLOCKFIT_BURSTS), seen from
 * at_node_ns.  Frequency may change by up to beta each second (1e-6 is
 * 1 ppm/s): bounds are widened by beta/2 * age^2.  Slopes are sought within
 * skew +- range; of those whose gap is within slack_ns of the best the middle
 * one is taken, which is wiser while they are hardly told apart.  About 3 us.
 */
void clockfit(const struct clock_burst *, size_t n, int64_t at_node_ns,
    double beta, double skew, double range, double slack_ns,
    struct clock_line *);

/*
 * Where the truth may lie after the newest bound: between two lines, the least
 * and the greatest that keep to all bounds.  Not a guess: true whatever the
 * paths do, as long as no frequency changes faster than beta.
 */
struct clock_band {
	int64_t base_node_ns;
	double low_ns, low_skew;   /* offset at the base, and slope */
	double high_ns, high_skew; /* likewise */
	double beta;
};

/*
 * Slopes are at most +-range.  Where no line keeps to all bounds the band is
 * around the given line, as wide as the widest bounds.  About 2 us.
 */
void clockfit_band(const struct clock_burst *, size_t n, int64_t at_node_ns,
    double beta, double range, const struct clock_line *, struct clock_band *);
/* How far from mon_ns the truth may be at this node time, not before base. */
double clock_band_off(const struct clock_band *, int64_t node_ns,
    int64_t mon_ns);

int64_t clock_line_mon(const struct clock_line *, int64_t node_ns);

#endif
