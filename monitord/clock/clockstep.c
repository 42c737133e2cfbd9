/*
 * Small steps.
 *
 * Traffic makes round trips longer: it moves the two bounds of a burst apart,
 * never past the line.  A bound that is past it by more than the line may be
 * wrong means that the path has become shorter or that the clock has jumped.
 * Then bursts follow at once, and their bounds are taken together.  When at
 * last both are past the line on the same side, it was the clock: a path that
 * became shorter moves them towards each other.
 *
 * How far the line may be wrong is not told by its age.  While bursts meet
 * traffic their bounds are too wide to hold it: it is fitted again with each of
 * them, goes on along the slope it had, and a clock that wanders leaves it.
 * But every burst of before says how far away the clock can have been then, and
 * since then it had only so long to go on: the least of that is the room.
 */
#include "clockstep.h"

#include <math.h>

#define WITNESSES 3    /* at least */
#define WANDERS   1e-6 /* /s: of a good frequency; the slope may miss it */

/* How far the bounds are past those of the line: tightest there, or less. */
static void
clockstep_past(const struct clock_line *line, const struct clock_burst *b,
    double *low, double *high)
{
	double half = line->gap_ns / 2;

	*low = (double)(b->low_node_ns + b->low_ns -
			clock_line_mon(line, b->low_node_ns)) +
	       half;
	*high = (double)(b->high_node_ns + b->high_ns -
			 clock_line_mon(line, b->high_node_ns)) -
		half;
}

double
clockstep_wide(int64_t ago_ns, double beta)
{
	return (fmax(WANDERS, beta) * 1e-9 * (double)ago_ns * (double)ago_ns);
}

bool
clockstep_held(struct clockstep_room *room, const struct clock_line *line,
    const struct clock_burst *b, double held_ns, double beta, int64_t now)
{
	double wide = clockstep_wide(now - b->high_node_ns - b->high_ns, beta);
	double low, high;

	clockstep_past(line, b, &low, &high);
	room->above_ns = fmin(room->above_ns, fmax(high - held_ns, 0) + wide);
	room->below_ns = fmin(room->below_ns, fmax(-low - held_ns, 0) + wide);
	return (wide < fmax(room->above_ns, room->below_ns));
}

enum clockstep_says
clockstep_burst(struct clockstep *d, const struct clock_line *line,
    const struct clock_burst *b, const struct clockstep_room *room)
{
	double low, high;

	clockstep_past(line, b, &low, &high);
	if (low <= room->above_ns && high >= -room->below_ns) {
		d->bursts = 0;
		return (CLOCKSTEP_NONE);
	}
	d->low_ns = d->bursts == 0 ? low : fmax(d->low_ns, low);
	d->high_ns = d->bursts == 0 ? high : fmin(d->high_ns, high);
	if (++d->bursts < WITNESSES)
		return (CLOCKSTEP_MORE);
	if ((d->low_ns > room->above_ns && d->high_ns > room->above_ns) ||
	    (d->low_ns < -room->below_ns && d->high_ns < -room->below_ns))
		return (CLOCKSTEP_STEP);
	return (d->bursts < CLOCKSTEP_MOST ? CLOCKSTEP_MORE : CLOCKSTEP_NONE);
}
