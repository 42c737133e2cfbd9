/*
 * Small steps.
 *
 * Traffic makes round trips longer: it moves the two bounds of a burst apart,
 * never past the line.  A bound that is past it by more than the line may be
 * wrong means that the path has become shorter or that the clock has jumped.
 * Then bursts follow at once, and their bounds are taken together.  When at
 * last both are past the line on the same side, it was the clock: a path that
 * became shorter moves them towards each other.
 */
#include "clockstep.h"

#include <math.h>

#define WITNESSES 3 /* at least */

enum clockstep_says
clockstep_burst(struct clockstep *d, const struct clock_line *line,
    const struct clock_burst *b, double least_ns)
{
	double half = line->gap_ns / 2;
	double low = (double)(b->low_node_ns + b->low_ns -
			      clock_line_mon(line, b->low_node_ns)) +
		     half;
	double high = (double)(b->high_node_ns + b->high_ns -
			       clock_line_mon(line, b->high_node_ns)) -
		      half;

	if (low <= least_ns && high >= -least_ns) {
		d->bursts = 0;
		return (CLOCKSTEP_NONE);
	}
	d->low_ns = d->bursts == 0 ? low : fmax(d->low_ns, low);
	d->high_ns = d->bursts == 0 ? high : fmin(d->high_ns, high);
	if (++d->bursts < WITNESSES)
		return (CLOCKSTEP_MORE);
	if ((d->low_ns > least_ns && d->high_ns > least_ns) ||
	    (d->low_ns < -least_ns && d->high_ns < -least_ns))
		return (CLOCKSTEP_STEP);
	return (d->bursts < CLOCKSTEP_MOST ? CLOCKSTEP_MORE : CLOCKSTEP_NONE);
}
